//! Cells of tables in formats whose cells hold blocks, while they are read.

use crate::blocks::{Block, Cell};

/// A cell whose blocks are not yet on one line.
#[derive(Clone, Debug)]
pub(crate) struct OpenCell {
    pub(crate) blocks: Vec<Block>,
    /// How many columns it spans.
    pub(crate) span: usize,
}

impl OpenCell {
    /// Puts the blocks on one line.
    pub(crate) fn close(&self) -> Cell {
        let lines: Vec<String> = self.blocks.iter().map(Block::flat).collect();
        Cell {
            text: lines.join(" "),
            span: self.span,
        }
    }
}

/// Returns whether a table lays out what it holds: it is a single cell, or a column with headings.
pub(crate) fn is_layout(rows: &[Vec<OpenCell>]) -> bool {
    let is_heading = |block: &Block| matches!(block, Block::Heading { .. });
    let mut cells = rows.iter().flatten();
    rows.iter().all(|row| row.len() == 1)
        && (rows.len() == 1 || cells.any(|cell| cell.blocks.iter().any(is_heading)))
}
