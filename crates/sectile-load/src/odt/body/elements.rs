//! What the elements of a document are.

use std::fmt::Write as _;

use super::super::lists::Beginning;
use super::scope::Scope;
use super::{Body, hidden};
use crate::blocks::Block;
use crate::open_document::Object;
use crate::xml::Element;

/// How many spaces one element may stand for.
const MAX_SPACES: usize = 1_000;

impl Body<'_> {
    /// Finds out what an element is; nothing when it is to be passed over.
    pub(super) fn open(&mut self, element: &Element) -> Option<Scope> {
        if matches!(element.name(), "p" | "h") {
            self.counters
                .begin_paragraph(element.attribute("style-name"));
        }
        if hidden::is_field(element) || (self.is_hidden() && hidden::is_apart(element)) {
            return Some(Scope::Hidden);
        }
        Some(match element.name() {
            "p" if self.is_title(element) => Scope::Heading(1, None, self.hides(element)),
            "p" => self.open_paragraph(element),
            "h" => self.open_heading(element),
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
            "annotation" if self.is_hidden() => return None,
            "annotation" if self.comments => self.open_note(Some(String::new())),
            "annotation" => {
                self.comments_left_out += 1;
                return None;
            }
            "note-body" => Scope::NoteBody,
            "a" => self.open_link(element),
            _ => return self.open_other(element),
        })
    }

    /// Finds out what an element is that is neither text nor the structure of it.
    fn open_other(&mut self, element: &Element) -> Option<Scope> {
        Some(match element.name() {
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
            // What is not shown, and what is not text. Numbers are counted from the styles.
            "number" | "note-citation" | "binary-data" | "styles" | "automatic-styles"
            | "master-styles" | "settings" | "script" | "scripts" | "font-face-decls"
            | "sequence-decls" | "variable-decls" | "user-field-decls" | "forms" | "shapes"
            | "desc" => return None,
            "hidden-text" => return self.open_hidden_text(element),
            "hidden-paragraph" => {
                self.pass_hidden_paragraph(element);
                return None;
            }
            "tracked-changes" | "changed-region" => Scope::Other,
            "insertion" | "format-change" | "deletion" | "section-source" | "floating-frame" => {
                self.pass_over(element);
                return None;
            }
            "section" => Scope::Section {
                source: None,
                filled: self.filled,
                is_hidden: hidden::is_section(element),
            },
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

    /// Takes what is said by an element without text of the document: that a part was deleted, and which file a frame, or the
    /// section being read, shows.
    fn pass_over(&mut self, element: &Element) {
        match (element.name(), self.scopes.last_mut()) {
            ("deletion", _) => self.hidden.add_deletion(),
            ("floating-frame", _) => {
                let file = element.attribute("href").unwrap_or_default();
                self.not_followed.add(&file);
            }
            ("section-source", Some(Scope::Section { source, .. })) => {
                *source = element.attribute("href");
            }
            _ => {}
        }
    }

    fn is_title(&self, element: &Element) -> bool {
        let style = element.attribute("style-name");
        style.is_some_and(|style| self.styles.is_title(&style))
    }

    fn open_paragraph(&self, element: &Element) -> Scope {
        let style = element.attribute("style-name").unwrap_or_default();
        Scope::Paragraph {
            is_code: self.styles.is_code(&style),
            look: self.styles.paragraph_look(&style),
            is_hidden: self.styles.hides_paragraph(&style),
        }
    }

    fn open_heading(&mut self, element: &Element) -> Scope {
        let level = element.attribute("outline-level");
        let level = level.and_then(|level| level.parse().ok()).unwrap_or(1_u8);
        let number = self.number(element, level);
        Scope::Heading(level.clamp(1, 6), number, self.hides(element))
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
            let outer = paragraph.hides_text();
            let hides = self.styles.hides_span(&style);
            paragraph.hides.push(hides.unwrap_or(outer));
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
        if self.is_hidden() {
            self.hidden.add_text(&shown);
        } else if anchor.as_deref() == Some("as-char") && !self.paragraphs.is_empty() {
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
}
