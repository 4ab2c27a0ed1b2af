//! Words that were typed without their accents: in many languages these decide which ending is cut.

use std::ops::Range;

use super::fold::lowered;
use super::language::Language;
use super::letters;
use super::word::term;

/// The fewest letters of such a word, how many at its end may have lost an accent, and how far from each other two may
/// be that have.
const SHORTEST: usize = 4;
const ENDING: usize = 6;
const APART: usize = 2;

/// How many terms there are at most.
const MOST: usize = 12;

/// Returns the terms of the words of a language in Latin script that are one in plain letters without their accents:
/// those that are not its own, with the fewest accents first. Of Vietnamese, documents have the plain word beside these.
pub(super) fn terms(word: &str, language: Language) -> Vec<String> {
    let has_plain = language == Language::Vietnamese;
    if has_plain || word.len() < SHORTEST || !word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return Vec::new();
    }
    let word = lowered(word);
    let own = term(&word, language);
    let mut found: Vec<String> = Vec::new();
    let mut add = |accented: &str| {
        let other = term(accented, language);
        if other != own && found.len() < MOST && !found.contains(&other) {
            found.push(other);
        }
    };
    let letters = letters::accented(language);
    let ending = word.len().saturating_sub(ENDING)..word.len();
    let once = with_accents(&word, ending.clone(), &letters);
    for (_, accented) in &once {
        add(accented);
    }
    for (at, accented) in &once {
        // The letters before it are plain still, each in a byte.
        let before = ending.start.max(at.saturating_sub(APART))..*at;
        for (_, accented) in with_accents(accented, before, &letters) {
            add(&accented);
        }
    }
    found
}

/// Returns a word with each letter of a range in plain letters accented in turn, the last one first, with the place of
/// that letter.
fn with_accents(word: &str, range: Range<usize>, letters: &[(char, char)]) -> Vec<(usize, String)> {
    let accented = |at: usize| {
        let typed = char::from(word.as_bytes()[at]);
        let others = letters.iter().filter(move |(_, plain)| *plain == typed);
        others.map(move |(letter, _)| {
            let accented = format!("{}{letter}{}", &word[..at], &word[at + 1..]);
            (at, accented)
        })
    };
    range.rev().flat_map(accented).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stands_for_those_with_accents_that_are_stemmed_otherwise() {
        for (plain, accented, language) in [
            ("bledow", "błędów", Language::Polish),
            ("komponentow", "komponentów", Language::Polish),
            ("dosyadir", "dosyadır", Language::Turkish),
            ("kullanmayi", "kullanmayı", Language::Turkish),
            ("Operacao", "operação", Language::Portuguese),
            ("possibilite", "possibilité", Language::French),
        ] {
            let meant = term(accented, language);
            let found = terms(plain, language);
            assert!(found.contains(&meant), "{plain}: {found:?} without {meant}");
            assert!(found.len() <= MOST && !found.contains(&term(plain, language)));
        }
    }

    #[test]
    fn other_words_stand_for_themselves() {
        for (word, language) in [
            ("committed", Language::English),
            ("błędów", Language::Polish),
            ("a2b4c", Language::Polish),
            ("ile", Language::Turkish),
            ("duong", Language::Vietnamese),
            ("", Language::French),
        ] {
            assert_eq!(terms(word, language), [""; 0], "{word}");
        }
    }
}
