//! Documents that were ingested by the name of a link which leads elsewhere by now.

use sectile_store::{DocumentRecord, Scope, Store};

use super::files::Sources;
use super::vanished::Vanished;
use crate::Result;
use crate::fields::NAMED_BY_LINK;
use crate::uri::{document_path, file_uri};

/// Returns the documents of the links among the sources that are not below these any more, such as those of the release
/// that `current` led to before.
pub(super) async fn left_behind(
    store: &dyn Store,
    collection: &str,
    sources: &Sources,
) -> Result<Vec<Vanished>> {
    if sources.links.is_empty() || sources.subset.paths().is_some() {
        return Ok(Vec::new());
    }
    let scope = Scope::collection(collection).with_prefix("file:");
    let records = store.documents(&scope).await?;
    let left = |record: DocumentRecord| {
        let name = record.metadata.extra.get(NAMED_BY_LINK)?.as_str()?;
        let mut links = sources.links.iter();
        let link = links.find(|link| file_uri(&link.name) == name)?;
        let path = document_path(&record.uri)?;
        let mut roots = sources.roots.iter();
        let is_below = roots.any(|root| path.starts_with(root.path()));
        let (link, to) = (link.name.display(), link.to.display());
        (!is_below).then(|| Vanished {
            id: record.id,
            name: path.display().to_string(),
            reason: format!("it was ingested as `{link}`, which leads to `{to}` now"),
            uri: record.uri,
        })
    };
    Ok(records.into_iter().filter_map(left).collect())
}
