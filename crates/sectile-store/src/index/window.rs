//! Windows of a segment, and which of their chunks may be found.

use std::ops::{Range, RangeInclusive};

use super::list::List;

/// How many chunks a window has; a page has some of them.
pub(super) const WINDOW: u32 = 1 << 12;

/// How many cells a window has.
pub(super) const CELLS: usize = u64::BITS as usize;

/// How many chunks a cell of a window has.
pub(super) const CELL: u32 = WINDOW / CELLS as u32;

/// How many words of bits a window has, and how many a cell.
const WORDS: usize = (WINDOW / u64::BITS) as usize;
const WORDS_A_CELL: usize = WORDS / CELLS;

/// Which chunks of a segment may be found.
#[derive(Debug)]
pub(super) struct Mask {
    chunks: u32,
    /// A bit for each chunk; nothing where all may be.
    bits: Option<Vec<u64>>,
}

impl Mask {
    /// Returns the mask of a segment of so many chunks, of which only some ranges may be found and none
    /// of the dead.
    pub(super) fn new(chunks: u32, ranges: Option<Vec<Range<u32>>>, dead: &[u32]) -> Self {
        if ranges.is_none() && dead.is_empty() {
            return Self { chunks, bits: None };
        }
        let mut bits = vec![0_u64; chunks.div_ceil(64) as usize];
        let all = 0..chunks;
        for range in ranges.unwrap_or_else(|| vec![all]) {
            for at in range {
                bits[at as usize / 64] |= 1 << (at % 64);
            }
        }
        for &at in dead {
            if let Some(bits) = bits.get_mut(at as usize / 64) {
                *bits &= !(1 << (at % 64));
            }
        }
        Self {
            chunks,
            bits: Some(bits),
        }
    }

    /// Returns the mask of the chunks that have a bit.
    pub(super) fn of_bits(chunks: u32, bits: Vec<u64>) -> Self {
        Self {
            chunks,
            bits: Some(bits),
        }
    }

    /// Returns whether a chunk may be found.
    #[inline]
    pub(super) fn has(&self, ordinal: u32) -> bool {
        let bits = self.bits.as_ref();
        bits.is_none_or(|bits| {
            let bits = bits.get(ordinal as usize / 64);
            bits.is_some_and(|bits| bits >> (ordinal % 64) & 1 == 1)
        })
    }

    /// Returns whether any chunk of a range may be found, or one that is near.
    pub(super) fn may_have(&self, range: RangeInclusive<u32>) -> bool {
        let Some(bits) = &self.bits else {
            return true;
        };
        let (first, last) = (*range.start() as usize / 64, *range.end() as usize / 64);
        let bits = bits.iter().take(last + 1).skip(first);
        bits.into_iter().any(|bits| *bits != 0)
    }

    /// Returns how many windows the segment has.
    pub(super) fn windows(&self) -> usize {
        self.chunks.div_ceil(WINDOW) as usize
    }

    /// Returns whether any chunk of a window may be found.
    pub(super) fn has_any(&self, first: u32) -> bool {
        self.bits.is_none() || self.window(first).cells().any(|has_any| has_any)
    }

    /// Returns the chunks of a window.
    pub(super) fn window(&self, first: u32) -> WindowMask {
        let mut window = [u64::MAX; WORDS];
        if let Some(bits) = &self.bits {
            let of_window = bits
                .iter()
                .skip(first as usize / 64)
                .chain(std::iter::repeat(&0));
            window
                .iter_mut()
                .zip(of_window)
                .for_each(|(to, from)| *to = *from);
        }
        WindowMask(window)
    }
}

/// Which chunks of a window may be found: a bit for each.
#[derive(Debug)]
pub(super) struct WindowMask([u64; WORDS]);

impl WindowMask {
    pub(super) fn none() -> Self {
        Self([0; WORDS])
    }

    /// Returns whether the chunk in a place may be found.
    #[inline]
    pub(super) fn has(&self, slot: u32) -> bool {
        self.0[(slot / u64::BITS) as usize % WORDS] >> (slot % u64::BITS) & 1 == 1
    }

    pub(super) fn add(&mut self, slot: u32) {
        self.0[(slot / u64::BITS) as usize] |= 1 << (slot % u64::BITS);
    }

    /// Keeps those that another has.
    pub(super) fn keep(&mut self, other: &Self) {
        let words = self.0.iter_mut().zip(other.0);
        words.for_each(|(word, other)| *word &= other);
    }

    /// Removes those that another has.
    pub(super) fn remove(&mut self, other: &Self) {
        let words = self.0.iter_mut().zip(other.0);
        words.for_each(|(word, other)| *word &= !other);
    }

    /// Says of each cell whether any chunk of it may be found.
    pub(super) fn cells(&self) -> impl Iterator<Item = bool> {
        let cells = self.0.as_chunks::<WORDS_A_CELL>().0.iter();
        cells.map(|words| words.iter().any(|word| *word != 0))
    }
}

/// Returns the blocks of a list that may have some chunks.
pub(super) fn overlapping(list: &List, ordinals: Range<u32>) -> Range<usize> {
    let start = list
        .heads
        .partition_point(|head| head.last < ordinals.start);
    let within = list.heads[start..].partition_point(|head| head.first < ordinals.end);
    start..start + within
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_has_what_is_in_a_range_and_alive() {
        let later = 2 * WINDOW + 800;
        let mask = Mask::new(
            later + 1_000,
            Some(vec![3..5, later..later + 3]),
            &[4, later + 1],
        );
        assert_eq!(mask.windows(), 3);
        assert!(mask.has_any(0) && !mask.has_any(WINDOW) && mask.has_any(2 * WINDOW));
        let found = |first| -> Vec<u32> {
            let window = mask.window(first);
            (0..WINDOW).filter(|slot| window.has(*slot)).collect()
        };
        assert_eq!((found(0), found(2 * WINDOW)), (vec![3], vec![800, 802]));
        let cells: Vec<bool> = mask.window(2 * WINDOW).cells().collect();
        assert_eq!(
            cells.iter().position(|has_any| *has_any),
            Some(800 / CELL as usize)
        );
        assert_eq!(Mask::new(70, None, &[]).window(0).0, [u64::MAX; WORDS]);
        let living = Mask::new(70, None, &[69]).window(0).0;
        assert_eq!((living[0], living[1], living[2]), (u64::MAX, 0x1f, 0));
    }
}
