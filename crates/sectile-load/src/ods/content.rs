//! The sheets of a spreadsheet.

use std::collections::HashSet;

use super::messages::Messages;
use super::value::shown;
use crate::blocks::Block;
use crate::failure::Failure;
use crate::grid::{Grid, cell_name};
use crate::link::link_end;
use crate::one_line::one_line;
use crate::open_document::forms::{self, Controls};
use crate::open_document::{Drawings, Object, Objects, formula, rise};
use crate::superscript::{PendingRise, Rise};
use crate::workbook::{Comment, Sheet, Workbook};
use crate::xml::{Element, Node, Walk};

/// How many spaces one element stands for at most.
const MAX_SPACES: usize = 1_000;

/// The last row and column that sheets have.
const ROWS: u32 = 1 << 20;
const COLUMNS: u32 = 1 << 14;

/// A cell while it is read.
#[derive(Debug, Default)]
struct Open {
    kind: String,
    value: Option<String>,
    text: String,
    comment: Option<Comment>,
    repeated: u32,
    pending_rise: PendingRise,
    /// Where the text of an open link begins, and where it leads to.
    link: Option<(usize, String)>,
}

/// A cell with text, which stands in several columns where it is repeated.
#[derive(Debug)]
struct Cell {
    column: u32,
    repeated: u32,
    text: String,
    is_text: bool,
}

/// An open element, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Style,
    Table,
    /// A group of rows or columns, which may be hidden.
    Group {
        is_hidden: bool,
    },
    Row,
    Cell,
    Annotation,
    Creator,
    /// When a comment was written, which is not part of its text.
    Date,
    Paragraph,
    /// A part of a text that is raised.
    Raised,
    /// A part of the text of a cell that leads to an address.
    Link,
    /// A shape on the sheet, whose text belongs to no cell.
    Drawing,
    /// The title of a picture, and its description.
    PictureTitle,
    PictureDescription,
    Other,
}

/// The walk over the content.
#[derive(Default)]
struct Reader<'o, 'a> {
    objects: Option<&'o mut Objects<'a>>,
    drawings: Drawings,
    /// What the controls of forms show.
    controls: Controls,
    /// The paragraph of a shape being read.
    paragraph: String,
    /// How many cells stand beyond the end of the sheet.
    left_out: u64,
    open: Vec<Place>,
    style: String,
    hidden_styles: HashSet<String>,
    raised_styles: HashSet<String>,
    sheet: Option<Sheet>,
    cell: Option<Open>,
    /// The messages of data validation.
    messages: Messages,
    /// The cells of the row being read.
    cells: Vec<Cell>,
    row: u32,
    column: u32,
    row_repeated: u32,
    /// The first column that has not been described.
    next_column: u32,
}

/// Reads the sheets into `workbook`. Returns how many cells stand beyond the end of their sheet.
pub(super) fn read(
    xml: &str,
    workbook: &mut Workbook,
    objects: &mut Objects,
) -> Result<u64, Failure> {
    let mut walk = Walk::new(xml);
    let mut reader = Reader {
        objects: Some(objects),
        controls: forms::read(xml)?,
        ..Reader::default()
    };
    loop {
        match walk.next()? {
            // Earlier versions, and what scripts hold, are not on the sheets.
            Node::Open(element) if matches!(element.name(), "tracked-changes" | "scripts") => {
                walk.skip()?;
            }
            Node::Open(element) if element.name() == "content-validations" => {
                reader.messages.read(&mut walk)?;
            }
            Node::Open(element) if element.name() == "math" => {
                let formula = formula(&mut walk, &element)?;
                if let (Some(sheet), false) = (&mut reader.sheet, formula.is_empty()) {
                    sheet.beside.push(Block::Text(formula));
                }
            }
            Node::Open(element) => {
                let place = reader.open(&element);
                reader.open.push(place);
            }
            Node::Text(text) => reader.text(&text),
            Node::Close => {
                if let Some(place) = reader.open.pop() {
                    reader.close(place, workbook)?;
                }
            }
            Node::End => return Ok(reader.left_out),
        }
    }
}

