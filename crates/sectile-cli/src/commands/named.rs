//! Documents by the names that users write.

use std::fmt::Write as _;

use anyhow::bail;
use sectile::store::DocumentRecord;
use sectile::{Error, Library, Scope, document_uri, uri_ends_with};

use crate::output;

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
    let mut found = library.documents(&scope).await?;
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
    found.retain(|document| uri_ends_with(&document.uri, name));
    match found.len() {
        0 => Err(missing.into()),
        1 => Ok(found.remove(0)),
        count => {
            let all: Vec<_> = found.iter().collect();
            bail!(
                "the names of {count} documents end with `{name}`; write one of them:{}",
                listed(&all)
            )
        }
    }
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
