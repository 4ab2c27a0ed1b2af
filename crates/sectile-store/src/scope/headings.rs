//! Headings of sections, and the words that they are to have.

use unicode_normalization::char::is_combining_mark;

use crate::Analyzer;

/// Writes the words of a text in lower case, with a blank between each two.
pub(crate) fn words_of(text: &str) -> String {
    let lower = Analyzer::composed(text).to_lowercase();
    // `C++`, `F#` and `get_all` are words.
    let parts = |of: char| !(of.is_alphanumeric() || is_combining_mark(of) || "+#_'".contains(of));
    let words = lower.split(parts);
    let words = words.filter(|word| word.contains(char::is_alphanumeric));
    words.collect::<Vec<_>>().join(" ")
}

/// Writes words with a blank between each two without their accents.
pub(super) fn without_accents(words: &str) -> String {
    let plain = words.split(' ').map(Analyzer::folded);
    plain.collect::<Vec<_>>().join(" ")
}

/// Writes the words of a text as a heading that has them does, with a blank at each end unless it may be within a word
/// there.
pub(super) fn in_words(text: &str) -> String {
    let words = words_of(text);
    if words.is_empty() {
        // As every heading is written.
        return " ".to_owned();
    }
    let at_end = |end: Option<char>| {
        let is_unspaced = end.is_some_and(|of| Analyzer::is_unspaced(of.encode_utf8(&mut [0; 4])));
        if is_unspaced { "" } else { " " }
    };
    let (start, end) = (
        at_end(words.chars().next()),
        at_end(words.chars().next_back()),
    );
    format!("{start}{words}{end}")
}
