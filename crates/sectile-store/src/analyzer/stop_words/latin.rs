//! Whether words and questions are in Latin script.

/// The letters before this one are Latin, and what stands between them.
const END_OF_LATIN: char = '\u{250}';

/// Returns whether a word is in Latin script, by its first letter.
pub(in crate::analyzer) fn is_latin(word: &str) -> bool {
    // Words of Vietnamese may begin with a letter of the range behind.
    word.starts_with(|first: char| first < END_OF_LATIN || matches!(first, '\u{1e00}'..='\u{1eff}'))
}

/// Returns whether most bytes of the letters of a text are of Latin ones: those of other scripts are fewer for as much.
pub(super) fn is_mostly_latin(text: &str) -> bool {
    let letters = text.chars().filter(|letter| letter.is_alphabetic());
    let (latin, other): (Vec<char>, Vec<char>) = letters.partition(|letter| *letter < END_OF_LATIN);
    let bytes = |letters: &[char]| letters.iter().map(|of| of.len_utf8()).sum::<usize>();
    bytes(&latin) > bytes(&other)
}

/// Returns whether a text begins in Latin script and has more letters of it: what it quotes in another alphabet, as a few
/// words of Greek, takes more bytes.
pub(super) fn begins_with_more_latin(text: &str) -> bool {
    let letters: Vec<char> = text.chars().filter(|of| of.is_alphabetic()).collect();
    let begins = letters.first().is_some_and(|of| *of < END_OF_LATIN);
    let latin = letters.iter().filter(|of| **of < END_OF_LATIN).count();
    begins && latin * 2 > letters.len() && letters.iter().all(|of| of.len_utf8() < 3)
}
