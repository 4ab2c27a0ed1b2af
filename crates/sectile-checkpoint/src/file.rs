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

mod beginning;
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

/// Stores checkpoints in a folder, with one file of JSON lines per thread.
///
/// A save appends to the file and waits until the data is on the disk, so an acknowledged save
/// survives a crash of the machine. Its cost does not depend on the number of checkpoints in the
/// thread. A partial line after a crash is ignored, and the next save removes it.
///
/// Tasks and processes may use one folder at once, each with its own `FileCheckpointer` or with
/// clones of one: a lock file next to each thread's file serializes its saves. This needs a file
/// system whose locks all of them see; network shares may lack this. A call waits while another one
/// has the lock. If its future is dropped before it has the lock, it does nothing.
///
/// The work runs on the threads of the `blocking` crate, so it needs no particular runtime.
///
/// In memory it keeps only the positions of checkpoints by their [ids](crate::Checkpoint::id), for
/// at most a million of them (some 50 megabytes), and only for threads with ids. Each process reads
/// them from the file once.
///
/// A state of JSON or of channels with more than 8 KiB is stored in pieces: the entries of long
/// lists, long texts and the values of channels. A save adds the pieces that the previous
/// checkpoint (its parent, if it names one) does not have, so the history only takes space for
/// changes. A load reads only the pieces of its state, and a damaged line only affects the
/// checkpoints that need it. `docs/checkpoints.md` describes the details.
///
/// # Files
///
/// The name of a file consists of the readable part of the thread's id, and a part of its BLAKE3
/// hash: `thread-1-0123456789abcdef0123456789abcdef.jsonl`. Its first line names the thread. Each
/// further line is a checkpoint or a piece, oldest first. Each line ends with its hash, which
/// detects damage. A checkpoint follows the pieces that were saved with it:
///
/// ```json
/// {"piece":21,"seq":18,"entries":[{"role":"user","content":"Hi"}],"hash":"…"}
/// {"seq":18,"last_piece":21,…,"layout":{"all":{"template":{"json":["{\"messages\":[","]}"]},"holes":[{"runs":"1-21"}]}},"hash":"…"}
/// ```
///
/// JSON text with newlines, or with spaces around it, is stored as a string. So are values of other
/// kinds that are text. Other bytes are in base64, which is a third longer.
///
/// Each namespace has its own file. Pending writes are in a file with the extension `.writes`, with
/// a line for each call. Files with other names are ignored.
///
/// Files of earlier releases are read. The first save rewrites such a file, and earlier releases
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
    /// Creates a checkpointer for a folder, and the folder if it does not exist.
    ///
    /// # Errors
    ///
    /// Errors of the operating system when the folder cannot be created.
    pub fn new(folder: impl AsRef<Path>) -> Result<Self> {
        let shared = Arc::new(Shared::new(folder.as_ref())?);
        Ok(Self { shared })
    }

    /// Returns the size of each namespace of each thread: of the lines in its files, and of these
    /// lines if each checkpoint had its own pieces. Damaged lines are counted as they are.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`](crate::Error::Corrupt) for a file with a damaged first line, and errors
    /// of the operating system.
    pub async fn usage(&self) -> Result<Vec<Usage>> {
        self.run(Store::usage).await
    }

    /// Reads all stored data, and returns the damage that it finds. It also reads pending writes of
    /// checkpoints that are not saved yet.
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
