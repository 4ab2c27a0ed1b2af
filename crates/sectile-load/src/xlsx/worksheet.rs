//! The cells of one sheet.

use std::collections::HashMap;
use std::rc::Rc;

use super::parts::{End, Run, SharedStrings, push_unescaped};
use super::rich_values::RichValues;
use super::{page_setup, validations};
use crate::blocks::Block;
use crate::failure::Failure;
use crate::grid::Grid;
use crate::link::link;
use crate::number::{plain, with_all_digits};
use crate::number_format::NumberFormat;
use crate::running_lines::RunningLines;
use crate::workbook::{HiddenLines, Workbook};
use crate::xml::{Element, Node, Walk};

/// The last row and column that sheets have; one beyond is a mistake.
pub(super) const ROWS: u32 = 1 << 20;
pub(super) const COLUMNS: u32 = 1 << 14;

/// Where cells lead to, by row and column.
pub(super) type Links = HashMap<(u32, u32), Rc<str>>;

/// What cells refer to.
#[derive(Debug, Default)]
pub(super) struct Context {
    pub(super) strings: SharedStrings,
    pub(super) formats: Vec<NumberFormat>,
    pub(super) rich: RichValues,
    pub(super) is_1904: bool,
    /// The links of the sheet that is read.
    pub(super) links: Links,
    /// How many formulas have no value, and are written as they are.
    pub(super) formulas: u64,
    /// Whether cells refer to strings that the workbook does not have.
    pub(super) lacks_strings: bool,
    /// The messages of data validation of the sheet.
    pub(super) messages: Vec<Block>,
    /// The rows and columns that the sheet hides.
    pub(super) hidden: HiddenLines,
    /// The heads and feet of all sheets.
    pub(super) running: RunningLines,
}

/// A cell while it is read.
#[derive(Debug, Default)]
struct Open {
    column: u32,
    kind: String,
    style: usize,
    /// The number of the metadata of its value, from 1.
    metadata: usize,
    value: String,
    formula: String,
    text: String,
}

/// What the text that comes next is.
#[derive(Clone, Copy, Debug, Default)]
enum Part {
    Value,
    Formula,
    Text,
    /// The head or the foot of pages.
    Running,
    #[default]
    Other,
}

/// Reads the cells of a sheet. Those before an error are in `grid`.
pub(super) fn read(
    xml: &str,
    grid: &mut Grid,
    context: &mut Context,
    workbook: &Workbook,
) -> Result<(), Failure> {
    let mut walk = Walk::new(xml);
    let mut open: Option<Open> = None;
    let mut part = Part::Other;
    // The row and the column that come next where none is given.
    let (mut row, mut next_row, mut column) = (0, 0, 0);
    let mut ends: Vec<End> = Vec::new();
    let mut run = Run::default();
    let mut line = String::new();
    loop {
        match walk.next()? {
            Node::Open(element) => {
                part = Part::Other;
                match element.name() {
                    "row" => {
                        row = row_of(&element).unwrap_or(next_row);
                        if is_hidden(&element) {
                            context.hidden.add_rows(row, row);
                        }
                        next_row = row + 1;
                        column = 0;
                    }
                    "c" => {
                        let cell = begin_cell(&element, column);
                        column = cell.column + 1;
                        open = Some(cell);
                    }
                    "v" => part = Part::Value,
                    "f" => part = Part::Formula,
                    "t" => part = Part::Text,
                    "oddHeader" | "oddFooter" | "evenHeader" | "evenFooter" | "firstHeader"
                    | "firstFooter" => part = Part::Running,
                    "col" => hide_columns(&element, &mut context.hidden),
                    "dataValidation" => {
                        context.messages.extend(validations::blocks(&element));
                    }
                    "rPh" => {
                        walk.skip()?;
                        continue;
                    }
                    "extLst" => {
                        validations::read_extensions(&mut walk, &mut context.messages)?;
                        continue;
                    }
                    _ => {
                        let text = open.as_ref().map_or(0, |cell| cell.text.len());
                        run.open(&element, text);
                    }
                }
                ends.push(End::of(&element));
            }
            Node::Text(text) => {
                if let Some(cell) = &mut open {
                    match part {
                        Part::Value => cell.value.push_str(&text),
                        Part::Formula => cell.formula.push_str(&text),
                        Part::Text => push_unescaped(&mut cell.text, &text),
                        Part::Running | Part::Other => {}
                    }
                } else if matches!(part, Part::Running) {
                    line.push_str(&text);
                }
            }
            Node::Close => {
                part = Part::Other;
                if !line.is_empty() {
                    context.running.add(page_setup::plain(&line));
                    line.clear();
                }
                match ends.pop() {
                    Some(End::Item) => {
                        if let Some(cell) = open.take() {
                            end_cell(&cell, row, grid, context);
                            workbook.check(grid)?;
                        }
                    }
                    Some(End::Run) => {
                        if let Some(cell) = &mut open {
                            run.close(&mut cell.text);
                        }
                    }
                    _ => {}
                }
            }
            Node::End => return Ok(()),
        }
    }
}

