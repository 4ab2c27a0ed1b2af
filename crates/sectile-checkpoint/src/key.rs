//! The keys of checkpoints: threads and their namespaces.

use serde::{Deserialize, Serialize};

use crate::Result;
use crate::check::check_text;

/// The maximum number of bytes in the id of a thread.
const MAX_THREAD_ID_BYTES: usize = 2_048;

/// The maximum number of bytes in the id of a thread and the name of a namespace together: an index entry of
/// Postgres has room for them.
const MAX_KEY_BYTES: usize = 2_560;

/// Returns that a thread may have this id: 1 to 2,048 bytes of any text without U+0000.
///
/// # Errors
///
/// [`Error::InvalidArgument`](crate::Error::InvalidArgument) if it may not.
pub fn check_thread_id(thread_id: &str) -> Result<()> {
    check_text("thread_id", thread_id, MAX_THREAD_ID_BYTES)
}

/// A thread and a namespace of it.
///
/// The root namespace of a thread is `Key::from("thread-1")`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key {
    /// The thread.
    pub thread_id: String,
    /// The namespace; empty for the root. With the thread's id at most 2,560 bytes.
    #[serde(default)]
    pub namespace: String,
}

impl Key {
    /// Returns a namespace of a thread.
    pub fn new(thread_id: impl Into<String>, namespace: impl Into<String>) -> Self {
        let thread_id = thread_id.into();
        let namespace = namespace.into();
        Self {
            thread_id,
            namespace,
        }
    }

    /// Checks the limits that every backend has.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidArgument`](crate::Error::InvalidArgument) naming the field.
    pub fn validate(&self) -> Result<()> {
        check_thread_id(&self.thread_id)?;
        if self.namespace.is_empty() {
            return Ok(());
        }
        let room = MAX_KEY_BYTES - self.thread_id.len();
        check_text("namespace", &self.namespace, room)
    }
}

impl From<&str> for Key {
    fn from(thread_id: &str) -> Self {
        Self::new(thread_id, "")
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.thread_id)?;
        if self.namespace.is_empty() {
            return Ok(());
        }
        write!(formatter, "` in namespace `{}", self.namespace)
    }
}
