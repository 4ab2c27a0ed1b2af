//! What is done to a checkpointer and to the model, and what comes of it.

use super::CHILD;
use crate::conformance::model::{Model, Result};
use crate::{
    At, Checkpoint, CheckpointQuery, Key, NamespaceSummary, PendingWrite, Prune, Records,
    RecordsExt as _, Saved, StoredState, TaskWrites, ThreadQuery, ThreadSummary,
};

/// Something to be done.
#[derive(Clone, Debug)]
pub(super) enum Action {
    Save(Box<Checkpoint<StoredState>>),
    PutWrites(Key, At, TaskWrites),
    Copy(String, String),
    Fork(String, u64, String),
    DeleteThread(String),
    DeleteNamespace(Key),
    DeleteRuns(Vec<String>),
    Prune(Prune),
    Load(Key, At),
    List(Key, CheckpointQuery),
    Writes(Key, At),
    WritesOf(Key, Vec<At>),
    CountWrites(Key, Vec<u64>),
    Threads(ThreadQuery),
    Namespaces(String),
}

/// What came of it.
#[derive(Debug, PartialEq)]
pub(super) enum Outcome {
    Saved(Saved),
    Done,
    Count(u64),
    Checkpoints(Vec<Checkpoint<StoredState>>),
    Writes(Vec<PendingWrite>),
    WritesOf(Vec<Vec<PendingWrite>>),
    Counts(Vec<u64>),
    Threads(Vec<ThreadSummary>),
    Namespaces(Vec<NamespaceSummary>),
}

impl Action {
    /// Returns what a checkpointer of the child namespace has to do for the same, which then names no
    /// namespace; nothing for what concerns another namespace or whole threads.
    fn within_child(&self) -> Option<Self> {
        let mut action = self.clone();
        let namespace = match &mut action {
            Self::Save(checkpoint) => &mut checkpoint.namespace,
            Self::PutWrites(key, ..)
            | Self::Load(key, _)
            | Self::List(key, _)
            | Self::Writes(key, _)
            | Self::WritesOf(key, _)
            | Self::CountWrites(key, _) => &mut key.namespace,
            _ => return None,
        };
        (std::mem::take(namespace) == CHILD).then_some(action)
    }

    /// Does it to a checkpointer.
    pub(super) async fn perform(&self, place: &dyn Records) -> Result<Outcome> {
        let outcome = match self {
            Self::Save(checkpoint) => {
                let saved = place.save_stored((**checkpoint).clone()).await;
                saved.map(Outcome::Saved)
            }
            Self::PutWrites(key, at, writes) => {
                let put = place.put_writes(key, at, writes).await;
                put.map(|()| Outcome::Done)
            }
            Self::Copy(from, to) => place.copy_thread(from, to).await.map(Outcome::Count),
            Self::Fork(from, seq, to) => place.fork(from, *seq, to).await.map(Outcome::Count),
            Self::DeleteThread(thread_id) => {
                let deleted = place.delete_thread(thread_id).await;
                deleted.map(Outcome::Count)
            }
            Self::DeleteNamespace(key) => place.delete_namespace(key).await.map(Outcome::Count),
            Self::DeleteRuns(run_ids) => place.delete_runs(run_ids).await.map(Outcome::Count),
            Self::Prune(prune) => place.prune(prune).await.map(Outcome::Count),
            Self::Load(key, at) => {
                let found = place.load_stored(key, at).await;
                found.map(|found| Outcome::Checkpoints(found.into_iter().collect()))
            }
            Self::List(key, query) => place.select(key, query).await.map(Outcome::Checkpoints),
            Self::Writes(key, at) => place.pending_writes(key, at).await.map(Outcome::Writes),
            Self::WritesOf(key, all) => {
                let found = place.pending_writes_of(key, all).await;
                found.map(Outcome::WritesOf)
            }
            Self::CountWrites(key, seqs) => {
                let counts = place.count_writes(key, seqs).await;
                counts.map(Outcome::Counts)
            }
            Self::Threads(query) => place.threads(query).await.map(Outcome::Threads),
            Self::Namespaces(thread_id) => {
                let found = place.namespaces(thread_id).await;
                found.map(Outcome::Namespaces)
            }
        };
        outcome.map_err(|error| error.kind())
    }

    /// Does it through a checkpointer of the child namespace, if that is the one that it concerns.
    pub(super) async fn perform_within_child(&self, place: &dyn Records) -> Result<Outcome> {
        match self.within_child() {
            Some(within) => within.perform(&place.in_namespace(CHILD)).await,
            None => self.perform(place).await,
        }
    }

    /// Does it to the model.
    pub(super) fn expected(&self, model: &mut Model) -> Result<Outcome> {
        let outcome = match self {
            Self::Save(checkpoint) => {
                let saved = model.save((**checkpoint).clone());
                return saved.map(Outcome::Saved);
            }
            Self::PutWrites(key, at, writes) => {
                let put = model.put_writes(key, at, writes);
                return put.map(|()| Outcome::Done);
            }
            Self::Copy(from, to) => return model.copy(from, None, to).map(Outcome::Count),
            Self::Fork(from, seq, to) => {
                let copied = model.copy(from, Some(*seq), to);
                return copied.map(Outcome::Count);
            }
            Self::DeleteThread(thread_id) => {
                Outcome::Count(model.delete(|key| key.thread_id == *thread_id))
            }
            Self::DeleteNamespace(key) => Outcome::Count(model.delete(|other| other == key)),
            Self::DeleteRuns(run_ids) => Outcome::Count(model.delete_runs(run_ids)),
            Self::Prune(prune) => Outcome::Count(model.prune(prune)),
            Self::Load(key, at) => {
                Outcome::Checkpoints(model.load(key, at).cloned().into_iter().collect())
            }
            Self::List(key, query) => Outcome::Checkpoints(model.list(key, query)),
            Self::Writes(key, at) => Outcome::Writes(model.pending_writes(key, at)),
            Self::WritesOf(key, all) => Outcome::WritesOf(model.pending_writes_of(key, all)),
            Self::CountWrites(key, seqs) => Outcome::Counts(model.count_writes(key, seqs)),
            Self::Threads(query) => Outcome::Threads(model.threads(query)),
            Self::Namespaces(thread_id) => Outcome::Namespaces(model.namespaces(thread_id)),
        };
        Ok(outcome)
    }
}
