//! Searching the index.

use std::collections::BTreeMap;

use async_trait::async_trait;
use sectile_core::EmbeddingModel;

use super::scope::InScope;
use super::score::Key;
use super::terms::Segments;
use super::{Block, StoredChunks};
use crate::{Error, FoundChunk, QueryVector, Result, Scope};

/// A connection of an engine that reads, as far as searching needs it. All that it reads in one search
/// is of one moment.
#[async_trait]
pub trait IndexReader: Send {
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

    /// Returns the chunks of a collection, or all, that are in the index and not in the store any more.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn dead(&mut self, collection: Option<&str>) -> Result<Vec<Chunk>>;

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

    /// Returns the segments, which are read once in a search.
    pub(super) async fn segments(&mut self) -> Result<Segments> {
        let dead = self.reader.dead(self.collection.as_deref()).await?;
        // The last segment of a collection may be gone.
        let dead = dead
            .iter()
            .filter_map(|chunk| self.key(chunk).ok())
            .collect();
        let stored = std::mem::take(&mut self.stored);
        Segments::new(stored, &dead, |collection| self.known_place(collection))
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
