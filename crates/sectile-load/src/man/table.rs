//! Tables as the preprocessor `tbl` reads them.

use super::macros::{in_fonts, of_unknown, plain_arguments};
use super::source::{Call, Source, control};

/// Reads the lines of a table up to its end, and returns the texts of its cells.
pub(super) fn read(source: &mut Source<'_>) -> Vec<Vec<String>> {
    let mut table = Table::default();
    while let Some(line) = source.joined_line() {
        match control(&line) {
            Some(("TE", _)) => break,
            Some((name, rest)) if !is_number(&line) => table.request(name, rest, source),
            _ => table.line(&line, source),
        }
    }
    table.end_row();
    table.rows
}

#[derive(Default)]
struct Table {
    rows: Vec<Vec<String>>,
    row: Vec<String>,
    /// The text of a cell over several lines, while one is open.
    cell: Option<String>,
    /// What stands between cells, if it is not a tab.
    separator: Option<char>,
    /// Whether the lines that say how cells look are over.
    is_in_rows: bool,
}

impl Table {
    fn request(&mut self, name: &str, rest: &str, source: &mut Source<'_>) {
        // The cells below look otherwise.
        self.is_in_rows &= name != "T&";
        let call = Call {
            name: name.to_owned(),
            rest: rest.to_owned(),
        };
        if let Some(cell) = &mut self.cell
            && let Some(text) = said(&call, source)
        {
            append(cell, &text);
        }
    }

    fn line(&mut self, line: &str, source: &mut Source<'_>) {
        if !self.is_in_rows {
            self.format(line, source);
            return;
        }
        let Some(mut cell) = self.cell.take() else {
            self.cells(line, source);
            return;
        };
        if let Some(rest) = line.strip_prefix("T}") {
            self.row.push(cell);
            match rest.strip_prefix(self.separator()) {
                Some(rest) => self.cells(rest, source),
                None => self.end_row(),
            }
        } else {
            append(&mut cell, &source.definitions.plain(line));
            self.cell = Some(cell);
        }
    }

    /// Reads a line above the cells: options, which end with a semicolon, or how cells look, which ends with a
    /// full stop. Where a table has neither, its cells begin.
    fn format(&mut self, whole: &str, source: &mut Source<'_>) {
        let line = whole.trim();
        if line.ends_with(';') {
            let tab = line.split_once("tab").map(|(_, rest)| rest.trim_start());
            let tab = tab.and_then(|rest| rest.strip_prefix('('));
            self.separator = tab.and_then(|rest| rest.chars().next());
        } else if is_format(line) {
            self.is_in_rows = line.ends_with('.');
        } else {
            self.is_in_rows = true;
            self.cells(whole, source);
        }
    }

    /// Reads cells up to the end of the line, or up to one that goes on below.
    fn cells(&mut self, line: &str, source: &mut Source<'_>) {
        if self.row.is_empty() && matches!(line.trim(), "_" | "=") {
            return;
        }
        for cell in line.split(self.separator()) {
            if cell.trim() == "T{" {
                self.cell = Some(String::new());
                return;
            }
            let is_rule = matches!(cell.trim(), "_" | "=" | "\\_" | "\\=" | "\\^");
            let text = if is_rule { "" } else { cell };
            self.row.push(source.definitions.plain(text));
        }
        self.end_row();
    }

    fn end_row(&mut self) {
        self.row.extend(self.cell.take());
        self.rows.push(std::mem::take(&mut self.row));
    }

    fn separator(&self) -> char {
        self.separator.unwrap_or('\t')
    }
}

/// Returns what a macro in a cell says: its text in fonts, the mark of an item, or the address of a link.
fn said(call: &Call, source: &mut Source<'_>) -> Option<String> {
    let definitions = &mut source.definitions;
    match &*call.name {
        "IP" => plain_arguments(call, definitions).into_iter().next(),
        "UR" | "MT" => Some(format!("<{}>", plain_arguments(call, definitions).concat())),
        "UE" | "ME" => Some(plain_arguments(call, definitions).concat()),
        _ => in_fonts(call, definitions).or_else(|| of_unknown(call, source)),
    }
}

/// Returns whether a line says how cells look: it has nothing but keys, numbers and what stands in brackets.
fn is_format(line: &str) -> bool {
    let mut is_in_brackets = false;
    line.chars().all(|sign| {
        is_in_brackets = sign == '(' || is_in_brackets && sign != ')';
        let is_key = "lrcnasbiwfpveutzxmdLRCNASBIWFPVEUTZXMD".contains(sign);
        is_in_brackets || is_key || sign.is_ascii_digit() || " \t|.,_-=^)+\\\"'".contains(sign)
    })
}

/// Returns whether a line begins with a number such as `.5`, which is not a call of a macro.
fn is_number(line: &str) -> bool {
    line.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
}

fn append(cell: &mut String, text: &str) {
    if !cell.is_empty() && !text.is_empty() {
        cell.push(' ');
    }
    cell.push_str(text);
}
