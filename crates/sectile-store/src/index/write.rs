//! Writing the index.

use std::collections::BTreeMap;

use async_trait::async_trait;

use super::block::Blocks;
use super::list::List;
use super::merge::{MOST_TOGETHER, merge};
use super::segment::Described;
use super::{Block, Part, Segment, StoredPage, due, words};
use crate::Result;

/// How many bytes of rows are written at once, or a little more.
const PAGE: usize = 1 << 20;

/// What is said of a segment in its row.
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

    /// Adds a segment with its pages and its words, and returns its number, which is never used again;
    /// that of `segment` says nothing.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
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
    /// Whatever the database reports.
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
    /// Whatever the database reports.
    async fn segments_of(&mut self, collection: &str) -> Result<Vec<StoredSegment>>;

    /// Returns the dead chunks of a collection, by document and number.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn dead_in(&mut self, collection: &str) -> Result<Vec<(u64, u64)>>;

    /// Returns the pages of a segment, in order.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn pages_of(&mut self, collection: &str, segment: i64) -> Result<Vec<StoredPage>>;

    /// Returns the words of a segment.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn words_of(&mut self, collection: &str, segment: i64) -> Result<Vec<u8>>;

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

    /// Returns so many parts of a segment from one on, in their order.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
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
    let (described, lists) = segment.into_lists();
    if described.chunks.len() == 0 {
        return Ok(());
    }
    let mut rows = Rows::begin(writer, collection, &described).await?;
    for (term, list) in lists {
        rows.push(writer, &term, list).await?;
    }
    rows.finish(writer).await
}

/// Rows of a new segment, which are written when there are enough of them.
pub(super) struct Rows<'c> {
    collection: &'c str,
    segment: i64,
    blocks: Blocks,
}

impl<'c> Rows<'c> {
    pub(super) async fn begin(
        writer: &mut dyn IndexWriter,
        collection: &'c str,
        described: &Described,
    ) -> Result<Self> {
        let chunks = &described.chunks;
        let languages: Vec<&str> = described.languages.iter().map(String::as_str).collect();
        let stored = StoredSegment {
            collection: collection.to_owned(),
            segment: 0,
            chunks: chunks.len() as u64,
            terms: chunks.lengths().iter().map(|&of| u64::from(of)).sum(),
            languages: languages.join(","),
        };
        let words = words::stored(&described.words)?;
        let segment = writer.add_segment(&stored, chunks.to_stored(), words);
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
        list: List,
    ) -> Result<()> {
        self.blocks.push(term, list);
        if self.blocks.bytes() < PAGE {
            return Ok(());
        }
        let (blocks, parts) = self.blocks.take();
        writer
            .add_blocks(self.collection, self.segment, blocks, parts)
            .await
    }

    /// Writes the rest.
    pub(super) async fn finish(self, writer: &mut dyn IndexWriter) -> Result<()> {
        let (blocks, parts) = self.blocks.finish();
        writer
            .add_blocks(self.collection, self.segment, blocks, parts)
            .await
    }
}

/// Returns the segments of a collection with the numbers of their chunks.
async fn sizes(writer: &mut dyn IndexWriter, collection: &str) -> Result<Vec<(i64, u64)>> {
    let segments = writer.segments_of(collection).await?;
    Ok(segments.iter().map(|of| (of.segment, of.chunks)).collect())
}

/// Merges segments of a collection if that is [`due`].
async fn maintain(writer: &mut dyn IndexWriter, collection: &str) -> Result<()> {
    // In this order: what is dead stands in a segment that was there before.
    let dead = writer.dead_in(collection).await?;
    let segments = sizes(writer, collection).await?;
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
        let segments = sizes(writer, collection).await?;
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
