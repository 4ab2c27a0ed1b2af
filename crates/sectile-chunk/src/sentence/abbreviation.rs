//! Periods that do not end a sentence.

use unicode_segmentation::UnicodeSegmentation;

use super::tailoring::is_without_spaces;

/// Words before a period that never end a sentence.
const ALWAYS: [&str; 27] = [
    "Dr", "Mr", "Mrs", "Ms", "Mx", "Prof", "St", "Gen", "Capt", "Rev", "Hon", "Sgt", "e.g", "E.g",
    "i.e", "I.e", "cf", "Cf", "vs", "viz", "approx", "Fig", "Figs", "Eq", "Eqs", "Vol", "pp",
];

/// Such words of other languages than English, which are words of no other.
#[rustfmt::skip]
const ALWAYS_ELSEWHERE: [&str; 38] = [
    // German and Dutch
    "bzw", "z.B", "d.h", "u.a", "vgl", "Vgl", "ggf", "Hrsg", "mgr",
    // Danish
    "f.eks", "bl.a",
    // French, Italian, Portuguese, Spanish and Romanian
    "dott", "Sr", "Sra", "Dra", "sr", "sra", "pág", "Av",
    // Polish
    "ul", "św", "godz", "np", "m.in", "tzw", "kpt",
    // Several of these
    "dr", "prof",
    // Greek
    "κ", "κα", "κκ", "Δρ", "βλ",
    // Bulgarian, Russian and Ukrainian
    "проф", "акад", "ул", "вул", "св",
];

/// German words before a number with a period that is an ordinal, if a capital follows: `am 3. Oktober`.
#[rustfmt::skip]
const BEFORE_ORDINAL: [&str; 24] = [
    "Ab", "Am", "Bis", "Das", "Dem", "Den", "Der", "Die", "Im", "Seit", "Vom", "Zum",
    "am", "beim", "das", "dem", "den", "der", "des", "im", "seit", "vom", "zum", "zur",
];

/// Words before a period that end no sentence when a number follows.
#[rustfmt::skip]
const BEFORE_NUMBER: [&str; 20] = [
    "No", "no", "Nos", "nos", "Sec", "Ch", "Art", "Tab", "Ref", "p", "fig", "vol", "ca", "Abs", "Nr", "nr", "art", "str",
    "рис", "стр",
];

/// The longest word that is looked at, in bytes, so that the look back is bounded.
const LONGEST: usize = 16;

/// Returns whether the period after `before` is part of an abbreviation, an initial or a list number.
///
/// `before` begins with the block that the period stands in, `after` follows the white space
/// behind the period.
pub(super) fn is_inside_sentence(before: &str, after: &str) -> bool {
    let word = last_word(before);
    let number_follows = after.starts_with(char::is_numeric);
    ALWAYS.contains(&word)
        || ALWAYS_ELSEWHERE.contains(&word)
        || number_follows && BEFORE_NUMBER.contains(&word)
        || is_initial(word)
        || is_list_number(word, before)
        || is_in_parenthesis(word, before)
        || is_ordinal(word, before, after)
        || is_initial_without_case(word, before)
}

/// Returns the end of `before` from its last white space on, without opening punctuation.
fn last_word(before: &str) -> &str {
    let tail = &before[before.ceil_char_boundary(before.len().saturating_sub(LONGEST))..];
    let word = tail.rsplit(char::is_whitespace).next().unwrap_or(tail);
    word.trim_start_matches(|char: char| !char.is_alphanumeric())
}

/// Returns whether `word` is or ends in a single capital, `J` or `U.S`; the pronoun is not one.
fn is_initial(word: &str) -> bool {
    let mut letters = word.rsplit('.').next().unwrap_or(word).chars();
    let capital = letters.next().is_some_and(char::is_uppercase);
    capital && letters.next().is_none() && word != "I"
}

fn is_list_number(word: &str, before: &str) -> bool {
    let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    is_number && before.len() <= LONGEST && before.trim_start().len() == word.len()
}

