//! Scoring the chunks of a window that can reach the top.
//!
//! A window is cut into cells, and the heads of the blocks say what each clause can bring to the chunks of
//! a cell. Clauses are added up from the one that brings most on, in the cells where a chunk can still
//! reach the top by those that are left (`MaxScore`: Turtle and Flood, "Query evaluation: strategies and
//! optimizations", 1995; with bounds for blocks: Ding and Suel, "Faster top-k document retrieval using
//! block-max indexes", 2011).

mod alive;

use std::ops::Range;

use self::alive::{Alive, Cells};
use super::chunks::Chunks;
use super::data::{Data, Needs};
use super::document_languages;
use super::postings::{BLOCK, Decoded, Run};
use super::ranking::{Condition, Ranking, Window};
use super::top::Top;
use super::weighted_variant::{Bounded, Weighed};
use super::window::{CELL, CELLS, WINDOW, WindowMask, overlapping};
use crate::Result;
use crate::clause::ONE_OF_SEVERAL;

/// A number for each chunk of a window.
type Slots<T> = Box<[T; WINDOW as usize]>;

/// What is used again from window to window.
#[derive(Default)]
pub(super) struct Scratch {
    /// Made for the first window with more than one variant, as most questions of one word have none.
    sums: Option<Sums>,
    decoded: Decoded,
    /// Those chunks of a block that can reach the top.
    kept: Decoded,
}

