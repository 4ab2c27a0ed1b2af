//! What is done with the files, on a thread that may be held up.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

use super::failure::failed;
use super::index::Indexes;
use super::lock;
use super::names::{self, Files};
use super::record::{self, Header};
use super::rewrite::{replace, sync_parent};
use super::thread::ThreadFile;
use crate::checkpoint::check_thread_id;
use crate::{
    At, Checkpoint, CheckpointQuery, Error, Prune, Result, Saved, StoredState, ThreadQuery,
    ThreadSummary, now,
};

/// What all clones of a checkpointer share.
#[derive(Debug)]
pub(super) struct Shared {
    folder: PathBuf,
    indexes: Indexes,
}

impl Shared {
    /// Makes the folder if it is not there.
    pub(super) fn new(folder: &Path) -> Result<Self> {
        let failed = failed("create the folder of checkpoints", folder);
        // The folder stays the same when the process goes to another one.
        let folder = std::path::absolute(folder).map_err(&failed)?;
        create(&folder).map_err(&failed)?;
        Ok(Self {
            folder,
            indexes: Indexes::default(),
        })
    }

    /// Returns where the files are.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
}

fn create(folder: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = folder
        .ancestors()
        .take_while(|path| !path.exists())
        .collect();
    fs::create_dir_all(folder)?;
    missing.into_iter().try_for_each(sync_parent)
}

/// The files, as one call sees them.
#[derive(Debug)]
pub(super) struct Store {
    shared: Arc<Shared>,
    caller: Weak<()>,
}

impl Store {
    /// Returns the files for a call that is wanted as long as `caller` is there.
    pub(super) fn new(shared: Arc<Shared>, caller: Weak<()>) -> Self {
        Self { shared, caller }
    }

    /// Stores a checkpoint as the newest of its thread.
    pub(super) fn save(&self, mut checkpoint: Checkpoint<StoredState>) -> Result<Saved> {
        check_thread_id(&checkpoint.thread_id)?;
        let files = self.files(&checkpoint.thread_id);
        let _lock = self.lock(&files)?;
        let Some(thread) = ThreadFile::write(&files)? else {
            checkpoint.check_parent(0)?;
            let line = next_line(&mut checkpoint, 1)?;
            let header = Header::new(&checkpoint.thread_id, None, 0);
            replace(&files, &header, |file| file.write_all(&line))?;
            return Ok(Saved {
                seq: 1,
                is_new: true,
            });
        };
        if let Some(id) = &checkpoint.id
            && let Some(kept) = self.with_id(&files, &thread, id)?
        {
            let saved = kept.repeated_by(&checkpoint)?;
            // Who wrote it may have been killed before it was on the disk.
            thread.sync()?;
            return Ok(saved);
        }
        let seq = thread.next_seq()?;
        checkpoint.check_parent(seq - 1)?;
        thread.append(&next_line(&mut checkpoint, seq)?)?;
        Ok(Saved { seq, is_new: true })
    }

    /// Returns a checkpoint, if it is there.
    pub(super) fn load(&self, thread_id: &str, at: &At) -> Result<Option<Checkpoint<StoredState>>> {
        let files = self.files(thread_id);
        let Some(thread) = ThreadFile::read(&files)? else {
            return Ok(None);
        };
        match at {
            At::Latest => thread.latest(),
            At::Seq(seq) => thread.with_seq(*seq),
            At::Id(id) => self.with_id(&files, &thread, id),
        }
    }

    /// Returns checkpoints of a thread, newest first.
    pub(super) fn list(
        &self,
        thread_id: &str,
        query: &CheckpointQuery,
    ) -> Result<Vec<Checkpoint<StoredState>>> {
        let thread = ThreadFile::read(&self.files(thread_id))?;
        thread.map_or(Ok(Vec::new()), |thread| thread.list(query))
    }

    /// Lists the threads in the order of their ids' bytes.
    pub(super) fn threads(&self, query: &ThreadQuery) -> Result<Vec<ThreadSummary>> {
        let mut chosen = Vec::new();
        for files in self.find()? {
            let thread_id = ThreadFile::read(&files)?.map(|thread| thread.header.thread_id);
            let comes_after = |id: &String| query.after.as_ref().is_none_or(|after| id > after);
            chosen.extend(thread_id.filter(comes_after).map(|id| (id, files)));
        }
        chosen.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let summaries = chosen
            .into_iter()
            .filter_map(|(_, files)| summary(&files).transpose());
        summaries.take(query.limit.unwrap_or(usize::MAX)).collect()
    }

    /// Copies the checkpoints of a thread, all or up to a number, to a new thread.
    pub(super) fn copy(&self, from: &str, up_to: Option<u64>, to: &str) -> Result<u64> {
        check_thread_id(to)?;
        let missing = || Error::NotFound {
            thread_id: from.into(),
            seq: up_to,
        };
        let source = ThreadFile::read(&self.files(from))?.ok_or_else(missing)?;
        let last = match up_to {
            Some(seq) => source.find(seq)?.map(|start| (seq, start)),
            None => source.latest_seq()?.map(|seq| (seq, source.end - 1)),
        };
        let (last_seq, position) = last.ok_or_else(missing)?;
        let part = source.first..source.end_of_line(position)?;
        let count = source.count_lines(part.end)?;
        // What was read of the source stays as it is, so that two copies that cross, each with its
        // own target locked, do not wait for each other.
        self.place(to, &source, part, last_seq.saturating_sub(count))?;
        Ok(count)
    }

