//! Taking up changed files by themselves.

mod changes;
mod folder_watcher;
mod network;
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

/// How long it takes until a failed ingest is tried again, at first and at most.
const FIRST_RETRY: Duration = Duration::from_secs(1);
const LAST_RETRY: Duration = Duration::from_mins(1);

/// How files are watched.
#[derive(Clone, Debug)]
pub struct WatchOptions {
    settle: Duration,
    at_most: Duration,
    poll_every: Duration,
    is_polled: bool,
}

impl Default for WatchOptions {
    fn default() -> Self {
        Self {
            settle: Duration::from_millis(300),
            at_most: Duration::from_secs(2),
            poll_every: Duration::from_secs(2),
            is_polled: false,
        }
    }
}

impl WatchOptions {
    /// Sets for how long nothing more may change before changes are taken up (300 ms), and the longest
    /// wait where files are written again and again (2 s).
    #[must_use]
    pub fn with_debounce(mut self, settle: Duration, at_most: Duration) -> Self {
        (self.settle, self.at_most) = (settle, at_most);
        self
    }

    /// Sets how often the library looks for changes that the system does not tell of (each 2 s, and so
    /// seldom that looking takes at most a twentieth of the time).
    #[must_use]
    pub fn with_poll_interval(mut self, interval: Duration) -> Self {
        self.poll_every = interval;
        self
    }

    /// Looks for changes in all of the paths, as if the system told of none: for network drives that the
    /// library does not know as such.
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
    /// The first ingest is done. From now on changes are taken up.
    Watching {
        /// What the first ingest did.
        report: IngestReport,
        /// How long it took.
        elapsed: Duration,
        /// The number of paths that are watched.
        paths: usize,
        /// How many of them the system does not tell of, so that they are polled.
        polled: usize,
    },
    /// Changes were taken up.
    Updated {
        /// What the ingest did. It is about what may have changed alone.
        report: IngestReport,
        /// How long it took.
        elapsed: Duration,
    },
    /// A path is polled from now on, instead of being watched by the system.
    Polled {
        /// The path.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A path is not there any more. What the store has of it stays, and the path is watched again when
    /// it is back.
    Gone {
        /// The path.
        path: PathBuf,
    },
    /// A path that was gone is there again.
    Back {
        /// The path.
        path: PathBuf,
    },
    /// An ingest failed and is tried again.
    Failed {
        /// Why it failed.
        error: Error,
        /// After what time it is tried again.
        retry_in: Duration,
    },
}

impl Library {
    /// Brings what the store has of `paths` up to date as [`ingest`](Self::ingest) does, and keeps it so:
    /// changed files are taken up by themselves until the future is dropped. It needs a runtime with time.
    ///
    /// Each change is taken up once nothing more changes for a short while, and at the latest after two
    /// seconds, unless [options](WatchOptions) say otherwise; of a file that changes again and again the
    /// last version is what stays. What an ingest leaves out is not watched. Where the system cannot watch,
    /// or is not told of all changes, the library looks for them, and says so.
    ///
    /// An ingest that fails is tried again, with growing pauses; what was missed meanwhile is not lost.
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
        let watch = Watch {
            library: self,
            collection,
            options,
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
    options: &'a WatchOptions,
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
        let WatchOptions {
            settle, at_most, ..
        } = *self.options;
        self.changes.settle(settle, at_most).await;
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
