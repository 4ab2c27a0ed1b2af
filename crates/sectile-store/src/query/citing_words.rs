//! The words by which a question names a section or a version, and does nothing else.

use super::markers::plain;
use super::{Query, trimmed};
use crate::WordKind;

impl Query {
    /// Returns the places of the scored clauses that only name a section or a version: the heading of that need not have
    /// them, as `13.2.3. Locks` lacks the name of `section 13.2.3`.
    pub(crate) fn places_of_citations(&self) -> Vec<usize> {
        let left_out = &self.reading.left_out;
        let is_left_out = |word: &str| left_out.iter().any(|of| of == word);
        self.places(|word| match word.kind {
            WordKind::Phrase => {
                let mut row = word.typed.split(' ');
                row.all(|word| self.is_citing(word) || is_left_out(word))
            }
            _ => self.is_citing(&word.typed),
        })
    }

    fn is_citing(&self, typed: &str) -> bool {
        let word = plain(trimmed(typed));
        let of_version = self.asked_version.as_ref();
        let mut citations = self.citations.iter();
        citations.any(|of| of.is_word(&word)) || of_version.is_some_and(|of| of.is_word(&word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_only_name_a_section_or_a_version_are_told_from_others() {
        for (question, others) in [
            ("section 13.2.3", &[][..]),
            ("in section 13.2.3", &[]),
            ("what changed in 0.12.5", &[]),
            ("release notes 2.39", &[]),
            ("git 2.39 release notes", &["git"]),
            ("chapter 13.2.3 locks", &["locks"]),
            ("what does section 13.2.3 say", &[]),
            (
                "what does section 13.2.3 say about locks",
                &["say", "locks"],
            ),
            ("kanun 5. maddesi", &["kanun"]),
            ("\u{a7} 186 Abs. 2 Satz 1 FamFG", &["FamFG"]),
            ("\u{a7} 823 I BGB", &["BGB"]),
            ("article L. 212-2 code", &["code"]),
            ("python 3 download", &["python", "3", "download"]),
        ] {
            let query = Query::parse(question, &[]).unwrap();
            let citing = query.places_of_citations();
            let places = 0..query.reading.words.len();
            let others_of =
                places.filter(|place| !citing.contains(place) && !query.is_two_in_a_row(*place));
            let typed: Vec<&str> = others_of.map(|place| query.typed(place)).collect();
            assert_eq!(typed, others, "{question}");
        }
    }
}