    fn place(&self, to: &str, source: &ThreadFile, part: Range<u64>, removed: u64) -> Result<()> {
        let files = self.files(to);
        let _lock = self.lock(&files)?;
        let there = ThreadFile::write(&files)?;
        if there.as_ref().is_some_and(|there| !there.is_empty()) {
            let thread_id = to.into();
            return Err(Error::ThreadExists { thread_id });
        }
        let replaced = there.as_ref().map(|there| &there.header);
        let header = Header::new(to, replaced, removed);
        replace(&files, &header, |file| source.copy(&[part], file))
    }

    /// Deletes a thread and returns how many checkpoints it had.
    pub(super) fn delete(&self, thread_id: &str) -> Result<u64> {
        let files = self.files(thread_id);
        if !are_there(&files)? {
            return Ok(0);
        }
        let _lock = self.lock(&files)?;
        let thread = ThreadFile::write(&files);
        let count = match thread.and_then(|thread| thread.map_or(Ok(0), |thread| thread.count())) {
            // What is damaged can be deleted all the same.
            Err(Error::Corrupt { .. }) => 0,
            count => count?,
        };
        clear(&files).map_err(failed("delete a thread", &files.records))?;
        Ok(count)
    }

    /// Deletes old checkpoints and returns how many.
    pub(super) fn prune(&self, prune: &Prune) -> Result<u64> {
        let chosen = match &prune.thread_id {
            Some(thread_id) => vec![self.files(thread_id)],
            None => self.find()?,
        };
        let removed = chosen.iter().map(|files| self.prune_thread(files, prune));
        removed.sum()
    }

    fn prune_thread(&self, files: &Files, prune: &Prune) -> Result<u64> {
        if !are_there(files)? {
            return Ok(0);
        }
        let _lock = self.lock(files)?;
        let Some(thread) = ThreadFile::write(files)? else {
            // Only what a crash left is there.
            clear(files).map_err(failed("clean up after a crash", &files.records))?;
            return Ok(0);
        };
        lock::remove_if_there(&files.new).map_err(failed("clean up after a crash", &files.new))?;
        if thread.count()? <= prune.keep_latest.max(1) {
            return Ok(0);
        }
        let (kept, removed) = what_stays(&thread, prune)?;
        if removed > 0 {
            let all_removed = thread.header.removed.saturating_add(removed);
            let header = Header::new(&thread.header.thread_id, Some(&thread.header), all_removed);
            replace(files, &header, |file| thread.copy(&kept, file))?;
        }
        Ok(removed)
    }

    /// Returns the checkpoint with an id.
    fn with_id(
        &self,
        files: &Files,
        thread: &ThreadFile,
        id: &str,
    ) -> Result<Option<Checkpoint<StoredState>>> {
        let start = self.shared.indexes.find(&files.name, thread, id)?;
        start.map(|start| thread.with_id(start, id)).transpose()
    }

    fn files(&self, thread_id: &str) -> Files {
        Files::of_thread(&self.shared.folder, thread_id)
    }

    fn find(&self) -> Result<Vec<Files>> {
        let folder = &self.shared.folder;
        names::find(folder).map_err(failed("list the folder of checkpoints", folder))
    }

    /// Takes the lock of a thread for writing, unless the caller is gone.
    fn lock(&self, files: &Files) -> Result<File> {
        let lock = lock::exclusive(&files.lock).map_err(failed("lock a thread", &files.lock))?;
        // Whoever dropped a call may have made another one since, which must not be undone by what
        // comes too late. What has the lock already comes before it.
        if self.caller.strong_count() == 0 {
            return Err(Error::Backend {
                doing: "work for a caller that is gone",
                source: io::Error::from(ErrorKind::Interrupted).into(),
            });
        }
        Ok(lock)
    }
}

/// Numbers a checkpoint and writes it as a line.
fn next_line(checkpoint: &mut Checkpoint<StoredState>, seq: u64) -> Result<Vec<u8>> {
    checkpoint.seq = seq;
    if checkpoint.created_at == 0 {
        checkpoint.created_at = now();
    }
    record::line(checkpoint)
}

fn are_there(files: &Files) -> Result<bool> {
    let are_there = files.are_there();
    are_there.map_err(failed("look for a thread", &files.records))
}

fn summary(files: &Files) -> Result<Option<ThreadSummary>> {
    let thread = ThreadFile::read(files)?;
    thread.map_or(Ok(None), |thread| thread.summary())
}

/// Returns which parts of a file stay, and how many checkpoints go.
fn what_stays(thread: &ThreadFile, prune: &Prune) -> Result<(Vec<Range<u64>>, u64)> {
    let (mut kept, mut removed) = (Vec::<Range<u64>>::new(), 0);
    for (newer, line) in (0..).zip(thread.newest_first(thread.end)) {
        let line = line?;
        let created_at = thread.head(&line)?.created_at;
        let is_young = prune.older_than.is_some_and(|time| created_at >= time);
        let part = line.range();
        if newer >= prune.keep_latest.max(1) && !is_young {
            removed += 1;
        } else if let Some(later) = kept.last_mut().filter(|later| later.start == part.end) {
            later.start = part.start;
        } else {
            kept.push(part);
        }
    }
    kept.reverse();
    Ok((kept, removed))
}

/// Removes all files of a thread that the caller has locked, the lock at last.
fn clear(files: &Files) -> io::Result<()> {
    lock::remove_if_there(&files.records)?;
    lock::remove_if_there(&files.new)?;
    sync_parent(&files.records)?;
    lock::remove(&files.lock)
}
