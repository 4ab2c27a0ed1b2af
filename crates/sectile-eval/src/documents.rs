//! The documents that are searched.

use sectile::store::DocumentRecord;
use sectile::{Library, Scope};

use crate::{Error, Result};

/// Returns the documents in `scope`.
///
/// # Errors
///
/// [`Error::NoDocuments`] where there is none, or [`Error::Library`].
pub(crate) async fn documents(library: &Library, scope: &Scope) -> Result<Vec<DocumentRecord>> {
    let documents = library.documents(scope).await?;
    if documents.is_empty()
        && let Some(reason) = library.emptiness(scope).await?
    {
        return Err(Error::NoDocuments { reason });
    }
    Ok(documents)
}
