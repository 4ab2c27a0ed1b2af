//! The heads and feet of the printed pages of spreadsheets, which stand in master pages.

use crate::failure::Failure;
use crate::one_line::one_line;
use crate::running_lines::RunningLines;
use crate::xml::{Node, Walk};

/// The elements of heads and feet.
const LINES: [&str; 6] = [
    "header",
    "header-left",
    "header-first",
    "footer",
    "footer-left",
    "footer-first",
];

/// What differs from page to page or from print to print; files have an example of it.
const FIELDS: [&str; 7] = [
    "sheet-name",
    "page-number",
    "page-count",
    "date",
    "time",
    "file-name",
    "title",
];

/// Reads the heads and feet in a part, each as one line.
pub(super) fn read(xml: &str) -> Result<RunningLines, Failure> {
    let mut walk = Walk::new(xml);
    let mut lines = RunningLines::default();
    loop {
        match walk.next()? {
            // A flat file goes on with the sheets.
            Node::Open(element) if element.name() == "body" => walk.skip()?,
            Node::Open(element) if LINES.contains(&element.name()) => {
                if element.attribute("display").as_deref() == Some("false") {
                    walk.skip()?;
                } else {
                    let line = line(&mut walk)?;
                    if line.contains(char::is_alphanumeric) {
                        lines.add(line);
                    }
                }
            }
            Node::Open(_) | Node::Close | Node::Text(_) => {}
            Node::End => return Ok(lines),
        }
    }
}

/// Reads the text up to the end of the element that is open.
fn line(walk: &mut Walk<'_>) -> Result<String, Failure> {
    let mut text = String::new();
    let mut paragraphs = 0_usize;
    let mut open: Vec<bool> = Vec::new();
    loop {
        match walk.next()? {
            Node::Open(element) if FIELDS.contains(&element.name()) => walk.skip()?,
            Node::Open(element) => {
                let is_paragraph = element.name() == "p";
                paragraphs += usize::from(is_paragraph);
                open.push(is_paragraph);
                if matches!(element.name(), "p" | "s" | "tab" | "line-break") {
                    text.push(' ');
                }
            }
            Node::Text(part) => {
                if paragraphs > 0 {
                    text.push_str(&part);
                }
            }
            Node::Close => match open.pop() {
                Some(is_paragraph) => paragraphs -= usize::from(is_paragraph),
                None => return Ok(one_line(&text)),
            },
            Node::End => return Ok(one_line(&text)),
        }
    }
}
