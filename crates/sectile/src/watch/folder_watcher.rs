//! Watches folders through the system, and polls those that the system cannot watch.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use notify::Watcher as _;
use notify::event::{AccessKind, AccessMode};
use notify::{
    Config, ErrorKind, Event, EventKind, EventKindMask, RecommendedWatcher, RecursiveMode,
};

use super::changes::Changes;
use super::network::network_file_system;
use super::snapshot::Snapshot;
use super::{WatchEvent, WatchOptions};
use crate::ingest::files::{self, Named, Root, Sources, Subset};

/// Whether each folder is watched by itself, as inotify does it: then those that an ingest leaves out
/// cost nothing. Other systems tell of all that is below a folder.
const BY_FOLDER: bool = cfg!(any(target_os = "linux", target_os = "android"));

/// The pause between two polls is at least this multiple of the duration of the last one.
const SHARE: u32 = 20;

/// Watched folders.
pub(super) struct FolderWatcher {
    places: Vec<Place>,
    watcher: Result<RecommendedWatcher, notify::Error>,
    /// The folders that the system watches.
    watched: BTreeSet<PathBuf>,
    changes: Arc<Changes>,
    poll_every: Duration,
    /// How long the last look at everything took.
    took: Duration,
}

/// A path that the user named.
struct Place {
    root: Root,
    /// The path as the user named it, if it contains a link.
    link: Option<PathBuf>,
    detection: Detection,
    is_gone: bool,
}

/// How changes of a path are detected.
enum Detection {
    /// The system reports them.
    Events,
    /// The files are compared with those of the last look.
    Polling(Snapshot),
}

impl FolderWatcher {
    /// Begins without watching anything; [`look`](Self::look) does. Returns also which of the roots are
    /// polled, with the reasons.
    pub(super) fn new(
        sources: Sources,
        changes: Arc<Changes>,
        options: &WatchOptions,
    ) -> (Self, Vec<WatchEvent>) {
        let place = |Named { root, link }| Place {
            root,
            link,
            detection: Detection::Events,
            is_gone: false,
        };
        let mut places: Vec<Place> = sources.roots.into_iter().map(place).collect();
        let poll = |place: &mut Place| Some(place.poll(&place.reason_to_poll(options)?));
        let events = places.iter_mut().filter_map(poll).collect();
        let watcher = Self {
            places,
            watcher: watcher(Arc::clone(&changes)),
            watched: BTreeSet::new(),
            changes,
            poll_every: options.poll_every,
            took: Duration::ZERO,
        };
        (watcher, events)
    }

    /// Returns the number of folders and files that the user named, and of those that are polled.
    pub(super) fn counts(&self) -> (usize, usize) {
        let is_polled = |place: &&Place| matches!(place.detection, Detection::Polling(_));
        (
            self.places.len(),
            self.places.iter().filter(is_polled).count(),
        )
    }

    /// Returns how often [`poll`](Self::poll) has to be called; never if the system tells everything.
    pub(super) fn interval(&self) -> Option<Duration> {
        let needs = |place: &Place| {
            place.is_gone
                || place.link.is_some()
                || matches!(place.detection, Detection::Polling(_))
        };
        let is_needed = self.places.iter().any(needs);
        is_needed.then(|| self.poll_every.max(self.took * SHARE))
    }

    /// Looks for changes where the system does not tell of them.
    pub(super) fn poll(&mut self) {
        let start = Instant::now();
        self.follow_links();
        for place in &mut self.places {
            if place.root.is_there() == place.is_gone {
                self.changes.add(place.root.path());
            } else if let (false, Detection::Polling(earlier)) =
                (place.is_gone, &mut place.detection)
            {
                let now = Snapshot::of(&place.root);
                for path in now.changed_since(earlier) {
                    self.changes.add(path);
                }
                *earlier = now;
            }
        }
        self.took = start.elapsed();
    }

