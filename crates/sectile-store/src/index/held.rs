//! What is known of the terms of a question.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::list::List;
use super::spoken::Chunks;

/// The chunks of a segment that are in the store no more.
#[derive(Debug, Default)]
pub(super) struct Dead {
    /// A hash of all dead chunks that it was made of.
    pub(super) made_of: u64,
    /// Their ordinals, in order.
    pub(super) ordinals: Vec<u32>,
    /// How many terms they have together.
    pub(super) terms: u64,
}

/// What is known of a sequence of terms.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// How many living chunks of the collections in scope hold it.
    pub(super) chunks: u64,
    /// For each segment the list of those that do, unless none does.
    pub(super) lists: Vec<Option<Arc<List>>>,
}

/// What is known of each sequence of terms of a question.
#[derive(Debug, Default)]
pub(super) struct Known(pub(super) FxHashMap<Vec<String>, Held>);

/// A variant of a question, as it is scored.
pub(super) struct Scored<'k> {
    /// What it weighs, IDF included.
    pub(super) weight: f64,
    pub(super) held: &'k Held,
    /// Where it is looked for.
    pub(super) only: Chunks,
}

impl Dead {
    pub(super) fn size(&self) -> usize {
        size_of_val(&*self.ordinals)
    }
}

impl Known {
    pub(super) fn of(&self, terms: &[String]) -> &Held {
        &self.0[terms]
    }

    /// Returns how many living chunks of the collections in scope hold terms in a row that the question
    /// has.
    pub(super) fn chunks(&self, terms: &[String]) -> u64 {
        self.0.get(terms).map_or(0, |held| held.chunks)
    }
}
