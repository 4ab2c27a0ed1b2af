//! Periods that do not end a sentence.

/// Words before a period that never end a sentence.
const ALWAYS: [&str; 27] = [
    "Dr", "Mr", "Mrs", "Ms", "Mx", "Prof", "St", "Gen", "Capt", "Rev", "Hon", "Sgt", "e.g", "E.g",
    "i.e", "I.e", "cf", "Cf", "vs", "viz", "approx", "Fig", "Figs", "Eq", "Eqs", "Vol", "pp",
];

/// Words before a period that end no sentence when a number follows.
const BEFORE_NUMBER: [&str; 13] = [
    "No", "no", "Nos", "nos", "Sec", "Ch", "Art", "Tab", "Ref", "p", "fig", "vol", "ca",
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
        || number_follows && BEFORE_NUMBER.contains(&word)
        || is_initial(word)
        || is_list_number(word, before)
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
}
