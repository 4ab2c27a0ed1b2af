//! Windows of a segment, and which of their chunks may be found.

use std::ops::Range;

use super::list::List;

/// How many chunks a window has; a page has some of them.
pub(super) const WINDOW: u32 = 1 << 12;

/// How many chunks a cell of a window has: those of a word of its mask.
pub(super) const CELL: u32 = u64::BITS;

/// How many cells a window has.
pub(super) const CELLS: usize = (WINDOW / CELL) as usize;

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

    /// Returns how many windows the segment has.
    pub(super) fn windows(&self) -> usize {
        self.chunks.div_ceil(WINDOW) as usize
    }

    /// Says whether any chunk of a window may be found.
    pub(super) fn has_any(&self, first: u32) -> bool {
        self.bits.is_none() || self.window(first).iter().any(|bits| *bits != 0)
    }

    /// Returns the bits of a window.
    pub(super) fn window(&self, first: u32) -> [u64; CELLS] {
        let mut window = [u64::MAX; CELLS];
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
        window
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
        let mask = Mask::new(10_000, Some(vec![3..5, 9_000..9_003]), &[4, 9_001]);
        assert_eq!(mask.windows(), 3);
        assert!(mask.has_any(0) && !mask.has_any(WINDOW) && mask.has_any(2 * WINDOW));
        assert_eq!(mask.window(0)[0], 1 << 3);
        let ones = mask.window(2 * WINDOW).into_iter().map(u64::count_ones);
        assert_eq!(ones.sum::<u32>(), 2);
        assert_eq!(Mask::new(70, None, &[]).window(0), [u64::MAX; 64]);
        let living = Mask::new(70, None, &[69]).window(0);
        assert_eq!((living[0], living[1], living[2]), (u64::MAX, 0x1f, 0));
    }
}
