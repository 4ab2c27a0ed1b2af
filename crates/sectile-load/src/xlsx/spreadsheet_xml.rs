//! Workbooks in the XML of Excel 2003 (SpreadsheetML): all sheets in one file.

use std::collections::HashMap;

use memchr::memmem;
use sectile_core::Metadata;

use super::validations;
use super::worksheet::{COLUMNS, ROWS, iso};
use crate::failure::Failure;
use crate::grid::cell_name;
use crate::link::link;
use crate::number::{plain, serial, with_all_digits};
use crate::number_format::NumberFormat;
use crate::one_line::one_line;
use crate::superscript::PendingRise;
use crate::workbook::{Comment, Sheet, Workbook};
use crate::xml::{Element, Node, Walk};

/// The namespace of workbooks, and how far into a file it may stand.
const NAMESPACE: &[u8] = b"urn:schemas-microsoft-com:office:spreadsheet";
const LOOKED_AT: usize = 65_536;

/// The style of cells that name none.
const DEFAULT_STYLE: &str = "Default";

/// Formats that have a name in place of a code. Those that only round a number or group its digits are not among them.
const NAMED: [(&str, &str); 13] = [
    ("General Date", "yyyy-mm-dd hh:mm"),
    ("Long Date", "yyyy-mm-dd"),
    ("Medium Date", "yyyy-mm-dd"),
    ("Short Date", "yyyy-mm-dd"),
    ("Long Time", "hh:mm:ss"),
    ("Medium Time", "hh:mm:ss"),
    ("Short Time", "hh:mm:ss"),
    ("Currency", "$#,##0.00"),
    ("Euro Currency", "[$€-2]\\ #,##0.00"),
    ("Percent", "0.00%"),
    ("Yes/No", "\"Yes\";\"Yes\";\"No\""),
    ("On/Off", "\"On\";\"On\";\"Off\""),
    ("True/False", "\"TRUE\";\"TRUE\";\"FALSE\""),
];

/// Formats with names that show numbers in full.
const IN_FULL: [&str; 5] = [
    "General",
    "General Number",
    "Fixed",
    "Standard",
    "Scientific",
];

/// What a file has beside its sheets.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) metadata: Metadata,
    /// How many formulas have no value, and are written as they are.
    pub(super) formulas: u64,
}

/// An open element, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Properties,
    Property,
    Sheet,
    Visibility,
    Cell,
    Comment,
    Data,
    /// A part of a text that is raised.
    Raised,
    Other,
}

/// A cell while it is read.
#[derive(Debug, Default)]
struct Open {
    column: u32,
    style: Option<String>,
    formula: String,
    /// Where the cell leads to.
    link: String,
    kind: String,
    value: String,
    pending_rise: PendingRise,
    comment: Option<Comment>,
}

/// The style that the cells of some columns have.
#[derive(Debug)]
struct Columns {
    first: u32,
    last: u32,
    style: String,
}

/// The walk over a file.
struct Reader<'w, 'l> {
    workbook: &'w mut Workbook<'l>,
    found: Found,
    open: Vec<Place>,
    formats: HashMap<String, NumberFormat>,
    /// The style that is being defined.
    style: String,
    is_1904: bool,
    /// The name and the text of the property that is being read.
    property: String,
    text: String,
    sheet: Option<Sheet>,
    columns: Vec<Columns>,
    row: u32,
    row_style: Option<String>,
    cell: Option<Open>,
    /// The row and the columns that come next where none is given.
    next_row: u32,
    next_column: u32,
    next_columns: u32,
}

/// Returns whether a file is such a workbook.
pub(super) fn is_one(bytes: &[u8]) -> bool {
    let beginning = &bytes[..bytes.len().min(LOOKED_AT)];
    !bytes.starts_with(b"PK") && memmem::find(beginning, NAMESPACE).is_some()
}

