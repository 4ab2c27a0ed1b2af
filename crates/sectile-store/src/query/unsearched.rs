//! The signs of a question that are not searched for.

use super::split::{Item, is_section_sign};
use crate::Analyzer;

/// Signs that sentences have, and that nobody searches for.
const PUNCTUATION: &str = ".,;…'\"`()-\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}¿¡«»‹›\u{2018}\u{2019}\u{201a}\
                           \u{201c}\u{201d}\u{201e}、。「」『』，．：；";

/// Those at the end of a sentence.
const ENDS: &str = "!?！？";

/// Signs of code that are not searched for.
const OF_CODE: [char; 7] = ['\\', '{', '}', '^', '~', '$', '%'];

/// Returns the first of the items that have no word but single letters, such as the operators of a language, unless they
/// are punctuation of a sentence, or the sign of a section before its number or behind it.
pub(super) fn signs(items: &[Item<'_>], most: usize) -> Vec<String> {
    let begins_with_digit = |next: &Item<'_>| next.text.starts_with(|of: char| of.is_ascii_digit());
    let is_of_number = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| items.get(before));
        let mut beside = [before, items.get(at + 1)].into_iter().flatten();
        is_section_sign(items[at].text) && beside.any(begins_with_digit)
    };
    let last_colon = items.iter().rposition(|item| item.text == ":");
    let texts = items.iter().enumerate();
    let texts = texts.filter(|(at, _)| !is_of_number(*at));
    let texts = texts.map(|(at, item)| (at, item.text.trim_matches('`')));
    let signs = texts.filter(|(at, text)| {
        let has_word = text.contains(char::is_alphanumeric);
        let is_colon_after = last_colon.is_some_and(|colon| colon > *at);
        let is_sign =
            !has_word && !is_punctuation(text, &items[..*at], &items[at + 1..], is_colon_after);
        is_sign && Analyzer::readings(text, &[]).is_empty() || is_mostly_signs(text)
    });
    let mut signs: Vec<String> = signs.map(|(_, text)| text.to_owned()).collect();
    signs.dedup();
    signs.truncate(most);
    signs
}

/// Returns whether a text is single letters among signs of code that say most of it: `\d+`, `@{u}`.
fn is_mostly_signs(text: &str) -> bool {
    let mut runs = text.split(|of: char| !of.is_alphanumeric());
    let has_letter = text.contains(char::is_alphabetic);
    has_letter && text.contains(OF_CODE) && runs.all(|run| run.len() < 2)
}

/// Returns whether signs are those that a sentence has between blanks, or at its end, also where the next one begins with a
/// small letter (`et après ? je peux`, but not in `is_set ? a : b`, where a colon follows), or that part two of its words,
/// as `see / browse`.
fn is_punctuation(
    signs: &str,
    before: &[Item<'_>],
    after: &[Item<'_>],
    is_colon_after: bool,
) -> bool {
    let begins_sentence = |next: &Item<'_>| next.text.starts_with(char::is_uppercase);
    let ends = after.first().is_none_or(begins_sentence);
    let is_mark = |sign: char| PUNCTUATION.contains(sign) || ends && ENDS.contains(sign);
    let is_word = |item: Option<&Item<'_>>| {
        let word = item.map(|item| item.text.trim_end_matches([',', '.', '?', '!']));
        word.is_some_and(|word| word.chars().nth(1).is_some() && Analyzer::is_of_letters(word))
    };
    let parts_words =
        matches!(signs, "/" | "&") && is_word(before.last()) && is_word(after.first());
    let begins_with_letter = |next: &Item<'_>| next.text.starts_with(char::is_alphabetic);
    let is_end = matches!(signs, "?" | "!")
        && is_word(before.last())
        && after.first().is_some_and(begins_with_letter)
        && !is_colon_after;
    signs == ":" || parts_words || is_end || signs.chars().all(is_mark)
}
