//! The walk over the text of an OpenDocument file.

use super::lists::{Counters, Lists};
use super::table::Table;
use crate::blocks::{Block, Marker, join, one_line};
use crate::failure::Failure;
use crate::open_document::{Object, Objects};
use crate::xml::{Element, Node, Walk};

/// How many spaces one element may stand for.
const MAX_SPACES: usize = 1_000;

/// An open element, as far as it matters what is inside and when it ends.
#[derive(Debug)]
enum Scope {
    Paragraph,
    Heading(u8),
    List,
    Item,
    Table,
    Row,
    Cell {
        is_covered: bool,
    },
    Frame,
    Drawing,
    /// A note: its number, and who wrote it.
    Note(usize, Option<String>),
    NoteBody,
    Link(usize, String),
    Formula,
    Other,
}

/// A paragraph while it is read.
#[derive(Debug, Default)]
struct Paragraph {
    text: String,
    after: Vec<Block>,
    /// The marker and level of the item that the paragraph begins.
    marker: Option<(Marker, usize)>,
}

/// The state of the walk: what is open, from the outermost in.
pub(super) struct Body<'a> {
    counters: Counters<'a>,
    comments: bool,
    objects: Objects<'a>,
    scopes: Vec<Scope>,
    /// The blocks of the body, and of each open cell, frame and note.
    blocks: Vec<Vec<Block>>,
    paragraphs: Vec<Paragraph>,
    tables: Vec<Table>,
    notes: Vec<Block>,
    note_count: usize,
    /// How many repeated cells of tables are not written.
    repeats_left_out: u64,
    comments_left_out: usize,
}

/// A document that was read.
pub(super) struct Finished {
    pub(super) blocks: Vec<Block>,
    pub(super) repeats_left_out: u64,
    pub(super) comments_left_out: usize,
    /// The parts of objects that were not read.
    pub(super) unread: Vec<String>,
}

impl<'a> Body<'a> {
    /// Begins a document.
    pub(super) fn new(lists: &'a Lists, comments: bool) -> Self {
        Self {
            counters: Counters::new(lists),
            comments,
            objects: Objects::default(),
            scopes: Vec::new(),
            blocks: vec![Vec::new()],
            paragraphs: Vec::new(),
            tables: Vec::new(),
            notes: Vec::new(),
            note_count: 0,
            repeats_left_out: 0,
            comments_left_out: 0,
        }
    }

    /// Says how the parts of objects are read.
    pub(super) fn set_objects(&mut self, read: impl FnMut(&str) -> Option<String> + 'a) {
        self.objects = Objects::new(read);
    }

    /// Returns all blocks, the notes at the end.
    pub(super) fn finish(mut self) -> Finished {
        let mut blocks = self.blocks.drain(..).flatten().collect::<Vec<_>>();
        blocks.append(&mut self.notes);
        Finished {
            blocks,
            repeats_left_out: self.repeats_left_out,
            comments_left_out: self.comments_left_out,
            unread: self.objects.into_unread(),
        }
    }

    /// Reads the body of a part.
    pub(super) fn walk(&mut self, xml: &str) -> Result<(), Failure> {
        let mut walk = Walk::new(xml);
        loop {
            match walk.next()? {
                Node::Open(element) => match self.open(&element) {
                    Some(scope) => self.enter(scope),
                    None => walk.skip()?,
                },
                Node::Close => {
                    if let Some(scope) = self.scopes.pop() {
                        self.leave(scope);
                    }
                }
                Node::Text(text) => self.push_collapsed(&text),
                Node::End => return Ok(()),
            }
        }
    }

