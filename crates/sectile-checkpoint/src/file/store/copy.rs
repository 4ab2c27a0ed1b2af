//! Copies of threads.

use super::Store;
use crate::file::failure::failed;
use crate::file::header::Header;
use crate::file::lock;
use crate::file::names::Files;
use crate::file::part::Part;
use crate::file::record::Head;
use crate::file::rewrite::replace;
use crate::file::thread::ThreadFile;
use crate::file::whole::{clear, read_with_writes};
use crate::file::writes::{self, Lines};
use crate::key::check_thread_id;
use crate::{Error, Key, Result};

impl Store {
    /// Copies the checkpoints of a thread, all or up to a number of its root, to a new thread. Its
    /// root comes last, so that a crash leaves no copy that lacks something and looks whole.
    pub(in crate::file) fn copy(&self, from: &str, up_to: Option<u64>, to: &str) -> Result<u64> {
        check_thread_id(to)?;
        // What is read of the source stays as it is, so that two copies that cross, each with its
        // own target locked, do not wait for each other.
        let copies = self.copies(from, up_to, to)?;
        let root = self.files(&to.into());
        let _lock = self.lock(&root)?;
        let placed = self
            .check_free(to, &root, &copies)
            .and_then(|()| self.place_all(to, &root, &copies));
        if !root.records.exists() && !root.writes.exists() {
            let _ = lock::remove(&root.lock);
        }
        placed
    }

    /// Reads what is to be copied of the namespaces of a thread, the root last.
    fn copies(&self, from: &str, up_to: Option<u64>, to: &str) -> Result<Vec<Target>> {
        let missing = || Error::NotFound {
            thread_id: from.into(),
            seq: up_to,
        };
        let until = match up_to {
            None => u64::MAX,
            Some(seq) => {
                let root = ThreadFile::read(&self.files(&from.into()))?;
                let last = root.map_or(Ok(None), |root| root.head_of(Some(seq)))?;
                last.ok_or_else(missing)?.created_at
            }
        };
        let mut copies = Vec::new();
        // The root is read first: what it knows of other namespaces is there when they are read.
        for source in self.of_thread(from)? {
            let (Some(thread), writes) = read_with_writes(&source)? else {
                continue;
            };
            let writes = writes.sound(&source)?;
            let key = Key::new(to, &*thread.header.namespace);
            key.validate()?;
            let is_root = key.namespace.is_empty();
            let end = match up_to {
                Some(seq) if is_root => thread.end_before(seq.saturating_add(1))?,
                _ => thread.end,
            };
            let part = Part::of(thread, end, |_, head| {
                let was_saved = |head: &Head| is_root || head.created_at <= until;
                head.map(was_saved).or(is_root.then_some(true))
            })?;
            copies.push(Target::new(self.files(&key), key, part, writes));
        }
        copies.retain(|copy| copy.part.count > 0);
        if copies.is_empty() {
            return Err(missing());
        }
        copies.reverse();
        Ok(copies)
    }

    /// Checks that a thread whose root the caller has locked is not there. Writes that a crash left
    /// of the same copy are not in the way.
    fn check_free(&self, to: &str, root: &Files, copies: &[Target]) -> Result<()> {
        for files in self.of_thread(to)? {
            let _lock = if files.name == root.name {
                None
            } else {
                lock::shared(&files.lock).map_err(failed("lock a thread", &files.lock))?
            };
            let copy = copies.iter().find(|copy| copy.files.name == files.name);
            if is_taken(&files, copy)? {
                let thread_id = to.into();
                return Err(Error::ThreadExists { thread_id });
            }
        }
        Ok(())
    }

    /// Puts the files of a copy in place, or none of them.
    fn place_all(&self, to: &str, root: &Files, copies: &[Target]) -> Result<u64> {
        let mut begun = Vec::new();
        let placed = copies.iter().try_fold(0, |count, copy| {
            let is_root = copy.files.name == root.name;
            let lock = (!is_root).then(|| self.lock(&copy.files)).transpose()?;
            if is_taken(&copy.files, Some(copy))? {
                let thread_id = to.into();
                return Err(Error::ThreadExists { thread_id });
            }
            begun.push((&copy.files, lock));
            copy.place()?;
            Ok(count + copy.part.count)
        });
        if placed.is_err() {
            for (files, _lock) in begun {
                // What cannot be removed lacks the root, and can be deleted.
                let _ = clear(files);
            }
        }
        placed
    }
}

/// What is to be copied to a namespace of a new thread.
#[derive(Debug)]
struct Target {
    key: Key,
    files: Files,
    part: Part,
    writes: Lines,
}

impl Target {
    fn new(files: Files, key: Key, part: Part, mut writes: Lines) -> Self {
        writes.keep(&part.owners);
        Self {
            key,
            files,
            part,
            writes,
        }
    }

    /// Puts the files in place, the checkpoints last; the caller has locked them.
    fn place(&self) -> Result<()> {
        let Self { files, part, .. } = self;
        let there = ThreadFile::read_locked(files)?;
        let replaced = there.as_ref().map(|there| &there.header);
        let removed = part.last_seq.saturating_sub(part.count);
        let header = Header::new(&self.key, replaced, removed, part.last_seq);
        if !self.writes.is_empty() {
            writes::put(files, &self.writes)?;
        }
        replace(files, &header, |file| part.thread.copy(&part.ranges, file))
    }
}

/// Returns whether a namespace that the caller has locked has checkpoints, or writes other than those
/// of a copy.
fn is_taken(files: &Files, copy: Option<&Target>) -> Result<bool> {
    if let Some(there) = ThreadFile::read_locked(files)?
        && there.last_seq()? > 0
    {
        return Ok(true);
    }
    if !files.writes.exists() {
        return Ok(false);
    }
    let copied = copy
        .map(|copy| &copy.writes)
        .filter(|writes| !writes.is_empty());
    Ok(copied != Some(&writes::read(files)?))
}
