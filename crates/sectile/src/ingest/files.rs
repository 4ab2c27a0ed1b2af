//! Finding the files under the paths that a user names.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs::FileType;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::{DirEntry, WalkBuilder};
use sectile_store::Scope;

use super::ignore_rules;
use crate::uri::{file_uri, folder_prefix};
use crate::{Error, Result};

/// The maximum number of changed paths that are looked up in the store by name. Beyond it, listing everything under the
/// roots is cheaper.
const FEW: usize = 32;

/// The file or folder at a path that the user named.
#[derive(Clone, Debug)]
pub(crate) enum Root {
    File(PathBuf),
    Folder(PathBuf),
}

impl Root {
    /// Returns the path of the file or folder.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::File(path) | Self::Folder(path) => path,
        }
    }

    /// Returns whether it is there now.
    #[cfg(feature = "watch")]
    pub(crate) fn is_there(&self) -> bool {
        match self {
            Self::File(path) => path.is_file(),
            Self::Folder(path) => path.is_dir(),
        }
    }
}

/// A path that the user named.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    /// The file or folder, with links resolved.
    pub(crate) root: Root,
    /// The absolute path as the user named it, if it contains a link.
    pub(crate) link: Option<PathBuf>,
}

impl Named {
    fn of(path: &Path) -> Result<Self> {
        let root = root(path)?;
        let link = link(path);
        Ok(Self { root, link })
    }

    /// Returns the path with links resolved.
    pub(crate) fn path(&self) -> &Path {
        self.root.path()
    }
}

impl From<Root> for Named {
    fn from(root: Root) -> Self {
        Self { root, link: None }
    }
}

/// A subset of what is under some roots.
#[derive(Clone, Debug, Default)]
pub(crate) enum Subset {
    /// Everything.
    #[default]
    All,
    /// Everything at or below some paths.
    Below(Arc<BTreeSet<PathBuf>>),
    /// Some files.
    Files(Arc<BTreeSet<PathBuf>>),
}

impl Subset {
    /// Makes the subset of what is at or below `paths`.
    pub(crate) fn below(paths: BTreeSet<PathBuf>) -> Self {
        Self::Below(Arc::new(paths))
    }

    /// Makes the subset of some files.
    pub(crate) fn files(paths: BTreeSet<PathBuf>) -> Self {
        Self::Files(Arc::new(paths))
    }

    /// Returns the paths, or `None` for everything.
    pub(crate) fn paths(&self) -> Option<&BTreeSet<PathBuf>> {
        match self {
            Self::All => None,
            Self::Below(paths) | Self::Files(paths) => Some(paths.as_ref()),
        }
    }

    /// Returns whether `path` is in this subset.
    fn has(&self, path: &Path) -> bool {
        let Some(paths) = self.paths() else {
            return true;
        };
        path.ancestors().any(|above| paths.contains(above))
    }

    /// Returns whether `path` is in this subset, or is a folder on the way to it.
    fn leads_to(&self, path: &Path) -> bool {
        let Some(paths) = self.paths() else {
            return true;
        };
        // In the order of paths, what is below a path follows it.
        let next = paths.range::<Path, _>((Bound::Included(path), Bound::Unbounded));
        let is_above = next.take(1).any(|next| next.starts_with(path));
        is_above || self.has(path)
    }
}

/// The files that an ingest updates.
#[derive(Clone, Debug)]
pub(crate) struct Sources {
    pub(crate) roots: Vec<Named>,
    pub(crate) subset: Subset,
}

impl Sources {
    /// Resolves the paths that the user named, and takes everything under them.
    pub(crate) fn of(paths: &[PathBuf]) -> Result<Self> {
        let roots = paths.iter().map(|path| Named::of(path));
        Ok(Self {
            roots: roots.collect::<Result<_>>()?,
            subset: Subset::default(),
        })
    }

    /// Returns whether there is nothing to look at.
    pub(crate) fn is_empty(&self) -> bool {
        let has_no_path = self.subset.paths().is_some_and(BTreeSet::is_empty);
        self.roots.is_empty() || has_no_path
    }

    /// Narrows a scope to the documents of these sources, or to none if there are no sources.
    pub(crate) fn within(&self, scope: Scope) -> Scope {
        if self.is_empty() {
            return scope.with_no_document();
        }
        match &self.subset {
            Subset::Files(files) => files
                .iter()
                .fold(scope, |scope, path| scope.with_uri(&file_uri(path))),
            // A path that is gone may have been a file or a folder.
            Subset::Below(paths) if paths.len() <= FEW => {
                paths.iter().fold(scope, |scope, path| {
                    let scope = scope.with_uri(&file_uri(path));
                    scope.with_prefix(&folder_prefix(path))
                })
            }
            _ => self
                .roots
                .iter()
                .fold(scope, |scope, named| match &named.root {
                    // It may have been a folder before.
                    Root::File(path) => {
                        let scope = scope.with_uri(&file_uri(path));
                        scope.with_prefix(&folder_prefix(path))
                    }
                    Root::Folder(path) => scope.with_prefix(&folder_prefix(path)),
                }),
        }
    }

