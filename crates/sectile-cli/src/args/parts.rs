//! What is loaded in parts.

use std::path::PathBuf;

use clap::Args;

use super::range::from_one;
use super::{EmbedderArguments, name};

/// Load the documents that a cluster produced, from Parquet files
///
/// Each row is a document: its `uri`, and either the columns that `sectile-cluster run` writes to `documents`, or `text`,
/// which is read as Markdown. The folder of a job, or its `chunks`, is loaded with the chunks and vectors that the job made;
/// `documents` alone is cut as files are by ingest. On Postgres, any number of processes on any machines can be started with the same
/// files; they share the work, and another process takes over the files of one that dies. `sectile status` shows
/// progress and failures.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile load out --store postgres://localhost/library --embedder all-MiniLM-L6-v2
  sectile load out/documents --store postgres://localhost/library
  sectile load out/documents/part-000*.parquet --collection reports")]
pub(crate) struct PartsArguments {
    /// Parquet files, and folders of them, searched recursively
    #[arg(required = true, value_name = "PART")]
    pub(crate) parts: Vec<PathBuf>,
    /// Collection for the documents [default: default]
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(crate) collection: Option<String>,
    /// Load files again that were loaded before (for one process)
    #[arg(long)]
    pub(crate) again: bool,
    /// Remove the documents of the collection that are in none of the files, once all are loaded
    #[arg(long)]
    pub(crate) prune: bool,
    /// Maximum number of attempts for a file
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = from_one::<u32>)]
    pub(crate) attempts: u32,
    /// Take over the file of a process that was silent for this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = from_one::<u64>)]
    pub(crate) lease: u64,
    #[command(flatten)]
    pub(crate) embedder: EmbedderArguments,
}
