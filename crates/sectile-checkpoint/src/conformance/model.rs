//! What checkpointers are compared with: lists that are read from one end to the other. It shares
//! nothing with a checkpointer but the types that callers see.

use std::cmp::Reverse;

use serde_json::{Map, Value};

use crate::{
    At, Channel, Channels, Checkpoint, CheckpointOrder, CheckpointQuery, Content, ErrorKind, Key,
    NamespaceSummary, Newest, PendingWrite, Prune, Saved, StoredState, TaskWrites, ThreadOrder,
    ThreadQuery, ThreadSummary,
};

/// A result with the kind of an error; what the error says is not compared.
pub(super) type Result<T> = std::result::Result<T, ErrorKind>;

/// All that a checkpointer has.
#[derive(Debug, Default)]
pub(super) struct Model {
    namespaces: Vec<Namespace>,
}

#[derive(Debug)]
struct Namespace {
    key: Key,
    /// The number of the newest checkpoint that there ever was.
    last_seq: u64,
    /// The checkpoints that are kept, oldest first.
    checkpoints: Vec<Checkpoint<StoredState>>,
    /// The writes, each with what it belongs to: see [`owner`].
    writes: Vec<(At, PendingWrite)>,
}

impl Model {
    fn namespace(&self, key: &Key) -> Option<&Namespace> {
        let mut all = self.namespaces.iter();
        all.find(|namespace| namespace.key == *key)
    }

    /// Returns a namespace, which is made if it is not there.
    fn namespace_mut(&mut self, key: &Key) -> &mut Namespace {
        let mut all = self.namespaces.iter();
        let found = all.position(|namespace| namespace.key == *key);
        let at = found.unwrap_or_else(|| {
            self.namespaces.push(Namespace::new(key.clone()));
            self.namespaces.len() - 1
        });
        &mut self.namespaces[at]
    }

    /// Saves a checkpoint.
    pub(super) fn save(&mut self, mut new: Checkpoint<StoredState>) -> Result<Saved> {
        if new.parent_seq == Some(0) {
            return Err(ErrorKind::InvalidArgument);
        }
        let key = new.key();
        let empty = Namespace::new(key.clone());
        let namespace = self.namespace(&key).unwrap_or(&empty);
        let parent = new.parent_seq.and_then(|seq| namespace.at(&At::Seq(seq)));
        let parent = parent.map(|parent| &parent.state);
        let kept = new.id.clone().and_then(|id| namespace.at(&At::Id(id)));
        if let Some(kept) = kept {
            return repeated(kept, new, parent);
        }
        if new.parent_seq.is_some_and(|seq| seq > namespace.last_seq) {
            return Err(ErrorKind::InvalidArgument);
        }
        new.state = whole(new.state, parent)?;
        let namespace = self.namespace_mut(&key);
        namespace.last_seq += 1;
        new.seq = namespace.last_seq;
        let saved = Saved {
            seq: new.seq,
            is_new: true,
        };
        namespace.checkpoints.push(new);
        Ok(saved)
    }

    /// Returns a checkpoint.
    pub(super) fn load(&self, key: &Key, at: &At) -> Option<&Checkpoint<StoredState>> {
        self.namespace(key)?.at(at)
    }

    /// Returns the numbers of the checkpoints of a namespace, oldest first.
    pub(super) fn seqs(&self, key: &Key) -> Vec<u64> {
        let namespace = self.namespace(key);
        let checkpoints = namespace.map_or(&[][..], |namespace| &namespace.checkpoints);
        checkpoints.iter().map(|kept| kept.seq).collect()
    }

    /// Lists checkpoints in the order of a query.
    pub(super) fn list(&self, key: &Key, query: &CheckpointQuery) -> Vec<Checkpoint<StoredState>> {
        let namespace = self.namespace(key);
        let checkpoints = namespace.map_or(&[][..], |namespace| &namespace.checkpoints);
        let mut found = checkpoints.to_vec();
        match &query.order {
            CheckpointOrder::BySeq => found.reverse(),
            CheckpointOrder::ById { before } => {
                found.retain(|kept| kept.id.is_some());
                found.retain(|kept| before.is_none() || kept.id < *before);
                found.sort_by_key(|kept| Reverse(kept.id.clone()));
            }
        }
        found.retain(|kept| query.before.is_none_or(|seq| kept.seq < seq));
        found.retain(|kept| has_all(&kept.metadata, &query.metadata));
        found.truncate(query.limit.unwrap_or(usize::MAX));
        found
    }

