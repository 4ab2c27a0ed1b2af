//! The records of binary workbooks (MS-XLSB) that the crate `calamine` does not read.

use crate::blocks::Block;
use crate::grid::cell_name;
use crate::opc::Relationship;
use crate::workbook::{Comment, HiddenLines};
use crate::xlsx::links::{CellLinks, targets};
use crate::xlsx::styled::{Formats, Styled};
use crate::xlsx::validations::Rule;
use crate::xlsx::worksheet::Links;

/// The types of records.
const SHEET: u16 = 156;
const PROPERTIES: u16 = 153;
const COMMENT_AUTHOR: u16 = 632;
const LINK: u16 = 494;
const HEADS_AND_FEET: u16 = 479;
const COMMENT: u16 = 635;
const COMMENT_TEXT: u16 = 637;
const ROW: u16 = 0;
/// The first type of cells that are not empty.
const FIRST_CELL: u16 = 2;
const LAST_CELL: u16 = 11;
const FORMAT: u16 = 44;
const COLUMNS: u16 = 60;
const RULE: u16 = 64;
const OF_CELL: u16 = 47;
const BEGIN_OF_CELLS: u16 = 617;
const END_OF_CELLS: u16 = 618;

/// The flags of hidden rows and columns.
const HIDDEN_ROW: u16 = 0x1000;
const HIDDEN_COLUMNS: u16 = 1;

/// The records of a part: the type and the content of each. They end where the part is cut off.
struct Records<'a>(&'a [u8]);

impl Records<'_> {
    fn byte(&mut self) -> Option<usize> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte.into())
    }

    /// Reads a number of at most `bytes` bytes, each with seven of its bits.
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

/// The bytes in place of a missing text, such as the id of a relationship.
const NO_TEXT: [u8; 4] = [0xFF; 4];

/// A sheet in the list of a workbook.
pub(super) struct Listed {
    pub(super) name: String,
    /// The id of the relationship to its part; empty where it has none.
    pub(super) relationship: String,
    /// Whether the parser reads it: Excel 2007 before its release has four bytes more before the names.
    pub(super) is_usual: bool,
}

impl Listed {
    fn read(content: &[u8]) -> Option<Self> {
        let at = |start: usize, is_whole: bool| {
            let (relationship, rest) = nullable(content.get(start..)?)?;
            let (name, rest) = text(rest)?;
            let is_usual = start == 8;
            (rest.is_empty() || !is_whole).then_some(Self {
                name,
                relationship,
                is_usual,
            })
        };
        at(8, true)
            .or_else(|| at(12, true))
            .or_else(|| at(8, false))
    }
}

/// Lists the sheets of a workbook.
pub(super) fn sheets(part: &[u8]) -> Vec<Listed> {
    let sheets = Records(part).filter(|(kind, _)| *kind == SHEET);
    sheets
        .filter_map(|(_, content)| Listed::read(content))
        .collect()
}

/// Writes the main part of a workbook with other relationships of its sheets, and without those that have none.
pub(super) fn relisted(part: &[u8], ids: &[Option<String>]) -> Vec<u8> {
    let mut ids = ids.iter();
    let mut written = Vec::with_capacity(part.len());
    for (kind, content) in Records(part) {
        if kind != SHEET {
            push(&mut written, kind, content);
        } else if let Some(sheet) = Listed::read(content)
            && let Some(Some(id)) = ids.next()
        {
            let content = [&content[..4], &[0; 4], &wide(id), &wide(&sheet.name)].concat();
            push(&mut written, SHEET, &content);
        }
    }
    written
}

/// Writes a record.
fn push(written: &mut Vec<u8>, kind: u16, content: &[u8]) {
    for mut number in [usize::from(kind), content.len()] {
        while number > 0x7F {
            written.push(((number & 0x7F) | 0x80) as u8);
            number >>= 7;
        }
        written.push(number as u8);
    }
    written.extend_from_slice(content);
}

