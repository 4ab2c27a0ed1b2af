//! What stands before a place of keeping: pointers, and wrappers of an application's own.

use std::sync::Arc;

use async_trait::async_trait;

use crate::{
    At, Checkpoint, CheckpointQuery, Key, NamespaceSummary, PendingWrite, Prune, Records, Result,
    Saved, Sharing, StoredState, TaskWrites, ThreadQuery, ThreadSummary, Threads,
};

/// A wrapper around another backend, which forwards the operations on whole threads.
pub trait Wrapper: Send + Sync {
    /// The place after it.
    type Inner: Threads + ?Sized;

    /// Returns the wrapped backend.
    fn inner(&self) -> &Self::Inner;
}

#[async_trait]
impl<W: Wrapper + ?Sized> Threads for W {
    async fn threads(&self, query: &ThreadQuery) -> Result<Vec<ThreadSummary>> {
        self.inner().threads(query).await
    }

    async fn namespaces(&self, thread_id: &str) -> Result<Vec<NamespaceSummary>> {
        self.inner().namespaces(thread_id).await
    }

    async fn fork(&self, thread_id: &str, seq: u64, new_thread_id: &str) -> Result<u64> {
        self.inner().fork(thread_id, seq, new_thread_id).await
    }

    async fn copy_thread(&self, thread_id: &str, new_thread_id: &str) -> Result<u64> {
        self.inner().copy_thread(thread_id, new_thread_id).await
    }

    async fn delete_namespace(&self, key: &Key) -> Result<u64> {
        self.inner().delete_namespace(key).await
    }

    async fn delete_runs(&self, run_ids: &[String]) -> Result<u64> {
        self.inner().delete_runs(run_ids).await
    }

    async fn delete_thread(&self, thread_id: &str) -> Result<u64> {
        self.inner().delete_thread(thread_id).await
    }

    async fn prune(&self, prune: &Prune) -> Result<u64> {
        self.inner().prune(prune).await
    }
}

macro_rules! forward_to_inner {
    ($pointer:ty) => {
        impl<R: Threads + ?Sized> Wrapper for $pointer {
            type Inner = R;

            fn inner(&self) -> &R {
                self
            }
        }

        #[async_trait]
        impl<R: Records + ?Sized> Records for $pointer {
            async fn insert(&self, checkpoint: Checkpoint<StoredState>) -> Result<Saved> {
                (**self).insert(checkpoint).await
            }

            async fn fetch(&self, key: &Key, at: &At) -> Result<Option<Checkpoint<StoredState>>> {
                (**self).fetch(key, at).await
            }

            async fn fetch_typed(
                &self,
                key: &Key,
                at: &At,
            ) -> Result<Option<Checkpoint<StoredState>>> {
                (**self).fetch_typed(key, at).await
            }

            async fn select(
                &self,
                key: &Key,
                query: &CheckpointQuery,
            ) -> Result<Vec<Checkpoint<StoredState>>> {
                (**self).select(key, query).await
            }

            async fn insert_writes(&self, key: &Key, at: &At, writes: &TaskWrites) -> Result<()> {
                (**self).insert_writes(key, at, writes).await
            }

            async fn select_writes(&self, key: &Key, at: &At) -> Result<Vec<PendingWrite>> {
                (**self).select_writes(key, at).await
            }

            async fn count_writes(&self, key: &Key, seqs: &[u64]) -> Result<Vec<u64>> {
                (**self).count_writes(key, seqs).await
            }

            async fn sharing(&self, key: &Key, at: &At) -> Result<Option<Sharing>> {
                (**self).sharing(key, at).await
            }

            async fn select_writes_of(
                &self,
                key: &Key,
                all: &[At],
            ) -> Result<Vec<Vec<PendingWrite>>> {
                (**self).select_writes_of(key, all).await
            }
        }
    };
}

forward_to_inner!(&R);
forward_to_inner!(Arc<R>);
forward_to_inner!(Box<R>);
