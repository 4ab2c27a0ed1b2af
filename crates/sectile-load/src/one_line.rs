//! Texts of several lines on one.

/// Puts `text` on one line, with single spaces between its words.
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}
