//! Checkpoints of graph runs in Postgres.
//!
//! ```no_run
//! use sectile_checkpoint::{Checkpoint, Checkpointer};
//! use sectile_checkpoint_postgres::PostgresCheckpointer;
//!
//! # async fn run() -> sectile_checkpoint::Result<()> {
//! let checkpointer = PostgresCheckpointer::builder("postgres://localhost/app")
//!     .schema("sectile")
//!     .connect()
//!     .await?;
//! checkpointer.migrate().await?;
//!
//! let checkpoint = Checkpoint::new("thread-1", "a state".to_owned()).at_step(1, "agent");
//! assert_eq!(checkpointer.save(&checkpoint).await?.seq, 1);
//! # Ok(())
//! # }
//! ```
//!
//! All of it runs within a Tokio runtime, of any flavour, with its timers and I/O enabled; elsewhere
//! its calls panic.
//!
//! A save is one statement, which takes the next number from a counter row of the thread and
//! inserts under it, so that any number of processes save to one thread at once. It runs in a task
//! of its own: if the caller goes away, it ends all the same. Saves to one thread, and what tasks
//! write beside its checkpoints, are written together if they come while another is written.
//!
//! Connections can be those of an application's own pool ([`PostgresCheckpointer::builder_on`]), and
//! transactions can begin with settings, for row-level security for example
//! ([`PostgresCheckpointer::with_settings`]).

mod builder;
mod checkpointer;
mod error;
mod read;
mod session;
mod sql;
mod timeouts;
mod write;

pub use builder::PostgresCheckpointerBuilder;
pub use checkpointer::PostgresCheckpointer;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