    /// Returns whether the document with this URI is of these sources, where it is in their scope.
    pub(crate) fn has(&self, uri: &str) -> bool {
        let path = || crate::uri::document_path(uri);
        self.subset.paths().is_none() || path().is_some_and(|path| self.subset.has(&path))
    }
}

/// A file to be ingested.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    pub(crate) uri: String,
    /// Whether the user named the file itself, and not only a folder it is in.
    pub(crate) is_named: bool,
    /// The URI of the file or folder on the way to what the user named, itself included, that the walk of the folder above
    /// leaves out.
    pub(crate) apart: Option<String>,
    /// The URI of the link by which the user named the file, or the folder that it is in.
    pub(crate) link: Option<String>,
}

/// The result of a walk.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    pub(crate) files: Vec<Found>,
    /// The folders that could not be read, or whose ignore files could not, with the reason.
    pub(crate) unreadable: Vec<(PathBuf, String)>,
    /// The entries that are neither files nor folders, with a description.
    pub(crate) skipped: Vec<(PathBuf, String)>,
}

/// Resolves a path to a file or folder.
pub(crate) fn root(path: &Path) -> Result<Root> {
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

/// Returns the absolute form of a path if it contains a link.
fn link(path: &Path) -> Option<PathBuf> {
    let is_link = path.ancestors().any(Path::is_symlink);
    is_link.then(|| std::path::absolute(path).ok()).flatten()
}

/// Lists the files of `sources`, each once, in the order of their names.
///
/// Folders are walked as ripgrep does: what `.gitignore` names and what is hidden is left out, and
/// links are not followed, but listed as skipped. A file that the user names is taken as it is.
pub(crate) fn walk(sources: &Sources) -> Walked {
    let mut walked = Walked::default();
    let mut taken = Taken::default();
    for Named { root, link } in &sources.roots {
        let before = walked.files.len();
        match root {
            Root::File(path) if sources.subset.has(path) => {
                let apart = taken.apart(path);
                walked.files.push(found(path.clone(), true, apart));
            }
            Root::File(_) => {}
            Root::Folder(path) => {
                let apart = taken.apart(path);
                walk_folder(path, apart.as_deref(), &sources.subset, &mut walked);
            }
        }
        let link = link.as_deref().map(file_uri);
        for found in &mut walked.files[before..] {
            found.link.clone_from(&link);
        }
    }
    walked
        .files
        .sort_by(|left, right| (&left.path, !left.is_named).cmp(&(&right.path, !right.is_named)));
    walked.files.dedup_by(|next, kept| {
        let is_same = next.path == kept.path;
        // A file that is also named directly is independent of the link.
        if is_same && next.link.is_none() {
            kept.link = None;
        }
        is_same
    });
    walked.skipped.sort();
    walked.skipped.dedup();
    walked
}

/// Lists the folders that a walk looks into, from `folder` on, on the way to a subset and in it.
#[cfg(feature = "watch")]
pub(crate) fn folders(folder: &Path, subset: &Subset) -> Vec<PathBuf> {
    let entries = entries(folder, subset).filter_map(std::result::Result::ok);
    let folders = entries.filter(Entry::is_folder);
    folders.map(|entry| entry.path).collect()
}

/// What a walk finds.
struct Entry {
    path: PathBuf,
    kind: Option<FileType>,
    /// Why the walk leaves out what is in it, if it is a folder of which it does.
    fault: Option<String>,
}

impl Entry {
    fn of(entry: DirEntry) -> Self {
        Self {
            kind: entry.file_type(),
            path: entry.into_path(),
            fault: None,
        }
    }

    fn closed(folder: &Path, fault: String) -> Self {
        Self {
            kind: None,
            path: folder.to_owned(),
            fault: Some(fault),
        }
    }

    #[cfg(feature = "watch")]
    fn is_folder(&self) -> bool {
        self.fault.is_some() || self.kind.is_some_and(|kind| kind.is_dir())
    }
}

/// The folders that a walk leaves out, as their rules cannot be read and may hide what is in them.
type Closed = Arc<Mutex<Vec<Entry>>>;

/// Begins a walk through a folder, of which only a subset may be wanted. What it leaves out comes last.
fn entries(
    folder: &Path,
    subset: &Subset,
) -> impl Iterator<Item = std::result::Result<Entry, ignore::Error>> {
    let closed = Closed::default();
    // The walker reads rules before it tells of a folder, and a rule file that is a pipe blocks it.
    let fault = ignore_rules::fault(folder)
        .or_else(|| ignore_rules::fault_above(folder))
        .or_else(|| ignore_rules::blocking_fault_at_or_above(folder));
    let is_open = note_fault(folder, fault, &closed);
    let walk = is_open.then(|| walker(folder, subset, &closed));
    let found = walk.into_iter().flatten();
    // An error that is not of the system is about rules, which are looked at for each folder.
    let of_system = |error: &ignore::Error| error.io_error().is_some();
    let found = found.filter(move |entry| entry.as_ref().err().is_none_or(of_system));
    let left_out = std::iter::once_with(move || {
        let mut closed = closed.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *closed)
    });
    found
        .map(|entry| entry.map(Entry::of))
        .chain(left_out.flatten().map(Ok))
}

