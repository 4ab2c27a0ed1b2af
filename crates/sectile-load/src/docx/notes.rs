//! Footnotes and endnotes: the references in the text and the notes they refer to.

use std::collections::HashMap;

use super::block::Block;
use super::body::{self, Context};
use super::failure::Failure;
use super::render::join;

/// What is below the line of a page or at the end of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum NoteKind {
    Footnote,
    Endnote,
}

/// The notes that the text refers to, numbered from 1 as they come.
#[derive(Debug, Default)]
pub(super) struct References {
    numbers: HashMap<(NoteKind, String), usize>,
}

impl References {
    /// Returns the number of a note.
    pub(super) fn number(&mut self, kind: NoteKind, id: String) -> usize {
        let next = self.numbers.len() + 1;
        *self.numbers.entry((kind, id)).or_insert(next)
    }
}

/// The notes of a part by their ids.
#[derive(Debug, Default)]
pub(super) struct Notes {
    notes: Vec<(String, Vec<Block>)>,
}

impl Notes {
    /// Reads the part of the footnotes or endnotes.
    pub(super) fn read(xml: &str, context: &mut Context) -> Result<Self, Failure> {
        let notes = body::read_notes(xml, context)?;
        Ok(Self { notes })
    }
}

/// Makes the definitions of all notes that the text refers to, in the order of their numbers.
pub(super) fn definitions(
    references: &References,
    footnotes: Notes,
    endnotes: Notes,
) -> Vec<Block> {
    let number = |kind, (id, blocks): (String, Vec<Block>)| {
        let number = *references.numbers.get(&(kind, id))?;
        let text = join(&blocks);
        (!text.is_empty()).then_some((number, text))
    };
    let footnotes = footnotes.notes.into_iter();
    let endnotes = endnotes.notes.into_iter();
    let footnotes = footnotes.filter_map(|note| number(NoteKind::Footnote, note));
    let endnotes = endnotes.filter_map(|note| number(NoteKind::Endnote, note));
    let mut notes: Vec<(usize, String)> = footnotes.chain(endnotes).collect();
    notes.sort_by_key(|(number, _)| *number);
    let notes = notes.into_iter();
    notes
        .map(|(number, text)| Block::Note { number, text })
        .collect()
}
