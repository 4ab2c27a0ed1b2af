//! Errors of checkpointers.

use std::error::Error as StdError;
use std::fmt;
use std::path::PathBuf;

/// A result with [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Where an error comes from.
type Source = Box<dyn StdError + Send + Sync>;

/// The error of every operation. Each variant says what the caller can do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No backend accepts an argument: pass another one.
    #[error("`{argument}` {reason}")]
    InvalidArgument {
        /// The argument's name.
        argument: &'static str,
        /// What it must be.
        reason: String,
    },
    /// A setting cannot be used: set another one.
    #[error("`{setting}` {reason}")]
    InvalidConfig {
        /// The setting's name.
        setting: &'static str,
        /// What it must be.
        reason: String,
    },
    /// A state or metadata could not be loaded again, so it was not saved: change the value.
    #[error("the checkpoint of thread `{thread_id}` cannot be saved: {reason} at `{path}`")]
    Unencodable {
        /// The thread.
        thread_id: String,
        /// Where the value stands: `state.scores[2]`.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A checkpoint does not have the requested type: load another type, or fix its `Deserialize`.
    #[error("checkpoint {seq} of thread `{thread_id}` cannot be read: {reason} at `{path}`")]
    Undecodable {
        /// The thread.
        thread_id: String,
        /// The number of the checkpoint.
        seq: u64,
        /// Where the value stands.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// There is no such thread or checkpoint.
    #[error("thread `{thread_id}` has no {}", what(*seq))]
    NotFound {
        /// The thread.
        thread_id: String,
        /// The number of the checkpoint, where one was asked for.
        seq: Option<u64>,
    },
    /// The target of a copy already exists: choose another id, or delete that thread.
    #[error("thread `{thread_id}` already exists; choose another id or delete it first")]
    ThreadExists {
        /// The thread.
        thread_id: String,
    },
    /// Another checkpoint has this id. A repeated save must be identical; a new checkpoint needs a
    /// new id.
    #[error(
        "checkpoint {seq} of thread `{thread_id}` has the id `{id}` and differs in: {}",
        differs.join(", ")
    )]
    IdConflict {
        /// The thread.
        thread_id: String,
        /// The id.
        id: String,
        /// The number of the checkpoint that has it.
        seq: u64,
        /// The fields that differ: `state`, `queue` and so on.
        differs: Vec<&'static str>,
    },
    /// The database has no tables, or older ones: call `migrate`.
    #[error("the database has version {found} of the checkpoint tables, not {needed}; migrate it")]
    NotMigrated {
        /// The version found, 0 for none.
        found: u32,
        /// The version that this release needs.
        needed: u32,
    },
    /// A newer release migrated the database: use that release.
    #[error(
        "the database has version {found} of the checkpoint tables, this release knows {known}"
    )]
    NewerSchema {
        /// The version found.
        found: u32,
        /// The newest version that is known.
        known: u32,
    },
    /// The projections of a state could not be written, so nothing was saved: fix the mapping or
    /// the tables, or turn projections off.
    #[error("the projections of thread `{thread_id}` cannot be written")]
    Projection {
        /// The thread.
        thread_id: String,
        /// What the mapping or the database says.
        source: Source,
    },
    /// The file, folder or database does not exist: create it, or correct the address.
    #[error("there is no such database: {reason}")]
    DatabaseNotFound {
        /// What is missing, and what to do.
        reason: String,
        /// What the database or the system says.
        source: Source,
    },
    /// The server rejected the role: correct the user or the password.
    #[error("the server does not let the role in; check the user and the password")]
    Unauthenticated {
        /// What the server says.
        source: Source,
    },
    /// A pooler in transaction mode lost the prepared statements of a connection: connect with
    /// `pgbouncer(true)`.
    #[error(
        "a prepared statement is not that of this connection: behind a pooler in transaction mode, \
         such as PgBouncer, turn `pgbouncer` on"
    )]
    PreparedStatements {
        /// What the server says.
        source: Source,
    },
    /// The server cancelled a statement, because of its `statement_timeout` or on request: retry,
    /// or raise the timeout. Nothing was saved.
    #[error(
        "the server ended the statement before it was done; raise `statement_timeout` for this role, or write \
         `options=-cstatement_timeout%3D60s` into the address, and try again"
    )]
    TimedOut {
        /// What the server says.
        source: Source,
    },
    /// The server or the role has no connection left: retry, or raise the limit. Nothing was saved.
    #[error(
        "the server has no connection left for this role; end other programs, or raise `max_connections` of the server or \
         `CONNECTION LIMIT` of the role, and try again"
    )]
    TooManyConnections {
        /// What the server says.
        source: Source,
    },
    /// Others locked the database for longer than the timeout: retry.
    #[error("the database is busy: others hold it for longer than the timeout")]
    Busy {
        /// What the database says.
        source: Source,
    },
    /// Transactions conflicted, and the database aborted one of them: retry.
    #[error("the transaction conflicted with another one")]
    Conflict {
        /// What the database says.
        source: Source,
    },
    /// The database cannot be reached, or the connection broke. A save may or may not be stored:
    /// retry, with the same id if it had one.
    #[error("the database cannot be reached")]
    Unavailable {
        /// What the connection says.
        source: Source,
    },
    /// The file or the server is read-only: open it for writing, or connect to the primary.
    #[error("the database is read-only")]
    ReadOnly {
        /// What the database says.
        source: Source,
    },
    /// The disk is full: free some space.
    #[error("the disk or the database is full")]
    Full {
        /// What the database says.
        source: Source,
    },
    /// The role lacks a privilege: grant it.
    #[error("permission denied")]
    PermissionDenied {
        /// What the database or the system says.
        source: Source,
    },
    /// The file was deleted, moved or replaced while it was open, so saves to it would be lost: put
    /// it back, or open the checkpointer again.
    #[error(
        "`{}` was deleted, moved or replaced while it was open; end all processes that use it, and put it back, or put \
         the new file there without the `-wal` and `-shm` files of the old one",
        path.display()
    )]
    FileReplaced {
        /// The file.
        path: PathBuf,
    },
    /// Stored data is damaged.
    #[error("the checkpoints are damaged: {what}")]
    Corrupt {
        /// What is wrong, and where.
        what: String,
    },
    /// A call over many threads failed in some of them, and succeeded in the others: fix those, and
    /// repeat the call. If the call ended early, the last of `failures` gives the reason.
    #[error("{done} checkpoints were deleted, but some threads failed")]
    Incomplete {
        /// How many checkpoints were deleted.
        done: u64,
        /// Where it failed, and why.
        #[source]
        failures: Failures,
    },
    /// Any other error of a database or the operating system.
    #[error("cannot {doing}")]
    Backend {
        /// What was being done.
        doing: &'static str,
        /// What the database or the system says.
        source: Source,
    },
}