impl Reader<'_, '_> {
    fn open(&mut self, element: &Element) -> Place {
        if let Some(place) = self.open_part_of_sheet(element) {
            return place;
        }
        match element.name() {
            "style" => {
                self.style = element.attribute("name").unwrap_or_default();
                Place::Style
            }
            "table-properties" => {
                if element.attribute("display").as_deref() == Some("false") {
                    self.hidden_styles.insert(std::mem::take(&mut self.style));
                }
                Place::Other
            }
            "text-properties" => {
                let position = element.attribute("text-position").unwrap_or_default();
                if rise(&position) == Rise::Raised {
                    self.raised_styles.insert(self.style.clone());
                }
                Place::Other
            }
            "span" => {
                let style = element.attribute("style-name").unwrap_or_default();
                if self.raised_styles.contains(&style) {
                    Place::Raised
                } else {
                    Place::Other
                }
            }
            "frame" | "custom-shape" | "g" | "rect" | "ellipse" | "circle" | "line"
            | "connector" | "polygon" | "polyline" | "path" | "caption" | "regular-polygon"
            | "measure" | "control"
                if !self.open.contains(&Place::Annotation) =>
            {
                self.drawings.begin(element);
                if element.name() == "control" {
                    self.add_control(element);
                }
                Place::Drawing
            }
            "title" if self.open.last() == Some(&Place::Drawing) => Place::PictureTitle,
            "desc" if self.open.last() == Some(&Place::Drawing) => Place::PictureDescription,
            "image" => {
                self.drawings.add_picture();
                Place::Other
            }
            "object" if self.is_in_drawing() => {
                self.add_object(element);
                Place::Other
            }
            "object-ole" => {
                self.drawings.add_object();
                let part = element.attribute("href").unwrap_or_default();
                if let Some(objects) = &mut self.objects {
                    objects.pass_over(&part);
                }
                Place::Other
            }
            "annotation" => {
                if let Some(cell) = &mut self.cell {
                    cell.comment = Some(Comment::default());
                }
                Place::Annotation
            }
            "creator" => Place::Creator,
            "date" | "date-string" if self.open.contains(&Place::Annotation) => Place::Date,
            "p" => {
                self.text("\n");
                Place::Paragraph
            }
            "s" => {
                let count = element.attribute("c").and_then(|count| count.parse().ok());
                self.text(&" ".repeat(count.unwrap_or(1).min(MAX_SPACES)));
                Place::Other
            }
            "a" if !self.is_in_drawing() && !self.open.contains(&Place::Annotation) => {
                self.open_link(element);
                Place::Link
            }
            "tab" | "line-break" => {
                self.text(" ");
                Place::Other
            }
            _ => Place::Other,
        }
    }

    /// Begins a sheet, or rows, columns or cells of it.
    fn open_part_of_sheet(&mut self, element: &Element) -> Option<Place> {
        Some(match element.name() {
            "table" if self.sheet.is_none() => {
                let style = element.attribute("style-name").unwrap_or_default();
                self.sheet = Some(Sheet {
                    name: element.attribute("name").unwrap_or_default(),
                    is_hidden: self.hidden_styles.contains(&style),
                    ..Sheet::default()
                });
                (self.row, self.next_column) = (0, 0);
                Place::Table
            }
            "table-row-group" | "table-column-group" => Place::Group {
                is_hidden: element.attribute("display").as_deref() == Some("false"),
            },
            _ if self.cell.is_some() || self.is_in_drawing() => return None,
            "table-column" => {
                self.pass_columns(element);
                Place::Other
            }
            "table-row" => {
                self.column = 0;
                self.row_repeated = repeated(element, "number-rows-repeated");
                if self.is_hidden(element)
                    && let Some(sheet) = &mut self.sheet
                {
                    let last = self.row.saturating_add(self.row_repeated - 1);
                    sheet.hidden.add_rows(self.row, last);
                }
                Place::Row
            }
            "table-cell" | "covered-table-cell" => {
                let cell = begin_cell(element);
                let times = u64::from(cell.repeated) * u64::from(self.row_repeated);
                self.messages.note(element, (self.row, self.column), times);
                self.cell = Some(cell);
                Place::Cell
            }
            _ => return None,
        })
    }

    fn is_in_drawing(&self) -> bool {
        self.open.contains(&Place::Drawing)
    }

    /// Returns whether an element hides its rows or columns, or a group around it does.
    fn is_hidden(&self, element: &Element) -> bool {
        let visibility = element.attribute("visibility");
        matches!(visibility.as_deref(), Some("collapse" | "filter"))
            || self.open.contains(&Place::Group { is_hidden: true })
    }

    /// Takes the description of some columns, which may hide them.
    fn pass_columns(&mut self, element: &Element) {
        let first = self.next_column;
        self.next_column = first.saturating_add(repeated(element, "number-columns-repeated"));
        if self.is_hidden(element)
            && let Some(sheet) = &mut self.sheet
        {
            sheet.hidden.add_columns(first, self.next_column - 1);
        }
    }

    /// Begins a link in a cell of words, unless it leads to a place in the file.
    fn open_link(&mut self, element: &Element) {
        let target = element.attribute("href").unwrap_or_default();
        let Some(cell) = &mut self.cell else { return };
        let is_words = matches!(cell.kind.as_str(), "" | "string");
        if is_words && target.contains(':') {
            cell.pending_rise.finish(&mut cell.text);
            cell.link = Some((cell.text.len(), target));
        }
    }

    fn close_link(&mut self) {
        let Some(cell) = &mut self.cell else { return };
        cell.pending_rise.finish(&mut cell.text);
        if let Some((start, target)) = cell.link.take() {
            link_end(&mut cell.text, start, &target);
        }
    }

    /// Adds what a control of a form shows, once.
    fn add_control(&mut self, element: &Element) {
        let id = element.attribute("control").unwrap_or_default();
        if let (Some(shown), Some(sheet)) = (self.controls.remove(&id), &mut self.sheet) {
            sheet.beside.push(Block::Text(shown));
        }
    }

