//! Durable checkpoints of graph runs: an acknowledged save is never lost.
//!
//! A run of a graph (an agent, a workflow) saves its state after each step under the id of its
//! thread. After a crash or an interruption, it resumes from the newest checkpoint:
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
//! # Overview
//!
//! - [`Checkpointer`]: save, and load the newest. What a graph runtime needs.
//! - [`CheckpointHistory`]: load any, list; with [`Threads`]: list, fork, copy, delete and prune
//!   whole threads, which needs no type of state.
//! - [`Records`]: the trait that a backend implements. It passes states as [`StoredState`], so it
//!   is not generic, and `Arc<dyn Records>` is a checkpointer of any state.
//! - [`RecordsExt`]: loads states of a type that the call names, `load_as::<State>("thread-1")`;
//!   saves and loads typed bytes ([`TypedValue`]) and values by channel ([`Channels`]); stores the
//!   pending writes of a step's tasks ([`TaskWrites`]); selects [namespaces](InNamespace).
//! - [`MemoryCheckpointer`] and [`FileCheckpointer`]; `sectile-checkpoint-sqlite` and
//!   `sectile-checkpoint-postgres` contain the others.
//! - `conformance` (a feature): the cases that all of them pass.
//!
//! # Guarantees
//!
//! - A save that returned is durable, as far as the backend is. If the process is killed, no
//!   acknowledged save is lost, and nothing is half-written. If the future of a save is dropped at
//!   any moment, there is a whole checkpoint or none.
//! - Sequence numbers of a thread are 1, 2, 3 … without gaps, even if many tasks save at once.
//! - A checkpoint with an [id](Checkpoint::id) is stored once, even if it is saved several times.
//!   So a save with an unknown outcome can be repeated.
//! - States survive the round trip. A save refuses a state that JSON cannot represent (a float that
//!   is not finite, nesting deeper than 127) or that cannot be read back, and gives the path to the
//!   value.
//! - No method retries. [`Error::is_retryable`] says whether the caller may.

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
mod key;
mod memory;
mod namespace;
#[doc(hidden)]
pub mod pieces;
mod progress;
mod query;
mod state;
mod summary;
mod traits;
mod writes;

pub use checkpoint::{Checkpoint, MAX_ID_BYTES, Pending, Saved, now};
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
pub use key::{Key, check_thread_id};
pub use memory::MemoryCheckpointer;
pub use namespace::InNamespace;
#[doc(hidden)]
pub use progress::Progress;
pub use query::{At, CheckpointOrder, CheckpointQuery, Newest, Prune, ThreadOrder, ThreadQuery};
pub use state::{
    Channel, ChannelMap, Channels, Content, JSON, StoredState, TypedValue, check_state_size,
    no_channel,
};
pub use summary::{NamespaceSummary, ThreadSummary};
pub use traits::{CheckpointHistory, Checkpointer, Records, RecordsExt, Threads};
pub use writes::{PendingWrite, TaskWrites, Write};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
