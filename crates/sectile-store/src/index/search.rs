//! Searching the index.

use std::collections::{BTreeMap, HashMap, HashSet};

use async_trait::async_trait;
use rustc_hash::{FxHashMap, FxHashSet};
use sectile_core::EmbeddingModel;

use super::Posting;
use super::postings::{Occurrence, read_entries, read_positions};
use super::scope::InScope;
use super::score::{Key, Match, Matches, Parts, Size, rank};
use crate::{Error, FoundChunk, Query, QueryVector, Result, Scope};

/// A connection of an engine that reads, as far as searching needs it. All that it reads in one search
/// is of one moment.
#[async_trait]
pub trait IndexReader: Send {
    /// Returns how large each collection is.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn sizes(&mut self) -> Result<Vec<CollectionSize>>;

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
    /// a question, best first, and all that tie with the last; fewer only if there are no more.
    /// Every collection in the scope that has vectors has those of the question's model.
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

    /// Returns what the index has for some terms in some collections; positions only if they are
    /// asked for.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn postings(
        &mut self,
        collections: &[String],
        terms: &[&str],
        with_positions: bool,
    ) -> Result<Vec<StoredPosting>>;

    /// Returns the chunks that are in the index and not in the store any more.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn dead(&mut self) -> Result<Vec<Chunk>>;

    /// Says where chunks stand.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn places(&mut self, chunks: &[Chunk]) -> Result<Vec<(Chunk, ChunkPlace)>>;

    /// Reads chunks with their sections and documents, in the order in which they are asked for.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn chunks(&mut self, chunks: &[Chunk]) -> Result<Vec<FoundChunk>>;
}

/// How large a collection is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectionSize {
    /// The collection.
    pub collection: String,
    /// The number of chunks.
    pub chunks: u64,
    /// The number of their terms, those of their paths included.
    pub terms: u64,
}

/// A row of the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPosting {
    /// The collection.
    pub collection: String,
    /// The term.
    pub term: String,
    /// What the row has.
    pub posting: Posting,
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

/// Where a chunk stands, in the order in which equal scores are ordered within a collection.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    pub(super) collections: Vec<String>,
    size: Size,
    dead: FxHashSet<Key>,
}

/// What is known of each sequence of terms of a question.
type Known = HashMap<Vec<String>, Matches>;

/// Where chunks hold terms.
type Held = FxHashMap<Key, HeldBy>;

/// Where a chunk holds each of some terms.
#[derive(Default)]
struct HeldBy {
    length: u64,
    path: HashMap<String, HashSet<u64>>,
    text: HashMap<String, HashSet<u64>>,
}

impl<'r> Search<'r> {
    pub(super) async fn begin(reader: &'r mut dyn IndexReader) -> Result<Self> {
        let sizes = reader.sizes().await?;
        let size = Size {
            chunks: sizes.iter().map(|size| size.chunks).sum(),
            terms: sizes.iter().map(|size| size.terms).sum(),
        };
        let mut collections: Vec<_> = sizes.into_iter().map(|size| size.collection).collect();
        collections.sort_unstable();
        let mut search = Self {
            reader,
            collections,
            size,
            dead: FxHashSet::default(),
        };
        for chunk in search.reader.dead().await? {
            // The last document of a collection may be gone with it.
            if let Ok(key) = search.key(&chunk) {
                search.dead.insert(key);
            }
        }
        Ok(search)
    }

    /// Returns the chunks in the scope that a question finds, each with its score, in no order.
    pub(super) async fn by_text(
        &mut self,
        question: &Query,
        in_scope: &InScope,
    ) -> Result<Vec<(Key, f64)>> {
        let known = self.known(question, in_scope).await?;
        let of = |terms: &[String]| &known[terms];
        let single = question.terms().iter().map(std::slice::from_ref);
        let parts = Parts {
            any: single
                .chain(question.phrases().iter().map(Vec::as_slice))
                .map(of)
                .collect(),
            required: question.required().iter().map(|terms| of(terms)).collect(),
            excluded: question.excluded().iter().map(|terms| of(terms)).collect(),
        };
        Ok(rank(&parts, self.size))
    }

