//! The hidden rows and columns of a sheet of a workbook of before 2007 (MS-XLS, `Row` and `ColInfo`).

use super::{Records, top};
use crate::workbook::HiddenLines;
use crate::xlsx::compound::u16_at;

/// The types of the records.
const ROW: u16 = 0x0208;
const COLUMNS: u16 = 0x007D;

/// The flags of what is hidden.
const HIDDEN_ROW: u16 = 0x20;
const HIDDEN_COLUMNS: u16 = 1;

/// Reads which rows and columns a sheet hides.
pub(super) fn of_sheet(records: Records<'_>) -> HiddenLines {
    let mut hidden = HiddenLines::default();
    for (kind, content) in top(records) {
        let number = |at| u16_at(content, at).unwrap_or_default();
        match kind {
            ROW if number(12) & HIDDEN_ROW != 0 => {
                hidden.add_rows(number(0).into(), number(0).into());
            }
            COLUMNS if number(8) & HIDDEN_COLUMNS != 0 => {
                hidden.add_columns(number(0).into(), number(2).into());
            }
            _ => {}
        }
    }
    hidden
}
