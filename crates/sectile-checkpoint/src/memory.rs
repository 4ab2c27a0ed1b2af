//! Checkpoints in memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use crate::key::check_thread_id;
use crate::{
    At, Checkpoint, CheckpointQuery, Error, Key, NamespaceSummary, PendingWrite, Prune, Records,
    Result, Saved, StoredState, TaskWrites, ThreadQuery, ThreadSummary, Threads, now,
};
use line::Line;
use shared::Shared;

mod line;
mod shared;

/// Stores checkpoints in memory, for tests and for runs that end with the process.
///
/// Clones share the checkpoints. A checkpoint shares the long parts of its JSON state and its
/// channel values with the previous one (the parent, if one is named), so the history only takes
/// memory for changes.
#[derive(Clone, Debug, Default)]
pub struct MemoryCheckpointer {
    lines: Arc<Mutex<Lines>>,
}

/// The checkpoints by thread and namespace.
type Lines = BTreeMap<Key, Line>;

impl MemoryCheckpointer {
    /// Creates an empty checkpointer.
    pub fn new() -> Self {
        Self::default()
    }

    /// A panic cannot leave the map half-changed, so a poisoned lock is taken all the same.
    fn lock(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn copy(&self, from: &str, up_to: Option<u64>, to: &str) -> Result<u64> {
        check_thread_id(to)?;
        let mut lines = self.lock();
        let not_found = || Error::NotFound {
            thread_id: from.into(),
            seq: up_to,
        };
        let until = match up_to {
            None => u64::MAX,
            Some(seq) => {
                let root = lines.get(&Key::from(from));
                let last = root.and_then(|root| root.at(&At::Seq(seq)));
                last.ok_or_else(not_found)?.created_at
            }
        };
        for (key, _) in of_thread(&lines, from) {
            Key::new(to, &*key.namespace).validate()?;
        }
        let copies: Vec<(Key, Line)> = of_thread(&lines, from)
            .map(|(key, line)| {
                let up_to = up_to.filter(|_| key.namespace.is_empty());
                let copy = line.copied(to, |checkpoint| match up_to {
                    Some(seq) => checkpoint.seq <= seq,
                    None => checkpoint.created_at <= until,
                });
                (Key::new(to, &key.namespace), copy)
            })
            .filter(|(_, copy)| !copy.is_empty())
            .collect();
        let count: usize = copies.iter().map(|(_, line)| line.checkpoints.len()).sum();
        if count == 0 {
            return Err(not_found());
        }
        if of_thread(&lines, to).next().is_some() {
            return Err(Error::ThreadExists {
                thread_id: to.into(),
            });
        }
        lines.extend(copies);
        Ok(count as u64)
    }
}

/// Returns a checkpoint as it was saved.
fn whole(kept: &Checkpoint<Shared>) -> Checkpoint<StoredState> {
    kept.with_state(kept.state.whole())
}

/// Returns the namespaces of a thread.
fn of_thread<'l>(lines: &'l Lines, thread_id: &str) -> impl Iterator<Item = (&'l Key, &'l Line)> {
    let thread_id = thread_id.to_owned();
    lines
        .range(Key::from(&*thread_id)..)
        .take_while(move |(key, _)| key.thread_id == thread_id)
}

#[async_trait]
impl Records for MemoryCheckpointer {
    async fn insert(&self, mut checkpoint: Checkpoint<StoredState>) -> Result<Saved> {
        let mut lines = self.lock();
        let empty = Line::default();
        let line = lines.get(&checkpoint.key()).unwrap_or(&empty);
        let kept = checkpoint.id.clone().and_then(|id| line.at(&At::Id(id)));
        if kept.is_none() {
            checkpoint.check_parent(line.last_seq)?;
        }
        let parent = checkpoint.parent_seq.and_then(|seq| line.at(&At::Seq(seq)));
        if let Some(kept) = kept {
            let parent = parent.map(|parent| parent.state.whole());
            return whole(kept).repeated_by(checkpoint, parent.as_ref());
        }
        let parent_state = parent.and_then(|parent| parent.state.as_whole());
        checkpoint.state = checkpoint.state.resolved(parent_state)?;
        if checkpoint.created_at == 0 {
            checkpoint.created_at = now();
        }
        let before = parent.or_else(|| line.at(&At::Latest));
        let before = before.map(|before| &before.state);
        let checkpoint = checkpoint.map_state(|state| Shared::of(state, before));
        let line = lines.entry(checkpoint.key()).or_default();
        Ok(line.push(checkpoint))
    }

    async fn fetch(&self, key: &Key, at: &At) -> Result<Option<Checkpoint<StoredState>>> {
        let lines = self.lock();
        Ok(lines.get(key).and_then(|line| line.at(at)).map(whole))
    }

