//! The numbers of the parts of laws.

use super::{Node, Tree};

/// How many elements of a part are looked at to find its number and its heading.
const LOOKED_AT: usize = 6;

/// How far behind its number the text of a part begins.
const TEXT_WITHIN: usize = 64;

/// How many letters a number has at most that begins a text.
const MAX_NUMBER: usize = 100;

impl Tree {
    /// Makes titles of the numbers and headings of the parts of a law. The number of a part without a heading is its title
    /// where that is usual, and else begins its text.
    pub(super) fn number_parts(&mut self) {
        let (label, title) = (self.place("label"), self.place("title"));
        for at in 0..self.nodes.len() {
            if self.name(at) == Some("division") && self.is_leaf(at) {
                // A title of the file and not of the law, which has parts.
                self.nodes[at].name = Some(title);
                continue;
            }
            let named = |name: &str| {
                let mut first = self.elements(at).take(LOOKED_AT);
                first.find(|&one| self.name(one) == Some(name))
            };
            let (number, heading) = (named("num"), named("heading"));
            let is_titled = heading.is_some() || self.name(at).is_some_and(has_title);
            if let Some(heading) = heading {
                self.nodes[heading].name = Some(title);
            }
            match number {
                Some(number) if is_titled => self.nodes[number].name = Some(label),
                Some(number) => self.begin_with(at, number),
                None => {}
            }
        }
    }

    /// Writes the number of a part before its text.
    fn begin_with(&mut self, at: usize, number: usize) {
        let length = self.nodes[number].length;
        let is_number = (1..=MAX_NUMBER).contains(&length);
        let has_text = self.nodes[at].length > length;
        if !is_number || !has_text || self.nodes[at].is_mixed {
            return;
        }
        let is_text = |node: &Node| node.name.is_none() && !node.text.trim().is_empty();
        let mut behind = (self.nodes[number].next..self.nodes[at].next).take(TEXT_WITHIN);
        if let Some(first) = behind.find(|&one| is_text(&self.nodes[one])) {
            let label = self.flat(number);
            let text = format!("{label} {}", self.nodes[first].text.trim_start());
            self.nodes[first].text = text;
            self.take_out(number);
        }
    }

    /// Returns the place of a name.
    fn place(&mut self, name: &str) -> u32 {
        let place = self.names.iter().position(|own| own == name);
        let place = place.unwrap_or_else(|| {
            self.names.push(name.into());
            self.names.len() - 1
        });
        place as u32
    }
}

/// Returns whether a part of a law is called by its number where it has no heading.
fn has_title(name: &str) -> bool {
    matches!(
        name,
        "article"
            | "book"
            | "chapter"
            | "division"
            | "part"
            | "rule"
            | "section"
            | "subchapter"
            | "subpart"
    )
}
