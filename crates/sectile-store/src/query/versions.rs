//! Questions for what a version changed: `what changed in 0.12.5`, `release notes 2.39`.

use super::markers::plain;
use super::split::{Item, Role, SECTION};
use super::trimmed;
use crate::analyzer::StopWords;

/// Words that ask what a version changed, in plain letters. Sorted.
#[rustfmt::skip]
const CHANGES: &[&str] = &[
    "anderungen", "cambiato", "cambio", "cambios", "change", "changed", "changelog", "changements", "changes",
    "geandert", "gewijzigd", "modifiche", "mudancas", "neu", "neuerungen", "neues", "new", "news", "nieuw", "notas",
    "note", "notes", "nouveautes", "novedades", "novidades", "novita", "wijzigingen", "zmiany", "изменения",
    "изменилось", "нового",
];

/// What versions are called, and other words of their headings, in plain letters. Sorted.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "and", "for", "history", "in", "of", "on", "release", "released", "releases", "the", "versao", "versie", "version",
    "versione", "wersja", "what", "what's", "whats", "what\u{2019}s", "версии", "версия",
];

/// The months in the headings of versions, which have three letters of them or more.
#[rustfmt::skip]
const MONTHS: &[&str] = &[
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
];
const SHORTEST_MONTH: usize = 3;

/// The most digits of a day or a year, and of bytes of a version.
const LONGEST_OF_DATE: usize = 4;
const LONGEST: usize = 24;

/// The most words of a heading of a version.
const MOST_WORDS: usize = 12;

/// A version that a question asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AskedVersion {
    /// In lower case, without a `v` before it.
    number: String,
    /// The words that name it and do nothing else, in plain letters.
    words: Vec<String>,
    /// All words of the question, in plain letters: those of a heading may be the same.
    all: Vec<String>,
}

impl AskedVersion {
    /// Returns whether a word in plain letters only names the version, or asks what it changed.
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.words.iter().any(|of| of == word)
    }

    /// Returns whether a heading is the version, with its date and words that the question has, or that say that it is one.
    pub(super) fn is_of(&self, heading: &str) -> bool {
        let heading = plain(&without_targets(heading));
        let words = heading.split(|of: char| of.is_whitespace() || matches!(of, '(' | ')'));
        let words = words.map(trimmed).filter(|word| !word.is_empty());
        let words: Vec<&str> = words.take(MOST_WORDS + 1).collect();
        let is_version = |word: &&str| without_v(word) == self.number;
        let may_be = |word: &&str| {
            let is_of_question = self.all.iter().any(|of| of == word);
            is_version(word) || is_of_question || is_of_heading(word) || is_of_date(word)
        };
        words.len() <= MOST_WORDS && words.iter().any(is_version) && words.iter().all(may_be)
    }
}

