//! Number formats of workbooks of before 2007.

use encoding_rs::{UTF_16LE, WINDOWS_1252};

use super::{
    FORMULA, LABEL, MANY_NUMBERS, NUMBER, PACKED_NUMBER, RICH_LABEL, Records, SHARED_LABEL, top,
};
use crate::code_pages::CodePage;
use crate::xlsx::compound::u16_at;
use crate::xlsx::styled::{Formats, Styled};

/// The types of records.
const FORMAT: u16 = 0x041E;
const OF_CELL: u16 = 0x00E0;
const FIRST_YEAR: u16 = 0x0022;

/// How many bytes a number takes in a record of many, with its format.
const PACKED: usize = 6;

/// Takes a record from before the sheets; one of before 1997 has its text in a code page.
pub(super) fn add(formats: &mut Formats, kind: u16, content: &[u8], page: Option<CodePage>) {
    match kind {
        FORMAT => {
            if let Some((id, code)) = code(content, page) {
                formats.add_code(id, &code);
            }
        }
        FIRST_YEAR => formats.is_1904 = u16_at(content, 0) == Some(1),
        OF_CELL => formats.add(u16_at(content, 2).unwrap_or_default()),
        _ => {}
    }
}

fn code(content: &[u8], page: Option<CodePage>) -> Option<(u16, String)> {
    let id = u16_at(content, 0)?;
    if let Some(page) = page {
        let letters = content.get(3..)?;
        let letters = letters.get(..usize::from(content[2]))?;
        return Some((id, page.decode(letters)));
    }
    let length = usize::from(u16_at(content, 2)?);
    let (is_wide, letters) = (content.get(4)? & 1 == 1, &content[5..]);
    let (encoding, bytes) = if is_wide {
        (UTF_16LE, 2 * length)
    } else {
        (WINDOWS_1252, length)
    };
    let letters = letters.get(..bytes)?;
    Some((
        id,
        encoding.decode_without_bom_handling(letters).0.into_owned(),
    ))
}

/// Reads which formats the cells of a sheet have.
pub(super) fn of_sheet(records: Records<'_>, formats: &Formats) -> Styled {
    let mut styled = Styled::default();
    for (kind, content) in top(records) {
        let (Some(row), Some(column)) = (u16_at(content, 0), u16_at(content, 2)) else {
            continue;
        };
        let mut note = |column: u32, style: Option<u16>| {
            if let Some(style) = style {
                formats.note(&mut styled, row.into(), column, style.into());
            }
        };
        match kind {
            NUMBER | PACKED_NUMBER | FORMULA | LABEL | RICH_LABEL | SHARED_LABEL => {
                note(column.into(), u16_at(content, 4));
            }
            MANY_NUMBERS => {
                let numbers = content[4..].chunks_exact(PACKED);
                for (column, number) in (u32::from(column)..).zip(numbers) {
                    note(column, u16_at(number, 0));
                }
            }
            _ => {}
        }
    }
    styled.in_order()
}
