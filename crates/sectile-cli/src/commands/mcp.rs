//! `sectile mcp`.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use sectile::models::ModelKind;
use sectile::{Library, SiteOptions};
use sectile_mcp::Server;

use super::{
    Outcome, is_missing, only_added, open_with, store_url, watch, with_added_embedder,
    with_chat_model, with_reranker,
};
use crate::args::{AgentArguments, McpArguments, WatchedArguments};
use crate::output;

pub(crate) async fn run(arguments: McpArguments, store: Option<String>) -> anyhow::Result<Outcome> {
    let here = std::env::current_dir().context("cannot find the working folder")?;
    let url = store_url(store)?;
    check_readable(&url, &arguments.agents, &arguments.watched)?;
    let library = library(&arguments.agents, Some(url)).await?;
    let server = server(library.clone(), &arguments.agents, &[here])?;
    let _watch = watch::beside(library, arguments.watched).await?;
    sectile_mcp::serve_stdio(server).await?;
    Ok(Outcome::Done)
}

/// Refuses a read-only server on a store that does not exist.
pub(crate) fn check_readable(
    url: &str,
    arguments: &AgentArguments,
    watched: &WatchedArguments,
) -> anyhow::Result<()> {
    if arguments.read_only && watched.paths.is_empty() && is_missing(url) {
        bail!(
            "the store {} does not exist, and --read-only does not create it; ingest documents first, or correct --store",
            sectile::shown_url(url)
        );
    }
    Ok(())
}

/// Opens the store with the models that are named.
pub(crate) async fn library(
    arguments: &AgentArguments,
    store: Option<String>,
) -> anyhow::Result<Library> {
    let library = open_with(store, &arguments.embedder).await?;
    let library = with_added_embedder(library, None).await?;
    let library = with_usual_reranker(library, arguments)?;
    match &arguments.chat.chat_model {
        Some(_) => with_chat_model(library, &arguments.chat),
        None => Ok(library),
    }
}

/// Gives a library the reranking model that is named, or else the only one that was added if searches of some
/// collections are always reranked.
fn with_usual_reranker(library: Library, arguments: &AgentArguments) -> anyhow::Result<Library> {
    let AgentArguments {
        reranker,
        reranking,
        ..
    } = arguments;
    let collections = &reranking.collections;
    let name = match reranker {
        None if collections.is_empty() => {
            reranking.check_unused("--reranker")?;
            return Ok(library);
        }
        None => only_added(ModelKind::Reranker)?,
        named => named.clone(),
    };
    let Some(name) = name else {
        output::warning(format_args!(
            "searches of `{}` are not reranked, because there is no reranking model; `sectile model add \
             ms-marco-MiniLM-L6-v2` gets one, or name one with --reranker",
            collections.join("`, `")
        ));
        return Ok(library);
    };
    with_reranker(library, Some(&name), reranking)
}

/// The names of this machine, which are allowed where no host is named.
const THIS_MACHINE: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// Makes the server that the arguments describe. Without a folder, files of `folders` may be ingested.
pub(crate) fn server(
    library: Library,
    arguments: &AgentArguments,
    folders: &[PathBuf],
) -> anyhow::Result<Server> {
    let mut server = Server::new(library);
    if arguments.read_only {
        return Ok(server.read_only());
    }
    if let Some(hosts) = &arguments.allow_private {
        let options = SiteOptions::default();
        let options = if hosts.is_empty() {
            options.with_private_hosts(THIS_MACHINE)
        } else {
            options.with_private_hosts(hosts)
        };
        server = server.with_site_options(options?);
    }
    let folders = if arguments.folders.is_empty() {
        folders
    } else {
        &arguments.folders
    };
    Ok(server.with_folders(checked(folders)?))
}

/// Makes sure that the folders are there, and writes them in full.
fn checked(folders: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let full = |folder: &PathBuf| {
        let full = folder.canonicalize().and_then(|full| {
            full.read_dir()?;
            Ok(full)
        });
        full.with_context(|| format!("`{}` is not a readable folder", folder.display()))
    };
    folders.iter().map(full).collect()
}