/// Reads a question for the one version that it names: it asks what that changed, or has no other words. The
/// number of a section is none.
pub(super) fn asked_version(items: &[Item<'_>], stop_words: &StopWords) -> Option<AskedVersion> {
    let is_other = |item: &Item<'_>| item.role != Role::Scored || item.text.contains(SECTION);
    if items.iter().any(is_other) {
        return None;
    }
    let words = items.iter().map(|item| trimmed(item.text));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let mut versions = words.iter().filter(|word| is_version(word));
    let (typed, None) = (versions.next()?, versions.next()) else {
        return None;
    };
    let in_plain: Vec<String> = words.iter().map(|word| plain(word)).collect();
    let typed = plain(typed);
    let asks = in_plain.iter().any(|word| is_in(CHANGES, word));
    let mut others = words.iter().zip(&in_plain).filter(|(word, in_plain)| {
        **in_plain != typed && !is_of_heading(in_plain) && !stop_words.has(word)
    });
    if !asks && others.next().is_some() {
        return None;
    }
    let only_name = |word: &&String| **word == typed || is_of_heading(word);
    Some(AskedVersion {
        number: without_v(&typed).to_owned(),
        words: in_plain.iter().filter(only_name).cloned().collect(),
        all: in_plain,
    })
}

/// Returns whether a word is a number with full stops: `0.12.5`, `v2.39`, `1.0.0-rc1`.
fn is_version(word: &str) -> bool {
    let number = without_v(word);
    let mut parts = number.split('.');
    let is_of_version = |of: char| of.is_ascii_alphanumeric() || matches!(of, '-' | '+' | '.');
    let begins = number.starts_with(|of: char| of.is_ascii_digit());
    let ends = number.ends_with(|of: char| of.is_ascii_alphanumeric());
    let is_apart = number.len() <= LONGEST && begins && ends && number.contains('.');
    is_apart
        && number.chars().all(is_of_version)
        && parts.all(|part| part.starts_with(|of: char| of.is_ascii_digit()))
}

/// Returns a word without the `v` before its digits.
fn without_v(word: &str) -> &str {
    let number = word.strip_prefix(['v', 'V']);
    let is_number = |of: &&str| of.starts_with(|of: char| of.is_ascii_digit());
    number.filter(is_number).unwrap_or(word)
}

fn is_in(words: &[&str], word: &str) -> bool {
    words.binary_search(&word).is_ok()
}

/// Returns whether a word in plain letters may stand beside any version.
fn is_of_heading(word: &str) -> bool {
    is_in(CHANGES, word) || is_in(NAMES, word)
}

/// Returns whether a word in plain letters is a date, or a part of one: `2024-05-01`, `May`, `1st`.
fn is_of_date(word: &str) -> bool {
    let mut months = MONTHS.iter();
    if word.chars().all(char::is_alphabetic) {
        return word.len() >= SHORTEST_MONTH && months.any(|month| month.starts_with(word));
    }
    let digits = ["st", "nd", "rd", "th"];
    let digits = digits.iter().find_map(|ending| word.strip_suffix(ending));
    let mut parts = digits.unwrap_or(word).split(['-', '/']);
    parts.all(|part| {
        let is_short = (1..=LONGEST_OF_DATE).contains(&part.len());
        is_short && part.bytes().all(|of| of.is_ascii_digit())
    })
}

/// Leaves out the targets of the links of a heading: `[1.2.0](https://example.org) - 2024-05-01`.
fn without_targets(heading: &str) -> String {
    let mut parts = heading.split("](");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        shown.push(' ');
        shown.push_str(part.split_once(')').map_or("", |(_, behind)| behind));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Query;

    fn cites(question: &str, heading: &str) -> bool {
        let query = Query::parse(question, &[]).unwrap();
        query.cites(&["Changelog".to_owned(), heading.to_owned()])
    }

    #[test]
    fn words_are_sorted_and_in_plain_letters() {
        for words in [CHANGES, NAMES] {
            assert!(words.is_sorted(), "{words:?}");
            assert!(words.iter().all(|word| plain(word) == *word));
        }
    }

    #[test]
    fn a_heading_that_is_the_version_is_cited() {
        for (question, heading) in [
            ("what changed in 0.12.5", "0.12.5"),
            ("what changed in v0.12.5?", "[0.12.5] - 2026-07-30"),
            ("what changed in 0.12.5", "v0.12.5 (July 30th, 2026)"),
            (
                "changes 0.12.5",
                "[0.12.5](https://example.org/a...b) (2026-07-30)",
            ),
            ("release notes 2.39", "Release 2.39"),
            ("git 2.39 release notes", "Git v2.39 Release Notes"),
            ("what is new in django 3.2", "What's new in Django 3.2"),
            ("Was ist neu in 2.0?", "Version 2.0"),
            ("version 1.0.0-rc1", "1.0.0-rc1"),
            ("0.12.5", "0.12.5"),
        ] {
            assert!(cites(question, heading), "{question} {heading}");
        }
    }

    #[test]
    fn other_headings_and_other_questions_cite_no_version() {
        for (question, heading) in [
            ("release notes 2.39", "2.39.1"),
            ("release notes 2.39.1", "2.39"),
            ("release notes 2.39", "2.39-rc1"),
            ("release notes 2.39", "Git v2.39 Release Notes"),
            ("what changed in 0.12.5", "Upgrading to 0.12.5"),
            ("what changed between 0.12.4 and 0.12.5", "0.12.5"),
            ("install 0.12.5", "0.12.5"),
            ("what changed in 2026", "2026"),
            ("§ 3.2.1", "Release 3.2.1"),
            ("§3.2.1", "Version 3.2.1"),
        ] {
            assert!(!cites(question, heading), "{question} {heading}");
        }
    }
}
