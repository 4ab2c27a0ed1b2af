//! Which chunks are in documents of which languages.

use std::collections::HashMap;
use std::sync::Arc;

use super::window::Mask;
use crate::{Clauses, Language, Languages};

/// What a chunk counts of a document in another language than the question. Scores are multiples of a
/// power of two, and those of the parts of a question add up to the whole with a factor of eighths.
const OTHER_LANGUAGE: f64 = 0.875;

/// The chunks of documents in some languages, for each segment.
pub(super) type Chunks = Option<Arc<Vec<Mask>>>;

/// For each language, which chunks of each segment are in it: a bit for each.
pub(super) type Marked = Vec<(Language, Vec<Vec<u64>>)>;

/// The chunks of the languages that a question asks for.
#[derive(Debug, Default)]
pub(super) struct Spoken(pub(super) HashMap<Languages, Arc<Vec<Mask>>>);

impl Spoken {
    /// Returns the chunks of documents in some languages; nothing for all.
    pub(super) fn of(&self, languages: Languages) -> Chunks {
        self.0.get(&languages).cloned()
    }

    /// Returns those of documents in the language that a question is in, if it tells.
    pub(super) fn of_question(&self, question: &Clauses) -> Chunks {
        self.of(Languages::only(question.language?))
    }
}

/// Returns whether a chunk is among some of them.
#[inline]
pub(super) fn has(chunks: &Chunks, segment: usize, ordinal: u32) -> bool {
    let chunks = chunks.as_ref();
    chunks.is_none_or(|masks| masks[segment].has(ordinal))
}

/// Returns what a chunk counts, if these are the chunks in the language of the question.
#[inline]
pub(super) fn factor(of_question: &Chunks, segment: usize, ordinal: u32) -> f64 {
    if has(of_question, segment, ordinal) {
        1.0
    } else {
        OTHER_LANGUAGE
    }
}