/// Reads the sheets into `workbook`.
pub(super) fn read(xml: &str, workbook: &mut Workbook) -> Result<Found, Failure> {
    let mut walk = Walk::new(xml);
    let mut reader = Reader {
        workbook,
        found: Found::default(),
        open: Vec::new(),
        formats: HashMap::new(),
        style: String::new(),
        is_1904: false,
        property: String::new(),
        text: String::new(),
        sheet: None,
        columns: Vec::new(),
        row: 0,
        row_style: None,
        cell: None,
        next_row: 0,
        next_column: 0,
        next_columns: 0,
    };
    loop {
        match walk.next()? {
            // How to pronounce a text is no part of it.
            Node::Open(element) if element.name() == "PhoneticText" => walk.skip()?,
            Node::Open(element) if element.name() == "DataValidation" => {
                let said = validations::read_rule(&mut walk)?;
                if let Some(sheet) = &mut reader.sheet {
                    sheet.beside.extend(said);
                }
            }
            Node::Open(element) => {
                let place = reader.open(&element);
                reader.open.push(place);
            }
            Node::Text(text) => reader.text(&text),
            Node::Close => {
                if let Some(place) = reader.open.pop() {
                    reader.close(place)?;
                }
            }
            Node::End => return Ok(reader.found),
        }
    }
}

impl Reader<'_, '_> {
    fn open(&mut self, element: &Element) -> Place {
        let is_in_cell = self.cell.is_some();
        match element.name() {
            "DocumentProperties" => return Place::Properties,
            name if self.open.last() == Some(&Place::Properties) => {
                name.clone_into(&mut self.property);
                self.text.clear();
                return Place::Property;
            }
            "Date1904" => self.is_1904 = true,
            "Style" => self.begin_style(element),
            "NumberFormat" if self.sheet.is_none() => {
                let format = format(&element.attribute("Format").unwrap_or_default());
                self.formats.insert(self.style.clone(), format);
            }
            "Worksheet" if self.sheet.is_none() => {
                self.begin_sheet(element);
                return Place::Sheet;
            }
            "Visible" if !is_in_cell => {
                self.text.clear();
                return Place::Visibility;
            }
            "Column" if !is_in_cell => self.add_columns(element),
            "Row" if !is_in_cell => self.begin_row(element),
            "Cell" if !is_in_cell && self.sheet.is_some() => {
                self.begin_cell(element);
                return Place::Cell;
            }
            "Comment" if is_in_cell => {
                self.begin_comment(element);
                return Place::Comment;
            }
            "Data" if is_in_cell => {
                self.begin_data(element);
                return Place::Data;
            }
            "Sup" => return Place::Raised,
            _ => {}
        }
        Place::Other
    }

    /// Begins a style, which is as its parent where it says nothing else.
    fn begin_style(&mut self, element: &Element) {
        self.style = element.attribute("ID").unwrap_or_default();
        let parent = element.attribute("Parent");
        let parent = parent.and_then(|parent| self.formats.get(&parent).cloned());
        let format = parent.unwrap_or_default();
        self.formats.insert(self.style.clone(), format);
    }

    fn begin_sheet(&mut self, element: &Element) {
        self.sheet = Some(Sheet {
            name: element.attribute("Name").unwrap_or_default(),
            ..Sheet::default()
        });
        self.columns.clear();
        (self.next_row, self.next_column, self.next_columns) = (0, 0, 0);
    }

    /// Notes the style of the cells of some columns, which stand in order.
    fn add_columns(&mut self, element: &Element) {
        let first = index(element, COLUMNS).unwrap_or(self.next_columns);
        let last = first.saturating_add(count(element, "Span"));
        if let (true, Some(sheet)) = (is_hidden(element), &mut self.sheet) {
            sheet.hidden.add_columns(first, last);
        }
        if let Some(style) = element.attribute("StyleID")
            && first >= self.next_columns
            && first < COLUMNS
        {
            self.columns.push(Columns { first, last, style });
        }
        self.next_columns = self.next_columns.max(last.saturating_add(1));
    }

