//! The walk over the text of an OpenDocument file.

mod elements;
mod hidden;
mod scope;

use super::lists::Counters;
use super::paragraph::Paragraph;
use super::styles::Styles;
use super::table::Table;
use crate::blocks::{Block, apart, join};
use crate::code_paragraphs::Container;
use crate::failure::Failure;
use crate::not_followed::NotFollowed;
use crate::omissions::Hidden;
use crate::open_document::forms::Controls;
use crate::open_document::{Drawings, Objects, formula};
use crate::titles::TextLook;
use crate::xml::{Node, Walk};
use scope::Scope;

/// The state of the walk: what is open, from the outermost in.
pub(super) struct Body<'a> {
    styles: &'a Styles,
    counters: Counters<'a>,
    comments: bool,
    objects: Objects<'a>,
    scopes: Vec<Scope>,
    /// What is in the body, and in each open cell, frame and note.
    containers: Vec<Container>,
    paragraphs: Vec<Paragraph>,
    tables: Vec<Table>,
    drawings: Drawings,
    notes: Vec<Block>,
    note_count: usize,
    /// How many repeated cells of tables are not written.
    repeats_left_out: u64,
    comments_left_out: usize,
    readings_left_out: usize,
    /// What the document does not show.
    hidden: Hidden,
    /// How many hidden sections, and things in hidden text, are open.
    hidden_around: usize,
    /// How many paragraphs with something in them have ended.
    filled: usize,
    not_followed: NotFollowed,
    /// What the controls of forms show.
    controls: Controls,
}

/// A document that was read.
pub(super) struct Finished {
    pub(super) blocks: Vec<Block>,
    pub(super) repeats_left_out: u64,
    pub(super) comments_left_out: usize,
    pub(super) readings_left_out: usize,
    pub(super) hidden: Hidden,
    /// The files that sections show, of which there is no copy.
    pub(super) not_followed: NotFollowed,
    /// The parts of objects that were not read.
    pub(super) unread: Vec<String>,
}

impl<'a> Body<'a> {
    /// Begins a document.
    pub(super) fn new(styles: &'a Styles, comments: bool) -> Self {
        Self {
            styles,
            counters: Counters::new(styles),
            comments,
            objects: Objects::default(),
            scopes: Vec::new(),
            containers: vec![Container::default()],
            paragraphs: Vec::new(),
            tables: Vec::new(),
            drawings: Drawings::default(),
            notes: Vec::new(),
            note_count: 0,
            repeats_left_out: 0,
            comments_left_out: 0,
            readings_left_out: 0,
            hidden: Hidden::default(),
            hidden_around: 0,
            filled: 0,
            not_followed: NotFollowed::default(),
            controls: Controls::new(),
        }
    }

    /// Says what the controls of forms show.
    pub(super) fn set_controls(&mut self, controls: Controls) {
        self.controls = controls;
    }

    /// Says how the parts of objects are read.
    pub(super) fn set_objects(&mut self, read: impl FnMut(&str) -> Option<String> + 'a) {
        self.objects = Objects::new(read);
    }

    /// Returns all blocks, the notes at the end.
    pub(super) fn finish(mut self) -> Finished {
        Finished {
            blocks: self.take_blocks(),
            repeats_left_out: self.repeats_left_out,
            comments_left_out: self.comments_left_out,
            readings_left_out: self.readings_left_out,
            hidden: self.hidden,
            not_followed: self.not_followed,
            unread: self.objects.into_unread(),
        }
    }

    /// Reads a part of a document by itself, and returns its blocks, the notes at the end.
    #[cfg(feature = "odp")]
    pub(super) fn read(&mut self, xml: &str) -> Result<Vec<Block>, Failure> {
        self.walk(xml)?;
        Ok(apart(self.take_blocks()))
    }

    /// Takes the blocks that were read so far.
    fn take_blocks(&mut self) -> Vec<Block> {
        let containers = std::mem::replace(&mut self.containers, vec![Container::default()]);
        let containers = containers.into_iter();
        let mut blocks: Vec<Block> = containers.flat_map(Container::finish).collect();
        blocks.append(&mut self.notes);
        blocks
    }

    /// Reads the body of a part.
    pub(super) fn walk(&mut self, xml: &str) -> Result<(), Failure> {
        let mut walk = Walk::new(xml);
        loop {
            match walk.next()? {
                Node::Open(element) if element.name() == "math" => {
                    let formula = formula(&mut walk, &element)?;
                    self.push(&formula);
                }
                Node::Open(element) => match self.open(&element) {
                    Some(scope) => self.enter(scope),
                    None => walk.skip()?,
                },
                Node::Close => {
                    if let Some(scope) = self.scopes.pop() {
                        self.leave(scope);
                    }
                }
                Node::Text(text) => match self.scopes.last() {
                    Some(Scope::PictureTitle) => self.drawings.add_title(&text),
                    Some(Scope::PictureDescription) => self.drawings.add_description(&text),
                    _ => self.push_collapsed(&text),
                },
                Node::End => return Ok(()),
            }
        }
    }

