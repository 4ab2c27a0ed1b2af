//! What searching needs of an engine.

use std::collections::BTreeMap;

use async_trait::async_trait;
use sectile_core::EmbeddingModel;

use super::cache::IndexCache;
use super::place::{Chunk, ChunkPlace};
use super::scope::InScope;
use super::writer::StoredSegment;
use super::{Block, Part, StoredPage};
use crate::{FoundChunk, QueryVector, Result, Scope};

/// A read connection of an engine, with the operations that a search needs. All reads of one search
/// see the same snapshot.
#[async_trait]
pub trait IndexReader: Send {
    /// Returns the index cache of the store handle.
    fn cache(&self) -> &IndexCache;

    /// Returns the segments of a collection, or all.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn segments(&mut self, collection: Option<&str>) -> Result<Vec<StoredSegment>>;

    /// Returns the numbers of the documents in a scope, with their collections.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn documents_in(&mut self, scope: &Scope) -> Result<Vec<(String, u64)>>;

    /// Returns the chunks of the sections in a scope.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn chunks_in(&mut self, scope: &Scope) -> Result<Vec<Chunk>>;

    /// Returns the model of the vectors of each collection that has vectors.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn models(&mut self) -> Result<BTreeMap<String, EmbeddingModel>>;

    /// Returns at least the top `count` chunks in the scope by cosine similarity
    /// ([`dot`](crate::dot)), including ties with the last one. The order is unspecified, and extra
    /// chunks are allowed. There are fewer only if the scope has no more. Every collection in the
    /// scope with vectors has vectors of the question's model.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn nearest(
        &mut self,
        question: &QueryVector,
        in_scope: &InScope,
        count: usize,
    ) -> Result<Vec<(Chunk, f32)>>;

    /// Returns, for each of some segments (given with their collections) and each of some terms,
    /// the row that may contain the term: the first row whose last term is not less than it. Rows
    /// have positions only on request.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn blocks(
        &mut self,
        segments: &[(String, i64)],
        terms: &[&str],
        with_positions: bool,
    ) -> Result<Vec<StoredBlock>>;

    /// Returns pages, each given by collection, segment and number, with their positions in the
    /// request.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn pages(&mut self, pages: &[(&str, i64, u64)]) -> Result<Vec<(usize, StoredPage)>>;

    /// Returns parts of long lists, each given by collection, segment and number, with their
    /// positions in the request. They have term positions only on request.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn parts(
        &mut self,
        parts: &[(&str, i64, u64)],
        with_positions: bool,
    ) -> Result<Vec<(usize, Part)>>;

    /// Returns the words of segments, given with their collections, with their positions in the
    /// request.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn words(&mut self, segments: &[(String, i64)]) -> Result<Vec<(usize, Vec<u8>)>>;

    /// Returns the chunks of a collection, or of all collections, that are in the index but no
    /// longer in the store.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn dead(&mut self, collection: Option<&str>) -> Result<Vec<Chunk>>;

    /// Returns the positions of chunks. The chunks of a section have consecutive numbers, in order.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn places(&mut self, chunks: &[Chunk]) -> Result<Vec<(Chunk, ChunkPlace)>>;

    /// Returns the URIs of documents, each given by its collection and its number.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn uris(&mut self, documents: &[(String, u64)]) -> Result<Vec<((String, u64), String)>>;

    /// Reads chunks with their sections and documents, in the order in which they are asked for.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn chunks(&mut self, chunks: &[Chunk]) -> Result<Vec<FoundChunk>>;
}

/// A row of the index, with the positions of its segment and term in the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredBlock {
    /// The position of the segment in the request.
    pub segment: usize,
    /// The position of the term in the request.
    pub term: usize,
    /// The row.
    pub block: Block,
}
