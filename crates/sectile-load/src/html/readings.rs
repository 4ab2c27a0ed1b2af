//! How characters are read, as pages tell beside them (`ruby`).

use std::rc::Rc;

use htmd::Node;
use markup5ever_rcdom::NodeData;

use super::node::{children, tag};
use super::word;

/// A page has readings on nearly every word, for learners, where they are one in so many of its letters.
const LETTERS_PER_READING: usize = 5;

/// How many readings such a page has at least.
const SEVERAL: usize = 20;

/// Cuts the readings out of a page that has them on nearly every word, and returns how many words they were: within
/// the words of a text they would hide these from searches.
pub(super) fn cut_many(root: &Rc<Node>) -> usize {
    let counts = count(root);
    if counts.all < SEVERAL || counts.readings * LETTERS_PER_READING < counts.letters {
        return 0;
    }
    let mut open = vec![Rc::clone(root)];
    while let Some(node) = open.pop() {
        let is_kept = |child: &Rc<Node>| !matches!(tag(child), Some("rt" | "rp"));
        node.children.borrow_mut().retain(is_kept);
        open.extend(children(&node));
    }
    counts.words
}

/// How much text a page has.
#[derive(Default)]
struct Counts {
    letters: usize,
    /// How many readings there are.
    all: usize,
    /// The letters of readings.
    readings: usize,
    /// The words of readings.
    words: usize,
}

fn count(root: &Rc<Node>) -> Counts {
    let mut counts = Counts::default();
    let mut open = vec![(Rc::clone(root), false)];
    while let Some((node, is_reading)) = open.pop() {
        if let NodeData::Text { contents } = &node.data {
            let text = contents.borrow();
            let letters = text
                .chars()
                .filter(|letter| letter.is_alphanumeric())
                .count();
            counts.letters += letters;
            if is_reading {
                counts.readings += letters;
                counts.words += word::count(&text);
            }
        }
        if !matches!(tag(&node), Some("script" | "style")) {
            let begins = tag(&node) == Some("rt");
            counts.all += usize::from(begins);
            let is_reading = is_reading || begins;
            open.extend(children(&node).into_iter().map(|child| (child, is_reading)));
        }
    }
    counts
}