    /// Watches what links lead to now, if they led elsewhere before.
    fn follow_links(&mut self) {
        for place in &mut self.places {
            if place.follow_link() {
                self.changes.add_all();
            }
        }
    }

    /// Makes sure that all folders are watched that are in a subset, and returns what an ingest has to
    /// look at, and what there is to tell.
    pub(super) fn look(&mut self, subset: &Subset) -> (Sources, Vec<WatchEvent>) {
        let mut events = Vec::new();
        let mut changed = subset.paths().cloned();
        for place in &mut self.places {
            let path = place.root.path().to_owned();
            let was_gone = std::mem::replace(&mut place.is_gone, !place.root.is_there());
            match (was_gone, place.is_gone) {
                (false, true) => events.push(WatchEvent::Gone { path }),
                (true, false) => {
                    if let Some(paths) = &mut changed {
                        paths.extend([path.clone()]);
                    }
                    events.push(WatchEvent::Back { path });
                }
                _ => {}
            }
        }
        let places = self.places.iter().filter(|place| !place.is_gone);
        let roots: Vec<Named> = places.map(Place::named).collect();
        let subset = changed.map_or_else(Subset::default, |changed| clamped(&changed, &roots));
        self.forget(&subset);
        events.extend(self.cover(&subset));
        (Sources { roots, subset }, events)
    }

    /// Has the system watch the folders of a subset, and polls those that it cannot watch.
    fn cover(&mut self, subset: &Subset) -> Vec<WatchEvent> {
        let mut events = Vec::new();
        let mut places = std::mem::take(&mut self.places);
        for place in &mut places {
            if place.is_gone || matches!(place.detection, Detection::Polling(_)) {
                continue;
            }
            if let Err(reason) = self.watch(&place.root, subset) {
                // Changes before the next look are still reported.
                events.push(place.poll(&reason));
                self.forget(&Subset::below([place.root.path().to_owned()].into()));
            }
        }
        self.places = places;
        events
    }

    /// Makes the system watch the folders of a root. Folders may be created at the same time, so this repeats until
    /// none is new: the system reports what is created in a watched folder.
    fn watch(&mut self, root: &Root, subset: &Subset) -> Result<(), String> {
        let watcher = self.watcher.as_mut().map_err(|error| reason(error))?;
        loop {
            let mut folders = folders(root, subset);
            folders.retain(|folder| !self.watched.contains(folder));
            if folders.is_empty() {
                return Ok(());
            }
            for folder in folders {
                let mode = match root {
                    Root::Folder(_) if !BY_FOLDER => RecursiveMode::Recursive,
                    _ => RecursiveMode::NonRecursive,
                };
                match watcher.watch(&folder, mode) {
                    // Folders that are gone or unreadable need no watch.
                    Err(error) if !is_of_path(&error) => return Err(reason(&error)),
                    _ => self.watched.insert(folder),
                };
            }
        }
    }

    /// Ends the watches of a subset: a folder that was moved or made again needs a new one.
    fn forget(&mut self, subset: &Subset) {
        let Ok(watcher) = &mut self.watcher else {
            return;
        };
        let stale: Vec<PathBuf> = match subset.paths() {
            None => self.watched.iter().cloned().collect(),
            Some(paths) => paths
                .iter()
                .flat_map(|path| below(&self.watched, path))
                .cloned()
                .collect(),
        };
        for folder in stale {
            // It may have ended by itself.
            let _ = watcher.unwatch(&folder);
            self.watched.remove(&folder);
        }
    }
}

impl Place {
    fn named(&self) -> Named {
        Named {
            root: self.root.clone(),
            link: self.link.clone(),
        }
    }

    /// Follows the link again, and returns whether its target has changed.
    fn follow_link(&mut self) -> bool {
        let Some(Ok(root)) = self.link.as_deref().map(files::root) else {
            return false;
        };
        if root.path() == self.root.path() {
            return false;
        }
        if let Detection::Polling(snapshot) = &mut self.detection {
            *snapshot = Snapshot::of(&root);
        }
        self.root = root;
        true
    }

