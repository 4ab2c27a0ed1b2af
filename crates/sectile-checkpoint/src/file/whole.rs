//! All files of a namespace together.

use std::io;

use super::failure::failed;
use super::lock;
use super::names::Files;
use super::rewrite::sync_parent;
use super::thread::ThreadFile;
use super::writes::{self, Lines};
use crate::Result;

/// Returns whether any of them is there.
pub(super) fn are_there(files: &Files) -> Result<bool> {
    let are_there = files.are_there();
    are_there.map_err(failed("look for a thread", &files.records))
}

/// Opens the file of a thread, if there is one, and reads the writes beside its checkpoints, both as
/// they are at one time. There may be writes before there are checkpoints.
pub(super) fn read_with_writes(files: &Files) -> Result<(Option<ThreadFile>, Lines)> {
    let _lock = lock::shared(&files.lock).map_err(failed("lock a thread", &files.lock))?;
    Ok((ThreadFile::read_locked(files)?, writes::read(files)?))
}

/// Removes all files of a thread that the caller has locked, the lock at last. The writes go first,
/// so that a crash leaves none for another thread of that id.
pub(super) fn clear(files: &Files) -> io::Result<()> {
    lock::remove_if_there(&files.writes)?;
    lock::remove_if_there(&files.records)?;
    lock::remove_if_there(&files.new)?;
    sync_parent(&files.records)?;
    lock::remove(&files.lock)
}
