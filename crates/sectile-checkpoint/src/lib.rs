//! Checkpoints of graph runs, kept so that none that was acknowledged is ever lost.
//!
//! A run of a graph (an agent, a workflow) saves its state after each step under the id of its
//! thread, and goes on from the newest one after a crash or an interruption:
//!
//! ```
//! use sectile_checkpoint::{Checkpoint, Checkpointer, MemoryCheckpointer, RecordsExt};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> sectile_checkpoint::Result<()> {
//! let checkpointer = MemoryCheckpointer::new();
//! let first = Checkpoint::new("thread-1", vec!["hello".to_owned()]);
//! let saved = checkpointer.save(&first).await?;
//! assert_eq!(saved.seq, 1);
//!
//! let latest = checkpointer.load_as::<Vec<String>>("thread-1").await?;
//! assert_eq!(latest.map(|checkpoint| checkpoint.state), Some(first.state));
//! # Ok(())
//! # }
//! ```
//!
//! # What there is
//!
//! - [`Checkpointer`]: save, and load the newest. What a graph runtime needs.
//! - [`CheckpointHistory`]: load any, list; with [`Threads`]: list, fork, copy, delete and prune
//!   whole threads, which needs no type of state.
//! - [`Records`]: what a place to keep checkpoints implements. It sees states as [`StoredState`], so
//!   it is not generic, and `Arc<dyn Records>` is a checkpointer of any state.
//! - [`RecordsExt`]: loads states of a type that the call names, `load_as::<State>("thread-1")`;
//!   saves and loads bytes of any kind ([`TypedValue`]) and values by channel ([`Channels`]); keeps
//!   what the tasks of a step wrote ([`TaskWrites`]); sees [namespaces](InNamespace).
//! - [`MemoryCheckpointer`] and [`FileCheckpointer`]; `sectile-checkpoint-sqlite` and
//!   `sectile-checkpoint-postgres` hold the others.
//! - `conformance` (a feature): the cases that all of them pass.
//!
//! # What is promised
//!
//! - A save that returned is durable, as far as the place is: nothing that was acknowledged is
//!   lost when the process is killed, and nothing is half-written. Dropping the future of a save
//!   at any moment leaves a whole checkpoint or none.
//! - Sequence numbers of a thread are 1, 2, 3 … without a gap, however many save at once.
//! - A checkpoint with an [id](Checkpoint::id) is stored once, however often it is saved, so a
//!   save whose outcome is unknown can be repeated.
//! - What loads is what was saved. A state that JSON cannot hold (a float that is not finite,
//!   nesting deeper than 127) or that cannot be read back is refused when it is saved, with the
//!   path to the value.
//! - No method tries twice. [`Error::is_retryable`] says whether the caller may.

mod check;
mod checkpoint;
mod codec;
#[cfg(feature = "conformance")]
pub mod conformance;
mod encode;
mod error;
mod file;
mod forward;
mod health;
mod memory;
mod namespace;
#[doc(hidden)]
pub mod pieces;
mod progress;
mod state;
mod traits;
mod writes;

pub use checkpoint::{
    At, Checkpoint, CheckpointQuery, Key, NamespaceSummary, Pending, Prune, Saved, ThreadOrder,
    ThreadQuery, ThreadSummary, check_thread_id, now,
};
#[cfg(feature = "aes-gcm")]
pub use codec::Aes256Gcm;
#[cfg(feature = "zstd")]
pub use codec::Zstd;
pub use codec::{Codec, Coded, SEALED};
pub use encode::{MAX_NESTING, MAX_STATE_BYTES};
pub use error::{Error, ErrorKind, Failure, Failures, Result};
pub use file::FileCheckpointer;
pub use forward::Wrapper;
pub use health::{Damage, Sharing, Usage};
pub use memory::MemoryCheckpointer;
pub use namespace::InNamespace;
#[doc(hidden)]
pub use progress::Progress;
pub use state::{
    Channel, ChannelMap, Channels, Content, JSON, StoredState, TypedValue, check_state_size,
    no_channel,
};
pub use traits::{CheckpointHistory, Checkpointer, Records, RecordsExt, Threads};
pub use writes::{PendingWrite, TaskWrites, Write};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
