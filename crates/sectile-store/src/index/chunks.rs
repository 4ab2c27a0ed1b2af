//! Which chunks a segment has.
//!
//! Postings name a chunk by its ordinal, its place in the segment. What else is to be known of it, its
//! numbers and its length, stands in pages, rows for so many chunks: a list of runs of chunks whose
//! numbers follow each other (document, first number, how many; LEB128 numbers), and a list of lengths,
//! all of the same width in bytes, which is the first byte.

use super::number::{put, take, take_size, unreadable};
use crate::Result;

/// How many chunks a page is about.
pub(super) const PAGE: usize = 1 << 14;

/// A page of chunks as it is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredPage {
    /// Its place among those of its segment.
    pub page: u64,
    /// The numbers of the chunks.
    pub numbers: Vec<u8>,
    /// How many terms each has.
    pub lengths: Vec<u8>,
}

/// Chunks of a document whose numbers follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// The ordinal of the first.
    pub(super) start: u32,
    pub(super) document: u64,
    pub(super) chunk: u64,
}

/// The chunks of a page, or of a segment that is being made, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Chunks {
    /// The ordinal of the first.
    first: u32,
    runs: Vec<Run>,
    lengths: Vec<u32>,
}

impl Chunks {
    /// Adds a chunk by the numbers of its document and its own.
    pub(super) fn push(&mut self, (document, chunk): (u64, u64), length: u32) {
        let start = self.end();
        self.lengths.push(length);
        let follows = |run: &Run| {
            let distance = u64::from(start - run.start);
            run.document == document && run.chunk.wrapping_add(distance) == chunk
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

    /// Returns the ordinal after its last.
    pub(super) fn end(&self) -> u32 {
        self.first + self.lengths.len() as u32
    }

    /// Returns how many terms each has.
    pub(super) fn lengths(&self) -> &[u32] {
        &self.lengths
    }

    /// Returns how many terms a chunk has.
    #[inline]
    pub(super) fn length(&self, ordinal: u32) -> u32 {
        let at = ordinal.wrapping_sub(self.first) as usize;
        self.lengths.get(at).copied().unwrap_or_default()
    }

    /// Returns the numbers of a chunk's document and its own.
    pub(super) fn number(&self, ordinal: u32) -> (u64, u64) {
        let after = self.runs.partition_point(|run| run.start <= ordinal);
        let run = after.checked_sub(1).map(|at| self.runs[at]);
        run.map_or_else(Default::default, |run| {
            let distance = u64::from(ordinal - run.start);
            (run.document, run.chunk.wrapping_add(distance))
        })
    }

    /// Returns the numbers of all documents and chunks, in order.
    pub(super) fn numbers(&self) -> impl Iterator<Item = (u64, u64)> {
        self.runs().flat_map(|(run, end)| {
            let chunks = (run.start..end).zip(run.chunk..);
            chunks.map(|(_, chunk)| (run.document, chunk))
        })
    }

    /// Returns each run with the ordinal after its last.
    pub(super) fn runs(&self) -> impl Iterator<Item = (&Run, u32)> {
        let starts = self.runs.iter().skip(1).map(|run| run.start);
        self.runs.iter().zip(starts.chain([self.end()]))
    }

    /// Returns about how many bytes it takes in memory.
    pub(super) fn size(&self) -> usize {
        size_of_val(&*self.runs) + size_of_val(&*self.lengths)
    }

    pub(super) fn to_stored(&self) -> Vec<StoredPage> {
        let pages = self.lengths.chunks(PAGE).zip(0..);
        let mut runs = self.runs().peekable();
        let mut pages_made = Vec::new();
        for (lengths, page) in pages {
            let start = page as usize * PAGE;
            let (start, end) = (start as u32, (start + lengths.len()) as u32);
            let mut numbers = Vec::new();
            while let Some(&(run, run_end)) = runs.peek().filter(|(run, _)| run.start < end) {
                let from = run.start.max(start);
                put(&mut numbers, run.document);
                put(
                    &mut numbers,
                    run.chunk.wrapping_add((from - run.start).into()),
                );
                put(&mut numbers, (run_end.min(end) - from).into());
                if run_end > end {
                    break;
                }
                runs.next();
            }
            let lengths = put_lengths(lengths);
            pages_made.push(StoredPage {
                page,
                numbers,
                lengths,
            });
        }
        pages_made
    }

    /// # Errors
    ///
    /// [`Error::Corrupt`](crate::Error::Corrupt) for bytes that are not chunks.
    pub(super) fn from_stored(stored: &StoredPage) -> Result<Self> {
        let first = stored.page.checked_mul(PAGE as u64);
        let first = first.and_then(|first| u32::try_from(first).ok());
        let first = first.ok_or_else(unreadable)?;
        let lengths = read_lengths(&stored.lengths)?;
        if lengths.len() > PAGE || first.checked_add(PAGE as u32).is_none() {
            return Err(unreadable());
        }
        let (mut runs, mut at) = (Vec::new(), 0_usize);
        let mut numbers = stored.numbers.as_slice();
        while !numbers.is_empty() {
            let (document, chunk) = (take(&mut numbers)?, take(&mut numbers)?);
            runs.push(Run {
                start: first.wrapping_add(at as u32),
                document,
                chunk,
            });
            let end = at.checked_add(take_size(&mut numbers)?);
            at = end
                .filter(|end| *end <= lengths.len())
                .ok_or_else(unreadable)?;
        }
        if at != lengths.len() {
            return Err(unreadable());
        }
        Ok(Self {
            first,
            runs,
            lengths,
        })
    }
}

fn put_lengths(lengths: &[u32]) -> Vec<u8> {
    let longest = lengths.iter().max().copied().unwrap_or_default();
    let width = [1, 2].into_iter().find(|width| longest >> (8 * width) == 0);
    let width = width.unwrap_or(size_of::<u32>());
    let mut stored = Vec::with_capacity(1 + width * lengths.len());
    stored.push(width as u8);
    for length in lengths {
        stored.extend_from_slice(&length.to_le_bytes()[..width]);
    }
    stored
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
            let stored = chunks(longest).to_stored().remove(0);
            assert_eq!(stored.lengths.len(), 1 + 6 * width);
            assert_eq!(Chunks::from_stored(&stored).unwrap(), chunks(longest));
        }
    }