/// What the chunks of a window score so far, in the cells that are alive.
struct Sums {
    /// 0 where nothing was found.
    scores: Slots<f64>,
    /// The best score in each cell.
    best: Cells,
    /// Whether more than one clause brought something to a chunk, or one that says enough; it says nothing of those that
    /// score 0.
    have_enough: Slots<bool>,
    /// What the best of a clause's variants brings to each chunk, but for the last of them, which is added
    /// to the scores at once.
    of_clause: Slots<f64>,
    /// The chunks to which these bring anything: the first `touched_count` entries.
    touched: Slots<u32>,
    touched_count: usize,
    /// What a variant brings to some chunks.
    brought: [f64; BLOCK],
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
        if let [clause] = *clauses {
            let mut variants = self.variants(clause, window.segment);
            if let (Some((variant, bounded)), None) = (variants.next(), variants.next()) {
                let only = (clause, variant, bounded);
                self.score_alone(only, window, &mask, data, &mut scratch.decoded, top)?;
                return Ok(true);
            }
        }
        let bounds: Vec<Cells> = clauses.iter().map(|&of| self.bounds(of, window)).collect();
        let mut alive = Alive::new(&mask, &bounds, least);
        let Scratch {
            sums,
            decoded,
            kept,
        } = scratch;
        let sums = sums.get_or_insert_default();
        sums.begin(alive.cells());
        let mut is_leading = true;
        for (at, (&clause, cells)) in clauses.iter().zip(&bounds).enumerate() {
            if alive.is_empty() {
                return Ok(true);
            }
            // A chunk that has none of the clauses so far cannot reach the top any more.
            if is_leading && !alive.can_any_reach() {
                is_leading = false;
                if !self.is_at_hand(&clauses[at..], window, alive.cells(), data, needs) {
                    return Ok(false);
                }
            }
            alive.drop_clause(cells);
            self.add(clause, window, &alive, data, (sums, decoded, kept))?;
            alive.keep(&sums.best);
        }
        for cell in ones(alive.cells()) {
            if sums.best[cell] < top.least() {
                continue;
            }
            for (slot, &score) in slots(cell).zip(&sums.scores[slots(cell)]) {
                if score > 0.0 && score >= top.least() && mask.has(slot as u32) {
                    let is_one = !sums.have_enough[slot];
                    self.push((score, is_one), window, window.first + slot as u32, top);
                }
            }
        }
        Ok(true)
    }

    /// Adds a chunk with what it scores by its words, and whether that is only one that does not say enough.
    fn push(&self, (score, is_one): (f64, bool), window: &Window, ordinal: u32, top: &mut Top) {
        let of_language = document_languages::factor(&self.of_question, window.segment, ordinal);
        let of_words = if is_one { ONE_OF_SEVERAL } else { 1.0 };
        top.push((score * of_language * of_words, window.segment, ordinal));
    }

    /// Adds the chunks of a window that reach the top where only one variant has any: block by block, so
    /// that what the first ones score spares the others.
    fn score_alone(
        &self,
        (clause, variant, bounded): (usize, &Weighed<'_>, &Bounded<'_>),
        window: &Window,
        mask: &WindowMask,
        data: &Data,
        decoded: &mut Decoded,
        top: &mut Top,
    ) -> Result<()> {
        let page = data.page(window.segment, window.first)?;
        let mut brought = [0.0; BLOCK];
        let is_one = !self.are_sufficient[clause];
        let mut push = |run: Run<'_>, top: &mut Top| {
            for run in run.within(window.ordinals()).pieces() {
                let scores = self.scores(variant, run, window.segment, page, &mut brought);
                for (&at, &score) in run.ordinals.iter().zip(scores) {
                    if score > 0.0 && score >= top.least() && mask.has(at - window.first) {
                        self.push((score, is_one), window, at, top);
                    }
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

    /// Returns what a variant brings to each of some chunks of a page, no more than a block has.
    fn scores<'b>(
        &self,
        variant: &Weighed<'_>,
        run: Run<'_>,
        segment: usize,
        page: &Chunks,
        brought: &'b mut [f64; BLOCK],
    ) -> &'b [f64] {
        let brought = &mut brought[..run.ordinals.len()];
        for (&ordinal, length) in run.ordinals.iter().zip(&mut *brought) {
            *length = page.length(ordinal).into();
        }
        self.saturation.score_each(variant.weight, run, brought);
        variant.restrict(segment, run.ordinals, brought);
        brought
    }

    /// Takes the chunks off a mask that do not meet the conditions.
    fn apply_conditions(
        &self,
        window: &Window,
        data: &Data,
        decoded: &mut Decoded,
        mask: &mut WindowMask,
    ) -> Result<()> {
        let mut held_of = |variants: &[Condition<'_>]| -> Result<WindowMask> {
            let mut held = WindowMask::none();
            for variant in variants {
                let Some(list) = &variant.held.lists[window.segment] else {
                    continue;
                };
                for block in overlapping(list, window.ordinals()) {
                    data.read(window.segment, list, block, decoded)?;
                    for &at in decoded.run().within(window.ordinals()).ordinals {
                        if document_languages::has(&variant.only, window.segment, at) {
                            held.add(at - window.first);
                        }
                    }
                }
            }
            Ok(held)
        };
        for variants in &self.required {
            mask.keep(&held_of(variants)?);
        }
        mask.remove(&held_of(&self.excluded)?);
        Ok(())
    }

    /// Returns what a clause brings at most to the chunks of each cell.
    fn bounds(&self, clause: usize, window: &Window) -> Cells {
        let mut cells = [0.0_f64; CELLS];
        for (_, bounded) in self.variants(clause, window.segment) {
            bounded.each(window.ordinals(), |first, last, bound| {
                let cells = cells[window.cells(first, last)].iter_mut();
                cells.for_each(|cell| raise(cell, bound));
            });
        }
        cells
    }

    /// Returns the variants of a clause that a segment has, with what it has for them.
    fn variants(
        &self,
        clause: usize,
        segment: usize,
    ) -> impl Iterator<Item = (&Weighed<'_>, &Bounded<'_>)> {
        let variants = self.clauses[clause].iter();
        variants.filter_map(move |variant| Some((variant, variant.in_segment(segment)?)))
    }

    /// Returns whether the blocks of clauses are at hand that have chunks of some cells; if not, adds them
    /// to what has to be read.
    fn is_at_hand(
        &self,
        clauses: &[usize],
        window: &Window,
        cells: u64,
        data: &Data,
        needs: &mut Needs,
    ) -> bool {
        let mut is_at_hand = true;
        for variant in clauses.iter().flat_map(|clause| &self.clauses[*clause]) {
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
    /// no chunk reaches the top, and of another one only the chunks are scored that can: where another
    /// variant brings more, that one counts.
    fn add(
        &self,
        clause: usize,
        window: &Window,
        alive: &Alive,
        data: &Data,
        (sums, decoded, kept): (&mut Sums, &mut Decoded, &mut Decoded),
    ) -> Result<()> {
        let page = data.page(window.segment, window.first)?;
        let needed = alive.needed();
        let is_sufficient = self.are_sufficient[clause];
        let mut variants = self.variants(clause, window.segment).peekable();
        while let Some((variant, bounded)) = variants.next() {
            let is_last = variants.peek().is_none();
            let mut add = |run: Run<'_>, bound: f64, sums: &mut Sums| {
                for run in run.within(window.ordinals()).pieces() {
                    let run = sums.within_reach(run, bound, &needed, window, kept);
                    self.scores(variant, run, window.segment, page, &mut sums.brought);
                    if is_last {
                        sums.add(run.ordinals, window, is_sufficient);
                    } else {
                        sums.raise(run.ordinals, window);
                    }
                }
            };
            if let Some(short) = &bounded.short {
                add(short.run(), short.bound(), sums);
                continue;
            }
            for block in overlapping(bounded.list, window.ordinals()) {
                let (head, bound) = (&bounded.list.heads[block], bounded.bounds[block]);
                let mut cells = window.cells(head.first, head.last);
                if cells.any(|cell| sums.best[cell] + bound >= needed[cell]) {
                    data.read(window.segment, bounded.list, block, decoded)?;
                    add(decoded.run(), bound, sums);
                }
            }
        }
        sums.add_rest(is_sufficient);
        Ok(())
    }
}

impl Default for Sums {
    #[expect(
        clippy::large_stack_arrays,
        reason = "the stack has room for one until it is moved"
    )]
    fn default() -> Self {
        Self {
            scores: Box::new([0.0; WINDOW as usize]),
            best: [0.0; CELLS],
            have_enough: Box::new([false; WINDOW as usize]),
            of_clause: Box::new([0.0; WINDOW as usize]),
            touched: Box::new([0; WINDOW as usize]),
            touched_count: 0,
            brought: [0.0; BLOCK],
        }
    }
}

