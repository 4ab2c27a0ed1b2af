//! Which pieces checkpoints need.

use std::collections::{HashMap, HashSet};

use super::layout::{Hole, Layout, Placed};
use super::piece::Head;
use crate::pieces::{Run, merged};

/// So many runs are collected before those that touch become one.
const MOST_RUNS: usize = 100_000;

/// The pieces that checkpoints need, collected while the lines of a file are read in turn.
#[derive(Debug, Default)]
pub(super) struct Needed {
    /// Pieces that say where others are, by their numbers.
    layouts: HashMap<u64, Layout>,
    holes: HashMap<u64, Hole>,
    /// The holes among them whose pieces are collected already.
    seen: HashSet<u64>,
    runs: Vec<Run>,
}

impl Needed {
    /// Notes what a piece says of others.
    pub(super) fn know(&mut self, head: Head) {
        if let Some(layout) = head.layout {
            self.layouts.insert(head.piece, layout);
        }
        if let Some(hole) = head.hole {
            self.holes.insert(head.piece, hole);
        }
    }

    /// Adds what a checkpoint needs; nothing if a piece that says where others are is missing.
    pub(super) fn add(&mut self, placed: &Placed) -> Option<()> {
        let mut seen = std::mem::take(&mut self.seen);
        let mut runs = std::mem::take(&mut self.runs);
        let found = self.collect(placed, &mut runs, |hole| seen.insert(hole));
        if runs.len() > MOST_RUNS {
            runs = merged(runs);
        }
        (self.seen, self.runs) = (seen, runs);
        found
    }

    /// Returns the pieces of a checkpoint, merged; nothing if a piece that says where others are is
    /// missing.
    pub(super) fn pieces_of(&self, placed: &Placed) -> Option<Vec<Run>> {
        let mut runs = Vec::new();
        self.collect(placed, &mut runs, |_| true)?;
        Some(merged(runs))
    }

    /// Collects the pieces of a checkpoint, and those that lead to them. `is_new` says whether those of
    /// a hole are to be collected.
    fn collect(
        &self,
        placed: &Placed,
        runs: &mut Vec<Run>,
        mut is_new: impl FnMut(u64) -> bool,
    ) -> Option<()> {
        let like;
        let holes = match placed {
            Placed::All(layout) => &layout.holes,
            Placed::Like(number, others) => {
                runs.push(Run::one(*number));
                like = self.layouts.get(number)?.clone().with(others)?;
                &like.holes
            }
        };
        for hole in holes {
            runs.extend(&hole.runs);
            let mut before = hole.before;
            while let Some(number) = before.filter(|number| is_new(*number)) {
                runs.push(Run::one(number));
                let hole = self.holes.get(&number)?;
                runs.extend(&hole.runs);
                before = hole.before.filter(|earlier| *earlier < number);
            }
        }
        Some(())
    }

    /// Returns the numbers of the pieces, merged.
    pub(super) fn into_runs(self) -> Vec<Run> {
        merged(self.runs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::layout::Template;

    fn layout(holes: Vec<Hole>) -> Layout {
        let template = Template::Json(Vec::new());
        Layout { template, holes }
    }

    #[test]
    fn what_leads_to_pieces_is_needed_with_them() {
        let hole = |pieces: &[u64]| Hole::default().and(pieces.iter().copied());
        let behind = |before, pieces: &[u64]| Hole {
            before: Some(before),
            ..hole(pieces)
        };
        let mut needed = Needed::default();
        let know = |needed: &mut Needed, piece, layout, hole| {
            needed.know(Head {
                piece,
                layout,
                hole,
            });
        };
        know(&mut needed, 10, None, Some(hole(&[1, 3])));
        know(&mut needed, 20, None, Some(behind(10, &[5])));
        know(
            &mut needed,
            30,
            Some(layout(vec![hole(&[7]), behind(20, &[9])])),
            None,
        );
        know(&mut needed, 31, Some(layout(vec![hole(&[40])])), None);
        let others = vec![(0, hole(&[12]))];
        assert!(needed.add(&Placed::Like(30, others)).is_some());
        assert!(
            needed
                .add(&Placed::All(layout(vec![behind(20, &[22])])))
                .is_some()
        );
        assert!(needed.add(&Placed::Like(32, Vec::new())).is_none());
        let alone = needed.pieces_of(&Placed::All(layout(vec![behind(10, &[11])])));
        let alone = alone.unwrap().into_iter();
        assert!(
            alone
                .flat_map(|run| run.first..run.end())
                .eq([1, 3, 10, 11])
        );
        let runs = needed.into_runs().into_iter();
        let numbers = runs.flat_map(|run| run.first..run.end());
        assert!(numbers.eq([1, 3, 5, 9, 10, 12, 20, 22, 30, 32]));
    }
}
