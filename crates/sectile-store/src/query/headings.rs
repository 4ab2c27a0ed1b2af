//! Questions that may be a heading word for word.

use std::collections::BTreeSet;

use super::Query;
use crate::{Language, WordKind};

impl Query {
    /// Returns whether the question has stop words that are left out: its other words are less than what it says.
    pub(crate) fn has_left_out(&self) -> bool {
        !self.reading.left_out.is_empty()
    }

    /// Returns whether one word ranks, and no other.
    pub(crate) fn is_of_one_word(&self) -> bool {
        let words = self.reading.words.iter();
        words.filter(|of| of.kind != WordKind::Phrase).count() == 1
    }

    /// Returns whether terms of a text in a language have all of its words that rank.
    pub(crate) fn is_held_by(&self, terms: &BTreeSet<String>, language: Language) -> bool {
        let words = self.reading.words.iter().zip(&self.clauses.scored);
        let words = words.filter(|(word, _)| word.kind != WordKind::Phrase);
        let mut are_held = words.map(|(_, clause)| {
            let mut variants = clause.variants.iter();
            variants.any(|of| {
                let is_whole = of.part == 0 && of.is_of(Some(language));
                is_whole && of.terms.iter().all(|term| terms.contains(term))
            })
        });
        are_held.next() == Some(true) && are_held.all(|is_held| is_held)
    }
}
