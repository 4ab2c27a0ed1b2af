//! What is known of the terms of a question.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::document_languages::Chunks;
use super::list::List;
use crate::{Language, Languages, Variant};

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
#[derive(Clone, Debug, Default)]
pub(super) struct Held {
    /// How many living chunks of the collections in scope hold it.
    pub(super) chunks: u64,
    /// For each segment the list of those that do, unless none does.
    pub(super) lists: Vec<Option<Arc<List>>>,
}

/// How many living chunks are in each language, of the collections in scope.
pub(super) type LanguageSizes = Vec<(Language, u64)>;

/// What is known of each sequence of terms of a question.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) held: FxHashMap<Vec<String>, Held>,
    /// The languages of variants that only documents in other languages hold.
    pub(super) elsewhere: FxHashMap<Vec<String>, Vec<Languages>>,
    /// Once a variant is not for all languages.
    pub(super) sizes: Option<Arc<LanguageSizes>>,
}

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
        &self.held[terms]
    }

    /// Returns how many living chunks of the collections in scope hold terms in a row that the question
    /// has.
    pub(super) fn chunks(&self, terms: &[String]) -> u64 {
        self.held.get(terms).map_or(0, |held| held.chunks)
    }

    /// Returns how many do at most that hold a variant of the question; none if all are of documents in other languages
    /// than those of the variant.
    pub(super) fn chunks_with(&self, variant: &Variant) -> u64 {
        let elsewhere = self.elsewhere.get(&variant.terms);
        if elsewhere.is_some_and(|of| of.contains(&variant.languages)) {
            return 0;
        }
        self.most_chunks_with(variant)
    }

    /// Returns how many chunks hold a variant at most: those that hold its terms, or all in its languages if these are
    /// fewer. A stem may be a common word of another language.
    pub(super) fn most_chunks_with(&self, variant: &Variant) -> u64 {
        let held = self.chunks(&variant.terms);
        match &self.sizes {
            Some(sizes) if variant.languages != Languages::ALL => {
                let own = sizes.iter().filter(|(of, _)| variant.languages.has(*of));
                held.min(own.map(|(_, chunks)| chunks).sum())
            }
            _ => held,
        }
    }

    /// Adds what is known of the variants of another question.
    pub(super) fn extend(&mut self, other: Self) {
        self.held.extend(other.held);
        for (terms, languages) in other.elsewhere {
            self.elsewhere.entry(terms).or_default().extend(languages);
        }
        self.sizes = self.sizes.take().or(other.sizes);
    }
}
