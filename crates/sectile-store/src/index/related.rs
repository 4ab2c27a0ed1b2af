//! Words that no document has, and those of documents that begin as they do: `auth` and `authentication`, `migrations` and
//! `migratory`, `BC547` and `BC547B`.

use super::question_terms::Known;
use super::search::Search;
use super::spelling::{CORRECTIONS, LOOKED_AT, beside, has_stop_word, plain};
use super::words::LENGTHS;
use crate::{Analyzer, Form, Language, Query, Result};

/// The fewest letters of a word that stands for longer ones, and of what is left of one without its ending.
const SHORTEST: usize = 4;
const SHORTEST_CUT: usize = 5;

/// How many words of a question are looked at at most.
const MOST: usize = 8;

/// What a word counts that only begins alike, if both had no other letters: less than one that is spelled nearly so.
const WEIGHT: f64 = 0.5;

/// The fewest letters and digits of the beginning of a code, and what a code counts that goes on behind it.
const SHORTEST_CODE: usize = 5;
const WEIGHT_OF_CODE: f64 = 0.8;

/// The fewest digits of a hash, of which mostly the beginning is typed, and of such a beginning.
const SHORTEST_HASH: usize = 32;
const SHORTEST_OF_HASH: usize = 7;

/// Lets the words of documents that begin alike stand for those that no document has in any other way, and says whether
/// there were any.
pub(super) async fn replace(
    search: &mut Search<'_>,
    query: &mut Query,
    known: &Known,
    languages: &[Language],
) -> Result<bool> {
    let held = query.held_words(|of| known.chunks_with(of));
    let unknown = query.not_held(|of| known.chunks_with(of));
    let mut is_any = false;
    for place in unknown.into_iter().take(MOST) {
        let typed = query.typed(place).to_owned();
        let words = beside(held, related(search, &typed, languages).await?);
        if !words.is_empty() {
            query.correct(place, words, languages, |of| known.chunks_with(of));
            is_any = true;
        }
    }
    Ok(is_any)
}

/// Returns the most frequent of the words that have the longest beginning with a word in common, with what each counts.
async fn related(
    search: &mut Search<'_>,
    typed: &str,
    languages: &[Language],
) -> Result<Vec<(String, f64)>> {
    if is_code(typed) {
        return codes(search, &typed.to_ascii_lowercase()).await;
    }
    if !Analyzer::is_of_letters(typed) || Analyzer::is_unspaced(typed) {
        return Ok(Vec::new());
    }
    let Some(word) = plain(typed, languages) else {
        return Ok(Vec::new());
    };
    for beginning in beginnings(&word, languages) {
        let found = search.beginning_with(beginning, LOOKED_AT).await?;
        if found.is_empty() {
            continue;
        }
        let others = found.into_iter();
        let others = others.filter(|of| !has_stop_word(&of.word, languages));
        let forms = others.take(CORRECTIONS).flat_map(|of| {
            let weight = WEIGHT * share_of(beginning, &word, &of.word);
            of.forms.into_iter().map(move |form| (form, weight))
        });
        return Ok(forms.collect());
    }
    Ok(Vec::new())
}

/// Returns whether a word may be the beginning of a code, such as that of a part or a hash: `BC547`, `9724476`.
fn is_code(typed: &str) -> bool {
    let has_digit = || typed.bytes().any(|of| of.is_ascii_digit());
    (SHORTEST_CODE..=*LENGTHS.end()).contains(&typed.len())
        && typed.bytes().all(|of| of.is_ascii_alphanumeric())
        && has_digit()
}

/// Returns the most frequent of the codes that begin with one, in lower case, with what each counts.
async fn codes(search: &mut Search<'_>, beginning: &str) -> Result<Vec<(String, f64)>> {
    let mut found = search.beginning_with(beginning, LOOKED_AT).await?;
    found.retain(|of| goes_on(beginning, &of.word));
    let codes = found.into_iter().take(CORRECTIONS);
    Ok(codes.map(|of| (of.word, WEIGHT_OF_CODE)).collect())
}

