//! The cells of workbooks of before 2007 that stand too far apart for the crate `calamine`, which makes room for each
//! place between the first and the last one.

use calamine::{CellErrorType, Data};

use super::{
    CONTINUE, END, ERROR, FORMULA, FORMULA_STRING, LABEL, MANY_NUMBERS, NUMBER, PACKED_NUMBER,
    RICH_LABEL, Records, SHARED_LABEL, SHARED_STRINGS, SHEET, shared, strings, top,
};
use crate::code_pages::CodePage;
use crate::workbook::Sheet;
use crate::xlsx::compound::{u16_at, u32_at};

/// How many bytes a number takes in a record of many, with its format.
const PACKED: usize = 6;

/// The row and the column of a cell, and its value.
pub(in crate::xlsx) type Cell = (u32, u32, Data);

/// The sheets of a workbook, in their order.
pub(in crate::xlsx) struct Sheets<'s> {
    stream: &'s [u8],
    /// The records that list the sheets.
    listed: Vec<&'s [u8]>,
    strings: Vec<String>,
    /// How the texts are read, if they are not Unicode.
    page: Option<CodePage>,
}

impl<'s> Sheets<'s> {
    pub(in crate::xlsx) fn new(stream: &'s [u8], page: Option<CodePage>) -> Self {
        let mut sheets = Self {
            stream,
            listed: Vec::new(),
            strings: Vec::new(),
            page,
        };
        let mut records = Records(stream);
        while let Some((kind, content)) = records.next() {
            match kind {
                SHEET => sheets.listed.push(content),
                SHARED_STRINGS => {
                    sheets.strings = strings::texts(shared(content, records.clone()));
                }
                END => break,
                _ => {}
            }
        }
        sheets
    }

    /// Returns each sheet without its cells, and these row by row.
    pub(in crate::xlsx) fn read(&self) -> impl Iterator<Item = (Sheet, Vec<Cell>)> {
        let read = move |content: &&[u8]| {
            let start = u32_at(content, 0)? as usize;
            let sheet = Sheet {
                name: self.name(content).unwrap_or_default(),
                is_hidden: content.get(4)? & 3 != 0,
                ..Sheet::default()
            };
            let records = Records(self.stream.get(start..).unwrap_or_default());
            Some((sheet, self.cells(records)))
        };
        self.listed.iter().filter_map(read)
    }

    fn name(&self, content: &[u8]) -> Option<String> {
        let (&length, rest) = content.get(6..)?.split_first()?;
        match self.page {
            Some(page) => Some(page.decode(rest.get(..length.into())?)),
            None => strings::text(vec![&[&[length, 0][..], rest].concat()[..]]),
        }
    }

    fn cells(&self, records: Records<'_>) -> Vec<Cell> {
        let mut cells: Vec<Cell> = Vec::new();
        // The formula whose text stands in a record behind it.
        let mut open: Option<(u32, u32)> = None;
        let mut records = top(records).peekable();
        while let Some((kind, content)) = records.next() {
            let (row, column) = (u16_at(content, 0), u16_at(content, 2));
            if kind == FORMULA_STRING {
                let mut pieces = vec![content];
                while let Some((_, piece)) = records.next_if(|(kind, _)| *kind == CONTINUE) {
                    pieces.push(piece);
                }
                if let (Some((row, column)), Some(text)) = (open.take(), self.text(pieces)) {
                    cells.push((row, column, Data::String(text)));
                }
            } else if let (Some(row), Some(column)) = (row, column) {
                let (row, column) = (u32::from(row), u32::from(column));
                if kind == FORMULA {
                    open = Some((row, column));
                }
                if kind == MANY_NUMBERS {
                    let numbers = content[4..].chunks_exact(PACKED);
                    let numbers = numbers.filter_map(|number| u32_at(number, 2));
                    let numbers = numbers.map(packed).zip(column..);
                    cells.extend(numbers.map(|(number, column)| (row, column, number)));
                } else if let Some(value) = self.value(kind, content) {
                    cells.push((row, column, value));
                }
            }
        }
        in_order(cells)
    }

    /// Returns the value of a cell that has a record of its own.
    fn value(&self, kind: u16, content: &[u8]) -> Option<Data> {
        match kind {
            NUMBER => number(content.get(6..)?),
            PACKED_NUMBER => u32_at(content, 6).map(packed),
            FORMULA => calculated(content.get(6..14)?),
            LABEL | RICH_LABEL => self.text(vec![content.get(6..)?]).map(Data::String),
            SHARED_LABEL => {
                let text = self.strings.get(u32_at(content, 6)? as usize)?;
                Some(Data::String(text.clone()))
            }
            ERROR => match content.get(6..8)? {
                [value, 0] => Some(Data::Bool(*value != 0)),
                [value, _] => error(*value),
                _ => None,
            },
            _ => None,
        }
    }

    /// Reads a text behind the number of its letters.
    fn text(&self, pieces: Vec<&[u8]>) -> Option<String> {
        let Some(page) = self.page else {
            return strings::text(pieces);
        };
        let bytes = pieces.concat();
        let letters = bytes.get(2..)?;
        Some(page.decode(letters.get(..usize::from(u16_at(&bytes, 0)?))?))
    }
}

/// Puts cells row by row, in which order nearly all files have them. Of cells in one place the last one counts.
fn in_order(mut cells: Vec<Cell>) -> Vec<Cell> {
    let place = |cell: &Cell| (cell.0, cell.1);
    if !cells.is_sorted_by_key(place) {
        cells.sort_by_key(place);
    }
    cells.dedup_by(|later, kept| {
        let is_same = place(later) == place(kept);
        if is_same {
            std::mem::swap(later, kept);
        }
        is_same
    });
    cells
}

fn number(bytes: &[u8]) -> Option<Data> {
    Some(Data::Float(f64::from_le_bytes(*bytes.first_chunk()?)))
}

/// Reads a number of four bytes (MS-XLS 2.5.217): whole, or the upper bits of another, and in hundredths if so marked.
fn packed(bits: u32) -> Data {
    let value = if bits & 2 == 0 {
        f64::from_bits(u64::from(bits & !3) << 32)
    } else {
        f64::from(bits.cast_signed() >> 2)
    };
    let is_hundredths = bits & 1 == 1;
    Data::Float(if is_hundredths { value / 100.0 } else { value })
}

/// Reads the value of a formula (MS-XLS 2.5.133); nothing where it is a text.
fn calculated(value: &[u8]) -> Option<Data> {
    match *value {
        [1, _, value, _, _, _, 0xFF, 0xFF] => Some(Data::Bool(value != 0)),
        [2, _, value, _, _, _, 0xFF, 0xFF] => error(value),
        [.., 0xFF, 0xFF] => None,
        _ => number(value),
    }
}

fn error(number: u8) -> Option<Data> {
    let error = match number {
        0x00 => CellErrorType::Null,
        0x07 => CellErrorType::Div0,
        0x0F => CellErrorType::Value,
        0x17 => CellErrorType::Ref,
        0x1D => CellErrorType::Name,
        0x24 => CellErrorType::Num,
        0x2A => CellErrorType::NA,
        0x2B => CellErrorType::GettingData,
        _ => return None,
    };
    Some(Data::Error(error))
}
