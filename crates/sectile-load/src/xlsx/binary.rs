//! Workbooks of before 2007, whose cells the crate `calamine` reads unless they stand too far apart for it, and what it
//! says of cells.

use std::borrow::Cow;
use std::io::Cursor;
use std::path::Path;

use calamine::{
    CellErrorType, Data, ExcelDateTime, Reader, Sheet as Name, SheetVisible, Xls, XlsError,
    XlsOptions,
};
use sectile_core::{Document, Format, Metadata};

use super::biff::Book;
use super::biff::cells::Sheets;
use super::biff::code_page::{OF_PARSER, text, value as meant};
use super::compound::Compound;
use super::styled::{Formats, Styled};
use super::summary;
use super::worksheet::Links;
use crate::Error;
use crate::Limits;
use crate::error::Cause;
use crate::failure::Failure;
use crate::grid::Grid;
use crate::isolate::on_large_stack;
use crate::link::link;
use crate::number::{DateParts, date, plain};
use crate::omissions::{CHARTS_LEFT_OUT, FORMULAS_LEFT_OUT};
use crate::workbook::{Sheet, Workbook};

/// The code page of UTF-16.
const UTF_16: u16 = 1200;

/// The parser's error, or ours.
pub(super) type Read = Result<Result<Document, Failure>, Cause>;

/// Loads a workbook of before 2007.
pub(super) fn load_xls(bytes: &[u8], path: &Path, limits: &Limits) -> Result<Document, Error> {
    finish(on_large_stack(|| xls(bytes, limits)), path, Format::Xls)
}

/// Names the file in what was read of it.
pub(super) fn finish(
    read: Result<Read, Cause>,
    path: &Path,
    format: Format,
) -> Result<Document, Error> {
    let read = read.and_then(|read| read);
    let is_locked = |cause: &Cause| matches!(cause.downcast_ref(), Some(XlsError::Password));
    match read {
        Err(cause) if is_locked(&cause) => Err(Error::Encrypted {
            path: path.into(),
            is_wrong: false,
        }),
        Err(cause) => Err(Error::parse(path, format, cause)),
        Ok(document) => document.map_err(|failure| failure.into_error(path, format)),
    }
}

/// Returns how the parser reads the texts of a workbook: since Excel 97 they are UTF-16, whatever its code page.
fn options(is_old: bool) -> XlsOptions {
    let mut options = XlsOptions::default();
    options.force_codepage = Some(if is_old { OF_PARSER } else { UTF_16 });
    options
}

fn xls(bytes: &[u8], limits: &Limits) -> Read {
    let (mut book, apart) = match checked(bytes, limits) {
        Ok(checked) => checked,
        Err(failure) => return Ok(Err(failure)),
    };
    let charts: usize = book.beside.iter().map(|sheet| sheet.charts).sum();
    let mut workbook = Workbook::new(limits);
    let added = match apart {
        Some(stream) => add_apart(&stream, &mut book, &mut workbook),
        None => add_parsed(bytes, &mut book, &mut workbook)?,
    };
    if let Err(failure) = added {
        return Ok(Err(failure));
    }
    let mut metadata =
        Compound::open(bytes).map_or_else(Metadata::default, |file| summary::read(&file));
    let left_out = [
        (CHARTS_LEFT_OUT, charts),
        (FORMULAS_LEFT_OUT, book.formulas.left_out()),
    ];
    for (name, count) in left_out.into_iter().filter(|(_, count)| *count > 0) {
        metadata.extra.insert(name.into(), count.into());
    }
    book.running.write_into(&mut metadata);
    Ok(Ok(workbook.finish(Format::Xls, metadata)))
}

/// Adds the sheets as the parser reads them.
fn add_parsed(
    bytes: &[u8],
    book: &mut Book,
    workbook: &mut Workbook,
) -> Result<Result<(), Failure>, Cause> {
    let mut source = Xls::new_with_options(Cursor::new(bytes), options(book.is_old))?;
    let page = book.page.unwrap_or_default();
    for (index, name) in source.sheets_metadata().to_vec().into_iter().enumerate() {
        let range = source.worksheet_range(&name.name)?;
        let (top, left) = range.start().unwrap_or_default();
        let cells = range.used_cells().map(|(row, column, value)| {
            let (row, column) = (top + row as u32, left + column as u32);
            (row, column, meant(page, value))
        });
        let mut sheet = named(name);
        if book.is_old {
            sheet.name = text(page, &sheet.name);
        }
        if let Err(failure) = add(sheet, cells, index, book, workbook) {
            return Ok(Err(failure));
        }
    }
    Ok(Ok(()))
}

/// Adds the sheets of a workbook whose cells stand too far apart for the parser.
fn add_apart(stream: &[u8], book: &mut Book, workbook: &mut Workbook) -> Result<(), Failure> {
    let sheets = Sheets::new(stream, book.page);
    for (index, (sheet, cells)) in sheets.read().enumerate() {
        let cells = cells.into_iter();
        let cells = cells.map(|(row, column, value)| (row, column, Cow::Owned(value)));
        add(sheet, cells, index, book, workbook)?;
    }
    Ok(())
}

