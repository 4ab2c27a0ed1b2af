//! The file behind the connections, which others may delete or replace.
//!
//! SQLite goes on writing to a file that has no name any more, and says that it is done. So whoever
//! acknowledges a write looks first whether the name still leads to the file that was opened.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::{Error, Result};

/// The file that connections have open, with its write-ahead log.
#[derive(Clone, Debug)]
pub struct OpenFile(Option<Arc<Opened>>);

#[derive(Debug)]
struct Opened {
    path: PathBuf,
    identity: Identity,
    log: PathBuf,
    /// That of the log, once a connection has it open; from then on no one closes it rightly.
    log_identity: OnceLock<Identity>,
}

/// The device and the inode: what no two files have at once that are there or open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity(u64, u64);

impl OpenFile {
    /// Returns the file of a connection that was just opened, or what stands for a database in
    /// memory, which is always there.
    pub(crate) fn of(path: &Path, is_in_memory: bool) -> Result<Self> {
        if is_in_memory || !cfg!(unix) {
            return Ok(Self(None));
        }
        let open = || {
            // The log stands beside the file itself, not beside a link to it.
            let mut log = path.canonicalize()?.into_os_string();
            log.push("-wal");
            Ok(Opened {
                path: std::path::absolute(path)?,
                identity: identity(path)?,
                log: log.into(),
                log_identity: OnceLock::new(),
            })
        };
        let opened = open().map_err(|_: io::Error| replaced(path))?;
        Ok(Self(Some(Arc::new(opened))))
    }

    /// Makes sure that the name of the file leads to the one that was opened. It takes a
    /// microsecond or two.
    ///
    /// # Errors
    ///
    /// [`Error::Replaced`].
    pub fn check(&self) -> Result<()> {
        let Some(opened) = &self.0 else {
            return Ok(());
        };
        let is_log_there = opened
            .log_identity
            .get()
            .is_none_or(|log| is(&opened.log, *log));
        if is_log_there && is(&opened.path, opened.identity) {
            Ok(())
        } else {
            Err(replaced(&opened.path))
        }
    }

    /// The same after a connection has read or written, and so has the log open if there is one.
    pub(crate) fn check_used(&self) -> Result<()> {
        self.check()?;
        if let Some(opened) = &self.0
            && opened.log_identity.get().is_none()
            && let Ok(log) = identity(&opened.log)
        {
            // Another thread may have come first, with the same.
            let _ = opened.log_identity.set(log);
        }
        Ok(())
    }
}

fn replaced(path: &Path) -> Error {
    Error::Replaced {
        path: path.to_owned(),
    }
}

fn is(path: &Path, expected: Identity) -> bool {
    identity(path).is_ok_and(|found| found == expected)
}

#[cfg(unix)]
fn identity(path: &Path) -> io::Result<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    let metadata = std::fs::metadata(path)?;
    Ok(Identity(metadata.dev(), metadata.ino()))
}

/// Elsewhere the standard library does not tell one file from another.
#[cfg(not(unix))]
fn identity(_: &Path) -> io::Result<Identity> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(all(test, unix))]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use std::fs;

    use super::*;

    fn files() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let (path, log) = (folder.path().join("a.db"), folder.path().join("a.db-wal"));
        fs::write(&path, "a").unwrap();
        (folder, path, log)
    }

    #[test]
    fn a_file_that_is_written_to_is_the_same() {
        let (_folder, path, log) = files();
        let file = OpenFile::of(&path, false).unwrap();
        fs::write(&log, "a").unwrap();
        for text in ["b", "c"] {
            fs::write(&path, text).unwrap();
            fs::write(&log, text).unwrap();
            file.check_used().unwrap();
        }
    }

    #[test]
    fn a_file_that_was_deleted_or_replaced_is_not() {
        let (folder, path, _) = files();
        let file = OpenFile::of(&path, false).unwrap();
        let moved = folder.path().join("b.db");
        fs::rename(&path, &moved).unwrap();
        assert!(matches!(file.check(), Err(Error::Replaced { path: named }) if named == path));
        fs::copy(&moved, &path).unwrap();
        assert!(file.check().is_err());
        // What is put back is the same again.
        fs::rename(&moved, &path).unwrap();
        file.check().unwrap();
    }

    #[test]
    fn the_log_belongs_to_the_file() {
        let (_folder, path, log) = files();
        let file = OpenFile::of(&path, false).unwrap();
        fs::write(&log, "a").unwrap();
        file.check_used().unwrap();
        fs::remove_file(&log).unwrap();
        assert!(file.check().is_err());
    }

    #[test]
    fn a_link_leads_to_its_file() {
        let (folder, path, log) = files();
        let link = folder.path().join("link.db");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let file = OpenFile::of(&link, false).unwrap();
        fs::write(&log, "a").unwrap();
        file.check_used().unwrap();
        fs::remove_file(&log).unwrap();
        assert!(file.check().is_err());
    }
}
