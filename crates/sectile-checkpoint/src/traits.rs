//! The traits of checkpoint stores.

use async_trait::async_trait;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::encode::{check_metadata, read, written};
use crate::{
    At, Checkpoint, CheckpointQuery, InNamespace, Key, NamespaceSummary, PendingWrite, Prune,
    Result, Saved, Sharing, StoredState, TaskWrites, ThreadQuery, ThreadSummary,
};

/// Saves the checkpoints of runs with states of type `S`, and loads the newest.
#[async_trait]
pub trait Checkpointer<S>: Send + Sync {
    /// Saves a checkpoint as the newest of its thread; its `seq` is ignored.
    ///
    /// When this returns, the checkpoint is durable. If the future is dropped before, it is stored
    /// completely or not at all.
    ///
    /// # Errors
    ///
    /// [`Error::Unencodable`](crate::Error::Unencodable) for a state that could not be loaded
    /// again, [`Error::InvalidArgument`](crate::Error::InvalidArgument) for ids and numbers that
    /// cannot be stored and for a parent that never existed,
    /// [`Error::IdConflict`](crate::Error::IdConflict) if the thread has another checkpoint with
    /// its id, and errors of the backend.
    async fn save(&self, checkpoint: &Checkpoint<S>) -> Result<Saved>;

    /// Loads the newest checkpoint of a thread, if it has any.
    ///
    /// # Errors
    ///
    /// [`Error::Undecodable`](crate::Error::Undecodable) if it has another type, and errors of the
    /// backend.
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

    /// Loads the checkpoint with an id of the caller.
    ///
    /// # Errors
    ///
    /// Those of [`Checkpointer::load`].
    async fn load_by_id(&self, thread_id: &str, id: &str) -> Result<Option<Checkpoint<S>>>;

    /// Loads checkpoints of a thread in the order of the query, newest first by default.
    ///
    /// # Errors
    ///
    /// Those of [`Checkpointer::load`].
    async fn list(&self, thread_id: &str, query: &CheckpointQuery) -> Result<Vec<Checkpoint<S>>>;
}

/// Operations on whole threads, independent of the type of their states.
#[async_trait]
pub trait Threads: Send + Sync {
    /// Lists threads.
    ///
    /// # Errors
    ///
    /// Errors of the backend.
    async fn threads(&self, query: &ThreadQuery) -> Result<Vec<ThreadSummary>>;

    /// Lists the namespaces of a thread that have checkpoints, in the order of their names' bytes.
    ///
    /// # Errors
    ///
    /// Errors of the backend.
    async fn namespaces(&self, thread_id: &str) -> Result<Vec<NamespaceSummary>>;

    /// Copies the checkpoints of a thread's root up to and including `seq` to a new thread, from
    /// which another run can continue. It also copies the checkpoints of other namespaces that were
    /// saved no later, and the pending writes. Returns the number of checkpoints.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`](crate::Error::NotFound) when there is no such checkpoint,
    /// [`Error::ThreadExists`](crate::Error::ThreadExists) if the new thread already exists, and
    /// errors of the backend.
    async fn fork(&self, thread_id: &str, seq: u64, new_thread_id: &str) -> Result<u64>;

    /// Copies all checkpoints of a thread and their pending writes to a new thread, and returns the
    /// number of checkpoints.
    ///
    /// # Errors
    ///
    /// Those of [`fork`](Self::fork).
    async fn copy_thread(&self, thread_id: &str, new_thread_id: &str) -> Result<u64>;

    /// Deletes all data of a namespace of a thread, and returns the number of deleted checkpoints.
    /// A missing namespace is not an error.
    ///
    /// # Errors
    ///
    /// Errors of the backend.
    async fn delete_namespace(&self, key: &Key) -> Result<u64>;

    /// Deletes the checkpoints of runs and their pending writes for other checkpoints, in all
    /// threads, and returns the number of deleted checkpoints. The checkpoints of other runs stay
    /// readable, and the numbering of a thread continues.
    ///
    /// # Errors
    ///
    /// Those of [`prune`](Self::prune).
    async fn delete_runs(&self, run_ids: &[String]) -> Result<u64>;

    /// Deletes all data of a thread, in all namespaces, and returns the number of deleted
    /// checkpoints. A missing thread is not an error.
    ///
    /// # Errors
    ///
    /// Errors of the backend.
    async fn delete_thread(&self, thread_id: &str) -> Result<u64>;

    /// Deletes old checkpoints and their pending writes, and returns the number of checkpoints. The
    /// newest readable checkpoint of each namespace of a thread always stays.
    ///
    /// # Errors
    ///
    /// [`Error::Incomplete`](crate::Error::Incomplete) if it failed in some threads and succeeded
    /// in others, and errors of the backend; then nothing was deleted. A failure in one thread does
    /// not stop the others. A failure of the whole backend, such as an unreachable server, ends the
    /// call.
    async fn prune(&self, prune: &Prune) -> Result<u64>;
}

