//! A question that a text may have: word for word, or as a message with placeholders for its values.

use super::messages::Message;
use super::quotes::{Extent, Quote};

/// How many rows of a quote are looked for, and how many of a message: those of unknown values are among these.
const ROWS_OF_QUOTE: usize = 1;
const ENDS_OF_QUOTE: usize = 2;
const ROWS_OF_MESSAGE: usize = 6;

/// How a text has a question, what has most of it first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Quoting {
    WordForWord,
    /// Most of it, word for word.
    Mostly,
    AsMessage,
}

/// A question that a text may have.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct QuotedQuestion {
    quote: Option<Quote>,
    message: Option<Message>,
}

/// Rows of words that texts may have, and how many of them are looked for.
pub(super) struct SearchedRows {
    pub(super) rows: Vec<String>,
    pub(super) most: usize,
}

impl QuotedQuestion {
    /// Returns a question that a text may have. `has_left_out` says whether it has stop words that do not rank.
    pub(super) fn of(question: &str, has_left_out: bool) -> Option<Self> {
        let quote = Quote::of(question, has_left_out);
        let message = Message::of(question, has_left_out);
        (quote.is_some() || message.is_some()).then_some(Self { quote, message })
    }

    /// Returns how a text has it.
    pub(super) fn is_in(&self, text: &str) -> Option<Quoting> {
        let extent = self.quote.as_ref().and_then(|of| of.extent(text));
        match extent {
            Some(Extent::All) => return Some(Quoting::WordForWord),
            Some(Extent::Most) => return Some(Quoting::Mostly),
            None => {}
        }
        let message = self.message.as_ref();
        message
            .is_some_and(|of| of.is_in(text))
            .then_some(Quoting::AsMessage)
    }

    /// Returns whether it is so short that texts quote it only if one alone has it.
    pub(super) fn is_short(&self) -> bool {
        self.quote.as_ref().is_some_and(Quote::is_short)
    }

    /// Returns rows of its words, of which a text that has it has some; only those of a quote where a text is known that
    /// has it in this or another way, and those at its ends where a text is known that has most of it.
    pub(super) fn searched_rows(&self, known: Option<Quoting>) -> Vec<SearchedRows> {
        let quote = self.quote.as_ref().map(|of| match known {
            Some(Quoting::Mostly) => SearchedRows {
                rows: of.ends(),
                most: ENDS_OF_QUOTE,
            },
            _ => SearchedRows {
                rows: of.searched_rows(),
                most: ROWS_OF_QUOTE,
            },
        });
        let message = self.message.as_ref().filter(|_| known.is_none());
        let message = message.map(|of| SearchedRows {
            rows: of.searched_rows(),
            most: ROWS_OF_MESSAGE,
        });
        quote.into_iter().chain(message).collect()
    }
}
