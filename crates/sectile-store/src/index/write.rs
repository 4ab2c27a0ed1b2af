//! Writing the index.

use std::collections::{BTreeMap, HashSet};

use async_trait::async_trait;

use super::{Posting, Segment, due, join, merge};
use crate::Result;

/// How many rows are written or read at once.
pub const PAGE: usize = 4_000;

/// How many segments are merged at once, so that a page has all rows of a term.
const MOST_TOGETHER: usize = 1_000;

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
    async fn add_segment(&mut self, collection: &str, chunks: u64) -> Result<i64>;

    /// Corrects how many chunks a segment has.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn resize_segment(&mut self, collection: &str, segment: i64, chunks: u64) -> Result<()>;

    /// Adds rows of a segment, at most [`PAGE`].
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn add_postings(
        &mut self,
        collection: &str,
        segment: i64,
        postings: &[(String, Posting)],
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

    /// Returns the first [`PAGE`] rows of some segments whose terms come after one, ordered by term.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn postings_after(
        &mut self,
        collection: &str,
        term: &str,
        segments: &[i64],
    ) -> Result<Vec<(String, Posting)>>;

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
    let (chunks, mut postings) = segment.into_postings();
    if chunks == 0 {
        return Ok(());
    }
    let number = writer.add_segment(collection, chunks).await?;
    loop {
        let page: Vec<_> = postings.by_ref().take(PAGE).collect();
        if page.is_empty() {
            return Ok(());
        }
        writer.add_postings(collection, number, &page).await?;
    }
}

/// Merges segments of a collection if that is [`due`].
async fn maintain(writer: &mut dyn IndexWriter, collection: &str) -> Result<()> {
    // In this order: what is dead stands in a segment that was there before.
    let dead = writer.dead_in(collection).await?;
    let segments = writer.segments(collection).await?;
    let merged = due(&segments, dead.len() as u64);
    merge_segments(writer, collection, &segments, &merged, dead).await
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
        merge_segments(writer, collection, &segments, &all, dead).await?;
        if all.len() <= MOST_TOGETHER {
            return Ok(());
        }
    }
}

async fn merge_segments(
    writer: &mut dyn IndexWriter,
    collection: &str,
    segments: &[(i64, u64)],
    merged: &[i64],
    dead: Vec<(u64, u64)>,
) -> Result<()> {
    if merged.is_empty() {
        return Ok(());
    }
    let merged = &merged[..merged.len().min(MOST_TOGETHER)];
    let dead: HashSet<(u64, u64)> = dead.into_iter().collect();
    let of = segments
        .iter()
        .filter(|(segment, _)| merged.contains(segment));
    let chunks: u64 = of.map(|(_, chunks)| chunks).sum();
    let mut gone = HashSet::new();
    let number = writer.add_segment(collection, chunks).await?;
    let mut last = String::new();
    loop {
        let mut rows = writer.postings_after(collection, &last, merged).await?;
        let is_last = rows.len() < PAGE;
        let Some((end, _)) = rows.last().cloned() else {
            break;
        };
        if !is_last {
            // More rows of the last term may follow.
            rows.retain(|(term, _)| *term != end);
        }
        let page = merge_page(&rows, &dead, &mut gone)?;
        writer.add_postings(collection, number, &page).await?;
        if is_last {
            break;
        }
        last = rows.pop().map_or(end, |(term, _)| term);
    }
    if merged.len() == segments.len() {
        // No segment is left that could have them.
        gone = dead;
    }
    let kept = chunks.saturating_sub(gone.len() as u64);
    let gone: Vec<_> = gone.into_iter().collect();
    writer.remove(collection, merged, &gone).await?;
    if kept == 0 {
        return writer.remove(collection, &[number], &[]).await;
    }
    writer.resize_segment(collection, number, kept).await
}

/// Puts the rows of each term together, which follow each other.
fn merge_page(
    rows: &[(String, Posting)],
    dead: &HashSet<(u64, u64)>,
    gone: &mut HashSet<(u64, u64)>,
) -> Result<Vec<(String, Posting)>> {
    let mut page = Vec::new();
    for rows in rows.chunk_by(|left, right| left.0 == right.0) {
        let postings = rows.iter().map(|(_, posting)| posting);
        let merged = if dead.is_empty() {
            join(postings)
        } else {
            merge(postings, |document, chunk| {
                let is_dead = dead.contains(&(document, chunk));
                if is_dead {
                    gone.insert((document, chunk));
                }
                is_dead
            })?
        };
        if let [(term, _), ..] = rows
            && merged.chunks > 0
        {
            page.push((term.clone(), merged));
        }
    }
    Ok(page)
}
