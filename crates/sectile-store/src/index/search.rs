//! Searching the index.

use std::collections::HashMap;

use async_trait::async_trait;
use rustc_hash::{FxHashMap, FxHashSet};

use super::score::{Key, Scores};
use super::terms::Segments;
use super::{Block, StoredChunks};
use crate::{Analyzer, Error, FoundChunk, GroupBy, Hit, Query, Result, Scope, SearchRequest};

/// How many chunks are looked at first for each hit that is asked for: a section has several.
const CHUNKS_A_HIT: usize = 4;

/// A connection of an engine that reads, as far as searching needs it. All that it reads in one search
/// is of one moment.
#[async_trait]
pub trait IndexReader: Send {
    /// Returns all segments.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn segments(&mut self) -> Result<Vec<StoredSegment>>;

    /// Returns the numbers of the documents in a scope that has ranges of URIs, with their
    /// collections.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn documents_in(&mut self, scope: &Scope) -> Result<Vec<(String, u64)>>;

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

/// A segment with its chunks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSegment {
    /// The collection.
    pub collection: String,
    /// The number.
    pub segment: i64,
    /// The chunks.
    pub chunks: StoredChunks,
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

/// Answers a request with BM25.
///
/// # Errors
///
/// [`Error::EmptyQuery`] when there is nothing to search for, and those of the reader.
pub async fn search(
    reader: &mut dyn IndexReader,
    request: &SearchRequest,
    analyzer: &Analyzer,
) -> Result<Vec<Hit>> {
    let question = Query::parse(&request.query, analyzer)?;
    if request.limit == 0 {
        return Ok(Vec::new());
    }
    let mut search = Search::begin(reader).await?;
    let segments = search.segments().await?;
    let known = segments.known(search.reader, &question).await?;
    let scope = search.scope(&request.scope).await?;
    let scores = segments.rank(&question, &known)?;
    let best = search.best(&scores, &scope, request).await?;
    search.hits(&best, &question, analyzer).await
}

/// A search on its way.
struct Search<'r> {
    reader: &'r mut dyn IndexReader,
    collections: Vec<String>,
    stored: Vec<StoredSegment>,
}

/// A chunk with its score and its place.
type Ranked<'p> = (f64, u32, &'p ChunkPlace, Key);

impl<'r> Search<'r> {
    async fn begin(reader: &'r mut dyn IndexReader) -> Result<Self> {
        let stored = reader.segments().await?;
        let mut collections: Vec<_> = stored.iter().map(|of| of.collection.clone()).collect();
        collections.sort_unstable();
        collections.dedup();
        Ok(Self {
            reader,
            collections,
            stored,
        })
    }

    async fn segments(&mut self) -> Result<Segments> {
        let dead = self.reader.dead().await?;
        // The last segment of a collection may be gone.
        let dead = dead
            .iter()
            .filter_map(|chunk| self.key(chunk).ok())
            .collect();
        let stored = std::mem::take(&mut self.stored);
        Segments::new(stored, &dead, |collection| self.known_place(collection))
    }

    async fn scope(&mut self, scope: &Scope) -> Result<InScope> {
        let named = scope.collection_name();
        let is_named = |of: &String| named.is_none_or(|name| name == of);
        let documents = if scope.uri_ranges().is_empty() {
            None
        } else {
            let documents = self.reader.documents_in(scope).await?;
            let key =
                |(collection, document): (String, u64)| Some((self.place(&collection)?, document));
            Some(documents.into_iter().filter_map(key).collect())
        };
        Ok(InScope {
            collections: self.collections.iter().map(is_named).collect(),
            documents,
        })
    }

    /// Returns the best chunk of each of the best sections or documents. Everything that ties with
    /// the last place is kept until names decide.
    async fn best(
        &mut self,
        scores: &Scores<'_>,
        scope: &InScope,
        request: &SearchRequest,
    ) -> Result<Vec<(Key, f64)>> {
        let mut looked_at = request.limit.saturating_mul(CHUNKS_A_HIT);
        loop {
            let some = scores.best(looked_at, |key| scope.has(key));
            let places = self.places(&some).await?;
            let mut groups: HashMap<_, Ranked<'_>> = HashMap::new();
            for &(key, score) in &some {
                let place = places
                    .get(&key)
                    .ok_or_else(|| Error::corrupt("a chunk that is gone"))?;
                let position = (request.group_by == GroupBy::Section).then_some(place.position);
                let candidate = (score, key.0, place, key);
                let best = groups
                    .entry((key.0, &place.uri, position))
                    .or_insert(candidate);
                if order(&candidate, best).is_lt() {
                    *best = candidate;
                }
            }
            if groups.len() < request.limit && some.len() >= looked_at {
                looked_at = looked_at.saturating_mul(CHUNKS_A_HIT);
                continue;
            }
            let mut best: Vec<_> = groups.into_values().collect();
            best.sort_unstable_by(order);
            best.truncate(request.limit);
            return Ok(best
                .into_iter()
                .map(|(score, .., key)| (key, score))
                .collect());
        }
    }

    async fn places(&mut self, ranked: &[(Key, f64)]) -> Result<FxHashMap<Key, ChunkPlace>> {
        let places = self.reader.places(&self.chunks(ranked)).await?;
        let keyed = |(chunk, place)| Ok((self.key(&chunk)?, place));
        places.into_iter().map(keyed).collect()
    }

    async fn hits(
        &mut self,
        best: &[(Key, f64)],
        question: &Query,
        analyzer: &Analyzer,
    ) -> Result<Vec<Hit>> {
        let chunks = self.reader.chunks(&self.chunks(best)).await?;
        let ranked = chunks.into_iter().zip(best).zip(1..);
        ranked
            .map(|((chunk, &(_, score)), rank)| chunk.into_hit(score, rank, question, analyzer))
            .collect()
    }

    fn chunks(&self, ranked: &[(Key, f64)]) -> Vec<Chunk> {
        let chunk = |&((collection, document, chunk), _): &(Key, f64)| Chunk {
            collection: self.collections[collection as usize].clone(),
            document,
            chunk,
        };
        ranked.iter().map(chunk).collect()
    }

    fn key(&self, chunk: &Chunk) -> Result<Key> {
        let collection = self.known_place(&chunk.collection)?;
        Ok((collection, chunk.document, chunk.chunk))
    }

    /// Returns the place of a collection in the list of them, which is in order.
    fn place(&self, collection: &str) -> Option<u32> {
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

/// What a scope has, by number.
struct InScope {
    /// Whether each collection is.
    collections: Vec<bool>,
    documents: Option<FxHashSet<(u32, u64)>>,
}

impl InScope {
    fn has(&self, (collection, document, _): Key) -> bool {
        let is_named = self.collections[collection as usize];
        let documents = self.documents.as_ref();
        is_named && documents.is_none_or(|documents| documents.contains(&(collection, document)))
    }
}

/// Orders the best first: by score, then by collection, URI and position.
fn order(left: &Ranked<'_>, right: &Ranked<'_>) -> std::cmp::Ordering {
    let by_score = right.0.total_cmp(&left.0);
    by_score.then_with(|| (left.1, left.2).cmp(&(right.1, right.2)))
}