/// Stores checkpoints with states of any type, in the form of [`StoredState`].
///
/// Every implementation is also a [`Checkpointer`], and has a [`CheckpointHistory`] and
/// [`RecordsExt`], which write and check the arguments of these methods.
#[async_trait]
pub trait Records: Threads {
    /// Stores a checkpoint as the newest of its thread.
    ///
    /// # Errors
    ///
    /// Those of [`Checkpointer::save`].
    async fn insert(&self, checkpoint: Checkpoint<StoredState>) -> Result<Saved>;

    /// Returns a checkpoint, if it exists.
    ///
    /// # Errors
    ///
    /// Errors of the backend.
    async fn fetch(&self, key: &Key, at: &At) -> Result<Option<Checkpoint<StoredState>>>;

    /// Returns a checkpoint for a load as a type, if it exists. If all channels are JSON, the state
    /// may be the JSON text of an object with their values, as [`StoredState::into_json`] makes it.
    ///
    /// # Errors
    ///
    /// Those of [`fetch`](Self::fetch).
    async fn fetch_typed(&self, key: &Key, at: &At) -> Result<Option<Checkpoint<StoredState>>> {
        self.fetch(key, at).await
    }

    /// Returns checkpoints of a namespace in the order of the query, newest first by default.
    ///
    /// # Errors
    ///
    /// Errors of the backend.
    async fn select(
        &self,
        key: &Key,
        query: &CheckpointQuery,
    ) -> Result<Vec<Checkpoint<StoredState>>>;

    /// Stores the pending writes of a task for a checkpoint, completely or not at all.
    ///
    /// # Errors
    ///
    /// Those of [`RecordsExt::put_writes`].
    async fn insert_writes(&self, key: &Key, at: &At, writes: &TaskWrites) -> Result<()>;

    /// Returns the pending writes of a checkpoint, in any order.
    ///
    /// # Errors
    ///
    /// Errors of the backend.
    async fn select_writes(&self, key: &Key, at: &At) -> Result<Vec<PendingWrite>>;

    /// Counts the pending writes of checkpoints of a namespace, given by their numbers, and returns
    /// the counts in the same order.
    ///
    /// # Errors
    ///
    /// Errors of the backend.
    async fn count_writes(&self, key: &Key, seqs: &[u64]) -> Result<Vec<u64>> {
        let mut counts = Vec::with_capacity(seqs.len());
        for seq in seqs {
            let writes = self.select_writes(key, &At::Seq(*seq)).await?;
            counts.push(writes.len() as u64);
        }
        Ok(counts)
    }

    /// Returns the pieces that the state of a checkpoint shares with the checkpoint that it
    /// follows. Returns `None` if the checkpoint does not exist or its state is not stored in
    /// pieces. By default, a backend stores no pieces.
    ///
    /// # Errors
    ///
    /// Errors of the backend.
    async fn sharing(&self, _key: &Key, _at: &At) -> Result<Option<Sharing>> {
        Ok(None)
    }

    /// Returns the pending writes of many checkpoints of a namespace, in any order. A backend may
    /// read them together.
    ///
    /// # Errors
    ///
    /// Errors of the backend.
    async fn select_writes_of(&self, key: &Key, all: &[At]) -> Result<Vec<Vec<PendingWrite>>> {
        let mut found = Vec::with_capacity(all.len());
        for at in all {
            found.push(self.select_writes(key, at).await?);
        }
        Ok(found)
    }
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
        fetch(self, &thread_id.into(), At::Latest).await
    }
}

#[async_trait]
impl<S, R> CheckpointHistory<S> for R
where
    S: Serialize + DeserializeOwned + Send + Sync,
    R: Records + ?Sized,
{
    async fn load_at(&self, thread_id: &str, seq: u64) -> Result<Option<Checkpoint<S>>> {
        fetch(self, &thread_id.into(), At::Seq(seq)).await
    }

    async fn load_by_id(&self, thread_id: &str, id: &str) -> Result<Option<Checkpoint<S>>> {
        fetch(self, &thread_id.into(), At::Id(id.into())).await
    }

    async fn list(&self, thread_id: &str, query: &CheckpointQuery) -> Result<Vec<Checkpoint<S>>> {
        list(self, &thread_id.into(), query).await
    }
}

async fn fetch<S, R>(records: &R, key: &Key, at: At) -> Result<Option<Checkpoint<S>>>
where
    S: DeserializeOwned,
    R: Records + ?Sized,
{
    key.validate()?;
    records.fetch_typed(key, &at).await?.map(read).transpose()
}

