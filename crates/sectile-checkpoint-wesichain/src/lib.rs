//! Lets the graphs of `wesichain-graph` keep their checkpoints with Sectile.
//!
//! [`WesichainCheckpointer`] makes a checkpointer of `wesichain-core` 0.3 of anything that
//! implements [`Records`](sectile_checkpoint::Records): the checkpointers in memory, in files, in
//! SQLite and in Postgres, and `Arc<dyn Records>`.
//!
//! ```
//! use sectile_checkpoint::MemoryCheckpointer;
//! use sectile_checkpoint_wesichain::WesichainCheckpointer;
//! use serde::{Deserialize, Serialize};
//! use wesichain_core::WesichainError;
//! use wesichain_graph::{
//!     ExecutionOptions, GraphBuilder, GraphContext, GraphError, GraphNode, GraphState, StateSchema,
//!     StateUpdate,
//! };
//!
//! #[derive(Clone, Debug, Default, Serialize, Deserialize)]
//! struct Draft {
//!     steps: Vec<String>,
//! }
//!
//! impl StateSchema for Draft {
//!     type Update = Self;
//!
//!     fn apply(current: &Self, update: Self) -> Self {
//!         Self { steps: [current.steps.clone(), update.steps].concat() }
//!     }
//! }
//!
//! struct Step(&'static str);
//!
//! #[async_trait::async_trait]
//! impl GraphNode<Draft> for Step {
//!     async fn invoke_with_context(
//!         &self,
//!         _: GraphState<Draft>,
//!         _: &GraphContext,
//!     ) -> Result<StateUpdate<Draft>, WesichainError> {
//!         Ok(StateUpdate::new(Draft { steps: vec![self.0.into()] }))
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), GraphError> {
//! let records = MemoryCheckpointer::new();
//! let graph = GraphBuilder::new()
//!     .add_node("write", Step("written"))
//!     .add_node("publish", Step("published"))
//!     .add_edge("write", "publish")
//!     .set_entry("write")
//!     .with_checkpointer(WesichainCheckpointer::new(records), "thread-1")
//!     .build();
//!
//! // The run stops before a node, and goes on later: in this process or in another one.
//! let stop = ExecutionOptions { interrupt_before: vec!["publish".into()], ..Default::default() };
//! let stopped = graph.invoke_graph_with_options(GraphState::new(Draft::default()), stop).await;
//! assert!(matches!(stopped, Err(GraphError::Interrupted)));
//!
//! let resume = ExecutionOptions { auto_resume: true, ..Default::default() };
//! let done = graph.invoke_graph_with_options(GraphState::new(Draft::default()), resume).await?;
//! assert_eq!(done.data.steps, ["written", "published"]);
//! # Ok(())
//! # }
//! ```
//!
//! # How a checkpoint of Wesichain is kept
//!
//! - The state is the JSON of `GraphState`, `{"data": …}`. Where projections are on, messages and
//!   triples are found in it.
//! - The node and its step are those of the graph, and so is the queue; what Wesichain hands over
//!   beside the name of a node (it tells the ways of a branching run apart) is the `step` of a
//!   [`Pending`](sectile_checkpoint::Pending).
//! - The text of `created_at` is kept as it is, in the metadata under `created_at`; the time that it
//!   says is the checkpoint's.
//!
//! A checkpoint that was saved without Wesichain loads too, if its state has that form.
//!
//! # Histories
//!
//! `HistoryCheckpointer` lists the checkpoints of a thread oldest first, with their numbers: 1, 2, 3
//! … in the order in which they were saved, less those that were pruned. `fork` takes such a number.
//! (The checkpointer in memory of `wesichain-core` gives the steps of the graph for numbers, of which
//! a thread may have several alike.)
//!
//! # Databases that Wesichain wrote
//!
//! [`import`] takes over the checkpoints of `wesichain-checkpoint-sqlite` and
//! `wesichain-checkpoint-postgres` 0.3; `import_sqlite` (feature `sqlite`) and `import_postgres`
//! (feature `postgres`) read them from a database.

mod checkpointer;
mod convert;
mod error;
mod import;

pub use checkpointer::WesichainCheckpointer;
pub use error::{ImportError, MAY_RETRY};
#[cfg(feature = "postgres")]
pub use import::import_postgres;
#[cfg(feature = "sqlite")]
pub use import::import_sqlite;
pub use import::{Imported, WesichainRow, import};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
