//! Words as they were typed, in what was found: the index knows only their stems.

use crate::query::TypedForm;
use crate::{Analyzer, FoundChunk, Language};

/// What hits with the words as they were typed score at least, where one that lacks a word and gives way to them scores
/// 1: all may have an identifier, and some more often in another form.
const CLOSE: f64 = 0.75;
const CLOSE_WITH_IDENTIFIER: f64 = 0.5;

/// What a hit with all words of a longer question as they were typed gains, as a part of its score, where it is compared
/// with others: with some of them it gains less.
const GAIN: f64 = 0.2;

/// The languages of the texts for which that was measured to help. In others, such as Turkish, a word has more forms than
/// its own says anything of.
const COUNTED: &[Language] = &[
    Language::English,
    Language::French,
    Language::German,
    Language::Italian,
    Language::Portuguese,
    Language::Romanian,
    Language::Spanish,
];

/// Returns whether the forms of words count in the language of a chunk.
pub(super) fn count_in(chunk: &FoundChunk) -> bool {
    COUNTED.contains(&chunk.language)
}

/// Returns what a chunk scores among others for a question of several words, by how many of these it has as they were
/// typed.
pub(super) fn with_gain(score: f64, chunk: &FoundChunk, typed: &[TypedForm]) -> f64 {
    let has = typed.iter().filter(|word| has(chunk, word)).count();
    score * (1.0 + GAIN * has as f64 / typed.len().max(1) as f64)
}

/// Returns what hits with all of some words as they were typed score at least, where a chunk that gives way to them
/// scores 1; nothing if it has all itself.
pub(super) fn gap(chunk: &FoundChunk, typed: &[TypedForm]) -> Option<f64> {
    let lacking = typed.iter().filter(|word| !has(chunk, word));
    let gaps = lacking.map(|word| {
        if word.is_identifier {
            CLOSE_WITH_IDENTIFIER
        } else {
            CLOSE
        }
    });
    gaps.reduce(f64::min)
}

/// Returns whether a chunk has a word as it was typed, in its text, or in the headings or the head of a table above it.
fn has(chunk: &FoundChunk, word: &TypedForm) -> bool {
    let title = chunk.document.title.as_deref();
    let headings = chunk.heading_path.iter().map(String::as_str);
    let above = title
        .into_iter()
        .chain(headings)
        .chain(chunk.table_head.as_deref());
    let mut texts = above.chain(std::iter::once(chunk.text.as_str()));
    texts.any(|text| {
        if word.is_identifier {
            has_identifier(text, &word.text)
        } else {
            has_word(text, &word.text)
        }
    })
}

/// Returns whether a text has an identifier or a flag in the same letters, and not as a part of another one. What stands
/// around a flag may be markup: `_-y_`.
fn has_identifier(text: &str, name: &str) -> bool {
    let is_flag = name.starts_with('-');
    let is_of_name = |of: char| Analyzer::is_of_word(of) || of == '_' && !is_flag;
    let mut found = text.match_indices(name);
    found.any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + name.len()..]);
        !before.ends_with(is_of_name) && !behind.starts_with(is_of_name)
    })
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

    #[test]
    fn an_identifier_has_its_letters_and_its_signs() {
        for (text, name, has) in [
            ("const DATE_FORMAT = 1", "DATE_FORMAT", true),
            ("self::DATE_FORMAT,", "DATE_FORMAT", true),
            ("$this->dateFormat", "DATE_FORMAT", false),
            ("MY_DATE_FORMAT", "DATE_FORMAT", false),
            ("DATE_FORMAT_2", "DATE_FORMAT", false),
            ("date_format", "DATE_FORMAT", false),
            ("setUp, setUpClass", "setUp", true),
            ("setUpClass", "setUp", false),
            ("Use **-L** here", "-L", true),
            ("with _-y_ alone", "-y", true),
            ("\\fB\\-k\\fP", "-k", true),
            ("wc -l", "-L", false),
            ("-Lfoo and a-L", "-L", false),
        ] {
            assert_eq!(has_identifier(text, name), has, "{text}");
        }
    }
}