/// Notes why a walk leaves out a folder, and returns whether it does not.
fn note_fault(folder: &Path, fault: Option<String>, closed: &Closed) -> bool {
    let Some(fault) = fault else {
        return true;
    };
    let mut closed = closed.lock().unwrap_or_else(PoisonError::into_inner);
    closed.push(Entry::closed(folder, fault));
    false
}

fn walker(folder: &Path, subset: &Subset, closed: &Closed) -> ignore::Walk {
    let (subset, closed) = (subset.clone(), Arc::clone(closed));
    let is_open = move |entry: &DirEntry| {
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        let path = entry.path();
        !is_folder || note_fault(path, ignore_rules::fault(path), &closed)
    };
    let mut walk = WalkBuilder::new(folder);
    walk.filter_entry(move |entry| subset.leads_to(entry.path()) && is_open(entry));
    walk.build()
}

fn walk_folder(folder: &Path, apart: Option<&str>, subset: &Subset, walked: &mut Walked) {
    for entry in entries(folder, subset) {
        match entry {
            Ok(Entry {
                path,
                fault: Some(fault),
                ..
            }) => walked.unreadable.push((path, fault)),
            Ok(Entry { path, kind, .. }) if kind.is_some_and(|kind| kind.is_file()) => {
                let apart = apart.map(str::to_owned);
                walked.files.push(found(path, false, apart));
            }
            Ok(Entry { path, kind, .. }) => {
                let kind = kind.filter(|kind| !kind.is_dir());
                let skipped = kind.map(|kind| (path, describe(kind)));
                walked.skipped.extend(skipped);
            }
            Err(error) => {
                let path = path_of(&error).unwrap_or(folder).to_owned();
                // Who reports the reason names the path beside it.
                let reason = error.io_error().map(io_reason);
                let reason = reason.unwrap_or_else(|| error.to_string());
                walked.unreadable.push((path, reason));
            }
        }
    }
}

/// Describes an entry of a folder that is neither a file nor a folder. Links are not followed.
fn describe(kind: FileType) -> String {
    let what = if kind.is_symlink() {
        "it is a link, and links in a folder are not followed"
    } else {
        "it is neither a file nor a folder, but a pipe, a socket or a device"
    };
    what.to_owned()
}

/// The direct entries of folders that a walk takes, without hidden and ignored ones; `None` for a folder that cannot be
/// read. Each folder is read once, even if several paths in it are looked up.
#[derive(Default)]
struct Taken(HashMap<PathBuf, Option<HashSet<PathBuf>>>);

impl Taken {
    /// Returns the URI of what the walk of a folder above leaves out, as it is hidden or ignored: a path that the user named,
    /// or else the nearest folder on the way to it.
    fn apart(&mut self, path: &Path) -> Option<String> {
        let mut above = path.ancestors();
        above
            .find(|one| {
                one.parent()
                    .is_some_and(|folder| self.leaves_out(folder, one))
            })
            .map(file_uri)
    }

    fn leaves_out(&mut self, folder: &Path, path: &Path) -> bool {
        let read = || {
            if ignore_rules::blocking_fault_at_or_above(folder).is_some() {
                return None;
            }
            let mut walk = WalkBuilder::new(folder);
            let entries = walk.max_depth(Some(1)).build();
            let entries = entries.map(|entry| entry.map(DirEntry::into_path));
            entries.collect::<std::result::Result<_, _>>().ok()
        };
        let taken = self.0.entry(folder.to_owned()).or_insert_with(read);
        taken.as_ref().is_some_and(|taken| !taken.contains(path))
    }
}

fn found(path: PathBuf, is_named: bool, apart: Option<String>) -> Found {
    Found {
        uri: file_uri(&path),
        path,
        is_named,
        apart,
        link: None,
    }
}

/// Returns what the system said, without the path that a walk adds to it.
fn io_reason(error: &std::io::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
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
