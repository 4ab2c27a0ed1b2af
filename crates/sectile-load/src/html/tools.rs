//! Content in what sounds like tools by its class: the print run of a book, the price of a share, an ingredient in a
//! row that is printed.

use super::page::Page;
use super::tree::is_inline;
use super::vocabulary::{self, Signal};

/// How many letters a sentence with a number has at least, and one without.
const SENTENCE: usize = 40;
const LONG_SENTENCE: usize = 60;

/// How many letters of a paragraph or an item are looked at, and how many elements.
const LONGEST: usize = 1_000;
const FEW_ELEMENTS: usize = 50;

/// How many percent of the text are in links at most.
const FEW_LINKS: usize = 25;

/// How many words an item has at least, and one that begins with a number.
const WORDS: usize = 3;
const COUNTED_WORDS: usize = 2;

impl Page<'_> {
    /// Returns whether an element with few links holds a sentence, or is all that an item of a list says.
    pub(super) fn holds_content(&self, at: usize) -> bool {
        let Some(block) = self
            .block_of(at)
            .filter(|at| !self.at(*at).all.is_linked(FEW_LINKS))
        else {
            return false;
        };
        let mut within = (block..self.at(block).end).take(FEW_ELEMENTS);
        let has_sentence = within.any(|at| {
            let letters = self.at(at).content();
            letters >= SENTENCE && is_sentence(&self.line(at), letters)
        });
        has_sentence || self.is_whole_item(block) && says_what(&self.line(block))
    }

    /// Returns the element itself or, where it stands within a line and is all of it, the element with that line.
    fn block_of(&self, at: usize) -> Option<usize> {
        let mut block = at;
        while is_inline(&self.at(block).node) && block > self.body {
            block = self.at(block).parent;
        }
        (block == at || self.line(block) == self.line(at)).then_some(block)
    }

    /// Returns whether an element is all text of an item of a list that is not a tool itself.
    fn is_whole_item(&self, at: usize) -> bool {
        let text = self.at(at).all.text;
        let mut around = at;
        while around > self.body && self.at(around).all.text == text {
            let element = self.at(around);
            if matches!(element.tag(), "dd" | "dt" | "li") {
                return !element.signal.is_beside_text();
            }
            around = element.parent;
        }
        false
    }

    fn line(&self, at: usize) -> String {
        self.at(at).line(at, LONGEST).unwrap_or_default()
    }
}

/// Returns whether a text with so many letters ends as a sentence does.
fn is_sentence(text: &str, letters: usize) -> bool {
    let has_number = text.contains(|letter: char| letter.is_ascii_digit());
    text.ends_with(['.', '!', '?', '…', '。']) && (has_number || letters >= LONG_SENTENCE)
}

/// Returns whether an item has several words, or a number and what it counts, and none of them names a tool.
fn says_what(item: &str) -> bool {
    let words = || item.split_whitespace();
    let least = if item.starts_with(char::is_numeric) {
        COUNTED_WORDS
    } else {
        WORDS
    };
    let is_tool = |word: &str| vocabulary::signal(word) == Signal::Tools;
    words().count() >= least && !words().any(is_tool)
}
