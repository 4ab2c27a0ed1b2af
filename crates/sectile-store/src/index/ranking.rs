//! A question as it is ranked, and the windows that segments are cut into.

use std::ops::Range;

use super::document_languages::Chunks;
use super::question_terms::Held;
use super::score::Saturation;
use super::weighted_variant::Weighed;
use super::window::{Mask, WINDOW};

/// A question as it is scored.
#[derive(Debug)]
pub(super) struct Ranking<'k> {
    pub(super) saturation: Saturation,
    /// The variants of each clause.
    pub(super) clauses: Vec<Vec<Weighed<'k>>>,
    /// A chunk must hold one of each of these.
    pub(super) required: Vec<Vec<Condition<'k>>>,
    /// And none of these.
    pub(super) excluded: Vec<Condition<'k>>,
    /// The chunks in the language of the question: others count less.
    pub(super) of_question: Chunks,
    /// For each clause, whether a chunk that has only this one counts fully.
    pub(super) are_sufficient: Vec<bool>,
    /// Which chunks of each segment may be found.
    pub(super) masks: Vec<Mask>,
}

/// What a chunk must hold, or must not.
#[derive(Debug)]
pub(super) struct Condition<'k> {
    pub(super) held: &'k Held,
    /// Where it is looked for.
    pub(super) only: Chunks,
}

/// A window of a segment, with what its chunks can score at most.
#[derive(Debug)]
pub(super) struct Window {
    pub(super) bound: f64,
    pub(super) segment: usize,
    pub(super) first: u32,
    /// What each clause brings at most; 0 where it brings nothing.
    pub(super) bounds: Vec<f64>,
}

impl Window {
    pub(super) fn ordinals(&self) -> Range<u32> {
        self.first..self.first.saturating_add(WINDOW)
    }

    /// Returns the clauses that have chunks in it, the one that brings most first.
    pub(super) fn clauses(&self) -> Vec<usize> {
        let has_any = |clause: &usize| self.bounds[*clause] > 0.0;
        let mut clauses: Vec<usize> = (0..self.bounds.len()).filter(has_any).collect();
        clauses.sort_by(|&left, &right| self.bounds[right].total_cmp(&self.bounds[left]));
        clauses
    }

    /// Returns the first of them, of which a chunk must hold one to score so much.
    pub(super) fn leading(&self, least: f64) -> Vec<usize> {
        let mut clauses = self.clauses();
        let mut sum = 0.0;
        let is_too_little = |clause: &&usize| {
            sum += self.bounds[**clause];
            sum < least
        };
        let others = clauses.iter().rev().take_while(is_too_little).count();
        clauses.truncate(clauses.len() - others);
        clauses
    }
}
