//! The rows and columns that a sheet hides.

use std::collections::HashSet;

use crate::grid::Grid;

/// How many ranges are kept: as many as a sheet has rows.
const MAX_RANGES: usize = 1 << 20;

/// The rows and columns that a sheet hides. They count from 0.
#[derive(Debug, Default)]
pub(crate) struct HiddenLines {
    rows: Ranges,
    columns: Ranges,
}

impl HiddenLines {
    /// Hides the rows from `first` to `last`.
    pub(crate) fn add_rows(&mut self, first: u32, last: u32) {
        self.rows.add(first, last);
    }

    /// Hides the columns from `first` to `last`.
    pub(crate) fn add_columns(&mut self, first: u32, last: u32) {
        self.columns.add(first, last);
    }

    /// Counts the hidden rows, and the hidden columns, that have text.
    pub(crate) fn filled(self, grid: &Grid) -> (usize, usize) {
        (
            self.rows.count(grid.rows()),
            self.columns.count(grid.columns()),
        )
    }
}

/// Ranges of rows or columns, each with its first and its last one.
#[derive(Debug, Default)]
struct Ranges(Vec<(u32, u32)>);

impl Ranges {
    fn add(&mut self, first: u32, last: u32) {
        if first > last {
            return;
        }
        if let Some(before) = self.0.last_mut()
            && before.0 <= first
            && first <= before.1.saturating_add(1)
        {
            before.1 = before.1.max(last);
        } else if self.0.len() < MAX_RANGES {
            self.0.push((first, last));
        }
    }

    /// Counts the numbers in the ranges, each once.
    fn count(mut self, numbers: impl Iterator<Item = u32>) -> usize {
        if self.0.is_empty() {
            return 0;
        }
        self.0.sort_unstable();
        self.0.dedup_by(|next, kept| {
            let goes_on = next.0 <= kept.1.saturating_add(1);
            if goes_on {
                kept.1 = kept.1.max(next.1);
            }
            goes_on
        });
        let counted: HashSet<u32> = numbers.filter(|number| self.has(*number)).collect();
        counted.len()
    }

    /// Returns whether a range has this number, where all stand in order and apart.
    fn has(&self, number: u32) -> bool {
        let after = self.0.partition_point(|(first, _)| *first <= number);
        self.0[..after]
            .last()
            .is_some_and(|(_, last)| number <= *last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_text_count_once_in_whatever_order_they_are_hidden() {
        let mut grid = Grid::default();
        for (row, column) in [(0, 0), (1, 0), (1, 2), (5, 2), (9, 2)] {
            grid.push(row, column, "a", true);
        }
        let mut hidden = HiddenLines::default();
        for (first, last) in [(4, 6), (1, 1), (0, 0), (5, 5), (3, 2), (0, 7)] {
            hidden.add_rows(first, last);
        }
        hidden.add_columns(2, u32::MAX);
        hidden.add_columns(1, 1);
        assert_eq!(hidden.filled(&grid), (3, 1));
        assert_eq!(HiddenLines::default().filled(&grid), (0, 0));
    }
}
