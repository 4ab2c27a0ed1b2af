//! Stored pages that come back with one and the same text: what a site answers that is closed for a while.

use std::collections::{HashMap, HashSet, VecDeque};

use sectile_core::ContentHash;
use sectile_store::IndexedDocument;

use crate::ingest::worker::Worked;

/// How many pages may become one and the same. If there are more, it is not believed that they have.
const MOST_TO_ONE: usize = 10;

/// How many pages show that too many have become one.
pub(super) const ENOUGH: usize = MOST_TO_ONE + 1;

/// How many texts wait for more pages that have them: what bounds memory when most of a large site has changed.
const MOST_WAITING: usize = 64;

/// Changed pages, grouped by their text. They wait until it is known how many others have the same text now.
#[derive(Default)]
pub(super) struct RepeatedTexts {
    /// How many different pages the store has of the site.
    all: usize,
    groups: HashMap<ContentHash, Group>,
    /// The texts of those that wait, oldest first.
    order: VecDeque<ContentHash>,
    /// The stored versions of pages that are copies now, by the address of the original.
    copies: HashMap<String, HashSet<ContentHash>>,
}

/// Returns whether it is not believed that so many pages have become one: more than a few, or all that the store has.
pub(super) const fn are_too_many(count: usize, all: usize) -> bool {
    count > MOST_TO_ONE || (count > 1 && count >= all)
}

/// The pages that have one text.
#[derive(Default)]
struct Group {
    waiting: Vec<Worked>,
    /// The names of those of which it is known that they stay as they are stored.
    kept: Vec<String>,
    /// The stored versions. Pages that were equal before count as one.
    before: HashSet<ContentHash>,
}

impl RepeatedTexts {
    /// Begins with a site of which the store has so many different pages.
    pub(super) fn of(all: usize) -> Self {
        Self {
            all,
            ..Self::default()
        }
    }

    /// Takes a page that has changed, and returns those that need not wait any longer.
    pub(super) fn hold(
        &mut self,
        text: ContentHash,
        before: ContentHash,
        worked: Worked,
    ) -> Vec<Worked> {
        let group = self.groups.entry(text).or_insert_with(|| {
            self.order.push_back(text);
            Group::default()
        });
        group.before.insert(before);
        group.waiting.push(worked);
        if group.before.len() > MOST_TO_ONE {
            let names = group.waiting.drain(..).map(|worked| worked.name);
            group.kept.extend(names);
        }
        if self.order.len() <= MOST_WAITING {
            return Vec::new();
        }
        let oldest = self.order.pop_front();
        oldest.map_or_else(Vec::new, |oldest| self.release(oldest))
    }

    /// Notes that a page now has the bytes of another one.
    pub(super) fn note_copy(&mut self, first: &str, before: ContentHash) {
        let copies = self.copies.entry(first.to_owned()).or_default();
        copies.insert(before);
    }

    /// Returns whether no changed page waits.
    pub(super) fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Notes the text of a page that is not written, as nothing leads to it any more.
    pub(super) fn note_text(&mut self, text: ContentHash, before: ContentHash) {
        if let Some(group) = self.groups.get_mut(&text) {
            group.before.insert(before);
        }
    }

    /// Returns the pages that may be written, and the names of those that stay as they are stored, with the reason.
    pub(super) fn decide(mut self) -> (Vec<Worked>, Vec<(String, String)>) {
        let mut changed = Vec::new();
        for text in std::mem::take(&mut self.order) {
            changed.extend(self.release(text));
        }
        let mut kept = Vec::new();
        for group in self.groups.values() {
            let count = self.before(group).len();
            let waiting = group.waiting.iter().map(|worked| &worked.name);
            kept.extend(group.kept.iter().chain(waiting).map(|name| {
                let reason = format!("{count} pages in all have one and the same text by now");
                (name.clone(), reason)
            }));
        }
        kept.sort_unstable();
        (changed, kept)
    }

    /// Takes out the pages that have a text, unless there are too many.
    fn release(&mut self, text: ContentHash) -> Vec<Worked> {
        let group = self.groups.get(&text);
        if group.is_some_and(|group| are_too_many(self.before(group).len(), self.all)) {
            return Vec::new();
        }
        let group = self.groups.remove(&text);
        group.map_or_else(Vec::new, |group| group.waiting)
    }

    /// Returns what the store has of the pages that have one text, and of their copies.
    fn before<'a>(&'a self, group: &'a Group) -> HashSet<&'a ContentHash> {
        let waiting = group.waiting.iter().map(|worked| &worked.name);
        let names = group.kept.iter().chain(waiting);
        let copies = names.filter_map(|name| self.copies.get(name)).flatten();
        group.before.iter().chain(copies).collect()
    }
}

/// Returns the hash of the text of a document.
pub(super) fn text_hash(document: &IndexedDocument) -> ContentHash {
    let sections = document.sections.iter();
    let text: String = sections.map(|section| section.content.as_str()).collect();
    ContentHash::of(text.as_bytes())
}
