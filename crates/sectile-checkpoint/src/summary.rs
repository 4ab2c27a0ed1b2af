//! Summaries of threads and namespaces.

use serde::{Deserialize, Serialize};

/// A summary of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadSummary {
    /// Its id.
    pub thread_id: String,
    /// The number of the newest checkpoint of the root namespace, 0 if that has none.
    pub latest_seq: u64,
    /// The number of stored checkpoints, in all namespaces.
    pub checkpoints: u64,
    /// When the newest was saved, in milliseconds since 1970-01-01 UTC.
    pub updated_at: u64,
}

impl ThreadSummary {
    /// Adds what a namespace of the thread is like.
    pub(crate) fn add(&mut self, namespace: &NamespaceSummary) {
        if namespace.namespace.is_empty() {
            self.latest_seq = namespace.latest_seq;
        }
        self.checkpoints += namespace.checkpoints;
        self.updated_at = self.updated_at.max(namespace.updated_at);
    }
}

/// A summary of a namespace of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamespaceSummary {
    /// Its name, empty for the root.
    pub namespace: String,
    /// The number of its newest checkpoint.
    pub latest_seq: u64,
    /// The number of stored checkpoints.
    pub checkpoints: u64,
    /// When the newest was saved, in milliseconds since 1970-01-01 UTC.
    pub updated_at: u64,
}
