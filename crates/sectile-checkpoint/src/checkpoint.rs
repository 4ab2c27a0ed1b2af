//! Checkpoints, before and after they are saved.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::check::{check_name, check_number, check_text};
use crate::encode::{same_entries, same_state};
use crate::{Error, Key, Result, StoredState};

/// The maximum number of bytes in the id of a checkpoint.
pub const MAX_ID_BYTES: usize = 512;

/// The state of a run at one moment, with the data to resume from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Checkpoint<S> {
    /// The thread that it belongs to: 1 to 2,048 bytes of any text without U+0000.
    pub thread_id: String,
    /// The namespace of the thread: a separate sequence of checkpoints, such as that of a subgraph.
    /// The root is empty; methods without a namespace use it. Together with the thread's id at most
    /// 2,560 bytes.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// Its number in the namespace, from 1 without gaps; 0 until it is saved.
    #[serde(default)]
    pub seq: u64,
    /// The caller's id for the checkpoint, 1 to 512 bytes. A thread stores only one checkpoint with
    /// each id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The number of the checkpoint from which the run continued, in the same thread. A number that
    /// the thread never had is refused. If the parent is pruned, its number stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_seq: Option<u64>,
    /// The run that saves it, 1 to 512 bytes. The checkpoints of a run can be deleted together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    /// The number of steps of the run.
    #[serde(default)]
    pub step: u64,
    /// The node that ran last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// The state: any value that can be written as JSON and read again.
    pub state: S,
    /// The nodes that run next.
    #[serde(default)]
    pub queue: Vec<Pending>,
    /// Other data of the caller.
    #[serde(default)]
    pub metadata: Map<String, Value>,
    /// The time of saving, in milliseconds since 1970-01-01 UTC. If it is 0, the save sets it.
    #[serde(default)]
    pub created_at: u64,
}

/// A node that waits for its turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// The node.
    pub node: String,
    /// The step in which it will run.
    pub step: u64,
}

/// The outcome of a save.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Saved {
    /// The number of the checkpoint in its thread.
    pub seq: u64,
    /// Whether it is new. Otherwise the thread already had a checkpoint with its id, which stays
    /// unchanged.
    pub is_new: bool,
}

impl<S> Checkpoint<S> {
    /// Creates the first checkpoint of a thread, ready to save.
    pub fn new(thread_id: impl Into<String>, state: S) -> Self {
        Self {
            thread_id: thread_id.into(),
            namespace: String::new(),
            seq: 0,
            id: None,
            parent_seq: None,
            run_id: None,
            step: 0,
            node: None,
            state,
            queue: Vec::new(),
            metadata: Map::new(),
            created_at: 0,
        }
    }

    /// Creates the next checkpoint, one step later, ready to save.
    #[must_use]
    pub fn next(&self, state: S) -> Self {
        Self {
            parent_seq: (self.seq > 0).then_some(self.seq),
            step: self.step + 1,
            namespace: self.namespace.clone(),
            run_id: self.run_id.clone(),
            ..Self::new(self.thread_id.clone(), state)
        }
    }

    /// Sets the caller's id for it.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Sets the namespace of the thread.
    #[must_use]
    pub fn in_namespace(mut self, namespace: impl Into<String>) -> Self {
        self.namespace = namespace.into();
        self
    }

    /// Sets the run that saves it.
    #[must_use]
    pub fn of_run(mut self, run_id: impl Into<String>) -> Self {
        self.run_id = Some(run_id.into());
        self
    }

    /// Returns the thread and the namespace.
    pub fn key(&self) -> Key {
        Key::new(&self.thread_id, &self.namespace)
    }

    /// Sets the checkpoint from which the run continued.
    #[must_use]
    pub fn with_parent(mut self, seq: u64) -> Self {
        self.parent_seq = Some(seq);
        self
    }

    /// Sets the number of steps of the run, and the node that ran last.
    #[must_use]
    pub fn at_step(mut self, step: u64, node: impl Into<String>) -> Self {
        self.step = step;
        self.node = Some(node.into());
        self
    }

    /// Adds a node that runs next.
    #[must_use]
    pub fn with_pending(mut self, node: impl Into<String>, step: u64) -> Self {
        let node = node.into();
        self.queue.push(Pending { node, step });
        self
    }

    /// Sets one entry of the metadata.
    #[must_use]
    pub fn with_metadata(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.metadata.insert(key.into(), value.into());
        self
    }

