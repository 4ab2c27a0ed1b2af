//! Checkpoints of graph runs in one SQLite file.
//!
//! ```
//! use sectile_checkpoint::{Checkpoint, Checkpointer};
//! use sectile_checkpoint_sqlite::SqliteCheckpointer;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> sectile_checkpoint::Result<()> {
//! # let folder = tempfile::tempdir().expect("a folder");
//! let url = format!("sqlite:{}", folder.path().join("runs.db").display());
//! let checkpointer = SqliteCheckpointer::builder(&url).connect().await?;
//! checkpointer.migrate().await?;
//!
//! let checkpoint = Checkpoint::new("thread-1", "a state".to_owned()).at_step(1, "agent");
//! assert_eq!(checkpointer.save(&checkpoint).await?.seq, 1);
//! let latest: Option<Checkpoint<String>> = checkpointer.load("thread-1").await?;
//! assert_eq!(latest.map(|latest| latest.state), Some("a state".to_owned()));
//! # checkpointer.close().await
//! # }
//! ```
//!
//! All of it runs within a Tokio runtime, of any flavour; elsewhere its calls panic.
//!
//! One connection writes and some others read. While a save is being written to the disk, saves and
//! writes of tasks that come meanwhile wait and are then written together, so more writers save more
//! in the same time. With [`Durability::Full`], the default, a save that returned survives the
//! loss of power.

mod builder;
mod checkpointer;
mod error;
mod session;
mod sql;
mod write;

pub use builder::{Durability, SqliteCheckpointerBuilder};
pub use checkpointer::SqliteCheckpointer;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