    fn begin_row(&mut self, element: &Element) {
        self.row = index(element, ROWS).unwrap_or(self.next_row);
        let more = count(element, "Span");
        if let (true, Some(sheet)) = (is_hidden(element), &mut self.sheet) {
            sheet
                .hidden
                .add_rows(self.row, self.row.saturating_add(more));
        }
        self.next_row = self.row.saturating_add(more).saturating_add(1);
        self.next_column = 0;
        self.row_style = element.attribute("StyleID");
    }

    fn begin_cell(&mut self, element: &Element) {
        let column = index(element, COLUMNS).unwrap_or(self.next_column);
        let covered = count(element, "MergeAcross");
        self.next_column = column.saturating_add(covered).saturating_add(1);
        self.cell = Some(Open {
            column,
            style: element.attribute("StyleID"),
            formula: element.attribute("Formula").unwrap_or_default(),
            link: element.attribute("HRef").unwrap_or_default(),
            ..Open::default()
        });
    }

    fn begin_comment(&mut self, element: &Element) {
        if let Some(cell) = &mut self.cell {
            cell.comment = Some(Comment {
                cell: cell_name(self.row, cell.column),
                author: element.attribute("Author").unwrap_or_default(),
                text: String::new(),
            });
        }
    }

    fn begin_data(&mut self, element: &Element) {
        let is_in_comment = self.open.contains(&Place::Comment);
        if let Some(cell) = self.cell.as_mut().filter(|_| !is_in_comment) {
            cell.kind = element.attribute("Type").unwrap_or_default();
        }
    }

    fn text(&mut self, text: &str) {
        if matches!(self.open.last(), Some(Place::Property | Place::Visibility)) {
            self.text.push_str(text);
            return;
        }
        let is_in = |place| self.open.contains(&place);
        let (is_in_data, is_in_comment) = (is_in(Place::Data), is_in(Place::Comment));
        let is_raised = is_in(Place::Raised);
        let Some(cell) = self.cell.as_mut().filter(|_| is_in_data) else {
            return;
        };
        match &mut cell.comment {
            Some(comment) if is_in_comment => comment.text.push_str(text),
            _ => cell.pending_rise.push(&mut cell.value, text, is_raised),
        }
    }

