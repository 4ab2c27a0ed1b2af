//! Finding the best chunks without scoring all.
//!
//! Segments are cut into windows. From the heads of the blocks follows what each clause can bring to the
//! chunks of a window, so windows are looked at best first, and those that cannot reach the top are never
//! read. Within a window, clauses that cannot reach the top even together only complete the scores of
//! chunks that others found (`MaxScore`: Turtle and Flood, "Query evaluation: strategies and
//! optimizations", 1995; with bounds for blocks: Ding and Suel, "Faster top-k document retrieval using
//! block-max indexes", 2011).

use super::data::{Data, Needs};
use super::list::{Head, List};
use super::postings::Decoded;
use super::score::Saturation;
use super::search::IndexReader;
use super::terms::Held;
use super::top::{Scored, Top};
use super::window::{Mask, WINDOW, overlapping};
use crate::Result;

/// How many windows are read first, to know what a chunk has to score; then all others that can matter.
const FIRST: usize = 16;

/// A question as it is scored.
#[derive(Debug)]
pub(super) struct Ranking<'k> {
    pub(super) saturation: Saturation,
    /// The variants of each clause, each with its weight, its IDF included.
    pub(super) clauses: Vec<Vec<(f64, &'k Held)>>,
    /// A chunk must hold one of each of these.
    pub(super) required: Vec<Vec<&'k Held>>,
    /// And none of these.
    pub(super) excluded: Vec<&'k Held>,
    /// Which chunks of each segment may be found.
    pub(super) masks: Vec<Mask>,
}

/// A window of a segment, with what its chunks can score at most.
#[derive(Debug)]
struct Window {
    bound: f64,
    segment: usize,
    first: u32,
    /// What each clause brings at most; 0 where it brings nothing.
    bounds: Vec<f64>,
}

/// Chunks of a window that can reach the top.
struct Candidates<'w> {
    window: &'w Window,
    /// Their ordinals, with what they score by the clauses that were read.
    chunks: Vec<(u32, f64)>,
    /// The clauses that were not, the one that brings most last.
    rest: Vec<usize>,
}

