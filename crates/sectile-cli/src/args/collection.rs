//! Commands on collections.

use clap::{Args, Subcommand};

use super::name;

/// Give a collection tables of its own
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile collection partition reports --store postgres://localhost/library")]
pub(crate) struct CollectionArguments {
    #[command(subcommand)]
    pub(crate) command: CollectionCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CollectionCommand {
    /// Move a collection into partitions of its own (Postgres only)
    ///
    /// Divides the tables of the store by collection, if they are not yet. Searches and writes go on meanwhile. If the
    /// command is interrupted, run it again: it continues where it stopped.
    Partition {
        /// The collection, which need not have documents yet
        #[arg(value_parser = name)]
        name: String,
    },
}
