//! Checkpoints in memory.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use crate::{
    At, Checkpoint, CheckpointQuery, Error, Prune, Records, Result, Saved, StateJson, ThreadQuery,
    ThreadSummary, Threads, now,
};

/// Keeps checkpoints as long as the process lives: for tests and for runs that need no more.
///
/// Clones share what is kept.
#[derive(Clone, Debug, Default)]
pub struct MemoryCheckpointer {
    threads: Arc<Mutex<BTreeMap<String, Thread>>>,
}

/// The checkpoints of a thread, oldest first.
type Thread = Vec<Checkpoint<StateJson>>;

impl MemoryCheckpointer {
    /// Returns one that holds nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A panic cannot leave the map half-changed, so a poisoned lock is taken all the same.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Thread>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn copy(&self, from: &str, up_to: Option<u64>, to: &str) -> Result<u64> {
        crate::checkpoint::check_thread_id(to)?;
        let mut threads = self.lock();
        let copies = copies(
            threads.get(from).map_or(&[], Vec::as_slice),
            from,
            up_to,
            to,
        )?;
        let count = copies.len() as u64;
        match threads.entry(to.into()) {
            Entry::Occupied(_) => Err(Error::ThreadExists {
                thread_id: to.into(),
            }),
            Entry::Vacant(entry) => {
                entry.insert(copies);
                Ok(count)
            }
        }
    }
}

/// Returns copies for thread `to` of checkpoints of thread `from`, all or up to a number.
fn copies(
    thread: &[Checkpoint<StateJson>],
    from: &str,
    up_to: Option<u64>,
    to: &str,
) -> Result<Thread> {
    let is_there = match up_to {
        Some(seq) => thread.iter().any(|checkpoint| checkpoint.seq == seq),
        None => !thread.is_empty(),
    };
    if !is_there {
        return Err(Error::NotFound {
            thread_id: from.into(),
            seq: up_to,
        });
    }
    let kept = thread
        .iter()
        .filter(|checkpoint| up_to.is_none_or(|seq| checkpoint.seq <= seq));
    let copy = |checkpoint: &Checkpoint<StateJson>| Checkpoint {
        thread_id: to.into(),
        ..checkpoint.clone()
    };
    Ok(kept.map(copy).collect())
}

/// Removes what `prune` says from a thread, oldest first, and returns how many those are.
fn prune_thread(thread: &mut Thread, prune: &Prune) -> u64 {
    let before = thread.len();
    let kept = usize::try_from(prune.keep_latest.max(1)).unwrap_or(usize::MAX);
    let mut newer = before;
    thread.retain(|checkpoint| {
        newer -= 1;
        let is_young = prune
            .older_than
            .is_some_and(|time| checkpoint.created_at >= time);
        newer < kept || is_young
    });
    (before - thread.len()) as u64
}

#[async_trait]
impl Records for MemoryCheckpointer {
    async fn insert(&self, mut checkpoint: Checkpoint<StateJson>) -> Result<Saved> {
        let mut threads = self.lock();
        let kept = threads.get(&checkpoint.thread_id);
        let thread = kept.map_or(&[][..], Vec::as_slice);
        let same_id = |kept: &&Checkpoint<StateJson>| kept.id.is_some() && kept.id == checkpoint.id;
        if let Some(kept) = thread.iter().find(same_id) {
            return kept.repeated_by(&checkpoint);
        }
        let latest = thread.last().map_or(0, |latest| latest.seq);
        checkpoint.check_parent(latest)?;
        checkpoint.seq = latest + 1;
        if checkpoint.created_at == 0 {
            checkpoint.created_at = now();
        }
        let seq = checkpoint.seq;
        let thread = threads.entry(checkpoint.thread_id.clone()).or_default();
        thread.push(checkpoint);
        Ok(Saved { seq, is_new: true })
    }

    async fn fetch(&self, thread_id: &str, at: &At) -> Result<Option<Checkpoint<StateJson>>> {
        let threads = self.lock();
        let thread = threads.get(thread_id).map_or(&[][..], Vec::as_slice);
        let found = match at {
            At::Latest => thread.last(),
            At::Seq(seq) => thread
                .binary_search_by_key(seq, |checkpoint| checkpoint.seq)
                .ok()
                .map(|at| &thread[at]),
            At::Id(id) => thread.iter().find(|kept| kept.id.as_ref() == Some(id)),
        };
        Ok(found.cloned())
    }

    async fn select(
        &self,
        thread_id: &str,
        query: &CheckpointQuery,
    ) -> Result<Vec<Checkpoint<StateJson>>> {
        let threads = self.lock();
        let thread = threads.get(thread_id).map_or(&[][..], Vec::as_slice);
        let newest_first = thread.iter().rev();
        Ok(newest_first
            .filter(|checkpoint| query.before.is_none_or(|seq| checkpoint.seq < seq))
            .filter(|checkpoint| query.matches(&checkpoint.metadata))
            .take(query.limit.unwrap_or(usize::MAX))
            .cloned()
            .collect())
    }
}

#[async_trait]
impl Threads for MemoryCheckpointer {
    async fn threads(&self, query: &ThreadQuery) -> Result<Vec<ThreadSummary>> {
        let threads = self.lock();
        let after = query
            .after
            .as_deref()
            .map_or(Bound::Unbounded, Bound::Excluded);
        let found = threads.range::<str, _>((after, Bound::Unbounded));
        let found = found.filter_map(|(thread_id, thread)| summary(thread_id, thread));
        Ok(found.take(query.limit.unwrap_or(usize::MAX)).collect())
    }

    async fn fork(&self, thread_id: &str, seq: u64, new_thread_id: &str) -> Result<u64> {
        self.copy(thread_id, Some(seq), new_thread_id)
    }

    async fn copy_thread(&self, thread_id: &str, new_thread_id: &str) -> Result<u64> {
        self.copy(thread_id, None, new_thread_id)
    }

    async fn delete_thread(&self, thread_id: &str) -> Result<u64> {
        let removed = self.lock().remove(thread_id);
        Ok(removed.map_or(0, |thread| thread.len() as u64))
    }

    async fn prune(&self, prune: &Prune) -> Result<u64> {
        let mut threads = self.lock();
        let chosen = threads
            .iter_mut()
            .filter(|(id, _)| prune.thread_id.as_ref().is_none_or(|only| only == *id));
        Ok(chosen.map(|(_, thread)| prune_thread(thread, prune)).sum())
    }
}

/// Says what a thread is like, unless it is empty.
fn summary(thread_id: &str, thread: &[Checkpoint<StateJson>]) -> Option<ThreadSummary> {
    let latest = thread.last()?;
    Some(ThreadSummary {
        thread_id: thread_id.into(),
        latest_seq: latest.seq,
        checkpoints: thread.len() as u64,
        updated_at: latest.created_at,
    })
}