/// A thread in which a call over many threads failed.
#[derive(Debug)]
pub struct Failure {
    /// The thread, if it is known.
    pub thread_id: Option<String>,
    /// The namespace.
    pub namespace: Option<String>,
    /// The error.
    pub error: Error,
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(thread_id) = &self.thread_id {
            write!(formatter, "thread `{thread_id}`")?;
            let namespace = self.namespace.as_deref().unwrap_or_default();
            if !namespace.is_empty() {
                write!(formatter, " in namespace `{namespace}`")?;
            }
            formatter.write_str(": ")?;
        }
        write!(formatter, "{}", self.error)
    }
}

/// The threads in which a call failed, in the order of processing. There is at least one.
#[derive(Debug)]
pub struct Failures(pub Vec<Failure>);

/// The number of items that the message names.
const NAMED: usize = 10;

impl fmt::Display for Failures {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, failure) in self.0.iter().take(NAMED).enumerate() {
            let separator = if at == 0 { "" } else { "; " };
            write!(formatter, "{separator}{failure}")?;
        }
        match self.0.len().checked_sub(NAMED) {
            None | Some(0) => Ok(()),
            Some(more) => write!(formatter, "; and {more} more"),
        }
    }
}

impl StdError for Failures {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.first().and_then(|failure| failure.error.source())
    }
}

