//! Errors in the form of Wesichain, and errors of an import.

use std::error::Error as StdError;

use sectile_checkpoint::Error;
use wesichain_core::WesichainError;

/// What the message of a `CheckpointFailed` ends in when the same call may succeed later without a
/// change: the database was busy, gave up one of several transactions, or could not be reached.
pub const MAY_RETRY: &str = "(a retry may help)";

/// Where an error comes from.
type Source = Box<dyn StdError + Send + Sync>;

/// Returns Wesichain's error for one of Sectile.
#[expect(
    clippy::needless_pass_by_value,
    reason = "it is what `map_err` hands over"
)]
pub(crate) fn wesichain_error(error: Error) -> WesichainError {
    let message = chain(&error);
    match error {
        Error::InvalidArgument { .. } | Error::InvalidConfig { .. } => {
            WesichainError::InvalidConfig(message)
        }
        _ if error.is_retryable() => {
            WesichainError::CheckpointFailed(format!("{message} {MAY_RETRY}"))
        }
        _ => WesichainError::CheckpointFailed(message),
    }
}

/// Returns the messages of an error and of all that it comes from, as Wesichain's errors have no
/// source. Errors of databases end in the message of their source, which is not said twice.
fn chain(error: &Error) -> String {
    let mut message = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let next = error.to_string();
        if !message.ends_with(&next) {
            message = format!("{message}: {next}");
        }
        source = error.source();
    }
    message
}

/// Why checkpoints were not imported. Those before are; an import that is repeated goes on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The address is none of a database: pass another one.
    #[error("`url` is not the address of a database")]
    InvalidUrl {
        /// What is wrong with it.
        source: Source,
    },
    /// The database has no checkpoints of Wesichain: name the right one, or its schema.
    #[error("the database has no table `checkpoints` as wesichain-checkpoint-sql makes it")]
    NoTable,
    /// The database cannot be opened or read.
    #[error("the checkpoints to import cannot be read")]
    Unreadable {
        /// What the database says.
        source: Source,
    },
    /// A row that wesichain did not write. Fix it or skip it.
    #[error("checkpoint {seq} of thread `{thread_id}` cannot be imported: `{column}` {reason}")]
    InvalidRow {
        /// The thread.
        thread_id: String,
        /// The number that the checkpoint has in the row.
        seq: i64,
        /// The column.
        column: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// A checkpoint that is new, of a thread that has newer ones which were not imported: it would
    /// become the newest. Import into another place, or delete the thread there first.
    #[error(
        "checkpoint {seq} of thread `{thread_id}` cannot be imported: runs have saved to the thread \
         where it would go"
    )]
    ThreadWentOn {
        /// The thread.
        thread_id: String,
        /// The number that the checkpoint has in the row.
        seq: i64,
    },
    /// A checkpoint could not be saved.
    #[error("checkpoint {seq} of thread `{thread_id}` cannot be imported")]
    Unsaved {
        /// The thread.
        thread_id: String,
        /// The number that the checkpoint has in the row.
        seq: i64,
        /// Why not.
        source: Error,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("the server says: {0}")]
    struct Outer(#[source] std::io::Error);

    #[test]
    fn messages_of_sources_are_joined_and_said_once() {
        let source = Box::new(Outer(std::io::Error::other("no")));
        let error = Error::Backend {
            doing: "read",
            source,
        };
        assert_eq!(chain(&error), "cannot read: the server says: no");
    }

    #[test]
    fn what_may_be_repeated_says_so() {
        let busy = wesichain_error(Error::Busy {
            source: "locked".into(),
        });
        assert_eq!(
            busy.to_string(),
            "Checkpoint failed: the database is busy: others hold it for longer than the timeout: \
             locked (a retry may help)"
        );
        let full = wesichain_error(Error::Full {
            source: "no space".into(),
        });
        assert!(!full.to_string().contains(MAY_RETRY));
    }

    #[test]
    fn arguments_and_settings_are_configuration() {
        let setting = Error::InvalidConfig {
            setting: "url",
            reason: "is none".into(),
        };
        assert!(matches!(
            wesichain_error(setting),
            WesichainError::InvalidConfig(message) if message == "`url` is none"
        ));
    }
}
