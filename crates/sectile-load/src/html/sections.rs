//! Sections of a text whose ids are made of their titles, and sound like what stands around a text: `recommendations`,
//! `metadata`, `cookies`.

use super::node::has_attribute;
use super::page::Page;
use super::vocabulary::Signal;

/// How many letters the sentences of such a section have at least.
const SENTENCES: usize = 150;

/// How many percent of its text are in links at most.
const FEW_LINKS: usize = 25;

impl Page<'_> {
    /// Returns whether an element is one of several sections of a text: it has sentences under a heading, and so has the
    /// section before it or behind it, under one of the same level. Comments of readers are none, and what sounds like a
    /// notice about cookies stands between two others.
    pub(super) fn is_section_of_text(&self, at: usize) -> bool {
        let element = self.at(at);
        let Some(level) = self.section_level(at) else {
            return false;
        };
        let has_sentences = element.all.content >= SENTENCES && !element.all.is_linked(FEW_LINKS);
        let end = self.at(element.parent).end;
        let behind = Some(element.end).filter(|behind| *behind < end);
        let beside = element.before.into_iter().chain(behind);
        let is_alike = |other: &usize| {
            self.section_level(*other) == Some(level) && !self.at(*other).signal.is_beside_text()
        };
        let least = match element.signal {
            Signal::Comments => return false,
            Signal::Cover => 2,
            _ => 1,
        };
        has_sentences && beside.filter(is_alike).count() >= least
    }

    /// Returns the level of the heading that a section with an id begins with.
    fn section_level(&self, at: usize) -> Option<&str> {
        let element = self.at(at);
        let is_section = element.tag() == "section" && has_attribute(&element.node, "id");
        let heading = is_section.then(|| self.heading_of(at)).flatten()?;
        Some(self.at(heading).tag())
    }
}
