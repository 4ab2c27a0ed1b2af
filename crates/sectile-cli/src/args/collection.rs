//! What is done with collections as a whole.

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
    /// The first time, divides the tables of the store by collection. Everything is one transaction:
    /// until it ends, searches find the earlier state, and writes wait.
    Partition {
        /// The collection; it may be empty
        #[arg(value_parser = name)]
        name: String,
    },
}
