//! Scoring the chunks of a window that can reach the top.
//!
//! A window is cut into cells, and the heads of the blocks say what each clause can bring to the chunks of
//! a cell. Clauses are added up from the one that brings most on, in the cells where a chunk can still
//! reach the top by those that are left (`MaxScore`: Turtle and Flood, "Query evaluation: strategies and
//! optimizations", 1995; with bounds for blocks: Ding and Suel, "Faster top-k document retrieval using
//! block-max indexes", 2011).

use std::ops::Range;

use super::chunks::Chunks;
use super::data::{Data, Needs};
use super::postings::{Decoded, Occurrence, Run};
use super::rank::{Ranking, Window};
use super::terms::Held;
use super::top::Top;
use super::weighed::Weighed;
use super::window::{CELL, CELLS, WINDOW, overlapping};
use crate::Result;

/// A number for each cell of a window.
type Cells = [f64; CELLS];

/// What is used again from window to window.
#[derive(Default)]
pub(super) struct Scratch {
    sums: Sums,
    decoded: Decoded,
}

/// What the chunks of a window score so far, in the cells that are alive.
struct Sums {
    /// 0 where nothing was found.
    scores: Vec<f64>,
    /// The best score in each cell.
    best: Cells,
    /// What a clause of several variants brings to each chunk: what the best of them does.
    of_clause: Vec<f64>,
}

/// The cells in which a chunk can reach the top, where the clauses that are left bring so much at most.
struct Alive {
    cells: u64,
    most: Cells,
    /// What it has to score.
    least: f64,
}

