//! The configuration, the doctor and the manual.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{ChatArguments, EmbedderArguments};

/// Look at the store, the models and the rest, and say what to do
#[derive(Debug, Args)]
pub(crate) struct DoctorArguments {
    /// Compare the text, sections, chunks and index of each document with each other; reads everything
    #[arg(long)]
    pub(crate) deep: bool,
    /// Index documents again that are not found as they should be, and mark those whose text is damaged, so
    /// that the next ingest reads them again
    #[arg(long)]
    pub(crate) repair: bool,
    #[command(flatten)]
    pub(crate) embedder: EmbedderArguments,
    #[command(flatten)]
    pub(crate) chat: ChatArguments,
}

/// Show or change the settings of the configuration file
///
/// The settings are store, embedder, chat-model, reranker, rerank (collections of which every search is
/// reranked, as in handbook,filings), mode and limit. An option counts before the environment, and that
/// before the file.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile config
  sectile config set embedder ollama:nomic-embed-text
  sectile config set mode hybrid
  sectile config unset store")]
pub(crate) struct ConfigArguments {
    #[command(subcommand)]
    pub(crate) command: Option<ConfigCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print what the file sets
    Get {
        /// The setting
        name: String,
    },
    /// Set something
    Set {
        /// The setting
        name: String,
        /// What to set it to
        value: String,
    },
    /// Take a setting out of the file
    Unset {
        /// The setting
        name: String,
    },
    /// Print where the file is; `SECTILE_CONFIG` names another one
    Path,
}

/// Print the manual page
#[derive(Debug, Args)]
pub(crate) struct ManArguments {
    /// Write a page for each command into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}
