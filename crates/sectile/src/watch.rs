//! Watching files, and ingesting their changes.

mod changes;
mod folder_watcher;
mod network;
mod remembered_refusals;
mod snapshot;
#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::blocking::run_blocking;
use crate::ingest::files::{Sources, Subset};
use crate::{Error, IngestEvent, IngestReport, Library, Result};
use changes::Changes;
use folder_watcher::FolderWatcher;
use remembered_refusals::RememberedRefusals;

/// How long it takes until a failed ingest is tried again, at first and at most.
const FIRST_RETRY: Duration = Duration::from_secs(1);
const LAST_RETRY: Duration = Duration::from_mins(1);

/// For how long nothing more may change before changes are ingested, and the longest wait where files are written again
/// and again.
const SETTLE: Duration = Duration::from_millis(300);
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// How files are watched.
#[derive(Clone, Debug)]
pub struct WatchOptions {
    poll_every: Duration,
    is_polled: bool,
}

impl Default for WatchOptions {
    fn default() -> Self {
        Self {
            poll_every: Duration::from_secs(2),
            is_polled: false,
        }
    }
}

impl WatchOptions {
    /// Sets the interval between polls of paths that the system does not watch; 2 seconds by default. It
    /// is at least twenty times the duration of a poll.
    #[must_use]
    pub fn with_poll_interval(mut self, interval: Duration) -> Self {
        self.poll_every = interval;
        self
    }

    /// Sets whether to poll all paths, for network drives that the library does not recognize. Off by
    /// default.
    #[must_use]
    pub fn with_polling(mut self, is_polled: bool) -> Self {
        self.is_polled = is_polled;
        self
    }
}

/// Something that happened while files are watched.
#[derive(Debug)]
#[non_exhaustive]
pub enum WatchEvent {
    /// An ingest is under way.
    Ingest(IngestEvent),
    /// The first ingest is done. From now on, changes are ingested.
    Watching {
        /// The report of the first ingest.
        report: IngestReport,
        /// How long it took.
        elapsed: Duration,
        /// The number of paths that are watched.
        paths: usize,
        /// The number of these that are polled, because the system does not watch them.
        polled: usize,
    },
    /// Changes were ingested.
    Updated {
        /// The report of the ingest, which covers only files that may have changed.
        report: IngestReport,
        /// How long it took.
        elapsed: Duration,
    },
    /// A path is polled from now on, and not watched by the system.
    Polled {
        /// The path.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A path does not exist any more. Its documents stay, and the path is watched again when it returns.
    Gone {
        /// The path.
        path: PathBuf,
    },
    /// A path that was gone exists again.
    Back {
        /// The path.
        path: PathBuf,
    },
    /// An ingest failed and is retried.
    Failed {
        /// Why it failed.
        error: Error,
        /// The time until the retry.
        retry_in: Duration,
    },
}

impl Library {
    /// Updates the documents of `paths` as [`ingest`](Self::ingest) does, and keeps them up to date until
    /// the future is dropped. This needs a Tokio runtime with timers.
    ///
    /// A change is ingested once nothing else has changed for 300 ms, and at the latest after two seconds.
    /// If a file changes repeatedly, its last version is stored. Files that an ingest leaves out are not
    /// watched. Where the system cannot watch, or does not report all changes, the library polls, and an
    /// event says so.
    ///
    /// A failed ingest is retried with growing pauses, and no change is lost in the meantime. A text that
    /// the embedding model refuses is not given to it again while this runs.
    ///
    /// # Errors
    ///
    /// [`Error::Path`] when one of the paths does not exist, and those of the first ingest, unless the store
    /// is only busy. Later there are none.
    pub async fn watch(
        &self,
        collection: &str,
        paths: &[PathBuf],
        options: &WatchOptions,
        on_event: &(dyn Fn(WatchEvent) + Send + Sync),
    ) -> Result<Infallible> {
        let changes = Arc::new(Changes::new());
        changes.add_all();
        let sources = Sources::of(paths)?;
        let (of_watcher, with) = (Arc::clone(&changes), options.clone());
        let (watcher, events) =
            run_blocking(move || FolderWatcher::new(sources, of_watcher, &with)).await;
        events.into_iter().for_each(on_event);
        let mut library = self.clone();
        library.embedder = library.embedder.map(RememberedRefusals::around);
        let watch = Watch {
            library: &library,
            collection,
            on_event,
            changes,
        };
        Box::pin(watch.run(watcher)).await
    }
}

/// A watch under way.
struct Watch<'a> {
    library: &'a Library,
    collection: &'a str,
    on_event: &'a (dyn Fn(WatchEvent) + Send + Sync),
    changes: Arc<Changes>,
}

