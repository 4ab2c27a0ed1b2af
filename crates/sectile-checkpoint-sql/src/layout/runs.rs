//! Positions of pieces.

use std::slice;

/// Positions of pieces that follow each other: the first, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// The first position.
    pub(crate) first: u64,
    /// How many.
    pub(crate) count: u64,
}

impl Run {
    /// Returns the run of one position.
    pub(crate) const fn one(first: u64) -> Self {
        Self { first, count: 1 }
    }

    /// Returns the position behind the last.
    pub(crate) const fn end(self) -> u64 {
        self.first + self.count
    }
}

/// Runs in order. Most holes have one, which takes no memory of its own: a state has hundreds of holes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Runs {
    /// One at most.
    Single(Option<Run>),
    /// More than one.
    Many(Vec<Run>),
}

impl Runs {
    /// Adds a run.
    pub(crate) fn push(&mut self, run: Run) {
        match self {
            Self::Single(Some(first)) => *self = Self::Many(vec![*first, run]),
            Self::Single(none) => *none = Some(run),
            Self::Many(runs) => runs.push(run),
        }
    }

    /// Adds a position.
    pub(crate) fn push_position(&mut self, position: u64) {
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

    /// Returns how many they are.
    pub(crate) fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// Returns all of them.
    pub(crate) fn iter(&self) -> std::iter::Copied<slice::Iter<'_, Run>> {
        self.as_slice().iter().copied()
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
    }
}
