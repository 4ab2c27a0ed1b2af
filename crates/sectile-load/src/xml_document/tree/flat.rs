//! All text in an element on one line.

use std::collections::HashMap;

use super::{Tree, names};

impl Tree {
    /// Returns all text in an element on one line.
    pub(in super::super) fn flat(&self, at: usize) -> String {
        let mut text = String::new();
        // Where the elements end that are open and stand apart.
        let mut ends: Vec<usize> = Vec::new();
        let mut is_within_word = false;
        let mut signs = HashMap::new();
        self.add_signs(at, &mut signs);
        for inside in self.inside(at) {
            while ends.pop_if(|end| *end <= inside).is_some() {
                text.push(' ');
            }
            if let Some(sign) = signs.get(&inside) {
                text.truncate(text.trim_end().len());
                text.push_str(sign);
            }
            self.add_signs(inside, &mut signs);
            if self.is_within_word(inside) {
                text.truncate(text.trim_end().len());
                is_within_word = true;
            } else if self.name(inside).is_some_and(names::stands_apart) {
                ends.push(self.nodes[inside].next);
                text.push(' ');
            }
            let own = self.nodes[inside].text.as_str();
            let goes_on = !own.is_empty() && std::mem::take(&mut is_within_word);
            text.push_str(if goes_on { own.trim_start() } else { own });
        }
        crate::one_line::one_line(&text)
    }

    /// Returns whether an empty element marks the end of a line or a page within a word, as in TEI.
    pub(in super::super) fn is_within_word(&self, at: usize) -> bool {
        let mut attributes = self.nodes[at].attributes.iter();
        self.is_markup
            && self.nodes[at].length == 0
            && attributes.any(|(name, value)| name == "break" && value == "no")
    }

    /// Adds what readers see before the elements in a combination of keys or a path through menus.
    fn add_signs(&self, at: usize, signs: &mut HashMap<usize, &'static str>) {
        let Some(sign) = self.sign_between(at) else {
            return;
        };
        for (before, child) in self.elements(at).zip(self.elements(at).skip(1)) {
            signs.insert(child, self.sign_behind(before, sign));
        }
    }

    /// Returns the sign between the elements in a combination of keys or a path through menus, unless the source has signs
    /// itself. Between keys that are pressed one after the other it is a space.
    pub(in super::super) fn sign_between(&self, at: usize) -> Option<&'static str> {
        let sign = self.name(at).and_then(names::sign_between)?;
        let node = &self.nodes[at];
        let mut attributes = node.attributes.iter();
        let is_sequence = attributes.any(|(name, value)| names::is_sequence_of_keys(name, value));
        (!node.is_mixed).then_some(if is_sequence { " " } else { sign })
    }

    /// Returns the sign behind one of these elements.
    pub(in super::super) fn sign_behind(&self, before: usize, sign: &'static str) -> &'static str {
        let is_shortcut = self.name(before) == Some("shortcut");
        if is_shortcut { " " } else { sign }
    }
}
