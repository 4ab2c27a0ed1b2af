//! The bookmarks of a document in Rich Text Format, and the references to them.

use super::{Destination, Reader};
use crate::field;

/// The bookmarks with the numbers of notes.
pub(super) type Found = field::Bookmarks<usize>;

/// The bookmarks that are read, and those that are known from reading the document before.
#[derive(Debug, Default)]
pub(super) struct Bookmarks {
    found: Found,
    known: Option<Found>,
    /// The references that lead to bookmarks that are not known.
    has_open_references: bool,
}

impl Bookmarks {
    pub(super) fn new(known: Option<Found>) -> Self {
        Self {
            known,
            ..Self::default()
        }
    }

    /// Returns what was found, if the document is to be read again with it: a reference may stand before its bookmark.
    pub(super) fn take_wanted(&mut self) -> Option<Found> {
        let found = std::mem::take(&mut self.found);
        (self.has_open_references && found.has_any()).then_some(found)
    }

    /// Adds text to the open bookmarks.
    pub(super) fn add(&mut self, text: &str) {
        self.found.add(text);
    }
}

impl Reader {
    /// Begins or ends the bookmark whose name was read.
    pub(super) fn pass_bookmark(&mut self, begins: bool) {
        let name = std::mem::take(&mut self.value).trim().to_owned();
        if begins {
            self.bookmarks.found.begin(name.clone(), name);
        } else {
            self.bookmarks.found.end(&name);
        }
    }

    /// Notes that the open bookmarks stand around something that is not read, or not shown.
    pub(super) fn cut_bookmarks(&mut self) {
        if self.state.destination == Destination::Text {
            self.bookmarks.found.cut();
        }
    }

    /// Notes the note that begins.
    pub(super) fn add_note_to_bookmarks(&mut self) {
        self.bookmarks.found.note(&self.note_count);
    }

    /// Returns what a reference to a bookmark shows: its text, or the number of its note.
    pub(super) fn referred(&mut self, instruction: &str) -> Option<String> {
        let reference = field::reference(instruction)?;
        let Some(known) = &self.bookmarks.known else {
            self.bookmarks.has_open_references = true;
            return None;
        };
        let bookmark = known.get(reference.bookmark)?;
        if !reference.is_to_note {
            return bookmark.line();
        }
        bookmark.note.map(|number| number.to_string())
    }
}
