//! Sections of a text whose ids are made of their titles, and sound like what stands around a text: `recommendations`,
//! `metadata`, `adding-a-tooltip-to-a-form`.

use super::node::has_attribute;
use super::page::Page;
use super::vocabulary::Signal;

/// How many letters the sentences of such a section have at least.
const SENTENCES: usize = 150;

/// How many percent of its text are in links at most.
const FEW_LINKS: usize = 25;

/// How many words a title has at least that an id is surely made of.
const TITLE: usize = 3;

/// How many letters such a title has at most.
const LONGEST_TITLE: usize = 200;

impl Page<'_> {
    /// Returns whether an element is one of several sections of a text: it has sentences under a heading, and its id is the
    /// words of that, or the section before it or behind it has a heading of the same level. Comments of readers are none,
    /// and what sounds like a notice about cookies stands between two others.
    pub(super) fn is_section_of_text(&self, at: usize) -> bool {
        let element = self.at(at);
        let Some(heading) = self.section_heading(at) else {
            return false;
        };
        if element.all.content < SENTENCES || element.all.is_linked(FEW_LINKS) {
            return false;
        }
        if self.is_id_made_of(at, heading) {
            return true;
        }
        let level = self.at(heading).tag();
        let end = self.at(element.parent).end;
        let behind = Some(element.end).filter(|behind| *behind < end);
        let beside = element.before.into_iter().chain(behind);
        let is_alike = |other: &usize| {
            let heading = self.section_heading(*other);
            heading.is_some_and(|heading| self.at(heading).tag() == level)
                && !self.at(*other).signal.is_beside_text()
        };
        let least = match element.signal {
            Signal::Comments => return false,
            Signal::Cover => 2,
            _ => 1,
        };
        beside.filter(is_alike).count() >= least
    }

    /// Returns the heading that a section with an id begins with.
    fn section_heading(&self, at: usize) -> Option<usize> {
        let element = self.at(at);
        let is_section = element.tag() == "section" && has_attribute(&element.node, "id");
        is_section.then(|| self.heading_of(at)).flatten()
    }

    /// Returns whether the id of an element is the words of a heading.
    fn is_id_made_of(&self, at: usize, heading: usize) -> bool {
        let id = self.at(at).attribute("id").unwrap_or_default();
        let title = self.at(heading).line(heading, LONGEST_TITLE);
        let named = words(&id);
        named.len() >= TITLE && title.is_some_and(|title| words(&title) == named)
    }
}

/// Returns the words of a title, or of an id that is made of one.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}
