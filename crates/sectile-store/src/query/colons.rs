//! Words that colons join: `16:9`, `10:20:30`, `00:1a:2b:3c:4d:5e`, `10.0.0.1:8080`, `std::vector`.

use std::ops::Range;

use sectile_core::Span;

use super::pairs;
use crate::Analyzer;

/// The most words that are searched as a phrase: the number that a long fingerprint has.
const MOST: usize = 64;

/// Several words of a text with nothing but colons between them, or the digits of a time that stand together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// The places of the words.
    pub(super) words: Range<usize>,
    /// Each word is a decimal or hexadecimal number, and there is a digit.
    pub(super) are_numbers: bool,
}

/// Returns the runs among the words of a text, in order.
pub(super) fn runs(text: &str, words: &[Span]) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut start = 0;
    for at in 1..=words.len() {
        let goes_on = at < words.len() && are_joined(text, words[at - 1], words[at]);
        if goes_on {
            continue;
        }
        let run = &words[start..at];
        let is_unspaced = |of: &Span| Analyzer::is_unspaced(of.of(text));
        if (2..=MOST).contains(&run.len()) && !run.iter().any(is_unspaced) {
            runs.push(Run {
                words: start..at,
                are_numbers: are_numbers(text, run),
            });
        }
        start = at;
    }
    runs
}

/// Returns the run of numbers, of some runs in order, that the word at a place is one of.
pub(super) fn numbers_at(runs: &[Run], place: usize) -> Option<&Run> {
    let next = runs.partition_point(|run| run.words.end <= place);
    let run = runs.get(next)?;
    (run.are_numbers && run.words.contains(&place)).then_some(run)
}

impl Run {
    /// Returns what each of its words counts: numbers say little apart, so that they count as much as one word together.
    pub(super) fn share(&self) -> f64 {
        1.0 / self.words.len() as f64
    }

    /// Returns its words as they are looked for in a row, with what they count so.
    pub(super) fn row(&self, text: &str, words: &[Span]) -> (String, f64) {
        let typed = words[self.words.clone()].iter().map(|of| of.of(text));
        let typed: Vec<&str> = typed.collect();
        let weight = if self.are_numbers { 1.0 } else { pairs::WEIGHT };
        (typed.join(" "), weight)
    }
}

fn are_numbers(text: &str, run: &[Span]) -> bool {
    let mut words = run.iter().map(|of| of.of(text));
    let has_digit = |of: &str| of.contains(|of: char| of.is_ascii_digit());
    words.clone().any(has_digit) && words.all(is_number)
}

fn are_joined(text: &str, first: Span, second: Span) -> bool {
    // Pairs of characters overlap.
    match text.get(first.end..second.start) {
        Some("") => is_number(first.of(text)) && is_number(second.of(text)),
        Some(between) => between.bytes().all(|of| of == b':'),
        None => false,
    }
}

/// Returns whether a word may be a number between colons: `9`, `30.5`, `16-18`, `1a2b`, `10.0.0.1`.
fn is_number(word: &str) -> bool {
    let is_digit = |of: char| of.is_ascii_hexdigit();
    word.starts_with(is_digit)
        && word
            .chars()
            .all(|of| is_digit(of) || matches!(of, '.' | '-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<(String, f64)> {
        let words = Analyzer::readings(text, &[]);
        let words: Vec<Span> = words.iter().map(|of| of.span).collect();
        let runs = runs(text, &words);
        runs.iter().map(|run| run.row(text, &words)).collect()
    }

    #[test]
    fn colons_join_words() {
        for (text, row) in [
            ("16:9", "16 9"),
            ("(19:11:18Z)", "19 11 18"),
            ("20180504T191118Z", "19 11 18"),
            ("00:1a:2b:3c:4d:5e", "00 1a 2b 3c 4d 5e"),
            ("fe80::1a2b:3c4d", "fe80 1a2b 3c4d"),
            ("10.0.0.1:8080", "10.0.0.1 8080"),
            ("3:16-18", "3 16-18"),
        ] {
            assert_eq!(rows(text), [(row.to_owned(), 1.0)], "{text}");
        }
        for (text, row) in [
            ("std::vector", "std vector"),
            ("localhost:8080", "localhost 8080"),
            ("add:dead", "add dead"),
        ] {
            assert_eq!(rows(text), [(row.to_owned(), pairs::WEIGHT)], "{text}");
        }
        let both = rows("19:11:18+02:00").into_iter().map(|(row, _)| row);
        assert_eq!(both.collect::<Vec<_>>(), ["19 11 18", "02 00"]);
    }

    #[test]
    fn other_signs_and_blanks_join_none() {
        for text in [
            "16: 9",
            "16 9",
            "16;9",
            "http://host",
            "what:",
            "c:\\path",
            "",
            "サイト:サイト",
        ] {
            assert_eq!(rows(text), [], "{text}");
        }
        let many = vec!["1"; MOST + 1].join(":");
        assert_eq!(rows(&many), []);
    }

    #[test]
    fn a_word_is_of_the_run_that_it_stands_in() {
        let run = |words, are_numbers| Run { words, are_numbers };
        let runs = [run(1..3, true), run(4..6, false), run(6..8, true)];
        let of = |place| numbers_at(&runs, place).map(|run| run.words.start);
        let found: Vec<Option<usize>> = (0..9).map(of).collect();
        let (first, last) = (Some(1), Some(6));
        let expected = [None, first, first, None, None, None, last, last, None];
        assert_eq!(found, expected);
        assert!((runs[0].share() - 0.5).abs() < f64::EPSILON);
    }
}
