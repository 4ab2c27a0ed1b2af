//! Binary workbooks: the crate `calamine` reads their cells.

mod records;
mod relisted;

use std::collections::HashMap;
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use calamine::{Data, DataRef, Reader, SheetType, Xlsb, XlsbError};
use sectile_core::{Document, Format};

use super::binary::{self, Read, Show};
use super::controls;
use super::page_setup;
use super::read_drawing;
use super::threads;
use crate::failure::Failure;
use crate::grid::Grid;
use crate::isolate::on_large_stack;
use crate::opc::{Package, related};
use crate::running_lines::RunningLines;
use crate::workbook::{Sheet, Workbook};
use crate::{Error, Limits};

pub(super) const MAIN_PART: &str = "xl/workbook.bin";

/// What `calamine` keeps of the parts in memory as a whole, whatever they inflate to.
const KEPT: [&str; 3] = [MAIN_PART, "xl/sharedStrings.bin", STYLES];

const STYLES: &str = "xl/styles.bin";

type Source<'a> = Xlsb<Cursor<&'a [u8]>>;

/// Loads a binary workbook.
pub(super) fn load(
    bytes: &[u8],
    path: &Path,
    package: Package,
    limits: &Limits,
) -> Result<Document, Error> {
    let read = on_large_stack(|| read(bytes, package, limits));
    binary::finish(read, path, Format::Xlsx)
}

fn read(bytes: &[u8], mut package: Package, limits: &Limits) -> Read {
    if let Err(failure) = check(&mut package) {
        return Ok(Err(failure));
    }
    let relisted = match relisted::relisted(&mut package) {
        Err(failure) if !failure.is_damage() => return Ok(Err(failure)),
        // The parser says what is wrong with it.
        relisted => relisted.ok().flatten(),
    };
    let (bytes, lost) = relisted.as_ref().map_or((bytes, &[][..]), |relisted| {
        (relisted.bytes.as_slice(), relisted.lost.as_slice())
    });
    let mut source = Xlsb::new(Cursor::new(bytes))?;
    Ok(read_sheets(&mut source, package, lost, limits))
}

/// Refuses a workbook of which more is kept in memory than the limits allow.
fn check(package: &mut Package) -> Result<(), Failure> {
    for part in KEPT {
        match package.read_bytes(part) {
            Err(failure) if !failure.is_damage() => return Err(failure),
            // The parser says what is wrong with it.
            _ => {}
        }
    }
    Ok(())
}

fn read_sheets(
    source: &mut Source,
    mut package: Package,
    lost: &[String],
    limits: &Limits,
) -> Result<Document, Failure> {
    let mut metadata = package.metadata()?;
    let parts = parts(&mut package)?;
    let main = part(&mut package, MAIN_PART)?;
    let formats = records::formats(&main, &part(&mut package, STYLES)?);
    let mut workbook = Workbook::new(limits);
    let mut running = RunningLines::default();
    for name in source.sheets_metadata().to_vec() {
        let part = parts.get(&name.name).unwrap_or(&name.name).clone();
        let has_cells = name.typ == SheetType::WorkSheet;
        let mut sheet = binary::named(name);
        if !package.has(&part) {
            workbook.note_missing(&sheet.name, None);
        } else if has_cells {
            let bytes = self::part(&mut package, &part)?;
            sheet.hidden = records::hidden(&bytes);
            sheet.beside = records::validations(&bytes);
            for line in records::running(&bytes) {
                running.add(page_setup::plain(&line));
            }
            let show = Show {
                formats: &formats,
                styled: &records::styled(&bytes, &formats),
                links: &records::links(&bytes, &package.relationships(&part)?),
            };
            let (title, grid) = (&sheet.name, &mut sheet.grid);
            // On this stack: a second large one beside it does not fit into little memory.
            let read = || read_cells(source, title, grid, &workbook, show);
            match catch_unwind(AssertUnwindSafe(read)) {
                Ok(Ok(read)) => read?,
                _ => package.note_damage(&part),
            }
        }
        read_beside(&mut package, &part, &mut sheet)?;
        workbook.add(sheet)?;
    }
    for name in lost {
        workbook.note_missing(name, None);
    }
    running.write_into(&mut metadata);
    package.name_omissions(&mut metadata);
    Ok(workbook.finish(Format::Xlsx, metadata))
}

/// Reads a part that is not needed: nothing where it is damaged.
fn part(package: &mut Package, name: &str) -> Result<Vec<u8>, Failure> {
    match package.read_bytes(name) {
        Err(failure) if failure.is_damage() => Ok(Vec::new()),
        other => other,
    }
}

/// Returns the part of each sheet, by the sheet's name.
fn parts(package: &mut Package) -> Result<HashMap<String, String>, Failure> {
    let list = records::sheets(&package.read_bytes(MAIN_PART)?);
    let relationships = package.relationships(MAIN_PART)?;
    let part = |sheet: records::Listed| {
        let found = relationships
            .iter()
            .find(|one| one.id == sheet.relationship)?;
        Some((sheet.name, found.part.clone()))
    };
    Ok(list.into_iter().filter_map(part).collect())
}

/// Reads the cells of a sheet, as far as they are sound.
fn read_cells(
    source: &mut Source,
    title: &str,
    grid: &mut Grid,
    workbook: &Workbook,
    show: Show<'_>,
) -> Result<Result<(), Failure>, XlsbError> {
    let mut cells = source.worksheet_cells_reader(title)?;
    while let Some(cell) = cells.next_cell()? {
        let (row, column) = cell.get_position();
        let value: DataRef = cell.get_value().clone();
        show.push(grid, row, column, &Data::from(value));
        if let Err(failure) = workbook.check(grid) {
            return Ok(Err(failure));
        }
    }
    Ok(Ok(()))
}

/// Reads the comments, text boxes and charts of a sheet. The boxes and charts stand before the messages of cells.
fn read_beside(package: &mut Package, part: &str, sheet: &mut Sheet) -> Result<(), Failure> {
    let relationships = package.relationships(part)?;
    if let Some(name) = related(&relationships, "comments") {
        match package.read_bytes(&name) {
            Ok(bytes) => sheet.comments = records::comments(&bytes),
            Err(failure) if failure.is_damage() => package.note_damage(&name),
            Err(failure) => return Err(failure),
        }
    }
    let comments = std::mem::take(&mut sheet.comments);
    sheet.comments = threads::resolve(package, &relationships, comments)?;
    if let Some(name) = related(&relationships, "drawing") {
        let messages = std::mem::replace(&mut sheet.beside, read_drawing(package, &name)?);
        sheet.beside.extend(messages);
    }
    controls::add(package, &relationships, &mut sheet.beside)
}
