//! Words that signs join to one token: `--num-callers`, `/usr/bin/test`, `cross-indexing`.

use std::ops::Range;

use sectile_core::Span;

use super::files::before_line;
use super::variants::{OTHER_NOTATION, PART_WEIGHT};
use crate::{AnalyzedWord, Analyzer, Form, Language, Variant};

/// The most words of a token that is searched as a phrase: the number that a long path has.
const MOST: usize = 64;

/// What a token in a row counts, where its words count 1 together.
const WEIGHT: f64 = 1.0;

/// What it counts where nothing else is asked for: a long section that has it comes before one with all of its words.
const WEIGHT_ALONE: f64 = 4.0;

/// What a compound with hyphens counts in a row beside other words: it is prose, and each of its parts is a word.
const WEIGHT_OF_COMPOUND: f64 = 0.4;

/// A token of several words that documents are to have in full.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    /// The places of the words.
    pub(super) words: Range<usize>,
    pub(super) typed: String,
    /// Whether its words count as one word together.
    is_one: bool,
    /// What documents hold that have it in full.
    pub(super) row: Vec<Variant>,
}

/// Returns the tokens among the words of a text, in order: all of them where nothing else is asked for. Beside other
/// words these are flags, paths, addresses and names with `::`, and compounds with hyphens, which count less in a row;
/// `and/or` is prose there.
pub(super) fn tokens(
    text: &str,
    words: &[&AnalyzedWord],
    is_alone: bool,
    languages: &[Language],
) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut start = 0;
    for at in 1..=words.len() {
        if at < words.len() && are_joined(text, words[at - 1].span, words[at].span) {
            continue;
        }
        let run = start..at;
        start = at;
        let span = Span::new(words[run.start].span.start, words[at - 1].span.end);
        let typed = span.of(text);
        if !is_of_several(typed, run.len()) {
            continue;
        }
        let is_one = is_alone || is_exact(text, span);
        let weight = match (is_alone, is_one) {
            (true, _) => WEIGHT_ALONE,
            (false, true) => WEIGHT,
            (false, false) if run.len() == 1 => WEIGHT_OF_COMPOUND,
            (false, false) => continue,
        };
        let row = row(typed, &words[run.clone()], weight, languages);
        tokens.extend((!row.is_empty()).then(|| Token {
            words: run,
            typed: typed.to_owned(),
            is_one,
            row,
        }));
    }
    tokens
}

impl Token {
    /// Returns what a clause of one of its words counts, of which the word has so many; nothing where each of its parts
    /// counts as a word.
    pub(super) fn share(&self, clauses: usize) -> Option<f64> {
        self.is_one
            .then(|| 1.0 / (self.words.len() * clauses) as f64)
    }
}

/// Returns what documents hold that have a token in full: its words in a row, which count half beside a flag as it was
/// typed.
fn row(typed: &str, words: &[&AnalyzedWord], weight: f64, languages: &[Language]) -> Vec<Variant> {
    if words.len() > MOST {
        return Vec::new();
    }
    let mut rows = Variant::in_a_row(typed, languages);
    let other = without_scheme(typed).or_else(|| without_line(typed));
    let other = other.map(|other| Variant::in_a_row(other, languages));
    rows.extend(other.into_iter().flatten().map(|of| Variant {
        weight: OTHER_NOTATION,
        ..of
    }));
    rows.retain(|of| (2..=MOST).contains(&of.terms.len()));
    let flags = match words {
        [only] if !rows.is_empty() => flags(only),
        _ => Vec::new(),
    };
    let of_row = if flags.is_empty() { 1.0 } else { PART_WEIGHT };
    for variant in &mut rows {
        variant.weight *= of_row;
    }
    let mut all = [flags, rows].concat();
    for variant in &mut all {
        variant.weight *= weight;
    }
    all
}

/// Returns the address of a page without `http` or `https`: documents may have it with the other one, or with none.
fn without_scheme(typed: &str) -> Option<&str> {
    let rest = &typed[end_of_scheme(typed)..];
    (rest.len() < typed.len()).then_some(rest)
}

/// Returns where the address of a page begins in a text behind its scheme; 0 if there is none.
pub(super) fn end_of_scheme(text: &str) -> usize {
    let Some((scheme, rest)) = text.split_once("://") else {
        return 0;
    };
    let scheme = scheme.trim_start_matches(|of: char| !of.is_alphanumeric());
    let is_one = ["http", "https"]
        .iter()
        .any(|of| scheme.eq_ignore_ascii_case(of));
    let has_host = rest.starts_with(char::is_alphanumeric);
    if is_one && has_host {
        text.len() - rest.len()
    } else {
        0
    }
}

