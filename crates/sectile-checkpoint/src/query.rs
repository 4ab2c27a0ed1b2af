//! What is asked for: checkpoints, threads, and checkpoints to delete.

use std::cmp::Reverse;

use serde_json::{Map, Value};

use crate::check::check_text;
use crate::encode::has_entries;
use crate::{MAX_ID_BYTES, Result, ThreadSummary};

/// Selects a checkpoint of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    /// The newest.
    Latest,
    /// The one with this number.
    Seq(u64),
    /// The one with this id of the caller.
    Id(String),
}

impl At {
    /// Checks that the id of a checkpoint is valid.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidArgument`](crate::Error::InvalidArgument) for an id that no checkpoint can have.
    pub(crate) fn validate(&self) -> Result<()> {
        match self {
            Self::Id(id) => check_text("id", id, MAX_ID_BYTES),
            Self::Latest | Self::Seq(_) => Ok(()),
        }
    }

    /// Returns the number, if one is selected.
    pub const fn seq(&self) -> Option<u64> {
        match self {
            Self::Seq(seq) => Some(*seq),
            Self::Latest | Self::Id(_) => None,
        }
    }
}

/// Selects checkpoints of a thread, and their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CheckpointQuery {
    /// At most so many.
    pub limit: Option<usize>,
    /// Only those with a smaller number, in any order.
    pub before: Option<u64>,
    /// The order.
    pub order: CheckpointOrder,
    /// Only those whose metadata has all of these entries.
    pub metadata: Map<String, Value>,
}

impl CheckpointQuery {
    /// Returns whether metadata has all entries that are asked for.
    pub fn matches(&self, metadata: &Map<String, Value>) -> bool {
        has_entries(metadata, &self.metadata)
    }
}

/// The order in which the checkpoints of a namespace are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CheckpointOrder {
    /// By number: the one that was saved last comes first.
    #[default]
    BySeq,
    /// By the bytes of the caller's ids: the greatest id comes first. Checkpoints without an id are
    /// left out. LangGraph, whose ids rise with time, calls this order newest first.
    ById {
        /// Only those with a smaller id.
        before: Option<String>,
    },
}

/// Selects threads, and their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ThreadQuery {
    /// At most so many.
    pub limit: Option<usize>,
    /// Only those that come after this one in the order.
    pub after: Option<String>,
    /// The order.
    pub order: ThreadOrder,
    /// Only those with a checkpoint whose metadata has all of these entries, for example those of a
    /// user.
    pub metadata: Map<String, Value>,
    /// Only those that were last saved to before this time, in milliseconds since 1970-01-01 UTC.
    pub used_before: Option<u64>,
    /// Only those that were last saved to at or after this time, in milliseconds since 1970-01-01 UTC.
    pub used_since: Option<u64>,
}

impl ThreadQuery {
    /// Chooses among all threads, which are in the order of their ids.
    pub(crate) fn choose(
        &self,
        mut all: Vec<ThreadSummary>,
        has_metadata: impl Fn(&ThreadSummary) -> bool,
    ) -> Vec<ThreadSummary> {
        if self.order == ThreadOrder::ByLastUse {
            all.sort_by_key(|thread| Reverse(thread.updated_at));
        }
        if let Some(after) = &self.after {
            let at = all.iter().position(|thread| thread.thread_id == *after);
            match (at, self.order) {
                (Some(at), _) => drop(all.drain(..=at)),
                (None, ThreadOrder::ById) => all.retain(|thread| thread.thread_id > *after),
                (None, ThreadOrder::ByLastUse) => all.clear(),
            }
        }
        all.retain(|thread| self.has_time(thread.updated_at) && has_metadata(thread));
        all.truncate(self.limit.unwrap_or(usize::MAX));
        all
    }

    /// Returns whether threads are asked for that were last saved to at a time.
    fn has_time(&self, updated_at: u64) -> bool {
        self.used_before.is_none_or(|time| updated_at < time)
            && self.used_since.is_none_or(|time| updated_at >= time)
    }
}

/// The order in which threads are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThreadOrder {
    /// By the bytes of their ids.
    #[default]
    ById,
    /// By the time of their last save, newest first; threads with the same time by the bytes of
    /// their ids.
    ByLastUse,
}

/// Selects checkpoints to delete. The newest of each namespace of a thread always stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prune {
    /// Only those of this thread; by default those of all threads.
    pub thread_id: Option<String>,
    /// How many of the newest checkpoints of each namespace stay; at least one. Damaged ones do not
    /// count.
    pub keep_latest: u64,
    /// Which checkpoints are the newest.
    pub newest: Newest,
    /// Checkpoints that were saved at or after this time also stay, in milliseconds since
    /// 1970-01-01 UTC.
    pub older_than: Option<u64>,
}

impl Prune {
    /// Selects all except the newest `count` of each thread.
    pub fn keep_latest(count: u64) -> Self {
        Self {
            keep_latest: count,
            ..Self::default()
        }
    }

    /// Selects all that were saved before a time, in milliseconds since 1970-01-01 UTC, except the
    /// newest of each thread.
    pub fn older_than(milliseconds: u64) -> Self {
        Self {
            older_than: Some(milliseconds),
            ..Self::default()
        }
    }

    /// Counts those with the greatest ids as the newest.
    #[must_use]
    pub fn by_id(mut self) -> Self {
        self.newest = Newest::ById;
        self
    }

    /// Limits the selection to one thread.
    #[must_use]
    pub fn of_thread(mut self, thread_id: impl Into<String>) -> Self {
        self.thread_id = Some(thread_id.into());
        self
    }
}

/// Which checkpoints of a namespace are its newest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Newest {
    /// Those with the greatest numbers, which were saved last.
    #[default]
    BySeq,
    /// Those with the greatest ids of the caller, by their bytes. Checkpoints without an id always
    /// stay.
    ById,
}
