//! What is watched.

use std::path::PathBuf;

use clap::Args;

use super::{EmbedderArguments, name};

/// Put documents into the store, and take up what changes until you stop it
///
/// Files are chosen as by ingest. A line tells of each batch of changes that was taken up. Ctrl-C ends
/// it, with status 130.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile watch docs/
  sectile watch notes/ --collection notes --embedder ollama:nomic-embed-text
  sectile watch /mnt/share --poll 30")]
pub(crate) struct WatchArguments {
    /// Files and folders
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Collection to put them into [default: default]
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(crate) collection: Option<String>,
    /// Look for changes every so many seconds, instead of having the system tell of them: for network
    /// drives, where it does not
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) poll: Option<u64>,
    /// Keep all of web pages, as ingest does with it; those that were ingested so stay so without it
    #[arg(long)]
    pub(crate) whole_page: bool,
    #[command(flatten)]
    pub(crate) embedder: EmbedderArguments,
}

/// What a server keeps up to date
#[derive(Debug, Args)]
#[command(next_help_heading = "Watching")]
pub(crate) struct WatchedArguments {
    /// File or folder to ingest, and to take up what changes in it, as `sectile watch` does; may be
    /// repeated
    #[arg(long = "watch", value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Collection to put it into [default: default]
    #[arg(long = "watch-collection", value_name = "NAME", requires = "paths")]
    pub(crate) collection: Option<String>,
}
