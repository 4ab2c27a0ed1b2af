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

    /// Returns the `count` chunks in the scope whose vectors have the largest cosines with that of
    /// a question, by [`dot`](crate::dot), and all that tie with the last; others may be with them, in
    /// whatever order, and there are fewer only if there are no more. Every collection in the scope that has vectors has those of the question's model.
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

    /// Returns for each of some segments, given with their collections, and for each of some terms the
    /// row that has the term if any has: the first whose last term does not come before it. Rows have
    /// positions only if they are asked for.
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

    /// Returns pages, each given by collection, segment and number, with their places among those that
    /// were asked for.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn pages(&mut self, pages: &[(&str, i64, u64)]) -> Result<Vec<(usize, StoredPage)>>;

    /// Returns parts of long lists, each given by collection, segment and number, with their places among
    /// those that were asked for. They have positions only if these are asked for.
    ///
    /// # Errors
    ///
    /// Errors of the database.
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
    /// Errors of the database.
    async fn words(&mut self, segments: &[(String, i64)]) -> Result<Vec<(usize, Vec<u8>)>>;

    /// Returns the chunks of a collection, or all, that are in the index and not in the store any more.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn dead(&mut self, collection: Option<&str>) -> Result<Vec<Chunk>>;

    /// Says where chunks stand. Those of a section have numbers in a row, in the order of their places.
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
