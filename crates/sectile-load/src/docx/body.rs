//! The walk over the text of a document: its body, its footnotes, its endnotes.

mod elements;
mod fields;
mod scope;

use super::context::Context;
use super::fields::Fields;
use super::notes::Note;
use super::paragraph::{Paragraph, RunLook};
use super::pictures::Pictures;
use super::table::Table;
use crate::alternative_text::Picture;
use crate::blocks::{Block, apart};
use crate::code_paragraphs::Container;
use crate::failure::Failure;
use crate::office_math::Equation;
use crate::superscript::Rise;
use crate::xml::{Node, Walk};
use scope::{Run, Scope};

/// Reads the blocks of the main part.
pub(super) fn read(xml: &str, context: &mut Context) -> Result<Vec<Block>, Failure> {
    let mut body = Body::new(context);
    body.walk(&mut Walk::new(xml))?;
    Ok(body.leave_container())
}

/// Reads the notes of the part of the footnotes, endnotes or comments.
pub(super) fn read_notes(xml: &str, context: &mut Context) -> Result<Vec<Note>, Failure> {
    let mut body = Body::new(context);
    body.walk(&mut Walk::new(xml))?;
    Ok(body.notes)
}

/// The state of the walk: what is open, from the outermost in.
#[derive(Debug)]
struct Body<'c, 'a> {
    context: &'c mut Context<'a>,
    scopes: Vec<Scope>,
    /// What is in the body, and in each open cell, text box and note.
    containers: Vec<Container>,
    paragraphs: Vec<Paragraph>,
    /// A paragraph that the next one goes on with, and how many containers are open around both.
    unfinished: Option<(usize, Paragraph)>,
    tables: Vec<Table>,
    /// The open runs.
    runs: Vec<Run>,
    notes: Vec<Note>,
    fields: Fields,
    pictures: Pictures,
    equation: Option<Equation>,
    /// Whether equations stand on lines of their own.
    is_display: bool,
}

impl<'c, 'a> Body<'c, 'a> {
    fn new(context: &'c mut Context<'a>) -> Self {
        Self {
            context,
            scopes: Vec::new(),
            containers: vec![Container::default()],
            paragraphs: Vec::new(),
            unfinished: None,
            tables: Vec::new(),
            runs: Vec::new(),
            notes: Vec::new(),
            fields: Fields::default(),
            pictures: Pictures::default(),
            equation: None,
            is_display: false,
        }
    }

