//! Excel workbooks, written as Markdown tables.

mod biff;
mod binary;
mod compound;
mod controls;
mod links;
mod page_setup;
mod parts;
mod rich_values;
mod spreadsheet_xml;
mod styled;
mod summary;
mod threads;
mod validations;
mod worksheet;
mod xlsb;

use std::path::Path;

use sectile_core::{Document, Format, Metadata};
use serde_json::Value;

use crate::blocks::Block;
use crate::failure::Failure;
use crate::grid::Grid;
use crate::loader::with_source;
use crate::opc::{Package, Relationship, related};
use crate::workbook::{Sheet, Workbook};
use crate::{Error, Limits, LoadOptions, Loader, archive, drawing};
use parts::{Named, SharedStrings, SheetList};
use worksheet::Context;

/// Where the main part stands when nothing in the package says so.
const USUAL_MAIN_PART: &str = "xl/workbook.xml";

/// What workbooks of before 2007 begin with.
const COMPOUND_FILE: &[u8] = b"\xD0\xCF\x11\xE0";

/// The name in `Metadata::extra` of the number of formulas without a value.
const FORMULAS_WITHOUT_VALUE: &str = "formulas_without_value";

/// Loads Excel workbooks: `.xlsx`, `.xlsm` and `.xltx`, `.xlsb`, `.xls` of before 2007, and the XML of Excel 2003
/// (`.xml`, `.xls`).
///
/// Each sheet is a section of level 1, as nothing stands above it, with its cells as a Markdown
/// table whose head is the first row. A title in a row of its own stands above the table, and a row
/// below an empty one that looks like a head begins another table. Rows and columns without text
/// are left out. Hidden sheets, rows and columns are loaded: `hidden_sheets` in the metadata names them, and `hidden_rows`
/// and `hidden_columns` count those with text, by the names of their sheets.
///
/// Dates are those of ISO 8601. Numbers are as they are shown, by the sections, conditions, words,
/// units and scales of their formats; one that is only rounded or grouped is in full, without the
/// noise of binary fractions, and a whole one has all the digits of the file. A negative number has a minus where
/// others show parentheses or a colour. A formula has the value that it had when the file was saved; one without is
/// written as it is, and counted in the metadata. A picture in a cell is its alternative text, and a stock or another
/// rich value what it shows. A merged cell has its text in the first of its places. A cell that leads to an address is
/// a Markdown link, but for those of `.xls` and `.xlsb`. Text boxes, the numbers of charts, the alternative texts of
/// pictures, the prompts and error messages of cells, and
/// comments stand below the table. The heads and feet of printed pages are left out, and in `running_lines`. Charts of `.xls` are not read; `charts_left_out` in the metadata counts them, and
/// `formulas_left_out` the formulas of an `.xls` that no program has calculated. A sheet
/// that cannot be read is named in `damaged_parts`, and one of which the file has no part, as of modules of macros, in
/// `missing_sheets`; of `.xls`, the whole file is refused.
///
/// A sheet with a few cells far apart is written as a list of cells, and `sparse_sheets` in the metadata lists it.
/// The cells of `.xls` and `.xlsb` are parsed by a crate that does not bound its memory. An `.xls` whose cells stand too
/// far apart for it, or that claims much more than it holds, never reaches it: we read its cells ourselves. Still, load
/// files of unknown origin in [worker processes](crate::Workers).
#[derive(Clone, Debug, Default)]
pub struct XlsxLoader {
    options: LoadOptions,
}

impl XlsxLoader {
    /// Creates a loader with these options.
    pub fn new(options: LoadOptions) -> Self {
        Self { options }
    }
}

impl Loader for XlsxLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let limits = &self.options.limits;
        let document = if bytes.starts_with(COMPOUND_FILE) {
            binary::load_xls(bytes, path, limits)?
        } else if spreadsheet_xml::is_one(bytes) {
            parse_xml(bytes, limits).map_err(|failure| failure.into_error(path, Format::Xlsx))?
        } else {
            let fail = |failure: Failure| failure.into_error(path, Format::Xlsx);
            let package = Package::open(bytes, limits).map_err(fail)?;
            if package.has(xlsb::MAIN_PART) && !package.has(USUAL_MAIN_PART) {
                xlsb::load(bytes, path, package, limits)?
            } else {
                parse(package, limits).map_err(fail)?
            }
        };
        Ok(with_source(document, bytes))
    }
}

