//! The records of workbooks of before 2007 (MS-XLS): how much memory their cells take, and what stands beside
//! these. The cells themselves are read by the crate `calamine`, or in `cells.rs` where they stand too far apart for it.

pub(super) mod cells;
pub(super) mod code_page;
mod formats;
mod hidden;
mod links;
mod notes;
mod running;
mod strings;
mod validations;

use super::compound::{u16_at, u32_at};
use super::styled::{Formats, Styled};
use super::worksheet::Links;
use crate::code_pages::CodePage;
use crate::running_lines::RunningLines;
use crate::workbook::HiddenLines;
use notes::{Beside, Notes};

/// The types of records.
const FORMULA: u16 = 0x0006;
const END: u16 = 0x000A;
const NAME: u16 = 0x0018;
const PASSWORD: u16 = 0x002F;
const CONTINUE: u16 = 0x003C;
const CODE_PAGE: u16 = 0x0042;
const SHEET: u16 = 0x0085;
const MANY_NUMBERS: u16 = 0x00BD;
const RICH_LABEL: u16 = 0x00D6;
const SHARED_STRINGS: u16 = 0x00FC;
const SHARED_LABEL: u16 = 0x00FD;
const DIMENSIONS: u16 = 0x0200;
const NUMBER: u16 = 0x0203;
const LABEL: u16 = 0x0204;
const ERROR: u16 = 0x0205;
const FORMULA_STRING: u16 = 0x0207;
const PACKED_NUMBER: u16 = 0x027E;
const BEGIN: u16 = 0x0809;

/// How many rows and columns a sheet may have.
const MAX_ROWS: u32 = 1 << 16;
const MAX_COLUMNS: u32 = 1 << 8;

/// The memory that `calamine` uses for each place between the first and the last cell of a sheet, used
/// or not: for values, which it copies, and for formulas.
const PLACE_BYTES: u64 = 2 * 32 + 24;

/// How many bytes of a formula a name in it takes at least.
const NAME_IN_FORMULA: u64 = 5;

/// What is found out about a workbook.
#[derive(Debug, Default)]
pub(super) struct Book {
    pub(super) is_encrypted: bool,
    /// Whether it is one of before Excel 97.
    pub(super) is_old: bool,
    /// How its texts are read, if it is old.
    pub(super) page: Option<CodePage>,
    /// The number of its code page, if it is old and the code page is not known.
    pub(super) unknown_page: Option<u16>,
    /// An estimate, in bytes, of what the texts of its cells take at most.
    pub(super) text: u64,
    /// An estimate, in bytes, of what `calamine` takes for its cells at most: their texts, and all places between them.
    pub(super) memory: u64,
    /// What stands beside the cells of each sheet.
    pub(super) beside: Vec<Beside>,
    pub(super) formats: Formats,
    /// The formats of the cells of each sheet.
    pub(super) styled: Vec<Styled>,
    /// Where the cells of each sheet lead to.
    pub(super) links: Vec<Links>,
    /// The rows and columns that each sheet hides.
    pub(super) hidden: Vec<HiddenLines>,
    pub(super) formulas: Formulas,
    /// The heads and feet of its printed pages.
    pub(super) running: RunningLines,
}

/// How many formulas of a workbook have a value, and how many an empty text in its place.
#[derive(Debug, Default)]
pub(super) struct Formulas {
    with_value: usize,
    empty: usize,
}

impl Formulas {
    fn add(&mut self, records: Records<'_>) {
        for (_, content) in top(records).filter(|(kind, _)| *kind == FORMULA) {
            let is_empty = matches!(content.get(6..14), Some([3, .., 0xFF, 0xFF]));
            self.with_value += usize::from(!is_empty);
            self.empty += usize::from(is_empty);
        }
    }

    /// Returns the number of formulas without a calculated value: all, if none has a value. An empty text beside
    /// values is a value itself.
    pub(super) fn left_out(&self) -> usize {
        if self.with_value == 0 { self.empty } else { 0 }
    }
}

/// The records of a stream: the type and the content of each. They end where the stream is cut off.
#[derive(Clone)]
struct Records<'a>(&'a [u8]);

