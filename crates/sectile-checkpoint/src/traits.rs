//! What is asked of a place where checkpoints are kept.

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
    /// checkpoint under its id, and errors of the backend.
    async fn save(&self, checkpoint: &Checkpoint<S>) -> Result<Saved>;

    /// Loads the newest checkpoint of a thread, if it has any.
    ///
    /// # Errors
    ///
    /// [`Error::Undecodable`](crate::Error::Undecodable) when it is of another type, and errors of
    /// the backend.
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
    /// which another run can go on, with those of other namespaces that were saved no later, and
    /// with the writes beside them. Returns how many checkpoints they are.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`](crate::Error::NotFound) when there is no such checkpoint,
    /// [`Error::ThreadExists`](crate::Error::ThreadExists) when the new thread is there already,
    /// and errors of the backend.
    async fn fork(&self, thread_id: &str, seq: u64, new_thread_id: &str) -> Result<u64>;

    /// Copies all checkpoints of a thread to a new thread, with the writes beside them, and returns
    /// how many checkpoints they are.
    ///
    /// # Errors
    ///
    /// Those of [`fork`](Self::fork).
    async fn copy_thread(&self, thread_id: &str, new_thread_id: &str) -> Result<u64>;

    /// Deletes all that is kept of a namespace of a thread, and returns how many checkpoints that
    /// were. One that is not there is no error.
    ///
    /// # Errors
    ///
    /// Errors of the backend.
    async fn delete_namespace(&self, key: &Key) -> Result<u64>;

    /// Deletes what runs saved, and what they wrote beside other checkpoints, in all threads;
    /// returns how many checkpoints that were. The checkpoints of other runs stay readable, and the
    /// numbers of a thread go on where they were.
    ///
    /// # Errors
    ///
    /// Those of [`prune`](Self::prune).
    async fn delete_runs(&self, run_ids: &[String]) -> Result<u64>;

    /// Deletes all that is kept of a thread, in all namespaces, and returns how many checkpoints
    /// that were. A thread that is not there is no error.
    ///
    /// # Errors
    ///
    /// Errors of the backend.
    async fn delete_thread(&self, thread_id: &str) -> Result<u64>;

    /// Deletes old checkpoints with the writes beside them and returns how many; the newest of each
    /// namespace of a thread that can be read always stays.
    ///
    /// # Errors
    ///
    /// [`Error::Incomplete`](crate::Error::Incomplete) where it failed in some threads and others are done,
    /// and errors of the backend; then nothing was deleted. A thread in which it fails keeps no
    /// other from being done. What concerns the whole place, as a server that cannot be reached, ends the
    /// call.
    async fn prune(&self, prune: &Prune) -> Result<u64>;
}

/// Keeps checkpoints with states of any type, in the form of [`StoredState`].
///
/// Whatever implements this is a [`Checkpointer`] and has a [`CheckpointHistory`] and
/// [`RecordsExt`], which write and check what is handed to these methods.
#[async_trait]
pub trait Records: Threads {
    /// Stores a checkpoint as the newest of its thread.
    ///
    /// # Errors
    ///
    /// Those of [`Checkpointer::save`].
    async fn insert(&self, checkpoint: Checkpoint<StoredState>) -> Result<Saved>;

    /// Returns a checkpoint, if it is there.
    ///
    /// # Errors
    ///
    /// Errors of the backend.
    async fn fetch(&self, key: &Key, at: &At) -> Result<Option<Checkpoint<StoredState>>>;

    /// Returns a checkpoint whose state is wanted as a type, if it is there. Channels that are all JSON may
    /// come as the JSON text of an object with their values, as [`StoredState::into_json`] makes it.
    ///
    /// # Errors
    ///
    /// Those of [`fetch`](Self::fetch).
    async fn fetch_typed(&self, key: &Key, at: &At) -> Result<Option<Checkpoint<StoredState>>> {
        self.fetch(key, at).await
    }

    /// Returns checkpoints of a namespace, newest first.
    ///
    /// # Errors
    ///
    /// Errors of the backend.
    async fn select(
        &self,
        key: &Key,
        query: &CheckpointQuery,
    ) -> Result<Vec<Checkpoint<StoredState>>>;

    /// Keeps what a task wrote beside a checkpoint, whole or not at all.
    ///
    /// # Errors
    ///
    /// Those of [`RecordsExt::put_writes`].
    async fn insert_writes(&self, key: &Key, at: &At, writes: &TaskWrites) -> Result<()>;

    /// Returns what tasks wrote beside a checkpoint, in any order.
    ///
    /// # Errors
    ///
    /// Errors of the backend.
    async fn select_writes(&self, key: &Key, at: &At) -> Result<Vec<PendingWrite>>;

    /// Counts what tasks wrote beside checkpoints of a namespace, which are given by their numbers, and returns
    /// the counts in that order.
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

    /// Says what the state of a checkpoint shares with the checkpoint that it follows. Returns nothing if the
    /// checkpoint is not there or its state is not stored in pieces, as none is unless the place says so.
    ///
    /// # Errors
    ///
    /// Errors of the backend.
    async fn sharing(&self, _key: &Key, _at: &At) -> Result<Option<Sharing>> {
        Ok(None)
    }

    /// Returns what tasks wrote beside each of many checkpoints of a namespace, in any order. A place that
    /// reads them faster together than one by one does so.
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
/// what is more than a state of a type: values of other kinds, channels, writes.
///
/// [`Checkpointer::load`] takes the type from what its result is used for.
#[async_trait]
pub trait RecordsExt: Records {
    /// Returns the same checkpointer for a namespace of threads: what names no namespace means this
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

    /// Loads a checkpoint, if it is there.
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

    /// Loads checkpoints of a thread, newest first.
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

    /// Saves a checkpoint whose state is bytes of a kind, or channels.
    ///
    /// # Errors
    ///
    /// Those of [`Checkpointer::save`], and
    /// [`Error::InvalidArgument`](crate::Error::InvalidArgument) for text that is not JSON and for a
    /// channel that is to be taken from a parent without it.
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

    /// Loads a checkpoint in the form in which it is kept, if it is there.
    ///
    /// # Errors
    ///
    /// Errors of the backend.
    async fn load_stored(&self, key: &Key, at: &At) -> Result<Option<Checkpoint<StoredState>>> {
        key.validate()?;
        self.fetch(key, at).await
    }

    /// Keeps what a task wrote beside a checkpoint, so that a run that is interrupted does not do
    /// it again. When this returns, it is durable. What is written again changes nothing, except
    /// that a [special](TaskWrites::write) write takes the place of the one before.
    ///
    /// The writes go with the checkpoint: into copies, and away with it. A checkpoint that is named
    /// by its id need not be there yet, as its own save may be on its way.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidArgument`](crate::Error::InvalidArgument) for what cannot be kept,
    /// [`Error::NotFound`](crate::Error::NotFound) when there is no such checkpoint, and errors of
    /// the backend.
    async fn put_writes(&self, key: &Key, at: &At, writes: &TaskWrites) -> Result<()> {
        key.validate()?;
        at.validate()?;
        writes.validate()?;
        self.insert_writes(key, at, writes).await
    }

    /// Loads what tasks wrote beside a checkpoint, in the order of [`PendingWrite::order`].
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

    /// Loads what tasks wrote beside each of many checkpoints of a namespace, those of a page of a list for
    /// example, each in the order of [`PendingWrite::order`]. SQLite and Postgres read those of checkpoints
    /// that are named by their ids at once, files and memory those of all.
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
