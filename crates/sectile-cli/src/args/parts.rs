//! The arguments of `sectile load`.

use std::path::PathBuf;

use clap::Args;

use super::range::from_one;
use super::{EmbedderArguments, name};

/// Load the documents that a cluster produced, from Parquet files
///
/// Each row is a document: its `uri`, and either the columns that `sectile-cluster run` writes to
/// `documents`, or `text`, which is read as Markdown. From the folder of a job, or its `chunks`, the
/// chunks and vectors of the job are loaded. The texts of `documents` alone are split into chunks as
/// ingest does. On Postgres, start any number of processes on any machines with the same files: they
/// share the work. If a process dies, another one takes over its files. `sectile status` shows progress
/// and failures.
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
    /// Load files again that were loaded before (with one process only)
    #[arg(long)]
    pub(crate) again: bool,
    /// After all files are loaded, remove the documents of the collection that are in none of them
    #[arg(long)]
    pub(crate) prune: bool,
    /// The files are some of a larger load: do not count the documents of the collection that are in none of them
    #[arg(long, conflicts_with = "prune")]
    pub(crate) partial: bool,
    /// Maximum number of attempts for a file, on Postgres [default: 5]
    #[arg(long, value_name = "N", value_parser = from_one::<u32>)]
    pub(crate) attempts: Option<u32>,
    /// Take over the file of a process that was silent for this many seconds, on Postgres [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = from_one::<u64>)]
    pub(crate) lease: Option<u64>,
    #[command(flatten)]
    pub(crate) embedder: EmbedderArguments,
}