    fn close(&mut self, place: Place) -> Result<(), Failure> {
        match place {
            Place::Property => self.set_property(),
            Place::Visibility => {
                let is_hidden = self.text.trim() != "SheetVisible";
                if let Some(sheet) = &mut self.sheet {
                    sheet.is_hidden = is_hidden;
                }
            }
            Place::Cell => return self.end_cell(),
            Place::Sheet => {
                if let Some(sheet) = self.sheet.take() {
                    return self.workbook.add(sheet);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn set_property(&mut self) {
        let value = one_line(&self.text).replace('\0', "\u{FFFD}");
        if value.is_empty() {
            return;
        }
        let metadata = &mut self.found.metadata;
        match self.property.as_str() {
            "Title" => metadata.title = Some(value),
            "Author" => metadata.author = Some(value),
            "Created" => metadata.created = Some(value),
            "LastSaved" => metadata.modified = Some(value),
            name @ ("Subject" | "Keywords" | "Description" | "Category") => {
                metadata.extra.insert(name.to_lowercase(), value.into());
            }
            _ => {}
        }
    }

    fn end_cell(&mut self) -> Result<(), Failure> {
        let Some(mut cell) = self.cell.take() else {
            return Ok(());
        };
        cell.pending_rise.finish(&mut cell.value);
        let (text, is_text) = if cell.kind.is_empty() && !cell.formula.is_empty() {
            self.found.formulas += 1;
            (cell.formula, false)
        } else {
            shown(&cell.kind, &cell.value, self.format_of(&cell), self.is_1904)
        };
        let text = if cell.link.contains(':') {
            link(&text, &cell.link)
        } else {
            text
        };
        let Some(sheet) = &mut self.sheet else {
            return Ok(());
        };
        let comment = cell.comment.take();
        let said = comment.filter(|comment| !comment.text.trim().is_empty());
        sheet.comments.extend(said);
        sheet.grid.push(self.row, cell.column, &text, is_text);
        self.workbook.check(&sheet.grid)
    }

    /// Returns the format of a cell: that of its own style, or else of its row's, its column's or that of all.
    fn format_of(&self, cell: &Open) -> Option<&NumberFormat> {
        let after = self
            .columns
            .partition_point(|columns| columns.first <= cell.column);
        let of_column = self.columns[..after].last();
        let of_column = of_column
            .filter(|columns| cell.column <= columns.last)
            .map(|columns| &columns.style);
        let own = cell.style.as_ref().or(self.row_style.as_ref());
        let style = own.or(of_column).map_or(DEFAULT_STYLE, String::as_str);
        self.formats.get(style)
    }
}

/// Returns the place that an element gives itself, from 0, where a sheet has it.
fn index(element: &Element, end: u32) -> Option<u32> {
    let index: u32 = element.attribute("Index")?.trim().parse().ok()?;
    (1..=end).contains(&index).then(|| index - 1)
}

/// Returns a number of rows or columns beside the first one.
fn count(element: &Element, name: &str) -> u32 {
    let count = element.attribute(name);
    count
        .and_then(|count| count.trim().parse().ok())
        .unwrap_or(0)
}

/// Returns whether rows or columns are hidden.
fn is_hidden(element: &Element) -> bool {
    element.attribute("Hidden").as_deref() == Some("1")
}

/// Reads the name or the code of a format.
fn format(code: &str) -> NumberFormat {
    if IN_FULL.contains(&code) {
        return NumberFormat::default();
    }
    let mut named = NAMED.iter();
    let named = named.find(|(name, _)| *name == code);
    NumberFormat::parse(named.map_or(code, |(_, code)| code))
}

/// Returns the text of a cell, and whether it is words.
fn shown(kind: &str, value: &str, format: Option<&NumberFormat>, is_1904: bool) -> (String, bool) {
    let source = value.trim();
    let show = |number: f64| match format {
        Some(format) => format.show(number, is_1904),
        None => plain(number),
    };
    match kind {
        "Number" => match source.parse() {
            Ok(number) => {
                let text = show(number);
                (with_all_digits(&text, source).to_owned(), false)
            }
            Err(_) => (source.to_owned(), true),
        },
        "DateTime" => {
            let is_styled = format.is_some_and(|format| *format != NumberFormat::default());
            let number = serial(source, is_1904).filter(|_| is_styled);
            let whole_seconds = source.strip_suffix(".000").unwrap_or(source);
            (number.map_or_else(|| iso(whole_seconds), show), false)
        }
        "Boolean" if source == "0" => ("FALSE".to_owned(), false),
        "Boolean" if source == "1" => ("TRUE".to_owned(), false),
        "Boolean" | "Error" => (source.to_owned(), false),
        _ => match format {
            Some(format) => (format.show_text(value).into_owned(), true),
            None => (value.to_owned(), true),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_as_their_formats_show_them() {
        let check = |kind: &str, value: &str, code: &str, expected: &str| {
            let format = format(code);
            assert_eq!(shown(kind, value, Some(&format), false).0, expected);
        };
        check("Number", "0.125", "Percent", "12.50%");
        check("Number", "-3.5", "Currency", "-$3.50");
        check("Number", "1234.567", "Standard", "1234.567");
        check("Number", "0", "Yes/No", "No");
        check("Number", "7.", "", "7");
        check("Number", "n/a", "", "n/a");
        check(
            "DateTime",
            "2024-02-29T00:00:00.000",
            "Short Date",
            "2024-02-29",
        );
        check(
            "DateTime",
            "2024-02-29T12:30:00.000",
            "",
            "2024-02-29 12:30:00",
        );
        check("DateTime", "1899-12-31T06:15:00.000", "h:mm", "06:15:00");
        check(
            "DateTime",
            "1900-01-01T12:00:00.000",
            "[h]:mm:ss",
            "36:00:00",
        );
        check("DateTime", "soon", "Short Date", "soon");
        check("Boolean", "1", "", "TRUE");
        check("Error", "#DIV/0!", "0.0", "#DIV/0!");
        check("String", "5a", "\"Nr. \"@", "Nr. 5a");
    }
}
