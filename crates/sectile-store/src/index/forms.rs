//! Words as they were typed, in what was found: the index knows only their stems.

use crate::{Analyzer, FoundChunk};

/// Returns whether a chunk has a word in lower case as it stands, in its text, or in the headings or the head of a table
/// above it.
pub(super) fn has(chunk: &FoundChunk, word: &str) -> bool {
    let title = chunk.document.title.as_deref();
    let headings = chunk.heading_path.iter().map(String::as_str);
    let above = title
        .into_iter()
        .chain(headings)
        .chain(chunk.table_head.as_deref());
    let mut texts = above.chain(std::iter::once(chunk.text.as_str()));
    texts.any(|text| has_word(text, word))
}

fn has_word(text: &str, word: &str) -> bool {
    if !word.is_ascii() {
        let text = Analyzer::composed(text).to_lowercase();
        let mut found = text.match_indices(word);
        return found.any(|(at, _)| is_apart(&text, at, at + word.len()));
    }
    let [first, ..] = word.as_bytes() else {
        return false;
    };
    let bytes = text.bytes().enumerate();
    let mut starts = bytes.filter(|(_, byte)| byte.eq_ignore_ascii_case(first));
    starts.any(|(at, _)| {
        let end = at + word.len();
        let there = text.as_bytes().get(at..end);
        there.is_some_and(|there| there.eq_ignore_ascii_case(word.as_bytes()))
            && is_apart(text, at, end)
    })
}

/// Returns whether no word goes on before and behind a part of a text.
fn is_apart(text: &str, start: usize, end: usize) -> bool {
    !text[..start].ends_with(Analyzer::is_of_word) && !text[end..].starts_with(Analyzer::is_of_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_are_those_that_were_typed() {
        for (text, word, has) in [
            ("Joy, and joyfully", "joy", true),
            ("joyfully and ajoy", "joy", false),
            ("what joy", "joy", true),
            ("an éjoy joyé", "joy", false),
            ("jo", "joy", false),
            ("", "joy", false),
            ("Die ÜBUNG", "übung", true),
            ("Die U\u{308}bung", "übung", true),
            ("Die Übungen", "übung", false),
        ] {
            assert_eq!(has_word(text, word), has, "{text}");
        }
    }
}
