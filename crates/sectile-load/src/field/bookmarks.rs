//! What the bookmarks of a document stand around, for references without a result.

use std::collections::HashMap;

use crate::one_line::one_line;

/// How many bookmarks may be open at once, and how many are kept.
const MAX_OPEN: usize = 32;
const MAX_KEPT: usize = 10_000;

/// How many bytes the text of a bookmark has at most: a longer one is a part of the document, and no words of it.
const MAX_BYTES: usize = 1_000;

/// What a bookmark stands around. `N` tells which note a note is.
#[derive(Debug)]
pub(crate) struct Bookmark<N> {
    text: String,
    /// The first note that is referred to there.
    pub(crate) note: Option<N>,
    /// Where the text of the field that is open begins.
    field: usize,
    /// Whether there is more than its text has.
    is_cut: bool,
}

impl<N> Bookmark<N> {
    fn new() -> Self {
        Self {
            text: String::new(),
            note: None,
            field: 0,
            is_cut: false,
        }
    }

    /// Returns the text on one line, if it is known as a whole.
    pub(crate) fn line(&self) -> Option<String> {
        let line = one_line(&self.text);
        (!self.is_cut && !line.is_empty()).then_some(line)
    }

    fn add(&mut self, text: &str) {
        if self.text.len() + text.len() > MAX_BYTES {
            self.is_cut = true;
        } else {
            self.text.push_str(text);
        }
    }
}

/// The bookmarks of a document while it is read.
#[derive(Debug)]
pub(crate) struct Bookmarks<N> {
    found: HashMap<String, Bookmark<N>>,
    /// The open bookmarks with their ids and names.
    open: Vec<(String, String, Bookmark<N>)>,
}

impl<N> Default for Bookmarks<N> {
    fn default() -> Self {
        Self {
            found: HashMap::new(),
            open: Vec::new(),
        }
    }
}

impl<N: Clone> Bookmarks<N> {
    /// Returns the bookmark of this name, if it has ended.
    pub(crate) fn get(&self, name: &str) -> Option<&Bookmark<N>> {
        self.found.get(name)
    }

    /// Returns whether a bookmark has ended.
    pub(crate) fn has_any(&self) -> bool {
        !self.found.is_empty()
    }

    /// Begins a bookmark, which the one with this id ends.
    pub(crate) fn begin(&mut self, id: String, name: String) {
        if self.open.len() < MAX_OPEN {
            self.open.push((id, name, Bookmark::new()));
        }
    }

    /// Ends the bookmark with this id. Of those of one name, the first is kept.
    pub(crate) fn end(&mut self, id: &str) {
        let Some(at) = self.open.iter().position(|(other, ..)| other == id) else {
            return;
        };
        let (_, name, bookmark) = self.open.remove(at);
        if self.found.len() < MAX_KEPT {
            self.found.entry(name).or_insert(bookmark);
        }
    }

    /// Adds text to the open bookmarks.
    pub(crate) fn add(&mut self, text: &str) {
        self.each(|bookmark| bookmark.add(text));
    }

    /// Notes that the open bookmarks stand around something that is not read here.
    pub(crate) fn cut(&mut self) {
        self.each(|bookmark| bookmark.is_cut = true);
    }

    /// Notes a reference to a note.
    pub(crate) fn note(&mut self, note: &N) {
        self.each(|bookmark| {
            bookmark.note.get_or_insert_with(|| note.clone());
        });
    }

    /// Begins a field.
    pub(crate) fn begin_field(&mut self) {
        self.each(|bookmark| bookmark.field = bookmark.text.len());
    }

    /// Ends a field; of one without a result, what it shows is not known here.
    pub(crate) fn end_field(&mut self) {
        self.each(|bookmark| bookmark.is_cut |= bookmark.text.len() == bookmark.field);
    }

    fn each(&mut self, mut change: impl FnMut(&mut Bookmark<N>)) {
        for (_, _, bookmark) in &mut self.open {
            change(bookmark);
        }
    }
}
