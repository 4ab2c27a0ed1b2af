//! The full-text index that a store keeps in its database, and how it is searched: the same code for
//! every engine, so that all rank alike.
//!
//! A [`Segment`] is what one change adds to the index of a collection: its chunks, in [`StoredPage`]s, and
//! for each term a posting list: which chunks hold it, how often and where. Rows of the database,
//! [`Block`]s, have the lists of many terms; the long ones stand in [`Part`]s. Heads of lists say what their
//! blocks can score, so that a search reads few of them, and an [`IndexCache`] keeps what was read. Segments
//! are never changed. Chunks that are gone are listed apart, as dead, until [`due`] says that the segments
//! they stand in are merged into one ([`update`]).

mod accents;
mod aliases;
mod answer;
mod block;
mod cache;
mod cells;
mod check;
mod chunks;
mod code_names;
mod compounds;
mod conditions;
mod contributions;
mod copies;
mod data;
mod definitions;
mod digits;
mod document_languages;
mod document_names;
#[cfg(test)]
mod exhaustive;
mod forms;
mod found;
mod groups;
mod head;
mod headings;
mod introductions;
mod languages;
mod list;
mod literals;
mod merge;
mod messages;
mod number;
mod phrase;
mod phrases;
mod place;
mod postings;
mod qualifiers;
mod question_terms;
mod quoted_question;
mod quotes;
mod rank;
mod ranking;
mod reader;
mod related;
mod rows;
mod scope;
mod score;
mod search;
mod segment;
mod spelling;
mod terms;
mod top;
mod unspaced;
mod weighted_variant;
mod window;
mod words;
mod write;
mod writer;

pub use answer::{FUSION_K, TEXT_WEIGHT, search};
pub use block::Block;
pub use cache::IndexCache;
pub use check::{Checksums, checksum, checksums, clear};
pub use chunks::StoredPage;
pub use list::Part;
pub use place::{Chunk, ChunkPlace};
pub use reader::{IndexReader, StoredBlock};
pub use scope::InScope;
pub use segment::{Segment, length};
pub use words::Suggestion;
pub use write::{compact, update};
pub use writer::{IndexWriter, StoredSegment};

/// How many segments of a size are merged into one.
const TOGETHER: usize = 8;

/// A collection is merged whole when one in so many of its chunks is dead, as each search reads those.
const DEAD: u64 = 16;

/// Returns which of the segments of a collection, each given with the number of its chunks, are to be
/// merged into one: none, those of a size and all smaller ones, or all when many chunks are dead. So
/// a chunk is written again about once each time that the collection has become eight times as large.
pub fn due(segments: &[(i64, u64)], dead: u64) -> Vec<i64> {
    let chunks: u64 = segments.iter().map(|(_, chunks)| chunks).sum();
    let size = |chunks: u64| chunks.max(1).ilog(TOGETHER as u64);
    let full = segments
        .iter()
        .map(|(_, chunks)| size(*chunks))
        .filter(|of| {
            let same = segments.iter().filter(|(_, chunks)| size(*chunks) == *of);
            same.count() >= TOGETHER
        });
    let Some(largest) = full.max() else {
        let is_worth_it = dead > 0 && dead * DEAD >= chunks;
        let all = segments.iter().filter(|_| is_worth_it);
        return all.map(|(segment, _)| *segment).collect();
    };
    let merged = segments
        .iter()
        .filter(|(_, chunks)| size(*chunks) <= largest);
    merged.map(|(segment, _)| *segment).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds segments of `size` chunks one by one and returns how often a chunk was written.
    fn write(count: i64, size: u64) -> (usize, f64) {
        let (mut segments, mut written) = (Vec::new(), 0);
        for segment in 0..count {
            segments.push((segment, size));
            written += size;
            let merged = due(&segments, 0);
            if merged.is_empty() {
                continue;
            }
            let (gone, kept): (Vec<_>, Vec<_>) = segments
                .iter()
                .partition(|(segment, _)| merged.contains(segment));
            let chunks: u64 = gone.iter().map(|(_, chunks)| chunks).sum();
            written += chunks;
            segments = kept;
            segments.push((segment, chunks));
        }
        (
            segments.len(),
            written as f64 / (count.unsigned_abs() * size) as f64,
        )
    }

    #[test]
    fn there_are_few_segments_and_few_writes() {
        for size in [1, 7, 500] {
            let (segments, written) = write(5_000, size);
            assert!(segments < 40, "{segments}");
            assert!(written < 7.0, "{written}");
        }
    }

    #[test]
    fn what_is_dead_is_cleared_away() {
        let segments = [(1, 100), (2, 10)];
        assert!(due(&segments, 6).is_empty());
        assert_eq!(due(&segments, 7), [1, 2]);
        assert!(due(&[], 0).is_empty());
    }
}
