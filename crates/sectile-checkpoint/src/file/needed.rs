//! Which pieces checkpoints need.

use std::collections::{HashMap, HashSet};

use super::layout::{Hole, Layout, Placed};
use super::piece::Head;
use crate::pieces::{Run, are_among, merged};

/// So many runs are collected at least before those that touch become one.
const MOST_RUNS: usize = 100_000;

/// The pieces that checkpoints need, collected while the lines of a file are read in turn.
#[derive(Debug, Default)]
pub(super) struct Needed {
    /// The pieces that are undamaged.
    sound: Vec<Run>,
    /// Pieces that say where others are, by their numbers.
    layouts: HashMap<u64, Layout>,
    holes: HashMap<u64, Hole>,
    /// Of each of these holes, what is missing of it.
    missing: HashMap<u64, Option<Run>>,
    /// The holes among them whose pieces are collected already.
    seen: HashSet<u64>,
    runs: Vec<Run>,
    /// How many runs there were when those that touch had become one.
    merged: usize,
}

/// The pieces that a checkpoint names itself.
#[derive(Debug)]
pub(super) struct Named {
    /// Those that fill its state, and the one that says where its parts are.
    pub(super) runs: Vec<Run>,
    /// Those that say the first ones of its holes.
    pub(super) holes: Vec<u64>,
}

impl Needed {
    /// Notes a piece that is undamaged, which stands after those before, and what it says of others.
    pub(super) fn know(&mut self, head: Head) {
        if let Some(hole) = &head.hole {
            let missing = self.missing(&hole.runs, hole.before);
            self.missing.insert(head.piece, missing);
        }
        match self.sound.last_mut() {
            Some(run) if run.end() == head.piece => run.count += 1,
            _ => self.sound.push(Run::one(head.piece)),
        }
        if let Some(layout) = head.layout {
            self.layouts.insert(head.piece, layout);
        }
        if let Some(hole) = head.hole {
            self.holes.insert(head.piece, hole);
        }
    }

    /// Returns the pieces that a checkpoint names itself; nothing if the piece that says which is missing.
    pub(super) fn named(&self, placed: &Placed) -> Option<Named> {
        let like;
        let (holes, mut runs) = match placed {
            Placed::All(layout) => (&layout.holes, Vec::new()),
            Placed::Like(number, others) => {
                like = self.layouts.get(number)?.clone().with(others)?;
                (&like.holes, vec![Run::one(*number)])
            }
        };
        runs.extend(holes.iter().flat_map(|hole| &hole.runs));
        let holes = holes.iter().filter_map(|hole| hole.before).collect();
        Some(Named { runs, holes })
    }

    /// Adds what a checkpoint needs; nothing if a piece that says where others are is missing.
    pub(super) fn add(&mut self, named: Named) -> Option<()> {
        self.runs.extend(named.runs);
        let mut holes = named.holes.into_iter();
        let found = holes.try_for_each(|number| self.add_hole(number));
        if self.runs.len() > MOST_RUNS.max(2 * self.merged) {
            self.runs = merged(std::mem::take(&mut self.runs));
            self.merged = self.runs.len();
        }
        found
    }

    /// Adds a piece that says the first ones of a hole, and those.
    fn add_hole(&mut self, number: u64) -> Option<()> {
        let mut next = Some(number);
        while let Some(number) = next {
            let hole = self.holes.get(&number)?;
            if !self.seen.insert(number) {
                break;
            }
            self.runs.push(Run::one(number));
            self.runs.extend(&hole.runs);
            next = hole.before.filter(|earlier| *earlier < number);
        }
        Some(())
    }

    /// Returns whether pieces are all undamaged.
    pub(super) fn are_sound(&self, run: Run) -> bool {
        are_among(&self.sound, run)
    }

    /// Returns some of the pieces of a checkpoint that are not all undamaged. `holes` say the first ones of
    /// holes; what is missing of those was found before, for all checkpoints that share them.
    pub(super) fn missing(
        &self,
        runs: impl IntoIterator<Item = Run>,
        holes: impl IntoIterator<Item = u64>,
    ) -> Option<Run> {
        let missing = runs.into_iter().find(|run| !self.are_sound(*run));
        let of_hole = |number| match self.missing.get(&number) {
            Some(missing) => *missing,
            None => Some(Run::one(number)),
        };
        missing.or_else(|| holes.into_iter().find_map(of_hole))
    }

    /// Returns whether all pieces of a checkpoint are undamaged.
    pub(super) fn has_all(&self, placed: &Placed) -> bool {
        let named = self.named(placed);
        named.is_some_and(|named| self.missing(named.runs, named.holes).is_none())
    }

    /// Returns whether all that are needed are undamaged.
    pub(super) fn is_whole(&self) -> bool {
        self.runs.iter().all(|run| self.are_sound(*run))
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
        let add = |needed: &mut Needed, placed: Placed| {
            let named = needed.named(&placed)?;
            needed.add(named)
        };
        let others = vec![(0, hole(&[12]))];
        assert!(add(&mut needed, Placed::Like(30, others)).is_some());
        let placed = Placed::All(layout(vec![behind(20, &[22])]));
        assert!(add(&mut needed, placed).is_some());
        assert!(add(&mut needed, Placed::Like(32, Vec::new())).is_none());
        let named = needed.named(&Placed::All(layout(vec![behind(10, &[11])])));
        let named = named.unwrap();
        assert_eq!((named.runs, named.holes), (vec![Run::one(11)], vec![10]));
        let missing = Placed::All(layout(vec![behind(50, &[51])]));
        for _ in 0..2 {
            assert!(add(&mut needed, missing.clone()).is_none());
        }
        let runs = needed.into_runs().into_iter();
        let numbers = runs.flat_map(|run| run.first..run.end());
        assert!(numbers.eq([1, 3, 5, 9, 10, 12, 20, 22, 30, 51]));
    }
}
