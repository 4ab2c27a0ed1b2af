//! Lines that look like headings.

use super::number::{self, Number};
use crate::blocks::{Look, Title};

/// How many characters and words a heading has at most, and how many letters it has at least.
const LONGEST: usize = 100;
const MAX_WORDS: usize = 14;
const MIN_LETTERS: usize = 3;

/// How many capitals make a line in capitals.
const MIN_CAPITALS: usize = 4;

/// What no heading has: lines to fill in, addresses, links, cells and notes.
const NEVER: [&str; 8] = ["__", "@", "://", "|", "…", "...", "](", "[^"];

/// The words that captions begin with, in small letters.
#[rustfmt::skip]
const CAPTIONS: [&str; 17] = [
    "abb", "abbildung", "bild", "fig", "figura", "figure", "image", "rasm", "schema", "tabella", "tabelle", "tabl", "tabla",
    "table", "tableau", "рис", "таблица",
];

/// How a line looks: two that look alike have the same rank, and larger ones a higher one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Rank {
    pub(super) size: u16,
    pub(super) is_bold: bool,
}

/// A line that looks like a heading.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<'a> {
    pub(super) title: &'a str,
    pub(super) rank: Rank,
    pub(super) number: Option<Number>,
}

impl<'a> Candidate<'a> {
    /// Reads a paragraph of its own that is bold or in capitals, short, and no sentence.
    pub(super) fn read(title: &'a Title) -> Option<Self> {
        let Look {
            is_bold,
            size,
            is_line,
        } = title.look;
        let text = title.text.as_str();
        let found = number::split(text);
        let rest = found.map_or(text, |(_, rest)| rest);
        let looks = is_line && (is_bold || is_in_capitals(text));
        (looks
            && is_short(text)
            && !is_sentence(text, found.is_some())
            && begins(rest)
            && !is_caption(text))
        .then(|| Self {
            title: text,
            rank: Rank { size, is_bold },
            number: found.map(|(number, _)| number),
        })
    }
}

/// Returns whether all letters of a text are capitals.
pub(crate) fn is_in_capitals(text: &str) -> bool {
    let letters = || text.chars().filter(|sign| sign.is_alphabetic());
    letters().count() >= MIN_CAPITALS && letters().all(char::is_uppercase)
}

fn is_short(text: &str) -> bool {
    let letters = text.chars().filter(|sign| sign.is_alphabetic()).count();
    let digits = text.chars().filter(char::is_ascii_digit).count();
    text.chars().count() <= LONGEST
        && text.split_whitespace().count() <= MAX_WORDS
        && letters >= MIN_LETTERS
        && letters >= digits
        && !NEVER.iter().any(|part| text.contains(part))
}

/// Returns whether a line ends as a sentence does, or introduces the text below it.
fn is_sentence(text: &str, is_numbered: bool) -> bool {
    text.ends_with(['.', ';', ',', '!', '。']) || text.ends_with(':') && !is_numbered
}

/// Returns whether a title without its number begins as one does: with no small letter and no number.
fn begins(rest: &str) -> bool {
    let first = rest.chars().find(|sign| sign.is_alphanumeric());
    first.is_some_and(|first| !first.is_lowercase() && !first.is_numeric())
}

fn is_caption(text: &str) -> bool {
    let word = text.split(|sign: char| !sign.is_alphabetic()).next();
    let word = word.unwrap_or_default().to_lowercase();
    CAPTIONS.contains(&word.as_str()) && text.contains(|sign: char| sign.is_ascii_digit())
}
