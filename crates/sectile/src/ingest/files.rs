//! Finding the files under the paths that a user names.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use crate::uri::file_uri;
use crate::{Error, Result};

/// A path that the user named, resolved.
#[derive(Clone, Debug)]
pub(crate) enum Root {
    File(PathBuf),
    Folder(PathBuf),
}

/// A file to be ingested.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    pub(crate) uri: String,
    /// Whether the user named the file itself, and not only a folder it is in.
    pub(crate) is_named: bool,
}

/// What a walk found.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    pub(crate) files: Vec<Found>,
    /// What could not be looked into, with the reason.
    pub(crate) unreadable: Vec<(PathBuf, String)>,
}

/// Resolves the paths that the user named.
pub(crate) fn roots(paths: &[PathBuf]) -> Result<Vec<Root>> {
    paths.iter().map(|path| root(path)).collect()
}

fn root(path: &Path) -> Result<Root> {
    let error = |source| Error::Path {
        path: path.into(),
        source,
    };
    let absolute = path.canonicalize().map_err(error)?;
    let kind = absolute.metadata().map_err(error)?;
    if kind.is_dir() {
        Ok(Root::Folder(absolute))
    } else if kind.is_file() {
        Ok(Root::File(absolute))
    } else {
        let what = "it is neither a file nor a folder";
        Err(error(std::io::Error::new(
            std::io::ErrorKind::InvalidInput,
            what,
        )))
    }
}

/// Lists the files under `roots`, each once, in the order of their names.
///
/// Folders are walked as ripgrep does: what `.gitignore` names and what is hidden is left out, and
/// links are not followed. A file that the user names is taken as it is.
pub(crate) fn walk(roots: &[Root]) -> Walked {
    let mut walked = Walked::default();
    for root in roots {
        match root {
            Root::File(path) => walked.files.push(found(path.clone(), true)),
            Root::Folder(path) => walk_folder(path, &mut walked),
        }
    }
    walked
        .files
        .sort_by(|left, right| (&left.path, !left.is_named).cmp(&(&right.path, !right.is_named)));
    walked.files.dedup_by(|next, kept| next.path == kept.path);
    walked
}

fn walk_folder(folder: &Path, walked: &mut Walked) {
    for entry in WalkBuilder::new(folder).build() {
        match entry {
            Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                walked.files.push(found(entry.into_path(), false));
            }
            Ok(_) => {}
            Err(error) => {
                let path = path_of(&error).unwrap_or(folder).to_owned();
                walked.unreadable.push((path, error.to_string()));
            }
        }
    }
}

fn found(path: PathBuf, is_named: bool) -> Found {
    Found {
        uri: file_uri(&path),
        path,
        is_named,
    }
}

/// Returns the path that an error of the walk is about.
fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            path_of(err)
        }
        _ => None,
    }
}
