//! Calls that wait to be written together.

use std::collections::VecDeque;
use std::time::Instant;

use sectile_checkpoint::{Key, Result, Saved};
use tokio::sync::oneshot::{self, Receiver, Sender};

use crate::{NewRow, NewWrites};

/// The maximum number of calls that are written together, so that no one waits long for others.
const MOST_TOGETHER: usize = 256;

/// The maximum number of bytes that are written together, unless one call has more.
const MOST_BYTES_TOGETHER: usize = 16 * 1024 * 1024;

/// What a call is told in the end: what became of a save, or nothing where writes are kept.
pub type Outcome = Result<Option<Saved>>;

/// Calls that wait, in the order they came.
#[derive(Debug, Default)]
pub struct Queue(VecDeque<Call>);

/// A call that waits.
#[derive(Debug)]
pub struct Call {
    /// What it asks for.
    pub work: Work,
    /// When it came.
    pub came: Instant,
    done: Sender<Outcome>,
}

/// What is to be written.
#[derive(Debug)]
pub enum Work {
    /// A checkpoint.
    Save(Box<NewRow>),
    /// The pending writes of a checkpoint.
    Write(NewWrites),
}

impl From<NewRow> for Work {
    fn from(row: NewRow) -> Self {
        Self::Save(row.into())
    }
}

impl From<NewWrites> for Work {
    fn from(writes: NewWrites) -> Self {
        Self::Write(writes)
    }
}

impl Work {
    /// Returns the namespace that it is written to.
    pub fn key(&self) -> &Key {
        match self {
            Self::Save(row) => &row.key,
            Self::Write(writes) => &writes.key,
        }
    }

    /// Returns the checkpoint that is to be saved, if it is one.
    pub fn row(&self) -> Option<&NewRow> {
        match self {
            Self::Save(row) => Some(row),
            Self::Write(_) => None,
        }
    }

    /// Returns what a task wrote, if it is that.
    pub fn writes(&self) -> Option<&NewWrites> {
        match self {
            Self::Save(_) => None,
            Self::Write(writes) => Some(writes),
        }
    }

    /// Returns about how many bytes are written.
    pub fn size(&self) -> usize {
        match self {
            Self::Save(row) => row.size(),
            Self::Write(writes) => writes.size(),
        }
    }
}

impl Queue {
    /// Adds a call, and returns what its outcome comes through.
    pub fn push(&mut self, work: Work) -> Receiver<Outcome> {
        let (done, outcome) = oneshot::channel();
        let came = Instant::now();
        self.0.push_back(Call { work, came, done });
        outcome
    }

    /// Takes as many calls as are written together; nothing if none waits.
    pub fn take(&mut self) -> Vec<Call> {
        let mut bytes = 0;
        let fits = |call: &&Call| {
            bytes += call.work.size();
            bytes <= MOST_BYTES_TOGETHER
        };
        let together = self.0.iter().take(MOST_TOGETHER).take_while(fits).count();
        let count = together.max(1).min(self.0.len());
        self.0.drain(..count).collect()
    }

    /// Takes the calls that came before a moment.
    pub fn take_before(&mut self, moment: Instant) -> Vec<Call> {
        let count = self.0.partition_point(|call| call.came < moment);
        self.0.drain(..count).collect()
    }

    /// Returns whether no call waits.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Call {
    /// Tells the caller; if it is gone, there is no one to tell.
    pub fn end(self, outcome: Outcome) {
        let _ = self.done.send(outcome);
    }
}

#[cfg(test)]
mod tests {
    use sectile_checkpoint::{At, Checkpoint, StoredState, TaskWrites, TypedValue};

    use super::*;

    fn save(size: usize) -> Work {
        let state = StoredState::json("1".repeat(size));
        let row = NewRow::of(Checkpoint::new("t", state)).unwrap();
        row.into()
    }

    fn write(size: usize) -> Work {
        let value = TypedValue::new("bytes", vec![0_u8; size]);
        let writes = NewWrites {
            key: "t".into(),
            at: At::Latest,
            writes: TaskWrites::new("task").write("channel", value),
        };
        writes.into()
    }

    fn queue(works: impl IntoIterator<Item = Work>) -> Queue {
        let mut queue = Queue::default();
        for work in works {
            drop(queue.push(work));
        }
        queue
    }

    #[test]
    fn at_most_so_many_are_taken_at_once() {
        let mut queue = queue((0..150).flat_map(|_| [save(1), write(1)]));
        assert_eq!((queue.take().len(), queue.take().len()), (256, 44));
        assert!(queue.take().is_empty());
    }

    #[test]
    fn those_before_a_moment_are_taken() {
        let mut queue = queue([save(1), write(1), save(1)]);
        let moment = queue.0[0].came + std::time::Duration::from_mins(1);
        queue.0[2].came = moment;
        assert_eq!(queue.take_before(moment).len(), 2);
        assert_eq!(queue.take().len(), 1);
    }

    #[test]
    fn large_states_and_writes_are_taken_alone() {
        for of_size in [save, write] {
            let mut queue = queue([10 << 20, 5 << 20, 5 << 20, 20 << 20, 1].map(of_size));
            let taken: Vec<usize> = std::iter::repeat_with(|| queue.take().len())
                .take(4)
                .collect();
            assert_eq!(taken, [2, 1, 1, 1]);
        }
    }
}
