//! Which chunks a segment has.
//!
//! Postings name a chunk by its ordinal, its place in the segment. What else is to be known of it, its
//! numbers and its length, is written once a segment: a list of runs of chunks whose numbers follow
//! each other (document, first number, how many; LEB128 numbers), and a list of lengths, all of the
//! same width in bytes, which is the first byte.

use super::number::{put, take, take_size, unreadable};
use crate::Result;

/// The chunks of a segment, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Chunks {
    runs: Vec<Run>,
    lengths: Vec<u32>,
}

/// Chunks of a document whose numbers follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    /// The ordinal of the first.
    start: usize,
    document: u64,
    chunk: u64,
}

/// The chunks of a segment as they are stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredChunks {
    /// Their numbers.
    pub numbers: Vec<u8>,
    /// How many terms each has.
    pub lengths: Vec<u8>,
}

impl Chunks {
    /// Adds a chunk by the numbers of its document and its own.
    pub(super) fn push(&mut self, (document, chunk): (u64, u64), length: u32) {
        let start = self.lengths.len();
        self.lengths.push(length);
        let follows = |run: &Run| {
            run.document == document && run.chunk.wrapping_add((start - run.start) as u64) == chunk
        };
        if !self.runs.last().is_some_and(follows) {
            self.runs.push(Run {
                start,
                document,
                chunk,
            });
        }
    }

    pub(super) fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Returns how many terms each has.
    pub(super) fn lengths(&self) -> &[u32] {
        &self.lengths
    }

    /// Returns the numbers of all documents and chunks, in order.
    pub(super) fn numbers(&self) -> impl Iterator<Item = (u64, u64)> {
        self.of_documents(|_| true).map(|(_, number)| number)
    }

    /// Returns the ordinals of the chunks whose document is one of some, with their numbers.
    pub(super) fn of_documents(
        &self,
        is_one: impl Fn(u64) -> bool,
    ) -> impl Iterator<Item = (usize, (u64, u64))> {
        let runs = self.runs().filter(move |(run, _)| is_one(run.document));
        runs.flat_map(|(run, end)| {
            let chunks = (run.start..end).zip(run.chunk..);
            chunks.map(|(ordinal, chunk)| (ordinal, (run.document, chunk)))
        })
    }

    /// Returns a list in which numbers are looked up in the order of ordinals.
    pub(super) fn look_up(&self) -> LookUp<'_> {
        LookUp { runs: &self.runs }
    }

    /// Returns each run with the ordinal after its last.
    fn runs(&self) -> impl Iterator<Item = (&Run, usize)> {
        let starts = self.runs.iter().skip(1).map(|run| run.start);
        self.runs.iter().zip(starts.chain([self.len()]))
    }

    pub(super) fn to_stored(&self) -> StoredChunks {
        let mut numbers = Vec::new();
        for (run, end) in self.runs() {
            put(&mut numbers, run.document);
            put(&mut numbers, run.chunk);
            put(&mut numbers, (end - run.start) as u64);
        }
        let longest = self.lengths.iter().max().copied().unwrap_or_default();
        let width = [1, 2].into_iter().find(|width| longest >> (8 * width) == 0);
        let width = width.unwrap_or(size_of::<u32>());
        let mut lengths = Vec::with_capacity(1 + width * self.len());
        lengths.push(width as u8);
        for length in &self.lengths {
            lengths.extend_from_slice(&length.to_le_bytes()[..width]);
        }
        StoredChunks { numbers, lengths }
    }

    /// # Errors
    ///
    /// [`Error::Corrupt`](crate::Error::Corrupt) for bytes that are no chunks.
    pub(super) fn from_stored(stored: &StoredChunks) -> Result<Self> {
        let lengths = read_lengths(&stored.lengths)?;
        let (mut runs, mut start) = (Vec::new(), 0_usize);
        let mut numbers = stored.numbers.as_slice();
        while !numbers.is_empty() {
            let (document, chunk) = (take(&mut numbers)?, take(&mut numbers)?);
            runs.push(Run {
                start,
                document,
                chunk,
            });
            let end = start.checked_add(take_size(&mut numbers)?);
            start = end.ok_or_else(unreadable)?;
        }
        if start != lengths.len() {
            return Err(unreadable());
        }
        Ok(Self { runs, lengths })
    }
}

/// The runs from the one on that was looked up last.
#[derive(Clone, Copy, Debug)]
pub(super) struct LookUp<'c> {
    runs: &'c [Run],
}

impl LookUp<'_> {
    /// Returns the numbers of a chunk's document and its own. No ordinal is less than the one before.
    pub(super) fn number(&mut self, ordinal: usize) -> (u64, u64) {
        while let [_, rest @ ..] = self.runs
            && rest.first().is_some_and(|run| run.start <= ordinal)
        {
            self.runs = rest;
        }
        self.runs.first().map_or_else(Default::default, |run| {
            let distance = (ordinal - run.start) as u64;
            (run.document, run.chunk.wrapping_add(distance))
        })
    }
}

fn read_lengths(stored: &[u8]) -> Result<Vec<u32>> {
    let (&width, bytes) = stored.split_first().ok_or_else(unreadable)?;
    Ok(match width {
        1 => bytes.iter().map(|&length| length.into()).collect(),
        2 => {
            let lengths = bytes.as_chunks().0.iter();
            lengths.map(|&two| u16::from_le_bytes(two).into()).collect()
        }
        4 => {
            let lengths = bytes.as_chunks().0.iter();
            lengths.map(|&four| u32::from_le_bytes(four)).collect()
        }
        _ => return Err(unreadable()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NUMBERS: [(u64, u64); 6] = [(7, 1), (7, 2), (7, 9), (70_000, 10), (3, 11), (3, 12)];

    fn chunks(longest: u32) -> Chunks {
        let mut chunks = Chunks::default();
        let lengths = [1, 0, 255, 17, longest, 3];
        NUMBERS
            .into_iter()
            .zip(lengths)
            .for_each(|(number, length)| chunks.push(number, length));
        chunks
    }

    #[test]
    fn what_is_stored_is_read_again() {
        for (longest, width) in [(255, 1), (256, 2), (65_535, 2), (65_536, 4), (u32::MAX, 4)] {
            let stored = chunks(longest).to_stored();
            assert_eq!(stored.lengths.len(), 1 + 6 * width);
            assert_eq!(Chunks::from_stored(&stored).unwrap(), chunks(longest));
        }
    }

    #[test]
    fn ordinals_are_looked_up() {
        let chunks = chunks(1);
        assert_eq!(chunks.runs.len(), 4);
        assert!(chunks.numbers().eq(NUMBERS));
        let mut all = chunks.look_up();
        assert!((0..6).map(|ordinal| all.number(ordinal)).eq(NUMBERS));
        assert_eq!(chunks.look_up().number(4), NUMBERS[4]);
        let of_three = chunks.of_documents(|document| document == 3);
        assert!(of_three.eq([(4, (3, 11)), (5, (3, 12))]));
    }

    #[test]
    fn bytes_that_say_something_else_are_corrupt() {
        let mut stored = chunks(1).to_stored();
        stored.lengths.pop();
        assert!(Chunks::from_stored(&stored).is_err());
        stored.numbers.pop();
        assert!(Chunks::from_stored(&stored).is_err());
        stored.lengths[0] = 3;
        assert!(Chunks::from_stored(&stored).is_err());
        assert!(Chunks::from_stored(&StoredChunks::default()).is_err());
    }
}
