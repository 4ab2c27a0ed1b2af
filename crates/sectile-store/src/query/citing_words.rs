//! The words by which a question names a section or a version, and does nothing else.

use super::citations::Citation;
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

    /// Returns whether a line of a text begins with a number by which the question names a section: the clauses of contracts
    /// have no headings. Lines of a table of contents end with the numbers of their pages.
    pub(crate) fn cites_line(&self, text: &str) -> bool {
        let mut numbers = self.citations.iter().filter_map(Citation::nested_number);
        numbers.any(|number| {
            let mut before = "";
            let mut lines = text
                .lines()
                .filter(|line| !line.trim().is_empty())
                .peekable();
            while let Some(line) = lines.next() {
                let neighbours = [before, lines.peek().copied().unwrap_or_default()];
                if begins_with(line, number) && !is_in_contents(line, neighbours) {
                    return true;
                }
                before = line;
            }
            false
        })
    }

    fn is_citing(&self, typed: &str) -> bool {
        let word = plain(trimmed(typed));
        let of_version = self.asked_version.as_ref();
        let mut citations = self.citations.iter();
        citations.any(|of| of.is_word(&word)) || of_version.is_some_and(|of| of.is_word(&word))
    }
}

/// Returns whether a line begins with a number and goes on with words.
fn begins_with(line: &str, number: &str) -> bool {
    let marks = |of: char| of.is_whitespace() || "#*-(".contains(of);
    let rest = line.trim_start_matches(marks).strip_prefix(number);
    let rest = rest.map(|rest| rest.trim_start_matches(['.', ')', '*']));
    rest.is_some_and(|rest| {
        let begins = rest.starts_with(char::is_whitespace);
        begins && rest.trim_start().starts_with(char::is_alphabetic)
    })
}

/// Returns whether a line that begins with a number is one of a table of contents: it ends with the number of a page behind
/// dots or a gap, or as a line beside it does that begins with a number, too.
fn is_in_contents(line: &str, neighbours: [&str; 2]) -> bool {
    let Some(title) = before_page(line) else {
        return false;
    };
    let leads = |of: char| of.is_whitespace() || ".\u{b7}\u{2026}_|".contains(of);
    let leader = &title[title.trim_end_matches(leads).len()..];
    let is_listed = |other: &str| {
        let is_numbered = other
            .trim_start()
            .starts_with(|of: char| of.is_ascii_digit());
        is_numbered && before_page(other).is_some_and(|title| title.ends_with(leads))
    };
    let has_leader = leader.chars().count() > 1 || leader == "\t";
    has_leader || !leader.is_empty() && neighbours.into_iter().any(is_listed)
}

/// Returns what stands before a number at the end of a line.
fn before_page(line: &str) -> Option<&str> {
    let line = line.trim_end();
    let title = line.trim_end_matches(|of: char| of.is_ascii_digit());
    (title.len() < line.len()).then_some(title)
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

    #[test]
    fn a_clause_begins_with_its_number() {
        for (question, text, cites) in [
            ("clause 4.2", "4.1 One.\n\n4.2 The fees are due.", true),
            ("section 4.2.", "  (4.2) The fees are due.", true),
            ("clause 4.2", "**4.2** The fees are due.", true),
            ("clause 4.2", "See clause 4.2 of it.", false),
            ("clause 4.2", "4.2.1 The fees are due.", false),
            ("clause 4.2", "4.2 Fees ..... 12", false),
            ("clause 4.2", "4.2 Fees\t12", false),
            ("clause 4.2", "4.1 Scope 11\n\n4.2 Fees 12", false),
            ("clause 4.2", "4.2 Fees 12\n4.3 Terms 14", false),
            ("clause 4.2", "4.2 The fee is 100", true),
            ("clause 4.2", "4.1 It ends.\n4.2 The fee is EUR 100\n", true),
            (
                "clause 4.2",
                "4.1 It is 4.\n4.2 The form is X5\n4.3 X 6",
                true,
            ),
            ("clause 4.2", "4.2 %", false),
            ("clause 4", "4 The fees are due.", false),
            ("python 4.2", "4.2 The fees are due.", false),
        ] {
            let query = Query::parse(question, &[]).unwrap();
            assert_eq!(query.cites_line(text), cites, "{question}: {text}");
        }
    }
}