/// Adds a sheet with its cells, and with what stands beside them.
fn add<'v>(
    mut sheet: Sheet,
    cells: impl Iterator<Item = (u32, u32, Cow<'v, Data>)>,
    index: usize,
    book: &mut Book,
    workbook: &mut Workbook,
) -> Result<(), Failure> {
    let beside = book.beside.get_mut(index).map(std::mem::take);
    let beside = beside.unwrap_or_default();
    (sheet.comments, sheet.beside) = (beside.comments, beside.boxes);
    let hidden = book.hidden.get_mut(index).map(std::mem::take);
    sheet.hidden = hidden.unwrap_or_default();
    if let Some(page) = book.page {
        for comment in &mut sheet.comments {
            comment.text = text(page, &comment.text);
        }
    }
    let (unstyled, unlinked) = (Styled::default(), Links::new());
    let show = Show {
        formats: &book.formats,
        styled: book.styled.get(index).unwrap_or(&unstyled),
        links: book.links.get(index).unwrap_or(&unlinked),
    };
    for (row, column, value) in cells {
        show.push(&mut sheet.grid, row, column, &value);
        workbook.check(&sheet.grid)?;
    }
    workbook.add(sheet)
}

/// Refuses a workbook that would be expanded to much more than the file has, and returns what each sheet has in addition
/// to the values of its cells; the stream, too, if the cells stand too far apart for the parser.
fn checked(bytes: &[u8], limits: &Limits) -> Result<(Book, Option<Vec<u8>>), Failure> {
    const DAMAGED: Failure = Failure::Damaged("its table of sectors is damaged");
    let file = Compound::open(bytes).ok_or(DAMAGED)?;
    let (mut found, mut of_found) = (Book::default(), Vec::new());
    let limit = limits.inflated_bytes.saturating_mul(2);
    let mut is_apart = false;
    // The parser takes the second one where the first is not there, or is damaged.
    for name in ["Book", "Workbook"] {
        let stream = file.stream(name).ok_or(DAMAGED)?;
        let book = Book::read(&stream, limit);
        if book.is_encrypted {
            return Err(Failure::Encrypted);
        }
        if let Some(page) = book.unknown_page {
            let reason = format!(
                "its texts are in code page {page}, which cannot be read; save it as .xlsx"
            );
            return Err(Failure::Unsupported(reason));
        }
        if book.text > limit {
            let what = "the memory for the cells of a workbook";
            return Err(Failure::Limit { what, limit });
        }
        is_apart |= book.memory > limit;
        if !book.beside.is_empty() {
            (found, of_found) = (book, stream);
        }
    }
    Ok((found, is_apart.then_some(of_found)))
}

pub(super) fn named(name: Name) -> Sheet {
    Sheet {
        is_hidden: name.visible != SheetVisible::Visible,
        name: name.name,
        ..Sheet::default()
    }
}

/// How the cells of a sheet are shown.
#[derive(Clone, Copy)]
pub(super) struct Show<'a> {
    pub(super) formats: &'a Formats,
    pub(super) styled: &'a Styled,
    /// Where cells lead to.
    pub(super) links: &'a Links,
}

impl Show<'_> {
    /// Adds a cell, shown in its format.
    pub(super) fn push(self, grid: &mut Grid, row: u32, column: u32, value: &Data) {
        let format = self.formats.of(self.styled, row, column);
        let number = |value: f64| match format {
            Some(format) => format.show(value, self.formats.is_1904),
            None => plain(value),
        };
        let target = self.links.get(&(row, column));
        let mut push = |text: &str, is_text| match target {
            Some(target) => grid.push(row, column, &link(text, target), is_text),
            None => grid.push(row, column, text, is_text),
        };
        match value {
            Data::Empty => {}
            Data::String(text) => match format {
                Some(format) => push(&format.show_text(text), true),
                None => push(text, true),
            },
            Data::Int(value) => push(&number(*value as f64), false),
            Data::Float(value) => push(&number(*value), false),
            Data::Bool(value) => push(if *value { "TRUE" } else { "FALSE" }, false),
            Data::DateTime(moment) if format.is_some() => push(&number(moment.as_f64()), false),
            Data::DateTime(moment) => push(&shown(moment), false),
            Data::DateTimeIso(text) | Data::DurationIso(text) => push(text, false),
            Data::Error(error) => push(named_error(error), false),
        }
    }
}

/// Writes a moment: one at midnight as a date alone, one before the first day as a time alone.
fn shown(moment: &ExcelDateTime) -> String {
    let serial = moment.as_f64();
    let parts = DateParts {
        year: serial >= 1.0,
        month: serial >= 1.0,
        day: serial >= 1.0,
        time: serial.fract() != 0.0,
        elapsed: moment.is_duration(),
        decimals: 0,
    };
    // The crate does not say which dates count from 1904; its own years do.
    let (year, month, day, ..) = moment.to_ymd_hms_milli();
    match date(serial, parts, false) {
        Some(text) if parts.year && !parts.elapsed => {
            let time = text.split_once(' ').map_or("", |(_, time)| time);
            format!("{year:04}-{month:02}-{day:02} {time}")
        }
        Some(text) => text,
        None => plain(serial),
    }
}

fn named_error(error: &CellErrorType) -> &'static str {
    match error {
        CellErrorType::Div0 => "#DIV/0!",
        CellErrorType::NA => "#N/A",
        CellErrorType::Name => "#NAME?",
        CellErrorType::Null => "#NULL!",
        CellErrorType::Num => "#NUM!",
        CellErrorType::Ref => "#REF!",
        CellErrorType::Value => "#VALUE!",
        CellErrorType::GettingData => "#GETTING_DATA",
    }
}
