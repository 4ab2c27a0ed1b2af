//! Saves that wait to be written together.

use std::collections::VecDeque;
use std::time::Instant;

use sectile_checkpoint::{Result, Saved};
use tokio::sync::oneshot::{self, Receiver, Sender};

use crate::NewRow;

/// The most saves that are written together, so that no one waits long for others.
const MOST_TOGETHER: usize = 256;

/// The most bytes of states that are written together, unless one state has more.
const MOST_BYTES_TOGETHER: usize = 16 * 1024 * 1024;

/// Saves that wait, in the order they came.
#[derive(Debug, Default)]
pub struct Queue(VecDeque<Save>);

/// A save that waits.
#[derive(Debug)]
pub struct Save {
    /// What is to be saved.
    pub row: NewRow,
    /// When it came.
    pub came: Instant,
    done: Sender<Result<Saved>>,
}

impl Queue {
    /// Adds a save, and returns what its outcome comes through.
    pub fn push(&mut self, row: NewRow) -> Receiver<Result<Saved>> {
        let (done, outcome) = oneshot::channel();
        let came = Instant::now();
        self.0.push_back(Save { row, came, done });
        outcome
    }

    /// Takes as many saves as are written together; nothing if none waits.
    pub fn take(&mut self) -> Vec<Save> {
        let mut bytes = 0;
        let fits = |save: &&Save| {
            bytes += save.row.size();
            bytes <= MOST_BYTES_TOGETHER
        };
        let together = self.0.iter().take(MOST_TOGETHER).take_while(fits).count();
        let count = together.max(1).min(self.0.len());
        self.0.drain(..count).collect()
    }

    /// Takes the saves that came before a moment.
    pub fn take_before(&mut self, moment: Instant) -> Vec<Save> {
        let count = self.0.partition_point(|save| save.came < moment);
        self.0.drain(..count).collect()
    }

    /// Says whether no save waits.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Save {
    /// Tells who saved; if they are gone, there is no one to tell.
    pub fn end(self, outcome: Result<Saved>) {
        let _ = self.done.send(outcome);
    }
}

#[cfg(test)]
mod tests {
    use sectile_checkpoint::{Checkpoint, StoredState};

    use super::*;

    fn queue(sizes: &[usize]) -> Queue {
        let mut queue = Queue::default();
        for &size in sizes {
            let state = StoredState::json("1".repeat(size));
            let row = NewRow::of(Checkpoint::new("t", state)).unwrap();
            drop(queue.push(row));
        }
        queue
    }

    #[test]
    fn at_most_so_many_are_taken_at_once() {
        let mut queue = queue(&[1; 300]);
        assert_eq!((queue.take().len(), queue.take().len()), (256, 44));
        assert!(queue.take().is_empty());
    }

    #[test]
    fn those_before_a_moment_are_taken() {
        let mut queue = queue(&[1; 3]);
        let moment = queue.0[0].came + std::time::Duration::from_mins(1);
        queue.0[2].came = moment;
        assert_eq!(queue.take_before(moment).len(), 2);
        assert_eq!(queue.take().len(), 1);
    }

    #[test]
    fn large_states_are_taken_alone() {
        let mut queue = queue(&[10 << 20, 5 << 20, 5 << 20, 20 << 20, 1]);
        let taken: Vec<usize> = std::iter::repeat_with(|| queue.take().len())
            .take(4)
            .collect();
        assert_eq!(taken, [2, 1, 1, 1]);
    }
}