fn parse(mut package: Package, limits: &Limits) -> Result<Document, Failure> {
    let main = package.main_part(USUAL_MAIN_PART)?;
    let list = SheetList::read(&package.read(&main)?)?;
    let relationships = package.relationships(&main)?;
    let part = |package: &mut Package, kind: &str, usual: &str| {
        let named = related(&relationships, kind).filter(|name| package.has(name));
        named.unwrap_or_else(|| usual.into())
    };
    let strings = part(&mut package, "sharedStrings", "xl/sharedStrings.xml");
    let styles = part(&mut package, "styles", "xl/styles.xml");
    let rich = rich_values::Parts {
        metadata: part(&mut package, "sheetMetadata", "xl/metadata.xml"),
        values: part(&mut package, "rdRichValue", "xl/richData/rdrichvalue.xml"),
        structures: part(
            &mut package,
            "rdRichValueStructure",
            "xl/richData/rdrichvaluestructure.xml",
        ),
    };
    let mut context = Context {
        rich: rich_values::read(&mut package, &rich)?,
        strings: package.secondary(&strings, SharedStrings::read)?,
        formats: package.secondary(&styles, parts::read_formats)?,
        is_1904: list.is_1904,
        ..Context::default()
    };
    let mut metadata = package.metadata()?;
    let mut workbook = Workbook::new(limits);
    for (index, named) in list.sheets.into_iter().enumerate() {
        let part = part_of(&named, index, &relationships);
        let sheet = if package.has(&part) {
            read_sheet(&mut package, &part, named, &mut context, &workbook)?
        } else {
            workbook.note_missing(&named.name, kind_of(&named, &relationships));
            Sheet {
                name: named.name,
                is_hidden: named.is_hidden,
                ..Sheet::default()
            }
        };
        workbook.add(sheet)?;
    }
    note_formulas(&mut metadata, context.formulas);
    context.running.write_into(&mut metadata);
    if context.lacks_strings {
        package.note_damage(&strings);
    }
    package.name_omissions(&mut metadata);
    Ok(workbook.finish(Format::Xlsx, metadata))
}

/// Returns the name of the part of a sheet. A workbook that has lost its relationships has the part where it usually
/// stands, unless it is that of another sheet.
fn part_of(sheet: &Named, index: usize, relationships: &[Relationship]) -> String {
    if let Some(found) = relationship_of(sheet, relationships) {
        return found.part.clone();
    }
    let usual = format!("xl/worksheets/sheet{}.xml", index + 1);
    let is_taken = relationships.iter().any(|one| one.part == usual);
    if is_taken { String::new() } else { usual }
}

fn relationship_of<'a>(
    sheet: &Named,
    relationships: &'a [Relationship],
) -> Option<&'a Relationship> {
    relationships
        .iter()
        .find(|one| one.id == sheet.relationship)
}

/// Says what a sheet is that is none of cells, if that is known.
fn kind_of(sheet: &Named, relationships: &[Relationship]) -> Option<&'static str> {
    // Excel keeps the modules of workbooks of before 1997 so.
    if sheet.relationship.is_empty() {
        return Some("a module of macros");
    }
    match relationship_of(sheet, relationships)?.kind.as_str() {
        "xlMacrosheet" | "xlIntlMacrosheet" => Some("a macro sheet"),
        "dialogsheet" => Some("a dialog"),
        "chartsheet" => Some("a chart"),
        _ => None,
    }
}

/// Reads a workbook in the XML of Excel 2003.
fn parse_xml(bytes: &[u8], limits: &Limits) -> Result<Document, Failure> {
    let xml = archive::decode(bytes.to_vec());
    let mut workbook = Workbook::new(limits);
    let found = spreadsheet_xml::read(&xml, &mut workbook)?;
    let mut metadata = found.metadata;
    note_formulas(&mut metadata, found.formulas);
    Ok(workbook.finish(Format::Xlsx, metadata))
}

/// Says how many formulas have no value, if there are any.
fn note_formulas(metadata: &mut Metadata, count: u64) {
    if count > 0 {
        let count = Value::from(count);
        metadata.extra.insert(FORMULAS_WITHOUT_VALUE.into(), count);
    }
}

/// Reads a sheet, as far as it is sound, and what stands beside its cells.
fn read_sheet(
    package: &mut Package,
    part: &str,
    named: Named,
    context: &mut Context,
    workbook: &Workbook,
) -> Result<Sheet, Failure> {
    let mut grid = Grid::default();
    let relationships = package.relationships(part)?;
    package.note_objects(&relationships);
    let read = package.read(part).and_then(|xml| {
        context.links = links::read(&xml, &relationships);
        worksheet::read(&xml, &mut grid, context, workbook)
    });
    match read {
        Err(failure) if failure.is_damage() => package.note_damage(part),
        other => other?,
    }
    let comments = match related(&relationships, "comments") {
        Some(name) => package.secondary(&name, parts::read_comments)?,
        None => Vec::new(),
    };
    let comments = threads::resolve(package, &relationships, comments)?;
    let mut beside = match related(&relationships, "drawing") {
        Some(name) => read_drawing(package, &name)?,
        None => Vec::new(),
    };
    controls::add(package, &relationships, &mut beside)?;
    beside.append(&mut context.messages);
    Ok(Sheet {
        name: named.name,
        is_hidden: named.is_hidden,
        hidden: std::mem::take(&mut context.hidden),
        grid,
        comments,
        beside,
    })
}

/// Reads the text boxes, charts and diagrams of a sheet.
fn read_drawing(package: &mut Package, name: &str) -> Result<Vec<Block>, Failure> {
    let mut blocks = package.secondary(name, drawing::paragraphs)?;
    for relationship in package.relationships(name)? {
        let read = match relationship.kind.as_str() {
            "chart" | "chartEx" => package.chart(&relationship.part)?,
            "diagramData" => package.secondary(&relationship.part, drawing::paragraphs)?,
            _ => continue,
        };
        blocks.extend(read);
    }
    Ok(blocks)
}
