//! Many files at once, without blocking a runtime.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::stream::{self, BoxStream, Stream, StreamExt as _};
use sectile_chunk::RecursiveCharacterTextSplitter;
use sectile_core::Document;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, SemaphorePermit, mpsc};

use crate::split::{SplitDocument, split};
use crate::{Error, FileLoader};

/// Files in the requested order, each with its result.
pub type Files<T> = BoxStream<'static, (PathBuf, Result<T, Error>)>;

/// An event while files are loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadEvent {
    /// A file is being loaded.
    Started {
        /// The file.
        path: PathBuf,
    },
    /// A page of a file is done.
    Page {
        /// The file.
        path: PathBuf,
        /// How many of its pages are done.
        done: u32,
        /// How many pages are loaded of it.
        of: u32,
    },
    /// A file is done, or failed.
    Finished {
        /// The file.
        path: PathBuf,
        /// Whether it could be loaded.
        is_loaded: bool,
    },
}

/// Loads many files, several at a time, off the runtime's threads.
///
/// ```
/// use futures_util::StreamExt as _;
/// use sectile_load::{FileLoader, FilesLoader};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let paths = [folder.path().join("a.txt"), folder.path().join("b.txt")];
/// # std::fs::write(&paths[0], "text")?;
/// let files = FilesLoader::new(FileLoader::default()).with_jobs(4);
/// let mut documents = files.load(paths);
/// while let Some((path, result)) = documents.next().await {
///     match result {
///         Ok(document) => println!("{}: {} bytes", path.display(), document.text.len()),
///         Err(error) => eprintln!("{error}"),
///     }
/// }
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct FilesLoader {
    loader: FileLoader,
    jobs: usize,
    on_event: Arc<dyn Fn(LoadEvent) + Send + Sync>,
}

impl std::fmt::Debug for FilesLoader {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("FilesLoader")
            .field("loader", &self.loader)
            .field("jobs", &self.jobs)
            .finish_non_exhaustive()
    }
}

impl Default for FilesLoader {
    fn default() -> Self {
        Self::new(FileLoader::default())
    }
}

impl FilesLoader {
    /// Creates a loader that loads each file with `loader`, as many at a time as there are
    /// processors.
    pub fn new(loader: FileLoader) -> Self {
        Self {
            loader,
            jobs: std::thread::available_parallelism().map_or(1, NonZero::get),
            on_event: Arc::new(|_| {}),
        }
    }

    /// Sets how many files are loaded at a time, at least one. A few more finished documents may
    /// wait in the stream.
    #[must_use]
    pub fn with_jobs(mut self, jobs: usize) -> Self {
        self.jobs = jobs.max(1);
        self
    }

    /// Sets a callback for events, for example for a progress bar.
    #[must_use]
    pub fn with_on_event(mut self, on_event: impl Fn(LoadEvent) + Send + Sync + 'static) -> Self {
        self.on_event = Arc::new(on_event);
        self
    }

    /// Loads files and returns their documents in the order of the paths, each with its path. A
    /// file that cannot be loaded does not stop the others.
    ///
    /// Nothing is loaded before the stream is polled. Dropping it ends the work, except for the
    /// files that are being loaded.
    ///
    /// # Panics
    ///
    /// Polling panics outside a Tokio runtime.
    pub fn load(&self, paths: impl IntoIterator<Item = impl Into<PathBuf>>) -> Files<Document> {
        self.work(paths, |document, _| document)
    }

    /// Loads files and splits them, in the order of the paths.
    ///
    /// # Panics
    ///
    /// Polling panics outside a Tokio runtime.
    pub fn load_and_split(
        &self,
        paths: impl IntoIterator<Item = impl Into<PathBuf>>,
        splitter: RecursiveCharacterTextSplitter,
    ) -> Files<SplitDocument> {
        self.work(paths, move |document, path| {
            split(document, path, &splitter)
        })
    }

    fn work<T: Send + 'static>(
        &self,
        paths: impl IntoIterator<Item = impl Into<PathBuf>>,
        then: impl Fn(Document, &Path) -> T + Send + Sync + 'static,
    ) -> Files<T> {
        let this = self.clone();
        let job = move |path: &Path| this.load_one(path).map(|found| then(found, path));
        let paths = paths.into_iter().map(Into::into).collect();
        ordered(paths, self.jobs, job).boxed()
    }

    fn load_one(&self, path: &Path) -> Result<Document, Error> {
        let event = |event| (self.on_event)(event);
        event(LoadEvent::Started { path: path.into() });
        let bytes = self.loader.read(path);
        let result = bytes.and_then(|bytes| {
            self.loader.load_with_progress(&bytes, path, &|done, of| {
                let path = path.into();
                event(LoadEvent::Page { path, done, of });
            })
        });
        event(LoadEvent::Finished {
            path: path.into(),
            is_loaded: result.is_ok(),
        });
        result
    }
}

