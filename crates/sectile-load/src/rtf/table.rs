//! The rows of a table while they are read.

use crate::blocks::{Block, Cell};
use crate::one_line::one_line;

/// The table being read.
#[derive(Debug, Default)]
pub(super) struct Table {
    rows: Vec<Vec<Cell>>,
    row: Vec<String>,
    /// Whether each cell of the rows that follow belongs to the one before it.
    merged: Vec<bool>,
    is_merged: bool,
}

impl Table {
    /// Begins the definition of a row.
    pub(super) fn begin_definition(&mut self) {
        self.merged.clear();
        self.is_merged = false;
    }

    /// Says that the cell being defined belongs to the one before it.
    pub(super) fn merge(&mut self) {
        self.is_merged = true;
    }

    /// Ends the definition of a cell.
    pub(super) fn define_cell(&mut self) {
        self.merged.push(std::mem::take(&mut self.is_merged));
    }

    /// Ends a cell.
    pub(super) fn end_cell(&mut self, text: &str) {
        self.row.push(one_line(text));
    }

    /// Ends a row.
    pub(super) fn end_row(&mut self) {
        let mut row: Vec<Cell> = Vec::new();
        for (index, text) in std::mem::take(&mut self.row).into_iter().enumerate() {
            let is_merged = self.merged.get(index).is_some_and(|merged| *merged);
            match row.last_mut() {
                Some(last) if is_merged => {
                    last.span += 1;
                    last.text.push_str(&text);
                }
                _ => row.push(Cell { text, span: 1 }),
            }
        }
        if !row.is_empty() {
            self.rows.push(row);
        }
    }

    /// Returns whether there is nothing to write.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.row.is_empty()
    }

    /// Takes the table that has been read.
    pub(super) fn take(&mut self) -> Option<Block> {
        self.end_row();
        let rows = std::mem::take(&mut self.rows);
        let has_text = rows.iter().flatten().any(|cell| !cell.text.is_empty());
        if let [row] = rows.as_slice()
            && let [cell] = row.as_slice()
        {
            return has_text.then(|| Block::Text(cell.text.clone()));
        }
        has_text.then_some(Block::Table(rows))
    }
}
