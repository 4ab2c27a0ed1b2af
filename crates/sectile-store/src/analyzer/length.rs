//! The lengths of words.

/// Returns whether a word has at least so many letters; one or more.
pub(super) fn has(word: &str, letters: usize) -> bool {
    word.chars().nth(letters - 1).is_some()
}
