//! Tables: their rows and cells.

use super::literals::Literals;
use crate::blocks::Cell;

/// How many columns or rows a cell spans at most.
const MAX_SPAN: usize = 30;

/// From which column on a cell spans no others, so that few cells do not make a large table.
const WIDE: usize = 100;

/// A table as it is written.
#[derive(Default)]
pub(super) struct Table {
    /// The caption, and text that stands in no cell: it is shown above the table, too.
    pub(super) caption: String,
    rows: Vec<Vec<Source>>,
}

/// The markup of a cell, and how many columns and rows it spans.
struct Source {
    text: String,
    columns: usize,
    rows: usize,
}

/// Returns whether a table begins with a line, and not its end.
pub(super) fn begins(line: &str) -> bool {
    line.trim_start_matches([':', '*', ' ', '\t'])
        .starts_with("{|")
}

/// Reads the table that begins with the first line, up to its end or a line that `ends`; returns how many lines were
/// read as well.
pub(super) fn read(lines: &[&str], ends: impl Fn(&str) -> bool) -> (Table, usize) {
    let mut table = Table::default();
    let mut depth = 0_usize;
    for (at, line) in lines.iter().enumerate().skip(1) {
        let line = line.trim();
        if ends(line) {
            return (table, at);
        }
        if line.starts_with("|}") && depth == 0 {
            return (table, at + 1);
        }
        if line.starts_with("|}") {
            depth -= 1;
        } else if begins(line) {
            depth += 1;
        } else if depth > 0 {
            // The text of a table in a cell stands in the cell.
            let text = line.trim_start_matches(['|', '!', '-', '+']);
            table.add(&text.replace("||", " ").replace("!!", " "));
        } else {
            table.line(line);
        }
    }
    (table, lines.len())
}

impl Table {
    fn line(&mut self, line: &str) {
        if line.starts_with("|-") {
            self.rows.push(Vec::new());
        } else if let Some(caption) = line.strip_prefix("|+") {
            self.add_to_caption(attributes(caption).1);
        } else if let Some(cells) = line.strip_prefix('!') {
            let cells = cells.replace("!!", "||");
            self.cells(&cells);
        } else if let Some(cells) = line.strip_prefix('|') {
            self.cells(cells);
        } else {
            self.add(line);
        }
    }

    fn cells(&mut self, cells: &str) {
        if self.rows.is_empty() {
            self.rows.push(Vec::new());
        }
        let Some(row) = self.rows.last_mut() else {
            return;
        };
        row.extend(cells.split("||").map(|cell| {
            let (set, text) = attributes(cell);
            Source {
                text: text.into(),
                columns: span(set, "colspan"),
                rows: span(set, "rowspan"),
            }
        }));
    }

    /// Adds a line to the last cell.
    fn add(&mut self, line: &str) {
        match self.rows.last_mut().and_then(|row| row.last_mut()) {
            Some(cell) => {
                cell.text.push('\n');
                cell.text.push_str(line);
            }
            None => self.add_to_caption(line),
        }
    }

    fn add_to_caption(&mut self, line: &str) {
        self.caption.push('\n');
        self.caption.push_str(line);
    }

    /// Returns the rows that have cells, each with what `text` makes of its markup. Where a cell spans several rows, those
    /// below are empty.
    pub(super) fn rows(&self, mut text: impl FnMut(&str) -> String) -> Vec<Vec<Cell>> {
        let mut taken: Vec<usize> = Vec::new();
        let mut rows = Vec::new();
        for sources in self.rows.iter().filter(|row| !row.is_empty()) {
            let mut cells = Vec::new();
            let mut column = 0;
            for source in sources {
                column = leave_taken(&mut taken, column, &mut cells);
                let (width, height) = if column < WIDE {
                    (source.columns, source.rows)
                } else {
                    (1, 1)
                };
                let end = column + width;
                taken.resize(taken.len().max(end), 0);
                taken[column..end].fill(height - 1);
                cells.push(Cell {
                    text: text(&source.text),
                    span: width,
                });
                column = end;
            }
            for left in taken.iter_mut().skip(column) {
                *left = left.saturating_sub(1);
            }
            rows.push(cells);
        }
        rows
    }
}

/// Passes the columns that cells of the rows above still take, and returns the next one.
fn leave_taken(taken: &mut [usize], from: usize, cells: &mut Vec<Cell>) -> usize {
    let left = taken.get_mut(from..).unwrap_or_default();
    let count = left.iter().take_while(|left| **left > 0).count();
    for left in &mut left[..count] {
        *left -= 1;
    }
    if count > 0 {
        cells.push(Cell {
            text: String::new(),
            span: count,
        });
    }
    from + count
}

/// Splits a cell into its attributes and its text.
fn attributes(cell: &str) -> (&str, &str) {
    match cell.split_once('|') {
        Some((set, text)) if !set.contains("[[") && !Literals::is_marked(set) => (set, text),
        _ => ("", cell),
    }
}

fn span(set: &str, name: &str) -> usize {
    let value = set.split_once(name).map_or("", |(_, value)| value);
    let value = value.trim_start_matches(|sign: char| {
        sign == '=' || sign == '"' || sign == '\'' || sign.is_whitespace()
    });
    let digits = value.bytes().take_while(u8::is_ascii_digit).count();
    value[..digits].parse().unwrap_or(1).clamp(1, MAX_SPAN)
}
