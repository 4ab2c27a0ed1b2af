//! The pages of chunks and hits, in two columns.

use arrow_array::builder::UInt32Builder;
use arrow_array::{StructArray, UInt32Array};
use sectile_core::Pages;

use crate::Error;
use crate::column::Column;

/// Adds pages to the builders of `first_page` and `last_page`.
pub(crate) fn append(builders: &mut [UInt32Builder; 2], pages: Option<Pages>) {
    let pages = pages.map_or([None; 2], |pages| [Some(pages.first), Some(pages.last)]);
    for (builder, page) in builders.iter_mut().zip(pages) {
        builder.append_option(page);
    }
}

/// The columns `first_page` and `last_page`.
pub(crate) struct PageColumns<'a> {
    first: Column<'a, UInt32Array>,
    last: Column<'a, UInt32Array>,
}

impl<'a> PageColumns<'a> {
    /// Finds the columns.
    pub(crate) fn of(array: &'a StructArray) -> Result<Self, Error> {
        Ok(Self {
            first: Column::of(array, "first_page", "UInt32")?,
            last: Column::of(array, "last_page", "UInt32")?,
        })
    }

    /// Returns the pages of a row, unless it has none.
    pub(crate) fn at(&self, row: usize) -> Option<Pages> {
        let (first, last) = self.first.known(row).zip(self.last.known(row))?;
        Some(Pages {
            first: first.value(row),
            last: last.value(row),
        })
    }
}
