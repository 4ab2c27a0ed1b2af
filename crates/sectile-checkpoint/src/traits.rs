//! What is asked of a place where checkpoints are kept.

use std::sync::Arc;

use async_trait::async_trait;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::checkpoint::check_thread_id;
use crate::encode::{read, written};
use crate::{
    At, Checkpoint, CheckpointQuery, Prune, Result, Saved, StateJson, ThreadQuery, ThreadSummary,
};

/// Saves the checkpoints of runs with states of type `S`, and loads the newest.
#[async_trait]
pub trait Checkpointer<S>: Send + Sync {
    /// Saves a checkpoint as the newest of its thread; its `seq` is not looked at.
    ///
    /// When this returns, the checkpoint is durable. If the future is dropped before, it is stored
    /// whole or not at all.
    ///
    /// # Errors
    ///
    /// [`Error::Unencodable`](crate::Error::Unencodable) for what could not be loaded again,
    /// [`Error::InvalidArgument`](crate::Error::InvalidArgument) for ids and numbers that cannot be
    /// kept and for a parent that never was, [`Error::IdConflict`](crate::Error::IdConflict) where the thread has another
    /// checkpoint under its id, and what the place of keeping reports.
    async fn save(&self, checkpoint: &Checkpoint<S>) -> Result<Saved>;

    /// Loads the newest checkpoint of a thread, if it has any.
    ///
    /// # Errors
    ///
    /// [`Error::Undecodable`](crate::Error::Undecodable) when it is of another type, and what the
    /// place of keeping reports.
    async fn load(&self, thread_id: &str) -> Result<Option<Checkpoint<S>>>;
}

/// Loads any checkpoint of a thread.
#[async_trait]
pub trait CheckpointHistory<S>: Checkpointer<S> + Threads {
    /// Loads the checkpoint with a number.
    ///
    /// # Errors
    ///
    /// Those of [`Checkpointer::load`].
    async fn load_at(&self, thread_id: &str, seq: u64) -> Result<Option<Checkpoint<S>>>;

    /// Loads the checkpoint with an id by the caller.
    ///
    /// # Errors
    ///
    /// Those of [`Checkpointer::load`].
    async fn load_by_id(&self, thread_id: &str, id: &str) -> Result<Option<Checkpoint<S>>>;

    /// Loads checkpoints of a thread, newest first.
    ///
    /// # Errors
    ///
    /// Those of [`Checkpointer::load`].
    async fn list(&self, thread_id: &str, query: &CheckpointQuery) -> Result<Vec<Checkpoint<S>>>;
}

/// What is done with whole threads, whatever their states are.
#[async_trait]
pub trait Threads: Send + Sync {
    /// Lists the threads in the order of their ids' bytes.
    ///
    /// # Errors
    ///
    /// What the place of keeping reports.
    async fn threads(&self, query: &ThreadQuery) -> Result<Vec<ThreadSummary>>;

    /// Copies the checkpoints of a thread up to and including `seq` to a new thread, from which
    /// another run can go on, and returns how many they are.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`](crate::Error::NotFound) when there is no such checkpoint,
    /// [`Error::ThreadExists`](crate::Error::ThreadExists) when the new thread is there already,
    /// and what the place of keeping reports.
    async fn fork(&self, thread_id: &str, seq: u64, new_thread_id: &str) -> Result<u64>;

    /// Copies all checkpoints of a thread to a new thread, and returns how many they are.
    ///
    /// # Errors
    ///
    /// Those of [`fork`](Self::fork).
    async fn copy_thread(&self, thread_id: &str, new_thread_id: &str) -> Result<u64>;

    /// Deletes all that is kept of a thread, and returns how many checkpoints that were. A thread
    /// that is not there is no error.
    ///
    /// # Errors
    ///
    /// What the place of keeping reports.
    async fn delete_thread(&self, thread_id: &str) -> Result<u64>;

    /// Deletes old checkpoints and returns how many; the newest of a thread always stays.
    ///
    /// # Errors
    ///
    /// What the place of keeping reports.
    async fn prune(&self, prune: &Prune) -> Result<u64>;
}

/// Keeps checkpoints with states of any type, as JSON text.
///
/// Whatever implements this is a [`Checkpointer`] and has a [`CheckpointHistory`], which write and
/// check what is handed to these methods.
#[async_trait]
pub trait Records: Threads {
    /// Stores a checkpoint as the newest of its thread.
    ///
    /// # Errors
    ///
    /// Those of [`Checkpointer::save`].
    async fn insert(&self, checkpoint: Checkpoint<StateJson>) -> Result<Saved>;

    /// Returns a checkpoint, if it is there.
    ///
    /// # Errors
    ///
    /// What the place of keeping reports.
    async fn fetch(&self, thread_id: &str, at: &At) -> Result<Option<Checkpoint<StateJson>>>;

    /// Returns checkpoints of a thread, newest first.
    ///
    /// # Errors
    ///
    /// What the place of keeping reports.
    async fn select(
        &self,
        thread_id: &str,
        query: &CheckpointQuery,
    ) -> Result<Vec<Checkpoint<StateJson>>>;
}

