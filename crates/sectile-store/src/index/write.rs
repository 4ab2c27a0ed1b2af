//! Writing the index.

use std::collections::BTreeMap;

use super::merge::{MOST_TOGETHER, merge};
use super::rows::Rows;
use super::writer::IndexWriter;
use super::{Segment, due};
use crate::Result;

/// Writes the additions of a change to the index of each collection, and merges segments if that is
/// [`due`]. It also merges in collections without additions, because chunks may be dead there.
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
