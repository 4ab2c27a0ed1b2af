//! Terms that a question asks to define, and texts that do.

mod entry;
mod place;
mod words;

use sectile_core::Span;

use crate::analyzer::Initials;
use crate::{Analyzer, Language};

pub(crate) use self::words::is_article;

/// What makes other nouns of an English word that have its stem: a `collator` is no `collation`, nor is an organ an
/// organization. Sorted.
const DERIVING: &[&str] = &[
    "al", "ance", "ant", "ation", "ence", "ent", "ion", "ism", "ist", "ity", "ive", "ization",
    "ment", "or", "tion",
];

/// A term that a question asks to define, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Definition {
    term: String,
    /// The name that the term is, as it was typed: of a setting, a flag or a function.
    name: Option<String>,
    /// Whether the question is the name and no more: then a sentence about it defines nothing.
    is_bare: bool,
}

impl Definition {
    /// Creates the definition of a term in lower case.
    pub(crate) fn of(term: String) -> Self {
        Self {
            term,
            name: None,
            is_bare: false,
        }
    }

    /// Creates the definition of a name that is a question.
    pub(crate) fn of_name(name: &str) -> Self {
        Self {
            is_bare: true,
            ..Self::of(name.to_lowercase()).with_name(name)
        }
    }

    /// Says how the term was typed, if it is a name.
    pub(crate) fn with_name(self, name: &str) -> Self {
        let is_name = self.term == name.to_lowercase();
        Self {
            name: is_name.then(|| name.to_owned()),
            ..self
        }
    }

    /// Returns whether a text in a language defines the term.
    pub(crate) fn is_in(&self, text: &str, language: Language) -> bool {
        let has_entry = |name: &String| entry::is_in(text, name);
        if self.name.as_ref().is_some_and(has_entry) {
            return true;
        }
        if self.is_bare {
            return false;
        }
        let places = self.places(text, language);
        let mut places = places.into_iter();
        places.any(|term| place::is_defined(text, term, language))
    }

    /// Returns whether a heading is the name that is asked for.
    pub(crate) fn is_title(&self, heading: &str) -> bool {
        let name = self.name.as_ref();
        name.is_some_and(|name| entry::is_title(heading, name))
    }

    /// Returns whether a heading has the name that is asked for, among other words.
    pub(crate) fn is_named_in(&self, heading: &str) -> bool {
        let name = self.name.as_ref();
        name.is_some_and(|name| entry::is_in_heading(heading, name))
    }

    /// Returns whether a heading in a language is the term.
    pub(crate) fn is_heading(&self, heading: &str, language: Language) -> bool {
        let analyzer = Analyzer::for_language(language);
        analyzer.terms(heading) == analyzer.terms(&self.term)
    }

    /// Returns the spans of the term in a text, in any of its forms.
    fn places(&self, text: &str, language: Language) -> Vec<Span> {
        if Analyzer::is_unspaced(&self.term) {
            let text = text.to_ascii_lowercase();
            let found = text.match_indices(&*self.term);
            return found
                .map(|(at, term)| Span::new(at, at + term.len()))
                .collect();
        }
        let analyzer = Analyzer::for_language(language);
        let mut asked = Vec::new();
        analyzer.for_each(&self.term, |term, _| asked.push(term.to_owned()));
        let initials = Initials::of(asked.iter().map(String::as_str));
        let mut found = Vec::new();
        analyzer.for_each_of(text, initials, |term, span| {
            if let Some(place) = asked.iter().position(|of| of == term) {
                found.push((place, span));
            }
        });
        let mut places = rows(&found, &asked, text);
        if language == Language::English {
            places.retain(|place| !is_derived(&self.term, place.of(text)));
        }
        places
    }
}

