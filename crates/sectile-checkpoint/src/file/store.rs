//! The operations on the files, on a thread that may block.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::{Arc, Weak};

use super::check;
use super::failure::failed;
use super::header::Header;
use super::index::{Found, Indexes};
use super::keep::keep;
use super::lock;
use super::names::{self, Files};
use super::part::{Part, of_newest};
use super::record::{self, Head};
use super::rewrite::{replace, sync_parent};
use super::thread::ThreadFile;
use super::whole::{are_there, clear, read_with_writes};
use super::writes;
use crate::{
    At, Checkpoint, CheckpointQuery, Damage, Error, Key, NamespaceSummary, Progress, Prune, Result,
    Saved, StoredState, ThreadQuery, ThreadSummary, Usage, now,
};

mod copy;
mod writing;

/// The state that all clones of a checkpointer share.
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

    /// Stores a checkpoint as the newest of its namespace.
    pub(super) fn save(&self, checkpoint: Checkpoint<StoredState>) -> Result<Saved> {
        let key = checkpoint.key();
        key.validate()?;
        let files = self.files(&key);
        let _lock = self.lock(&files)?;
        let Some(mut thread) = ThreadFile::write(&files)? else {
            checkpoint.check_parent(0)?;
            let lines = next_lines(checkpoint, 1, None)?;
            let header = Header::new(&key, None, 0, 0);
            replace(&files, &header, |file| file.write_all(&lines))?;
            return Ok(Saved {
                seq: 1,
                is_new: true,
            });
        };
        let kept = match &checkpoint.id {
            Some(id) => {
                let found = self.shared.indexes.find(&files.name, &thread, id)?;
                among_sound(&thread, &found, id)?
            }
            None => None,
        };
        if let Some(kept) = kept {
            let parent = parent(&thread, &checkpoint)?;
            let saved = kept.repeated_by(checkpoint, parent.as_ref())?;
            // Who wrote it may have been killed before it was on the disk.
            thread.sync()?;
            return Ok(saved);
        }
        checkpoint.check_parent(thread.last_seq()?)?;
        if !thread.header.has_pieces() {
            thread = renewed(&files, &thread)?;
        }
        let seq = thread.next_seq()?;
        thread.append(&next_lines(checkpoint, seq, Some(&thread))?)?;
        Ok(Saved { seq, is_new: true })
    }

    /// Returns a checkpoint, if it is there.
    pub(super) fn load(&self, key: &Key, at: &At) -> Result<Option<Checkpoint<StoredState>>> {
        let files = self.files(key);
        let Some(thread) = ThreadFile::read(&files)? else {
            return Ok(None);
        };
        self.find_in(&files, &thread, at)
    }

    fn find_in(
        &self,
        files: &Files,
        thread: &ThreadFile,
        at: &At,
    ) -> Result<Option<Checkpoint<StoredState>>> {
        match at {
            At::Latest => thread.latest(),
            At::Seq(seq) => thread.with_seq(*seq),
            At::Id(id) => self.with_id(files, thread, id),
        }
    }

    /// Returns checkpoints of a namespace, newest first.
    pub(super) fn list(
        &self,
        key: &Key,
        query: &CheckpointQuery,
    ) -> Result<Vec<Checkpoint<StoredState>>> {
        let thread = ThreadFile::read(&self.files(key))?;
        thread.map_or(Ok(Vec::new()), |thread| thread.list(query))
    }

    /// Lists threads.
    pub(super) fn threads(&self, query: &ThreadQuery) -> Result<Vec<ThreadSummary>> {
        let mut found: BTreeMap<String, ThreadSummary> = BTreeMap::new();
        let mut has_metadata = BTreeSet::new();
        for files in self.find()? {
            let Some(thread) = ThreadFile::read(&files)? else {
                continue;
            };
            let Some(line) = thread.summary()? else {
                continue;
            };
            let thread_id = thread.header.thread_id.clone();
            if has(&thread, query)? {
                has_metadata.insert(thread_id.clone());
            }
            let known = found
                .entry(thread_id.clone())
                .or_insert_with(|| ThreadSummary {
                    thread_id,
                    latest_seq: 0,
                    checkpoints: 0,
                    updated_at: 0,
                });
            known.add(&line);
        }
        let chosen = found.into_values().collect();
        Ok(query.choose(chosen, |thread| has_metadata.contains(&thread.thread_id)))
    }

    /// Lists the namespaces of a thread that have checkpoints.
    pub(super) fn namespaces(&self, thread_id: &str) -> Result<Vec<NamespaceSummary>> {
        let mut found = Vec::new();
        for files in self.of_thread(thread_id)? {
            if let Some(thread) = ThreadFile::read(&files)? {
                found.extend(thread.summary()?);
            }
        }
        found.sort_unstable_by(|one, other| one.namespace.cmp(&other.namespace));
        Ok(found)
    }

    /// Deletes a thread and returns how many checkpoints it had.
    pub(super) fn delete(&self, thread_id: &str) -> Result<u64> {
        each(&self.of_thread(thread_id)?, |files| {
            self.delete_files(files).map(Kept::without)
        })
    }

    /// Deletes a namespace and returns how many checkpoints it had.
    pub(super) fn delete_namespace(&self, key: &Key) -> Result<u64> {
        self.delete_files(&self.files(key))
    }

    fn delete_files(&self, files: &Files) -> Result<u64> {
        if !are_there(files)? {
            return Ok(0);
        }
        let _lock = self.lock(files)?;
        let thread = ThreadFile::write(files);
        let count = match thread.and_then(|thread| thread.map_or(Ok(0), |thread| thread.count())) {
            // What is damaged can be deleted all the same.
            Err(Error::Corrupt { .. }) => 0,
            count => count?,
        };
        clear(files).map_err(failed("delete a thread", &files.records))?;
        Ok(count)
    }

    /// Deletes what runs saved and wrote, in all threads, and returns how many checkpoints that were.
    pub(super) fn delete_runs(&self, run_ids: &[String]) -> Result<u64> {
        let is_of_run = |head: &Head| head.run_id.as_ref().is_some_and(|id| run_ids.contains(id));
        each(&self.find()?, |files| {
            // What is damaged stays, and may be of the run.
            self.keep_only(files, run_ids, |thread| {
                let end = thread.end;
                Part::of(thread, end, |_, head| Some(!head.is_some_and(is_of_run)))
            })
        })
    }

    /// Deletes old checkpoints and returns how many.
    pub(super) fn prune(&self, prune: &Prune) -> Result<u64> {
        let chosen = match &prune.thread_id {
            Some(thread_id) => self.of_thread(thread_id)?,
            None => self.find()?,
        };
        each(&chosen, |files| {
            let kept = self.keep_only(files, &[], |thread| {
                let newest = of_newest(&thread, prune)?;
                let end = thread.end;
                Part::of(thread, end, |start, head| match prune.older_than {
                    _ if newest.has(start, head) => Some(true),
                    None => Some(false),
                    Some(time) => head.map(|head| head.created_at >= time),
                })
            })?;
            Ok(Kept::without(kept.removed))
        })
    }

    /// Returns the size of each namespace of each thread.
    pub(super) fn usage(&self) -> Result<Vec<Usage>> {
        let mut all = Vec::new();
        for files in self.find()? {
            let (Some(thread), writes) = read_with_writes(&files)? else {
                continue;
            };
            let bytes = fs::metadata(&files.writes).map_or(0, |file| file.len());
            all.push(check::usage(&thread, &writes, bytes)?);
        }
        Ok(all)
    }

    /// Reads all files, and returns what is damaged.
    pub(super) fn verify(&self) -> Result<Vec<Damage>> {
        let mut damages = Vec::new();
        for files in self.find()? {
            let found = match read_with_writes(&files) {
                Ok((thread, writes)) => vec![
                    thread.map_or(Ok(Vec::new()), |thread| check::verify(&thread, &writes)),
                    writes.damage(&files).map_or(Ok(Vec::new()), Err),
                ],
                Err(error) => vec![Err(error)],
            };
            for found in found {
                match found {
                    Err(Error::Corrupt { what }) => damages.push(Damage::of_all(what)),
                    found => damages.extend(found?),
                }
            }
        }
        Ok(damages)
    }

    /// Removes all checkpoints of a file but a part, with the writes beside them and those of runs.
    fn keep_only(
        &self,
        files: &Files,
        run_ids: &[String],
        part: impl Fn(ThreadFile) -> Result<Part>,
    ) -> Result<Kept> {
        if !are_there(files)? {
            return Ok(Kept::default());
        }
        let _lock = self.lock(files)?;
        let cleaned = failed("clean up after a crash", &files.new);
        lock::remove_if_there(&files.new).map_err(&cleaned)?;
        let Some(thread) = ThreadFile::write(files)? else {
            let mut kept = Kept::default();
            if !files.writes.exists() {
                // Only what a crash left is there.
                clear(files).map_err(cleaned)?;
            } else if !run_ids.is_empty() {
                kept.damaged = writes::remove(files, run_ids, |_| false)?;
            }
            return Ok(kept);
        };
        let part = part(thread)?;
        let (removed, mut damaged) = (part.left_out, None);
        if removed > 0 || !run_ids.is_empty() {
            // A crash in between leaves checkpoints that were to go without their writes, and
            // never writes for another checkpoint with the id of one that went.
            damaged = writes::remove(files, run_ids, |owner| part.leaves_out(owner))?;
        }
        if removed > 0 {
            let header = &part.thread.header;
            let last_seq = part.thread.last_seq()?;
            let all = header.removed.saturating_add(removed);
            let header = Header::new(&header.key(), Some(header), all, last_seq);
            replace(files, &header, |file| part.thread.copy(&part.ranges, file))?;
        }
        let damaged = part.damaged.or(damaged);
        Ok(Kept { removed, damaged })
    }

    /// Returns the checkpoint with an id. It is damaged if it is not found and a damaged line may be it.
    fn with_id(
        &self,
        files: &Files,
        thread: &ThreadFile,
        id: &str,
    ) -> Result<Option<Checkpoint<StoredState>>> {
        let found = self.shared.indexes.find(&files.name, thread, id)?;
        if let Found::NotAmongSound(start) = found {
            let reason = "it was changed, and may be the checkpoint with the id";
            return Err(thread.damaged(start)(reason));
        }
        among_sound(thread, &found, id)
    }

    fn of_thread(&self, thread_id: &str) -> Result<Vec<Files>> {
        let folder = &self.shared.folder;
        let found = names::of_thread(folder, thread_id);
        found.map_err(failed("list the folder of checkpoints", folder))
    }

    fn files(&self, key: &Key) -> Files {
        Files::of_key(&self.shared.folder, key)
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

/// Returns the checkpoint with an id, if it was found among those that can be read.
fn among_sound(
    thread: &ThreadFile,
    found: &Found,
    id: &str,
) -> Result<Option<Checkpoint<StoredState>>> {
    match found {
        Found::At(start) => thread.with_id(*start, id).map(Some),
        Found::NotAmongSound(_) | Found::Nowhere => Ok(None),
    }
}

/// The result of removing a part of a file's checkpoints.
#[derive(Debug, Default)]
struct Kept {
    /// How many checkpoints were removed.
    removed: u64,
    /// Why not all can be read that it keeps, if it cannot.
    damaged: Option<Error>,
}

impl Kept {
    /// Returns what became of a file of which checkpoints were removed, and what else it has does not matter.
    const fn without(removed: u64) -> Self {
        let damaged = None;
        Self { removed, damaged }
    }
}

/// Does something with each of some files, though it may fail for others.
fn each(all: &[Files], work: impl Fn(&Files) -> Result<Kept>) -> Result<u64> {
    let mut progress = Progress::default();
    for files in all {
        let failed = match work(files) {
            Ok(kept) => {
                progress.add(kept.removed);
                kept.damaged
            }
            Err(error) => Some(error),
        };
        if let Some(error) = failed {
            progress.fail(key_of(files), error);
        }
    }
    progress.end(Ok(()))
}

/// Returns of which namespace files are, if that can be read.
fn key_of(files: &Files) -> Option<Key> {
    let thread = ThreadFile::read(files).ok()??;
    Some(thread.header.key())
}

/// Numbers a checkpoint and writes it as a line, after those of the pieces that the thread lacks.
fn next_lines(
    checkpoint: Checkpoint<StoredState>,
    seq: u64,
    thread: Option<&ThreadFile>,
) -> Result<Vec<u8>> {
    let mut state = StoredState::Json(String::new());
    let mut checkpoint = checkpoint.map_state(|taken| state = taken);
    checkpoint.seq = seq;
    if checkpoint.created_at == 0 {
        checkpoint.created_at = now();
    }
    let (kept, added) = keep(thread, checkpoint.parent_seq, state)?;
    let mut lines = added.lines(seq)?;
    lines.extend(record::line(&checkpoint, &kept, added.last())?);
    Ok(lines)
}

/// Returns the state of a checkpoint's parent, if that is there and the checkpoint's follows from it.
fn parent(
    thread: &ThreadFile,
    checkpoint: &Checkpoint<StoredState>,
) -> Result<Option<StoredState>> {
    let follows =
        matches!(&checkpoint.state, StoredState::Channels(channels) if !channels.is_whole());
    let parent_seq = checkpoint.parent_seq.filter(|_| follows);
    let parent = parent_seq.map_or(Ok(None), |seq| thread.with_seq(seq))?;
    Ok(parent.map(|parent| parent.state))
}

/// Writes a file of an earlier release again, so that it can have pieces, with a hash in each line.
fn renewed(files: &Files, thread: &ThreadFile) -> Result<ThreadFile> {
    let header = &thread.header;
    let last_seq = thread.last_seq()?;
    let header = Header::new(&header.key(), Some(header), header.removed, last_seq);
    let all = thread.first..thread.end;
    replace(files, &header, |file| {
        thread.copy(slice::from_ref(&all), file)
    })?;
    ThreadFile::write(files)?.ok_or_else(|| Error::Conflict {
        source: "the file of the thread was removed".into(),
    })
}

/// Returns whether a checkpoint has the metadata that is asked for.
fn has(thread: &ThreadFile, query: &ThreadQuery) -> Result<bool> {
    if query.metadata.is_empty() {
        return Ok(true);
    }
    thread.has(&CheckpointQuery {
        metadata: query.metadata.clone(),
        ..CheckpointQuery::default()
    })
}
