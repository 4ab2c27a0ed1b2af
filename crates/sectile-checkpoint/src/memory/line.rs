//! The checkpoints of one namespace of a thread.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::shared::Shared;
use crate::encode::has_entries;
use crate::{
    At, Checkpoint, CheckpointOrder, NamespaceSummary, Newest, PendingWrite, Prune, Saved,
    TaskWrites, ThreadQuery,
};

/// The checkpoints of a namespace, oldest first, and the writes beside them.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    /// The number of the newest so far.
    pub(super) last_seq: u64,
    pub(super) checkpoints: Vec<Checkpoint<Shared>>,
    writes: BTreeMap<Owner, Writes>,
}

/// The pending writes of a checkpoint, by task and index.
type Writes = BTreeMap<(String, i64), PendingWrite>;

/// What writes belong to: a checkpoint by its id, or by its number where it has none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Owner {
    Id(String),
    Seq(u64),
}

impl Owner {
    fn of(checkpoint: &Checkpoint<Shared>) -> Self {
        match &checkpoint.id {
            Some(id) => Self::Id(id.clone()),
            None => Self::Seq(checkpoint.seq),
        }
    }
}

impl Line {
    /// Returns whether there is nothing to copy.
    pub(super) fn is_empty(&self) -> bool {
        self.checkpoints.is_empty()
    }

    /// Returns a checkpoint.
    pub(super) fn at(&self, at: &At) -> Option<&Checkpoint<Shared>> {
        match at {
            At::Latest => self.checkpoints.last(),
            At::Seq(seq) => {
                let found = self.checkpoints.binary_search_by_key(seq, |kept| kept.seq);
                found.ok().map(|at| &self.checkpoints[at])
            }
            At::Id(id) => self
                .checkpoints
                .iter()
                .find(|kept| kept.id.as_ref() == Some(id)),
        }
    }

    /// Returns the checkpoints in an order.
    pub(super) fn ordered(&self, order: &CheckpointOrder) -> Vec<&Checkpoint<Shared>> {
        let CheckpointOrder::ById { before } = order else {
            return self.checkpoints.iter().rev().collect();
        };
        let is_listed = |kept: &&Checkpoint<Shared>| {
            let before = before.as_ref();
            let id = kept.id.as_ref();
            id.is_some_and(|id| before.is_none_or(|before| id < before))
        };
        let mut ordered: Vec<_> = self.checkpoints.iter().filter(is_listed).collect();
        ordered.sort_by(|one, other| other.id.cmp(&one.id));
        ordered
    }

    /// Adds a checkpoint under the next number.
    pub(super) fn push(&mut self, mut checkpoint: Checkpoint<Shared>) -> Saved {
        self.last_seq += 1;
        checkpoint.seq = self.last_seq;
        self.checkpoints.push(checkpoint);
        Saved {
            seq: self.last_seq,
            is_new: true,
        }
    }

    /// Returns what writes are kept under; nothing if there is no such checkpoint and there cannot
    /// be one on its way.
    pub(super) fn owner(&self, at: &At) -> Option<Owner> {
        match (self.at(at), at) {
            (Some(checkpoint), _) => Some(Owner::of(checkpoint)),
            (None, At::Id(id)) => Some(Owner::Id(id.clone())),
            (None, At::Latest | At::Seq(_)) => None,
        }
    }

    pub(super) fn write(&mut self, owner: Owner, writes: &TaskWrites) {
        let kept = self.writes.entry(owner).or_default();
        for pending in writes.pending() {
            let replaces = pending.write.replaces();
            match kept.entry((pending.task_id.clone(), pending.write.index)) {
                Entry::Vacant(entry) => drop(entry.insert(pending)),
                Entry::Occupied(mut entry) if replaces => drop(entry.insert(pending)),
                Entry::Occupied(_) => {}
            }
        }
    }

