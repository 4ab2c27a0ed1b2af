//! The tables of a vocabulary: HTML's, as JATS has them, those of CALS, as `DocBook` has, and TEI's.

use super::inline;
use super::names;
use super::tree::Tree;
use crate::blocks::Cell;

/// How many columns a cell may span, and the last column in which one may span rows or be named:
/// a small file could make a table of any size.
const MAX_COLUMNS: usize = 100;

/// How many rows a cell may span.
const MAX_ROWS: usize = 65_536;

/// Returns the rows of a table; nothing when it has none.
pub(super) fn table(tree: &Tree, at: usize) -> Option<Vec<Vec<Cell>>> {
    let mut places = Places::default();
    let mut rows = Vec::new();
    let within = tree.inside(at);
    let mut next = within.start;
    while next < within.end {
        let inside = next;
        next += 1;
        match tree.name(inside) {
            Some("tgroup") => places = Places::default(),
            Some("thead" | "tbody" | "tfoot") => places.covered.clear(),
            Some("colspec") => places.name_column(tree, inside),
            Some("spanspec") => places.name_span(tree, inside),
            Some(name) if names::is_row(name) => {
                rows.push(places.row(tree, inside));
                // The rows of a table in a cell stand in that cell.
                next = tree.inside(inside).end;
            }
            _ => {}
        }
    }
    rows.retain(|row| row.iter().any(|cell| !cell.text.is_empty()));
    (!rows.is_empty()).then_some(rows)
}

/// Where the cells of a table stand.
#[derive(Debug, Default)]
struct Places {
    /// The names of the columns, in CALS.
    columns: Vec<String>,
    /// The names of spans, and their first and last columns.
    spans: Vec<(String, (usize, usize))>,
    /// In how many more rows each column is covered by a cell from above.
    covered: Vec<usize>,
}

impl Places {
    fn name_column(&mut self, tree: &Tree, at: usize) {
        let name = attribute(tree, at, "colname").unwrap_or_default();
        if name.is_empty() || !self.columns.iter().any(|column| column == name) {
            self.columns.push(name.into());
        }
        self.columns.truncate(MAX_COLUMNS);
    }

    fn name_span(&mut self, tree: &Tree, at: usize) {
        let name = attribute(tree, at, "spanname").unwrap_or_default();
        if let Some(columns) = self
            .named_columns(tree, at)
            .filter(|_| self.spans.len() < MAX_COLUMNS)
        {
            self.spans.push((name.into(), columns));
        }
    }

    /// Returns the first and last column that an element names.
    fn named_columns(&self, tree: &Tree, at: usize) -> Option<(usize, usize)> {
        let column = |key| {
            let name = attribute(tree, at, key)?;
            self.columns.iter().position(|column| column == name)
        };
        if let Some(name) = attribute(tree, at, "spanname")
            && let Some((_, columns)) = self.spans.iter().find(|(span, _)| span == name)
        {
            return Some(*columns);
        }
        let first = column("namest").or_else(|| column("colname"))?;
        Some((first, column("nameend").unwrap_or(first).max(first)))
    }

    /// Reads a row: the cells stand beside those that reach into it from above.
    fn row(&mut self, tree: &Tree, at: usize) -> Vec<Cell> {
        let is_cell = |&cell: &usize| tree.name(cell).is_some_and(names::is_cell);
        let mut row = Vec::new();
        let mut column = 0;
        let mut begun: Vec<(usize, usize, usize)> = Vec::new();
        for cell in tree.elements(at).filter(is_cell) {
            let named = self.named_columns(tree, cell);
            let first = named.map_or(column, |(first, _)| first.max(column));
            while column < first || self.covered.get(column).is_some_and(|&rows| rows > 0) {
                row.push(empty());
                column += 1;
            }
            let span = named.map_or_else(|| columns(tree, cell), |(first, last)| last - first + 1);
            row.push(Cell {
                text: inline::line(tree, cell),
                span,
            });
            begun.push((column, span, rows(tree, cell)));
            column += span;
        }
        for covered in &mut self.covered {
            *covered = covered.saturating_sub(1);
        }
        for (first, span, rows) in begun.into_iter().filter(|(.., rows)| *rows > 1) {
            let end = (first + span).min(MAX_COLUMNS);
            if self.covered.len() < end {
                self.covered.resize(end, 0);
            }
            self.covered[first.min(end)..end].fill(rows - 1);
        }
        row
    }
}

fn empty() -> Cell {
    Cell {
        text: String::new(),
        span: 1,
    }
}

fn attribute<'t>(tree: &'t Tree, at: usize, key: &str) -> Option<&'t str> {
    let mut attributes = tree.node(at).attributes.iter();
    let found = attributes.find(|(name, _)| name == key)?;
    Some(found.1.trim())
}

fn count(tree: &Tree, at: usize, keys: [&str; 2]) -> usize {
    let count = keys.iter().find_map(|key| attribute(tree, at, key));
    count.and_then(|count| count.parse().ok()).unwrap_or(1)
}

/// Returns how many columns a cell spans.
fn columns(tree: &Tree, cell: usize) -> usize {
    let columns = count(tree, cell, ["colspan", "cols"]);
    if columns > MAX_COLUMNS {
        1
    } else {
        columns.max(1)
    }
}

/// Returns how many rows a cell spans; HTML has 0 for all that follow.
fn rows(tree: &Tree, cell: usize) -> usize {
    let more = attribute(tree, cell, "morerows").and_then(|more| more.parse().ok());
    let rows = match more {
        Some(more) => usize::saturating_add(more, 1),
        None => count(tree, cell, ["rowspan", "rows"]),
    };
    if rows == 0 {
        MAX_ROWS
    } else {
        rows.min(MAX_ROWS)
    }
}