/// Does `job` for each path on `jobs` threads of the runtime's that are meant for it, and returns
/// the results in order.
fn ordered<T: Send + 'static>(
    paths: Vec<PathBuf>,
    jobs: usize,
    job: impl Fn(&Path) -> T + Send + Sync + 'static,
) -> impl Stream<Item = (PathBuf, T)> + Send + 'static {
    let start = move || {
        // More could not be at work.
        let jobs = jobs.min(paths.len()).max(1);
        let (sender, results) = mpsc::channel(jobs);
        let room = Arc::new(Semaphore::new(jobs + AHEAD));
        let work = Arc::new((paths, AtomicUsize::new(0), job));
        for _ in 0..jobs {
            let (work, room, sender) = (Arc::clone(&work), Arc::clone(&room), sender.clone());
            tokio::task::spawn_blocking(move || {
                let (paths, next, job) = &*work;
                // Without room the stream is gone, or has all that it can hold.
                while take_room(&room) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(path) = paths.get(index) else { return };
                    let done = catch_unwind(AssertUnwindSafe(|| job(path)));
                    if sender.blocking_send((index, path.clone(), done)).is_err() {
                        return;
                    }
                }
            });
        }
        Ordered {
            results,
            room,
            early: BTreeMap::new(),
            next: 0,
        }
    };
    // The threads start when the stream is polled for the first time.
    stream::once(async move { start() }).flat_map(|ordered| stream::unfold(ordered, Ordered::next))
}

/// How many more documents than are loaded at a time may wait to be taken.
const AHEAD: usize = 4;

/// Waits for room for one more result, and says whether there is any.
fn take_room(room: &Semaphore) -> bool {
    let permit = Handle::current().block_on(room.acquire());
    permit.map(SemaphorePermit::forget).is_ok()
}

/// Results as they come, put in order.
struct Ordered<T> {
    results: mpsc::Receiver<(usize, PathBuf, std::thread::Result<T>)>,
    room: Arc<Semaphore>,
    early: BTreeMap<usize, (PathBuf, std::thread::Result<T>)>,
    next: usize,
}

impl<T> Ordered<T> {
    async fn next(mut self) -> Option<((PathBuf, T), Self)> {
        let (path, done) = loop {
            if let Some(done) = self.early.remove(&self.next) {
                break done;
            }
            let (index, path, done) = self.results.recv().await?;
            self.early.insert(index, (path, done));
        };
        self.next += 1;
        self.room.add_permits(1);
        let done = done.unwrap_or_else(|panic| resume_unwind(panic));
        Some(((path, done), self))
    }
}

impl<T> Drop for Ordered<T> {
    /// Ends the threads that wait for room.
    fn drop(&mut self) {
        self.room.close();
    }
}

/// Loads the file at `path` off the runtime's threads, with the default options.
///
/// # Errors
///
/// As [`FileLoader::load_file`].
///
/// # Panics
///
/// Panics outside a Tokio runtime.
pub async fn load_file_async(path: impl Into<PathBuf>) -> Result<Document, Error> {
    let path = path.into();
    let loaded = tokio::task::spawn_blocking(move || crate::load_file(path)).await;
    loaded.unwrap_or_else(|error| resume_unwind(error.into_panic()))
}

/// Loads many files with the default options: see [`FilesLoader::load`].
pub fn load_files_async(paths: impl IntoIterator<Item = impl Into<PathBuf>>) -> Files<Document> {
    FilesLoader::default().load(paths)
}

/// Loads and splits many files with the default options: see [`FilesLoader::load_and_split`].
///
/// ```
/// use futures_util::StreamExt as _;
/// use sectile_chunk::RecursiveCharacterTextSplitter;
/// use sectile_load::load_and_split_recursive;
///
/// # async fn index(paths: Vec<std::path::PathBuf>) -> Result<(), sectile_load::Error> {
/// let splitter = RecursiveCharacterTextSplitter::new(1000, 200)?;
/// let mut documents = load_and_split_recursive(paths, splitter);
/// while let Some((_, result)) = documents.next().await {
///     for chunk in result?.chunks {
///         println!("{} of {}", chunk.metadata.chunk_index, chunk.metadata.source);
///     }
/// }
/// # Ok(()) }
/// ```
pub fn load_and_split_recursive(
    paths: impl IntoIterator<Item = impl Into<PathBuf>>,
    splitter: RecursiveCharacterTextSplitter,
) -> Files<SplitDocument> {
    FilesLoader::default().load_and_split(paths, splitter)
}
