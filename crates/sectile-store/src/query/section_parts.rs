//! Words that only say which part of a cited section a question means: `Abs. 2 Satz 1`, `II 1`, `al. 3`.

use super::markers::{is_number, plain};
use super::trimmed;

/// What parts of sections are called, in plain letters. Sorted.
#[rustfmt::skip]
const PARTS: &[&str] = &[
    "abs", "absatz", "al", "alinea", "alt", "apartado", "buchst", "buchstabe", "comma", "halbs", "halbsatz", "hs", "inciso",
    "let", "lett", "lit", "nr", "nummer", "punkt", "s", "satz", "sentence", "subsection", "uabs", "unterabs", "var",
];

/// The most signs of a numeral.
const LONGEST_NUMERAL: usize = 5;

/// Returns the words, in plain letters, that stand behind the number of a section and say which part of it is meant.
pub(super) fn words(texts: &[&str], is_number_of_section: impl Fn(&str) -> bool) -> Vec<String> {
    let mut words = Vec::new();
    let mut is_behind = false;
    let mut at = 0;
    while let Some(text) = texts.get(at) {
        let word = trimmed(text);
        let next = texts.get(at + 1).map(|next| trimmed(next));
        at += 1;
        if is_behind && is_numeral(word) {
            words.push(plain(word));
            // `Art. 2 II 1`
            if let Some(next) = next.filter(|next| is_number(next)) {
                words.push(plain(next));
                at += 1;
            }
        } else if is_behind
            && PARTS.binary_search(&&*plain(word)).is_ok()
            && let Some(next) = next.filter(|next| is_designation(next))
        {
            words.extend([plain(word), plain(next)]);
            at += 1;
        } else {
            is_behind = is_number_of_section(&plain(word));
        }
    }
    words
}

/// Returns whether a word is a numeral in capitals: `IV`.
fn is_numeral(word: &str) -> bool {
    let is_short = (1..=LONGEST_NUMERAL).contains(&word.len());
    is_short && word.bytes().all(|letter| b"IVX".contains(&letter))
}

/// Returns whether a word is a number or a letter by which parts are told apart.
fn is_designation(word: &str) -> bool {
    is_number(word) || word.len() == 1 && word.starts_with(|of: char| of.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stand_behind_the_number_of_a_section() {
        assert!(PARTS.is_sorted());
        for (question, expected) in [
            (
                "\u{a7} 186 Abs. 2 Satz 1 FamFG",
                &["abs", "2", "satz", "1"][..],
            ),
            ("\u{a7} 186 II 1 FamFG", &["ii", "1"]),
            ("\u{a7} 186 I BGB", &["i"]),
            ("\u{a7} 186 Abs. 1 lit. b", &["abs", "1", "lit", "b"]),
            ("Satz 1 \u{a7} 186", &[]),
            ("\u{a7} 186 FamFG Abs. 2", &[]),
            ("\u{a7} 186 Satz des Pythagoras", &[]),
        ] {
            let texts: Vec<&str> = question.split(' ').collect();
            assert_eq!(words(&texts, |word| word == "186"), expected, "{question}");
        }
    }
}
