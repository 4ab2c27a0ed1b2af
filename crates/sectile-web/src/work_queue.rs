//! Long-running work on blocking threads. The number of concurrent tasks is limited to the number of
//! processors.

use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;

use tokio::sync::Semaphore;

use crate::failure::Failure;

/// The queue for such work.
#[derive(Debug)]
pub(crate) struct WorkQueue(Arc<Semaphore>);

impl WorkQueue {
    /// Creates a queue with one permit per processor.
    pub(crate) fn new() -> Self {
        Self::of(available_parallelism().map_or(1, NonZero::get))
    }

    fn of(queue: usize) -> Self {
        Self(Arc::new(Semaphore::new(queue)))
    }

    /// Does some work when a permit is free. If the caller is gone by then, the work is not begun.
    /// Work that has begun is finished, and keeps its permit until then.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let turn = Arc::clone(&self.0).acquire_owned().await;
        let turn = turn.map_err(|error| Failure::broken(&error))?;
        let work = move || {
            let _turn = turn;
            work()
        };
        Ok(tokio::task::spawn_blocking(work).await?)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::sync::{Mutex, mpsc};

    use futures_util::FutureExt as _;
    use futures_util::future::join_all;

    use super::*;

    #[tokio::test]
    async fn no_more_is_done_at_once_than_there_are_turns() {
        let queue = WorkQueue::of(2);
        let (inside, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (go, gone) = mpsc::channel::<()>();
        let gone = Arc::new(Mutex::new(gone));
        let work = |_| {
            let (inside, most) = (Arc::clone(&inside), Arc::clone(&most));
            let gone = Arc::clone(&gone);
            queue.work(move || {
                most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                gone.lock().unwrap().recv().unwrap();
                inside.fetch_sub(1, Ordering::SeqCst);
            })
        };
        let release = async {
            while most.load(Ordering::SeqCst) < 2 {
                tokio::task::yield_now().await;
            }
            (0..8).for_each(|_| go.send(()).unwrap());
        };
        tokio::join!(join_all((0..8).map(work)), release);
        assert_eq!(most.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn what_nobody_waits_for_any_more_is_not_begun() {
        let queue = WorkQueue::of(1);
        let is_done = Arc::new(AtomicBool::new(false));
        let done = Arc::clone(&is_done);
        let turn = queue.0.acquire().await.unwrap();
        let waiting = queue.work(move || done.store(true, Ordering::SeqCst));
        assert!(waiting.now_or_never().is_none());
        drop(turn);
        queue.work(|| ()).await.unwrap();
        assert!(!is_done.load(Ordering::SeqCst));
    }

    #[tokio::test]
    async fn what_was_begun_keeps_its_turn() {
        let queue = WorkQueue::of(1);
        let (go, gone) = mpsc::channel::<()>();
        let begun = queue.work(move || gone.recv());
        assert!(begun.now_or_never().is_none());
        assert_eq!(queue.0.available_permits(), 0);
        go.send(()).unwrap();
        queue.work(|| ()).await.unwrap();
    }
}
