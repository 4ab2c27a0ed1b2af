//! Headings that are the question word for word, stop words included, and the words by which texts are compared with it.

use std::borrow::Cow;

use crate::FoundChunk;
use crate::scope::words_of;

/// How many sections are looked at for such a heading where only one word of the question ranks: many may have that word.
pub(super) const LOOKED_AT: usize = 50;

/// Returns the words of a question or of a heading, as the two are compared.
pub(super) fn words(text: &str) -> String {
    words_of(&text.replace('\u{2019}', "'"))
}

/// Returns the words of a text in lower case, without quotation marks and marks of emphasis, with a blank before each
/// and behind the last.
pub(super) fn plain_words(text: &str) -> String {
    let words = words(text);
    let plain = words.split(' ').map(|word| word.trim_matches(['\'', '_']));
    let mut all = String::with_capacity(words.len() + 2);
    for word in plain {
        all.push(' ');
        all.push_str(word);
    }
    all.push(' ');
    all
}

/// Returns whether the heading of a chunk has some words and no others.
pub(super) fn is_of(chunk: &FoundChunk, asked: &str) -> bool {
    let heading = chunk.heading_path.last();
    heading.is_some_and(|heading| words(&shown(heading)) == asked)
}

/// Writes a heading as wikis show it: of a link to a note only what stands behind its last bar, or else its target.
pub(super) fn shown(heading: &str) -> Cow<'_, str> {
    if !heading.contains("[[") {
        return Cow::Borrowed(heading);
    }
    let mut shown = String::with_capacity(heading.len());
    let mut rest = heading;
    while let Some((before, link)) = rest.split_once("[[")
        && let Some((link, behind)) = link.split_once("]]")
    {
        shown.push_str(before);
        shown.push_str(link.rsplit('|').next().unwrap_or(link));
        rest = behind;
    }
    shown.push_str(rest);
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_notes_are_shown_by_what_they_are_called() {
        for (heading, expected) in [
            ("[[Loops]] in a list", "Loops in a list"),
            ("A [[v/Probability Density|PDF]] or [[CDF]]", "A PDF or CDF"),
            ("Arrays [[1, 2]", "Arrays [[1, 2]"),
            ("Plain [text]", "Plain [text]"),
        ] {
            assert_eq!(shown(heading), expected);
        }
    }

    #[test]
    fn case_and_punctuation_make_no_difference() {
        for (question, heading, is_same) in [
            ("what is a changelog", "What is a Changelog?", true),
            ("what's new", "What\u{2019}s new?", true),
            ("tại sao lại là jsx", "Tại sao lại là JSX?", true),
            ("what is a changelog", "What is a changelog for?", false),
            ("什么是软件包", "什么是软件包？", true),
        ] {
            assert_eq!(words(question) == words(heading), is_same, "{heading}");
        }
    }
}
