//! Checkpoints.

use std::num::NonZeroUsize;

use clap::{Args, Subcommand};

use super::metadata_entry;

/// Show and tidy the checkpoints of graph runs
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile checkpoint threads --store postgres://localhost/app --schema sectile
  sectile checkpoint list thread-1 --limit 5 --filter 'source=\"loop\"'
  sectile checkpoint show thread-1 --seq 3
  sectile checkpoint fork thread-1 what-if --at 3
  sectile checkpoint prune --keep-latest 20 --older-than 30days
  sectile checkpoint threads --by-use --filter user_id=ada
  sectile checkpoint du")]
pub(crate) struct CheckpointArguments {
    #[command(flatten)]
    pub(crate) tables: TableArguments,
    #[command(subcommand)]
    pub(crate) command: CheckpointCommand,
}

/// Where the tables of checkpoints are
#[derive(Debug, Args)]
pub(crate) struct TableArguments {
    /// Database schema of the tables, on Postgres
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) schema: Option<String>,
    /// What the names of the tables begin with
    #[arg(
        long,
        global = true,
        value_name = "PREFIX",
        default_value = "",
        hide_default_value = true
    )]
    pub(crate) table_prefix: String,
    /// A pooler in transaction mode stands before the server
    #[arg(long, global = true)]
    pub(crate) pgbouncer: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CheckpointCommand {
    /// List the threads with their newest checkpoint
    Threads {
        /// List at most so many
        #[arg(long, value_name = "N")]
        limit: Option<NonZeroUsize>,
        /// List those that come after this one
        #[arg(long, value_name = "THREAD")]
        after: Option<String>,
        /// List those first that were saved to last
        #[arg(long)]
        by_use: bool,
        /// List those that were last saved to longer ago than this, such as 12h or 30days
        #[arg(long, value_name = "AGE", value_parser = humantime::parse_duration)]
        unused_for: Option<std::time::Duration>,
        /// List those that have this entry in their metadata; the value is JSON, or else text
        #[arg(long, value_name = "KEY=VALUE", value_parser = metadata_entry)]
        filter: Vec<(String, serde_json::Value)>,
    },
    /// List the namespaces of a thread
    Namespaces {
        /// The thread
        thread: String,
    },
    /// List the checkpoints of a thread, newest first
    List {
        /// The thread
        thread: String,
        /// The namespace of the thread [default: the root]
        #[arg(
            long,
            value_name = "NAME",
            default_value = "",
            hide_default_value = true
        )]
        namespace: String,
        /// List at most so many
        #[arg(long, value_name = "N", default_value = "20")]
        limit: NonZeroUsize,
        /// List those with a smaller number
        #[arg(long, value_name = "SEQ")]
        before: Option<u64>,
        /// List those whose metadata has this entry; the value is JSON, or else text
        #[arg(long, value_name = "KEY=VALUE", value_parser = metadata_entry)]
        filter: Vec<(String, serde_json::Value)>,
    },
    /// Show a checkpoint of a thread, the newest if none is named
    Show {
        /// The thread
        thread: String,
        /// The namespace of the thread [default: the root]
        #[arg(
            long,
            value_name = "NAME",
            default_value = "",
            hide_default_value = true
        )]
        namespace: String,
        /// Its number
        #[arg(long, value_name = "SEQ", conflicts_with = "id")]
        seq: Option<u64>,
        /// The id that was given to it
        #[arg(long, value_name = "ID")]
        id: Option<String>,
    },
    /// Copy a thread to a new one, whole or up to a checkpoint
    Fork {
        /// The thread
        thread: String,
        /// The id of the new thread
        new_thread: String,
        /// The last checkpoint to copy [default: the newest]
        #[arg(long, value_name = "SEQ")]
        at: Option<u64>,
    },
    /// Delete threads with all that is kept of them
    Delete {
        /// The threads
        #[arg(required = true, value_name = "THREAD")]
        threads: Vec<String>,
    },
    /// Delete what runs saved and wrote, in all threads
    DeleteRuns {
        /// The ids of the runs
        #[arg(required = true, value_name = "RUN")]
        runs: Vec<String>,
    },
    /// Delete old checkpoints; the newest of a thread always stays
    #[command(group = clap::ArgGroup::new("what").required(true).multiple(true))]
    Prune {
        /// Prune this thread only
        #[arg(long, value_name = "THREAD")]
        thread: Option<String>,
        /// Keep the newest so many of each thread
        #[arg(long, value_name = "N", group = "what")]
        keep_latest: Option<u64>,
        /// Keep what is younger than this, such as 12h or 30days
        #[arg(long, value_name = "AGE", group = "what", value_parser = humantime::parse_duration)]
        older_than: Option<std::time::Duration>,
    },
    /// Show what threads take, as they are stored and as if each state were whole; the largest first
    Du {
        /// Show at most so many namespaces
        #[arg(long, value_name = "N", default_value = "20")]
        limit: NonZeroUsize,
    },
    /// Read all that is stored and show what is not as it was saved
    Verify,
    /// Make the tables, or bring them up to date
    Migrate,
}
