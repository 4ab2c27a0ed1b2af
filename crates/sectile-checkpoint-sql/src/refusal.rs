//! Errors that are returned to many calls at once.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use sectile_checkpoint::Error;

use crate::Call;

type Source = Box<dyn StdError + Send + Sync>;

/// Why no call of a group can be done now, whatever it writes. To try each alone would only take
/// longer.
pub struct Refusal(Box<dyn Fn() -> Error + Send>);

impl fmt::Debug for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Refusal").field(&(self.0)()).finish()
    }
}

impl Refusal {
    /// Returns the refusal of a group, from the error that it met.
    ///
    /// # Errors
    ///
    /// The error itself when a single call of the group may be its cause.
    pub fn of(error: Error) -> Result<Self, Error> {
        macro_rules! shared {
            ($($kind:ident),*) => {
                match error {
                    $(Error::$kind { source } => {
                        Ok(Self::with(source, |source| Error::$kind { source }))
                    })*
                    error => Err(error),
                }
            };
        }
        if let Error::FileReplaced { path } = error {
            let error = move || Error::FileReplaced { path: path.clone() };
            return Ok(Self(Box::new(error)));
        }
        shared!(
            Busy,
            Unavailable,
            TooManyConnections,
            TimedOut,
            ReadOnly,
            Full,
            PermissionDenied,
            Unauthenticated,
            PreparedStatements
        )
    }

    fn with(source: Source, error: fn(Source) -> Error) -> Self {
        let source = Shared(source.into());
        Self(Box::new(move || error(Box::new(source.clone()))))
    }

    /// Tells all callers.
    pub fn tell(&self, calls: impl IntoIterator<Item = Call>) {
        calls.into_iter().for_each(|call| call.end(Err((self.0)())));
    }
}

/// Returns whether an error of a namespace concerns the whole database, so that all others would
/// meet it.
pub const fn is_of_all(error: &Error) -> bool {
    matches!(
        error,
        Error::Unavailable { .. }
            | Error::TooManyConnections { .. }
            | Error::ReadOnly { .. }
            | Error::FileReplaced { .. }
            | Error::Unauthenticated { .. }
            | Error::DatabaseNotFound { .. }
            | Error::NotMigrated { .. }
            | Error::NewerSchema { .. }
    )
}

/// What the database says, to all.
#[derive(Clone, Debug)]
struct Shared(Arc<dyn StdError + Send + Sync>);

impl fmt::Display for Shared {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl StdError for Shared {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source()
    }
}

#[cfg(test)]
mod tests {
    use sectile_checkpoint::{Checkpoint, StoredState};

    use super::*;
    use crate::{NewRow, Queue};

    #[test]
    fn all_are_told_the_same_with_its_cause() {
        let mut queue = Queue::default();
        let row = NewRow::of(Checkpoint::new("t", StoredState::json("1"))).unwrap();
        let outcomes = [queue.push(row.clone().into()), queue.push(row.into())];
        let source = std::io::Error::other("a lock").into();
        Refusal::of(Error::Busy { source })
            .unwrap()
            .tell(queue.take());
        for mut outcome in outcomes {
            let Ok(Err(Error::Busy { source })) = outcome.try_recv() else {
                panic!("it was not told");
            };
            assert_eq!(source.to_string(), "a lock");
        }
    }

    #[test]
    fn a_lock_a_full_disk_and_missing_rights_concern_the_whole_group() {
        let source = || "the database".into();
        for error in [
            Error::Busy { source: source() },
            Error::Full { source: source() },
            Error::ReadOnly { source: source() },
            Error::PermissionDenied { source: source() },
            Error::TimedOut { source: source() },
            Error::Unavailable { source: source() },
        ] {
            let kind = error.kind();
            let mut queue = Queue::default();
            let row = NewRow::of(Checkpoint::new("t", StoredState::json("1"))).unwrap();
            let outcomes = [queue.push(row.clone().into()), queue.push(row.into())];
            Refusal::of(error).unwrap().tell(queue.take());
            for mut outcome in outcomes {
                let told = outcome.try_recv().unwrap();
                assert_eq!(told.unwrap_err().kind(), kind);
            }
        }
    }

    #[test]
    fn what_one_call_may_cause_is_no_refusal() {
        let source = "a row".into();
        let doing = "insert";
        assert!(Refusal::of(Error::Backend { doing, source }).is_err());
    }
}
