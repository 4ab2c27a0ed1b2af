//! A paragraph of an OpenDocument text.

use super::lists::Label;
use crate::blocks::{Block, Marker};
use crate::link::link_end;
use crate::superscript::{PendingRise, Rise};
use crate::titles::{self, ParagraphLook, TextLook};

/// A paragraph while it is read.
#[derive(Debug, Default)]
pub(super) struct Paragraph {
    pub(super) text: String,
    pub(super) after: Vec<Block>,
    /// The label and level of the item that the paragraph begins.
    pub(super) label: Option<(Label, usize)>,
    /// Where the text of each open span stands.
    pub(super) rises: Vec<Rise>,
    pub(super) pending_rise: PendingRise,
    /// How its style and each open span make text look.
    pub(super) styled: TextLook,
    pub(super) looks: Vec<TextLook>,
    pub(super) look: ParagraphLook,
    /// Whether it is hidden, and whether each open span in it is.
    pub(super) is_hidden: bool,
    pub(super) hides: Vec<bool>,
}

impl Paragraph {
    /// Returns whether the text of the innermost open span is hidden.
    pub(super) fn hides_text(&self) -> bool {
        self.hides.last().copied().unwrap_or(self.is_hidden)
    }

    /// Begins to add text, wherever it stands, to what has been read.
    fn begin_text(&mut self, text: &str) {
        let rise = self.rises.last().copied().unwrap_or_default();
        self.pending_rise.push(&mut self.text, "", rise);
        let look = self.inner_look();
        self.look.add(text, look);
    }

    /// Returns how the text of the innermost open span looks.
    pub(super) fn inner_look(&self) -> TextLook {
        self.looks.last().copied().unwrap_or(self.styled)
    }

    /// Ends raised text, as what follows is none.
    pub(super) fn end_raised(&mut self) {
        self.pending_rise.finish(&mut self.text);
    }

    /// Adds text of the document, in which white space is one space.
    pub(super) fn push_collapsed(&mut self, text: &str) {
        self.begin_text(text);
        for character in text.chars() {
            if !matches!(character, ' ' | '\t' | '\n' | '\r') {
                self.text.push(character);
            } else if !self.text.is_empty() && !self.text.ends_with([' ', '\n', '\t']) {
                self.text.push(' ');
            }
        }
    }

    /// Adds text as it is.
    pub(super) fn push(&mut self, text: &str) {
        self.begin_text(text);
        self.text.push_str(text);
    }

    /// Makes a link of the text from `start` on, unless it is the address itself.
    pub(super) fn link(&mut self, start: usize, target: &str) {
        self.end_raised();
        link_end(&mut self.text, start, target);
    }

    /// Makes blocks of the paragraph and of what stands in it. It may be a heading of a level and with a number.
    pub(super) fn finish(mut self, heading: Option<(u8, Option<String>)>) -> Vec<Block> {
        self.end_raised();
        let text = self.text.trim();
        let mut blocks = Vec::new();
        if !text.is_empty() {
            blocks.push(self.block(text, heading));
        }
        blocks.extend(self.after);
        blocks
    }

    /// Makes a block of the text, which may be a heading of a level and with a number.
    fn block(&self, text: &str, heading: Option<(u8, Option<String>)>) -> Block {
        let (level, number) = heading.unzip();
        let number = number.flatten();
        let otherwise = match (&self.label, &number) {
            (_, Some(number)) => Block::Text(format!("{number} {text}")),
            (Some((Some(label), level)), None) => Block::item(label, *level, text),
            (Some((None, level)), None) => Block::Item {
                marker: Marker::Bullet,
                level: *level,
                text: text.into(),
            },
            (None, None) => Block::Text(text.into()),
        };
        if level.is_none() && matches!(self.label, Some((None, _))) {
            return otherwise;
        }
        let label = self.label.as_ref();
        let own = label.and_then(|(label, _)| label.clone());
        let number = number.or(own).unwrap_or_default();
        let title = titles::Paragraph {
            text,
            label: &number,
            level,
            places: Vec::new(),
            look: self.look,
        };
        title.or(otherwise)
    }
}
