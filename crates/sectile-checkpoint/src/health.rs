//! What threads take, and what is not as it was saved.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Key;

/// What a namespace of a thread takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// The thread.
    pub thread_id: String,
    /// The namespace, empty for the root.
    pub namespace: String,
    /// How many checkpoints are kept.
    pub checkpoints: u64,
    /// How many bytes would be stored if each state were stored whole.
    pub whole_bytes: u64,
    /// How many bytes are stored. Both sizes count states, queues, metadata and writes, without keys and
    /// indexes.
    pub stored_bytes: u64,
    /// How many pieces they share.
    pub pieces: u64,
    /// How many writes are kept beside them.
    pub writes: u64,
}

/// What is not as it was saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Damage {
    /// The thread, where one is concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<String>,
    /// The namespace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The number of the checkpoint, where one is concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// What is wrong.
    pub what: String,
}

impl Damage {
    /// Returns what is wrong with a database as a whole.
    pub fn of_all(what: impl Into<String>) -> Self {
        Self {
            thread_id: None,
            namespace: None,
            seq: None,
            what: what.into(),
        }
    }

    /// Returns what is wrong with a namespace, or with a checkpoint of it.
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