    /// Finds out what an element is; nothing when it is to be passed over.
    fn open(&mut self, element: &Element) -> Option<Scope> {
        Some(match element.name() {
            "p" => Scope::Paragraph,
            "h" => {
                let level = element.attribute("outline-level");
                let level = level.and_then(|level| level.parse().ok()).unwrap_or(1_u8);
                Scope::Heading(level.clamp(1, 6))
            }
            "list" => {
                let goes_on = element.attribute("continue-numbering").as_deref() == Some("true")
                    || element.attribute("continue-list").is_some();
                self.counters.open(element.attribute("style-name"), goes_on);
                Scope::List
            }
            "list-item" => {
                let start = element.attribute("start-value");
                self.counters
                    .open_item(start.and_then(|start| start.parse().ok()));
                Scope::Item
            }
            "table" => Scope::Table,
            "table-row" => {
                if let Some(table) = self.tables.last_mut() {
                    table.begin_row(element);
                }
                Scope::Row
            }
            name @ ("table-cell" | "covered-table-cell") => {
                if let Some(table) = self.tables.last_mut() {
                    table.begin_cell(element);
                }
                let is_covered = name == "covered-table-cell";
                Scope::Cell { is_covered }
            }
            "text-box" => Scope::Frame,
            "note" => self.open_note(None),
            "annotation" if self.comments && !self.is_in_formula() => {
                self.open_note(Some(String::new()))
            }
            "annotation" => {
                self.comments_left_out += usize::from(!self.is_in_formula());
                return None;
            }
            "note-body" => Scope::NoteBody,
            "a" => self.open_link(element),
            "object" => {
                self.push_object(element);
                Scope::Other
            }
            "math" => Scope::Formula,
            "object-ole" => {
                let part = element.attribute("href").unwrap_or_default();
                self.objects.pass_over(&part);
                return None;
            }
            // What was deleted, what is not shown, and what is not text.
            "tracked-changes" | "note-citation" | "ruby-text" | "binary-data" | "styles"
            | "automatic-styles" | "master-styles" | "meta" | "settings" | "scripts"
            | "font-face-decls" | "desc" | "sequence-decls" | "variable-decls"
            | "user-field-decls" | "forms" | "hidden-text" | "shapes" => return None,
            "title" if matches!(self.scopes.last(), Some(Scope::Drawing)) => return None,
            "frame" | "custom-shape" | "g" => Scope::Drawing,
            name => {
                self.push_character(name, element);
                Scope::Other
            }
        })
    }

    fn open_note(&mut self, author: Option<String>) -> Scope {
        self.note_count += 1;
        let number = self.note_count;
        self.push(&format!("[^{number}]"));
        Scope::Note(number, author)
    }

    fn open_link(&self, element: &Element) -> Scope {
        let target = element.attribute("href").unwrap_or_default();
        match self.paragraphs.last() {
            Some(paragraph) if target.contains(':') => Scope::Link(paragraph.text.len(), target),
            _ => Scope::Other,
        }
    }

    /// Writes an element that stands for a character.
    fn push_character(&mut self, name: &str, element: &Element) {
        match name {
            "tab" => self.push("\t"),
            "line-break" => self.push("\n"),
            "s" => {
                let count = element.attribute("c").and_then(|count| count.parse().ok());
                self.push(&" ".repeat(count.unwrap_or(1).min(MAX_SPACES)));
            }
            _ => {}
        }
    }

    fn is_in_formula(&self) -> bool {
        let mut scopes = self.scopes.iter();
        scopes.any(|scope| matches!(scope, Scope::Formula))
    }

    /// Writes what an object that stands in parts of its own holds.
    fn push_object(&mut self, element: &Element) {
        let part = element.attribute("href").unwrap_or_default();
        match self.objects.read(&part) {
            Some(Object::Formula(formula)) => self.push(&formula),
            Some(Object::Blocks(blocks)) => self.add_beside(blocks),
            None => {}
        }
    }

    /// Writes the text of the document, in which white space is one space.
    fn push_collapsed(&mut self, text: &str) {
        let in_formula = matches!(self.scopes.last(), Some(Scope::Formula));
        let Some(paragraph) = self.paragraphs.last_mut() else {
            return;
        };
        if in_formula {
            return;
        }
        for character in text.chars() {
            if !matches!(character, ' ' | '\t' | '\n' | '\r') {
                paragraph.text.push(character);
            } else if !paragraph.text.is_empty() && !paragraph.text.ends_with([' ', '\n', '\t']) {
                paragraph.text.push(' ');
            }
        }
    }

