//! Where the ids of checkpoints stand in the files, so that no file is read twice for them.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::thread::{Entry, ThreadFile};
use crate::{Error, Result};

/// So many ids of all threads are kept; with one more all are forgotten.
const MOST_IDS: usize = 1_000_000;

/// The first half of an id's BLAKE3 hash, which takes the same room whatever the id is.
type Key = [u8; 16];

/// What is known of the ids of all threads.
#[derive(Debug, Default)]
pub(super) struct Indexes {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// By the names of the threads' files.
    by_name: HashMap<String, Arc<Mutex<Index>>>,
    /// At least how many ids they have together, each thread counted as one more.
    size: usize,
}

/// Where the checkpoint with an id is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// It begins here.
    At(u64),
    /// Not in the file.
    Nowhere,
    /// In no undamaged line. A damaged line begins here.
    NotAmongSound(u64),
}

/// What is known of the ids of a thread.
#[derive(Debug, Default)]
struct Index {
    /// Of which generation of the file.
    generation: u64,
    /// Up to where the file was read.
    read: u64,
    /// Where the checkpoint of an id begins.
    ids: HashMap<Key, u64>,
    /// Where damaged lines stand, those that touch as one.
    damaged: Vec<Range<u64>>,
}

impl Indexes {
    /// Returns where the checkpoint with an id is, reading what came to the file since the last
    /// time.
    pub(super) fn find(&self, name: &str, thread: &ThreadFile, id: &str) -> Result<Found> {
        let index = self.of(name);
        let mut index = lock(&index);
        let before = index.ids.len();
        let found = index.find(thread, id);
        let grown = index.ids.len().saturating_sub(before);
        drop(index);
        self.bound(grown);
        found
    }

    fn of(&self, name: &str) -> Arc<Mutex<Index>> {
        let mut known = lock(&self.known);
        if let Some(index) = known.by_name.get(name) {
            return Arc::clone(index);
        }
        known.size += 1;
        Arc::clone(known.by_name.entry(name.into()).or_default())
    }

    /// Forgets all when that has become too much, which is simpler than to know what was used last,
    /// and costs no more than the first reading of the files did.
    fn bound(&self, grown: usize) {
        let mut known = lock(&self.known);
        known.size += grown;
        if known.size > MOST_IDS {
            *known = Known::default();
        }
    }
}

impl Index {
    fn find(&mut self, thread: &ThreadFile, id: &str) -> Result<Found> {
        if self.generation != thread.header.generation {
            *self = Self {
                generation: thread.header.generation,
                read: thread.first,
                ids: HashMap::new(),
                damaged: Vec::new(),
            };
        }
        self.read_on(thread, self.read..thread.end)?;
        if let Some(start) = self.known(thread, id) {
            return Ok(Found::At(start));
        }
        // What was damaged may have been restored since.
        self.read_damaged(thread)?;
        let damaged = self.damaged.iter().map(|part| part.start);
        Ok(match (self.known(thread, id), damaged.min()) {
            (Some(start), _) => Found::At(start),
            (None, Some(start)) if start < thread.end => Found::NotAmongSound(start),
            (None, _) => Found::Nowhere,
        })
    }

    fn read_damaged(&mut self, thread: &ThreadFile) -> Result<()> {
        let damaged = std::mem::take(&mut self.damaged);
        let mut parts = damaged.iter().cloned();
        let read = parts.try_for_each(|part| self.read_on(thread, part));
        if read.is_err() {
            self.damaged = damaged;
        }
        read
    }

    /// Another task may have read further than where the file ended for this one.
    fn known(&self, thread: &ThreadFile, id: &str) -> Option<u64> {
        let start = self.ids.get(&key(id)).copied();
        start.filter(|start| *start < thread.end)
    }

    fn read_on(&mut self, thread: &ThreadFile, part: Range<u64>) -> Result<()> {
        thread.each_entry(part, |line, entry| {
            let range = line.range();
            match entry {
                Ok(Entry::Checkpoint(head)) => {
                    if let Some(id) = head.id {
                        let first = self.ids.entry(key(&id)).or_insert(range.start);
                        *first = range.start.min(*first);
                    }
                }
                // A crash may have left a piece that the next save cuts off.
                Ok(Entry::Piece(_)) => return Ok(()),
                Err(Error::Corrupt { .. }) => self.damage(&range),
                Err(error) => return Err(error),
            }
            self.read = self.read.max(range.end);
            Ok(())
        })
    }

    fn damage(&mut self, line: &Range<u64>) {
        match self.damaged.last_mut() {
            Some(last) if last.end == line.start => last.end = line.end,
            _ => self.damaged.push(line.clone()),
        }
    }
}

fn key(id: &str) -> Key {
    let hash = *blake3::hash(id.as_bytes()).as_bytes();
    std::array::from_fn(|at| hash[at])
}

/// A panic cannot leave what is locked here half-changed, so a poisoned lock is taken all the same.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use crate::file::names::Files;
    use crate::file::store::{Shared, Store};
    use crate::{Checkpoint, StoredState};

    use super::*;

    #[test]
    fn a_file_that_was_opened_earlier_has_no_later_ids() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::of_key(folder.path(), &"thread".into());
        let caller = Arc::new(());
        let shared = Arc::new(Shared::new(folder.path()).unwrap());
        let store = Store::new(shared, Arc::downgrade(&caller));
        let save = |id: &str| {
            let checkpoint = Checkpoint::new("thread", StoredState::json("1")).with_id(id);
            store.save(checkpoint).unwrap();
            ThreadFile::read(&files).unwrap().unwrap()
        };
        let (earlier, later) = (save("a"), save("b"));
        let mut index = Index::default();
        assert_eq!(index.find(&later, "b").unwrap(), Found::At(earlier.end));
        assert_eq!(index.find(&earlier, "b").unwrap(), Found::Nowhere);
        assert_eq!(index.find(&earlier, "a").unwrap(), Found::At(earlier.first));
        assert_eq!(index.read, later.end);
    }

    #[test]
    fn what_has_become_too_much_is_forgotten() {
        let indexes = Indexes::default();
        let index = indexes.of("thread");
        indexes.bound(MOST_IDS - 1);
        assert!(Arc::ptr_eq(&index, &indexes.of("thread")));
        indexes.bound(1);
        assert!(!Arc::ptr_eq(&index, &indexes.of("thread")));
        assert_eq!(lock(&indexes.known).size, 1);
    }
}
