//! The number formats of the cells of binary workbooks, which the crate `calamine` leaves out.

use std::collections::HashMap;

use crate::number_format::NumberFormat;

/// The formats of a workbook, by the numbers that cells give them.
#[derive(Debug, Default)]
pub(super) struct Formats {
    codes: HashMap<u16, NumberFormat>,
    of_cells: Vec<NumberFormat>,
    /// Days count from 1904.
    pub(super) is_1904: bool,
}

/// The formats of the cells of a sheet, but of those that are shown in full.
#[derive(Debug, Default)]
pub(super) struct Styled {
    /// The row, the column and the style of each cell, in order.
    cells: Vec<(u32, u32, u32)>,
}

impl Styled {
    /// Puts the cells in order, in which nearly all files have them.
    pub(super) fn in_order(mut self) -> Self {
        if !self.cells.is_sorted() {
            self.cells.sort_unstable();
        }
        self
    }

    fn style(&self, row: u32, column: u32) -> Option<usize> {
        let at = self
            .cells
            .binary_search_by_key(&(row, column), |&(row, column, _)| (row, column))
            .ok()?;
        Some(self.cells[at].2 as usize)
    }
}

impl Formats {
    /// Adds the code of a format.
    pub(super) fn add_code(&mut self, id: u16, code: &str) {
        self.codes.insert(id, NumberFormat::parse(code));
    }

    /// Adds what cells name by the next number: a format by its id.
    pub(super) fn add(&mut self, id: u16) {
        let own = self.codes.get(&id).cloned();
        self.of_cells
            .push(own.unwrap_or_else(|| NumberFormat::builtin(id.into())));
    }

    /// Returns the format of a cell of a sheet.
    pub(super) fn of(&self, styled: &Styled, row: u32, column: u32) -> Option<&NumberFormat> {
        self.of_cells.get(styled.style(row, column)?)
    }

    /// Notes the format that a cell of a sheet names.
    pub(super) fn note(&self, styled: &mut Styled, row: u32, column: u32, style: u32) {
        let format = self.of_cells.get(style as usize);
        if format.is_some_and(|format| *format != NumberFormat::default()) {
            styled.cells.push((row, column, style));
        }
    }
}
