//! The best chunks so far.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// A chunk that scores: how much, the place of its segment, its ordinal.
pub(super) type Scored = (f64, usize, u32);

/// Room for so many more than are wanted, before they are thinned out.
const ROOM: usize = 64;

/// The best so many chunks, and what ties with the last of them.
#[derive(Debug)]
pub(super) struct Top {
    count: usize,
    found: Vec<Scored>,
    room: usize,
    /// The best so many scores, as their bits: these are in the order of the scores, as none is below 0.
    best: BinaryHeap<Reverse<u64>>,
    least: f64,
}

impl Top {
    pub(super) fn new(count: usize) -> Self {
        Self {
            count,
            found: Vec::new(),
            room: count.saturating_mul(2).saturating_add(ROOM),
            best: BinaryHeap::new(),
            least: 0.0,
        }
    }

    /// Returns what a chunk has to score at least to be among them.
    pub(super) fn least(&self) -> f64 {
        self.least
    }

    pub(super) fn push(&mut self, scored: Scored) {
        if scored.0 < self.least {
            return;
        }
        self.found.push(scored);
        self.raise(scored.0);
        if self.found.len() >= self.room {
            self.thin();
            self.room = self.room.max(self.found.len().saturating_mul(2));
        }
    }

    /// Notes a score, so that what comes next is measured by the best so many.
    fn raise(&mut self, score: f64) {
        if self.best.len() < self.count {
            self.best.push(Reverse(score.to_bits()));
        } else if score > self.least
            && let Some(mut least) = self.best.peek_mut()
        {
            *least = Reverse(score.to_bits());
        }
        if self.best.len() == self.count
            && let Some(Reverse(least)) = self.best.peek()
        {
            self.least = f64::from_bits(*least);
        }
    }

    /// Returns them, best first.
    pub(super) fn finish(mut self) -> Vec<Scored> {
        self.thin();
        self.found.sort_unstable_by(best_first);
        self.found
    }

    fn thin(&mut self) {
        let least = self.least;
        self.found.retain(|(score, ..)| *score >= least);
    }
}

fn best_first(left: &Scored, right: &Scored) -> Ordering {
    right.0.total_cmp(&left.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ties_with_the_last_is_kept() {
        let scores = [1.0, 3.0, 2.0, 2.0, 5.0, 2.0];
        for (count, kept) in [(1, 1), (2, 2), (3, 5), (4, 5), (5, 5), (6, 6), (7, 6)] {
            let mut top = Top::new(count);
            for (score, ordinal) in scores.into_iter().zip(0..) {
                top.push((score, 0, ordinal));
            }
            let best = top.finish();
            assert_eq!(best.len(), kept, "{count}");
            assert!(best.is_sorted_by(|better, worse| better.0 >= worse.0));
        }
    }

    #[test]
    fn what_has_to_be_scored_is_known_at_once() {
        let mut top = Top::new(2);
        let least = [3.0, 1.0, 2.0, 2.0, 5.0].map(|score| {
            top.push((score, 0, 0));
            top.least().to_bits()
        });
        assert_eq!(least, [0.0, 1.0, 2.0, 2.0, 3.0].map(f64::to_bits));
    }

    #[test]
    fn most_of_many_are_not_kept() {
        let mut top = Top::new(10);
        for at in 0..100_000_u32 {
            top.push((f64::from(at * 7_919 % 100_003), 0, at));
            assert!(top.found.len() <= 84);
        }
        assert!(top.least() > 99_000.0);
        assert_eq!(top.finish().len(), 10);
    }
}
