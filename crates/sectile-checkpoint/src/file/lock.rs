//! Locks between tasks and processes.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Takes the exclusive lock of writers. It is released when the file is dropped.
pub(super) fn exclusive(path: &Path) -> io::Result<File> {
    loop {
        let mut options = OpenOptions::new();
        let file = options
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        take(|| file.lock())?;
        if is_at(&file, path)? {
            return Ok(file);
        }
    }
}

/// Takes the lock that readers share, unless there is no lock file, and so no writer.
pub(super) fn shared(path: &Path) -> io::Result<Option<File>> {
    loop {
        let file = match File::open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        take(|| file.lock_shared())?;
        if is_at(&file, path)? {
            return Ok(Some(file));
        }
    }
}

/// Removes a lock file for good. Processes that wait for the lock notice it and create a new one.
#[cfg(unix)]
pub(super) fn remove(path: &Path) -> io::Result<()> {
    remove_if_there(path)
}

/// Leaves the lock file, as nothing says here whether an open file is still the one in the folder.
#[cfg(not(unix))]
pub(super) fn remove(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// Removes a file, if it is there.
pub(super) fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Continues to wait for a lock after a signal.
fn take(lock: impl Fn() -> io::Result<()>) -> io::Result<()> {
    loop {
        match lock() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            taken => return taken,
        }
    }
}

/// Returns whether an open file is the one that the folder has under a name, and not one that was
/// removed since.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;

    let opened = file.metadata()?;
    match fs::metadata(path) {
        Ok(named) => Ok((named.dev(), named.ino()) == (opened.dev(), opened.ino())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> io::Result<bool> {
    Ok(true)
}

#[cfg(all(test, unix))]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn a_lock_that_was_removed_while_one_waited_for_it_is_made_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let held = exclusive(&path).unwrap();
        thread::scope(|scope| {
            let waiting = scope.spawn(|| exclusive(&path).unwrap());
            let reading = scope.spawn(|| shared(&path).unwrap());
            remove(&path).unwrap();
            assert!(!is_at(&held, &path).unwrap());
            drop(held);
            // Whichever comes first: no two hold different files.
            let taken = waiting.join().unwrap();
            assert!(is_at(&taken, &path).unwrap());
            drop(taken);
            drop(reading.join().unwrap());
        });
    }

    #[test]
    fn readers_make_no_lock_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        assert!(shared(&path).unwrap().is_none());
        assert!(!path.exists());
        drop(exclusive(&path).unwrap());
        let (one, other) = (shared(&path).unwrap(), shared(&path).unwrap());
        assert!(one.is_some() && other.is_some());
    }
}
