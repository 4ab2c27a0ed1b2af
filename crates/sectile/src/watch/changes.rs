//! Changed paths that were not ingested yet.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use crate::ingest::files::Subset;

/// The maximum number of changed paths. Beyond it, everything is checked.
const MANY: usize = 10_000;

/// Names of which a change may mean that other files of the folder are left out or not.
const RULES: [&str; 3] = [".gitignore", ".ignore", ".git"];

/// The paths that changed since they were last taken; threads add to them.
#[derive(Debug)]
pub(super) struct Changes {
    gathered: Mutex<Gathered>,
    arrived: Notify,
}

#[derive(Debug)]
struct Gathered {
    /// Nothing, if everything may have changed.
    paths: Option<BTreeSet<PathBuf>>,
    last: Instant,
}

impl Changes {
    pub(super) fn new() -> Self {
        let gathered = Gathered {
            paths: Some(BTreeSet::new()),
            last: Instant::now(),
        };
        Self {
            gathered: Mutex::new(gathered),
            arrived: Notify::new(),
        }
    }

    /// Notes that what is at a path, or below it, changed.
    pub(super) fn add(&self, path: &Path) {
        let is_rule = |name: &std::ffi::OsStr| RULES.iter().any(|rule| name == *rule);
        let of_folder = path
            .parent()
            .filter(|_| path.file_name().is_some_and(is_rule));
        self.extend([of_folder.unwrap_or(path).to_owned()]);
    }

    /// Notes that everything may have changed.
    pub(super) fn add_all(&self) {
        let mut gathered = self.lock();
        gathered.paths = None;
        gathered.last = Instant::now();
        self.arrived.notify_one();
    }

    /// Gives back what was taken.
    pub(super) fn put_back(&self, subset: &Subset) {
        match subset.paths() {
            Some(paths) => self.extend(paths.iter().cloned()),
            None => self.add_all(),
        }
    }

    /// Takes what changed.
    pub(super) fn take(&self) -> Subset {
        let taken = self.lock().paths.replace(BTreeSet::new());
        taken.map_or_else(Subset::default, Subset::below)
    }

    /// Waits until something changed.
    pub(super) async fn arrive(&self) {
        while self.is_empty() {
            self.arrived.notified().await;
        }
    }

    /// Waits until nothing changed for the time `settle`, and no longer than `at_most`.
    pub(super) async fn settle(&self, settle: Duration, at_most: Duration) {
        let latest = Instant::now() + at_most;
        loop {
            let quiet = latest.min(self.lock().last + settle);
            if quiet <= Instant::now() {
                return;
            }
            tokio::time::sleep_until(quiet).await;
        }
    }

    fn extend(&self, paths: impl IntoIterator<Item = PathBuf>) {
        let mut gathered = self.lock();
        gathered.last = Instant::now();
        if let Some(known) = &mut gathered.paths {
            known.extend(paths);
            if known.len() > MANY {
                gathered.paths = None;
            }
        }
        self.arrived.notify_one();
    }

    fn is_empty(&self) -> bool {
        self.lock().paths.as_ref().is_some_and(BTreeSet::is_empty)
    }

    fn lock(&self) -> MutexGuard<'_, Gathered> {
        // No thread panics while it has the lock, so the paths are consistent.
        self.gathered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
