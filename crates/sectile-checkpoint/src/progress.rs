//! Calls that go through many threads.

use crate::error::{Failure, Failures};
use crate::{Error, Key, Result};

/// The results of a call over many threads.
#[derive(Debug, Default)]
pub struct Progress {
    done: u64,
    failures: Vec<Failure>,
}

impl Progress {
    /// Adds how many checkpoints were deleted.
    pub fn add(&mut self, done: u64) {
        self.done += done;
    }

    /// Records that the call failed in a thread.
    pub fn fail(&mut self, key: Option<Key>, error: Error) {
        let (thread_id, namespace) = key.map(|key| (key.thread_id, key.namespace)).unzip();
        self.failures.push(Failure {
            thread_id,
            namespace,
            error,
        });
    }

    /// Returns how many checkpoints were deleted. `ended` says whether the call came to all threads.
    ///
    /// # Errors
    ///
    /// [`Error::Incomplete`] where the call failed after something was done, or in several threads;
    /// otherwise the one error that it met.
    pub fn end(mut self, ended: Result<()>) -> Result<u64> {
        if let Err(error) = ended {
            self.fail(None, error);
        }
        let done = self.done;
        match self.failures.pop() {
            None => Ok(done),
            Some(only) if done == 0 && self.failures.is_empty() => Err(only.error),
            Some(last) => {
                self.failures.push(last);
                let failures = Failures(self.failures);
                Err(Error::Incomplete { done, failures })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::*;
    use crate::ErrorKind;

    fn busy() -> Error {
        let source = "a lock".into();
        Error::Busy { source }
    }

    fn damaged() -> Error {
        let what = "a row".into();
        Error::Corrupt { what }
    }

    #[test]
    fn one_failure_of_a_call_that_did_nothing_is_told_as_it_is() {
        assert_eq!(Progress::default().end(Ok(())).unwrap(), 0);
        let ended = Progress::default().end(Err(busy()));
        assert_eq!(ended.unwrap_err().kind(), ErrorKind::Busy);
        let mut progress = Progress::default();
        progress.fail(Some("a".into()), damaged());
        let ended = progress.end(Ok(()));
        assert_eq!(ended.unwrap_err().kind(), ErrorKind::Corrupt);
    }

    #[test]
    fn what_was_done_is_told_with_each_thread_that_failed() {
        let mut progress = Progress::default();
        progress.add(2);
        progress.fail(Some("a".into()), damaged());
        progress.add(1);
        progress.fail(Some(Key::new("b", "child")), busy());
        let error = progress.end(Err(busy())).unwrap_err();
        assert!(!error.is_retryable());
        assert_eq!(
            error.to_string(),
            "3 checkpoints were deleted, but some threads failed"
        );
        assert_eq!(
            error.source().unwrap().to_string(),
            format!(
                "thread `a`: {}; thread `b` in namespace `child`: {}; {}",
                damaged(),
                busy(),
                busy()
            )
        );
        let mut progress = Progress::default();
        for _ in 0..12 {
            progress.fail(None, busy());
        }
        let error = progress.end(Ok(())).unwrap_err();
        assert!(error.is_retryable());
        let failures = error.source().unwrap();
        assert!(failures.to_string().ends_with("; and 2 more"));
        assert_eq!(failures.source().unwrap().to_string(), "a lock");
    }
}
