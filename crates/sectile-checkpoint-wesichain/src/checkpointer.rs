//! The checkpointer: Wesichain's traits over those of Sectile.

use async_trait::async_trait;
use sectile_checkpoint::{CheckpointQuery, Checkpointer as _, Records, check_thread_id};
use uuid::Uuid;
use wesichain_core::WesichainError;
use wesichain_core::checkpoint::{
    Checkpoint, CheckpointMetadata, Checkpointer, HistoryCheckpointer,
};
use wesichain_core::state::{GraphState, StateSchema};

use crate::convert::{created_at, from_wesichain, to_wesichain};
use crate::error::wesichain_error;

/// How many checkpoints of a history are in memory at once, as each comes with its state.
const PAGE: usize = 100;

type Result<T> = std::result::Result<T, WesichainError>;

/// Keeps the checkpoints of Wesichain's graphs in any place where Sectile keeps some.
///
/// What goes wrong is told as Wesichain's errors allow: `InvalidConfig` for an argument or a setting
/// that no place takes (a thread id without text, for example), else `CheckpointFailed` with the
/// messages of the error and of all that it comes from. Such a message ends in
/// [`MAY_RETRY`](crate::MAY_RETRY) where the same call may succeed later.
#[derive(Clone, Copy, Debug, Default)]
pub struct WesichainCheckpointer<R> {
    records: R,
}

impl<R: Records> WesichainCheckpointer<R> {
    /// Returns a checkpointer that keeps its checkpoints in `records`.
    pub fn new(records: R) -> Self {
        Self { records }
    }

    /// Returns what the checkpoints are kept in: for listing, pruning and deleting threads.
    pub fn records(&self) -> &R {
        &self.records
    }
}

#[async_trait]
impl<S: StateSchema, R: Records> Checkpointer<S> for WesichainCheckpointer<R> {
    async fn save(&self, checkpoint: &Checkpoint<S>) -> Result<()> {
        let saved = self.records.save(&from_wesichain(checkpoint)).await;
        saved.map(drop).map_err(wesichain_error)
    }

    async fn load(&self, thread_id: &str) -> Result<Option<Checkpoint<S>>> {
        let loaded = self.records.load(thread_id).await;
        let loaded: Option<sectile_checkpoint::Checkpoint<GraphState<S>>> =
            loaded.map_err(wesichain_error)?;
        Ok(loaded.map(to_wesichain))
    }
}

#[async_trait]
impl<S: StateSchema, R: Records> HistoryCheckpointer<S> for WesichainCheckpointer<R> {
    async fn list_checkpoints(&self, thread_id: &str) -> Result<Vec<CheckpointMetadata>> {
        check_thread_id(thread_id).map_err(wesichain_error)?;
        let mut history = Vec::new();
        let mut query = CheckpointQuery {
            limit: Some(PAGE),
            ..CheckpointQuery::default()
        };
        loop {
            let page = self.records.select(&thread_id.into(), &query).await;
            let page = page.map_err(wesichain_error)?;
            history.extend(page.iter().map(|checkpoint| CheckpointMetadata {
                seq: checkpoint.seq,
                created_at: created_at(checkpoint),
            }));
            query.before = page.last().map(|oldest| oldest.seq);
            if page.len() < PAGE {
                break;
            }
        }
        history.reverse();
        Ok(history)
    }

    async fn fork(&self, thread_id: &str, at_seq: u64) -> Result<String> {
        let new_thread_id = Uuid::new_v4().to_string();
        let copied = self.records.fork(thread_id, at_seq, &new_thread_id).await;
        copied.map(|_| new_thread_id).map_err(wesichain_error)
    }
}
