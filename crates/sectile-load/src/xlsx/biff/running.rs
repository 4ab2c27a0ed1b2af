//! The heads and feet of the printed pages of workbooks of before 2007 (MS-XLS 2.4.136, 2.4.124).

use encoding_rs::UTF_16LE;

use super::{Records, top};
use crate::code_pages::CodePage;
use crate::running_lines::RunningLines;
use crate::xlsx::compound::u16_at;
use crate::xlsx::page_setup::plain;

/// The types of the records.
const HEADER: u16 = 0x0014;
const FOOTER: u16 = 0x0015;

/// Adds the lines of a sheet. The texts of a workbook of before Excel 97 are in a code page.
pub(super) fn add(records: Records<'_>, page: Option<CodePage>, lines: &mut RunningLines) {
    for (_, content) in top(records).filter(|(kind, _)| matches!(*kind, HEADER | FOOTER)) {
        let codes = match page {
            Some(page) => old_text(content, page),
            None => text(content),
        };
        lines.add(plain(&codes.unwrap_or_default()));
    }
}

fn old_text(content: &[u8], page: CodePage) -> Option<String> {
    let (length, letters) = content.split_first()?;
    Some(page.decode(letters.get(..usize::from(*length))?))
}

/// Returns a text whose letters take one byte, or two.
fn text(content: &[u8]) -> Option<String> {
    let length = usize::from(u16_at(content, 0)?);
    let (flags, letters) = content.get(2..)?.split_first()?;
    if flags & 1 == 0 {
        let letters = letters.get(..length)?;
        return Some(letters.iter().copied().map(char::from).collect());
    }
    let letters = UTF_16LE.decode_without_bom_handling(letters.get(..2 * length)?);
    Some(letters.0.into_owned())
}
