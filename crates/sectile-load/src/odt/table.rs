//! A table while it is read.

use crate::blocks::{Block, Cell};
use crate::open_cell::{OpenCell, is_layout};
use crate::xml::Element;

/// How many columns a cell may span, or be repeated for without a text.
const MAX_COLUMNS: usize = 256;

/// How many cells repetition may make of a table.
const MAX_REPEATED: usize = 100_000;

/// How many times the attribute of an element may say that it repeats: more than any program does.
const MAX_REPEATS: usize = 1 << 20;

/// A table with the rows read so far.
#[derive(Debug, Default)]
pub(super) struct Table {
    rows: Vec<Vec<OpenCell>>,
    row: Vec<OpenCell>,
    row_repeats: usize,
    repeated: usize,
    /// How many of the covered cells that follow belong to a cell that was read.
    covered: usize,
    cell: (usize, usize),
    /// How many repeated cells with text are not written.
    left_out: u64,
}

fn number(element: &Element, name: &str, most: usize) -> usize {
    let value = element.attribute(name);
    let value = value.and_then(|value| value.parse().ok());
    value.unwrap_or(1_usize).clamp(1, most)
}

impl Table {
    /// Begins a row.
    pub(super) fn begin_row(&mut self, element: &Element) {
        self.row_repeats = number(element, "number-rows-repeated", MAX_REPEATS);
        self.covered = 0;
    }

    /// Begins a cell, or what a cell that spans covers.
    pub(super) fn begin_cell(&mut self, element: &Element) {
        self.cell = (
            number(element, "number-columns-spanned", MAX_COLUMNS),
            number(element, "number-columns-repeated", MAX_REPEATS),
        );
    }

    /// Ends the cell being read.
    pub(super) fn end_cell(&mut self, blocks: Vec<Block>, is_covered: bool) {
        let (span, mut repeats) = self.cell;
        if is_covered {
            let taken = repeats.min(self.covered);
            self.covered -= taken;
            repeats -= taken;
        } else {
            self.covered = span - 1;
        }
        repeats = if blocks.is_empty() {
            repeats.min(MAX_COLUMNS)
        } else {
            self.allowed(repeats)
        };
        let cell = OpenCell { blocks, span };
        self.row.extend(std::iter::repeat_n(cell, repeats));
    }

    /// Returns how many times something may be repeated; the first time is always allowed.
    fn allowed(&mut self, repeats: usize) -> usize {
        let more = repeats.saturating_sub(1);
        let more = more.min(MAX_REPEATED.saturating_sub(self.repeated));
        self.repeated += more;
        let allowed = more + repeats.min(1);
        self.left_out += (repeats - allowed) as u64;
        allowed
    }

    /// Ends the row being read.
    pub(super) fn end_row(&mut self) {
        let row = std::mem::take(&mut self.row);
        let is_empty = row.iter().all(|cell| cell.blocks.is_empty());
        let most = MAX_REPEATED.saturating_sub(self.repeated) / row.len().max(1);
        let repeats = if is_empty {
            1
        } else {
            self.row_repeats.min(most + 1)
        };
        self.repeated += (repeats - 1) * row.len();
        if !is_empty {
            let filled = row.iter().filter(|cell| !cell.blocks.is_empty());
            self.left_out += (filled.count() * (self.row_repeats - repeats)) as u64;
        }
        self.rows.extend(std::iter::repeat_n(row, repeats));
    }

    /// Takes how many repeated cells are not written.
    pub(super) fn take_left_out(&mut self) -> u64 {
        std::mem::take(&mut self.left_out)
    }

    /// Makes blocks of the table. One that only lays out what it holds is left out.
    pub(super) fn finish(mut self) -> Vec<Block> {
        if !self.row.is_empty() {
            self.row_repeats = 1;
            self.end_row();
        }
        if is_layout(&self.rows) {
            let cells = self.rows.into_iter().flatten();
            return cells.flat_map(|cell| cell.blocks).collect();
        }
        let mut rows: Vec<Vec<Cell>> = Vec::new();
        for row in &self.rows {
            let mut cells: Vec<Cell> = row.iter().map(OpenCell::close).collect();
            while cells.last().is_some_and(|cell| cell.text.is_empty()) {
                cells.pop();
            }
            if !cells.is_empty() {
                rows.push(cells);
            }
        }
        if rows.is_empty() {
            return Vec::new();
        }
        let width = rows
            .iter()
            .map(|row| row.iter().map(|cell| cell.span).sum());
        let width: usize = width.max().unwrap_or(0);
        for row in &mut rows {
            let missing = width - row.iter().map(|cell| cell.span).sum::<usize>();
            if missing > 0 && rows_are_small(width) {
                row.extend(std::iter::repeat_n(
                    Cell {
                        text: String::new(),
                        span: 1,
                    },
                    missing,
                ));
            }
        }
        vec![Block::Table(rows)]
    }
}

/// Returns whether rows are filled up with empty cells, as they are but in very wide tables.
fn rows_are_small(width: usize) -> bool {
    width <= MAX_COLUMNS
}
