//! What tasks wrote, as rows of `checkpoint_writes`.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use sectile_checkpoint::{At, Key, PendingWrite, TaskWrites};

use crate::row::checksum;

/// What a task wrote, to be kept beside a checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct NewWrites {
    /// The thread and the namespace.
    pub key: Key,
    /// The checkpoint.
    pub at: At,
    /// What the task wrote.
    pub writes: TaskWrites,
}

impl NewWrites {
    /// Returns about how many bytes are written.
    pub fn size(&self) -> usize {
        let writes = self.writes.writes.iter();
        writes.map(|write| write.value.bytes.len()).sum()
    }
}

/// A row of `checkpoint_writes`.
#[derive(Clone, Debug, PartialEq)]
pub struct WriteRow {
    /// What it belongs to: `=` and the checkpoint's id, or `#` and its number.
    pub owner: String,
    /// The write, with its task.
    pub pending: PendingWrite,
    /// The hash of both.
    pub checksum: i64,
}

impl WriteRow {
    /// Returns the row of a write.
    pub(crate) fn new(owner: &str, pending: PendingWrite) -> Self {
        Self {
            owner: owner.into(),
            checksum: hash_of_write(owner, &pending),
            pending,
        }
    }
}

/// Leaves one row of each owner, task and index: the first, or the last where it takes the place of
/// those before.
pub(crate) fn settled(rows: impl IntoIterator<Item = WriteRow>) -> Vec<WriteRow> {
    let mut settled = BTreeMap::new();
    for row in rows {
        let (owner, pending) = (row.owner.clone(), &row.pending);
        let replaces = pending.write.replaces();
        match settled.entry((owner, pending.task_id.clone(), pending.write.index)) {
            Entry::Vacant(entry) => drop(entry.insert(row)),
            Entry::Occupied(mut entry) if replaces => drop(entry.insert(row)),
            Entry::Occupied(_) => {}
        }
    }
    settled.into_values().collect()
}

/// Returns the hash of a write, with what it belongs to.
pub(crate) fn hash_of_write(owner: &str, pending: &PendingWrite) -> i64 {
    hash_without_owner(pending) ^ checksum(owner.as_bytes()).rotate_left(31)
}

/// Returns the hash of a write as it was before what it belongs to was part of it.
pub(crate) fn hash_without_owner(pending: &PendingWrite) -> i64 {
    let write = &pending.write;
    let texts = [
        &*pending.task_id,
        &*pending.task_path,
        pending.run_id.as_deref().unwrap_or_default(),
        &*write.channel,
        &*write.value.kind,
    ];
    let mut fields = write.index.to_le_bytes().to_vec();
    for text in texts {
        fields.extend_from_slice(&(text.len() as u64).to_le_bytes());
        fields.extend_from_slice(text.as_bytes());
    }
    checksum(&fields).rotate_left(17) ^ checksum(&write.value.bytes)
}

#[cfg(test)]
mod tests {
    use sectile_checkpoint::TypedValue;

    use super::*;

    #[test]
    fn the_first_of_a_place_is_left_or_the_last_that_replaces() {
        let rows = |owner: &str, task_id: &str, kind: &str| {
            let value = || TypedValue::new(kind, *b"");
            let writes = TaskWrites::new(task_id)
                .write("channel", value())
                .write("__resume__", value());
            let rows = writes
                .pending()
                .map(|pending| WriteRow::new(owner, pending));
            rows.collect::<Vec<_>>()
        };
        let all = [
            rows("#1", "a", "first"),
            rows("#1", "b", "only"),
            rows("#1", "a", "second"),
            rows("#2", "a", "other"),
        ];
        let left = settled(all.concat());
        let left: Vec<_> = left
            .iter()
            .map(|row| {
                let pending = &row.pending;
                let write = &pending.write;
                (
                    &*row.owner,
                    &*pending.task_id,
                    write.index,
                    &*write.value.kind,
                )
            })
            .collect();
        let expected = [
            ("#1", "a", -4, "second"),
            ("#1", "a", 0, "first"),
            ("#1", "b", -4, "only"),
            ("#1", "b", 0, "only"),
            ("#2", "a", -4, "other"),
            ("#2", "a", 0, "other"),
        ];
        assert_eq!(left, expected);
    }
}
