//! Finding the best chunks without scoring all.
//!
//! Segments are cut into windows. From the heads of the blocks follows what each clause can bring to the
//! chunks of a window, so windows are looked at best first, and those that cannot reach the top are never
//! read. What happens within a window is in [`cells`](super::cells).

use std::ops::Range;

use super::cells::Scratch;
use super::data::{Data, Needs};
use super::score::Saturation;
use super::search::IndexReader;
use super::spoken::Chunks;
use super::terms::Held;
use super::top::{Scored, Top};
use super::weighed::Weighed;
use super::window::{Mask, WINDOW, overlapping};
use crate::Result;

/// How many windows are read first, to know what a chunk has to score; then all others that can matter.
const FIRST: usize = 16;

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

impl Ranking<'_> {
    /// Returns the best so many chunks, and what ties with the last of them.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`](crate::Error::Corrupt) for lists that cannot be read, and those of the reader.
    pub(super) async fn best(
        &self,
        data: &mut Data,
        reader: &mut dyn IndexReader,
        count: usize,
    ) -> Result<Vec<Scored>> {
        let windows = self.windows();
        let mut top = Top::new(count);
        let mut scratch = Scratch::default();
        let mut rest = windows.as_slice();
        for most in [FIRST, usize::MAX] {
            let can_matter = rest.partition_point(|window| window.bound >= top.least());
            let (batch, after) = rest.split_at(can_matter.min(most));
            rest = after;
            let mut needs = Needs::default();
            for window in batch {
                self.need(window, top.least(), &mut needs);
            }
            data.fetch(reader, needs).await?;
            let mut windows: Vec<&Window> = batch.iter().collect();
            while !windows.is_empty() {
                let (mut later, mut needs) = (Vec::new(), Needs::default());
                for window in windows {
                    if !self.score(window, data, &mut scratch, &mut needs, &mut top)? {
                        later.push(window);
                    }
                }
                data.fetch(reader, needs).await?;
                windows = later;
            }
        }
        Ok(top.finish())
    }

    /// Returns the windows that hold anything, best first.
    fn windows(&self) -> Vec<Window> {
        let mut all = Vec::new();
        for (segment, mask) in self.masks.iter().enumerate() {
            let bounds = self.clauses.iter().map(|variants| {
                let mut bounds = vec![0.0_f64; mask.windows()];
                for variant in variants {
                    if let Some(bounded) = variant.in_segment(segment) {
                        bounded.each(0..u32::MAX, |first, last, bound| {
                            let windows = (first / WINDOW) as usize..=(last / WINDOW) as usize;
                            let known = bounds.get_mut(windows).into_iter().flatten();
                            known.for_each(|known| *known = known.max(bound));
                        });
                    }
                }
                bounds
            });
            let bounds: Vec<Vec<f64>> = bounds.collect();
            for window in 0..mask.windows() {
                let bounds: Vec<f64> = bounds.iter().map(|of| of[window]).collect();
                let bound: f64 = bounds.iter().sum();
                let first = window as u32 * WINDOW;
                if bound > 0.0 && mask.has_any(first) {
                    all.push(Window {
                        bound,
                        segment,
                        first,
                        bounds,
                    });
                }
            }
        }
        all.sort_by(|left, right| right.bound.total_cmp(&left.bound));
        all
    }

    /// Adds what has to be read to find the candidates of a window.
    fn need(&self, window: &Window, least: f64, needs: &mut Needs) {
        needs.page_of(window.segment, window.first);
        let leading = window.leading(least).into_iter();
        let leading = leading.flat_map(|clause| &self.clauses[clause]);
        let leading = leading.map(|variant| variant.held);
        let conditions = self.required.iter().flatten().chain(&self.excluded);
        for held in leading.chain(conditions.map(|of| of.held)) {
            if let Some(list) = &held.lists[window.segment] {
                for block in overlapping(list, window.ordinals()) {
                    needs.block(window.segment, list, block);
                }
            }
        }
    }
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
    fn leading(&self, least: f64) -> Vec<usize> {
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
