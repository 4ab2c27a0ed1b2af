//! The configuration, the doctor and the manual.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{ChatArguments, EmbedderArguments};

/// Check the store, the models and the configuration, and say what to do
#[derive(Debug, Args)]
pub(crate) struct DoctorArguments {
    /// Check that text, metadata, sections, chunks, index and vectors of each document agree; reads everything
    #[arg(long)]
    pub(crate) deep: bool,
    /// Reindex documents that fail the check, and mark those with damaged text or metadata, so that the next ingest
    /// reads them again
    #[arg(long)]
    pub(crate) repair: bool,
    #[command(flatten)]
    pub(crate) embedder: EmbedderArguments,
    #[command(flatten)]
    pub(crate) chat: ChatArguments,
    #[arg(
        long,
        value_name = "MODEL",
        env = "SECTILE_RERANKER",
        help_heading = "Models (SECTILE_API_KEY is sent to servers)",
        help = "Reranking model: one that was added, http://HOST/v1#NAME, http://HOST for text-embeddings-inference, \
                cohere:NAME, jina:NAME, or a folder"
    )]
    pub(crate) reranker: Option<String>,
}

/// Show or change the settings of the configuration file
///
/// The settings are store, embedder, chat-model, reranker, rerank (collections in which every search is
/// reranked, such as handbook,filings), language (languages of the documents of collections, such as
/// handbook=de,filings=fr), mode and limit. Options override the environment, which overrides the file.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile config
  sectile config set embedder ollama:nomic-embed-text
  sectile config set mode hybrid
  sectile config set language handbook=de
  sectile config unset store")]
pub(crate) struct ConfigArguments {
    #[command(subcommand)]
    pub(crate) command: Option<ConfigCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print a setting of the file
    Get {
        /// The setting
        name: String,
    },
    /// Change a setting
    Set {
        /// The setting
        name: String,
        /// The value
        value: String,
    },
    /// Remove a setting from the file
    Unset {
        /// The setting
        name: String,
    },
    /// Print the path of the file; `SECTILE_CONFIG` overrides it
    Path,
}

/// Print the manual page
#[derive(Debug, Args)]
pub(crate) struct ManArguments {
    /// Write a page for each command into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}
