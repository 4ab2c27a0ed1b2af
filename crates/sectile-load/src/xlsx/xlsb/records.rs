//! The records of binary workbooks (MS-XLSB) that the crate `calamine` does not read.

use crate::grid::cell_name;
use crate::workbook::Comment;
use crate::xlsx::styled::{Formats, Styled};

/// The types of records.
const SHEET: u16 = 156;
const PROPERTIES: u16 = 153;
const COMMENT_AUTHOR: u16 = 632;
const COMMENT: u16 = 635;
const COMMENT_TEXT: u16 = 637;
const ROW: u16 = 0;
/// The first type of cells that are not empty.
const FIRST_CELL: u16 = 2;
const LAST_CELL: u16 = 11;
const FORMAT: u16 = 44;
const OF_CELL: u16 = 47;
const BEGIN_OF_CELLS: u16 = 617;
const END_OF_CELLS: u16 = 618;

/// The records of a part: the type and the content of each. They end where the part is cut off.
struct Records<'a>(&'a [u8]);

impl Records<'_> {
    fn byte(&mut self) -> Option<usize> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte.into())
    }

    /// Reads a number of at most so many bytes, of which each has seven bits of it.
    fn number(&mut self, bytes: u32) -> Option<usize> {
        let mut number = 0;
        for at in 0..bytes {
            let byte = self.byte()?;
            number |= (byte & 0x7F) << (7 * at);
            if byte & 0x80 == 0 {
                break;
            }
        }
        Some(number)
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = (u16, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let kind = self.number(2)? as u16;
        let length = self.number(4)?;
        let (content, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some((kind, content))
    }
}

/// Lists the sheets of a workbook: the name of each, and the id of the relationship to its part.
pub(super) fn sheets(part: &[u8]) -> Vec<(String, String)> {
    let sheets = Records(part).filter(|(kind, _)| *kind == SHEET);
    let named = sheets.filter_map(|(_, content)| {
        let (relationship, rest) = text(content.get(8..)?)?;
        Some((text(rest)?.0, relationship))
    });
    named.collect()
}

/// Reads the number formats of a workbook from its main part and the part of its styles.
pub(super) fn formats(main: &[u8], part: &[u8]) -> Formats {
    let mut formats = Formats::default();
    let mut properties = Records(main).filter(|(kind, _)| *kind == PROPERTIES);
    let flags = properties.next().and_then(|(_, content)| content.first());
    formats.is_1904 = flags.is_some_and(|flags| flags & 1 == 1);
    let mut of_cells = false;
    for (kind, content) in Records(part) {
        match kind {
            FORMAT => {
                let code = content.get(2..).and_then(text);
                if let (Some(id), Some((code, _))) = (u16_at(content, 0), code) {
                    formats.add_code(id, &code);
                }
            }
            BEGIN_OF_CELLS => of_cells = true,
            END_OF_CELLS => of_cells = false,
            OF_CELL if of_cells => formats.add(u16_at(content, 2).unwrap_or_default()),
            _ => {}
        }
    }
    formats
}

/// Reads which formats the cells of a sheet have.
pub(super) fn styled(part: &[u8], formats: &Formats) -> Styled {
    let mut styled = Styled::default();
    let mut row = 0;
    for (kind, content) in Records(part) {
        match kind {
            ROW => row = u32_at(content, 0).unwrap_or_default(),
            FIRST_CELL..=LAST_CELL => {
                if let (Some(column), Some(style)) = (u32_at(content, 0), u32_at(content, 4)) {
                    // The upper byte holds flags.
                    let style = style & 0x00FF_FFFF;
                    formats.note(&mut styled, row, column, style);
                }
            }
            _ => {}
        }
    }
    styled.in_order()
}

/// Reads the comments of a sheet.
pub(super) fn comments(part: &[u8]) -> Vec<Comment> {
    let mut authors: Vec<String> = Vec::new();
    let mut comments: Vec<Comment> = Vec::new();
    for (kind, content) in Records(part) {
        match kind {
            COMMENT_AUTHOR => authors.push(text(content).map(|(name, _)| name).unwrap_or_default()),
            COMMENT => {
                let number = |at| u32_at(content, at).unwrap_or_default();
                let author = authors.get(number(0) as usize);
                comments.push(Comment {
                    cell: cell_name(number(4), number(12)),
                    author: author.cloned().unwrap_or_default(),
                    text: String::new(),
                });
            }
            COMMENT_TEXT => {
                let read = content.get(1..).and_then(text);
                if let (Some(comment), Some((text, _))) = (comments.last_mut(), read) {
                    comment.text = text;
                }
            }
            _ => {}
        }
    }
    comments
}

/// Reads a text and returns what stands after it.
fn text(bytes: &[u8]) -> Option<(String, &[u8])> {
    let length = u32_at(bytes, 0)? as usize;
    let (units, rest) = bytes.get(4..)?.split_at_checked(length.checked_mul(2)?)?;
    Some((encoding_rs::UTF_16LE.decode(units).0.into_owned(), rest))
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u16::from_le_bytes(*bytes))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*bytes))
}