    pub(super) fn writes_at(&self, at: &At) -> Vec<PendingWrite> {
        let found = self.writes_beside(at);
        found.map_or_else(Vec::new, |writes| writes.values().cloned().collect())
    }

    pub(super) fn count_writes(&self, at: &At) -> u64 {
        self.writes_beside(at)
            .map_or(0, |writes| writes.len() as u64)
    }

    fn writes_beside(&self, at: &At) -> Option<&Writes> {
        self.owner(at).and_then(|owner| self.writes.get(&owner))
    }

    /// Returns a copy for another thread, of the checkpoints that are chosen.
    pub(super) fn copied(
        &self,
        thread_id: &str,
        is_chosen: impl Fn(&Checkpoint<Shared>) -> bool,
    ) -> Self {
        let chosen = self.checkpoints.iter().filter(|kept| is_chosen(kept));
        let copy = |checkpoint: &Checkpoint<Shared>| Checkpoint {
            thread_id: thread_id.into(),
            ..checkpoint.clone()
        };
        let mut copied = Self {
            checkpoints: chosen.map(copy).collect(),
            ..Self::default()
        };
        copied.last_seq = copied.checkpoints.last().map_or(0, |last| last.seq);
        let owners = copied.checkpoints.iter().map(Owner::of);
        copied.writes = owners
            .filter_map(|owner| Some((owner.clone(), self.writes.get(&owner)?.clone())))
            .collect();
        copied
    }

    /// Removes what `prune` says, and returns how many checkpoints those are.
    pub(super) fn prune(&mut self, prune: &Prune) -> u64 {
        let order = match prune.newest {
            Newest::BySeq => CheckpointOrder::BySeq,
            Newest::ById => CheckpointOrder::ById { before: None },
        };
        let kept = usize::try_from(prune.keep_latest.max(1)).unwrap_or(usize::MAX);
        let rest = self.ordered(&order).into_iter().skip(kept);
        let rest: BTreeSet<u64> = rest.map(|checkpoint| checkpoint.seq).collect();
        self.remove(|checkpoint| {
            let is_young = prune
                .older_than
                .is_some_and(|time| checkpoint.created_at >= time);
            rest.contains(&checkpoint.seq) && !is_young
        })
    }

    /// Removes what runs saved and wrote, and returns how many checkpoints those are.
    pub(super) fn delete_runs(&mut self, run_ids: &[String]) -> u64 {
        let is_of_run =
            |run_id: &Option<String>| run_id.as_ref().is_some_and(|id| run_ids.contains(id));
        for writes in self.writes.values_mut() {
            writes.retain(|_, pending| !is_of_run(&pending.run_id));
        }
        self.writes.retain(|_, writes| !writes.is_empty());
        self.remove(|checkpoint| is_of_run(&checkpoint.run_id))
    }

    fn remove(&mut self, mut goes: impl FnMut(&Checkpoint<Shared>) -> bool) -> u64 {
        let before = self.checkpoints.len();
        let mut removed = Vec::new();
        self.checkpoints.retain(|checkpoint| {
            let goes = goes(checkpoint);
            if goes {
                removed.push(Owner::of(checkpoint));
            }
            !goes
        });
        for owner in removed {
            drop(self.writes.remove(&owner));
        }
        (before - self.checkpoints.len()) as u64
    }

    /// Returns whether a checkpoint has the metadata that is asked for.
    pub(super) fn has(&self, query: &ThreadQuery) -> bool {
        query.metadata.is_empty()
            || self
                .checkpoints
                .iter()
                .any(|kept| has_entries(&kept.metadata, &query.metadata))
    }

    /// Says what the namespace is like, unless it is empty.
    pub(super) fn summary(&self, namespace: &str) -> Option<NamespaceSummary> {
        let latest = self.checkpoints.last()?;
        Some(NamespaceSummary {
            namespace: namespace.into(),
            latest_seq: latest.seq,
            checkpoints: self.checkpoints.len() as u64,
            updated_at: latest.created_at,
        })
    }
}
