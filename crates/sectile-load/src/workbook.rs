//! The sheets of a workbook, written one after the other.

mod hidden;
mod messages;

use sectile_core::{Document, Format, Heading, Metadata, Span};
use serde_json::{Map, Value};

use crate::Limits;
use crate::blocks::{Block, join};
use crate::failure::Failure;
use crate::grid::{Grid, begin};
use crate::omissions::MISSING_SHEETS;
use crate::one_line::one_line;
pub(crate) use hidden::HiddenLines;
#[cfg(feature = "xlsx")]
pub(crate) use messages::range_name;
pub(crate) use messages::{Message, cells};

/// Sheets are the top of a workbook's outline: nothing stands above them.
const SHEET_LEVEL: u8 = 1;

/// The names in `Metadata::extra` of what is known of the sheets.
const SHEETS: &str = "sheets";
const HIDDEN_SHEETS: &str = "hidden_sheets";
const HIDDEN_ROWS: &str = "hidden_rows";
const HIDDEN_COLUMNS: &str = "hidden_columns";
const SPARSE_SHEETS: &str = "sparse_sheets";

/// A sheet that was read.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    pub(crate) name: String,
    pub(crate) is_hidden: bool,
    /// The rows and columns that it hides.
    pub(crate) hidden: HiddenLines,
    pub(crate) grid: Grid,
    pub(crate) comments: Vec<Comment>,
    /// What stands on the sheet beside its cells.
    pub(crate) beside: Vec<Block>,
}

/// A comment on a cell.
#[derive(Debug, Default)]
pub(crate) struct Comment {
    /// The name of the cell.
    pub(crate) cell: String,
    pub(crate) author: String,
    pub(crate) text: String,
}

/// The text of a workbook while its sheets are read.
#[derive(Debug)]
pub(crate) struct Workbook<'a> {
    limits: &'a Limits,
    text: String,
    outline: Vec<Heading>,
    names: Vec<String>,
    hidden: Vec<String>,
    /// How many rows and columns with text the sheets hide, by their names.
    hidden_rows: Map<String, Value>,
    hidden_columns: Map<String, Value>,
    sparse: Vec<String>,
    missing: Vec<String>,
}

impl<'a> Workbook<'a> {
    pub(crate) fn new(limits: &'a Limits) -> Self {
        Self {
            limits,
            text: String::new(),
            outline: Vec::new(),
            names: Vec::new(),
            hidden: Vec::new(),
            hidden_rows: Map::new(),
            hidden_columns: Map::new(),
            sparse: Vec::new(),
            missing: Vec::new(),
        }
    }

    /// Returns whether a sheet with these cells is still within the limit: a text that a few bytes of
    /// the file name a million times is not.
    pub(crate) fn check(&self, grid: &Grid) -> Result<(), Failure> {
        self.check_with(grid, 0)
    }

    /// Returns whether a sheet with these cells, and with so many `more` bytes of others, is still within the limit.
    pub(crate) fn check_with(&self, grid: &Grid, more: u64) -> Result<(), Failure> {
        let limit = self.limits.inflated_bytes;
        let bytes = (self.text.len() + grid.bytes()) as u64;
        if bytes.saturating_add(more) <= limit {
            return Ok(());
        }
        Err(Failure::Limit {
            what: "the bytes of the text of a workbook",
            limit,
        })
    }

    /// Notes that the file has no part of a sheet, and what the sheet is where that is known.
    #[cfg(feature = "xlsx")]
    pub(crate) fn note_missing(&mut self, name: &str, kind: Option<&str>) {
        let name = one_line(name).replace('\0', "\u{FFFD}");
        let kind = kind.map(|kind| format!(" ({kind})")).unwrap_or_default();
        self.missing.push(name + &kind);
    }

    /// Writes a sheet below its name.
    pub(crate) fn add(&mut self, mut sheet: Sheet) -> Result<(), Failure> {
        self.check(&sheet.grid)?;
        let name = one_line(&sheet.name).replace('\0', "\u{FFFD}");
        self.heading(&name);
        if sheet.grid.write(&mut self.text) {
            self.sparse.push(name.clone());
        }
        if sheet.is_hidden {
            self.hidden.push(name.clone());
        }
        let (rows, columns) = sheet.hidden.filled(&sheet.grid);
        add_count(&mut self.hidden_rows, &name, rows);
        add_count(&mut self.hidden_columns, &name, columns);
        self.names.push(name);
        let mut blocks = sheet.beside;
        blocks.extend(sheet.comments.iter().map(Comment::block));
        if !blocks.is_empty() {
            begin(&mut self.text);
            self.text.push_str(&join(&blocks));
            self.text.push('\n');
        }
        Ok(())
    }

    fn heading(&mut self, name: &str) {
        begin(&mut self.text);
        let start = self.text.len();
        self.text.push_str("# ");
        self.text.push_str(name);
        self.text.push('\n');
        self.outline.push(Heading {
            level: SHEET_LEVEL,
            title: name.into(),
            span: Span::new(start, self.text.len()),
        });
    }

    /// Makes a document of the sheets.
    pub(crate) fn finish(self, format: Format, mut metadata: Metadata) -> Document {
        for (key, names) in [
            (SHEETS, self.names),
            (HIDDEN_SHEETS, self.hidden),
            (SPARSE_SHEETS, self.sparse),
            (MISSING_SHEETS, self.missing),
        ] {
            if !names.is_empty() {
                metadata.extra.insert(key.into(), Value::from(names));
            }
        }
        for (key, counts) in [
            (HIDDEN_ROWS, self.hidden_rows),
            (HIDDEN_COLUMNS, self.hidden_columns),
        ] {
            if !counts.is_empty() {
                metadata.extra.insert(key.into(), counts.into());
            }
        }
        Document {
            text: self.text,
            format,
            outline: self.outline,
            pages: Vec::new(),
            metadata,
        }
    }
}

/// Adds how many lines a sheet of this name hides, if it hides any.
fn add_count(counts: &mut Map<String, Value>, name: &str, count: usize) {
    if count > 0 {
        let before = counts.get(name).and_then(Value::as_u64).unwrap_or_default();
        counts.insert(name.into(), (before + count as u64).into());
    }
}

impl Comment {
    fn block(&self) -> Block {
        let (author, text) = (one_line(&self.author), one_line(&self.text));
        let by = if author.is_empty() {
            String::new()
        } else {
            format!(" by {author}")
        };
        // Excel begins a comment with the name of its author.
        let own = text.strip_prefix(author.as_str());
        let own = own.and_then(|rest| rest.strip_prefix(": "));
        let comment = format!("Comment on {}{by}: {}", self.cell, own.unwrap_or(&text));
        Block::Text(comment.replace('\0', "\u{FFFD}"))
    }
}
