//! Documents by the names that users write.

use std::fmt::Write as _;

use anyhow::bail;
use sectile::store::DocumentRecord;
use sectile::{Error, Library, Scope, document_uri, uri_ends_with};

use super::with_command_named;
use crate::output;

/// How many documents are named that are like the one that is missing.
const SIMILAR: usize = 3;

/// How many documents are named where one has to be chosen.
const NAMED: usize = 10;

/// Returns the document of a name: a path, an address, or the end of one.
pub(crate) async fn document(
    library: &Library,
    collection: Option<&str>,
    name: &str,
) -> anyhow::Result<DocumentRecord> {
    let uri = document_uri(name)?;
    let missing = match library.document(collection, &uri).await {
        Err(error @ Error::NotIngested { .. }) => error,
        found => return Ok(found?),
    };
    let scope = collection.map_or_else(Scope::all, Scope::collection);
    let found = library.documents(&scope).await?;
    let folder = format!("{}/", uri.trim_end_matches('/'));
    let inside: Vec<_> = found
        .iter()
        .filter(|document| document.uri.starts_with(&folder))
        .collect();
    if !inside.is_empty() {
        let count = output::count(inside.len(), "document");
        bail!(
            "`{name}` is a folder; the store has {count} of it:{}",
            listed(&inside)
        );
    }
    let (mut named, others): (Vec<_>, Vec<_>) = found
        .into_iter()
        .partition(|document| uri_ends_with(&document.uri, name));
    match named.len() {
        0 => Err(missing_but_similar(missing.into(), name, &others)),
        1 => Ok(named.remove(0)),
        count => {
            let all: Vec<_> = named.iter().collect();
            bail!(
                "the names of {count} documents end with `{name}`; write one of them:{}",
                listed(&all)
            )
        }
    }
}

/// Adds to an error the documents that may have been meant by `name`.
fn missing_but_similar(
    missing: anyhow::Error,
    name: &str,
    documents: &[DocumentRecord],
) -> anyhow::Error {
    let similar = sectile::similar_documents(name, documents, SIMILAR);
    if similar.is_empty() {
        return missing;
    }
    let similar = listed(&similar);
    with_command_named(missing).context(format!(
        "there is no `{name}` in the store; did you mean one of these?{similar}"
    ))
}

fn listed(documents: &[&DocumentRecord]) -> String {
    let line = |document: &&DocumentRecord| {
        format!(
            "\n  {} in {}",
            output::document_name(&document.uri),
            document.collection
        )
    };
    let mut lines: String = documents.iter().take(NAMED).map(line).collect();
    let more = documents.len().saturating_sub(NAMED);
    if more > 0 {
        let _ = write!(lines, "\n  and {more} more");
    }
    lines
}
