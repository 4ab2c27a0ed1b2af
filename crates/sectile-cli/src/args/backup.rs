//! Copies of the store.

use std::path::PathBuf;

use clap::Args;

/// Copy the store to a new file, also while other processes use it
///
/// The copy has all documents, memories and checkpoints that were stored when the command began. To restore it, end all
/// processes that use the store, remove its files that end in `-wal` and `-shm`, and put the copy in its place. A store
/// in Postgres is backed up with `pg_dump`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile backup sectile-copy.db
  sectile backup team-$(date +%F).db --store sqlite:team.db")]
pub(crate) struct BackupArguments {
    /// File to write, which must not exist yet
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}
