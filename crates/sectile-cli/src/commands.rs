//! One module for each command.

pub(crate) mod backup;
pub(crate) mod checkpoint;
pub(crate) mod chunk;
pub(crate) mod collection;
pub(crate) mod config;
pub(crate) mod doctor;
pub(crate) mod eval;
pub(crate) mod extract;
pub(crate) mod get;
pub(crate) mod ingest;
mod input;
pub(crate) mod list;
pub(crate) mod load;
mod load_options;
mod loaders;
pub(crate) mod mcp;
pub(crate) mod memory;
mod messages;
pub(crate) mod model;
mod named;
pub(crate) mod note;
pub(crate) mod rm;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod shell;
pub(crate) mod status;
mod store_file;
pub(crate) mod toc;
pub(crate) mod tree;
pub(crate) mod watch;

use std::collections::BTreeMap;
use std::env::VarError;
use std::sync::OnceLock;

use anyhow::Context as _;
use etcetera::BaseStrategy as _;
use sectile::load::LoadOptions;
use sectile::models::{Error as ModelError, ModelKind};
use sectile::store::Language;
use sectile::{Library, Scope};

use crate::args::{ChatArguments, EmbedderArguments, FilterArguments, RerankArguments};
use loaders::isolated;
pub(crate) use loaders::{load_worker, loader, loader_of_ingest, warn_of_omissions, workers};
use messages::with_server_named;
pub(crate) use messages::{
    for_shell, of_store, with_command_named, with_options_typed, with_store_named, with_way_out,
};
pub(crate) use store_file::{is_foreign, is_missing};

/// How a command that did not fail ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    NothingFound,
    /// Some of the files that were asked for could not be used; each was named.
    SomeFailed,
    /// The user ended it.
    Interrupted,
}

/// Opens the store that the user named, or the default one. A command that fails or changes nothing does not create it.
/// Files are read again with the options of their last ingest.
pub(crate) async fn open(store: Option<String>) -> anyhow::Result<Library> {
    let library = Library::open_lazily(&store_url(store)?).await?;
    let library = library.with_loader(isolated(LoadOptions::default())?);
    Ok(with_languages(library).with_options_kept(true))
}

/// The languages of collections that the configuration file sets.
static LANGUAGES: OnceLock<BTreeMap<String, Language>> = OnceLock::new();

/// Sets the languages of collections in all stores that are opened from now on.
pub(crate) fn set_languages(languages: BTreeMap<String, Language>) {
    // A process runs one command, which reads the file once.
    let _ = LANGUAGES.set(languages);
}

/// Gives a library the languages that are set for collections.
fn with_languages(library: Library) -> Library {
    let languages = LANGUAGES.get().cloned();
    library.with_collection_languages(languages.unwrap_or_default())
}

/// Opens the store for a command that only reads it. The file is neither changed nor created.
pub(crate) async fn open_to_read(store: Option<String>) -> anyhow::Result<Library> {
    let library = Library::open_to_read(&store_url(store)?).await?;
    Ok(with_languages(library).with_loader(isolated(LoadOptions::default())?))
}

/// Opens the store as [`open`] does, with an embedding model if one is named.
pub(crate) async fn open_with(
    store: Option<String>,
    arguments: &EmbedderArguments,
) -> anyhow::Result<Library> {
    with_embedder(open(store).await?, arguments).await
}

/// Gives a library the embedding model that is named, if one is.
pub(crate) async fn with_embedder(
    library: Library,
    arguments: &EmbedderArguments,
) -> anyhow::Result<Library> {
    let Some(name) = &arguments.embedder else {
        return Ok(library);
    };
    with_named_embedder(library, name).await
}

/// Gives a library the embedding model of a name.
async fn with_named_embedder(library: Library, name: &str) -> anyhow::Result<Library> {
    let key = api_key(name)?;
    let embedder = sectile::open_embedder(name, key.as_deref()).await;
    let embedder = embedder.map_err(|error| with_server_named(error, name))?;
    Ok(library.with_embedder(embedder))
}

