//! What a question is as a whole.

use super::split::{Item, Role, Split};
use super::trimmed;
use crate::analyzer::StopWords;

/// What a question is as a whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct QuestionTraits {
    /// Whether its words are in capitals.
    pub(super) is_shouted: bool,
    /// Whether only one item of it is no stop word.
    pub(super) is_of_one_item: bool,
    /// Whether it has a name in Latin letters.
    pub(super) has_name: bool,
}

impl QuestionTraits {
    /// Returns those of a question in items.
    pub(super) fn of(split: &Split<'_>, stop_words: &StopWords) -> Self {
        let mut items = split.items.iter();
        Self {
            is_shouted: split.is_shouted,
            is_of_one_item: is_of_one_item(&split.items, stop_words),
            has_name: items.any(|item| is_name(item, stop_words)),
        }
    }
}

/// Returns whether a word of a question is a name in Latin letters, such as that of a command.
fn is_name(item: &Item<'_>, stop_words: &StopWords) -> bool {
    let has_latin = item.text.contains(|of: char| of.is_ascii_alphabetic());
    let is_searched = matches!(item.role, Role::Scored | Role::Required);
    is_searched && has_latin && !stop_words.has(trimmed(item.text))
}

/// Returns whether a question has only one item that ranks and is no stop word.
fn is_of_one_item(items: &[Item<'_>], stop_words: &StopWords) -> bool {
    let ranks = |item: &&Item<'_>| !matches!(item.role, Role::Excluded | Role::Or);
    let words = items.iter().filter(ranks).map(|item| trimmed(item.text));
    let words = words.filter(|word| !word.is_empty() && !stop_words.has(word));
    words.count() == 1
}