    /// Sets the time of saving, in milliseconds since 1970-01-01 UTC.
    #[must_use]
    pub fn with_created_at(mut self, milliseconds: u64) -> Self {
        self.created_at = milliseconds;
        self
    }

    /// Returns the same checkpoint with another form of its state.
    pub fn map_state<T>(self, change: impl FnOnce(S) -> T) -> Checkpoint<T> {
        Checkpoint {
            thread_id: self.thread_id,
            namespace: self.namespace,
            seq: self.seq,
            id: self.id,
            parent_seq: self.parent_seq,
            run_id: self.run_id,
            step: self.step,
            node: self.node,
            state: change(self.state),
            queue: self.queue,
            metadata: self.metadata,
            created_at: self.created_at,
        }
    }

    /// Returns the same checkpoint with `state` in place of its own.
    pub(crate) fn with_state<T>(&self, state: T) -> Checkpoint<T> {
        Checkpoint {
            thread_id: self.thread_id.clone(),
            namespace: self.namespace.clone(),
            seq: self.seq,
            id: self.id.clone(),
            parent_seq: self.parent_seq,
            run_id: self.run_id.clone(),
            step: self.step,
            node: self.node.clone(),
            state,
            queue: self.queue.clone(),
            metadata: self.metadata.clone(),
            created_at: self.created_at,
        }
    }

    /// Checks that the thread had the parent, given the newest number of the thread. The parent may
    /// be pruned.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidArgument`] if it never had.
    pub fn check_parent(&self, latest: u64) -> Result<()> {
        let missing = self.parent_seq.filter(|parent| *parent > latest);
        missing.map_or(Ok(()), |parent| Err(Error::no_parent(parent)))
    }

    /// Checks what every place of keeping can hold: the same on all of them.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidArgument`] naming the field.
    pub(crate) fn validate(&self) -> Result<()> {
        self.key().validate()?;
        if let Some(id) = &self.id {
            check_text("id", id, MAX_ID_BYTES)?;
        }
        if let Some(run_id) = &self.run_id {
            check_name("run_id", run_id)?;
        }
        if self.node.as_ref().is_some_and(|node| node.contains('\0')) {
            return Err(Error::invalid("node", "must not contain U+0000"));
        }
        check_number("step", self.step)?;
        check_number("parent_seq", self.parent_seq.unwrap_or(0))?;
        if self.parent_seq == Some(0) {
            return Err(Error::no_parent(0));
        }
        check_number("created_at", self.created_at)
    }
}

impl Checkpoint<StoredState> {
    /// Decides the outcome of a save whose id this checkpoint already has. `parent` is the state
    /// that the new save follows from. If that parent was deleted since, only the data of the save
    /// is compared.
    ///
    /// # Errors
    ///
    /// [`Error::IdConflict`] when anything differs except the values that the backend sets: the
    /// number and the time of saving. The order of object members does not matter, and numbers are
    /// equal if they are written alike. [`Error::InvalidArgument`] for a channel that the parent
    /// does not have.
    pub fn repeated_by(&self, mut again: Self, parent: Option<&StoredState>) -> Result<Saved> {
        let state = std::mem::replace(&mut again.state, StoredState::Json(String::new()));
        again.state = match (again.parent_seq, parent) {
            (Some(_), None) => state.completed(&self.state),
            _ => state.resolved(parent)?,
        };
        let differs = self.differences(&again);
        if differs.is_empty() {
            return Ok(Saved {
                seq: self.seq,
                is_new: false,
            });
        }
        Err(Error::IdConflict {
            thread_id: again.thread_id,
            id: again.id.unwrap_or_default(),
            seq: self.seq,
            differs,
        })
    }

    fn differences(&self, other: &Self) -> Vec<&'static str> {
        let fields = [
            ("parent_seq", self.parent_seq == other.parent_seq),
            ("run_id", self.run_id == other.run_id),
            ("step", self.step == other.step),
            ("node", self.node == other.node),
            ("state", same_state(&self.state, &other.state)),
            ("queue", self.queue == other.queue),
            ("metadata", same_entries(&self.metadata, &other.metadata)),
        ];
        let different = fields.into_iter().filter(|(_, is_same)| !is_same);
        different.map(|(field, _)| field).collect()
    }
}

/// Returns the current time, in milliseconds since 1970-01-01 UTC.
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}
