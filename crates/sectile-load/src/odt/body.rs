//! The walk over the text of an OpenDocument file.

mod scope;

use std::fmt::Write as _;

use super::forms::Controls;
use super::lists::{Beginning, Counters};
use super::paragraph::Paragraph;
use super::styles::Styles;
use super::table::Table;
use crate::blocks::{Block, apart, join};
use crate::code_paragraphs::Container;
use crate::failure::Failure;
use crate::open_document::{Drawings, Object, Objects, formula};
use crate::titles::TextLook;
use crate::xml::{Element, Node, Walk};
use scope::Scope;

/// How many spaces one element may stand for.
const MAX_SPACES: usize = 1_000;

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
    /// What the controls of forms show.
    controls: Controls,
}

/// A document that was read.
pub(super) struct Finished {
    pub(super) blocks: Vec<Block>,
    pub(super) repeats_left_out: u64,
    pub(super) comments_left_out: usize,
    pub(super) readings_left_out: usize,
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
                    _ => {
                        if let Some(paragraph) = self.paragraphs.last_mut() {
                            paragraph.push_collapsed(&text);
                        }
                    }
                },
                Node::End => return Ok(()),
            }
        }
    }

    /// Finds out what an element is; nothing when it is to be passed over.
    fn open(&mut self, element: &Element) -> Option<Scope> {
        if matches!(element.name(), "p" | "h") {
            self.counters
                .begin_paragraph(element.attribute("style-name"));
        }
        Some(match element.name() {
            "p" if self.is_title(element) => Scope::Heading(1, None),
            "p" => {
                let style = element.attribute("style-name").unwrap_or_default();
                Scope::Paragraph {
                    is_code: self.styles.is_code(&style),
                    look: self.styles.paragraph_look(&style),
                }
            }
            "h" => {
                let level = element.attribute("outline-level");
                let level = level.and_then(|level| level.parse().ok()).unwrap_or(1_u8);
                let number = self.number(element, level);
                Scope::Heading(level.clamp(1, 6), number)
            }
            "span" => {
                self.open_span(element);
                Scope::Span
            }
            "list" => {
                self.counters.open(Beginning::of_list(element));
                Scope::List
            }
            "numbered-paragraph" => {
                self.counters.open(Beginning::of_paragraph(element));
                self.counters.open_item(element);
                Scope::List
            }
            "list-item" => {
                self.counters.open_item(element);
                Scope::Item
            }
            "list-header" => {
                self.counters.open_header();
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
            "annotation" if self.comments => self.open_note(Some(String::new())),
            "annotation" => {
                self.comments_left_out += 1;
                return None;
            }
            "note-body" => Scope::NoteBody,
            "a" => self.open_link(element),
            "object" => {
                self.drawings.add_object();
                self.push_object(element);
                Scope::Other
            }
            "object-ole" => {
                self.drawings.add_object();
                let part = element.attribute("href").unwrap_or_default();
                self.objects.pass_over(&part);
                return None;
            }
            "ruby-text" => {
                self.readings_left_out += 1;
                return None;
            }
            "desc" if matches!(self.scopes.last(), Some(Scope::Drawing)) => {
                Scope::PictureDescription
            }
            // What was deleted, what is not shown, and what is not text. Numbers are counted from the styles.
            "number" | "tracked-changes" | "note-citation" | "binary-data" | "styles"
            | "automatic-styles" | "master-styles" | "settings" | "scripts" | "font-face-decls"
            | "sequence-decls" | "variable-decls" | "user-field-decls" | "forms"
            | "hidden-text" | "shapes" | "desc" => return None,
            // Within a paragraph it marks a part of the text.
            "meta" if self.paragraphs.is_empty() => return None,
            "title" if matches!(self.scopes.last(), Some(Scope::Drawing)) => Scope::PictureTitle,
            "image" => {
                self.drawings.add_picture();
                Scope::Other
            }
            "frame" | "custom-shape" | "g" => {
                self.drawings.begin(element);
                Scope::Drawing
            }
            name => {
                self.push_character(name, element);
                Scope::Other
            }
        })
    }

    fn is_title(&self, element: &Element) -> bool {
        let style = element.attribute("style-name");
        style.is_some_and(|style| self.styles.is_title(&style))
    }

    /// Counts a heading, unless it has no number.
    fn number(&mut self, element: &Element, level: u8) -> Option<String> {
        let is = |name| element.attribute(name).as_deref() == Some("true");
        let style = element.attribute("style-name").unwrap_or_default();
        if is("is-list-header")
            || self.counters.is_in_header()
            || !self.styles.is_in_outline(&style)
        {
            return None;
        }
        let start = element.attribute("start-value");
        let start = start
            .and_then(|start| start.parse().ok())
            .filter(|_| is("restart-numbering"));
        self.counters.heading(level.into(), start)
    }

    fn open_span(&mut self, element: &Element) {
        let style = element.attribute("style-name").unwrap_or_default();
        let styled = self.styles.rise(&style);
        if let Some(paragraph) = self.paragraphs.last_mut() {
            let outer = paragraph.rises.last().copied().unwrap_or_default();
            paragraph.rises.push(styled.unwrap_or(outer));
            let look = self.styles.span_look(&style, paragraph.inner_look());
            paragraph.looks.push(look);
        }
    }

    fn open_note(&mut self, author: Option<String>) -> Scope {
        self.note_count += 1;
        let number = self.note_count;
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.end_raised();
            let _ = write!(paragraph.text, "[^{number}]");
        }
        Scope::Note(number, author)
    }

    fn open_link(&mut self, element: &Element) -> Scope {
        let target = element.attribute("href").unwrap_or_default();
        match self.paragraphs.last_mut() {
            Some(paragraph) if target.contains(':') => {
                paragraph.end_raised();
                Scope::Link(paragraph.text.len(), target)
            }
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
            "control" => self.push_control(element),
            _ => {}
        }
    }

    /// Writes what a control shows, once, in the line if it stands there as a character.
    fn push_control(&mut self, element: &Element) {
        let id = element.attribute("control").unwrap_or_default();
        let Some(shown) = self.controls.remove(&id) else {
            return;
        };
        let anchor = element.attribute("anchor-type");
        if anchor.as_deref() == Some("as-char") && !self.paragraphs.is_empty() {
            self.push(&shown);
        } else {
            self.add_beside(vec![Block::Text(shown)]);
        }
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

    fn push(&mut self, text: &str) {
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
            Scope::Paragraph { look, .. } => self.begin_paragraph(*look),
            Scope::Heading(..) => self.begin_paragraph(TextLook::default()),
            Scope::Table => self.tables.push(Table::default()),
            Scope::Cell { .. } | Scope::Frame | Scope::Note(..) => {
                self.containers.push(Container::default());
            }
            _ => {}
        }
        self.scopes.push(scope);
    }

    fn begin_paragraph(&mut self, styled: TextLook) {
        self.paragraphs.push(Paragraph {
            label: self.counters.label(),
            styled,
            ..Paragraph::default()
        });
    }

    fn leave(&mut self, scope: Scope) {
        match scope {
            Scope::Paragraph { is_code: true, .. } => self.leave_code(),
            Scope::Paragraph { .. } => self.leave_paragraph(None),
            Scope::Heading(level, number) => self.leave_paragraph(Some((level, number))),
            Scope::Span => {
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.rises.pop();
                    paragraph.looks.pop();
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
        let blocks = paragraph.finish(heading);
        if let Some(container) = self.containers.last_mut() {
            container.add_paragraph(blocks);
        }
    }
}
