//! Footnotes, endnotes and comments: the references in the text and the notes they refer to.

use std::collections::HashMap;

use crate::blocks::Block;
use crate::blocks::join;

/// What is below the line of a page, at the end of the document, or beside the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum NoteKind {
    Footnote,
    Endnote,
    Comment,
}

/// A note with what is known of it.
#[derive(Debug, Default)]
pub(super) struct Note {
    pub(super) id: String,
    /// Who wrote it, if it is a comment.
    pub(super) author: Option<String>,
    pub(super) blocks: Vec<Block>,
}

/// The notes that the text refers to, numbered from 1 as they come.
#[derive(Debug, Default)]
pub(super) struct References {
    numbers: HashMap<(NoteKind, String), usize>,
}

impl References {
    /// Returns whether the text refers to notes of a kind.
    pub(super) fn has(&self, kind: NoteKind) -> bool {
        self.numbers.keys().any(|(other, _)| *other == kind)
    }

    /// Returns the number of a note that the text has referred to.
    pub(super) fn known(&self, kind: NoteKind, id: &str) -> Option<usize> {
        self.numbers.get(&(kind, id.to_owned())).copied()
    }

    /// Returns the number of a note.
    pub(super) fn number(&mut self, kind: NoteKind, id: String) -> usize {
        let next = self.numbers.len() + 1;
        *self.numbers.entry((kind, id)).or_insert(next)
    }
}

/// Makes the definitions of all notes that the text refers to, in the order of their numbers.
pub(super) fn definitions(
    references: &References,
    notes: impl IntoIterator<Item = (NoteKind, Vec<Note>)>,
) -> Vec<Block> {
    let number = |kind, note: Note| {
        let number = *references.numbers.get(&(kind, note.id))?;
        let text = join(&note.blocks);
        let author = note.author.map(|author| format!("{author}: "));
        let definition = format!("{}{text}", author.unwrap_or_default());
        (!text.is_empty()).then_some((number, definition))
    };
    let notes = notes.into_iter().flat_map(|(kind, notes)| {
        let notes = notes.into_iter();
        notes.filter_map(move |note| number(kind, note))
    });
    let mut notes: Vec<(usize, String)> = notes.collect();
    notes.sort_by_key(|(number, _)| *number);
    let notes = notes.into_iter();
    notes
        .map(|(number, text)| Block::Note { number, text })
        .collect()
}
