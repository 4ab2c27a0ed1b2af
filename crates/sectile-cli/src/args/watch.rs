//! The arguments of `sectile watch`.

use std::path::PathBuf;

use clap::Args;

use super::range::from_one;
use super::{EmbedderArguments, ReadingArguments, name};

/// Add documents to the store and keep them up to date until stopped
///
/// Reads the same files as ingest, and prints a line for each batch of changes. Documents that were ingested
/// with --whole-page or --ocr keep these options. Ctrl-C stops it, with exit status 130.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile watch docs/
  sectile watch notes/ --collection notes --embedder ollama:nomic-embed-text
  sectile watch /mnt/share --poll 30")]
pub(crate) struct WatchArguments {
    /// Files and folders
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Collection for the documents [default: default]
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(crate) collection: Option<String>,
    /// Poll for changes at this interval in seconds, for network drives that do not report them
    #[arg(long, value_name = "SECONDS", value_parser = from_one::<u64>)]
    pub(crate) poll: Option<u64>,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
    #[command(flatten)]
    pub(crate) embedder: EmbedderArguments,
}

/// What a server keeps up to date
#[derive(Debug, Args)]
#[command(next_help_heading = "Watching")]
pub(crate) struct WatchedArguments {
    /// File or folder to ingest and keep up to date, like `sectile watch`; may be repeated
    #[arg(long = "watch", value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Collection for its documents [default: default]
    #[arg(long = "watch-collection", value_name = "NAME", requires = "paths")]
    pub(crate) collection: Option<String>,
}