    /// Reads a chart, or another object on the sheet.
    fn add_object(&mut self, element: &Element) {
        self.drawings.add_object();
        let part = element.attribute("href").unwrap_or_default();
        let objects = self.objects.as_mut();
        let object = objects.and_then(|objects| objects.read(&part));
        if let (Some(object), Some(sheet)) = (object, &mut self.sheet) {
            match object {
                Object::Formula(formula) => sheet.beside.push(Block::Text(formula)),
                Object::Blocks(blocks) => sheet.beside.extend(blocks),
            }
        }
    }

    fn text(&mut self, text: &str) {
        if self.is_in_drawing() {
            match self.open.last() {
                Some(Place::PictureTitle) => self.drawings.add_title(text),
                Some(Place::PictureDescription) => self.drawings.add_description(text),
                _ if self.open.contains(&Place::Paragraph) => self.paragraph.push_str(text),
                _ => {}
            }
            return;
        }
        let Some(cell) = &mut self.cell else {
            return;
        };
        match (&mut cell.comment, self.open.last()) {
            (_, Some(Place::Date)) => {}
            (Some(comment), Some(Place::Creator)) => comment.author.push_str(text),
            (Some(comment), _) if self.open.contains(&Place::Annotation) => {
                comment.text.push_str(text);
            }
            (_, last) => {
                let is_raised = last == Some(&Place::Raised);
                cell.pending_rise.push(&mut cell.text, text, is_raised);
            }
        }
    }

    fn close(&mut self, place: Place, workbook: &mut Workbook) -> Result<(), Failure> {
        match place {
            Place::Cell => self.end_cell(),
            Place::Link => self.close_link(),
            Place::Paragraph if self.is_in_drawing() => {
                let text = one_line(&std::mem::take(&mut self.paragraph));
                if let (Some(sheet), false) = (&mut self.sheet, text.is_empty()) {
                    sheet.beside.push(Block::Text(text));
                }
            }
            Place::Drawing => {
                let shown = self.drawings.end();
                if let (Some(shown), Some(sheet)) = (shown, &mut self.sheet) {
                    sheet.beside.push(shown);
                }
            }
            Place::Row => return self.end_row(workbook),
            Place::Table => {
                if let Some(mut sheet) = self.sheet.take() {
                    sheet.beside.extend(self.messages.end_sheet());
                    return workbook.add(sheet);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn end_cell(&mut self) {
        let (Some(mut cell), Some(sheet)) = (self.cell.take(), &mut self.sheet) else {
            return;
        };
        cell.pending_rise.finish(&mut cell.text);
        let comment = cell
            .comment
            .filter(|comment| !comment.text.trim().is_empty());
        if let Some(mut comment) = comment {
            comment.cell = cell_name(self.row, self.column);
            sheet.comments.push(comment);
        }
        let (text, is_text) = shown(&cell.kind, cell.value.as_deref(), &cell.text);
        if !text.trim().is_empty() {
            self.cells.push(Cell {
                column: self.column,
                repeated: cell.repeated,
                text,
                is_text,
            });
            let room = COLUMNS - self.column;
            self.left_out += u64::from(cell.repeated.saturating_sub(room));
        }
        self.column = self.column.saturating_add(cell.repeated).min(COLUMNS);
    }

    fn end_row(&mut self, workbook: &Workbook) -> Result<(), Failure> {
        let cells = std::mem::take(&mut self.cells);
        let Some(sheet) = &mut self.sheet else {
            return Ok(());
        };
        let last = self.row.saturating_add(self.row_repeated).min(ROWS);
        if !cells.is_empty() {
            let beyond = self.row_repeated.saturating_sub(ROWS - self.row);
            self.left_out += u64::from(beyond) * cells.len() as u64;
            let columns =
                |cell: &Cell| cell.column..cell.column.saturating_add(cell.repeated).min(COLUMNS);
            // Before they are repeated: a few bytes of the file can stand for a billion cells.
            let of_cell =
                |cell: &Cell| columns(cell).len() as u64 * Grid::bytes_of_cell(&cell.text) as u64;
            let of_row: u64 = cells.iter().map(of_cell).fold(0, u64::saturating_add);
            let rows = u64::from(last - self.row);
            workbook.check_with(&sheet.grid, rows.saturating_mul(of_row))?;
            for row in self.row..last {
                for cell in &cells {
                    for column in columns(cell) {
                        sheet.grid.push(row, column, &cell.text, cell.is_text);
                    }
                }
            }
        }
        self.row = last;
        Ok(())
    }
}

fn begin_cell(element: &Element) -> Open {
    let kind = element.attribute("value-type").unwrap_or_default();
    let value = match kind.as_str() {
        "date" => element.attribute("date-value"),
        "time" => element.attribute("time-value"),
        "boolean" => element.attribute("boolean-value"),
        "string" => element.attribute("string-value"),
        _ => element.attribute("value"),
    };
    Open {
        kind,
        value,
        repeated: repeated(element, "number-columns-repeated"),
        ..Open::default()
    }
}

fn repeated(element: &Element, name: &str) -> u32 {
    let count = element.attribute(name).and_then(|count| count.parse().ok());
    count.unwrap_or(1).max(1)
}