/// Returns a path without the line behind it, of which documents that have the path know nothing.
fn without_line(typed: &str) -> Option<&str> {
    let path = before_line(typed);
    let is_path = path.contains(['/', '\\']) && !path.contains("//");
    (is_path && path.len() < typed.len()).then_some(path)
}

/// Returns a word with its sign: `--num-callers`, `@font-face`.
fn flags(word: &AnalyzedWord) -> Vec<Variant> {
    let flags = word.alternatives.iter().filter(|of| of.form == Form::Flag);
    let sequences = flags.flat_map(|of| &of.sequences).cloned();
    sequences.map(Variant::of).collect()
}

fn are_joined(text: &str, first: Span, second: Span) -> bool {
    // Pairs of characters overlap.
    let between = text.get(first.end..second.start);
    let is_sign = |of: char| matches!(of, '/' | '.' | ':' | '\\' | '~' | '@');
    between.is_some_and(|between| !between.is_empty() && between.chars().all(is_sign))
}

/// Returns whether a text is of several words: with signs between, or hyphens in the only one, which would be an
/// identifier with others. Numbers are read in ways of their own.
fn is_of_several(typed: &str, words: usize) -> bool {
    let bare = typed.trim_start_matches('-');
    let is_hyphenated = bare.contains('-') && !bare.contains(['_', '.']);
    let is_name = typed.contains(char::is_alphabetic) && !Analyzer::is_unspaced(typed);
    is_name && (words > 1 || is_hyphenated)
}

/// Returns whether a token is one of code by how it looks.
fn is_exact(text: &str, token: Span) -> bool {
    let typed = token.of(text);
    let slashes = typed.matches('/').count();
    let is_rooted = text[..token.start].ends_with(['/', '.', '~']);
    let is_path = slashes > 1 || slashes == 1 && (is_rooted || typed.contains(['.', '_']));
    let has_sign = typed.starts_with(['-', '@']) || typed.contains("::") || typed.contains('\\');
    is_path || has_sign
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, is_alone: bool) -> Vec<String> {
        let words = Analyzer::readings(text, &[]);
        let words: Vec<&AnalyzedWord> = words.iter().collect();
        let tokens = tokens(text, &words, is_alone, &[]);
        let rows = tokens.iter().flat_map(|of| &of.row);
        rows.map(|of| format!("{} {}", of.shown(), of.weight))
            .collect()
    }

    #[test]
    fn flags_and_paths_are_tokens_beside_other_words() {
        for (text, row) in [
            ("--num-callers", &["-numcallers 1", "num caller 0.5"][..]),
            ("--num-callers=12", &["-numcallers 1", "num caller 0.5"]),
            ("(/usr/bin/test)", &["usr bin test 1"]),
            ("/etc/hosts", &["etc host 1"]),
            ("src/main.rs", &["src main rs 1"]),
            ("std::vector", &["std vector 1"]),
            ("ftp://host/page", &["ftp host page 1"]),
            ("ftp://host/page:12", &["ftp host page 12 1"]),
            ("https://host/page", &["https host page 1", "host page 0.9"]),
            (
                "/usr/bin/test:12:5",
                &["usr bin test 12 5 1", "usr bin test 0.9"],
            ),
        ] {
            assert_eq!(rows(text, false), row, "{text}");
        }
        for text in ["and/or", "--clean", "read_chunks", "/or-", "7-9", "e-mail"] {
            assert_eq!(rows(text, false), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_compound_with_hyphens_counts_less_in_a_row_beside_other_words() {
        assert_eq!(rows("cross-indexing", false), ["cross index 0.4"]);
        let words = Analyzer::readings("cross-indexing", &[]);
        let words: Vec<&AnalyzedWord> = words.iter().collect();
        let share = |is_alone| tokens("cross-indexing", &words, is_alone, &[])[0].share(2);
        assert_eq!(share(false), None);
        assert_eq!(share(true), Some(0.5));
    }

    #[test]
    fn what_is_typed_alone_is_a_token() {
        assert_eq!(rows("cross-indexing", true), ["cross index 4"]);
        assert_eq!(rows("client/server", true), ["client server 4"]);
        assert_eq!(rows("localhost:8080", true), ["localhost 8080 4"]);
        assert_eq!(
            rows("client/server:7", true),
            ["client server 7 4", "client server 3.6"]
        );
        for text in [
            "word",
            "e-mail",
            "readChunks",
            "7-9",
            "16:9",
            "a,word",
            "--clean",
            "サイト/サイト",
        ] {
            assert_eq!(rows(text, true), [""; 0], "{text}");
        }
        let long = vec!["word"; MOST + 1];
        assert_eq!(rows(&long.join("/"), true), [""; 0]);
        assert_eq!(rows(&long.join("-"), true), [""; 0]);
    }
}
