//! A paragraph while it is read.

use super::body::Context;
use super::styles::ListLevel;
use crate::blocks::{Block, one_line};
use crate::xml::Element;

/// A paragraph with its text so far and its own properties.
#[derive(Debug, Default)]
pub(super) struct Paragraph {
    pub(super) text: String,
    /// What stands in text boxes that are anchored in the paragraph's text.
    pub(super) boxes: Vec<Block>,
    style: Option<String>,
    outline_level: Option<u8>,
    list: ListLevel,
}

impl Paragraph {
    /// Takes a property, and says whether it has more inside.
    pub(super) fn set(&mut self, element: &Element) -> bool {
        match element.name() {
            "pStyle" => self.style = element.value(),
            "outlineLvl" => self.outline_level = element.number(),
            "numId" => self.list.list = element.number(),
            "ilvl" => self.list.level = element.number(),
            name => return name == "numPr",
        }
        false
    }

    /// Makes a link of the text from `start` on, unless it is the address itself.
    pub(super) fn link(&mut self, start: usize, target: &str) {
        let text = self.text.get(start..).unwrap_or_default();
        let words = text.trim();
        let is_address = words.is_empty() || words == target || target.ends_with(words);
        if is_address || words.contains(['\n', ']']) || target.contains(['(', ')', '<', '>', ' ']) {
            return;
        }
        let begin = start + text.len() - text.trim_start().len();
        let end = begin + words.len();
        self.text.insert_str(end, &format!("]({target})"));
        self.text.insert(begin, '[');
    }

    /// Says whether the style of the paragraph hides its text.
    pub(super) fn is_hidden(&self, context: &Context) -> bool {
        let style = self.style.as_deref();
        style.is_some_and(|style| context.styles.is_hidden(style))
    }

    /// Makes blocks of the paragraph and the text boxes in it.
    pub(super) fn finish(self, context: &mut Context) -> Vec<Block> {
        let text = self.text.trim();
        let mut blocks = Vec::new();
        if !text.is_empty() {
            blocks.push(self.block(text, context));
        }
        blocks.extend(self.boxes);
        blocks
    }

    fn block(&self, text: &str, context: &mut Context) -> Block {
        if let Some(level) = self.heading_level(context) {
            let text = one_line(text);
            return Block::Heading { level, text };
        }
        let text = text.to_owned();
        let style = self.style.as_deref();
        let inherited = style
            .map(|style| context.styles.list(style))
            .unwrap_or_default();
        match context.numbering.count(self.list.or(inherited)) {
            Some((marker, level)) => Block::Item {
                marker,
                level,
                text,
            },
            None => Block::Text(text),
        }
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
