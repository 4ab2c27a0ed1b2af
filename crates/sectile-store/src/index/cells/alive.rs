//! The cells of a window in which a chunk can still reach the top.

use crate::index::window::{CELLS, WindowMask};

/// A number for each cell of a window.
pub(super) type Cells = [f64; CELLS];

/// The cells in which a chunk can reach the top, where the clauses that are left bring so much at most.
pub(super) struct Alive {
    /// Negative infinity in the other cells.
    most: Cells,
    /// What it has to score.
    least: f64,
}

impl Alive {
    /// Returns the cells in which clauses that bring so much at most can reach the top.
    #[inline]
    pub(super) fn new(mask: &WindowMask, clauses: &[Cells], least: f64) -> Self {
        let mut most = [0.0; CELLS];
        for cells in clauses {
            let sums = most.iter_mut().zip(cells);
            sums.for_each(|(most, of)| *most += of);
        }
        for (most, has_any) in most.iter_mut().zip(mask.cells()) {
            if !has_any || *most < least {
                *most = f64::NEG_INFINITY;
            }
        }
        Self { most, least }
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.most.iter().all(|most| *most == f64::NEG_INFINITY)
    }

    /// Returns the cells as bits.
    #[inline]
    pub(super) fn cells(&self) -> u64 {
        bits(self.most.iter().map(|most| *most > f64::NEG_INFINITY))
    }

    /// Takes what a clause brings off what is left.
    #[inline]
    pub(super) fn drop_clause(&mut self, cells: &Cells) {
        let rests = self.most.iter_mut().zip(cells);
        rests.for_each(|(most, of)| *most -= of);
    }

    /// Returns whether a chunk can reach the top that scores nothing yet.
    #[inline]
    pub(super) fn can_any_reach(&self) -> bool {
        self.most.iter().any(|most| *most >= self.least)
    }

    /// Forgets the cells in which none can, if the best one scores so much already.
    #[inline]
    pub(super) fn keep(&mut self, best: &Cells) {
        for (most, best) in self.most.iter_mut().zip(best) {
            let can_reach = best + *most >= self.least;
            *most = if can_reach { *most } else { f64::NEG_INFINITY };
        }
    }

    /// Returns what a chunk of each cell has to score before the clauses that are left.
    #[inline]
    pub(super) fn needed(&self) -> Cells {
        self.most.map(|most| self.least - most)
    }
}

/// Returns a number with a bit for each of 64 that is so.
fn bits(are: impl Iterator<Item = bool>) -> u64 {
    are.zip(0..)
        .fold(0, |bits, (is, at)| bits | u64::from(is) << at)
}