    /// Adds text in which white space is one space.
    fn push_collapsed(&mut self, text: &str) {
        if self.is_hidden() {
            return self.hide(text);
        }
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.push_collapsed(text);
        }
    }

    fn push(&mut self, text: &str) {
        if self.is_hidden() {
            return self.hide(text);
        }
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.push(text);
        }
    }

    fn add(&mut self, blocks: Vec<Block>) {
        if let Some(container) = self.containers.last_mut() {
            container.add(blocks);
        }
    }

    fn leave_container(&mut self) -> Vec<Block> {
        self.containers.pop().unwrap_or_default().finish()
    }

    fn enter(&mut self, scope: Scope) {
        match &scope {
            Scope::Paragraph {
                look, is_hidden, ..
            } => self.begin_paragraph(*look, *is_hidden),
            Scope::Heading(_, _, is_hidden) => {
                self.begin_paragraph(TextLook::default(), *is_hidden);
            }
            Scope::Section {
                is_hidden: true, ..
            }
            | Scope::Hidden => self.hidden_around += 1,
            Scope::Table => self.tables.push(Table::default()),
            Scope::Cell { .. } | Scope::Frame | Scope::Note(..) => {
                self.containers.push(Container::default());
            }
            _ => {}
        }
        self.scopes.push(scope);
    }

    fn begin_paragraph(&mut self, styled: TextLook, is_hidden: bool) {
        self.paragraphs.push(Paragraph {
            label: self.counters.label(),
            styled,
            is_hidden,
            ..Paragraph::default()
        });
    }

    fn leave(&mut self, scope: Scope) {
        match scope {
            Scope::Paragraph { is_code: true, .. } => self.leave_code(),
            Scope::Paragraph { .. } => self.leave_paragraph(None),
            Scope::Heading(level, number, _) => self.leave_paragraph(Some((level, number))),
            Scope::Span => {
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.rises.pop();
                    paragraph.looks.pop();
                    paragraph.hides.pop();
                }
            }
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
                let blocks = apart(self.leave_container());
                match self.tables.last_mut() {
                    Some(table) => table.end_cell(blocks, is_covered),
                    None => self.add(blocks),
                }
            }
            Scope::Section {
                source,
                filled,
                is_hidden,
            } => {
                self.hidden_around -= usize::from(is_hidden);
                // A section without text has no copy of the file.
                if let Some(source) = source.filter(|_| filled == self.filled) {
                    self.not_followed.add(&source);
                }
            }
            Scope::Frame => {
                let blocks = apart(self.leave_container());
                self.add_beside(blocks);
            }
            Scope::Note(number, author) => {
                let blocks = self.leave_container();
                let author = author.filter(|author| !author.is_empty());
                let author = author.map(|author| format!("{author}: "));
                let text = format!("{}{}", author.unwrap_or_default(), join(&blocks));
                self.notes.push(Block::Note { number, text });
            }
            Scope::Link(start, target) => {
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.link(start, &target);
                }
            }
            Scope::Drawing => {
                let shown = self.drawings.end();
                self.add_beside(shown.into_iter().collect());
            }
            Scope::Hidden => self.hidden_around -= 1,
            Scope::PictureTitle
            | Scope::PictureDescription
            | Scope::Item
            | Scope::NoteBody
            | Scope::Other => {}
        }
    }

    /// Adds blocks that stand in a paragraph after it.
    fn add_beside(&mut self, blocks: Vec<Block>) {
        match self.paragraphs.last_mut() {
            Some(paragraph) => paragraph.after.extend(blocks),
            None => self.add(blocks),
        }
    }

    /// Ends a paragraph of code, unless it is an item or has more than text in it.
    fn leave_code(&mut self) {
        let is_code = |paragraph: &mut Paragraph| {
            let is_alone = paragraph.label.is_none() && paragraph.after.is_empty();
            is_alone && !paragraph.text.trim().is_empty()
        };
        let code = self.paragraphs.pop_if(is_code);
        match (code, self.containers.last_mut()) {
            (Some(mut paragraph), Some(container)) => {
                self.filled += 1;
                paragraph.end_raised();
                container.add_code(&paragraph.text, true);
            }
            _ => self.leave_paragraph(None),
        }
    }

    fn leave_paragraph(&mut self, heading: Option<(u8, Option<String>)>) {
        let Some(paragraph) = self.paragraphs.pop() else {
            return;
        };
        let is_filled = !paragraph.text.trim().is_empty() || !paragraph.after.is_empty();
        self.filled += usize::from(is_filled);
        let blocks = paragraph.finish(heading);
        if let Some(container) = self.containers.last_mut() {
            container.add_paragraph(blocks);
        }
    }
}
