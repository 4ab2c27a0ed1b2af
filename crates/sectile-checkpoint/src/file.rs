//! Checkpoints in files, one for each thread.

use std::any::Any;
use std::fmt;
use std::path::Path;
use std::slice;
use std::sync::Arc;

use async_trait::async_trait;

use crate::{
    At, Checkpoint, CheckpointQuery, Damage, Key, NamespaceSummary, PendingWrite, Prune, Records,
    Result, Saved, StoredState, TaskWrites, ThreadQuery, ThreadSummary, Threads, Usage,
};
use store::{Shared, Store};

mod check;
mod failure;
mod header;
mod index;
mod join;
mod keep;
mod layout;
mod lines;
mod lock;
mod names;
mod needed;
mod part;
mod piece;
mod record;
mod rewrite;
mod seal;
mod store;
mod thread;
mod typed;
mod whole;
mod writes;

/// Keeps checkpoints in a folder, the ones of each thread in a file of JSON lines.
///
/// A save appends to the file at once and waits until that is on the disk, so what was acknowledged
/// survives a crash of the machine; its cost does not depend on how many checkpoints the thread
/// has. What a crash cut off is not looked at, and the next save removes it.
///
/// Tasks and processes may use one folder at once, each with its own `FileCheckpointer` or with
/// clones of one: a lock file beside each thread's file keeps its saves apart. That takes a file
/// system with locks that all of them see, which shared folders of a network may not be. A call
/// waits for the lock as long as another one has it; when its future is dropped before it has the
/// lock, it does nothing.
///
/// The work is done on the threads of the `blocking` crate, so any runtime will do, or none.
///
/// Nothing is kept in memory but where the [ids](crate::Checkpoint::id) of checkpoints stand, of at
/// most a million of them (some 50 megabytes), and only of threads where ids are used; those are
/// read from the file once by each process.
///
/// A state of JSON or of channels with more than 8 KiB is kept in pieces: the entries of long lists,
/// long texts and the values of channels. A save adds those that the checkpoint before (its parent, if
/// it names one) does not have, so history takes what changed. A load reads the pieces of its state
/// alone, and a damaged line refuses only what needs it: `docs/checkpoints.md` says what else is done.
///
/// # Files
///
/// The name of a file is what can be read of the thread's id, and a part of its BLAKE3 hash:
/// `thread-1-0123456789abcdef0123456789abcdef.jsonl`. Its first line says which thread it is, each
/// further line is a checkpoint or a piece, oldest first; each ends in a hash of itself, by which
/// damage is seen. A checkpoint stands behind the pieces that were saved with it:
///
/// ```json
/// {"piece":21,"seq":18,"entries":[{"role":"user","content":"Hi"}],"hash":"…"}
/// {"seq":18,"last_piece":21,…,"layout":{"all":{"template":{"json":["{\"messages\":[","]}"]},"holes":[{"runs":"1-21"}]}},"hash":"…"}
/// ```
///
/// JSON text with newlines, or with spaces around it, stands in a string. So do values of other kinds
/// that are text; other bytes are in base64, a third longer.
///
/// A namespace has a file of its own. What tasks wrote beside checkpoints stands in one with the
/// ending `.writes`, with a line for each call. Files with other names are left alone.
///
/// Files of earlier releases are read. The first save writes such a file anew, and earlier releases
/// refuse it from then on ([`Error::NewerSchema`](crate::Error::NewerSchema)).
///
/// # Examples
///
/// ```
/// use sectile_checkpoint::{Checkpoint, Checkpointer, FileCheckpointer};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// let checkpointer = FileCheckpointer::new(folder.path().join("checkpoints"))?;
/// checkpointer.save(&Checkpoint::new("thread-1", 42)).await?;
///
/// let latest: Option<Checkpoint<i32>> = checkpointer.load("thread-1").await?;
/// assert_eq!(latest.map(|checkpoint| checkpoint.state), Some(42));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct FileCheckpointer {
    shared: Arc<Shared>,
}

impl FileCheckpointer {
    /// Returns one that keeps its files in a folder, which is created if it is not there.
    ///
    /// # Errors
    ///
    /// Errors of the operating system when the folder cannot be created.
    pub fn new(folder: impl AsRef<Path>) -> Result<Self> {
        let shared = Arc::new(Shared::new(folder.as_ref())?);
        Ok(Self { shared })
    }

    /// Says what each namespace of each thread takes: the lines of its files, and what those would be if
    /// each checkpoint had its pieces for itself. Damaged lines are counted as they are.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`](crate::Error::Corrupt) for a file whose first line is not as it was
    /// written, and errors of the operating system.
    pub async fn usage(&self) -> Result<Vec<Usage>> {
        self.run(Store::usage).await
    }