impl Ranking<'_> {
    /// Adds the chunks of a window that reach the top to it, and says whether that could be done: if not,
    /// more has to be read, which is added to what is needed.
    pub(super) fn score(
        &self,
        window: &Window,
        data: &Data,
        scratch: &mut Scratch,
        needs: &mut Needs,
        top: &mut Top,
    ) -> Result<bool> {
        let least = top.least();
        if window.bound < least {
            return Ok(true);
        }
        let mut mask = self.masks[window.segment].window(window.first);
        self.apply_conditions(window, data, &mut scratch.decoded, &mut mask)?;
        let clauses = window.clauses();
        if let [clause] = *clauses
            && let [variant] = &*self.clauses[clause]
        {
            self.score_alone(variant, window, &mask, data, &mut scratch.decoded, top)?;
            return Ok(true);
        }
        let clauses = clauses.into_iter();
        let clauses: Vec<_> = clauses.map(|of| (of, self.bounds(of, window))).collect();
        let mut alive = Alive {
            cells: bits(mask.iter().map(|bits| *bits != 0)),
            most: [0.0; CELLS],
            least,
        };
        for (_, cells) in &clauses {
            let sums = alive.most.iter_mut().zip(cells);
            sums.for_each(|(most, of)| *most += of);
        }
        alive.keep(&[0.0; CELLS]);
        scratch.sums.begin(alive.cells);
        let mut is_leading = true;
        for (at, (clause, cells)) in clauses.iter().enumerate() {
            if alive.cells == 0 {
                return Ok(true);
            }
            // A chunk that has none of the clauses so far cannot reach the top any more.
            if is_leading && alive.reach(&[0.0; CELLS]) == 0 {
                is_leading = false;
                let rest = clauses[at..].iter().map(|(clause, _)| *clause);
                if !self.is_at_hand(rest, window, alive.cells, data, needs) {
                    return Ok(false);
                }
            }
            let rests = alive.most.iter_mut().zip(cells);
            rests.for_each(|(most, of)| *most -= of);
            self.add(*clause, window, &alive, data, scratch)?;
            alive.keep(&scratch.sums.best);
        }
        for cell in ones(alive.cells) {
            for bit in ones(mask[cell]) {
                let slot = cell * CELL as usize + bit;
                let score = scratch.sums.scores[slot];
                if score > 0.0 && score >= least {
                    top.push((score, window.segment, window.first + slot as u32));
                }
            }
        }
        Ok(true)
    }

    /// Adds the chunks of a window that reach the top where only one variant has any: block by block, so
    /// that what the first ones score spares the others.
    fn score_alone(
        &self,
        variant: &Weighed<'_>,
        window: &Window,
        mask: &[u64; CELLS],
        data: &Data,
        decoded: &mut Decoded,
        top: &mut Top,
    ) -> Result<()> {
        let Some(bounded) = variant.in_segment(window.segment) else {
            return Ok(());
        };
        let page = data.page(window.segment, window.first)?;
        let push = |run: Run<'_>, top: &mut Top| {
            for found in run.within(window.ordinals()).iter() {
                let slot = (found.ordinal - window.first) % WINDOW;
                if mask[(slot / CELL) as usize] >> (slot % CELL) & 1 == 1 {
                    let score = self.score_of(variant, found, page);
                    top.push((score, window.segment, found.ordinal));
                }
            }
        };
        if let Some(short) = &bounded.short {
            push(short.run(), top);
            return Ok(());
        }
        for block in overlapping(bounded.list, window.ordinals()) {
            if bounded.bounds[block] >= top.least() {
                data.read(window.segment, bounded.list, block, decoded)?;
                push(decoded.run(), top);
            }
        }
        Ok(())
    }

    /// Returns what a variant brings to a chunk of a page.
    #[inline]
    fn score_of(&self, variant: &Weighed<'_>, found: Occurrence, page: &Chunks) -> f64 {
        let length = page.length(found.ordinal);
        self.saturation.score(variant.weight, found, length)
    }

    /// Takes the chunks off a mask that do not meet the conditions.
    fn apply_conditions(
        &self,
        window: &Window,
        data: &Data,
        decoded: &mut Decoded,
        mask: &mut [u64; CELLS],
    ) -> Result<()> {
        let mut held_of = |variants: &[&Held]| -> Result<[u64; CELLS]> {
            let mut held = [0_u64; CELLS];
            for variant in variants {
                let Some(list) = &variant.lists[window.segment] else {
                    continue;
                };
                for block in overlapping(list, window.ordinals()) {
                    data.read(window.segment, list, block, decoded)?;
                    for &at in decoded.run().within(window.ordinals()).ordinals {
                        let slot = at - window.first;
                        held[(slot / CELL) as usize] |= 1 << (slot % CELL);
                    }
                }
            }
            Ok(held)
        };
        for variants in &self.required {
            let held = held_of(variants)?;
            mask.iter_mut()
                .zip(held)
                .for_each(|(mask, held)| *mask &= held);
        }
        let held = held_of(&self.excluded)?;
        mask.iter_mut()
            .zip(held)
            .for_each(|(mask, held)| *mask &= !held);
        Ok(())
    }

    /// Returns what a clause brings at most to the chunks of each cell.
    fn bounds(&self, clause: usize, window: &Window) -> Cells {
        let mut cells = [0.0_f64; CELLS];
        for variant in &self.clauses[clause] {
            if let Some(bounded) = variant.in_segment(window.segment) {
                bounded.each(window.ordinals(), |first, last, bound| {
                    let cells = cells[window.cells(first, last)].iter_mut();
                    cells.for_each(|cell| raise(cell, bound));
                });
            }
        }
        cells
    }

    /// Says whether the blocks of clauses are at hand that have chunks of some cells; if not, adds them
    /// to what has to be read.
    fn is_at_hand(
        &self,
        clauses: impl Iterator<Item = usize>,
        window: &Window,
        cells: u64,
        data: &Data,
        needs: &mut Needs,
    ) -> bool {
        let mut is_at_hand = true;
        for variant in clauses.flat_map(|clause| &self.clauses[clause]) {
            let Some(list) = &variant.held.lists[window.segment] else {
                continue;
            };
            for block in overlapping(list, window.ordinals()) {
                let head = &list.heads[block];
                let mut of_block = window.cells(head.first, head.last);
                if !data.has(window.segment, list, block)
                    && of_block.any(|cell| cells >> cell & 1 == 1)
                {
                    needs.block(window.segment, list, block);
                    is_at_hand = false;
                }
            }
        }
        is_at_hand
    }

    /// Adds what a clause brings to the scores of the cells that are alive. A block is not read by which
    /// no chunk reaches the top, as where another variant brings more that one counts.
    fn add(
        &self,
        clause: usize,
        window: &Window,
        alive: &Alive,
        data: &Data,
        scratch: &mut Scratch,
    ) -> Result<()> {
        let Scratch { sums, decoded } = scratch;
        let variants = &self.clauses[clause];
        let is_only = variants.len() == 1;
        if !is_only {
            clear(&mut sums.of_clause, alive.cells);
        }
        let page = data.page(window.segment, window.first)?;
        for variant in variants {
            let Some(bounded) = variant.in_segment(window.segment) else {
                continue;
            };
            let score = |found| self.score_of(variant, found, page);
            if let Some(short) = &bounded.short {
                sums.add(short.run(), window, is_only, score);
                continue;
            }
            for block in overlapping(bounded.list, window.ordinals()) {
                let head = &bounded.list.heads[block];
                let best_with = |cell: usize| sums.best[cell] + bounded.bounds[block];
                let mut cells = window.cells(head.first, head.last);
                if cells.any(|cell| alive.can_reach(cell, best_with(cell))) {
                    data.read(window.segment, bounded.list, block, decoded)?;
                    sums.add(decoded.run(), window, is_only, score);
                }
            }
        }
        if !is_only {
            sums.add_clause(alive.cells);
        }
        Ok(())
    }
}

