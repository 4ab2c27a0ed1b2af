//! What threads take, what checkpoints share, and what is not as it was saved.

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

/// What the state of a checkpoint, stored in pieces, shares with the checkpoint that it follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sharing {
    /// The number of that checkpoint: the parent, or the one before where there is no parent or it is not
    /// kept any more.
    pub with_seq: Option<u64>,
    /// How many pieces the state consists of.
    pub pieces: u64,
    /// How many of them the other checkpoint has, too.
    pub shared: u64,
    /// How many bytes are stored of the state apart from them.
    pub added_bytes: u64,
    /// How many bytes the whole state has.
    pub whole_bytes: u64,
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
