//! What is made of the HTML of a part: once, however many alternatives it stands in.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;

use mail_parser::decoders::html::html_to_text;

use super::body;
use super::words::{visible, words};

/// An HTML text, and what was made of it so far.
pub(super) struct Converted<'m> {
    pub(super) html: Cow<'m, str>,
    /// The text as Markdown, and how many words are hidden.
    text: OnceCell<(String, u64)>,
    words: OnceCell<HashSet<String>>,
    plain_words: OnceCell<HashSet<String>>,
}

impl<'m> Converted<'m> {
    pub(super) fn new(html: Cow<'m, str>) -> Self {
        Self {
            html,
            text: OnceCell::new(),
            words: OnceCell::new(),
            plain_words: OnceCell::new(),
        }
    }

    /// Returns the text as Markdown.
    pub(super) fn text(&self) -> &str {
        &self.shown().0
    }

    /// Returns how many words are hidden.
    pub(super) fn hidden_words(&self) -> u64 {
        self.shown().1
    }

    fn shown(&self) -> &(String, u64) {
        self.text.get_or_init(|| body::html(&self.html))
    }

    /// Returns the words that a reader sees.
    pub(super) fn words(&self) -> &HashSet<String> {
        self.words.get_or_init(|| words(&visible(self.text())))
    }

    /// Returns the words of plain text. Plain conversion is cheaper than Markdown, and usually gives the same words.
    pub(super) fn plain_words(&self) -> &HashSet<String> {
        self.plain_words
            .get_or_init(|| words(&html_to_text(&self.html)))
    }
}