    /// Reads all that is kept, and returns what is not as it was saved. Writes beside checkpoints that are
    /// not saved yet are read, too.
    ///
    /// # Errors
    ///
    /// Errors of the operating system.
    pub async fn verify(&self) -> Result<Vec<Damage>> {
        self.run(Store::verify).await
    }

    /// Runs work with files where it does not hold up the tasks of a runtime.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        // The work sees by this whether the future that waits for it was dropped.
        let caller = Arc::new(());
        let store = Store::new(Arc::clone(&self.shared), Arc::downgrade(&caller));
        // What starts work is compiled again for each type of work and of result; with one type of each it is
        // compiled once.
        let work: Box<dyn FnOnce() -> Box<dyn Any + Send> + Send> =
            Box::new(move || Box::new(work(&store)) as Box<dyn Any + Send>);
        let done = blocking::unblock(work).await;
        drop(caller);
        *done
            .downcast()
            .expect("work gives back what its caller waits for")
    }
}

impl fmt::Debug for FileCheckpointer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("FileCheckpointer")
            .field("folder", &self.shared.folder())
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl Records for FileCheckpointer {
    async fn insert(&self, checkpoint: Checkpoint<StoredState>) -> Result<Saved> {
        self.run(move |store| store.save(checkpoint)).await
    }

    async fn fetch(&self, key: &Key, at: &At) -> Result<Option<Checkpoint<StoredState>>> {
        let (key, at) = (key.clone(), at.clone());
        self.run(move |store| store.load(&key, &at)).await
    }

    async fn select(
        &self,
        key: &Key,
        query: &CheckpointQuery,
    ) -> Result<Vec<Checkpoint<StoredState>>> {
        let (key, query) = (key.clone(), query.clone());
        self.run(move |store| store.list(&key, &query)).await
    }

    async fn insert_writes(&self, key: &Key, at: &At, writes: &TaskWrites) -> Result<()> {
        let (key, at, writes) = (key.clone(), at.clone(), writes.clone());
        self.run(move |store| store.write(&key, &at, &writes)).await
    }

    async fn select_writes(&self, key: &Key, at: &At) -> Result<Vec<PendingWrite>> {
        let all = slice::from_ref(at);
        let found = self.select_writes_of(key, all).await?;
        Ok(found.into_iter().flatten().collect())
    }

    async fn count_writes(&self, key: &Key, seqs: &[u64]) -> Result<Vec<u64>> {
        let all: Vec<At> = seqs.iter().copied().map(At::Seq).collect();
        let key = key.clone();
        self.run(move |store| store.count_writes(&key, &all)).await
    }

    async fn select_writes_of(&self, key: &Key, all: &[At]) -> Result<Vec<Vec<PendingWrite>>> {
        let (key, all) = (key.clone(), all.to_vec());
        self.run(move |store| store.writes(&key, &all)).await
    }
}

#[async_trait]
impl Threads for FileCheckpointer {
    async fn threads(&self, query: &ThreadQuery) -> Result<Vec<ThreadSummary>> {
        let query = query.clone();
        self.run(move |store| store.threads(&query)).await
    }

    async fn namespaces(&self, thread_id: &str) -> Result<Vec<NamespaceSummary>> {
        let thread_id = thread_id.to_owned();
        self.run(move |store| store.namespaces(&thread_id)).await
    }

    async fn delete_namespace(&self, key: &Key) -> Result<u64> {
        let key = key.clone();
        self.run(move |store| store.delete_namespace(&key)).await
    }

    async fn delete_runs(&self, run_ids: &[String]) -> Result<u64> {
        let run_ids = run_ids.to_vec();
        self.run(move |store| store.delete_runs(&run_ids)).await
    }

    async fn fork(&self, thread_id: &str, seq: u64, new_thread_id: &str) -> Result<u64> {
        let (from, to) = (thread_id.to_owned(), new_thread_id.to_owned());
        self.run(move |store| store.copy(&from, Some(seq), &to))
            .await
    }

    async fn copy_thread(&self, thread_id: &str, new_thread_id: &str) -> Result<u64> {
        let (from, to) = (thread_id.to_owned(), new_thread_id.to_owned());
        self.run(move |store| store.copy(&from, None, &to)).await
    }

    async fn delete_thread(&self, thread_id: &str) -> Result<u64> {
        let thread_id = thread_id.to_owned();
        self.run(move |store| store.delete(&thread_id)).await
    }

    async fn prune(&self, prune: &Prune) -> Result<u64> {
        let prune = prune.clone();
        self.run(move |store| store.prune(&prune)).await
    }
}
