//! Files put in place as a whole.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::failure::failed;
use super::header::{Header, VERSION, header_line};
use super::names::Files;
use crate::{Key, Result};

impl Header {
    /// Returns the first line of a file that takes the place of an earlier one.
    pub(super) fn new(key: &Key, replaced: Option<&Self>, removed: u64, last_seq: u64) -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = since.map_or(0, |since| since.as_nanos() as u64);
        // The clock may have been set back since.
        let least = replaced.map_or(0, |replaced| replaced.generation.saturating_add(1));
        Self {
            sectile_checkpoints: VERSION,
            thread_id: key.thread_id.clone(),
            namespace: key.namespace.clone(),
            generation: now.max(least),
            removed,
            last_seq,
        }
    }
}

/// Puts a file with a first line and a body in the place of a thread's file, or where there is
/// none; the caller has locked the thread. A crash leaves the earlier one or the new one.
pub(super) fn replace(
    files: &Files,
    header: &Header,
    body: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<()> {
    let with_header = |file: &mut File| {
        file.write_all(&header_line(header)?)?;
        body(file)
    };
    place(&files.new, &files.records, with_header)
}

/// Puts a file with a body in the place of another, or where there is none, by a new one beside it;
/// the caller has locked the thread.
pub(super) fn place(
    new: &Path,
    path: &Path,
    body: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<()> {
    let placed = write(new, body).and_then(|()| fs::rename(new, path));
    if placed.is_err() {
        // What cannot be removed is overwritten by the next that comes here.
        let _ = fs::remove_file(new);
    }
    let placed = placed.and_then(|()| sync_parent(path));
    placed.map_err(failed("write the file of a thread", path))
}

fn write(path: &Path, body: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let mut file = File::create(path)?;
    body(&mut file)?;
    file.sync_all()
}

/// Waits until a created, renamed or removed file is synced to the disk.
#[cfg(unix)]
pub(super) fn sync_parent(path: &Path) -> io::Result<()> {
    let Some(folder) = path.parent() else {
        return Ok(());
    };
    match File::open(folder)?.sync_all() {
        // Some file systems do this for files only.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        synced => synced,
    }
}

/// Does nothing, as folders cannot be opened here.
#[cfg(not(unix))]
pub(super) fn sync_parent(_path: &Path) -> io::Result<()> {
    Ok(())
}
