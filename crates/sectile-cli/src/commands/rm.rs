//! `sectile rm`.

use sectile::{Library, Scope, document_uri};

use super::{Outcome, open};
use crate::args::RmArguments;
use crate::output::{self, document_name};

pub(crate) async fn run(
    arguments: RmArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let library = open(store).await?;
    let mut removed = Vec::new();
    let mut outcome = Outcome::Done;
    for name in &arguments.uris {
        let found = remove(&library, arguments.collection.as_deref(), name).await?;
        if found.is_empty() {
            output::note(format_args!(
                "`{name}` is not in the store; `sectile list` shows what is"
            ));
            outcome = Outcome::NothingFound;
        }
        removed.extend(found);
    }
    if json {
        output::value(&removed)?;
    } else {
        let line = |uri: &String| format!("removed {}\n", document_name(uri));
        output::text(&removed.iter().map(line).collect::<String>())?;
    }
    Ok(outcome)
}

/// Removes the document with this name, or else all that is in the folder with this name.
async fn remove(
    library: &Library,
    collection: Option<&str>,
    name: &str,
) -> anyhow::Result<Vec<String>> {
    let uri = document_uri(name)?;
    let scope = || collection.map_or_else(Scope::all, Scope::collection);
    let mut removed = library.remove(&scope().with_uri(&uri)).await?;
    if removed.is_empty() {
        let folder = format!("{}/", uri.trim_end_matches('/'));
        removed = library.remove(&scope().with_prefix(&folder)).await?;
    }
    Ok(removed.into_iter().map(|document| document.uri).collect())
}