    /// Finds the chunks that hold each sequence of terms of a question.
    async fn known(&mut self, question: &Query, in_scope: &InScope) -> Result<Known> {
        let (phrases, required, excluded) =
            (question.phrases(), question.required(), question.excluded());
        let sequences = || phrases.iter().chain(required).chain(excluded);
        let alone = sequences().filter(|terms| terms.len() == 1).flatten();
        let terms: HashSet<&str> = question
            .terms()
            .iter()
            .chain(alone)
            .map(String::as_str)
            .collect();
        let mut known = self.single(&terms, in_scope).await?;
        for terms in sequences().filter(|terms| terms.len() > 1) {
            if !known.contains_key(terms) {
                let matches = self.phrase(terms, in_scope).await?;
                known.insert(terms.clone(), matches);
            }
        }
        Ok(known)
    }

    /// Finds the chunks that hold each of some terms.
    async fn single(&mut self, terms: &HashSet<&str>, scope: &InScope) -> Result<Known> {
        let list: Vec<&str> = terms.iter().copied().collect();
        let rows = self
            .reader
            .postings(&self.collections, &list, false)
            .await?;
        let empty = |term: &&str| (vec![(*term).to_owned()], Matches::default());
        let mut known: Known = terms.iter().map(empty).collect();
        for row in rows {
            let collection = self.known_place(&row.collection)?;
            let Some(matches) = known.get_mut(std::slice::from_ref(&row.term)) else {
                continue;
            };
            read_entries(&row.posting.entry, |occurrence| {
                let key = (collection, occurrence.document, occurrence.chunk);
                if self.dead.contains(&key) {
                    return;
                }
                matches.chunks += 1;
                if scope.has(key) {
                    matches.found.push(single(key, occurrence));
                }
            })?;
        }
        Ok(known)
    }

    /// Finds the chunks that hold terms one after the other.
    async fn phrase(&mut self, terms: &[String], scope: &InScope) -> Result<Matches> {
        let list: Vec<&str> = terms.iter().map(String::as_str).collect();
        let rows = self.reader.postings(&self.collections, &list, true).await?;
        let mut held = Held::default();
        for row in rows {
            let collection = self.known_place(&row.collection)?;
            let Posting {
                entry, positions, ..
            } = &row.posting;
            read_positions(entry, positions, |occurrence, path, text| {
                let key = (collection, occurrence.document, occurrence.chunk);
                if self.dead.contains(&key) {
                    return;
                }
                let held = held.entry(key).or_default();
                held.length = occurrence.length;
                held.path
                    .insert(row.term.clone(), path.into_iter().collect());
                held.text
                    .insert(row.term.clone(), text.into_iter().collect());
            })?;
        }
        let matches = held.iter().map(|(key, held)| Match {
            chunk: *key,
            in_path: count(terms, &held.path),
            in_text: count(terms, &held.text),
            length: held.length,
        });
        let mut found: Vec<Match> = matches
            .filter(|found| found.in_path + found.in_text > 0)
            .collect();
        let chunks = found.len() as u64;
        found.retain(|found| scope.has(found.chunk));
        Ok(Matches { chunks, found })
    }

    pub(super) fn chunks(&self, ranked: &[(Key, f64)]) -> Vec<Chunk> {
        let chunk = |&((collection, document, chunk), _): &(Key, f64)| Chunk {
            collection: self.collections[collection as usize].clone(),
            document,
            chunk,
        };
        ranked.iter().map(chunk).collect()
    }

    pub(super) fn key(&self, chunk: &Chunk) -> Result<Key> {
        let collection = self.known_place(&chunk.collection)?;
        Ok((collection, chunk.document, chunk.chunk))
    }

    /// Returns the place of a collection in the list of them, which is in order.
    pub(super) fn place(&self, collection: &str) -> Option<u32> {
        let place = self
            .collections
            .binary_search_by(|known| known.as_str().cmp(collection));
        place.ok().and_then(|place| u32::try_from(place).ok())
    }

    fn known_place(&self, collection: &str) -> Result<u32> {
        let place = self.place(collection);
        place.ok_or_else(|| {
            Error::corrupt(format!("the collection `{collection}` without documents"))
        })
    }
}

/// Counts the places where terms stand one after the other.
fn count(terms: &[String], held: &HashMap<String, HashSet<u64>>) -> u64 {
    let Some(starts) = terms.first().and_then(|first| held.get(first)) else {
        return 0;
    };
    let follows = |start: u64| {
        (start..).zip(terms).all(|(position, term)| {
            held.get(term)
                .is_some_and(|positions| positions.contains(&position))
        })
    };
    starts.iter().filter(|&&start| follows(start)).count() as u64
}

fn single(key: Key, occurrence: Occurrence) -> Match {
    Match {
        chunk: key,
        in_path: occurrence.in_path,
        in_text: occurrence.in_text,
        length: occurrence.length,
    }
}
