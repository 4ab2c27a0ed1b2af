//! What threads take, what checkpoints share, and what is damaged.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Key;

/// The size of a namespace of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// The thread.
    pub thread_id: String,
    /// The namespace, empty for the root.
    pub namespace: String,
    /// The number of stored checkpoints.
    pub checkpoints: u64,
    /// The number of bytes if each state were stored whole.
    pub whole_bytes: u64,
    /// The number of stored bytes. Both sizes count states, queues, metadata and writes, without
    /// keys and indexes.
    pub stored_bytes: u64,
    /// The number of pieces that they share.
    pub pieces: u64,
    /// The number of pending writes.
    pub writes: u64,
}

/// The pieces that a checkpoint's state shares with the checkpoint that it follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sharing {
    /// The number of that checkpoint: the parent, or the previous one if there is no parent or it
    /// was deleted.
    pub with_seq: Option<u64>,
    /// The number of pieces of the state.
    pub pieces: u64,
    /// How many of them the other checkpoint also has.
    pub shared: u64,
    /// The number of stored bytes of the state without the shared pieces.
    pub added_bytes: u64,
    /// The size of the whole state in bytes.
    pub whole_bytes: u64,
}

/// Damage of stored data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Damage {
    /// The affected thread, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<String>,
    /// The namespace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The number of the affected checkpoint, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// A description.
    pub what: String,
}

impl Damage {
    /// Returns damage of a whole database.
    pub fn of_all(what: impl Into<String>) -> Self {
        Self {
            thread_id: None,
            namespace: None,
            seq: None,
            what: what.into(),
        }
    }

    /// Returns damage of a namespace, or of a checkpoint in it.
    pub fn of_key(key: &Key, seq: Option<u64>, what: impl Into<String>) -> Self {
        Self {
            thread_id: Some(key.thread_id.clone()),
            namespace: Some(key.namespace.clone()),
            seq,
            what: what.into(),
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.thread_id.as_deref().zip(self.namespace.as_deref());
        if let Some((thread_id, namespace)) = names {
            write!(formatter, "thread `{}`: ", Key::new(thread_id, namespace))?;
        }
        formatter.write_str(&self.what)
    }
}
