//! Documents that were ingested through a link whose target has changed since.

use std::path::{Path, PathBuf};

use sectile_store::{Scope, Store};
use serde_json::Value;

use super::files::{Sources, Walked};
use super::vanished::{Absent, Vanished};
use crate::Result;
use crate::fields::NAMED_BY_LINK;
use crate::uri::{document_path, file_uri};

/// The documents of a link that are not below the sources any more.
pub(super) struct LeftBehind {
    /// The current target of the link.
    to: PathBuf,
    documents: Vec<Vanished>,
}

impl LeftBehind {
    /// Adds the documents to the deleted ones. If the link has no files now, the documents stay, because a new target
    /// may follow.
    pub(super) fn settle(self, walked: &Walked, absent: &mut Absent) {
        let mut files = walked.files.iter();
        if files.any(|found| found.path.starts_with(&self.to)) {
            absent.vanished.extend(self.documents);
        } else {
            let documents = self.documents.into_iter();
            let kept = documents.map(|document| (document.name, document.reason));
            absent.kept.extend(kept);
        }
    }
}

/// Returns the documents of links among the sources that are not below the current targets any more, such as those of
/// the previous target of `current`.
pub(super) async fn left_behind(
    store: &dyn Store,
    collection: &str,
    sources: &Sources,
) -> Result<Vec<LeftBehind>> {
    let links: Vec<(&Path, &Path)> = sources
        .roots
        .iter()
        .filter_map(|named| Some((named.link.as_deref()?, named.path())))
        .collect();
    if links.is_empty() || sources.subset.paths().is_some() {
        return Ok(Vec::new());
    }
    let left = |(_, to): &(&Path, &Path)| LeftBehind {
        to: (*to).to_owned(),
        documents: Vec::new(),
    };
    let mut all: Vec<LeftBehind> = links.iter().map(left).collect();
    let names: Vec<String> = links.iter().map(|(link, _)| file_uri(link)).collect();
    let scope = Scope::collection(collection).with_prefix("file:");
    for record in store.documents(&scope).await? {
        let name = record.metadata.extra.get(NAMED_BY_LINK);
        let Some(name) = name.and_then(Value::as_str) else {
            continue;
        };
        let place = names.iter().position(|link| link == name);
        let (Some(place), Some(path)) = (place, document_path(&record.uri)) else {
            continue;
        };
        let mut roots = sources.roots.iter();
        if roots.any(|named| path.starts_with(named.path())) {
            continue;
        }
        let (link, to) = (links[place].0.display(), links[place].1.display());
        let reason = format!("it was ingested as `{link}`, which leads to `{to}` now");
        all[place].documents.push(Vanished {
            id: record.id,
            name: path.display().to_string(),
            reason,
            uri: record.uri,
        });
    }
    Ok(all)
}
