//! The parts of a workbook beside its sheets: their list, shared strings, styles, comments.

use std::collections::HashMap;

use crate::failure::Failure;
use crate::number_format::NumberFormat;
use crate::superscript::raise;
use crate::workbook::Comment;
use crate::xml::{Element, Node, Walk};

/// The list of sheets.
#[derive(Debug, Default)]
pub(super) struct SheetList {
    pub(super) sheets: Vec<Named>,
    /// Days count from 1904.
    pub(super) is_1904: bool,
}

/// A sheet in the list.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) relationship: String,
    pub(super) is_hidden: bool,
}

impl SheetList {
    pub(super) fn read(xml: &str) -> Result<Self, Failure> {
        let mut list = Self::default();
        let mut walk = Walk::new(xml);
        loop {
            match walk.next()? {
                Node::Open(element) => match element.name() {
                    "workbookPr" => {
                        let value = element.attribute("date1904");
                        list.is_1904 = matches!(value.as_deref(), Some("1" | "true" | "on"));
                    }
                    "sheet" => list.sheets.push(Named {
                        name: element.attribute("name").unwrap_or_default(),
                        relationship: element.prefixed("id").unwrap_or_default(),
                        is_hidden: element
                            .attribute("state")
                            .is_some_and(|state| state != "visible"),
                    }),
                    _ => {}
                },
                Node::Close | Node::Text(_) => {}
                Node::End => return Ok(list),
            }
        }
    }
}

/// The strings that cells share, one after the other.
#[derive(Debug, Default)]
pub(super) struct SharedStrings {
    text: String,
    ends: Vec<usize>,
}

impl SharedStrings {
    pub(super) fn get(&self, index: usize) -> Option<&str> {
        let end = *self.ends.get(index)?;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.text[start..end])
    }

    pub(super) fn read(xml: &str) -> Result<Self, Failure> {
        let mut strings = Self::default();
        let mut walk = Walk::new(xml);
        let mut open = Vec::new();
        let mut in_text = false;
        let mut run = Run::default();
        loop {
            match walk.next()? {
                // How to pronounce a text is no part of it.
                Node::Open(element) if element.name() == "rPh" => walk.skip()?,
                Node::Open(element) => {
                    run.open(&element, strings.text.len());
                    in_text = element.name() == "t";
                    open.push(End::of(&element));
                }
                Node::Text(text) if in_text => push_unescaped(&mut strings.text, &text),
                Node::Text(_) => {}
                Node::Close => {
                    in_text = false;
                    match open.pop() {
                        Some(End::Item) => strings.ends.push(strings.text.len()),
                        Some(End::Run) => run.close(&mut strings.text),
                        _ => {}
                    }
                }
                Node::End => return Ok(strings),
            }
        }
    }
}

/// What ends when an element does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// A cell or a shared string.
    Item,
    /// A run of a rich text.
    Run,
    Other,
}

impl End {
    /// Finds out what ends with an element.
    pub(super) fn of(element: &Element) -> Self {
        match element.name() {
            "c" | "si" => Self::Item,
            "r" => Self::Run,
            _ => Self::Other,
        }
    }
}

/// A run of a rich text: where it begins, and whether it is raised.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Run {
    start: usize,
    is_raised: bool,
}

impl Run {
    /// Takes an element in a rich text, of which so much has been read.
    pub(super) fn open(&mut self, element: &Element, start: usize) {
        match element.name() {
            "r" => {
                *self = Self {
                    start,
                    is_raised: false,
                };
            }
            "vertAlign" => self.is_raised = element.value().as_deref() == Some("superscript"),
            _ => {}
        }
    }

    /// Ends the run.
    pub(super) fn close(&mut self, text: &mut String) {
        if std::mem::take(&mut self.is_raised) {
            raise(text, self.start);
        }
    }
}

/// Adds a text in which characters that XML cannot hold are written as `_x000D_`.
pub(super) fn push_unescaped(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.find("_x") {
        let code = rest
            .get(at + 2..at + 6)
            .filter(|_| rest[at..].get(6..7) == Some("_"));
        let code = code.and_then(|code| u32::from_str_radix(code, 16).ok());
        out.push_str(&rest[..at]);
        if let Some(character) = code.and_then(char::from_u32) {
            out.push(character);
            rest = &rest[at + 7..];
        } else {
            out.push_str("_x");
            rest = &rest[at + 2..];
        }
    }
    out.push_str(rest);
}

/// Reads the number formats of the styles that cells name by number.
pub(super) fn read_formats(xml: &str) -> Result<Vec<NumberFormat>, Failure> {
    let mut codes: HashMap<u32, NumberFormat> = HashMap::new();
    let mut formats = Vec::new();
    let mut of_cells = false;
    let mut walk = Walk::new(xml);
    loop {
        match walk.next()? {
            Node::Open(element) => match element.name() {
                "cellXfs" => of_cells = true,
                "cellStyleXfs" | "cellStyles" | "dxfs" => of_cells = false,
                "numFmt" => {
                    let id = element.attribute("numFmtId").and_then(|id| id.parse().ok());
                    let code = element.attribute("formatCode").unwrap_or_default();
                    codes.extend(id.map(|id| (id, NumberFormat::parse(&code))));
                }
                "xf" if of_cells => {
                    let id = element.attribute("numFmtId").and_then(|id| id.parse().ok());
                    let id: u32 = id.unwrap_or_default();
                    let own = codes.get(&id).cloned();
                    formats.push(own.unwrap_or_else(|| NumberFormat::builtin(id)));
                }
                _ => {}
            },
            Node::Close | Node::Text(_) => {}
            Node::End => return Ok(formats),
        }
    }
}

/// Reads the comments on the cells of a sheet.
pub(super) fn read_comments(xml: &str) -> Result<Vec<Comment>, Failure> {
    let mut authors: Vec<String> = Vec::new();
    let mut comments: Vec<Comment> = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut walk = Walk::new(xml);
    loop {
        match walk.next()? {
            Node::Open(element) => {
                let name = element.name().to_owned();
                if name == "author" {
                    authors.push(String::new());
                } else if name == "comment" {
                    let author = element.attribute("authorId").and_then(|id| id.parse().ok());
                    let author = author.and_then(|id: usize| authors.get(id));
                    comments.push(Comment {
                        cell: element.attribute("ref").unwrap_or_default(),
                        author: author.cloned().unwrap_or_default(),
                        text: String::new(),
                    });
                }
                open.push(name);
            }
            Node::Text(text) => match open.last().map(String::as_str) {
                Some("author") => authors
                    .last_mut()
                    .into_iter()
                    .for_each(|last| last.push_str(&text)),
                Some("t") => {
                    if let Some(last) = comments.last_mut() {
                        push_unescaped(&mut last.text, &text);
                    }
                }
                _ => {}
            },
            Node::Close => drop(open.pop()),
            Node::End => return Ok(comments),
        }
    }
}
