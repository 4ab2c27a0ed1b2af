//! A search on its way.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::cache::{Cached, Key as CacheKey};
use super::place::Chunk;
use super::reader::IndexReader;
use super::scope::InScope;
use super::score::Key;
use super::terms::Segments;
use super::words::{self, Suggestion, Words};
use super::writer::StoredSegment;
use crate::{Error, Result, Scope};

/// A search on its way.
pub(super) struct Search<'r> {
    pub(super) reader: &'r mut dyn IndexReader,
    /// The collection that is searched; nothing if all are.
    collection: Option<String>,
    /// Those in scope that hold anything, in order.
    pub(super) collections: Vec<String>,
    stored: Vec<StoredSegment>,
    /// The words of the segments, once they were read.
    words: Option<Vec<Arc<Words>>>,
}

impl<'r> Search<'r> {
    pub(super) async fn begin(
        reader: &'r mut dyn IndexReader,
        collection: Option<&str>,
    ) -> Result<Self> {
        let stored = reader.segments(collection).await?;
        let mut collections: Vec<_> = stored.iter().map(|of| of.collection.clone()).collect();
        collections.sort_unstable();
        collections.dedup();
        Ok(Self {
            reader,
            collection: collection.map(str::to_owned),
            collections,
            stored,
            words: None,
        })
    }

    /// Returns the segments, with those of their chunks that are dead.
    pub(super) async fn segments(&mut self) -> Result<Segments> {
        let dead = self.reader.dead(self.collection.as_deref()).await?;
        // The last segment of a collection may be gone.
        let keys = dead.iter().filter_map(|chunk| self.key(chunk).ok());
        let dead = keys.collect();
        let place = |collection: &str| place_in(&self.collections, collection);
        Segments::read(self.reader, &self.stored, &dead, place).await
    }

    /// Returns a scope in the numbers of the database.
    pub(super) async fn in_scope(&mut self, scope: &Scope) -> Result<InScope> {
        let mut in_scope = InScope::all(self.collections.clone());
        if scope.asks_of_sections() {
            let chunks = self.reader.chunks_in(scope).await?;
            let keys = chunks.iter().map(|chunk| self.key(chunk));
            in_scope.chunks = Some(keys.collect::<Result<_>>()?);
        } else if !scope.has_every_document() {
            let documents = self.reader.documents_in(scope).await?;
            let key =
                |(collection, document): (String, u64)| Some((self.place(&collection)?, document));
            in_scope.documents = Some(documents.into_iter().filter_map(key).collect());
        }
        Ok(in_scope)
    }

    pub(super) fn chunks(&self, keys: &[Key]) -> Vec<Chunk> {
        let chunk = |&(collection, document, chunk): &Key| Chunk {
            collection: self.collections[collection as usize].clone(),
            document,
            chunk,
        };
        keys.iter().map(chunk).collect()
    }

    /// Returns the name of a document's collection, and its number.
    pub(super) fn document(&self, (collection, document): (u32, u64)) -> (String, u64) {
        (self.collections[collection as usize].clone(), document)
    }

    pub(super) fn key(&self, chunk: &Chunk) -> Result<Key> {
        let collection = place_in(&self.collections, &chunk.collection)?;
        Ok((collection, chunk.document, chunk.chunk))
    }

    /// Returns the place of a collection in the list of them.
    pub(super) fn place(&self, collection: &str) -> Option<u32> {
        place_in(&self.collections, collection).ok()
    }
}