/// Names the only model of a kind that was added, or says how one of several is chosen.
pub(crate) fn only_added(kind: ModelKind) -> anyhow::Result<Option<String>> {
    let kind_name = kind.name();
    sectile::only_added(kind).map_err(|error| match error {
        sectile::Error::Model(ModelError::Configuration { .. }) => anyhow::anyhow!(
            "{error} with --{kind_name}, or for good with `sectile config set {kind_name} NAME`"
        ),
        error => error.into(),
    })
}

/// Gives a library that has no embedding model the added one that made the vectors of a collection, or
/// of all.
pub(crate) async fn with_added_embedder(
    library: Library,
    collection: Option<&str>,
) -> anyhow::Result<Library> {
    if library.embedder().is_some() {
        return Ok(library);
    }
    match library.added_embedder(collection).await? {
        Some(name) => with_named_embedder(library, &name).await,
        None => Ok(library),
    }
}

/// Gives a library the reranking model that is named, or else the only one that was added.
pub(crate) fn with_reranker(
    library: Library,
    name: Option<&str>,
    arguments: &RerankArguments,
) -> anyhow::Result<Library> {
    let name = match name {
        Some(name) => Some(name.to_owned()),
        None => only_added(ModelKind::Reranker)?,
    };
    let name = name.context(
        "this needs a reranking model; `sectile model add ms-marco-MiniLM-L6-v2` gets one, or name one \
         with --rerank=http://HOST/v1#NAME",
    )?;
    let model = sectile::open_reranker(&name, api_key(&name)?.as_deref())?;
    Ok(library.with_reranker(model, arguments.options()))
}

/// Gives a library the chat model that is named.
pub(crate) fn with_chat_model(
    library: Library,
    arguments: &ChatArguments,
) -> anyhow::Result<Library> {
    let name = arguments.chat_model.as_ref();
    let name = name.context(
        "this needs a chat model; name one with --chat-model ollama:NAME, openai:NAME or http://HOST/v1#NAME",
    )?;
    let model = sectile::open_chat_model(name, api_key(name)?.as_deref())?;
    Ok(library.with_chat_model(model))
}

/// Returns the API key for the server of a model. It is not an argument, because other users can see
/// arguments. The key of a company is sent only to that company.
fn api_key(model: &str) -> anyhow::Result<Option<String>> {
    let theirs = [
        ("openai:", "OPENAI_API_KEY"),
        ("cohere:", "CO_API_KEY"),
        ("jina:", "JINA_API_KEY"),
    ];
    let theirs = theirs
        .into_iter()
        .filter(|(prefix, _)| model.starts_with(prefix));
    let mut names = vec!["SECTILE_API_KEY"];
    names.extend(theirs.map(|(_, name)| name));
    for name in names {
        if let Some(key) = secret(name)? {
            return Ok(Some(key));
        }
    }
    Ok(None)
}

/// Reads a secret from the environment. A variable that is set but cannot be read is an error, so that nothing runs
/// without a secret that the user gave.
pub(crate) fn secret(variable: &str) -> anyhow::Result<Option<String>> {
    match std::env::var(variable) {
        Ok(secret) => Ok(Some(secret).filter(|secret| !secret.is_empty())),
        Err(VarError::NotPresent) => Ok(None),
        Err(VarError::NotUnicode(_)) => {
            anyhow::bail!("{variable} is not valid UTF-8; set it again, or unset it")
        }
    }
}

/// Narrows a scope by the filters that were typed.
pub(crate) fn narrowed(scope: Scope, arguments: &FilterArguments) -> anyhow::Result<Scope> {
    let filters = arguments.filters.iter();
    let narrowed = filters
        .into_iter()
        .try_fold(scope, |scope, filter| scope.with_filter(filter));
    Ok(narrowed?)
}

/// Returns the address of the store to use.
pub(crate) fn store_url(store: Option<String>) -> anyhow::Result<String> {
    store.map_or_else(default_store, Ok)
}

fn default_store() -> anyhow::Result<String> {
    let folder = etcetera::choose_base_strategy().ok();
    // A relative one would be another in each working folder.
    let folder = folder.map(|folders| folders.data_dir());
    let folder = folder.filter(|folder| folder.is_absolute()).context(
        "cannot find your data directory; set HOME to an absolute path, or name a store with --store sqlite:PATH",
    )?;
    let file = folder.join("sectile").join("sectile.db");
    Ok(format!("sqlite:{}", file.display()))
}