    fn push(&mut self, text: &str) {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.text.push_str(text);
        }
    }

    fn add(&mut self, blocks: Vec<Block>) {
        if let Some(container) = self.blocks.last_mut() {
            container.extend(blocks);
        }
    }

    fn enter(&mut self, scope: Scope) {
        match &scope {
            Scope::Paragraph | Scope::Heading(_) => self.paragraphs.push(Paragraph {
                marker: self.counters.marker(),
                ..Paragraph::default()
            }),
            Scope::Table => self.tables.push(Table::default()),
            Scope::Cell { .. } | Scope::Frame | Scope::Note(..) => self.blocks.push(Vec::new()),
            _ => {}
        }
        self.scopes.push(scope);
    }

    fn leave(&mut self, scope: Scope) {
        match scope {
            Scope::Paragraph => self.leave_paragraph(None),
            Scope::Heading(level) => self.leave_paragraph(Some(level)),
            Scope::List => self.counters.close(),
            Scope::Table => {
                let mut table = self.tables.pop().unwrap_or_default();
                self.repeats_left_out += table.take_left_out();
                self.add_beside(table.finish());
            }
            Scope::Row => {
                if let Some(table) = self.tables.last_mut() {
                    table.end_row();
                }
            }
            Scope::Cell { is_covered } => {
                let blocks = self.blocks.pop().unwrap_or_default();
                match self.tables.last_mut() {
                    Some(table) => table.end_cell(blocks, is_covered),
                    None => self.add(blocks),
                }
            }
            Scope::Frame => {
                let blocks = self.blocks.pop().unwrap_or_default();
                self.add_beside(blocks);
            }
            Scope::Note(number, author) => {
                let blocks = self.blocks.pop().unwrap_or_default();
                let author = author.filter(|author| !author.is_empty());
                let author = author.map(|author| format!("{author}: "));
                let text = format!("{}{}", author.unwrap_or_default(), join(&blocks));
                self.notes.push(Block::Note { number, text });
            }
            Scope::Link(start, target) => self.link(start, &target),
            Scope::Drawing | Scope::Item | Scope::NoteBody | Scope::Formula | Scope::Other => {}
        }
    }

    /// Adds blocks that stand in a paragraph after it.
    fn add_beside(&mut self, blocks: Vec<Block>) {
        match self.paragraphs.last_mut() {
            Some(paragraph) => paragraph.after.extend(blocks),
            None => self.add(blocks),
        }
    }

    fn leave_paragraph(&mut self, heading: Option<u8>) {
        let Some(paragraph) = self.paragraphs.pop() else {
            return;
        };
        let text = paragraph.text.trim();
        if !text.is_empty() {
            let block = match (heading, paragraph.marker) {
                (Some(level), _) => Block::Heading {
                    level,
                    text: one_line(text),
                },
                (None, Some((marker, level))) => Block::Item {
                    marker,
                    level,
                    text: text.into(),
                },
                (None, None) => Block::Text(text.into()),
            };
            self.add(vec![block]);
        }
        self.add(paragraph.after);
    }

    /// Makes a link of the text from `start` on, unless it is the address itself.
    fn link(&mut self, start: usize, target: &str) {
        let Some(paragraph) = self.paragraphs.last_mut() else {
            return;
        };
        let text = paragraph.text.get(start..).unwrap_or_default();
        let words = text.trim().to_owned();
        let is_plain = words.is_empty() || target.ends_with(&words);
        if is_plain || words.contains(['\n', ']']) || target.contains(['(', ')', '<', '>', ' ']) {
            return;
        }
        paragraph.text.truncate(start);
        let parts = ["[", &words, "](", target, ")"];
        paragraph.text.extend(parts);
    }
}
