//! What is loaded in parts.

use std::path::PathBuf;

use clap::Args;

use super::name;

/// Put documents into the store that a cluster has loaded, from Parquet files
///
/// A file has a document a row, with its `uri` and either the columns that `sectile-cluster run` writes to `documents`
/// or `text` alone, which is read as Markdown. In Postgres, any number of processes on any machines share the files
/// that they are all given: each is loaded by one of them, and what a process that dies has in hand by another.
/// `sectile status` shows how far they are, and what failed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile load out/documents --store postgres://localhost/library
  sectile load out/documents/part-000*.parquet --collection reports")]
pub(crate) struct PartsArguments {
    /// Parquet files, and folders of them with what is below
    #[arg(required = true, value_name = "PART")]
    pub(crate) parts: Vec<PathBuf>,
    /// Collection to put them into [default: default]
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(crate) collection: Option<String>,
    /// Load files again that were loaded before; for one of the processes
    #[arg(long)]
    pub(crate) again: bool,
    /// How often a file is tried that fails
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) attempts: u32,
    /// Take the file of a process that was not heard of for so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) lease: u64,
}
