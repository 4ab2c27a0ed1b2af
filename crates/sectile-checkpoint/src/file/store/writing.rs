//! The pending writes of checkpoints.

use super::Store;
use crate::file::failure::failed;
use crate::file::lock;
use crate::file::names::Files;
use crate::file::thread::ThreadFile;
use crate::file::whole::are_there;
use crate::file::writes::{self, owner};
use crate::{At, Error, Key, PendingWrite, Result, TaskWrites};

impl Store {
    /// Stores pending writes of a checkpoint.
    pub(in crate::file) fn write(&self, key: &Key, at: &At, task: &TaskWrites) -> Result<()> {
        let files = self.files(key);
        let not_found = || Error::NotFound {
            thread_id: key.to_string(),
            seq: at.seq(),
        };
        if !matches!(at, At::Id(_)) && !are_there(&files)? {
            return Err(not_found());
        }
        let _lock = self.lock(&files)?;
        let thread = ThreadFile::write(&files)?;
        let owner = owner_at(thread.as_ref(), at)?;
        writes::append(&files, &owner.ok_or_else(not_found)?, task)
    }

    /// Returns the pending writes of each of some checkpoints.
    pub(in crate::file) fn writes(&self, key: &Key, all: &[At]) -> Result<Vec<Vec<PendingWrite>>> {
        self.read_for(key, all, writes::of)
    }

    /// Counts the pending writes of each of some checkpoints.
    pub(in crate::file) fn count_writes(&self, key: &Key, all: &[At]) -> Result<Vec<u64>> {
        self.read_for(key, all, writes::counts)
    }

    /// Reads what stands beside checkpoints, with the file of the thread as it is at that time.
    fn read_for<T>(
        &self,
        key: &Key,
        all: &[At],
        read: impl FnOnce(&Files, &[Option<String>]) -> Result<Vec<T>>,
    ) -> Result<Vec<T>> {
        let files = self.files(key);
        let _lock = lock::shared(&files.lock).map_err(failed("lock a thread", &files.lock))?;
        let thread = ThreadFile::read_locked(&files)?;
        let owners = all.iter().map(|at| owner_at(thread.as_ref(), at));
        read(&files, &owners.collect::<Result<Vec<_>>>()?)
    }
}

/// Returns the key of the pending writes of a checkpoint; `None` if the checkpoint does not exist and
/// cannot be about to be saved.
fn owner_at(thread: Option<&ThreadFile>, at: &At) -> Result<Option<String>> {
    if let At::Id(id) = at {
        return Ok(Some(owner(Some(id), 0)));
    }
    let Some(thread) = thread else {
        return Ok(None);
    };
    let found = thread.head_of(at.seq())?;
    Ok(found.map(|found| owner(found.id.as_deref(), found.seq)))
}