/// Returns whether a word is the code that another one begins: a hash, or one in which no number goes on.
fn goes_on(beginning: &str, word: &str) -> bool {
    let is_hash = |of: &str| of.bytes().all(|of| of.is_ascii_hexdigit());
    if beginning.len() >= SHORTEST_OF_HASH && word.len() >= SHORTEST_HASH && is_hash(word) {
        return true;
    }
    let is_digit = |of: char| of.is_ascii_digit();
    let rest = word.strip_prefix(beginning).unwrap_or_default();
    beginning.contains(|of: char| of.is_ascii_alphabetic())
        && rest.starts_with(|of: char| of.is_ascii_alphanumeric())
        && !(beginning.ends_with(is_digit) && rest.starts_with(is_digit))
}

/// Returns what two words have in common that begin alike, as a part of the longer one: `never` says little of
/// `nevertheless`.
fn share_of(beginning: &str, word: &str, other: &str) -> f64 {
    let letters = |of: &str| of.chars().count();
    letters(beginning) as f64 / letters(word).max(letters(other)).max(1) as f64
}

/// Returns the beginnings of a word by which others are looked for, the longest first: the word, and the word without more
/// and more of its ending, down to its stem. None is longer than the words that are kept.
fn beginnings<'w>(word: &'w str, languages: &[Language]) -> Vec<&'w str> {
    let letters = word.char_indices();
    let ends: Vec<usize> = letters.map(|(at, of)| at + of.len_utf8()).collect();
    let least = letters_of_stem(word, languages).max(SHORTEST_CUT);
    let counts = (SHORTEST..=ends.len().min(*LENGTHS.end())).rev();
    let counts = counts.filter(|&count| count == ends.len() || count >= least);
    counts.map(|count| &word[..ends[count - 1]]).collect()
}

/// Returns how many letters a word has in common with its stem: with the shortest, where it has one in each language.
fn letters_of_stem(word: &str, languages: &[Language]) -> usize {
    let read = Analyzer::readings(word, languages);
    let ways = read.iter().flat_map(|of| &of.alternatives);
    let whole = ways.filter(|of| of.form == Form::Whole);
    let stems = whole.flat_map(|of| &of.sequences).flat_map(|of| &of.terms);
    let common = stems.map(|stem| {
        let letters = word.chars().zip(stem.chars());
        letters.take_while(|(left, right)| left == right).count()
    });
    common.min().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_loses_its_ending_but_not_its_stem() {
        assert_eq!(
            beginnings("migrations", &[]),
            ["migrations", "migration", "migratio", "migrati", "migrat"]
        );
        assert_eq!(beginnings("auth", &[]), ["auth"]);
        assert_eq!(beginnings("joyful", &[]), ["joyful", "joyfu"]);
        assert_eq!(beginnings("map", &[]), [""; 0]);
        // None is longer than the words that are kept.
        assert_eq!(
            beginnings(&"long".repeat(1 << 16), &[]),
            ["long".repeat(16)]
        );
    }

    #[test]
    fn codes_go_on_with_letters_and_hashes_with_any_digits() {
        let hash = "9724476b9289636a1b0f3d2c4e5f60718293a4b5";
        for (beginning, word, is_one) in [
            ("bc547", "bc547b", true),
            ("lm317t", "lm317tg", true),
            ("bc547", "bc5478", false),
            ("9724476", hash, true),
            ("9724476b9", hash, true),
            ("97244", hash, false),
            ("97244", "97244b", false),
            ("9724476", "97244761", false),
            ("bc547", "bc547", false),
        ] {
            assert_eq!(goes_on(beginning, word), is_one, "{beginning} {word}");
        }
        for (typed, is_one) in [
            ("BC547", true),
            ("9724476", true),
            ("BC54", false),
            ("authentication", false),
            ("10.000", false),
            ("größe1", false),
        ] {
            assert_eq!(is_code(typed), is_one, "{typed}");
        }
    }

    #[test]
    fn the_more_letters_are_left_the_less_a_word_counts() {
        assert!(share_of("never", "never", "nevertheless") < 0.5);
        assert!(share_of("migrat", "migrations", "migratory") > 0.5);
        assert!(share_of("auth", "auth", "author") > share_of("auth", "auth", "authentication"));
    }
}