impl<'a> Iterator for Records<'a> {
    type Item = (u16, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let (kind, length) = (u16_at(self.0, 0)?, u16_at(self.0, 2)?);
        let (content, rest) = self.0[4..].split_at_checked(length.into())?;
        self.0 = rest;
        Some((kind, content))
    }
}

/// What the records before the sheets say.
#[derive(Default)]
struct Globals {
    is_encrypted: bool,
    is_old: bool,
    code_page: Option<u16>,
    sheets: Vec<usize>,
    /// The maximum number of bytes that each shared string takes.
    strings: Vec<u64>,
    /// The maximum number of bytes that a name of a sheet or of cells takes.
    longest_name: u64,
    formats: Formats,
}

impl Book {
    /// Reads the stream of a workbook, no further than to where the texts of its cells take more memory than `limit`.
    pub(super) fn read(stream: &[u8], limit: u64) -> Self {
        let globals = Globals::read(stream);
        let number = globals.code_page.filter(|_| globals.is_old);
        let is_unknown = |number: &u16| CodePage::of((*number).into()).is_none();
        let mut book = Self {
            is_encrypted: globals.is_encrypted,
            is_old: globals.is_old,
            unknown_page: number.filter(is_unknown),
            page: globals.page(),
            ..Self::default()
        };
        for &start in &globals.sheets {
            let sheet = Records(stream.get(start..).unwrap_or_default());
            let memory = Memory::of_sheet(sheet.clone(), &globals);
            book.text = book.text.saturating_add(memory.text);
            book.memory = book.memory.saturating_add(memory.total());
            if book.text > limit {
                break;
            }
            book.formulas.add(sheet.clone());
            book.styled
                .push(formats::of_sheet(sheet.clone(), &globals.formats));
            book.links.push(links::of_sheet(sheet.clone()));
            running::add(sheet.clone(), book.page, &mut book.running);
            book.hidden.push(hidden::of_sheet(sheet.clone()));
            let mut beside = Notes::of_sheet(sheet.clone(), globals.is_old);
            beside.boxes.extend(validations::of_sheet(sheet));
            book.beside.push(beside);
        }
        book.formats = globals.formats;
        book
    }
}

impl Globals {
    fn read(stream: &[u8]) -> Self {
        let mut globals = Self::default();
        let mut records = Records(stream);
        while let Some((kind, content)) = records.next() {
            let byte = |at: usize| content.get(at).copied().unwrap_or_default();
            match kind {
                BEGIN => globals.is_old = is_old(content),
                CODE_PAGE => globals.code_page = u16_at(content, 0),
                PASSWORD => globals.is_encrypted |= content.iter().any(|byte| *byte != 0),
                SHEET => {
                    globals
                        .sheets
                        .extend(u32_at(content, 0).map(|start| start as usize));
                    globals.note_name(byte(6));
                }
                NAME => globals.note_name(byte(3)),
                SHARED_STRINGS => {
                    globals.strings = strings::sizes(shared(content, records.clone()));
                }
                END => break,
                _ => {
                    let page = globals.page();
                    formats::add(&mut globals.formats, kind, content, page);
                }
            }
        }
        globals
    }

    /// Returns how the texts of a workbook of before Excel 97 are read; nothing for others.
    fn page(&self) -> Option<CodePage> {
        let of_number = |number: u16| CodePage::of(number.into());
        let page = self.code_page.and_then(of_number).unwrap_or_default();
        self.is_old.then_some(page)
    }

    /// Returns the most bytes that the text of a cell takes; nothing for what is not a cell.
    fn text_of(&self, kind: u16, content: &[u8]) -> Option<u64> {
        let letters = 3 * content.len() as u64;
        Some(match kind {
            NUMBER | ERROR | PACKED_NUMBER | MANY_NUMBERS => 0,
            LABEL | RICH_LABEL | FORMULA_STRING => letters,
            FORMULA => {
                let names = content.len() as u64 / NAME_IN_FORMULA;
                letters.saturating_add(names.saturating_mul(self.longest_name))
            }
            SHARED_LABEL => {
                let index = u32_at(content, 6).unwrap_or_default() as usize;
                self.strings.get(index).copied().unwrap_or_default()
            }
            _ => return None,
        })
    }

    fn note_name(&mut self, letters: u8) {
        self.longest_name = self.longest_name.max(3 * u64::from(letters));
    }
}

