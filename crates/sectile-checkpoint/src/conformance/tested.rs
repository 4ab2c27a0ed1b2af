//! What a case is given.

use std::pin::Pin;
use std::sync::{Arc, mpsc};

use futures_util::future::join_all;

use crate::Records;

/// Something that runs.
pub type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// What a case is given: a checkpointer as an application holds one that it was told of, and what
/// runs a task beside others.
#[derive(Clone)]
pub struct Tested {
    pub(super) records: Arc<dyn Records>,
    spawn: fn(Task) -> Task,
}

impl std::fmt::Debug for Tested {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Tested").finish_non_exhaustive()
    }
}

impl std::ops::Deref for Tested {
    type Target = Arc<dyn Records>;

    fn deref(&self) -> &Self::Target {
        &self.records
    }
}

impl Tested {
    /// Returns a checkpointer to be tested. `spawn` begins a task of the test's runtime and returns
    /// what waits for it.
    pub fn new(checkpointer: impl Records + 'static, spawn: fn(Task) -> Task) -> Self {
        Self {
            records: Arc::new(checkpointer),
            spawn,
        }
    }

    /// Runs many tasks at once and returns what they returned, in any order.
    pub(super) async fn run<T, F>(&self, tasks: impl Iterator<Item = F>) -> Vec<T>
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        let (sender, results) = mpsc::channel();
        let spawn = |task: F| {
            let sender = sender.clone();
            (self.spawn)(Box::pin(async move {
                let _ = sender.send(task.await);
            }))
        };
        join_all(tasks.map(spawn)).await;
        drop(sender);
        results.into_iter().collect()
    }
}
