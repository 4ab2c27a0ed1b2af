//! Writing the index.

use std::collections::BTreeMap;

use async_trait::async_trait;

use super::block::Blocks;
use super::chunks::Chunks;
use super::merge::{MOST_TOGETHER, merge};
use super::postings::Posting;
use super::{Block, Segment, StoredChunks, due};
use crate::Result;

/// How many bytes of rows are written at once, or a little more.
const PAGE: usize = 1 << 20;

/// A connection of an engine within a transaction, as far as writing the index needs it.
#[async_trait]
pub trait IndexWriter: Send {
    /// Says, without waiting, whether this connection alone may merge segments of a collection until
    /// the end of its transaction.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn may_merge(&mut self, collection: &str) -> Result<bool>;

    /// Adds a segment of so many chunks to a collection and returns its number, which is never used
    /// again.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn add_segment(
        &mut self,
        collection: &str,
        count: u64,
        chunks: &StoredChunks,
    ) -> Result<i64>;

    /// Adds rows of a segment.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn add_blocks(
        &mut self,
        collection: &str,
        segment: i64,
        blocks: Vec<Block>,
    ) -> Result<()>;

    /// Returns the segments of a collection with the numbers of their chunks.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn segments(&mut self, collection: &str) -> Result<Vec<(i64, u64)>>;

    /// Returns the dead chunks of a collection, by document and number.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn dead_in(&mut self, collection: &str) -> Result<Vec<(u64, u64)>>;

    /// Returns some segments of a collection with their chunks.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn chunks_of(
        &mut self,
        collection: &str,
        segments: &[i64],
    ) -> Result<Vec<(i64, StoredChunks)>>;

    /// Returns the first so many rows of a segment whose last terms come after one, in their order.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn blocks_after(
        &mut self,
        collection: &str,
        segment: i64,
        term: &str,
        count: usize,
    ) -> Result<Vec<Block>>;

    /// Removes segments with their rows, and chunks from those that are dead.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn remove(
        &mut self,
        collection: &str,
        segments: &[i64],
        dead: &[(u64, u64)],
    ) -> Result<()>;
}

/// Writes what a change adds to the index of each collection, and merges segments where that is
/// [`due`]: also of a collection that nothing is added to, as something may be dead.
///
/// # Errors
///
/// Those of the writer.
pub async fn update(
    writer: &mut dyn IndexWriter,
    segments: BTreeMap<String, Segment>,
) -> Result<()> {
    for (collection, segment) in segments {
        write(writer, &collection, segment).await?;
        if writer.may_merge(&collection).await? {
            maintain(writer, &collection).await?;
        }
    }
    Ok(())
}

/// Writes a segment.
async fn write(writer: &mut dyn IndexWriter, collection: &str, segment: Segment) -> Result<()> {
    let (chunks, postings) = segment.into_postings();
    if chunks.len() == 0 {
        return Ok(());
    }
    let mut pages = Pages::begin(writer, collection, &chunks).await?;
    for (term, posting) in postings {
        pages.push(writer, &term, &posting).await?;
    }
    pages.finish(writer).await
}

/// Rows of a new segment, which are written when there are enough of them.
pub(super) struct Pages<'c> {
    collection: &'c str,
    segment: i64,
    blocks: Blocks,
}

impl<'c> Pages<'c> {
    pub(super) async fn begin(
        writer: &mut dyn IndexWriter,
        collection: &'c str,
        chunks: &Chunks,
    ) -> Result<Self> {
        let stored = chunks.to_stored();
        let segment = writer.add_segment(collection, chunks.len() as u64, &stored);
        Ok(Self {
            collection,
            segment: segment.await?,
            blocks: Blocks::default(),
        })
    }

    /// Adds what there is for a term that comes after the others.
    pub(super) async fn push(
        &mut self,
        writer: &mut dyn IndexWriter,
        term: &str,
        posting: &Posting,
    ) -> Result<()> {
        self.blocks.push(term, posting);
        if self.blocks.bytes() < PAGE {
            return Ok(());
        }
        let blocks = self.blocks.take();
        writer
            .add_blocks(self.collection, self.segment, blocks)
            .await
    }

    /// Writes the rest.
    pub(super) async fn finish(self, writer: &mut dyn IndexWriter) -> Result<()> {
        let blocks = self.blocks.finish();
        writer
            .add_blocks(self.collection, self.segment, blocks)
            .await
    }
}

/// Merges segments of a collection if that is [`due`].
async fn maintain(writer: &mut dyn IndexWriter, collection: &str) -> Result<()> {
    // In this order: what is dead stands in a segment that was there before.
    let dead = writer.dead_in(collection).await?;
    let segments = writer.segments(collection).await?;
    let merged = due(&segments, dead.len() as u64);
    merge_some(writer, collection, merged, segments.len(), dead).await
}

/// Merges all segments of a collection into one, unless another connection merges them.
///
/// # Errors
///
/// Those of the writer.
pub async fn compact(writer: &mut dyn IndexWriter, collection: &str) -> Result<()> {
    if !writer.may_merge(collection).await? {
        return Ok(());
    }
    loop {
        let dead = writer.dead_in(collection).await?;
        let segments = writer.segments(collection).await?;
        if segments.len() < 2 && dead.is_empty() {
            return Ok(());
        }
        let all: Vec<i64> = segments.iter().map(|(segment, _)| *segment).collect();
        merge_some(writer, collection, all, segments.len(), dead).await?;
        if segments.len() <= MOST_TOGETHER {
            return Ok(());
        }
    }
}

/// Merges the first of some segments, of so many that the collection has.
async fn merge_some(
    writer: &mut dyn IndexWriter,
    collection: &str,
    mut segments: Vec<i64>,
    all: usize,
    dead: Vec<(u64, u64)>,
) -> Result<()> {
    if segments.is_empty() {
        return Ok(());
    }
    segments.sort_unstable();
    segments.truncate(MOST_TOGETHER);
    let mut gone = merge(writer, collection, &segments, &dead).await?;
    if segments.len() == all {
        // No segment is left that could have the others.
        gone = dead;
    }
    writer.remove(collection, &segments, &gone).await
}