    fn walk(&mut self, walk: &mut Walk) -> Result<(), Failure> {
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
                Node::Text(text) if matches!(self.scopes.last(), Some(Scope::Text)) => {
                    self.write(&text.replace(['\n', '\r'], " "));
                }
                Node::Text(text) if matches!(self.scopes.last(), Some(Scope::Instruction)) => {
                    if let Some(field) = self.fields.last() {
                        field.instruction.push_str(&text);
                    }
                }
                Node::Text(_) => {}
                Node::End => return Ok(()),
            }
        }
    }

    /// Writes what is said of a picture, unless it is hidden.
    fn show_picture(&mut self, picture: &Picture) {
        if !self.is_hidden() {
            self.add_beside(picture.block().into_iter().collect());
        }
    }

    /// Adds blocks here, or after the paragraph that has begun.
    fn add_beside(&mut self, blocks: Vec<Block>) {
        match self.paragraphs.last_mut() {
            Some(paragraph) => paragraph.boxes.extend(blocks),
            None => self.add(blocks),
        }
    }

    /// Notes where a link in the document leads to.
    fn add_entry(&mut self, place: &str) {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.add_entry(place, self.context);
        }
    }

    /// Writes an equation as the LaTeX that Markdown has between dollar signs.
    fn leave_equation(&mut self) {
        let latex = self.equation.take().map(Equation::finish);
        let Some(latex) = latex.filter(|latex| !latex.is_empty()) else {
            return;
        };
        let sign = if self.is_display { "$$" } else { "$" };
        let paragraph = self.paragraphs.last();
        let follows = paragraph.is_some_and(|paragraph| paragraph.text.ends_with('$'));
        let space = if follows { " " } else { "" };
        self.push(&format!("{space}{sign}{latex}{sign}"));
    }

    /// Writes the text of a run, with the characters that fonts of symbols show.
    fn write(&mut self, text: &str) {
        match self.runs.last().and_then(|run| run.symbols) {
            Some(font) => self.push(&font.shown(text)),
            None => self.push(text),
        }
    }

    /// Writes text to the paragraph being read, or to one of its own outside of any.
    fn push(&mut self, text: &str) {
        if self.is_hidden() {
            self.context.hidden.add_text(text);
            return;
        }
        if text.is_empty() {
            return;
        }
        // What a field in the instruction of another shows belongs to that instruction.
        if self.equation.is_none() && self.fields.take(text) {
            return;
        }
        if let Some(equation) = &mut self.equation {
            equation.text(text);
        } else if let Some(paragraph) = self.paragraphs.last_mut() {
            let run = self.runs.last();
            let rise = run.map(|run| run.rise).unwrap_or_default();
            let look = run.map(|run| run.look).unwrap_or_default();
            paragraph.push(text, rise, look);
        } else if !text.trim().is_empty() {
            self.add(vec![Block::Text(text.into())]);
        }
    }

    fn is_hidden(&self) -> bool {
        self.runs.last().is_some_and(|run| run.is_hidden)
    }

    /// Adds blocks to the innermost open container.
    fn add(&mut self, blocks: Vec<Block>) {
        if let Some(container) = self.containers.last_mut() {
            container.add(blocks);
        }
    }

    fn leave_container(&mut self) -> Vec<Block> {
        self.finish_paragraph();
        self.containers.pop().unwrap_or_default().finish()
    }

    fn enter_paragraph(&mut self) {
        let depth = self.containers.len();
        let before = self.unfinished.take_if(|(before, _)| *before == depth);
        let paragraph = before.map(|(_, paragraph)| paragraph.continued());
        self.paragraphs.push(paragraph.unwrap_or_default());
    }

    fn leave_paragraph(&mut self) {
        let taken = self.fields.end_paragraph();
        self.push(&taken);
        let paragraph = self.paragraphs.pop().unwrap_or_default();
        if paragraph.is_open {
            self.unfinished = Some((self.containers.len(), paragraph));
        } else {
            self.add_paragraph(paragraph);
        }
    }

    /// Adds a paragraph whose end was deleted where no other one follows.
    fn finish_paragraph(&mut self) {
        let depth = self.containers.len();
        if let Some((_, paragraph)) = self.unfinished.take_if(|(before, _)| *before == depth) {
            self.add_paragraph(paragraph);
        }
    }

    fn add_paragraph(&mut self, paragraph: Paragraph) {
        let code = paragraph.code(self.context);
        let Some(container) = self.containers.last_mut() else {
            return;
        };
        if let Some(is_sure) = code {
            return container.add_code(&paragraph.text, is_sure);
        }
        let blocks = paragraph.finish(self.context);
        container.add_paragraph(blocks);
    }

    fn enter(&mut self, scope: Scope) {
        match &scope {
            Scope::Paragraph => self.enter_paragraph(),
            Scope::Display => self.is_display = true,
            Scope::Run | Scope::MathRun => {
                if self.fields.is_result_next() {
                    self.begin_result();
                }
                let paragraph = self.paragraphs.last();
                self.runs.push(Run {
                    is_hidden: paragraph.is_some_and(|one| one.is_hidden(self.context)),
                    rise: Rise::None,
                    look: paragraph.map_or_else(RunLook::default, |one| one.look(self.context)),
                    symbols: None,
                });
            }
            Scope::Table => {
                self.finish_paragraph();
                self.tables.push(Table::default());
            }
            Scope::Cell => {
                self.in_table(Table::begin_cell);
                self.containers.push(Container::default());
            }
            Scope::TextBox | Scope::Note(_) => self.containers.push(Container::default()),
            _ => {}
        }
        self.scopes.push(scope);
    }

    fn leave(&mut self, scope: Scope) {
        match scope {
            Scope::Paragraph => self.leave_paragraph(),
            Scope::Run => drop(self.runs.pop()),
            Scope::Picture => {
                let picture = self.pictures.end();
                self.show_picture(&picture);
            }
            Scope::Field => self.end_field(),
            Scope::Table => {
                let table = self.tables.pop().unwrap_or_default();
                self.add(table.finish());
            }
            Scope::Row => self.in_table(Table::end_row),
            Scope::Cell => self.leave_cell(),
            Scope::TextBox => self.leave_text_box(),
            Scope::Note(note) => {
                let blocks = self.leave_container();
                self.notes.push(Note { blocks, ..note });
            }
            Scope::Math => self.in_equation(Equation::close),
            Scope::MathRun => {
                self.runs.pop();
                self.in_equation(Equation::close);
            }
            Scope::Equation => self.leave_equation(),
            Scope::Display => self.is_display = false,
            Scope::Link(start, target) => {
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.link(start, &target);
                }
            }
            _ => {}
        }
    }

    /// Tells the innermost open table, when there is one, as there is but for damage.
    fn in_table(&mut self, change: fn(&mut Table)) {
        if let Some(table) = self.tables.last_mut() {
            change(table);
        }
    }

    fn in_equation(&mut self, change: fn(&mut Equation)) {
        if let Some(equation) = &mut self.equation {
            change(equation);
        }
    }

    fn leave_cell(&mut self) {
        let blocks = apart(self.leave_container());
        match self.tables.last_mut() {
            Some(table) => table.end_cell(blocks),
            None => self.add(blocks),
        }
    }

    /// Puts what stands in a text box before the paragraph it is anchored to, or after it when
    /// the paragraph has begun.
    fn leave_text_box(&mut self) {
        let blocks = apart(self.leave_container());
        match self.paragraphs.last_mut() {
            Some(paragraph) if !paragraph.text.trim().is_empty() => paragraph.boxes.extend(blocks),
            _ => self.add(blocks),
        }
    }
}