impl Default for Sums {
    fn default() -> Self {
        Self {
            scores: vec![0.0; WINDOW as usize],
            best: [0.0; CELLS],
            of_clause: vec![0.0; WINDOW as usize],
        }
    }
}

impl Sums {
    /// Forgets what was found before.
    fn begin(&mut self, alive: u64) {
        clear(&mut self.scores, alive);
        self.best.fill(0.0);
    }

    /// Adds what a variant brings to some chunks, of a clause that has no other one or else to what the
    /// clause brings.
    fn add(
        &mut self,
        run: Run<'_>,
        window: &Window,
        is_only: bool,
        score: impl Fn(Occurrence) -> f64,
    ) {
        for found in run.within(window.ordinals()).iter() {
            let slot = (found.ordinal - window.first) as usize % WINDOW as usize;
            let score = score(found);
            if is_only {
                self.scores[slot] += score;
                raise(&mut self.best[slot / CELL as usize], self.scores[slot]);
            } else {
                raise(&mut self.of_clause[slot], score);
            }
        }
    }

    /// Adds what a clause of several variants brings.
    fn add_clause(&mut self, alive: u64) {
        for cell in ones(alive) {
            let slots = slots(cell);
            let scores = &mut self.scores[slots.clone()];
            for (score, of_clause) in scores.iter_mut().zip(&self.of_clause[slots]) {
                *score += of_clause;
            }
            let best = &mut self.best[cell];
            for &mut score in scores {
                raise(best, score);
            }
        }
    }
}

impl Alive {
    /// Returns the cells in which a chunk can reach the top, if the best one scores so much already.
    fn reach(&self, best: &Cells) -> u64 {
        let sums = best.iter().zip(&self.most).map(|(best, most)| best + most);
        self.cells & bits(sums.map(|sum| sum >= self.least))
    }

    /// Forgets the others.
    fn keep(&mut self, best: &Cells) {
        self.cells = self.reach(best);
    }

    /// Says whether a chunk of a cell can reach the top that scores so much already.
    fn can_reach(&self, cell: usize, score: f64) -> bool {
        self.cells >> cell & 1 == 1 && score + self.most[cell] >= self.least
    }
}

impl Window {
    /// Returns its cells from that of one ordinal to that of another.
    fn cells(&self, first: u32, last: u32) -> Range<usize> {
        let first = first.saturating_sub(self.first) / CELL;
        let last = (last.saturating_sub(self.first)).min(WINDOW - 1) / CELL;
        first as usize..last as usize + 1
    }
}

/// Raises a number to another one, if that is larger.
#[inline]
fn raise(number: &mut f64, other: f64) {
    // Neither is NaN, which `max` would look for.
    if other > *number {
        *number = other;
    }
}

/// Returns the chunks of a cell.
fn slots(cell: usize) -> Range<usize> {
    cell * CELL as usize..(cell + 1) * CELL as usize
}

/// Sets the numbers of the chunks of some cells to 0.
fn clear(numbers: &mut [f64], cells: u64) {
    ones(cells).for_each(|cell| numbers[slots(cell)].fill(0.0));
}

/// Returns a number with a bit for each of 64 that is so.
fn bits(are: impl Iterator<Item = bool>) -> u64 {
    are.zip(0..)
        .fold(0, |bits, (is, at)| bits | u64::from(is) << at)
}

/// Returns the places of the bits of a number that are set.
fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
        (at < 64).then_some(at as usize)
    })
}
