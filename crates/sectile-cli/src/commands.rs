//! One module for each command.

pub(crate) mod chunk;
pub(crate) mod extract;
pub(crate) mod get;
pub(crate) mod ingest;
pub(crate) mod list;
pub(crate) mod rm;
pub(crate) mod search;
pub(crate) mod shell;
pub(crate) mod status;
pub(crate) mod toc;
pub(crate) mod tree;

use anyhow::Context as _;
use etcetera::BaseStrategy as _;
use sectile::Library;

/// How a command that did not fail ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    NothingFound,
    /// Some of the files that were asked for could not be used; each was named.
    SomeFailed,
}

/// Opens the store that the user named, or the default one.
pub(crate) async fn open(store: Option<String>) -> anyhow::Result<Library> {
    Ok(Library::open(&store_url(store)?).await?)
}

/// Returns the address of the store to use.
pub(crate) fn store_url(store: Option<String>) -> anyhow::Result<String> {
    store.map_or_else(default_store, Ok)
}

fn default_store() -> anyhow::Result<String> {
    let folders = etcetera::choose_base_strategy()
        .context("cannot find your data directory; name a store with --store sqlite:PATH")?;
    let file = folders.data_dir().join("sectile").join("sectile.db");
    Ok(format!("sqlite:{}", file.display()))
}
