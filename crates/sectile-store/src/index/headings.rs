//! Headings that are the question word for word, stop words included, and the words by which texts are compared with it.

use crate::FoundChunk;
use crate::names::shown;
use crate::scope::words_of;

/// How many sections are looked at for such a heading where only one word of the question ranks: many may have that word.
pub(super) const LOOKED_AT: usize = 50;

/// Returns the words of a question or of a heading, as the two are compared: `I` may be the capital of `i` or of `ı`.
pub(super) fn words(text: &str) -> String {
    let words = words_of(&text.replace('\u{2019}', "'"));
    // A capital `İ` has its dot twice.
    if !words.is_ascii() && words.contains(['\u{307}', 'ı']) {
        words.replace('\u{307}', "").replace('ı', "i")
    } else {
        words
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_punctuation_make_no_difference() {
        for (question, heading, is_same) in [
            ("what is a changelog", "What is a Changelog?", true),
            ("what's new", "What\u{2019}s new?", true),
            (
                "EĞER BELİRLİ KOŞULLARA BAĞLI",
                "Eğer belirli koşullara bağlı",
                true,
            ),
            ("tại sao lại là jsx", "Tại sao lại là JSX?", true),
            ("what is a changelog", "What is a changelog for?", false),
            ("什么是软件包", "什么是软件包？", true),
        ] {
            assert_eq!(words(question) == words(heading), is_same, "{heading}");
        }
    }
}