/// What is used again from window to window.
struct Scratch {
    scores: Vec<f64>,
    clause: Vec<f64>,
    decoded: Decoded,
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
        let windows = self.windows(data)?;
        let mut top = Top::new(count);
        let mut scratch = Scratch {
            scores: vec![0.0; WINDOW as usize],
            clause: vec![0.0; WINDOW as usize],
            decoded: Decoded::default(),
        };
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
            let (mut later, mut needs) = (Vec::new(), Needs::default());
            for window in batch {
                let candidates = self.candidates(window, top.least(), data, &mut scratch)?;
                if self.is_at_hand(&candidates, data, &mut needs) {
                    self.complete(candidates, data, &mut scratch, &mut top)?;
                } else {
                    later.push(candidates);
                }
            }
            data.fetch(reader, needs).await?;
            for candidates in later {
                self.complete(candidates, data, &mut scratch, &mut top)?;
            }
        }
        Ok(top.finish())
    }

    /// Returns the windows that hold anything, best first.
    fn windows(&self, data: &Data) -> Result<Vec<Window>> {
        let mut all = Vec::new();
        for (segment, mask) in self.masks.iter().enumerate() {
            let bounds = self.clauses.iter().map(|variants| {
                let mut bounds = vec![0.0; mask.windows()];
                for &(weight, held) in variants {
                    if let Some(list) = &held.lists[segment] {
                        self.bound(weight, list, segment, data, &mut bounds)?;
                    }
                }
                Ok(bounds)
            });
            let bounds: Vec<Vec<f64>> = bounds.collect::<Result<_>>()?;
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
        Ok(all)
    }

    /// Raises the bounds of the windows in which a list has chunks.
    fn bound(
        &self,
        weight: f64,
        list: &List,
        segment: usize,
        data: &Data,
        bounds: &mut [f64],
    ) -> Result<()> {
        let mut raise = |ordinal: u32, bound: f64| {
            if let Some(known) = bounds.get_mut((ordinal / WINDOW) as usize) {
                *known = known.max(bound);
            }
        };
        let mut decoded = Decoded::default();
        for (block, head) in list.heads.iter().enumerate() {
            let bound = self.saturation.bound(weight, list, head);
            if head.first / WINDOW == head.last / WINDOW {
                raise(head.first, bound);
            } else if list.first_part.is_none() {
                // The chunks of a short list are known: it says little of most windows.
                data.read(segment, list, block, &mut decoded)?;
                decoded.ordinals().iter().for_each(|&at| raise(at, bound));
            } else {
                let windows = head.first / WINDOW..=head.last / WINDOW;
                windows.for_each(|window| raise(window * WINDOW, bound));
            }
        }
        Ok(())
    }

    /// Adds what has to be read to find the candidates of a window.
    fn need(&self, window: &Window, least: f64, needs: &mut Needs) {
        needs.page_of(window.segment, window.first);
        let (lead, _) = window.split(least);
        let leading = lead.iter().flat_map(|&clause| &self.clauses[clause]);
        let leading = leading.map(|(_, held)| *held);
        let conditions = self.required.iter().flatten().chain(&self.excluded);
        for held in leading.chain(conditions.copied()) {
            if let Some(list) = &held.lists[window.segment] {
                for block in overlapping(list, window.first) {
                    needs.block(window.segment, list, block);
                }
            }
        }
    }

    /// Scores a window by the clauses that have to lead to a chunk that reaches the top.
    fn candidates<'w>(
        &self,
        window: &'w Window,
        least: f64,
        data: &Data,
        scratch: &mut Scratch,
    ) -> Result<Candidates<'w>> {
        let mut chunks = Vec::new();
        let (lead, rest) = window.split(least);
        let is_hopeless = window.bound < least;
        let mut mask = self.masks[window.segment].window(window.first);
        if !is_hopeless {
            self.apply_conditions(window, data, &mut scratch.decoded, &mut mask)?;
        }
        if !is_hopeless && mask.iter().any(|bits| *bits != 0) {
            let others: f64 = rest.iter().map(|&clause| window.bounds[clause]).sum();
            let mut found = [0_u64; (WINDOW / 64) as usize];
            for &clause in &lead {
                self.add(clause, window, least, data, scratch, &mut found)?;
            }
            for (at, (found, mask)) in found.iter().zip(mask).enumerate() {
                let mut bits = found & mask;
                while bits != 0 {
                    let slot = at as u32 * 64 + bits.trailing_zeros();
                    let score = scratch.scores[slot as usize];
                    if score + others >= least {
                        chunks.push((window.first + slot, score));
                    }
                    bits &= bits - 1;
                }
            }
        }
        Ok(Candidates {
            window,
            chunks,
            rest,
        })
    }

    /// Takes the chunks off a mask that do not meet the conditions.
    fn apply_conditions(
        &self,
        window: &Window,
        data: &Data,
        decoded: &mut Decoded,
        mask: &mut [u64],
    ) -> Result<()> {
        let mut held_of = |variants: &[&Held]| -> Result<[u64; (WINDOW / 64) as usize]> {
            let mut held = [0_u64; (WINDOW / 64) as usize];
            for variant in variants {
                let Some(list) = &variant.lists[window.segment] else {
                    continue;
                };
                for block in overlapping(list, window.first) {
                    data.read(window.segment, list, block, decoded)?;
                    for slot in decoded.ordinals().iter().filter_map(|at| window.slot(*at)) {
                        held[slot / 64] |= 1 << (slot % 64);
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

    /// Adds what a clause brings to the scores of a window; `found` says which have one.
    fn add(
        &self,
        clause: usize,
        window: &Window,
        least: f64,
        data: &Data,
        scratch: &mut Scratch,
        found: &mut [u64],
    ) -> Result<()> {
        let variants = &self.clauses[clause];
        let others = window.bound - window.bounds[clause];
        let page = data.page(window.segment, window.first)?;
        // What a clause brings is what its only variant does, or else the best of them.
        let is_only = variants.len() == 1;
        let mut of_clause = [0_u64; (WINDOW / 64) as usize];
        for &(weight, held) in variants {
            let Some(list) = &held.lists[window.segment] else {
                continue;
            };
            for block in overlapping(list, window.first) {
                let bound = self.saturation.bound(weight, list, &list.heads[block]);
                // Where another variant brings more, that one is read.
                if bound + others < least {
                    continue;
                }
                data.read(window.segment, list, block, &mut scratch.decoded)?;
                for posting in scratch.decoded.iter() {
                    let Some(slot) = window.slot(posting.ordinal) else {
                        continue;
                    };
                    let length = page.length(posting.ordinal);
                    let score = self.saturation.score(weight, posting, length);
                    let (at, bit) = (slot / 64, 1 << (slot % 64));
                    if is_only {
                        let sum = &mut scratch.scores[slot];
                        *sum = if found[at] & bit == 0 {
                            score
                        } else {
                            *sum + score
                        };
                        found[at] |= bit;
                        continue;
                    }
                    let best = &mut scratch.clause[slot];
                    *best = if of_clause[at] & bit == 0 {
                        score
                    } else {
                        best.max(score)
                    };
                    of_clause[at] |= bit;
                }
            }
        }
        for (at, (found, of_clause)) in found.iter_mut().zip(of_clause).enumerate() {
            let mut bits = of_clause;
            while bits != 0 {
                let bit = bits & bits.wrapping_neg();
                let slot = at * 64 + bits.trailing_zeros() as usize;
                let before = if *found & bit == 0 {
                    0.0
                } else {
                    scratch.scores[slot]
                };
                scratch.scores[slot] = before + scratch.clause[slot];
                bits ^= bit;
            }
            *found |= of_clause;
        }
        Ok(())
    }

    /// Says whether all blocks are at hand that complete the scores of candidates; if not, adds them to
    /// what has to be read.
    fn is_at_hand(&self, candidates: &Candidates<'_>, data: &Data, needs: &mut Needs) -> bool {
        let segment = candidates.window.segment;
        let mut is_at_hand = true;
        for &clause in &candidates.rest {
            for (_, held) in &self.clauses[clause] {
                let list = held.lists[segment].as_ref();
                let Some(list) = list.filter(|list| list.first_part.is_some()) else {
                    continue;
                };
                let mut blocks = Blocks::from(list, candidates.window.first);
                let mut checked = None;
                for &(ordinal, _) in &candidates.chunks {
                    let block = blocks.with(ordinal);
                    if block == checked {
                        continue;
                    }
                    checked = block;
                    if let Some(block) = block
                        && !data.has(segment, list, block)
                    {
                        needs.block(segment, list, block);
                        is_at_hand = false;
                    }
                }
            }
        }
        is_at_hand
    }

    /// Completes the scores of candidates and adds those that reach the top.
    fn complete(
        &self,
        mut candidates: Candidates<'_>,
        data: &Data,
        scratch: &mut Scratch,
        top: &mut Top,
    ) -> Result<()> {
        let window = candidates.window;
        let bounds = candidates.rest.iter().map(|&clause| window.bounds[clause]);
        let mut others: f64 = bounds.sum();
        while let Some(clause) = candidates.rest.pop() {
            others -= window.bounds[clause];
            let best = &mut scratch.clause;
            best[..candidates.chunks.len()].fill(0.0);
            for &(weight, held) in &self.clauses[clause] {
                if let Some(list) = &held.lists[window.segment] {
                    let least = top.least() - others;
                    let chunks = &candidates.chunks;
                    self.look_up(
                        (weight, list),
                        window,
                        chunks,
                        least,
                        data,
                        &mut scratch.decoded,
                        best,
                    )?;
                }
            }
            for ((_, score), best) in candidates.chunks.iter_mut().zip(&*best) {
                *score += best;
            }
            let least = top.least();
            candidates
                .chunks
                .retain(|(_, score)| score + others >= least);
        }
        for (ordinal, score) in candidates.chunks {
            top.push((score, window.segment, ordinal));
        }
        Ok(())
    }

    /// Raises what a clause brings to some chunks to what a list of it does. Where a chunk cannot reach
    /// `least` by it, nothing is read.
    #[expect(clippy::too_many_arguments, reason = "they are the state of one loop")]
    fn look_up(
        &self,
        (weight, list): (f64, &List),
        window: &Window,
        chunks: &[(u32, f64)],
        least: f64,
        data: &Data,
        decoded: &mut Decoded,
        best: &mut [f64],
    ) -> Result<()> {
        let page = data.page(window.segment, window.first)?;
        let mut blocks = Blocks::from(list, window.first);
        // The block that was read last, and what a block brings at most.
        let (mut read, mut bound) = (usize::MAX, (usize::MAX, 0.0));
        let mut at = 0;
        for (&(ordinal, score), best) in chunks.iter().zip(best) {
            let Some(block) = blocks.with(ordinal) else {
                continue;
            };
            if bound.0 != block {
                let head = &list.heads[block];
                bound = (block, self.saturation.bound(weight, list, head));
            }
            if score + bound.1 < least {
                continue;
            }
            if read != block {
                data.read(window.segment, list, block, decoded)?;
                (read, at) = (block, 0);
            }
            at += decoded.ordinals()[at..].partition_point(|of| *of < ordinal);
            if decoded.ordinals().get(at) == Some(&ordinal) {
                let score = self
                    .saturation
                    .score(weight, decoded.get(at), page.length(ordinal));
                *best = best.max(score);
            }
        }
        Ok(())
    }
}

/// Goes through the blocks of a list with chunks in order.
struct Blocks<'l> {
    heads: &'l [Head],
    at: usize,
}

impl<'l> Blocks<'l> {
    /// Begins where the chunks from an ordinal on are.
    fn from(list: &'l List, first: u32) -> Self {
        let heads = &list.heads;
        let at = heads.partition_point(|head| head.last < first);
        Self { heads, at }
    }

    /// Returns the block that may have a chunk.
    fn with(&mut self, ordinal: u32) -> Option<usize> {
        let behind = |head: &Head| head.last < ordinal;
        while self.heads.get(self.at).is_some_and(behind) {
            self.at += 1;
        }
        let head = self.heads.get(self.at)?;
        (head.first <= ordinal).then_some(self.at)
    }
}

impl Window {
    /// Returns the place of a chunk, if it is in the window.
    #[inline]
    fn slot(&self, ordinal: u32) -> Option<usize> {
        let slot = ordinal.wrapping_sub(self.first);
        (slot < WINDOW).then_some(slot as usize)
    }

    /// Returns the clauses of which a chunk must hold one to score so much, and the others, of which none
    /// brings more than the next.
    fn split(&self, least: f64) -> (Vec<usize>, Vec<usize>) {
        let has_any = |clause: &usize| self.bounds[*clause] > 0.0;
        let mut clauses: Vec<usize> = (0..self.bounds.len()).filter(has_any).collect();
        clauses.sort_by(|&left, &right| self.bounds[left].total_cmp(&self.bounds[right]));
        let mut sum = 0.0;
        let is_too_little = |clause: &&usize| {
            sum += self.bounds[**clause];
            sum < least
        };
        let others = clauses.iter().take_while(is_too_little).count();
        let lead = clauses.split_off(others);
        (lead, clauses)
    }
}
