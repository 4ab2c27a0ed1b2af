//! Comments and text boxes of workbooks of before 2007.

use std::collections::HashMap;

use encoding_rs::{UTF_16LE, WINDOWS_1252};

use super::{BEGIN, CONTINUE, Records, top};
use crate::blocks::Block;
use crate::grid::cell_name;
use crate::workbook::Comment;
use crate::xlsx::compound::u16_at;

/// The types of records.
const NOTE: u16 = 0x001C;
const OBJECT: u16 = 0x005D;
const TEXT: u16 = 0x01B6;

/// The type of the objects that show comments.
const COMMENT_BOX: u16 = 0x19;

/// What a stream of records is of that describes a chart.
const CHART: u16 = 0x0020;

/// What stands beside the cells of a sheet.
#[derive(Debug, Default)]
pub(in crate::xlsx) struct Beside {
    pub(in crate::xlsx) comments: Vec<Comment>,
    /// The texts of boxes, and the messages of cells.
    pub(in crate::xlsx) boxes: Vec<Block>,
    /// How many charts there are, which are not read.
    pub(in crate::xlsx) charts: usize,
}

/// The comments and boxes of a sheet while its records are read.
#[derive(Default)]
pub(super) struct Notes {
    /// The texts of the boxes of comments, by their ids.
    texts: HashMap<u16, String>,
    /// The comments, each with the id of its box.
    comments: Vec<(u16, Comment)>,
    boxes: Vec<Block>,
    /// The type and the id of the last object.
    object: (u16, u16),
}

impl Notes {
    /// Reads what stands beside the cells of a sheet; `is_old` says that it is of before 1997.
    pub(super) fn of_sheet(records: Records<'_>, is_old: bool) -> Beside {
        let begins = top(records.clone()).filter(|(kind, _)| *kind == BEGIN);
        let charts = begins
            .skip(1)
            .filter(|(_, content)| u16_at(content, 2) == Some(CHART))
            .count();
        let mut notes = Self::default();
        let mut records = top(records).peekable();
        while let Some((kind, content)) = records.next() {
            match kind {
                OBJECT => notes.object = object(content).unwrap_or_default(),
                NOTE if is_old => notes.comments.extend(old_comment(content)),
                NOTE => notes.comments.extend(comment(content)),
                TEXT => {
                    let mut pieces = Vec::new();
                    while let Some((_, piece)) = records.next_if(|(kind, _)| *kind == CONTINUE) {
                        pieces.push(piece);
                    }
                    notes.take(&text(content, &pieces));
                }
                _ => {}
            }
        }
        notes.finish(charts)
    }

    /// Takes the text of the last object.
    fn take(&mut self, text: &str) {
        let (kind, id) = self.object;
        if text.trim().is_empty() {
            return;
        }
        if kind == COMMENT_BOX {
            self.texts.insert(id, text.to_owned());
        } else {
            self.boxes.push(Block::Text(text.trim().to_owned()));
        }
    }

    fn finish(mut self, charts: usize) -> Beside {
        let texts = &mut self.texts;
        let comments = self.comments.into_iter().map(|(id, mut comment)| {
            if let Some(text) = texts.remove(&id) {
                comment.text = text;
            }
            comment
        });
        Beside {
            comments: comments
                .filter(|comment| !comment.text.is_empty())
                .collect(),
            boxes: self.boxes,
            charts,
        }
    }
}

/// Reads the type and the id of an object.
fn object(content: &[u8]) -> Option<(u16, u16)> {
    Some((u16_at(content, 4)?, u16_at(content, 6)?))
}

/// Reads where a comment stands and who wrote it, and the id of the box with its text.
fn comment(content: &[u8]) -> Option<(u16, Comment)> {
    let (row, column) = (u16_at(content, 0)?, u16_at(content, 2)?);
    let letters = u16_at(content, 8).unwrap_or_default().into();
    let comment = Comment {
        cell: cell_name(row.into(), column.into()),
        author: letters_of(content.get(10..).unwrap_or_default(), letters).0,
        text: String::new(),
    };
    Some((u16_at(content, 6)?, comment))
}

/// Reads a comment of before 1997, which has its text in itself.
fn old_comment(content: &[u8]) -> Option<(u16, Comment)> {
    let (row, column) = (u16_at(content, 0)?, u16_at(content, 2)?);
    let comment = Comment {
        cell: cell_name(row.into(), column.into()),
        author: String::new(),
        text: WINDOWS_1252.decode(content.get(6..)?).0.into_owned(),
    };
    Some((0, comment))
}

/// Reads the text that stands in the records after one that says how long it is.
fn text(content: &[u8], pieces: &[&[u8]]) -> String {
    let mut left = usize::from(u16_at(content, 10).unwrap_or_default());
    let mut text = String::new();
    for piece in pieces {
        let (read, count) = letters_of(piece, left);
        text.push_str(&read);
        left -= count;
    }
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// Reads at most so many letters after a byte that says whether they take one byte or two; returns their
/// number too.
fn letters_of(piece: &[u8], most: usize) -> (String, usize) {
    let Some((&flags, letters)) = piece.split_first() else {
        return (String::new(), 0);
    };
    let width = 1 + usize::from(flags & 1);
    let count = most.min(letters.len() / width);
    let letters = &letters[..count * width];
    let encoding = if width == 2 { UTF_16LE } else { WINDOWS_1252 };
    let (text, _) = encoding.decode_without_bom_handling(letters);
    (text.into_owned(), count)
}
