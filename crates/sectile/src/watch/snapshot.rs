//! The state of the files in a folder, to compare it later.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use crate::ingest::files::{self, Root, Sources, Subset};

/// A file that was written this shortly before a look may be written again with the same time.
const COARSE: Duration = Duration::from_secs(2);

/// The files of a root at one time.
#[derive(Debug)]
pub(super) struct Snapshot {
    files: HashMap<PathBuf, Stamp>,
    taken: SystemTime,
}

/// Distinguishes two versions of a file without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    size: u64,
    /// The number of the file, where the system has one: of two files of one name it differs.
    number: u64,
}

impl Snapshot {
    /// Looks at the files that an ingest of the root would take.
    pub(super) fn of(root: &Root) -> Self {
        Self::taken_at(root, SystemTime::now())
    }

    /// Looks at the files as if it were that time.
    pub(super) fn taken_at(root: &Root, taken: SystemTime) -> Self {
        let sources = Sources {
            roots: vec![root.clone().into()],
            subset: Subset::default(),
        };
        let found = files::walk(&sources).files.into_iter();
        let stamped = found.filter_map(|found| {
            let metadata = found.path.metadata().ok()?;
            Some((found.path, Stamp::of(&metadata)))
        });
        Self {
            files: stamped.collect(),
            taken,
        }
    }

    /// Returns the files that are not as they were in an earlier snapshot, or may not be.
    pub(super) fn changed_since<'a>(
        &'a self,
        earlier: &'a Self,
    ) -> impl Iterator<Item = &'a PathBuf> {
        let is_new = |path: &PathBuf, stamp: &Stamp| {
            earlier.files.get(path) != Some(stamp) || stamp.is_within(COARSE, earlier.taken)
        };
        let changed = self
            .files
            .iter()
            .filter(move |(path, stamp)| is_new(path, stamp));
        let gone = earlier
            .files
            .keys()
            .filter(|path| !self.files.contains_key(*path));
        changed.map(|(path, _)| path).chain(gone)
    }
}

impl Stamp {
    fn of(metadata: &std::fs::Metadata) -> Self {
        Self {
            modified: metadata.modified().ok(),
            size: metadata.len(),
            number: number(metadata),
        }
    }

    /// Returns whether the file was written this shortly before a time.
    fn is_within(&self, duration: Duration, before: SystemTime) -> bool {
        let age = self
            .modified
            .map(|modified| before.duration_since(modified));
        age.is_some_and(|age| age.is_ok_and(|age| age < duration))
    }
}

#[cfg(unix)]
fn number(metadata: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn number(_: &std::fs::Metadata) -> u64 {
    0
}
