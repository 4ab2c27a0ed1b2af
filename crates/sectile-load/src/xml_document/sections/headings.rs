//! Elements that are headings, and those that only look like a section under one.

use super::{LINE_UP_TO, MAX_LEVEL, Writer, names};
use crate::blocks::Block;

/// The level of a heading that does not say one.
const USUAL_LEVEL: u8 = 2;

/// How many elements and texts a record has at most.
const MAX_RECORD: usize = 100;

impl Writer<'_> {
    /// Returns an element of running text as a heading that it is by its name, as in HTML, or by its role. What follows
    /// belongs to it and does not stand in it.
    pub(super) fn heading(&self, at: usize, name: &str) -> Option<Block> {
        let node = self.tree.node(at);
        let is_short = (1..=LINE_UP_TO).contains(&node.length) && !node.holds_blocks;
        if self.is_in_object || !self.tree.is_prose || !is_short {
            return None;
        }
        let attribute = |wanted: &str| {
            let mut attributes = node.attributes.iter();
            let found = attributes.find(|(own, _)| own == wanted)?;
            Some(found.1.trim())
        };
        let level = match name {
            "h1" => 1,
            "h2" => 2,
            "h3" => 3,
            "h4" => 4,
            "h5" => 5,
            "h6" => 6,
            _ if names::is_paragraph(name) && attribute("role") == Some("heading") => {
                let level = attribute("level").and_then(|level| level.parse().ok());
                level.unwrap_or(USUAL_LEVEL).clamp(1, MAX_LEVEL)
            }
            _ => return None,
        };
        let text = self.tree.flat(at);
        (!text.is_empty()).then_some(Block::Heading { level, text })
    }

    /// Returns whether an element between texts is what is known of a person or a thing that has a name, such as an
    /// author, and not a section.
    pub(super) fn is_record(&self, at: usize, taken: &[usize]) -> bool {
        let is_named = |title: usize| self.tree.name(title) == Some("name");
        let is_text = |one: usize| {
            let name = self.tree.name(one).unwrap_or_default();
            self.tree.node(one).is_mixed || self.is_running_text(name) || names::is_item(name)
        };
        let mut inside = self.tree.inside(at);
        let is_small = inside.len() <= MAX_RECORD;
        is_small && matches!(taken, &[title] if is_named(title)) && !inside.any(is_text)
    }
}