impl Search<'_> {
    /// Returns the languages of the documents in the collections that are searched, each a code of two
    /// letters, in order.
    pub(super) fn languages(&self) -> Vec<String> {
        let lists = self.stored.iter().map(|of| words::languages(&of.languages));
        let all: BTreeSet<String> = lists.flatten().collect();
        all.into_iter().collect()
    }

    /// Returns words of the collections that are spelled like one: those from which it differs by as many
    /// letters as `distance` (1 or 2) or fewer, two that are swapped counting once. The nearest come
    /// first, then the most frequent. Words have from 2 to 40 letters, in lower case without accents.
    pub(super) async fn similar(
        &mut self,
        word: &str,
        distance: u8,
        limit: usize,
    ) -> Result<Vec<Suggestion>> {
        let words = self.words().await?;
        words::similar(words.iter().map(|words| &**words), word, distance, limit)
    }

    /// Returns how documents of the collections write a word, given in plain letters, the most frequent first: with the
    /// accents that decide how it is stemmed.
    pub(super) async fn forms(&mut self, plain: &str) -> Result<Vec<String>> {
        let words = self.words().await?;
        let same = words::same(words.iter().map(|words| &**words), plain)?;
        Ok(same.map(|of| of.forms).unwrap_or_default())
    }

    /// Splits a word into two that the collections have, of at least some letters each: those of which the rarer
    /// one is the most frequent.
    pub(super) async fn two_words(&mut self, word: &str, least: usize) -> Result<Option<String>> {
        // Of a longer word one of the two is longer than those that are kept.
        if word.chars().count() > 2 * words::LENGTHS.end() {
            return Ok(None);
        }
        let words = self.words().await?;
        let same = |of: &str| words::same(words.iter().map(|words| &**words), of);
        let starts = word.char_indices().map(|(at, _)| at);
        let is_long = |of: &str| of.chars().count() >= least;
        let splits = starts.map(|at| word.split_at(at));
        let splits = splits.filter(|(first, second)| is_long(first) && is_long(second));
        let mut known = Vec::new();
        for (first, second) in splits {
            if let (Some(first), Some(second)) = (same(first)?, same(second)?) {
                known.push([first, second]);
            }
        }
        let rarer = |[first, second]: &[Suggestion; 2]| first.count.min(second.count);
        let best = known.into_iter().max_by_key(rarer);
        let form = |of: Suggestion| of.forms.into_iter().next().unwrap_or(of.word);
        Ok(best.map(|both| both.map(form).join(" ")))
    }

    /// Returns words of the collections that begin in a way, with how often documents have each, the most
    /// frequent first.
    pub(super) async fn beginning_with(
        &mut self,
        prefix: &str,
        limit: usize,
    ) -> Result<Vec<Suggestion>> {
        let words = self.words().await?;
        words::beginning_with(words.iter().map(|words| &**words), prefix, limit)
    }

    /// Reads the words of all segments.
    async fn words(&mut self) -> Result<Vec<Arc<Words>>> {
        if let Some(words) = &self.words {
            return Ok(words.clone());
        }
        let cache = self.reader.cache().clone();
        let (mut known, mut unknown) = (Vec::new(), Vec::new());
        for of in &self.stored {
            match cache.get(&CacheKey::Words(of.segment)) {
                Some(Cached::Words(words)) => known.push(words),
                _ => unknown.push((of.collection.clone(), of.segment)),
            }
        }
        let read = if unknown.is_empty() {
            Vec::new()
        } else {
            self.reader.words(&unknown).await?
        };
        for (asked, stored) in read {
            let words = Arc::new(Words::read(stored)?);
            let (_, segment) = unknown
                .get(asked)
                .ok_or_else(|| Error::corrupt("words of a segment that was not asked for"))?;
            cache.insert(CacheKey::Words(*segment), Cached::Words(Arc::clone(&words)));
            known.push(words);
        }
        self.words = Some(known.clone());
        Ok(known)
    }
}

/// Returns the place of a collection in a list of them, which is in order.
fn place_in(collections: &[String], collection: &str) -> Result<u32> {
    let place = collections.binary_search_by(|known| known.as_str().cmp(collection));
    let place = place.ok().and_then(|place| u32::try_from(place).ok());
    place.ok_or_else(|| Error::corrupt(format!("the collection `{collection}` without documents")))
}
