//! What writing the index needs of an engine.

use async_trait::async_trait;

use super::{Block, Part, StoredPage};
use crate::Result;

/// The data of a segment in its row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredSegment {
    /// The collection.
    pub collection: String,
    /// The number, which is never used again.
    pub segment: i64,
    /// How many chunks it has.
    pub chunks: u64,
    /// How many terms these have together.
    pub terms: u64,
    /// The languages of its documents, each a code of two letters, joined by commas.
    pub languages: String,
}

/// A connection of an engine within a transaction, with the operations that index writes need.
#[async_trait]
pub trait IndexWriter: Send {
    /// Says, without waiting, whether this connection alone may merge segments of a collection until
    /// the end of its transaction.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn may_merge(&mut self, collection: &str) -> Result<bool>;

    /// Adds a segment with its pages and its words, and returns its number, which is never used again;
    /// that of `segment` says nothing.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn add_segment(
        &mut self,
        segment: &StoredSegment,
        pages: Vec<StoredPage>,
        words: Vec<u8>,
    ) -> Result<i64>;

    /// Adds rows of a segment, and parts of its long lists.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn add_blocks(
        &mut self,
        collection: &str,
        segment: i64,
        blocks: Vec<Block>,
        parts: Vec<Part>,
    ) -> Result<()>;

    /// Returns the segments of a collection.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn segments_of(&mut self, collection: &str) -> Result<Vec<StoredSegment>>;

    /// Returns the dead chunks of a collection, by document and number.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn dead_in(&mut self, collection: &str) -> Result<Vec<(u64, u64)>>;

    /// Returns the pages of a segment, in order.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn pages_of(&mut self, collection: &str, segment: i64) -> Result<Vec<StoredPage>>;

    /// Returns the words of a segment.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn words_of(&mut self, collection: &str, segment: i64) -> Result<Vec<u8>>;

    /// Returns the first so many rows of a segment whose last terms come after one, in their order.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn blocks_after(
        &mut self,
        collection: &str,
        segment: i64,
        term: &str,
        count: usize,
    ) -> Result<Vec<Block>>;

    /// Returns so many parts of a segment from one on, in their order.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn parts_from(
        &mut self,
        collection: &str,
        segment: i64,
        part: u64,
        count: u64,
    ) -> Result<Vec<Part>>;

    /// Removes segments with their rows, and chunks from those that are dead.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn remove(
        &mut self,
        collection: &str,
        segments: &[i64],
        dead: &[(u64, u64)],
    ) -> Result<()>;
}
