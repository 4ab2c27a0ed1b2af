//! Searching the index.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use async_trait::async_trait;
use sectile_core::EmbeddingModel;

use super::cache::{Cached, IndexCache, Key as CacheKey};
use super::scope::InScope;
use super::score::Key;
use super::terms::Segments;
use super::words::{self, Suggestion, Words};
use super::write::StoredSegment;
use super::{Block, Part, StoredPage};
use crate::{Error, FoundChunk, QueryVector, Result, Scope};

/// A connection of an engine that reads, as far as searching needs it. All that it reads in one search
/// is of one moment.
#[async_trait]
pub trait IndexReader: Send {
    /// Returns what the store handle remembers of the index.
    fn cache(&self) -> &IndexCache;

    /// Returns the segments of a collection, or all.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn segments(&mut self, collection: Option<&str>) -> Result<Vec<StoredSegment>>;

    /// Returns the numbers of the documents in a scope, with their collections.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn documents_in(&mut self, scope: &Scope) -> Result<Vec<(String, u64)>>;

    /// Returns the chunks of the sections in a scope.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn chunks_in(&mut self, scope: &Scope) -> Result<Vec<Chunk>>;

    /// Returns the model of the vectors of each collection that has vectors.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn models(&mut self) -> Result<BTreeMap<String, EmbeddingModel>>;

    /// Returns the `count` chunks in the scope whose vectors have the largest cosines with that of
    /// a question, by [`dot`](crate::dot), and all that tie with the last; others may be with them, in
    /// whatever order, and there are fewer only if there are no more. Every collection in the scope that has vectors has those of the question's model.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn nearest(
        &mut self,
        question: &QueryVector,
        in_scope: &InScope,
        count: usize,
    ) -> Result<Vec<(Chunk, f32)>>;

    /// Returns for each of some segments, given with their collections, and for each of some terms the
    /// row that has the term if any has: the first whose last term does not come before it. Rows have
    /// positions only if they are asked for.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn blocks(
        &mut self,
        segments: &[(String, i64)],
        terms: &[&str],
        with_positions: bool,
    ) -> Result<Vec<StoredBlock>>;

    /// Returns pages, each given by collection, segment and number, with their places among those that
    /// were asked for.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn pages(&mut self, pages: &[(&str, i64, u64)]) -> Result<Vec<(usize, StoredPage)>>;

    /// Returns parts of long lists, each given by collection, segment and number, with their places among
    /// those that were asked for. They have positions only if these are asked for.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn parts(
        &mut self,
        parts: &[(&str, i64, u64)],
        with_positions: bool,
    ) -> Result<Vec<(usize, Part)>>;

    /// Returns the words of segments, given with their collections, with their places among those that
    /// were asked for.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn words(&mut self, segments: &[(String, i64)]) -> Result<Vec<(usize, Vec<u8>)>>;

    /// Returns the chunks of a collection, or all, that are in the index and not in the store any more.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn dead(&mut self, collection: Option<&str>) -> Result<Vec<Chunk>>;

    /// Says where chunks stand. Those of a section have numbers in a row, in the order of their places.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn places(&mut self, chunks: &[Chunk]) -> Result<Vec<(Chunk, ChunkPlace)>>;

    /// Returns the URIs of documents, each given by its collection and its number.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn uris(&mut self, documents: &[(String, u64)]) -> Result<Vec<((String, u64), String)>>;

    /// Reads chunks with their sections and documents, in the order in which they are asked for.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn chunks(&mut self, chunks: &[Chunk]) -> Result<Vec<FoundChunk>>;
}

/// A row of the index, with the places of the segment and the term that it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredBlock {
    /// The place of the segment among those that were asked for.
    pub segment: usize,
    /// The place of the term among those that were asked for.
    pub term: usize,
    /// The row.
    pub block: Block,
}

/// A chunk, as the index names it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Chunk {
    /// The collection.
    pub collection: String,
    /// The number of the document in the database.
    pub document: u64,
    /// The number of the chunk, which its document uses once.
    pub chunk: u64,
}

/// Where a chunk stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkPlace {
    /// The URI of the document.
    pub uri: String,
    /// The position of the section.
    pub position: usize,
    /// The place in the section.
    pub index: usize,
}

/// A search on its way.
pub(super) struct Search<'r> {
    pub(super) reader: &'r mut dyn IndexReader,
    /// The collection that is searched; nothing if all are.
    collection: Option<String>,
    /// Those in scope that hold anything, in order.
    pub(super) collections: Vec<String>,
    stored: Vec<StoredSegment>,
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

    /// Splits a word into two that the collections have, of at least some letters each: those of which the rarer
    /// one is the most frequent.
    pub(super) async fn two_words(&mut self, word: &str, least: usize) -> Result<Option<String>> {
        let words = self.words().await?;
        let count = |of: &str| words.iter().map(|words| words.count(of)).sum::<u64>();
        let starts = word.char_indices().map(|(at, _)| at);
        let is_long = |of: &str| of.chars().count() >= least;
        let splits = starts.map(|at| word.split_at(at));
        let splits = splits.filter(|(first, second)| is_long(first) && is_long(second));
        let counted =
            splits.map(|(first, second)| (count(first).min(count(second)), first, second));
        let best = counted.max_by_key(|(count, _, _)| *count);
        let best = best.filter(|(count, _, _)| *count > 0);
        Ok(best.map(|(_, first, second)| format!("{first} {second}")))
    }

    /// Returns words of the collections that begin in a way, with how often documents have each, the most
    /// frequent first.
    pub(super) async fn beginning_with(
        &mut self,
        prefix: &str,
        limit: usize,
    ) -> Result<Vec<(String, u64)>> {
        let words = self.words().await?;
        words::beginning_with(words.iter().map(|words| &**words), prefix, limit)
    }

    /// Reads the words of all segments.
    async fn words(&mut self) -> Result<Vec<Arc<Words>>> {
        let cache = self.reader.cache().clone();
        let (mut known, mut unknown) = (Vec::new(), Vec::new());
        for of in &self.stored {
            match cache.get(&CacheKey::Words(of.segment)) {
                Some(Cached::Words(words)) => known.push(words),
                _ => unknown.push((of.collection.clone(), of.segment)),
            }
        }
        if unknown.is_empty() {
            return Ok(known);
        }
        for (asked, stored) in self.reader.words(&unknown).await? {
            let words = Arc::new(Words::read(stored)?);
            let (_, segment) = unknown
                .get(asked)
                .ok_or_else(|| Error::corrupt("words of a segment that was not asked for"))?;
            cache.insert(CacheKey::Words(*segment), Cached::Words(Arc::clone(&words)));
            known.push(words);
        }
        Ok(known)
    }
}

/// Returns the place of a collection in a list of them, which is in order.
fn place_in(collections: &[String], collection: &str) -> Result<u32> {
    let place = collections.binary_search_by(|known| known.as_str().cmp(collection));
    let place = place.ok().and_then(|place| u32::try_from(place).ok());
    place.ok_or_else(|| Error::corrupt(format!("the collection `{collection}` without documents")))
}
