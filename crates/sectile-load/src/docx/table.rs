//! A table while it is read.

use crate::blocks::{Block, Cell};
use crate::open_cell::{OpenCell, is_layout};
use crate::xml::Element;

/// How many columns a cell may span; Word has no more than 63.
const MAX_SPAN: usize = 63;

/// A table with the rows read so far.
#[derive(Debug, Default)]
pub(super) struct Table {
    rows: Vec<Vec<OpenCell>>,
    row: Vec<OpenCell>,
    /// The row being read was deleted while changes were tracked.
    row_is_deleted: bool,
    /// The columns that the cell being read spans.
    span: usize,
}

impl Table {
    /// Begins a cell.
    pub(super) fn begin_cell(&mut self) {
        self.span = 1;
    }

    /// Takes a property of the row or cell being read.
    pub(super) fn set(&mut self, element: &Element) {
        let columns = element.number().unwrap_or(0).clamp(1, MAX_SPAN);
        match element.name() {
            "gridSpan" => self.span = columns,
            "gridBefore" if element.number() != Some(0) => {
                self.span = columns;
                self.end_cell(Vec::new());
            }
            "del" => self.row_is_deleted = true,
            _ => {}
        }
    }

    /// Ends the cell being read.
    pub(super) fn end_cell(&mut self, blocks: Vec<Block>) {
        let span = self.span;
        self.row.push(OpenCell { blocks, span });
    }

    /// Ends the row being read.
    pub(super) fn end_row(&mut self) {
        let row = std::mem::take(&mut self.row);
        if !std::mem::take(&mut self.row_is_deleted) {
            self.rows.push(row);
        }
    }

    /// Makes blocks of the table. One that only lays out what it holds is left out.
    pub(super) fn finish(mut self) -> Vec<Block> {
        if !self.row.is_empty() {
            self.end_row();
        }
        if is_layout(&self.rows) {
            let cells = self.rows.into_iter().flatten();
            return cells.flat_map(|cell| cell.blocks).collect();
        }
        let rows = self
            .rows
            .iter()
            .map(|row| row.iter().map(OpenCell::close).collect());
        let rows: Vec<Vec<Cell>> = rows.collect();
        if rows.iter().flatten().all(|cell| cell.text.is_empty()) {
            return Vec::new();
        }
        vec![Block::Table(rows)]
    }
}
