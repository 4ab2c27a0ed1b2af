//! Stored documents that a walk did not find.

use std::collections::{HashMap, HashSet};
use std::io::ErrorKind;
use std::path::Path;

use sectile_core::DocumentId;

use super::Known;
use super::files::{Found, Named, Walked};
use crate::uri::{document_path, file_uri};

/// Why a document stays that a walk leaves out.
const LEFT_OUT: &str = "it is hidden or ignored in this folder, but it was named itself";

/// Why one is removed.
const IGNORED: &str = "it is hidden or ignored in its folder";

/// The maximum number of documents that are removed when their folder becomes empty. Above it, a drive may not be mounted.
const MOST_EMPTIED: usize = 10;

/// A document that its source does not have any more.
pub(super) struct Vanished {
    pub(super) id: DocumentId,
    pub(super) uri: String,
    /// The file's path, or the page's URL.
    pub(super) name: String,
    /// How it is known that it is gone.
    pub(super) reason: String,
}

/// The outcome for stored documents that a walk did not find.
#[derive(Default)]
pub(super) struct Absent {
    pub(super) vanished: Vec<Vanished>,
    /// Those that stay, by their paths, with the reason.
    pub(super) kept: Vec<(String, String)>,
}

impl Absent {
    /// Keeps the documents of folders that had more than a few and are empty now.
    pub(super) fn keep_emptied(&mut self, roots: &[Named]) {
        for folder in roots.iter().map(Named::path).filter(|path| is_empty(path)) {
            let is_below = |vanished: &Vanished| {
                let path = document_path(&vanished.uri);
                path.is_some_and(|path| path.starts_with(folder))
            };
            let vanished = std::mem::take(&mut self.vanished).into_iter();
            let (emptied, others): (Vec<Vanished>, Vec<Vanished>) = vanished.partition(is_below);
            self.vanished = others;
            if emptied.len() <= MOST_EMPTIED {
                self.vanished.extend(emptied);
                continue;
            }
            let folder = folder.display();
            let reason =
                format!("its folder `{folder}` is empty now, as if a drive were not mounted");
            let names = emptied.into_iter().map(|vanished| vanished.name);
            self.kept.extend(names.map(|name| (name, reason.clone())));
        }
    }
}

fn is_empty(folder: &Path) -> bool {
    let entries = folder.read_dir();
    entries.is_ok_and(|mut entries| entries.next().is_none())
}

/// The state of the file at a path.
enum Look {
    Gone(&'static str),
    There,
    Unknown(std::io::Error),
}

/// Looks up the stored documents that a walk did not find, because it leaves out hidden and ignored files. Files that
/// the user named separately from these roots are added to the walk. Files in an unreadable folder may still exist.
pub(super) fn absent(
    known: &HashMap<String, Known>,
    roots: &[Named],
    walked: &mut Walked,
) -> Absent {
    // Whether what is hidden or ignored on the way to what the user named is below one of these roots.
    let is_below = |apart: &str| {
        let apart = document_path(apart);
        apart.is_some_and(|apart| {
            let mut roots = roots.iter().map(Named::path);
            roots.any(|root| apart != root && apart.starts_with(root))
        })
    };
    let mut below: HashMap<&str, bool> = HashMap::new();
    let seen: HashSet<&str> = walked.files.iter().map(|found| &*found.uri).collect();
    let unseen = known.iter().filter(|(uri, _)| !seen.contains(uri.as_str()));
    let mut unseen: Vec<_> = unseen
        .filter_map(|(uri, known)| Some((uri, known, document_path(uri)?)))
        .collect();
    unseen.sort_unstable_by_key(|(uri, ..)| *uri);
    let mut absent = Absent::default();
    for (uri, known, path) in unseen {
        let mut unreadable = walked.unreadable.iter();
        if unreadable.any(|(folder, _)| path.starts_with(folder)) {
            continue;
        }
        let name = path.display().to_string();
        let apart = known.apart.as_deref();
        let apart = apart.filter(|&apart| *below.entry(apart).or_insert_with(|| is_below(apart)));
        let look = match look(&path, uri) {
            Look::There if apart.is_none() => Look::Gone(IGNORED),
            look => look,
        };
        match look {
            Look::Gone(reason) => absent.vanished.push(Vanished {
                id: known.id,
                uri: uri.clone(),
                name,
                reason: reason.to_owned(),
            }),
            Look::There => {
                absent.kept.push((name, LEFT_OUT.to_owned()));
                walked.files.push(Found {
                    path,
                    uri: uri.clone(),
                    is_named: false,
                    apart: apart.map(str::to_owned),
                    link: known.link.clone(),
                });
            }
            Look::Unknown(error) => {
                let reason = format!("whether the file is there cannot be told: {error}");
                absent.kept.push((name, reason));
            }
        }
    }
    absent
}

fn look(path: &Path, uri: &str) -> Look {
    match path.symlink_metadata() {
        // On a case-insensitive file system, the file may have another name now.
        Ok(kind) if kind.is_file() => match path.canonicalize() {
            Ok(canonical) if file_uri(&canonical) != uri => Look::Gone("it has another name now"),
            _ => Look::There,
        },
        Ok(kind) if kind.is_symlink() => {
            Look::Gone("it is a link now, and links in a folder are not followed")
        }
        Ok(_) => Look::Gone("it is no longer a file"),
        Err(error) if is_missing(error.kind()) => Look::Gone("the file no longer exists"),
        Err(error) => Look::Unknown(error),
    }
}

fn is_missing(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests;
