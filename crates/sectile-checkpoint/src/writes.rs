//! Pending writes: the writes of tasks before their step is saved.

use crate::check::{check_name, check_number, check_text};
use crate::{Error, MAX_STATE_BYTES, Result, TypedValue};

/// The channels whose writes take the place of earlier ones, with the index that each has.
const SPECIAL: [(&str, i64); 4] = [
    ("__error__", -1),
    ("__scheduled__", -2),
    ("__interrupt__", -3),
    ("__resume__", -4),
];

/// The maximum number of bytes in the id of a task.
const MAX_TASK_ID_BYTES: usize = 512;

/// The maximum number of bytes in the path of a task.
const MAX_TASK_PATH_BYTES: usize = 2_048;

/// The pending writes of one task of a step, stored with the checkpoint at which the step began.
///
/// Writing it again changes nothing: checkpoint, task and index identify a write. Only a write with
/// a negative index, to a special channel, replaces the previous one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskWrites {
    /// The task, 1 to 512 bytes.
    pub task_id: String,
    /// The path of the task in its graph; empty if the runtime has none.
    pub task_path: String,
    /// The run that wrote; see [`Checkpoint::run_id`](crate::Checkpoint::run_id).
    pub run_id: Option<String>,
    /// The writes.
    pub writes: Vec<Write>,
}

/// A value that a task wrote to a channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Write {
    /// Its position among the writes of its task: from 0, or negative if it replaces an earlier
    /// one.
    pub index: i64,
    /// The channel.
    pub channel: String,
    /// The value.
    pub value: TypedValue,
}

/// A pending write of a checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingWrite {
    /// The task that wrote.
    pub task_id: String,
    /// The path of the task in its graph.
    pub task_path: String,
    /// The run that wrote.
    pub run_id: Option<String>,
    /// The write.
    pub write: Write,
}

impl TaskWrites {
    /// Creates an empty list of writes of a task.
    pub fn new(task_id: impl Into<String>) -> Self {
        Self {
            task_id: task_id.into(),
            ..Self::default()
        }
    }

    /// Sets the path of the task in its graph.
    #[must_use]
    pub fn at_path(mut self, task_path: impl Into<String>) -> Self {
        self.task_path = task_path.into();
        self
    }

    /// Sets the run that wrote.
    #[must_use]
    pub fn of_run(mut self, run_id: impl Into<String>) -> Self {
        self.run_id = Some(run_id.into());
        self
    }

    /// Adds a write. Its index is its position, or for a special channel (`__error__`,
    /// `__scheduled__`, `__interrupt__`, `__resume__`) −1 to −4, as LangGraph has them.
    #[must_use]
    pub fn write(mut self, channel: impl Into<String>, value: TypedValue) -> Self {
        let channel = channel.into();
        let special = SPECIAL.iter().find(|(name, _)| *name == channel);
        let index = special.map_or_else(
            || i64::try_from(self.writes.len()).unwrap_or(i64::MAX),
            |(_, index)| *index,
        );
        self.writes.push(Write {
            index,
            channel,
            value,
        });
        self
    }

    /// Checks the limits that every backend has.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidArgument`](crate::Error::InvalidArgument) naming the field.
    pub fn validate(&self) -> Result<()> {
        check_text("task_id", &self.task_id, MAX_TASK_ID_BYTES)?;
        if !self.task_path.is_empty() {
            check_text("task_path", &self.task_path, MAX_TASK_PATH_BYTES)?;
        }
        if let Some(run_id) = &self.run_id {
            check_name("run_id", run_id)?;
        }
        for write in &self.writes {
            check_name("channel", &write.channel)?;
            check_number("index", write.index.unsigned_abs())?;
            write.value.validate()?;
        }
        self.check_size()
    }

    /// Refuses more bytes than a state may have, whichever backend stores them.
    fn check_size(&self) -> Result<()> {
        let sizes = self.writes.iter().map(|write| write.value.bytes.len());
        let bytes: usize = sizes.sum();
        if bytes <= MAX_STATE_BYTES {
            return Ok(());
        }
        let reason = format!("would have {bytes} bytes together, more than {MAX_STATE_BYTES}");
        Err(Error::invalid("writes", reason))
    }

    /// Returns the writes in their stored form.
    pub fn pending(&self) -> impl Iterator<Item = PendingWrite> {
        self.writes.iter().map(|write| PendingWrite {
            task_id: self.task_id.clone(),
            task_path: self.task_path.clone(),
            run_id: self.run_id.clone(),
            write: write.clone(),
        })
    }
}

impl Write {
    /// Returns whether it takes the place of an earlier one.
    pub const fn replaces(&self) -> bool {
        self.index < 0
    }
}

impl PendingWrite {
    /// Returns the sort key of writes: the task's path, the task and the index. A runtime applies
    /// the writes of a step in this order (`writes_sort_key` of `LangGraph`), texts compared by
    /// their bytes.
    pub fn order(&self) -> (&str, &str, i64) {
        (&self.task_path, &self.task_id, self.write.index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_writes_of_a_call_have_at_most_as_many_bytes_as_a_state() {
        let eighth = TypedValue::new("bytes", vec![0_u8; MAX_STATE_BYTES / 8]);
        let mut writes = TaskWrites::new("task");
        for _ in 0..8 {
            writes = writes.write("channel", eighth.clone());
        }
        assert!(writes.validate().is_ok());
        let writes = writes.write("channel", TypedValue::new("bytes", [0_u8]));
        let refused = writes.validate();
        assert!(
            matches!(
                refused,
                Err(Error::InvalidArgument {
                    argument: "writes",
                    ..
                })
            ),
            "{refused:?}"
        );
    }
}