    #[test]
    fn runs_go_on_from_page_to_page() {
        let mut chunks = Chunks::default();
        let number = |at: u64| (at / 10_000, at);
        for at in 0..40_000 {
            chunks.push(number(at), at as u32 % 400);
        }
        let pages = chunks.to_stored();
        let pages = pages.iter().map(|page| Chunks::from_stored(page).unwrap());
        let pages: Vec<_> = pages.collect();
        assert_eq!(pages.len(), 3);
        for at in 0..40_000 {
            let page = &pages[at / PAGE];
            assert_eq!(page.number(at as u32), number(at as u64));
            assert_eq!(page.length(at as u32), at as u32 % 400);
        }
        let numbers = pages.iter().flat_map(Chunks::numbers);
        assert!(numbers.eq((0..40_000).map(number)));
    }

    #[test]
    fn ordinals_are_looked_up() {
        let chunks = chunks(1);
        assert_eq!(chunks.runs.len(), 4);
        assert!(chunks.numbers().eq(NUMBERS));
        assert!((0..6).map(|ordinal| chunks.number(ordinal)).eq(NUMBERS));
    }

    #[test]
    fn bytes_that_say_something_else_are_corrupt() {
        let mut stored = chunks(1).to_stored().remove(0);
        stored.lengths.pop();
        assert!(Chunks::from_stored(&stored).is_err());
        stored.numbers.pop();
        assert!(Chunks::from_stored(&stored).is_err());
        stored.lengths[0] = 3;
        assert!(Chunks::from_stored(&stored).is_err());
        assert!(Chunks::from_stored(&StoredPage::default()).is_err());
    }
}