    /// Says why the system need not be asked to watch, if there is a reason.
    fn reason_to_poll(&self, options: &WatchOptions) -> Option<String> {
        if options.is_polled {
            return Some("as asked for".to_owned());
        }
        let name = network_file_system(self.root.path())?;
        Some(format!(
            "it is on {name}, where the system is not told of all changes"
        ))
    }

    /// Compares what is there with what was there, from now on.
    fn poll(&mut self, reason: &str) -> WatchEvent {
        self.detection = Detection::Polling(Snapshot::of(&self.root));
        WatchEvent::Polled {
            path: self.root.path().to_owned(),
            reason: reason.to_owned(),
        }
    }
}

/// Makes what the system tells of changes.
fn watcher(changes: Arc<Changes>) -> notify::Result<RecommendedWatcher> {
    let on_event = move |event: notify::Result<Event>| match event {
        Ok(event) if event.need_rescan() => changes.add_all(),
        Ok(event) if is_change(&event.kind) => {
            for path in &event.paths {
                changes.add(path);
            }
        }
        Ok(_) => {}
        // After an error, anything may have changed.
        Err(_) => changes.add_all(),
    };
    // Events of reads are left out: an ingest would cause them itself, and they could displace those of changes.
    let kinds = EventKindMask::CORE | EventKindMask::ACCESS_CLOSE;
    let config = Config::default()
        .with_follow_symlinks(false)
        .with_event_kinds(kinds);
    RecommendedWatcher::new(on_event, config)
}

/// Returns whether an event means that a file may have another content. A file that is mapped to memory only
/// tells that it is closed.
fn is_change(kind: &EventKind) -> bool {
    match kind {
        EventKind::Access(kind) => *kind == AccessKind::Close(AccessMode::Write),
        _ => true,
    }
}

/// Returns the folders to be watched for a root.
fn folders(root: &Root, subset: &Subset) -> Vec<PathBuf> {
    match root {
        Root::File(path) => path.parent().map(Path::to_owned).into_iter().collect(),
        Root::Folder(path) if !BY_FOLDER => vec![path.clone()],
        Root::Folder(path) => files::folders(path, subset),
    }
}

/// Returns the paths of a set that are at or below `path`.
fn below<'a>(set: &'a BTreeSet<PathBuf>, path: &'a Path) -> impl Iterator<Item = &'a PathBuf> {
    let from = set.range::<Path, _>((Bound::Included(path), Bound::Unbounded));
    from.take_while(move |found| found.starts_with(path))
}

/// Leaves out paths that are not under any root. For a watched file, the system reports its whole folder.
pub(super) fn clamped(changed: &BTreeSet<PathBuf>, roots: &[Named]) -> Subset {
    let paths = changed.iter().flat_map(|path| {
        roots.iter().filter_map(move |root| {
            let root = root.path();
            let is_above = root.starts_with(path);
            (is_above || path.starts_with(root)).then(|| if is_above { root } else { path })
        })
    });
    Subset::below(paths.map(Path::to_owned).collect())
}

/// Returns whether an error is about the path alone, and not about watching.
fn is_of_path(error: &notify::Error) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound, PermissionDenied};
    match &error.kind {
        ErrorKind::PathNotFound | ErrorKind::WatchNotFound => true,
        ErrorKind::Io(error) => matches!(error.kind(), NotADirectory | NotFound | PermissionDenied),
        _ => false,
    }
}

/// Says why the system cannot watch.
fn reason(error: &notify::Error) -> String {
    match &error.kind {
        ErrorKind::MaxFilesWatch => "the system watches no more folders for this user; on Linux, \
            `sysctl fs.inotify.max_user_watches` says how many, and sets it"
            .to_owned(),
        _ => format!("the system cannot watch it: {error}"),
    }
}