#[async_trait]
impl<S, R> Checkpointer<S> for R
where
    S: Serialize + DeserializeOwned + Send + Sync,
    R: Records + ?Sized,
{
    async fn save(&self, checkpoint: &Checkpoint<S>) -> Result<Saved> {
        self.insert(written(checkpoint)?).await
    }

    async fn load(&self, thread_id: &str) -> Result<Option<Checkpoint<S>>> {
        fetch(self, thread_id, At::Latest).await
    }
}

#[async_trait]
impl<S, R> CheckpointHistory<S> for R
where
    S: Serialize + DeserializeOwned + Send + Sync,
    R: Records + ?Sized,
{
    async fn load_at(&self, thread_id: &str, seq: u64) -> Result<Option<Checkpoint<S>>> {
        fetch(self, thread_id, At::Seq(seq)).await
    }

    async fn load_by_id(&self, thread_id: &str, id: &str) -> Result<Option<Checkpoint<S>>> {
        fetch(self, thread_id, At::Id(id.into())).await
    }

    async fn list(&self, thread_id: &str, query: &CheckpointQuery) -> Result<Vec<Checkpoint<S>>> {
        list(self, thread_id, query).await
    }
}

async fn fetch<S, R>(records: &R, thread_id: &str, at: At) -> Result<Option<Checkpoint<S>>>
where
    S: DeserializeOwned,
    R: Records + ?Sized,
{
    check_thread_id(thread_id)?;
    records.fetch(thread_id, &at).await?.map(read).transpose()
}

async fn list<S, R>(
    records: &R,
    thread_id: &str,
    query: &CheckpointQuery,
) -> Result<Vec<Checkpoint<S>>>
where
    S: DeserializeOwned,
    R: Records + ?Sized,
{
    check_thread_id(thread_id)?;
    let found = records.select(thread_id, query).await?;
    found.into_iter().map(read).collect()
}

/// Loads states of a type that the call names: `load_as::<State>("thread-1")`.
///
/// [`Checkpointer::load`] takes the type from what its result is used for.
pub trait RecordsExt: Records {
    /// Loads the newest checkpoint of a thread, if it has any.
    ///
    /// # Errors
    ///
    /// Those of [`Checkpointer::load`].
    fn load_as<S: DeserializeOwned>(
        &self,
        thread_id: &str,
    ) -> impl Future<Output = Result<Option<Checkpoint<S>>>> + Send {
        fetch(self, thread_id, At::Latest)
    }

    /// Loads a checkpoint, if it is there.
    ///
    /// # Errors
    ///
    /// Those of [`Checkpointer::load`].
    fn load_at_as<S: DeserializeOwned>(
        &self,
        thread_id: &str,
        at: At,
    ) -> impl Future<Output = Result<Option<Checkpoint<S>>>> + Send {
        fetch(self, thread_id, at)
    }

    /// Loads checkpoints of a thread, newest first.
    ///
    /// # Errors
    ///
    /// Those of [`Checkpointer::load`].
    fn list_as<S: DeserializeOwned>(
        &self,
        thread_id: &str,
        query: &CheckpointQuery,
    ) -> impl Future<Output = Result<Vec<Checkpoint<S>>>> + Send {
        list(self, thread_id, query)
    }
}

impl<R: Records + ?Sized> RecordsExt for R {}

macro_rules! forward_to_inner {
    ($pointer:ty) => {
        #[async_trait]
        impl<R: Threads + ?Sized> Threads for $pointer {
            async fn threads(&self, query: &ThreadQuery) -> Result<Vec<ThreadSummary>> {
                (**self).threads(query).await
            }

            async fn fork(&self, thread_id: &str, seq: u64, new_thread_id: &str) -> Result<u64> {
                (**self).fork(thread_id, seq, new_thread_id).await
            }

            async fn copy_thread(&self, thread_id: &str, new_thread_id: &str) -> Result<u64> {
                (**self).copy_thread(thread_id, new_thread_id).await
            }

            async fn delete_thread(&self, thread_id: &str) -> Result<u64> {
                (**self).delete_thread(thread_id).await
            }

            async fn prune(&self, prune: &Prune) -> Result<u64> {
                (**self).prune(prune).await
            }
        }

        #[async_trait]
        impl<R: Records + ?Sized> Records for $pointer {
            async fn insert(&self, checkpoint: Checkpoint<StateJson>) -> Result<Saved> {
                (**self).insert(checkpoint).await
            }

            async fn fetch(
                &self,
                thread_id: &str,
                at: &At,
            ) -> Result<Option<Checkpoint<StateJson>>> {
                (**self).fetch(thread_id, at).await
            }

            async fn select(
                &self,
                thread_id: &str,
                query: &CheckpointQuery,
            ) -> Result<Vec<Checkpoint<StateJson>>> {
                (**self).select(thread_id, query).await
            }
        }
    };
}

forward_to_inner!(&R);
forward_to_inner!(Arc<R>);
forward_to_inner!(Box<R>);