    async fn select(
        &self,
        key: &Key,
        query: &CheckpointQuery,
    ) -> Result<Vec<Checkpoint<StoredState>>> {
        let lines = self.lock();
        let ordered = lines.get(key).map(|line| line.ordered(&query.order));
        let ordered = ordered.unwrap_or_default().into_iter();
        Ok(ordered
            .filter(|checkpoint| query.before.is_none_or(|seq| checkpoint.seq < seq))
            .filter(|checkpoint| query.matches(&checkpoint.metadata))
            .take(query.limit.unwrap_or(usize::MAX))
            .map(whole)
            .collect())
    }

    async fn insert_writes(&self, key: &Key, at: &At, writes: &TaskWrites) -> Result<()> {
        let mut lines = self.lock();
        let owner = lines
            .get(key)
            .map_or_else(|| Line::default().owner(at), |line| line.owner(at));
        let owner = owner.ok_or_else(|| Error::NotFound {
            thread_id: key.to_string(),
            seq: at.seq(),
        })?;
        lines.entry(key.clone()).or_default().write(owner, writes);
        Ok(())
    }

    async fn select_writes(&self, key: &Key, at: &At) -> Result<Vec<PendingWrite>> {
        let lines = self.lock();
        let found = lines.get(key).map(|line| line.writes_at(at));
        Ok(found.unwrap_or_default())
    }

    async fn count_writes(&self, key: &Key, seqs: &[u64]) -> Result<Vec<u64>> {
        let lines = self.lock();
        let line = lines.get(key);
        let count = |seq: &u64| line.map_or(0, |line| line.count_writes(&At::Seq(*seq)));
        Ok(seqs.iter().map(count).collect())
    }

    async fn select_writes_of(&self, key: &Key, all: &[At]) -> Result<Vec<Vec<PendingWrite>>> {
        let lines = self.lock();
        let line = lines.get(key);
        let writes = |at: &At| line.map_or_else(Vec::new, |line| line.writes_at(at));
        Ok(all.iter().map(writes).collect())
    }
}

#[async_trait]
impl Threads for MemoryCheckpointer {
    async fn threads(&self, query: &ThreadQuery) -> Result<Vec<ThreadSummary>> {
        let lines = self.lock();
        let has_metadata = |thread: &ThreadSummary| {
            of_thread(&lines, &thread.thread_id).any(|(_, line)| line.has(query))
        };
        Ok(query.choose(summaries(&lines), has_metadata))
    }

    async fn namespaces(&self, thread_id: &str) -> Result<Vec<NamespaceSummary>> {
        let lines = self.lock();
        Ok(of_thread(&lines, thread_id)
            .filter_map(|(key, line)| line.summary(&key.namespace))
            .collect())
    }

    async fn fork(&self, thread_id: &str, seq: u64, new_thread_id: &str) -> Result<u64> {
        self.copy(thread_id, Some(seq), new_thread_id)
    }

    async fn copy_thread(&self, thread_id: &str, new_thread_id: &str) -> Result<u64> {
        self.copy(thread_id, None, new_thread_id)
    }

    async fn delete_namespace(&self, key: &Key) -> Result<u64> {
        let removed = self.lock().remove(key);
        Ok(removed.map_or(0, |line| line.checkpoints.len() as u64))
    }

    async fn delete_runs(&self, run_ids: &[String]) -> Result<u64> {
        let mut lines = self.lock();
        Ok(lines
            .values_mut()
            .map(|line| line.delete_runs(run_ids))
            .sum())
    }

    async fn delete_thread(&self, thread_id: &str) -> Result<u64> {
        let mut lines = self.lock();
        let count = |(_, line): (_, &Line)| line.checkpoints.len() as u64;
        let removed = of_thread(&lines, thread_id).map(count).sum();
        lines.retain(|key, _| key.thread_id != thread_id);
        Ok(removed)
    }

    async fn prune(&self, prune: &Prune) -> Result<u64> {
        let mut lines = self.lock();
        let chosen = lines.iter_mut().filter(|(key, _)| {
            let only = prune.thread_id.as_ref();
            only.is_none_or(|only| *only == key.thread_id)
        });
        Ok(chosen.map(|(_, line)| line.prune(prune)).sum())
    }
}

/// Says what the threads that have checkpoints are like, in the order of their ids.
fn summaries(lines: &Lines) -> Vec<ThreadSummary> {
    let mut found: Vec<ThreadSummary> = Vec::new();
    for (key, line) in lines {
        let Some(of_line) = line.summary(&key.namespace) else {
            continue;
        };
        let is_new = found
            .last()
            .is_none_or(|last| last.thread_id != key.thread_id);
        if is_new {
            found.push(ThreadSummary {
                thread_id: key.thread_id.clone(),
                latest_seq: 0,
                checkpoints: 0,
                updated_at: 0,
            });
        }
        let Some(thread) = found.last_mut() else {
            continue;
        };
        thread.add(&of_line);
    }
    found
}