/// Returns whether `word` is a short one without capitals that a parenthesis begins with, as names of languages and verbs
/// are: `(lat. Rosa)`, `[v. Art. 5`.
fn is_in_parenthesis(word: &str, before: &str) -> bool {
    let is_short = !word.is_empty() && word.chars().nth(5).is_none();
    let begins = || before[..before.len() - word.len()].ends_with(['(', '[']);
    is_short && word.chars().all(char::is_lowercase) && begins()
}

/// Returns whether `word` is a number that is an ordinal in German: `am 3. Oktober`.
fn is_ordinal(word: &str, before: &str, after: &str) -> bool {
    let is_number = (1..=3).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number || !after.starts_with(char::is_uppercase) {
        return false;
    }
    let before = before[..before.len() - word.len()].trim_end_matches([' ', '\n', '\r']);
    // In English, too, `am` may stand before a number: `I am 42. He is 43.`
    BEFORE_ORDINAL.contains(&last_word(before)) && !before.ends_with("I am")
}

/// Returns whether `word` is one letter, or short parts with periods between, in a script that has no capitals and has
/// spaces between words: `கே`, `தி.மு.க`, `ศ.ดร`. Verbs of Hindi and its neighbours have one letter, too: `है`.
fn is_initial_without_case(word: &str, before: &str) -> bool {
    let is_of_name = |letter: char| {
        let has_case = letter.is_uppercase() || letter.is_lowercase();
        !(letter.is_ascii() || has_case || letter.is_numeric() || is_without_spaces(letter))
    };
    let is_word = !word.is_ascii() && !word.ends_with('.');
    if !is_word || !word.chars().all(|of| of == '.' || is_of_name(of)) {
        return false;
    }
    let letters = |part: &str| part.graphemes(true).take(3).count();
    let is_initial = letters(word.rsplit('.').next().unwrap_or(word)) == 1;
    if word.contains('.') {
        return is_initial || word.split('.').all(|part| letters(part) <= 2);
    }
    let outside = &before[..before.len() - word.len()];
    let is_northern = word.starts_with(|letter: char| matches!(letter, '\u{900}'..='\u{b7f}'));
    is_initial && !is_northern && !outside.ends_with(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations_initials_and_list_numbers_are_inside() {
        let inside = [
            "Ask Dr", "Use (e.g", "See Fig", "J", "the U.S", "by J. R", " 12",
        ];
        for before in inside {
            assert!(is_inside_sentence(before, "Next"), "{before}");
        }
        for before in ["than I", "It is 12", "He said no", "a word", "é", ""] {
            assert!(!is_inside_sentence(before, "Next"), "{before}");
        }
        assert!(is_inside_sentence("see No", "5"));
    }

    #[test]
    fn abbreviations_of_many_languages_are_inside() {
        for before in [
            "Ο κ",
            "prof",
            "np",
            "(lat",
            "(див",
            "[v",
            "ஐ.நா",
            "கே",
            "ஐ.ஏ.எஸ்",
            "ศศ.ม",
            "د",
        ] {
            assert!(is_inside_sentence(before, "Χ"), "{before}");
        }
        for before in [
            "(sentences",
            "ார்..",
            "(A b",
            "வந்தார்",
            "네",
            "好",
            "है",
            "lat",
            "ดร",
        ] {
            assert!(!is_inside_sentence(before, "Χ"), "{before}");
        }
    }

    #[test]
    fn ordinals_of_german_are_inside() {
        assert!(is_inside_sentence("Es war am 3", "Oktober"));
        assert!(is_inside_sentence("im\n19", "Jahrhundert"));
        assert!(!is_inside_sentence("Es waren 3", "Dann"));
        assert!(!is_inside_sentence("im Jahr 1990", "Dann"));
        assert!(!is_inside_sentence("Es war der 3", "und"));
        assert!(!is_inside_sentence("I am 42", "He"));
    }
}
