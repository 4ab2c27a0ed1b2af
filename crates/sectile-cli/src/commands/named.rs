//! Documents by the names that users write.

use std::fmt::Write as _;

use anyhow::bail;
use sectile::store::{DocumentRecord, Status};
use sectile::{Error, Library, Named, Scope, document_uri, document_uris};

use super::with_way_out;
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
    match found(library, collection, name).await? {
        Named::Document(document) => readable(*document),
        Named::Several(documents) => bail!(
            "{} documents match `{name}`. Write a longer name, or add --collection:{}",
            documents.len(),
            listed(&documents)
        ),
        Named::Folder { documents, .. } => bail!(
            "`{name}` is a folder with {} in the store. Write one of:{}",
            output::count(documents.len(), "document"),
            listed(&documents)
        ),
        Named::Nothing { similar } => Err(missing(library, collection, name, &similar).await?),
    }
}

/// Refuses a document that could not be read, and says where what the store has is an earlier version, or all that is
/// left.
fn readable(document: DocumentRecord) -> anyhow::Result<DocumentRecord> {
    if sectile::is_gone(&document.uri) {
        let name = output::document_name(&document.uri);
        output::note(format_args!(
            "the file `{name}` is gone; showing the stored copy"
        ));
    }
    let Some(error) = document
        .error
        .as_ref()
        .filter(|_| document.status == Status::Failed)
    else {
        return Ok(document);
    };
    let name = output::document_name(&document.uri);
    anyhow::ensure!(document.sections > 0, "`{name}` could not be read: {error}");
    output::warning(format_args!(
        "`{name}` could not be read; showing an earlier version: {error}"
    ));
    Ok(document)
}

/// Says why nothing is done with a name that has to be whole: a path from here, or an address. It is not
/// enough for that to be the end of a name; what it may mean is named.
pub(crate) async fn not_whole(
    library: &Library,
    collection: Option<&str>,
    name: &str,
) -> anyhow::Result<anyhow::Error> {
    if let Some(reason) = no_collection(library, collection).await? {
        return Ok(reason);
    }
    let (reason, documents) = match found(library, collection, name).await? {
        Named::Nothing { similar } if similar.is_empty() => (
            "is not in the store; `sectile list` shows all documents",
            similar,
        ),
        Named::Nothing { similar } => ("is not in the store; did you mean one of these?", similar),
        Named::Document(document) => (WRITE_WHOLE, vec![*document]),
        Named::Several(documents) | Named::Folder { documents, .. } => (WRITE_WHOLE, documents),
    };
    let listed = listed(&documents);
    Ok(anyhow::anyhow!("`{name}` {reason}{listed}"))
}

/// The message if the end of a name is not enough.
const WRITE_WHOLE: &str = "is not a full name. Write one of:";

async fn found(library: &Library, collection: Option<&str>, name: &str) -> anyhow::Result<Named> {
    let uris = document_uris(name)?;
    let found = library.named(collection, name, &uris, SIMILAR).await?;
    if !matches!(found, Named::Nothing { .. }) {
        return Ok(found);
    }
    let mut listed = as_listed(library, collection, name).await?;
    Ok(match listed.len() {
        0 => found,
        1 => Named::Document(Box::new(listed.remove(0))),
        _ => Named::Several(listed),
    })
}

/// Returns the documents whose names are listed so: on one line, where what ends a line is written with a backslash.
pub(crate) async fn as_listed(
    library: &Library,
    collection: Option<&str>,
    name: &str,
) -> anyhow::Result<Vec<DocumentRecord>> {
    if !name.contains('\\') {
        return Ok(Vec::new());
    }
    let scope = collection.map_or_else(Scope::all, Scope::collection);
    let mut documents = library.documents(&scope).await?;
    documents.retain(|document| output::document_name(&document.uri) == name);
    Ok(documents)
}

/// Returns the error that no document has a name, with similar names.
async fn missing(
    library: &Library,
    collection: Option<&str>,
    name: &str,
    similar: &[DocumentRecord],
) -> anyhow::Result<anyhow::Error> {
    if let Some(reason) = no_collection(library, collection).await? {
        return Ok(reason);
    }
    if similar.is_empty() {
        let uri = document_uri(name)?;
        return Ok(Error::NotIngested { uri }.into());
    }
    Ok(anyhow::anyhow!(
        "`{name}` is not in the store; did you mean one of these?{}",
        listed(similar)
    ))
}

/// Says why there is nothing in a collection that is named; nothing where there is something.
pub(crate) async fn no_collection(
    library: &Library,
    collection: Option<&str>,
) -> anyhow::Result<Option<anyhow::Error>> {
    let Some(name) = collection else {
        return Ok(None);
    };
    let reason = library.emptiness(&Scope::collection(name)).await?;
    Ok(reason.map(|reason| anyhow::anyhow!(with_way_out(&reason))))
}

/// Lists documents, each with its collection.
pub(crate) fn listed(documents: &[DocumentRecord]) -> String {
    let line = |document: &DocumentRecord| {
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
