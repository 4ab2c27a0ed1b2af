//! Finding the best chunks without scoring all.
//!
//! Segments are cut into windows. From the heads of the blocks follows what each clause can bring to the
//! chunks of a window, so windows are looked at best first, and those that cannot reach the top are never
//! read. What happens within a window is in [`cells`](super::cells).

use std::cell::Cell;

use super::cells::Scratch;
use super::data::{Data, Needs};
use super::ranking::{Ranking, Window};
use super::reader::IndexReader;
use super::top::{Scored, Top};
use super::window::{WINDOW, overlapping};
use crate::Result;

/// How many windows are read first, to know what a chunk has to score; then all others that can matter.
const FIRST: usize = 16;

thread_local! {
    /// What the last search of this thread scored with: to make it anew takes a twentieth of a search.
    static SCRATCH: Cell<Option<Scratch>> = const { Cell::new(None) };
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
        let mut scratch = SCRATCH.take().unwrap_or_default();
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
        SCRATCH.set(Some(scratch));
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
