//! A checkpoint as a row.

use sectile_checkpoint::{Checkpoint, Error, Result, StateJson, now};
use serde_json::Value;

/// The columns of a checkpoint, in the order of the statements.
pub type RowTuple = (
    String,
    i64,
    i64,
    Option<String>,
    i64,
    Option<String>,
    Option<i64>,
    String,
    String,
    String,
);

/// The columns of a thread: id, newest number, number of checkpoints, time of the newest.
pub type ThreadTuple = (String, i64, i64, i64);

/// A row of `checkpoints`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRow {
    /// The thread.
    pub thread_id: String,
    /// The number in the thread; 0 before it is given one.
    pub seq: i64,
    /// Milliseconds since 1970-01-01 UTC.
    pub created_at: i64,
    /// The node that ran last.
    pub node: Option<String>,
    /// How many steps the run has made.
    pub step: i64,
    /// The id by the caller.
    pub checkpoint_id: Option<String>,
    /// The number of the checkpoint that the run came from.
    pub parent_seq: Option<i64>,
    /// The queue as a JSON array.
    pub queue_json: String,
    /// The metadata as a JSON object.
    pub metadata_json: String,
    /// The state as JSON.
    pub state_json: String,
}

impl From<RowTuple> for StoredRow {
    fn from(row: RowTuple) -> Self {
        Self {
            thread_id: row.0,
            seq: row.1,
            created_at: row.2,
            node: row.3,
            step: row.4,
            checkpoint_id: row.5,
            parent_seq: row.6,
            queue_json: row.7,
            metadata_json: row.8,
            state_json: row.9,
        }
    }
}

impl StoredRow {
    /// Returns the row of a checkpoint that is to be saved, with the time of saving filled in.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidArgument`] for what `sectile-checkpoint` refuses before.
    pub fn of(checkpoint: Checkpoint<StateJson>) -> Result<Self> {
        let created_at = match checkpoint.created_at {
            0 => now(),
            given => given,
        };
        Ok(Self {
            seq: 0,
            created_at: signed("created_at", created_at)?,
            step: signed("step", checkpoint.step)?,
            parent_seq: checkpoint
                .parent_seq
                .map(|seq| signed("parent_seq", seq))
                .transpose()?,
            queue_json: json("queue", &checkpoint.queue)?,
            metadata_json: json("metadata", &checkpoint.metadata)?,
            thread_id: checkpoint.thread_id,
            node: checkpoint.node,
            checkpoint_id: checkpoint.id,
            state_json: checkpoint.state.into_string(),
        })
    }

    /// Returns the checkpoint of a row that was inserted under a number.
    ///
    /// # Errors
    ///
    /// Those of [`into_checkpoint`](Self::into_checkpoint).
    pub fn numbered(&self, seq: u64) -> Result<Checkpoint<StateJson>> {
        let mut checkpoint = self.clone().into_checkpoint()?;
        checkpoint.seq = seq;
        Ok(checkpoint)
    }

    /// Returns the checkpoint of a row that was read.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] for a row that no release has written.
    pub fn into_checkpoint(self) -> Result<Checkpoint<StateJson>> {
        let corrupt = |column: &str| Error::Corrupt {
            what: format!(
                "`{column}` of checkpoint {} of thread `{}`",
                self.seq, self.thread_id
            ),
        };
        let queue = serde_json::from_str(&self.queue_json).map_err(|_| corrupt("queue_json"))?;
        let metadata: Value =
            serde_json::from_str(&self.metadata_json).map_err(|_| corrupt("metadata_json"))?;
        let Value::Object(metadata) = metadata else {
            return Err(corrupt("metadata_json"));
        };
        let unsigned = |column, number: i64| u64::try_from(number).map_err(|_| corrupt(column));
        let (seq, step) = (unsigned("seq", self.seq)?, unsigned("step", self.step)?);
        let created_at = unsigned("created_at", self.created_at)?;
        let parent_seq = self.parent_seq.map(|seq| unsigned("parent_seq", seq));
        let parent_seq = parent_seq.transpose()?;
        let mut checkpoint = Checkpoint::new(self.thread_id, StateJson::new(self.state_json));
        checkpoint.seq = seq;
        checkpoint.id = self.checkpoint_id;
        checkpoint.parent_seq = parent_seq;
        checkpoint.step = step;
        checkpoint.node = self.node;
        checkpoint.queue = queue;
        checkpoint.metadata = metadata;
        checkpoint.created_at = created_at;
        Ok(checkpoint)
    }
}

/// Returns a number as both engines hold it.
///
/// # Errors
///
/// [`Error::InvalidArgument`] if it is larger than those hold.
pub(crate) fn signed(argument: &'static str, number: u64) -> Result<i64> {
    i64::try_from(number).map_err(|_| Error::InvalidArgument {
        argument,
        reason: format!("must be at most {}, not {number}", i64::MAX),
    })
}

fn json<T: ?Sized + serde::Serialize>(argument: &'static str, value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::InvalidArgument {
        argument,
        reason: format!("cannot be written as JSON: {error}"),
    })
}
