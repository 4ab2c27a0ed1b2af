//! A paragraph while it is read.

use super::context::Context;
use super::numbering::Label;
use super::styles::ListLevel;
use crate::blocks::{Block, Marker};
use crate::link::link_end;
use crate::superscript::{PendingRise, Rise};
use crate::titles::{self, ParagraphLook, TextLook};
use crate::xml::Element;

/// What the names of the places begin with that tables of contents lead to.
const PLACE: &str = "_Toc";

/// The level of an entry of a table of contents in a style of its own.
const UNSTYLED: u8 = 1;

/// How a run looks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RunLook {
    pub(super) is_monospaced: bool,
    pub(super) text: TextLook,
}

/// A paragraph with its text so far and its own properties.
#[derive(Debug, Default)]
pub(super) struct Paragraph {
    pub(super) text: String,
    /// What stands in text boxes that are anchored in the paragraph's text.
    pub(super) boxes: Vec<Block>,
    style: Option<String>,
    outline_level: Option<u8>,
    list: ListLevel,
    /// Whether the characters of all its runs are equally wide.
    is_monospaced: Option<bool>,
    look: ParagraphLook,
    /// Its names for the links of a table of contents.
    places: Vec<String>,
    /// Whether it is an entry of a table of contents.
    is_entry: bool,
    pending_rise: PendingRise,
    /// Whether its end was deleted while changes were tracked, so that the next one goes on with it.
    pub(super) is_open: bool,
}

impl Paragraph {
    /// Begins the paragraph that goes on with the text of this one.
    pub(super) fn continued(mut self) -> Self {
        self.pending_rise.finish(&mut self.text);
        Self {
            text: self.text,
            boxes: self.boxes,
            is_monospaced: self.is_monospaced,
            look: self.look,
            places: self.places,
            ..Self::default()
        }
    }

    /// Takes a property, and says whether it has more inside.
    pub(super) fn set(&mut self, element: &Element) -> bool {
        match element.name() {
            "pStyle" => self.style = element.value(),
            "outlineLvl" => self.outline_level = element.number(),
            "numId" => self.list.list = element.number(),
            "ilvl" => self.list.level = element.number(),
            "del" | "moveFrom" => self.is_open = true,
            name => return matches!(name, "numPr" | "rPr"),
        }
        false
    }

    /// Adds the text of a run.
    pub(super) fn push(&mut self, text: &str, rise: Rise, look: RunLook) {
        self.pending_rise.push(&mut self.text, text, rise);
        if !text.trim().is_empty() {
            self.is_monospaced = Some(look.is_monospaced && self.is_monospaced != Some(false));
        }
        self.look.add(text, look.text);
    }

    /// Takes a place that links may lead to.
    pub(super) fn add_place(&mut self, name: String) {
        if name.starts_with(PLACE) {
            self.places.push(name);
        }
    }

    /// Notes where a link leads to that may be one of a table of contents. The style of an entry decides over a
    /// cross-reference.
    pub(super) fn add_entry(&mut self, target: &str, context: &mut Context) {
        if target.starts_with(PLACE) {
            self.is_entry = true;
            let style = self.style.as_deref();
            let level = style.and_then(|style| context.styles.contents_level(style));
            if let Some(level) = level {
                context.contents.insert(target.into(), level.clamp(1, 6));
            } else {
                context.contents.entry(target.into()).or_insert(UNSTYLED);
            }
        }
    }

    /// Returns whether the paragraph is code: by its style, or, less surely, by its font.
    pub(super) fn code(&self, context: &Context) -> Option<bool> {
        let style = self.style.as_deref();
        let is_apart = !self.boxes.is_empty()
            || self.heading_level(context).is_some()
            || self.list(context).list.is_some_and(|list| list != 0);
        if is_apart || self.text.trim().is_empty() {
            return None;
        }
        let is_sure = style.is_some_and(|style| context.styles.is_code(style));
        (is_sure || self.is_monospaced == Some(true)).then_some(is_sure)
    }

    /// Returns how the style of the paragraph makes runs look.
    pub(super) fn look(&self, context: &Context) -> RunLook {
        let Some(style) = self.style.as_deref() else {
            return RunLook::default();
        };
        let styles = context.styles;
        RunLook {
            is_monospaced: styles.is_monospaced(style),
            text: TextLook {
                is_bold: styles.bold(style).unwrap_or_default(),
                size: styles.size(style).unwrap_or_default(),
            },
        }
    }

    /// Returns the list of the paragraph, its own or that of its style.
    fn list(&self, context: &Context) -> ListLevel {
        let style = self.style.as_deref();
        let inherited = style.map(|style| context.styles.list(style));
        self.list.or(inherited.unwrap_or_default())
    }

    /// Returns where the text of a link or of a field begins.
    pub(super) fn begin_part(&mut self) -> usize {
        self.pending_rise.finish(&mut self.text);
        self.text.len()
    }

    /// Makes a link of the text from `start` on, unless it is the address itself.
    pub(super) fn link(&mut self, start: usize, target: &str) {
        self.pending_rise.finish(&mut self.text);
        link_end(&mut self.text, start, target);
    }

    /// Returns whether the style of the paragraph hides its text.
    pub(super) fn is_hidden(&self, context: &Context) -> bool {
        let style = self.style.as_deref();
        style.is_some_and(|style| context.styles.is_hidden(style))
    }

    /// Makes blocks of the paragraph and the text boxes in it. An item without text counts.
    pub(super) fn finish(mut self, context: &mut Context) -> Vec<Block> {
        self.pending_rise.finish(&mut self.text);
        let text = self.text.trim();
        let label = self.label(context);
        let mut blocks = Vec::new();
        if !text.is_empty() {
            if let Some(level) = self.heading_level(context) {
                let number: &str = match &label {
                    Some((Label::Text(number), _)) => number,
                    _ => "",
                };
                context.sequences.begin_heading(level, number, text);
            }
            blocks.push(self.block(text, label, context));
        }
        blocks.extend(self.boxes);
        blocks
    }

    /// Returns what the list that the paragraph belongs to puts before it, and its level.
    fn label(&self, context: &mut Context) -> Option<(Label, usize)> {
        let list = self.list(context);
        context.numbering.count(list, self.style.as_deref())
    }

    fn block(&self, text: &str, label: Option<(Label, usize)>, context: &Context) -> Block {
        let number = match &label {
            Some((Label::Text(number), _)) => number.clone(),
            _ => String::new(),
        };
        let is_bullet = matches!(label, Some((Label::Bullet, _)));
        let otherwise = match label {
            Some((Label::Text(label), level)) => Block::item(&label, level, text),
            Some((Label::Bullet, level)) => Block::Item {
                marker: Marker::Bullet,
                level,
                text: text.into(),
            },
            None => Block::Text(text.into()),
        };
        let level = self.heading_level(context);
        if level.is_none() && (is_bullet || self.is_entry) {
            return otherwise;
        }
        let paragraph = titles::Paragraph {
            text,
            label: &number,
            level,
            places: self.places.clone(),
            look: self.look,
        };
        paragraph.or(otherwise)
    }

    /// Returns the level of the heading the paragraph is; Word has nine, Markdown six.
    fn heading_level(&self, context: &Context) -> Option<u8> {
        let level = match self.outline_level {
            Some(level @ 0..=8) => level + 1,
            Some(_) => return None,
            None => context.styles.heading_level(self.style.as_deref()?)?,
        };
        Some(level.min(6))
    }
}