/// Returns whether a word with the stem of a term in lower case is another noun, by what stands behind the letters that both
/// begin with.
fn is_derived(term: &str, word: &str) -> bool {
    let word = word.to_lowercase();
    let letters = term.chars().zip(word.chars());
    let same = letters.take_while(|(one, other)| one == other);
    let same: usize = same.map(|(letter, _)| letter.len_utf8()).sum();
    let ending = |of: &str| of.strip_suffix('s').unwrap_or(of).to_owned();
    let (asked, found) = (ending(&term[same..]), ending(&word[same..]));
    let derives = |ending: &String| DERIVING.binary_search(&ending.as_str()).is_ok();
    asked != found && (derives(&asked) || derives(&found))
}

/// Returns the spans where all terms are consecutive. `found` has the index of each found term with its span.
fn rows(found: &[(usize, Span)], asked: &[String], text: &str) -> Vec<Span> {
    if asked.is_empty() {
        return Vec::new();
    }
    let is_row = |row: &&[(usize, Span)]| {
        let mut terms = row.iter().zip(asked);
        let mut pairs = row.windows(2);
        terms.all(|((place, _), term)| asked[*place] == *term)
            && pairs.all(|pair| are_beside(pair[0].1, pair[1].1, text))
    };
    let rows = found.windows(asked.len()).filter(is_row);
    rows.map(|row| {
        let end = row.iter().map(|(_, span)| span.end).max();
        bare(Span::new(row[0].1.start, end.unwrap_or_default()), text)
    })
    .collect()
}

/// Returns whether no word is between two others.
fn are_beside(first: Span, second: Span, text: &str) -> bool {
    let between = text.get(first.end..second.start);
    between.is_none_or(|between| !between.contains(char::is_alphanumeric))
}

/// Returns a span without the marks around its text.
fn bare(span: Span, text: &str) -> Span {
    let is_mark = |of: char| !Analyzer::is_of_word(of) && !matches!(of, '+' | '#' | '.' | '@');
    let part = span.of(text).trim_end_matches(is_mark);
    let inner = part.trim_start_matches(is_mark);
    let start = span.start + part.len() - inner.len();
    Span::new(start, start + inner.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_is_defined_in_any_of_its_forms() {
        for (term, text) in [
            ("consumers", "(a) \"consumer\" means any natural person"),
            (
                "right of withdrawal",
                "- **Right of withdrawal**: the right to cancel",
            ),
            (
                "distance contract",
                "A *distance contract* is any contract without a meeting",
            ),
            ("c++", "C++ is a language"),
        ] {
            let definition = Definition::of(term.to_owned());
            assert!(definition.is_in(text, Language::English), "{text}");
        }
        let definition = Definition::of("distance contract".to_owned());
        for text in [
            "Contract: a distance contract or another one",
            "**distance contract law**: the one of these",
            "A contract is any agreement at a distance",
            "Distance and contract: both of these words",
        ] {
            assert!(!definition.is_in(text, Language::English), "{text}");
        }
    }

    #[test]
    fn what_defines_another_noun_with_the_stem_of_a_term_does_not_define_it() {
        assert!(DERIVING.is_sorted());
        for (term, text, is_defined) in [
            (
                "collation",
                "**Collator:** an object that compares strings",
                false,
            ),
            ("organization", "Organ: a part of a body with a task", false),
            ("operators", "An operation is any step of a program", false),
            (
                "collations",
                "**Collation:** the order of strings in a language",
                true,
            ),
            (
                "organization",
                "Organizations: groups of people with a task",
                true,
            ),
            ("operator", "An operator is any sign of a program", true),
        ] {
            let definition = Definition::of(term.to_owned());
            let found = definition.is_in(text, Language::English);
            assert_eq!(found, is_defined, "{term}: {text}");
        }
    }

    #[test]
    fn letters_beside_characters_without_spaces_have_any_case() {
        for (term, text) in [
            ("dns协议", "DNS协议是指一种协议"),
            ("a股", "A股是指一种股票"),
        ] {
            let definition = Definition::of(term.to_owned());
            assert!(definition.is_in(text, Language::Chinese), "{text}");
        }
    }

    #[test]
    fn a_heading_may_be_the_term() {
        let definition = Definition::of("closures".to_owned());
        assert!(definition.is_heading("Closure", Language::English));
        assert!(!definition.is_heading("Closures and scopes", Language::English));
    }
}
