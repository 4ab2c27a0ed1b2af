//! Work on other threads that is cancelled when its future is dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the result of some work is no longer wanted.
#[derive(Clone, Default)]
pub(super) struct Cancelled(Arc<AtomicBool>);

impl Cancelled {
    pub(super) fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Cancels when it is dropped.
struct CancelOnDrop(Cancelled);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.set();
    }
}

/// Does work on a blocking thread. If the future is dropped, the work is cancelled.
pub(super) async fn unblock<T: Send + 'static>(
    work: impl FnOnce(&Cancelled) -> T + Send + 'static,
) -> T {
    let cancelled = Cancelled::default();
    let _guard = CancelOnDrop(cancelled.clone());
    blocking::unblock(move || work(&cancelled)).await
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn work_ends_when_its_future_is_dropped() {
        let (steps, step) = mpsc::channel();
        let work = tokio::spawn(unblock(move |cancelled| {
            steps.send("begun").unwrap();
            while !cancelled.get() {
                thread::yield_now();
            }
            steps.send("ended").unwrap();
        }));
        tokio::task::yield_now().await;
        assert_eq!(step.recv_timeout(Duration::from_mins(1)), Ok("begun"));
        work.abort();
        assert!(work.await.unwrap_err().is_cancelled());
        assert_eq!(step.recv_timeout(Duration::from_mins(1)), Ok("ended"));
    }

    #[tokio::test]
    async fn work_that_is_waited_for_is_not_cancelled() {
        assert!(!unblock(Cancelled::get).await);
    }
}
