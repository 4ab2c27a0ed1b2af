//! The named paths in which an ingest finds nothing.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sectile::IngestEvent;

/// The paths of an ingest, and those of them in which it has found nothing so far.
pub(super) struct EmptyPaths {
    /// Each path as it was named, with its resolved form as events show it.
    paths: Vec<(PathBuf, PathBuf)>,
    empty: Mutex<HashSet<PathBuf>>,
}

impl EmptyPaths {
    /// Takes the paths that exist.
    pub(super) fn of(paths: &[PathBuf]) -> Self {
        let resolved = |path: &PathBuf| {
            let resolved = path.canonicalize().ok()?;
            // Events show paths, also those that are not valid UTF-8.
            Some((path.clone(), resolved.display().to_string().into()))
        };
        let paths: Vec<(PathBuf, PathBuf)> = paths.iter().filter_map(resolved).collect();
        let empty = paths.iter().map(|(_, resolved)| resolved.clone()).collect();
        Self {
            paths,
            empty: Mutex::new(empty),
        }
    }

    /// Notes the file that an event is about.
    pub(super) fn note(&self, event: &IngestEvent) {
        let IngestEvent::File { name, .. } = event else {
            return;
        };
        let mut empty = self.empty.lock().unwrap_or_else(PoisonError::into_inner);
        for above in Path::new(name).ancestors() {
            empty.remove(above);
        }
    }

    /// Returns the paths in which nothing was found, in their order.
    pub(super) fn finish(self) -> Vec<PathBuf> {
        let empty = self.empty.into_inner();
        let empty = empty.unwrap_or_else(PoisonError::into_inner);
        let paths = self.paths.into_iter();
        let paths = paths.filter(|(_, resolved)| empty.contains(resolved));
        paths.map(|(named, _)| named).collect()
    }
}

#[cfg(test)]
mod tests {
    use sectile::FileOutcome;

    use super::*;

    #[test]
    fn a_path_is_empty_if_no_event_is_about_it_or_what_is_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let names = ["full", "full/inner", "empty", "single.md", "fuller"];
        for name in names {
            std::fs::create_dir_all(path(name)).unwrap();
        }
        let mut paths: Vec<PathBuf> = names.into_iter().map(path).collect();
        paths.push(path("missing"));
        let empty = EmptyPaths::of(&paths);
        for name in ["full/a.md", "single.md"] {
            let name = folder.path().canonicalize().unwrap().join(name);
            empty.note(&IngestEvent::File {
                name: name.display().to_string(),
                outcome: FileOutcome::Unchanged,
            });
        }
        empty.note(&IngestEvent::Walked { files: 2 });
        let left = empty.finish();
        assert_eq!(left, ["full/inner", "empty", "fuller"].map(path));
    }
}
