//! The heads and feet of the pages of a document, which stand in its master pages.

use std::collections::HashSet;

use sectile_core::Metadata;

use crate::blocks::Block;
use crate::failure::Failure;
use crate::one_line::one_line;
use crate::running_lines::RunningLines;
use crate::xml::{Node, Walk};

/// The lines at the head and at the foot of pages.
#[derive(Debug, Default)]
pub(super) struct Running {
    headers: Lines,
    footers: Lines,
}

/// Lines, each once.
#[derive(Debug, Default)]
struct Lines {
    all: Vec<String>,
    seen: HashSet<String>,
}

impl Lines {
    fn add(&mut self, line: String) {
        if !line.is_empty() && self.seen.insert(line.clone()) {
            self.all.push(line);
        }
    }
}

/// What an element is that is open in a head or a foot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Paragraph,
    Drawing,
    Other,
}

impl Running {
    /// Reads the master pages in a part.
    pub(super) fn read(xml: &str) -> Result<Self, Failure> {
        let mut walk = Walk::new(xml);
        let mut running = Self::default();
        loop {
            match walk.next()? {
                Node::Open(element) => {
                    let lines = match element.name() {
                        "header" | "header-left" | "header-first" => &mut running.headers,
                        "footer" | "footer-left" | "footer-first" => &mut running.footers,
                        // What is on each slide outside of placeholders.
                        "frame" | "custom-shape" | "g" if element.attribute("class").is_none() => {
                            &mut running.footers
                        }
                        "body" => {
                            walk.skip()?;
                            continue;
                        }
                        _ => continue,
                    };
                    if element.attribute("display").as_deref() == Some("false") {
                        walk.skip()?;
                    } else {
                        read_lines(&mut walk, lines)?;
                    }
                }
                Node::Close | Node::Text(_) => {}
                Node::End => return Ok(running),
            }
        }
    }

    /// Puts the lines before and behind a text, above its notes.
    pub(super) fn around(self, blocks: Vec<Block>) -> Vec<Block> {
        let is_note = |block: &Block| matches!(block, Block::Note { .. });
        let (notes, text): (Vec<Block>, Vec<Block>) = blocks.into_iter().partition(is_note);
        let headers = self.headers.all.into_iter().map(Block::Text);
        let footers = self.footers.all.into_iter().map(Block::Text);
        headers.chain(text).chain(footers).chain(notes).collect()
    }

    /// Names the lines as left out.
    pub(super) fn write_into(self, metadata: &mut Metadata) {
        let mut lines = RunningLines::default();
        for line in self.lines() {
            lines.add(line);
        }
        lines.write_into(metadata);
    }

    /// Returns all lines.
    pub(super) fn lines(self) -> impl Iterator<Item = String> {
        self.headers.all.into_iter().chain(self.footers.all)
    }
}

/// Reads the paragraphs up to the end of the element that is open, each once.
fn read_lines(walk: &mut Walk<'_>, lines: &mut Lines) -> Result<(), Failure> {
    let mut text = String::new();
    let mut open: Vec<Place> = Vec::new();
    loop {
        match walk.next()? {
            Node::Open(element) => {
                let place = match element.name() {
                    "p" | "h" => {
                        // A paragraph of a box within the line.
                        end_line(&mut text, lines);
                        Place::Paragraph
                    }
                    "frame" | "custom-shape" | "g" => Place::Drawing,
                    "s" | "tab" | "line-break" => {
                        text.push(' ');
                        Place::Other
                    }
                    "annotation" => {
                        walk.skip()?;
                        continue;
                    }
                    "title" | "desc" if open.last() == Some(&Place::Drawing) => {
                        walk.skip()?;
                        continue;
                    }
                    _ => Place::Other,
                };
                open.push(place);
            }
            Node::Text(part) => {
                if open.contains(&Place::Paragraph) {
                    text.push_str(&part);
                }
            }
            Node::Close => match open.pop() {
                Some(Place::Paragraph) => end_line(&mut text, lines),
                Some(Place::Drawing | Place::Other) => {}
                None => return Ok(()),
            },
            Node::End => return Ok(()),
        }
    }
}

fn end_line(text: &mut String, lines: &mut Lines) {
    lines.add(one_line(&std::mem::take(text)));
}
