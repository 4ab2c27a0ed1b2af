//! Checkpoints.

use std::num::{NonZeroU64, NonZeroUsize};

use clap::{Args, Subcommand};

use super::metadata_entry;
use super::range::{duration, positive, whole};

/// Show and manage the checkpoints of graph runs
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile checkpoint threads --store postgres://localhost/app --schema sectile
  sectile checkpoint list thread-1 --limit 5 --filter 'source=\"loop\"'
  sectile checkpoint show thread-1 --seq 3
  sectile checkpoint fork thread-1 what-if --at 3
  sectile checkpoint delete thread-1 --namespace researcher
  sectile checkpoint prune --keep-latest 20 --older-than 30days
  sectile checkpoint threads --by-use --since 7days --filter user_id=ada
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
    /// Prefix of the table names
    #[arg(
        long,
        global = true,
        value_name = "PREFIX",
        default_value = "",
        hide_default_value = true
    )]
    pub(crate) table_prefix: String,
    /// The server is behind a pooler in transaction mode
    #[arg(long, global = true)]
    pub(crate) pgbouncer: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CheckpointCommand {
    /// List the threads with their newest checkpoint
    Threads {
        /// Maximum number to list
        #[arg(long, value_name = "N", value_parser = positive::<NonZeroUsize>)]
        limit: Option<NonZeroUsize>,
        /// List only threads after this one
        #[arg(long, value_name = "THREAD")]
        after: Option<String>,
        /// Order by last use, newest first
        #[arg(long)]
        by_use: bool,
        /// List only threads unused for longer than this, such as 12h or 30days
        #[arg(long, value_name = "AGE", value_parser = duration)]
        unused_for: Option<std::time::Duration>,
        /// List only threads used within this time, such as 12h or 7days
        #[arg(long, value_name = "AGE", value_parser = duration)]
        since: Option<std::time::Duration>,
        /// List only those with this metadata entry; the value is JSON or text
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
        /// Maximum number to list
        #[arg(long, value_name = "N", default_value = "20", value_parser = positive::<NonZeroUsize>)]
        limit: NonZeroUsize,
        /// List only checkpoints with a smaller number
        #[arg(long, value_name = "SEQ", value_parser = whole::<u64>)]
        before: Option<u64>,
        /// List only those with this metadata entry; the value is JSON or text
        #[arg(long, value_name = "KEY=VALUE", value_parser = metadata_entry)]
        filter: Vec<(String, serde_json::Value)>,
    },
    /// Show a checkpoint of a thread [default: the newest]
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
        /// Number of the checkpoint
        #[arg(long, value_name = "SEQ", conflicts_with = "id", value_parser = whole::<u64>)]
        seq: Option<u64>,
        /// Id of the checkpoint
        #[arg(long, value_name = "ID")]
        id: Option<String>,
    },
    /// Copy a thread, or its beginning up to a checkpoint, to a new thread
    Fork {
        /// The thread
        thread: String,
        /// The id of the new thread
        new_thread: String,
        /// The last checkpoint to copy [default: the newest]
        #[arg(long, value_name = "SEQ", value_parser = whole::<u64>)]
        at: Option<u64>,
    },
    /// Delete threads and everything stored for them
    Delete {
        /// The threads
        #[arg(required = true, value_name = "THREAD")]
        threads: Vec<String>,
        /// Delete only this namespace of each; '' is the root
        #[arg(long, value_name = "NAME")]
        namespace: Option<String>,
    },
    /// Delete the checkpoints and writes of runs, in all threads
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
        /// Keep this many of the newest checkpoints of each thread, at least one
        #[arg(long, value_name = "N", group = "what", value_parser = positive::<NonZeroU64>)]
        keep_latest: Option<NonZeroU64>,
        /// Keep checkpoints newer than this, such as 12h or 30days
        #[arg(long, value_name = "AGE", group = "what", value_parser = duration)]
        older_than: Option<std::time::Duration>,
    },
    /// Show the size of threads, as stored (without keys and indexes) and as if each state were stored
    /// whole; largest first
    Du {
        /// Maximum number of namespaces
        #[arg(long, value_name = "N", default_value = "20", value_parser = positive::<NonZeroUsize>)]
        limit: NonZeroUsize,
    },
    /// Read everything that is stored for checkpoints, and show what is damaged
    Verify,
    /// Create or upgrade the tables
    Migrate,
}
