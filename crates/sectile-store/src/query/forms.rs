//! The words of a question as they were typed.

use super::Query;
use super::identifiers::is_identifier;
use crate::{Analyzer, WordKind, WordReading};

/// The most words of a question that are meant as they were typed: more of them tell enough.
const MOST: usize = 2;

/// The most words of a longer question that are counted as they were typed.
const MOST_COUNTED: usize = 16;

/// A word of a question in the form in which it was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TypedForm {
    /// In lower case, unless its case says what it is.
    pub(crate) text: String,
    /// Whether it is an identifier or a flag of one letter: `DATE_FORMAT` is another one than `dateFormat`, and `-L` than
    /// `-l`.
    pub(crate) is_identifier: bool,
}

impl Query {
    /// Returns the words of a short question, without those that only ask for a name, if documents have all of them and
    /// each is an identifier, a flag of one letter, or of letters alone.
    pub(crate) fn typed_forms(&self) -> Vec<TypedForm> {
        let words = self.words_but_phrases();
        if words.len() > MOST {
            return Vec::new();
        }
        let forms: Option<Vec<TypedForm>> = words.into_iter().map(typed_form).collect();
        forms.unwrap_or_default()
    }

    /// Returns the first words of a longer question that documents have and that are identifiers, flags of one letter, or
    /// of letters alone; none of a short one.
    pub(crate) fn counted_forms(&self) -> Vec<TypedForm> {
        let words = self.words_but_phrases();
        if words.len() <= MOST {
            return Vec::new();
        }
        let forms = words.into_iter().filter_map(typed_form);
        forms.take(MOST_COUNTED).collect()
    }

    /// Returns the words without those that only ask for a name.
    fn words_but_phrases(&self) -> Vec<&WordReading> {
        let words = self.reading.words.iter();
        let words = words.filter(|of| of.kind != WordKind::Phrase);
        let words = words.filter(|of| !self.is_asking_for_name(&of.typed));
        words.collect()
    }
}

fn typed_form(word: &WordReading) -> Option<TypedForm> {
    let is_held = word.kind == WordKind::Word && word.chunks > 0;
    // Titles write names with full stops in other ways: `console: log()`.
    let is_name = is_identifier(&word.typed) && !word.typed.contains('.');
    let is_identifier = is_name || is_flag(&word.typed);
    let text = if is_identifier {
        word.typed.clone()
    } else {
        word.typed.to_lowercase()
    };
    let may_be = is_held && (is_identifier || is_plain(&word.typed));
    may_be.then_some(TypedForm {
        text,
        is_identifier,
    })
}

/// Returns whether a word is a flag of one letter, which is another one in the other case.
fn is_flag(typed: &str) -> bool {
    matches!(typed.as_bytes(), [b'-', letter] if letter.is_ascii_alphabetic())
}

fn is_plain(typed: &str) -> bool {
    let is_word = Analyzer::is_of_letters(typed) && !Analyzer::is_unspaced(typed);
    is_word && !typed.is_empty()
}