async fn list<S, R>(records: &R, key: &Key, query: &CheckpointQuery) -> Result<Vec<Checkpoint<S>>>
where
    S: DeserializeOwned,
    R: Records + ?Sized,
{
    key.validate()?;
    let found = records.select(key, query).await?;
    found.into_iter().map(read).collect()
}

/// Loads states of a type that the call names, `load_as::<State>("thread-1")`, and saves and loads
/// values of other kinds, channels and pending writes.
///
/// [`Checkpointer::load`] infers the type from the use of its result.
#[async_trait]
pub trait RecordsExt: Records {
    /// Returns the same checkpointer for a namespace of threads. Calls without a namespace use this
    /// one.
    fn in_namespace(self, namespace: impl Into<String>) -> InNamespace<Self>
    where
        Self: Sized,
    {
        InNamespace::new(self, namespace.into())
    }

    /// Loads the newest checkpoint of a thread, if it has any.
    ///
    /// # Errors
    ///
    /// Those of [`Checkpointer::load`].
    async fn load_as<S: DeserializeOwned>(&self, thread_id: &str) -> Result<Option<Checkpoint<S>>> {
        fetch(self, &thread_id.into(), At::Latest).await
    }

    /// Loads a checkpoint, if it exists.
    ///
    /// # Errors
    ///
    /// Those of [`Checkpointer::load`].
    async fn load_at_as<S: DeserializeOwned>(
        &self,
        thread_id: &str,
        at: At,
    ) -> Result<Option<Checkpoint<S>>> {
        fetch(self, &thread_id.into(), at).await
    }

    /// Loads checkpoints of a thread in the order of the query, newest first by default.
    ///
    /// # Errors
    ///
    /// Those of [`Checkpointer::load`].
    async fn list_as<S: DeserializeOwned>(
        &self,
        thread_id: &str,
        query: &CheckpointQuery,
    ) -> Result<Vec<Checkpoint<S>>> {
        list(self, &thread_id.into(), query).await
    }

    /// Saves a checkpoint whose state is typed bytes or channels.
    ///
    /// # Errors
    ///
    /// Those of [`Checkpointer::save`], and
    /// [`Error::InvalidArgument`](crate::Error::InvalidArgument) for text that is not JSON and for
    /// a channel that refers to a parent without that channel.
    async fn save_stored(
        &self,
        checkpoint: Checkpoint<impl Into<StoredState> + Send>,
    ) -> Result<Saved> {
        let checkpoint = checkpoint.map_state(Into::into);
        checkpoint.validate()?;
        check_metadata(&checkpoint)?;
        checkpoint.state.validate()?;
        self.insert(checkpoint).await
    }

    /// Loads a checkpoint in its stored form, if it exists.
    ///
    /// # Errors
    ///
    /// Errors of the backend.
    async fn load_stored(&self, key: &Key, at: &At) -> Result<Option<Checkpoint<StoredState>>> {
        key.validate()?;
        self.fetch(key, at).await
    }

    /// Stores the pending writes of a task for a checkpoint, so that an interrupted run does not
    /// repeat the task. When this returns, they are durable. Writing them again changes nothing,
    /// except that a [special](TaskWrites::write) write replaces the previous one.
    ///
    /// The writes are copied and deleted with the checkpoint. A checkpoint that is named by its id
    /// need not exist yet, because its save may still be running.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidArgument`](crate::Error::InvalidArgument) for writes that cannot be stored,
    /// [`Error::NotFound`](crate::Error::NotFound) when there is no such checkpoint, and errors of
    /// the backend.
    async fn put_writes(&self, key: &Key, at: &At, writes: &TaskWrites) -> Result<()> {
        key.validate()?;
        at.validate()?;
        writes.validate()?;
        self.insert_writes(key, at, writes).await
    }

    /// Loads the pending writes of a checkpoint, in the order of [`PendingWrite::order`].
    ///
    /// # Errors
    ///
    /// Errors of the backend.
    async fn pending_writes(&self, key: &Key, at: &At) -> Result<Vec<PendingWrite>> {
        key.validate()?;
        let mut writes = self.select_writes(key, at).await?;
        writes.sort_by(|one, other| one.order().cmp(&other.order()));
        Ok(writes)
    }

    /// Loads the pending writes of many checkpoints of a namespace, for example of a page of a
    /// list, each in the order of [`PendingWrite::order`]. SQLite and Postgres read the writes of
    /// checkpoints that are named by their ids at once; files and memory read all at once.
    ///
    /// # Errors
    ///
    /// Errors of the backend.
    async fn pending_writes_of(&self, key: &Key, all: &[At]) -> Result<Vec<Vec<PendingWrite>>> {
        key.validate()?;
        let mut found = self.select_writes_of(key, all).await?;
        for writes in &mut found {
            writes.sort_by(|one, other| one.order().cmp(&other.order()));
        }
        Ok(found)
    }
}

impl<R: Records + ?Sized> RecordsExt for R {}