impl Watch<'_> {
    async fn run(&self, mut watcher: FolderWatcher) -> Result<Infallible> {
        let mut is_first = true;
        let mut retry_in = FIRST_RETRY;
        loop {
            let start = Instant::now();
            let (subset, sources);
            (subset, sources, watcher) = self.look(watcher).await;
            match self.ingest(sources).await {
                Ok(report) => {
                    self.tell(report, start.elapsed(), is_first.then_some(&watcher));
                    (is_first, retry_in) = (false, FIRST_RETRY);
                    watcher = self.wait(watcher).await;
                }
                Err(error) if is_first && !is_passing(&error) => return Err(error),
                Err(error) => {
                    self.changes.put_back(&subset);
                    (self.on_event)(WatchEvent::Failed { error, retry_in });
                    tokio::time::sleep(retry_in).await;
                    retry_in = LAST_RETRY.min(retry_in * 2);
                }
            }
        }
    }

    /// Takes what changed, and returns it beside what an ingest has to look at.
    async fn look(&self, mut watcher: FolderWatcher) -> (Subset, Sources, FolderWatcher) {
        let subset = self.changes.take();
        let taken = subset.clone();
        let ((sources, events), watcher) =
            run_blocking(move || (watcher.look(&taken), watcher)).await;
        events.into_iter().for_each(self.on_event);
        (subset, sources, watcher)
    }

    async fn ingest(&self, sources: Sources) -> Result<IngestReport> {
        let on_event = |event| (self.on_event)(WatchEvent::Ingest(event));
        let work = self
            .library
            .ingest_sources(self.collection, sources, &on_event);
        let mut report = work.await?;
        // The next ingest removes files that were deleted while they were read.
        report.failed.retain(|(name, _)| !is_deleted_file(name));
        Ok(report)
    }

    fn tell(&self, report: IngestReport, elapsed: Duration, first: Option<&FolderWatcher>) {
        let Some((paths, polled)) = first.map(FolderWatcher::counts) else {
            return (self.on_event)(WatchEvent::Updated { report, elapsed });
        };
        (self.on_event)(WatchEvent::Watching {
            report,
            elapsed,
            paths,
            polled,
        });
    }

    /// Waits until something changed, and for a while nothing more.
    async fn wait(&self, mut watcher: FolderWatcher) -> FolderWatcher {
        while let Some(interval) = watcher.interval() {
            let arrive = self.changes.arrive();
            if tokio::time::timeout(interval, arrive).await.is_ok() {
                break;
            }
            let poll = move || {
                watcher.poll();
                watcher
            };
            watcher = run_blocking(poll).await;
        }
        self.changes.arrive().await;
        self.changes.settle(SETTLE, LONGEST_WAIT).await;
        watcher
    }
}

/// Returns whether a failure is about a file that does not exist any more. Other names of a report are not paths, such as
/// `the store`, and a path that is not valid Unicode is shown with other characters than it has.
fn is_deleted_file(name: &str) -> bool {
    let path = Path::new(name);
    let is_missing = |error: std::io::Error| {
        matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
    };
    path.is_absolute()
        && !name.contains(char::REPLACEMENT_CHARACTER)
        && path.symlink_metadata().is_err_and(is_missing)
}

/// Returns whether an error may pass without anyone doing anything.
fn is_passing(error: &Error) -> bool {
    match error {
        Error::Store(error) => error.is_retryable(),
        Error::Model(error) => error.is_transient(),
        _ => false,
    }
}
