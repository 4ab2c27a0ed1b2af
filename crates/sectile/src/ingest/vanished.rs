//! Documents that a walk did not come by.

use std::collections::{HashMap, HashSet};
use std::io::ErrorKind;
use std::path::Path;

use sectile_core::DocumentId;

use super::Known;
use super::files::{Found, Walked};
use crate::uri::document_path;

/// Why a document stays whose file is there.
const LEFT_OUT: &str = "the file is there, but hidden or ignored in its folder";

/// A document that its source does not have any more.
pub(super) struct Vanished {
    pub(super) id: DocumentId,
    pub(super) uri: String,
    /// The file's path, or the page's URL.
    pub(super) name: String,
    /// How it is known that it is gone.
    pub(super) reason: String,
}

/// What became of the documents that a walk did not come by.
#[derive(Default)]
pub(super) struct Absent {
    pub(super) vanished: Vec<Vanished>,
    /// Those that stay, by their paths, with the reason.
    pub(super) kept: Vec<(String, String)>,
}

/// What a look at a path says of its file.
enum Look {
    Gone(&'static str),
    There,
    Unknown(std::io::Error),
}

/// Looks for the documents that a walk did not come by: it leaves out what is hidden or ignored, which a user may have
/// named. These are added to what was found. What stands in a folder that could not be read is not known to be gone.
pub(super) fn absent(known: &HashMap<String, Known>, walked: &mut Walked) -> Absent {
    let seen: HashSet<&str> = walked.files.iter().map(|found| &*found.uri).collect();
    let unseen = known.iter().filter(|(uri, _)| !seen.contains(uri.as_str()));
    let unseen: Vec<_> = unseen
        .filter_map(|(uri, known)| Some((uri, known.id, document_path(uri)?)))
        .collect();
    let mut absent = Absent::default();
    for (uri, id, path) in unseen {
        let mut unreadable = walked.unreadable.iter();
        if unreadable.any(|(folder, _)| path.starts_with(folder)) {
            continue;
        }
        let name = path.display().to_string();
        match look(&path) {
            Look::Gone(reason) => absent.vanished.push(Vanished {
                id,
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

fn look(path: &Path) -> Look {
    match path.symlink_metadata() {
        // Where the case of names does not count, a file may be there by another name.
        Ok(kind) if kind.is_file() => match path.canonicalize() {
            Ok(canonical) if canonical != path => Look::Gone("it has another name now"),
            _ => Look::There,
        },
        Ok(_) => Look::Gone("it is no file any more"),
        Err(error) if is_missing(error.kind()) => Look::Gone("there is no such file any more"),
        Err(error) => Look::Unknown(error),
    }
}

fn is_missing(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory)
}
