//! The messages of data validation, in all kinds of workbooks.

use super::parts::push_unescaped;
use crate::blocks::Block;
use crate::failure::Failure;
use crate::workbook::{Message, cells, range_name};
use crate::xml::{Element, Node, Walk};

/// The flags of a rule in binary workbooks that say which of its messages are shown.
const SHOWS_PROMPT: u32 = 1 << 18;
const SHOWS_ERROR: u32 = 1 << 19;

/// A message of a rule, its title and its text.
type Said = (Message, String, String);

/// Reads the messages of a rule in a workbook of XML.
pub(super) fn blocks(element: &Element) -> Vec<Block> {
    let ranges = element.attribute("sqref").unwrap_or_default();
    said_of(&ranges, &said(element))
}

/// Reads the rest of the extensions of a sheet, and adds the messages of the rules in them, which refer to other sheets.
/// They have the ranges of cells in an element of their own.
pub(super) fn read_extensions(walk: &mut Walk<'_>, blocks: &mut Vec<Block>) -> Result<(), Failure> {
    let mut rule: Vec<Said> = Vec::new();
    let mut ranges: Option<String> = None;
    let mut depth = 1_usize;
    while depth > 0 {
        match walk.next()? {
            Node::Open(element) => {
                depth += 1;
                match element.name() {
                    "dataValidation" => rule = said(&element),
                    "sqref" => ranges = Some(String::new()),
                    _ => {}
                }
            }
            Node::Text(text) => {
                if let Some(ranges) = &mut ranges {
                    ranges.push_str(&text);
                }
            }
            Node::Close => {
                depth -= 1;
                if let Some(ranges) = ranges.take() {
                    blocks.extend(said_of(&ranges, &std::mem::take(&mut rule)));
                }
            }
            Node::End => break,
        }
    }
    Ok(())
}

/// Returns the messages of a rule that are shown.
fn said(element: &Element) -> Vec<Said> {
    let is_on = |name: &str| matches!(element.attribute(name).as_deref(), Some("1" | "true"));
    let text = |name: &str| {
        let mut text = String::new();
        push_unescaped(&mut text, &element.attribute(name).unwrap_or_default());
        text
    };
    let messages = [
        ("showInputMessage", Message::Prompt, "promptTitle", "prompt"),
        ("showErrorMessage", Message::Error, "errorTitle", "error"),
    ];
    let shown = messages.into_iter().filter(|(shows, ..)| is_on(shows));
    shown
        .map(|(_, message, title, own)| (message, text(title), text(own)))
        .collect()
}

/// Writes the messages of ranges that are separated by spaces.
fn said_of(ranges: &str, said: &[Said]) -> Vec<Block> {
    let mut ranges = ranges.split_whitespace();
    let first = ranges.next().unwrap_or_default();
    let cells = cells(first, ranges.next().is_some());
    said.iter()
        .filter_map(|(message, title, text)| message.block(&cells, title, text))
        .collect()
}

/// A rule in a binary workbook.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) flags: u32,
    /// The first and the last cell of its first range, each by row and column.
    pub(super) first: ((u32, u32), (u32, u32)),
    /// How many ranges it has.
    pub(super) ranges: usize,
    /// The title and the text of its prompt, and those of its error message.
    pub(super) prompt: [String; 2],
    pub(super) error: [String; 2],
}

impl Rule {
    /// Returns the messages that are shown.
    pub(super) fn blocks(&self) -> Vec<Block> {
        let first = range_name(self.first.0, self.first.1);
        let cells = cells(&first, self.ranges > 1);
        let messages = [
            (SHOWS_PROMPT, Message::Prompt, &self.prompt),
            (SHOWS_ERROR, Message::Error, &self.error),
        ];
        let shown = messages
            .into_iter()
            .filter(|(shows, ..)| self.flags & shows != 0);
        shown
            .filter_map(|(_, message, [title, text])| message.block(&cells, title, text))
            .collect()
    }
}

/// Reads the rest of a rule in the XML of Excel 2003, whose parts are elements.
pub(super) fn read_rule(walk: &mut Walk<'_>) -> Result<Vec<Block>, Failure> {
    let (mut name, mut value) = (String::new(), String::new());
    let mut ranges = String::new();
    let mut texts: [String; 4] = Default::default();
    let mut hides = [false; 2];
    let mut depth = 1_usize;
    while depth > 0 {
        match walk.next()? {
            Node::Open(element) => {
                depth += 1;
                element.name().clone_into(&mut name);
                value.clear();
            }
            Node::Text(text) => value.push_str(&text),
            Node::Close => {
                depth -= 1;
                let value = std::mem::take(&mut value);
                match std::mem::take(&mut name).as_str() {
                    "Range" => ranges = value,
                    "InputTitle" => texts[0] = value,
                    "InputMessage" => texts[1] = value,
                    "ErrorTitle" => texts[2] = value,
                    "ErrorMessage" => texts[3] = value,
                    "InputHide" => hides[0] = true,
                    "ErrorHide" => hides[1] = true,
                    _ => {}
                }
            }
            Node::End => break,
        }
    }
    let [prompt_title, prompt, error_title, error] = texts;
    let said = [
        (Message::Prompt, prompt_title, prompt),
        (Message::Error, error_title, error),
    ];
    let said = said.into_iter().zip(hides).filter(|(_, hides)| !hides);
    let said: Vec<Said> = said.map(|(said, _)| said).collect();
    let ranges: Vec<String> = ranges.split(',').map(usual_name).collect();
    Ok(said_of(&ranges.join(" "), &said))
}

/// Writes a range such as `R2C1:R9C1` as `A2:A9`. Others stay as they are.
fn usual_name(range: &str) -> String {
    let range = range.trim();
    let place = |cell: &str| {
        let (row, column) = cell.strip_prefix('R')?.split_once('C')?;
        let (row, column): (u32, u32) = (row.parse().ok()?, column.parse().ok()?);
        Some((row.checked_sub(1)?, column.checked_sub(1)?))
    };
    let (first, last) = range.split_once(':').unwrap_or((range, range));
    match (place(first), place(last)) {
        (Some(first), Some(last)) => range_name(first, last),
        _ => range.replace(' ', ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_by_rows_and_columns_have_their_usual_names() {
        for (range, expected) in [
            ("R2C1:R9C1", "A2:A9"),
            (" R1C28", "AB1"),
            ("R0C1", "R0C1"),
            ("C2", "C2"),
        ] {
            assert_eq!(usual_name(range), expected);
        }
    }
}