/// Returns the pieces of the shared strings: what their record has, and what those after it go on with.
fn shared<'s>(content: &'s [u8], after: Records<'s>) -> Vec<&'s [u8]> {
    let mut pieces = vec![content.get(8..).unwrap_or_default()];
    let more = after.take_while(|(kind, _)| *kind == CONTINUE);
    pieces.extend(more.map(|(_, content)| content));
    pieces
}

/// Returns whether a record begins a workbook of before Excel 97, as the parser says it.
fn is_old(content: &[u8]) -> bool {
    match u16_at(content, 0) {
        Some(0) => u16_at(content, 2) == Some(0x1000),
        version => matches!(version, Some(2 | 7 | 0x0200 | 0x0300 | 0x0400 | 0x0500)),
    }
}

/// The memory that the cells of a sheet take.
#[derive(Default)]
struct Memory {
    /// The first and the last row and column with a cell.
    rows: Option<(u64, u64)>,
    columns: (u64, u64),
    text: u64,
    /// Whether the sheet claims more cells than a sheet can have, for which the parser makes room.
    claims_too_much: bool,
}

impl Memory {
    /// Estimates what the cells of a sheet take, in bytes.
    fn of_sheet(records: Records<'_>, globals: &Globals) -> Self {
        let mut memory = Self::default();
        for (kind, content) in top(records) {
            memory.claims_too_much |= kind == DIMENSIONS && claims_too_much(content);
            // A sheet may be named again and again.
            memory.text = memory.text.saturating_add(content.len() as u64);
            memory.add(kind, content, globals);
        }
        memory
    }

    /// Returns what the parser takes, in bytes.
    fn total(&self) -> u64 {
        if self.claims_too_much {
            return u64::MAX;
        }
        let places = self.rows.map_or(0, |(first, last)| {
            (last - first + 1) * (self.columns.1 - self.columns.0 + 1)
        });
        places.saturating_mul(PLACE_BYTES).saturating_add(self.text)
    }

    /// Adds the cell or cells of a record, if it has any.
    fn add(&mut self, kind: u16, content: &[u8], globals: &Globals) {
        let Some(text) = globals.text_of(kind, content) else {
            return;
        };
        self.text = self.text.saturating_add(text);
        let end = content.len().saturating_sub(2);
        match kind {
            // It belongs to the formula before it.
            FORMULA_STRING => {}
            MANY_NUMBERS => self.note(content, u16_at(content, end).unwrap_or_default()),
            _ => self.note(content, u16_at(content, 2).unwrap_or_default()),
        }
    }

    /// Notes a cell in the row and the column that a record begins with, and one in another column.
    fn note(&mut self, content: &[u8], column: u16) {
        let (Some(row), Some(first)) = (u16_at(content, 0), u16_at(content, 2)) else {
            return;
        };
        let (row, first, other) = (row.into(), u64::from(first), column.into());
        let (low, high) = (first.min(other), first.max(other));
        (self.rows, self.columns) = match self.rows {
            None => (Some((row, row)), (low, high)),
            Some((top, bottom)) => (
                Some((top.min(row), bottom.max(row))),
                (self.columns.0.min(low), self.columns.1.max(high)),
            ),
        };
    }
}

/// Returns whether a record claims that its sheet has more cells than a sheet can have.
fn claims_too_much(content: &[u8]) -> bool {
    let short = |at| u16_at(content, at).unwrap_or_default().into();
    let long = |at| u32_at(content, at).unwrap_or_default();
    let (first, last, columns) = if content.len() == 10 {
        (short(0), short(2), short(6))
    } else {
        (long(0), long(4), short(10))
    };
    let is_reversed = last > 0 && columns > 0 && last < first;
    is_reversed || last > MAX_ROWS || columns > MAX_COLUMNS
}

/// Returns the records of a sheet itself, and not those of charts in it.
fn top(records: Records<'_>) -> impl Iterator<Item = (u16, &[u8])> {
    let mut depth = 0_usize;
    let of_sheet = records.map_while(move |(kind, content)| {
        let is_top = depth <= 1;
        match kind {
            BEGIN => depth += 1,
            END if is_top => return None,
            END => depth -= 1,
            _ => {}
        }
        Some((is_top, kind, content))
    });
    of_sheet.filter_map(|(is_top, kind, content)| is_top.then_some((kind, content)))
}