/// Returns which row, from 0, an element is, where it says that.
fn row_of(element: &Element) -> Option<u32> {
    let number: u32 = element.attribute("r")?.parse().ok()?;
    (1..=ROWS).contains(&number).then(|| number - 1)
}

fn is_hidden(element: &Element) -> bool {
    let hidden = element.attribute("hidden");
    matches!(hidden.as_deref(), Some("1" | "true" | "on"))
}

/// Takes an element that says how columns look, and that they are hidden.
fn hide_columns(element: &Element, hidden: &mut HiddenLines) {
    let number = |name| {
        let number: u32 = element.attribute(name)?.parse().ok()?;
        number.checked_sub(1)
    };
    if let (true, Some(first), Some(last)) = (is_hidden(element), number("min"), number("max")) {
        hidden.add_columns(first, last);
    }
}

fn begin_cell(element: &Element, next: u32) -> Open {
    let column = element.attribute("r").and_then(|name| column_of(&name));
    let number = |name| element.attribute(name).and_then(|text| text.parse().ok());
    Open {
        column: column.unwrap_or(next),
        kind: element.attribute("t").unwrap_or_default(),
        style: number("s").unwrap_or(0),
        metadata: number("vm").unwrap_or(0),
        ..Open::default()
    }
}

/// Returns the column, from 0, of a cell's name such as `B7`.
pub(super) fn column_of(name: &str) -> Option<u32> {
    let letters = name.bytes().take_while(u8::is_ascii_alphabetic);
    let column = letters.take(4).fold(0, |column, letter| {
        column * 26 + u32::from(letter.to_ascii_uppercase() - b'A') + 1
    });
    (1..=COLUMNS).contains(&column).then(|| column - 1)
}

fn end_cell(cell: &Open, row: u32, grid: &mut Grid, context: &mut Context) {
    let value = cell.value.trim();
    let target = context
        .links
        .get(&(row, cell.column))
        .map(|target| &**target);
    let target = target.or_else(|| target_of(&cell.formula).filter(|_| !value.is_empty()));
    let mut push = |text: &str, is_text| match target {
        Some(target) => grid.push(row, cell.column, &link(text, target), is_text),
        None => grid.push(row, cell.column, text, is_text),
    };
    let format = context.formats.get(cell.style);
    let shown = |text| match format {
        Some(format) => format.show_text(text),
        None => text.into(),
    };
    match cell.kind.as_str() {
        "s" => {
            let shared = value
                .parse()
                .ok()
                .and_then(|index| context.strings.get(index));
            context.lacks_strings |= shared.is_none() && !value.is_empty();
            push(&shown(shared.unwrap_or_default()), true);
        }
        "inlineStr" => {
            let text = if cell.text.is_empty() {
                &cell.value
            } else {
                &cell.text
            };
            push(&shown(text), true);
        }
        _ if value.is_empty() && !cell.formula.trim().is_empty() && cell.kind != "str" => {
            context.formulas += 1;
            push(&format!("={}", cell.formula.trim()), false);
        }
        "str" => {
            let mut text = String::new();
            push_unescaped(&mut text, &cell.value);
            push(&shown(&text), true);
        }
        "b" => push(
            if matches!(value, "1" | "true") {
                "TRUE"
            } else if value.is_empty() {
                ""
            } else {
                "FALSE"
            },
            false,
        ),
        "d" => push(&iso(value), false),
        "e" => {
            let rich = context.rich.get(cell.metadata);
            push(rich.unwrap_or(value), rich.is_some());
        }
        _ => match value.parse::<f64>() {
            Ok(number) => {
                let text = format.map(|format| format.show(number, context.is_1904));
                let text = text.unwrap_or_else(|| plain(number));
                push(with_all_digits(&text, value), false);
            }
            Err(_) => push(value, true),
        },
    }
}

/// Returns the target of a formula that is only a link to an address. The cell shows the label of the
/// link.
fn target_of(formula: &str) -> Option<&str> {
    let (target, rest) = formula
        .trim()
        .strip_prefix("HYPERLINK(\"")?
        .split_once('"')?;
    let is_alone = rest.trim_start().starts_with([',', ')']);
    (is_alone && target.contains(':')).then_some(target)
}

/// Writes a date of ISO 8601 as the others are: a space before the time, none at midnight.
pub(super) fn iso(value: &str) -> String {
    let value = value.trim_end_matches('Z');
    let value = value.strip_suffix("T00:00:00").unwrap_or(value);
    value.replacen('T', " ", 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_leads_to_an_address_that_it_has_as_a_whole() {
        let check = |formula, expected| assert_eq!(target_of(formula), expected);
        check(
            "HYPERLINK(\"https://a.example\", \"A\")",
            Some("https://a.example"),
        );
        check("HYPERLINK(\"https://a.example/\"&A1,\"A\")", None);
        check("HYPERLINK(\"#Sheet2!A1\",\"A\")", None);
        check("SUM(A1)", None);
    }

    #[test]
    fn columns_have_letters() {
        let columns = ["A1", "z9", "AA10", "XFD1048576", "XFE1", "1", "AAAAA1"].map(column_of);
        let expected = [Some(0), Some(25), Some(26), Some(16_383), None, None, None];
        assert_eq!(columns, expected);
    }
}