    /// Returns what writes belong to; nothing if there is no such checkpoint and none can come.
    fn owner_at(&self, key: &Key, at: &At) -> Option<At> {
        match self.load(key, at) {
            Some(checkpoint) => Some(owner(checkpoint)),
            None => matches!(at, At::Id(_)).then(|| at.clone()),
        }
    }

    /// Keeps what a task wrote.
    pub(super) fn put_writes(&mut self, key: &Key, at: &At, task: &TaskWrites) -> Result<()> {
        let owner = self.owner_at(key, at).ok_or(ErrorKind::NotFound)?;
        let all = &mut self.namespace_mut(key).writes;
        for write in &task.writes {
            let pending = PendingWrite {
                task_id: task.task_id.clone(),
                task_path: task.task_path.clone(),
                run_id: task.run_id.clone(),
                write: write.clone(),
            };
            let same = all.iter().position(|(of, kept)| {
                *of == owner && kept.task_id == task.task_id && kept.write.index == write.index
            });
            match same {
                None => all.push((owner.clone(), pending)),
                Some(at) if write.index < 0 => all[at].1 = pending,
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Returns what tasks wrote, by path, task and index.
    pub(super) fn pending_writes(&self, key: &Key, at: &At) -> Vec<PendingWrite> {
        let (Some(namespace), Some(owner)) = (self.namespace(key), self.owner_at(key, at)) else {
            return Vec::new();
        };
        let of_owner = namespace.writes.iter().filter(|(of, _)| *of == owner);
        let mut found: Vec<PendingWrite> = of_owner.map(|(_, write)| write.clone()).collect();
        found.sort_by_key(|pending| {
            let path = pending.task_path.clone();
            (path, pending.task_id.clone(), pending.write.index)
        });
        found
    }

    /// Returns what tasks wrote beside each of many checkpoints.
    pub(super) fn pending_writes_of(&self, key: &Key, all: &[At]) -> Vec<Vec<PendingWrite>> {
        all.iter().map(|at| self.pending_writes(key, at)).collect()
    }

    /// Counts what tasks wrote beside each of many checkpoints.
    pub(super) fn count_writes(&self, key: &Key, seqs: &[u64]) -> Vec<u64> {
        let beside = |seq: &u64| self.pending_writes(key, &At::Seq(*seq)).len() as u64;
        seqs.iter().map(beside).collect()
    }

    /// Lists the namespaces of a thread that have checkpoints.
    pub(super) fn namespaces(&self, thread_id: &str) -> Vec<NamespaceSummary> {
        let mut found = Vec::new();
        for namespace in &self.namespaces {
            if let Some(newest) = namespace.at(&At::Latest)
                && namespace.key.thread_id == thread_id
            {
                found.push(NamespaceSummary {
                    namespace: namespace.key.namespace.clone(),
                    latest_seq: newest.seq,
                    checkpoints: namespace.checkpoints.len() as u64,
                    updated_at: newest.created_at,
                });
            }
        }
        found.sort_by_key(|namespace| namespace.namespace.clone());
        found
    }

    /// Lists threads.
    pub(super) fn threads(&self, query: &ThreadQuery) -> Vec<ThreadSummary> {
        let ids = self.namespaces.iter().map(|found| &*found.key.thread_id);
        let mut ids: Vec<&str> = ids.collect();
        ids.sort_unstable();
        ids.dedup();
        let all = ids.into_iter().filter_map(|id| self.thread(id));
        let mut all: Vec<ThreadSummary> = all.collect();
        if query.order == ThreadOrder::ByLastUse {
            // Threads of the same time stay in the order of their ids.
            all.sort_by_key(|thread| Reverse(thread.updated_at));
        }
        if let Some(after) = &query.after {
            let place = all.iter().position(|thread| thread.thread_id == *after);
            match (query.order, place) {
                (ThreadOrder::ById, _) => all.retain(|thread| thread.thread_id > *after),
                (ThreadOrder::ByLastUse, Some(place)) => all = all.split_off(place + 1),
                (ThreadOrder::ByLastUse, None) => all.clear(),
            }
        }
        all.retain(|thread| {
            query
                .used_before
                .is_none_or(|time| thread.updated_at < time)
        });
        all.retain(|thread| {
            query
                .used_since
                .is_none_or(|time| thread.updated_at >= time)
        });
        all.retain(|thread| self.has_metadata(&thread.thread_id, &query.metadata));
        all.truncate(query.limit.unwrap_or(usize::MAX));
        all
    }

    fn thread(&self, thread_id: &str) -> Option<ThreadSummary> {
        let namespaces = self.namespaces(thread_id);
        let times = namespaces.iter().map(|namespace| namespace.updated_at);
        let root = self.load(&Key::from(thread_id), &At::Latest);
        Some(ThreadSummary {
            thread_id: thread_id.into(),
            latest_seq: root.map_or(0, |newest| newest.seq),
            updated_at: times.max()?,
            checkpoints: namespaces.iter().map(|found| found.checkpoints).sum(),
        })
    }

    fn has_metadata(&self, thread_id: &str, wanted: &Map<String, Value>) -> bool {
        let all = self.namespaces.iter().flat_map(|found| &found.checkpoints);
        let mut of_thread = all.filter(|kept| kept.thread_id == thread_id);
        of_thread.any(|kept| has_all(&kept.metadata, wanted))
    }

    /// Copies a thread, or what there was of it when a checkpoint of its root was saved.
    pub(super) fn copy(&mut self, from: &str, up_to: Option<u64>, to: &str) -> Result<u64> {
        let (seq, time) = match up_to {
            None => (u64::MAX, u64::MAX),
            Some(seq) => {
                let last = self.load(&Key::from(from), &At::Seq(seq));
                (seq, last.ok_or(ErrorKind::NotFound)?.created_at)
            }
        };
        let mut copies = Vec::new();
        for namespace in &self.namespaces {
            if namespace.key.thread_id == from {
                copies.push(namespace.copied(seq, time, to));
            }
        }
        copies.retain(|copy| !copy.checkpoints.is_empty());
        if copies.is_empty() {
            return Err(ErrorKind::NotFound);
        }
        let mut all = self.namespaces.iter();
        if all.any(|namespace| namespace.key.thread_id == to) {
            return Err(ErrorKind::ThreadExists);
        }
        let counts = copies.iter().map(|copy| copy.checkpoints.len() as u64);
        let count = counts.sum();
        self.namespaces.extend(copies);
        Ok(count)
    }

    /// Deletes namespaces.
    pub(super) fn delete(&mut self, goes: impl Fn(&Key) -> bool) -> u64 {
        let going = self.namespaces.iter().filter(|found| goes(&found.key));
        let count = going.map(|found| found.checkpoints.len() as u64).sum();
        self.namespaces.retain(|found| !goes(&found.key));
        count
    }

    /// Deletes what runs saved and wrote.
    pub(super) fn delete_runs(&mut self, run_ids: &[String]) -> u64 {
        let is_of_run =
            |run_id: &Option<String>| run_id.as_ref().is_some_and(|id| run_ids.contains(id));
        let mut count = 0;
        for namespace in &mut self.namespaces {
            let writes = &mut namespace.writes;
            writes.retain(|(_, pending)| !is_of_run(&pending.run_id));
            count += namespace.remove(|_, checkpoint| is_of_run(&checkpoint.run_id));
        }
        count
    }

    /// Deletes old checkpoints.
    pub(super) fn prune(&mut self, prune: &Prune) -> u64 {
        let mut count = 0;
        for namespace in &mut self.namespaces {
            let thread_id = &namespace.key.thread_id;
            if prune
                .thread_id
                .as_ref()
                .is_none_or(|only| only == thread_id)
            {
                let mut ids: Vec<_> = namespace.checkpoints.iter().collect();
                ids.retain(|kept| kept.id.is_some());
                ids.sort_by(|one, other| other.id.cmp(&one.id));
                let ids: Vec<u64> = ids.into_iter().map(|kept| kept.seq).collect();
                count += namespace.remove(|newer, checkpoint| {
                    let time = checkpoint.created_at;
                    let is_old = prune.older_than.is_none_or(|older| time < older);
                    let newer = match prune.newest {
                        Newest::BySeq => newer,
                        Newest::ById => {
                            let place = ids.iter().position(|seq| *seq == checkpoint.seq);
                            place.map_or(0, |place| place as u64)
                        }
                    };
                    newer > 0 && newer >= prune.keep_latest && is_old
                });
            }
        }
        count
    }
}

impl Namespace {
    fn new(key: Key) -> Self {
        Self {
            key,
            last_seq: 0,
            checkpoints: Vec::new(),
            writes: Vec::new(),
        }
    }

    fn at(&self, at: &At) -> Option<&Checkpoint<StoredState>> {
        let mut newest_first = self.checkpoints.iter().rev();
        newest_first.find(|kept| match at {
            At::Latest => true,
            At::Seq(seq) => kept.seq == *seq,
            At::Id(id) => kept.id.as_ref() == Some(id),
        })
    }

    /// Returns a copy for another thread: of the root up to a number, of others up to a time.
    fn copied(&self, seq: u64, time: u64, to: &str) -> Self {
        let mut copy = Self::new(Key::new(to, &*self.key.namespace));
        for kept in &self.checkpoints {
            let is_chosen = if self.key.namespace.is_empty() {
                kept.seq <= seq
            } else {
                kept.created_at <= time
            };
            if is_chosen {
                let mut checkpoint = kept.clone();
                checkpoint.thread_id = to.into();
                copy.last_seq = checkpoint.seq;
                copy.checkpoints.push(checkpoint);
            }
        }
        let owners: Vec<At> = copy.checkpoints.iter().map(owner).collect();
        copy.writes.clone_from(&self.writes);
        copy.writes.retain(|(of, _)| owners.contains(of));
        copy
    }

    /// Deletes checkpoints with the writes beside them. `goes` is told how many newer ones there are.
    fn remove(&mut self, goes: impl Fn(u64, &Checkpoint<StoredState>) -> bool) -> u64 {
        let (mut kept, mut count) = (Vec::new(), 0);
        let all = std::mem::take(&mut self.checkpoints);
        for (newer, checkpoint) in (0..).zip(all.into_iter().rev()) {
            if goes(newer, &checkpoint) {
                let owner = owner(&checkpoint);
                self.writes.retain(|(of, _)| *of != owner);
                count += 1;
            } else {
                kept.push(checkpoint);
            }
        }
        kept.reverse();
        self.checkpoints = kept;
        count
    }
}

/// Returns what the writes beside a checkpoint belong to: its id, or its number if it has none.
fn owner(checkpoint: &Checkpoint<StoredState>) -> At {
    match &checkpoint.id {
        Some(id) => At::Id(id.clone()),
        None => At::Seq(checkpoint.seq),
    }
}

fn has_all(metadata: &Map<String, Value>, wanted: &Map<String, Value>) -> bool {
    let mut entries = wanted.iter();
    entries.all(|(name, value)| metadata.get(name) == Some(value))
}

/// Returns a state with all that its channels take from the parent.
fn whole(state: StoredState, parent: Option<&StoredState>) -> Result<StoredState> {
    let channels = match state {
        StoredState::Channels(channels) => channels,
        other => return Ok(other),
    };
    let mut all = Channels::new();
    for (name, channel) in channels.0 {
        let before = match parent {
            Some(StoredState::Channels(parent)) => parent.0.get(&name),
            _ => None,
        };
        let list_before = match before.map(|before| &before.content) {
            Some(Content::List(list)) => Some(list),
            _ => None,
        };
        let version = channel.version;
        let channel = match channel.content {
            Content::Same => before.cloned(),
            Content::Appended(more) => list_before.map(|list| Channel {
                version,
                content: Content::List([list.clone(), more].concat()),
            }),
            content => Some(Channel { version, content }),
        };
        let channel = channel.ok_or(ErrorKind::InvalidArgument)?;
        all.0.insert(name, channel);
    }
    Ok(all.into())
}

/// Says what becomes of a save whose id is taken: it is the same but for the time, or it is refused.
fn repeated(
    kept: &Checkpoint<StoredState>,
    mut again: Checkpoint<StoredState>,
    parent: Option<&StoredState>,
) -> Result<Saved> {
    again.state = if again.parent_seq.is_some() && parent.is_none() {
        as_kept(again.state, &kept.state)
    } else {
        whole(again.state, parent)?
    };
    again.seq = kept.seq;
    again.created_at = kept.created_at;
    if again != *kept {
        return Err(ErrorKind::IdConflict);
    }
    Ok(Saved {
        seq: kept.seq,
        is_new: false,
    })
}

/// Returns a state whose parent is gone with the channels that may be those of the state that is kept.
fn as_kept(state: StoredState, kept: &StoredState) -> StoredState {
    let (mut channels, kept) = match (state, kept) {
        (StoredState::Channels(channels), StoredState::Channels(kept)) => (channels, kept),
        (other, _) => return other,
    };
    for (name, channel) in &mut channels.0 {
        let Some(kept) = kept.0.get(name) else {
            continue;
        };
        let may_be = match (&channel.content, &kept.content) {
            (Content::Same, _) => true,
            (Content::Appended(more), Content::List(list)) => {
                channel.version == kept.version && list.ends_with(more)
            }
            _ => false,
        };
        if may_be {
            *channel = kept.clone();
        }
    }
    channels.into()
}