/// Writes a text behind its length.
fn wide(text: &str) -> Vec<u8> {
    let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let length = (units.len() / 2) as u32;
    [&length.to_le_bytes()[..], &units].concat()
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

/// Reads where the cells of a sheet lead to, outside of the workbook.
pub(super) fn links(part: &[u8], relationships: &[Relationship]) -> Links {
    let targets = targets(relationships);
    let mut links = CellLinks::new();
    for (_, content) in Records(part).filter(|(kind, _)| *kind == LINK) {
        let number = |at| u32_at(content, at).unwrap_or_default();
        let read = content.get(16..).and_then(nullable);
        let target = read
            .as_ref()
            .and_then(|(relationship, _)| targets.get(relationship.as_str()));
        if let (Some(target), Some((_, rest))) = (target, &read) {
            let place = text(rest).map(|(place, _)| place).unwrap_or_default();
            let mark = if place.is_empty() { "" } else { "#" };
            links.add(
                (number(0), number(8)),
                (number(4), number(12)),
                &format!("{target}{mark}{place}"),
            );
        }
    }
    links.finish()
}

/// Reads the heads and feet of the printed pages of a sheet, with their codes.
pub(super) fn running(part: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    for (_, content) in Records(part).filter(|(kind, _)| *kind == HEADS_AND_FEET) {
        // Behind the flags, which say what pages have other ones.
        let mut rest = content.get(2..).unwrap_or_default();
        while let Some((line, after)) = nullable(rest) {
            lines.push(line);
            rest = after;
        }
    }
    lines
}

/// Reads which rows and columns a sheet hides.
pub(super) fn hidden(part: &[u8]) -> HiddenLines {
    let mut hidden = HiddenLines::default();
    for (kind, content) in Records(part) {
        let number = |at| u32_at(content, at).unwrap_or_default();
        let flags = |at| u16_at(content, at).unwrap_or_default();
        match kind {
            ROW if flags(10) & HIDDEN_ROW != 0 => hidden.add_rows(number(0), number(0)),
            COLUMNS if flags(16) & HIDDEN_COLUMNS != 0 => {
                hidden.add_columns(number(0), number(4));
            }
            _ => {}
        }
    }
    hidden
}

/// Reads the messages of data validation of a sheet.
pub(super) fn validations(part: &[u8]) -> Vec<Block> {
    let rules = Records(part).filter(|(kind, _)| *kind == RULE);
    let rules = rules.filter_map(|(_, content)| rule(content));
    rules.flat_map(|rule| rule.blocks()).collect()
}

fn rule(content: &[u8]) -> Option<Rule> {
    let number = |at| u32_at(content, at);
    let ranges = number(4)? as usize;
    let (error_title, rest) = nullable(content.get(ranges.checked_mul(16)?.checked_add(8)?..)?)?;
    let (error, rest) = nullable(rest)?;
    let (prompt_title, rest) = nullable(rest)?;
    let (prompt, _) = nullable(rest)?;
    Some(Rule {
        flags: number(0)?,
        first: ((number(8)?, number(16)?), (number(12)?, number(20)?)),
        ranges,
        prompt: [prompt_title, prompt],
        error: [error_title, error],
    })
}

/// Reads a text and returns what stands after it.
fn text(bytes: &[u8]) -> Option<(String, &[u8])> {
    let length = u32_at(bytes, 0)? as usize;
    let (units, rest) = bytes.get(4..)?.split_at_checked(length.checked_mul(2)?)?;
    Some((encoding_rs::UTF_16LE.decode(units).0.into_owned(), rest))
}

/// Reads a text that may be missing, such as the id of a relationship.
fn nullable(bytes: &[u8]) -> Option<(String, &[u8])> {
    match bytes.strip_prefix(&NO_TEXT) {
        Some(rest) => Some((String::new(), rest)),
        None => text(bytes),
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u16::from_le_bytes(*bytes))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*bytes))
}
