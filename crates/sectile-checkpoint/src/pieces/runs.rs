//! Positions of pieces.

use std::slice;

/// Positions of pieces that follow each other: the first, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The first position.
    pub first: u64,
    /// How many.
    pub count: u64,
}

impl Run {
    /// Returns the run of one position.
    pub const fn one(first: u64) -> Self {
        Self { first, count: 1 }
    }

    /// Returns the position after the last.
    pub const fn end(self) -> u64 {
        self.first + self.count
    }
}

/// Runs in order. Most holes have one, which takes no memory of its own: a state has hundreds of holes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Runs {
    /// One at most.
    Single(Option<Run>),
    /// More than one.
    Many(Vec<Run>),
}

impl Runs {
    /// Adds a run.
    pub fn push(&mut self, run: Run) {
        match self {
            Self::Single(Some(first)) => *self = Self::Many(vec![*first, run]),
            Self::Single(none) => *none = Some(run),
            Self::Many(runs) => runs.push(run),
        }
    }

    /// Adds a position.
    pub fn push_position(&mut self, position: u64) {
        let last = match self {
            Self::Single(run) => run.as_mut(),
            Self::Many(runs) => runs.last_mut(),
        };
        match last {
            Some(run) if run.end() == position => run.count += 1,
            _ => self.push(Run::one(position)),
        }
    }

    fn as_slice(&self) -> &[Run] {
        match self {
            Self::Single(run) => run.as_slice(),
            Self::Many(runs) => runs,
        }
    }

    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }

    /// Returns how many they are.
    pub fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// Returns all of them.
    pub fn iter(&self) -> std::iter::Copied<slice::Iter<'_, Run>> {
        self.as_slice().iter().copied()
    }

    /// Returns the first position.
    pub fn first_position(&self) -> Option<u64> {
        let first = self.iter().find(|run| run.count > 0)?;
        Some(first.first)
    }

    /// Returns all positions, in order.
    pub fn positions(&self) -> impl Iterator<Item = u64> {
        self.iter().flat_map(|run| run.first..run.end())
    }
}

impl Default for Runs {
    fn default() -> Self {
        Self::Single(None)
    }
}

impl<'r> IntoIterator for &'r Runs {
    type Item = Run;
    type IntoIter = std::iter::Copied<slice::Iter<'r, Run>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl FromIterator<Run> for Runs {
    fn from_iter<I: IntoIterator<Item = Run>>(runs: I) -> Self {
        let mut collected = Self::default();
        for run in runs {
            collected.push(run);
        }
        collected
    }
}

/// Returns runs in the order of their positions, those that touch as one.
pub fn merged(mut runs: Vec<Run>) -> Vec<Run> {
    runs.retain(|run| run.count > 0);
    runs.sort_unstable_by_key(|run| run.first);
    let mut apart: Vec<Run> = Vec::new();
    for run in runs {
        match apart.last_mut() {
            Some(last) if last.end() >= run.first => {
                last.count = last.end().max(run.end()) - last.first;
            }
            _ => apart.push(run),
        }
    }
    apart
}

/// Returns whether merged runs have all positions of another run.
pub fn are_among(runs: &[Run], run: Run) -> bool {
    let at = runs.partition_point(|known| known.end() <= run.first);
    let known = runs.get(at);
    known.is_some_and(|known| known.first <= run.first && run.end() <= known.end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_that_follow_each_other_are_one_run() {
        let mut runs = Runs::default();
        assert_eq!(runs.len(), 0);
        for position in [1, 2, 3, 7, 8, 3] {
            runs.push_position(position);
        }
        let found: Vec<_> = runs.iter().map(|run| (run.first, run.count)).collect();
        assert_eq!(found, [(1, 3), (7, 2), (3, 1)]);
        assert_eq!(runs.iter().collect::<Runs>(), runs);
        assert!(runs.positions().eq([1, 2, 3, 7, 8, 3]));
        assert_eq!(runs.first_position(), Some(1));
        assert_eq!(Runs::default().first_position(), None);
        let mut runs = Runs::default();
        runs.push(Run { first: 9, count: 0 });
        assert_eq!(runs.first_position(), None);
        runs.push(Run::one(4));
        assert_eq!(runs.first_position(), Some(4));
    }

    #[test]
    fn runs_that_touch_are_merged() {
        let run = |first, count| Run { first, count };
        let runs = vec![run(7, 2), run(1, 3), run(3, 1), run(4, 1), run(9, 0)];
        let merged = merged(runs);
        assert_eq!(merged, [run(1, 4), run(7, 2)]);
        let among = (0..12).filter(|position| are_among(&merged, Run::one(*position)));
        assert!(among.eq([1, 2, 3, 4, 7, 8]));
        assert!(are_among(&merged, run(2, 3)) && !are_among(&merged, run(4, 4)));
    }
}