/// The variants of [`Error`], where they are documented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// [`Error::InvalidArgument`].
    InvalidArgument,
    /// [`Error::InvalidConfig`].
    InvalidConfig,
    /// [`Error::Unencodable`].
    Unencodable,
    /// [`Error::Undecodable`].
    Undecodable,
    /// [`Error::NotFound`].
    NotFound,
    /// [`Error::ThreadExists`].
    ThreadExists,
    /// [`Error::IdConflict`].
    IdConflict,
    /// [`Error::NotMigrated`].
    NotMigrated,
    /// [`Error::NewerSchema`].
    NewerSchema,
    /// [`Error::Projection`].
    Projection,
    /// [`Error::DatabaseNotFound`].
    DatabaseNotFound,
    /// [`Error::Unauthenticated`].
    Unauthenticated,
    /// [`Error::PreparedStatements`].
    PreparedStatements,
    /// [`Error::TimedOut`].
    TimedOut,
    /// [`Error::Busy`].
    Busy,
    /// [`Error::Conflict`].
    Conflict,
    /// [`Error::Unavailable`] and [`Error::TooManyConnections`].
    Unavailable,
    /// [`Error::ReadOnly`].
    ReadOnly,
    /// [`Error::Full`].
    Full,
    /// [`Error::PermissionDenied`].
    PermissionDenied,
    /// [`Error::FileReplaced`].
    FileReplaced,
    /// [`Error::Corrupt`].
    Corrupt,
    /// [`Error::Incomplete`].
    Incomplete,
    /// [`Error::Backend`].
    Backend,
}

fn what(seq: Option<u64>) -> String {
    seq.map_or_else(|| "checkpoints".into(), |seq| format!("checkpoint {seq}"))
}

impl Error {
    /// Returns whether the same call may succeed later without a change.
    ///
    /// After [`Error::Unavailable`] a save may still be stored. A save with an
    /// [id](crate::Checkpoint::id) can be repeated without being stored twice.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Busy { .. }
            | Self::Conflict { .. }
            | Self::Unavailable { .. }
            | Self::TooManyConnections { .. }
            | Self::TimedOut { .. } => true,
            Self::Incomplete { failures, .. } => {
                let mut failures = failures.0.iter();
                failures.all(|failure| failure.error.is_retryable())
            }
            _ => false,
        }
    }

    /// Returns only the variant, for metrics and comparisons.
    pub const fn kind(&self) -> ErrorKind {
        match self {
            Self::InvalidArgument { .. } => ErrorKind::InvalidArgument,
            Self::InvalidConfig { .. } => ErrorKind::InvalidConfig,
            Self::Unencodable { .. } => ErrorKind::Unencodable,
            Self::Undecodable { .. } => ErrorKind::Undecodable,
            Self::NotFound { .. } => ErrorKind::NotFound,
            Self::ThreadExists { .. } => ErrorKind::ThreadExists,
            Self::IdConflict { .. } => ErrorKind::IdConflict,
            Self::NotMigrated { .. } => ErrorKind::NotMigrated,
            Self::NewerSchema { .. } => ErrorKind::NewerSchema,
            Self::Projection { .. } => ErrorKind::Projection,
            Self::DatabaseNotFound { .. } => ErrorKind::DatabaseNotFound,
            Self::Unauthenticated { .. } => ErrorKind::Unauthenticated,
            Self::PreparedStatements { .. } => ErrorKind::PreparedStatements,
            Self::TimedOut { .. } => ErrorKind::TimedOut,
            Self::Busy { .. } => ErrorKind::Busy,
            Self::Conflict { .. } => ErrorKind::Conflict,
            Self::Unavailable { .. } | Self::TooManyConnections { .. } => ErrorKind::Unavailable,
            Self::ReadOnly { .. } => ErrorKind::ReadOnly,
            Self::Full { .. } => ErrorKind::Full,
            Self::PermissionDenied { .. } => ErrorKind::PermissionDenied,
            Self::FileReplaced { .. } => ErrorKind::FileReplaced,
            Self::Corrupt { .. } => ErrorKind::Corrupt,
            Self::Incomplete { .. } => ErrorKind::Incomplete,
            Self::Backend { .. } => ErrorKind::Backend,
        }
    }

    /// Returns the error for a parent that the thread of a checkpoint never had.
    pub fn no_parent(parent_seq: u64) -> Self {
        Self::invalid(
            "parent_seq",
            format!("must be the number of a checkpoint of the thread; it never had {parent_seq}"),
        )
    }

    /// Refuses an argument.
    pub(crate) fn invalid(argument: &'static str, reason: impl Into<String>) -> Self {
        Self::InvalidArgument {
            argument,
            reason: reason.into(),
        }
    }
}