impl Sums {
    /// Forgets what was found before.
    fn begin(&mut self, alive: u64) {
        ones(alive).for_each(|cell| self.scores[slots(cell)].fill(0.0));
        self.best.fill(0.0);
    }

    /// Returns those of some chunks that score as much as is needed with what a variant brings at most.
    fn within_reach<'r>(
        &self,
        run: Run<'r>,
        bound: f64,
        needed: &Cells,
        window: &Window,
        kept: &'r mut Decoded,
    ) -> Run<'r> {
        let (Some(&first), Some(&last)) = (run.ordinals.first(), run.ordinals.last()) else {
            return run;
        };
        if window.cells(first, last).all(|cell| bound >= needed[cell]) {
            return run;
        }
        kept.keep(run, |ordinal| {
            let slot = window.slot(ordinal);
            self.scores[slot] + bound >= needed[slot / CELL as usize]
        });
        kept.run()
    }

    /// Adds what a clause brings to some chunks: what its last variant does, or an earlier one.
    fn add(&mut self, ordinals: &[u32], window: &Window, is_sufficient: bool) {
        let has_earlier = self.touched_count > 0;
        let (scores, best) = (&mut *self.scores, &mut self.best);
        let have_enough = &mut *self.have_enough;
        for (ordinal, &brought) in ordinals.iter().zip(&self.brought) {
            let slot = window.slot(*ordinal);
            let mut score = brought;
            if has_earlier {
                raise(&mut score, std::mem::take(&mut self.of_clause[slot]));
            }
            let known = scores[slot];
            have_enough[slot] =
                is_sufficient && score > 0.0 || known > 0.0 && (have_enough[slot] || score > 0.0);
            score += known;
            scores[slot] = score;
            raise(&mut best[slot / CELL as usize], score);
        }
    }

    /// Raises what a clause brings to some chunks to what a variant does that is not the last.
    fn raise(&mut self, ordinals: &[u32], window: &Window) {
        let (of_clause, touched) = (&mut *self.of_clause, &mut *self.touched);
        let mut count = self.touched_count;
        for (ordinal, brought) in ordinals.iter().zip(&self.brought) {
            let slot = window.slot(*ordinal);
            let known = of_clause[slot];
            // Written without a branch, as no processor can tell which it would be.
            touched[count % touched.len()] = slot as u32;
            count += usize::from(known == 0.0) & usize::from(*brought > 0.0);
            of_clause[slot] = brought.max(known);
        }
        self.touched_count = count;
    }

    /// Adds what a clause brings to the chunks that its last variant does not have.
    fn add_rest(&mut self, is_sufficient: bool) {
        let count = std::mem::take(&mut self.touched_count);
        let (scores, best) = (&mut *self.scores, &mut self.best);
        let have_enough = &mut *self.have_enough;
        for slot in &self.touched[..count] {
            let slot = *slot as usize % scores.len();
            let (known, brought) = (scores[slot], std::mem::take(&mut self.of_clause[slot]));
            have_enough[slot] = is_sufficient && brought > 0.0
                || known > 0.0 && (have_enough[slot] || brought > 0.0);
            let score = known + brought;
            scores[slot] = score;
            raise(&mut best[slot / CELL as usize], score);
        }
    }
}

impl Window {
    /// Returns the place of an ordinal that is among its own.
    #[inline]
    fn slot(&self, ordinal: u32) -> usize {
        ordinal.wrapping_sub(self.first) as usize % WINDOW as usize
    }

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

/// Returns the places of the bits of a number that are set.
fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
        (at < 64).then_some(at as usize)
    })
}
