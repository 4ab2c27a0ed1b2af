//! Copies of a store's file.

use std::ffi::OsString;
use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use sectile_sqlite::rusqlite::{self, Connection};
use sectile_sqlite::{Access, Options, Readers};
use sectile_store::{Error, Result};

use crate::connections::{BUSY_TIMEOUT, cannot_open, check};
use crate::error::{backend, unusable};
use crate::sql;

/// Copies the file of a store to a new one, with all tables that it has, also those of checkpoints. Other processes may
/// use the store meanwhile: the copy has what was acknowledged before the call. It needs no write-ahead log, and is on
/// the disk when this returns. Until it is complete, it is called `COPY.part`.
///
/// Returns the size of the copy in bytes.
///
/// # Errors
///
/// [`Error::Copy`] when the copy exists already or cannot be written, [`Error::InvalidUrl`] when the path is not that of
/// a database, [`Error::Damaged`] when the file is damaged, and others that reading may have.
pub async fn back_up(path: impl AsRef<Path>, copy: impl AsRef<Path>) -> Result<u64> {
    let path = path.as_ref();
    check(path)?;
    let permissions = std::fs::metadata(path).map_err(|error| Error::InvalidUrl {
        url: path.display().to_string(),
        reason: format!("it cannot be read: {error}"),
    })?;
    let permissions = permissions.permissions();
    let copy = NewFile::named(copy.as_ref())?;
    let options = Options::new(path)
        .busy_timeout(BUSY_TIMEOUT)
        .access(Access::Read);
    let readers = Readers::alone(options, 1).await;
    let readers = readers.map_err(|error| cannot_open(path, error))?;
    let copied = readers.run(move |connection| copy.write(connection, permissions));
    copied.await.map_err(unusable)?
}

/// A copy that is written under another name until it is complete.
struct NewFile {
    path: PathBuf,
    part: PathBuf,
}

impl NewFile {
    fn named(copy: &Path) -> Result<Self> {
        let path = std::path::absolute(copy).map_err(refused(copy))?;
        // Also a link that leads nowhere.
        if path.symlink_metadata().is_ok() {
            return Err(Error::Copy {
                path: copy.to_owned(),
                reason: "it exists already; name a new file".to_owned(),
            });
        }
        let mut part = OsString::from(&path);
        part.push(".part");
        let part = PathBuf::from(part);
        Ok(Self { path, part })
    }

    fn write(&self, connection: &Connection, permissions: Permissions) -> Result<u64> {
        let Some(name) = self.part.to_str() else {
            return Err(Error::Copy {
                path: self.path.clone(),
                reason: "its path is not valid UTF-8; name another file".to_owned(),
            });
        };
        let file = empty(&self.part).map_err(refused(&self.path))?;
        let written = write_into(connection, name)
            .map_err(|error| not_written(&self.path, error))
            .and_then(|()| {
                let finished = self.finish(&file, permissions);
                finished.map_err(refused(&self.path))
            });
        if written.is_err() && is_at(&file, &self.part) {
            // What cannot be removed is replaced by the next copy of this name.
            let _ = std::fs::remove_file(&self.part);
        }
        written
    }

    /// Gives a file that is complete its name.
    fn finish(&self, file: &File, permissions: Permissions) -> io::Result<u64> {
        file.sync_all()?;
        file.set_permissions(permissions)?;
        let size = file.metadata()?.len();
        if !is_at(file, &self.part) {
            let reason = "another process writes a copy of this name; name another file";
            return Err(io::Error::other(reason));
        }
        self.publish()?;
        sync_parent(&self.path)?;
        Ok(size)
    }

    /// Renames the file, unless another one has the name by now.
    fn publish(&self) -> io::Result<()> {
        match std::fs::hard_link(&self.part, &self.path) {
            Ok(()) => return std::fs::remove_file(&self.part),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            // Some file systems have no hard links.
            Err(_) if self.path.symlink_metadata().is_err() => {
                return std::fs::rename(&self.part, &self.path);
            }
            Err(_) => {}
        }
        let reason = "it was made by another program meanwhile; name a new file";
        Err(io::Error::new(ErrorKind::AlreadyExists, reason))
    }
}

/// Has SQLite write what a connection reads into a file that is empty. The connection can only read; but `query_only`
/// would refuse the writes to the new file, too.
fn write_into(connection: &Connection, file: &str) -> rusqlite::Result<()> {
    connection.pragma_update(None, "query_only", "OFF")?;
    connection.execute(sql::COPY, [file]).map(drop)
}

/// Returns the error of a copy. A full disk is that of the copy, as nothing else is written.
fn not_written(copy: &Path, error: rusqlite::Error) -> Error {
    match backend("copy its file")(error) {
        Error::Full { .. } => Error::Copy {
            path: copy.to_owned(),
            reason: "its disk is full; free some space, or name a file on another disk".to_owned(),
        },
        error => error,
    }
}

/// Makes a file that only its owner may read, as long as it is incomplete. One that an earlier copy left is replaced.
fn empty(path: &Path) -> io::Result<File> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        found => {
            check_left(path, &found?)?;
            std::fs::remove_file(path)?;
        }
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// What a database begins with.
const HEAD: &[u8] = b"SQLite format 3\0";

/// Refuses a file in the place of an incomplete copy that cannot be one.
fn check_left(path: &Path, found: &Metadata) -> io::Result<()> {
    let mut head = Vec::new();
    if found.is_file() {
        let file = File::open(path)?;
        file.take(HEAD.len() as u64).read_to_end(&mut head)?;
        // The first page may be written last.
        if HEAD.starts_with(&head) || head.iter().all(|byte| *byte == 0) {
            return Ok(());
        }
    }
    let reason = format!(
        "`{}` is in its place until it is complete, and is no copy of a store; move it, or name another file",
        path.display()
    );
    Err(io::Error::new(ErrorKind::AlreadyExists, reason))
}

/// Returns whether a path leads to an open file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let (Ok(file), Ok(found)) = (file.metadata(), path.symlink_metadata()) else {
        return false;
    };
    (file.dev(), file.ino()) == (found.dev(), found.ino())
}

/// Takes for granted that a path leads to an open file, as there is no number of it here.
#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> bool {
    true
}

/// Waits until the name of a new file is synced to the disk.
#[cfg(unix)]
fn sync_parent(path: &Path) -> io::Result<()> {
    let Some(folder) = path.parent() else {
        return Ok(());
    };
    match File::open(folder)?.sync_all() {
        // Some file systems do this for files only.
        Err(error) if error.kind() == ErrorKind::InvalidInput => Ok(()),
        synced => synced,
    }
}

/// Does nothing, as folders cannot be opened here.
#[cfg(not(unix))]
fn sync_parent(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// Returns the function that turns an error of the system into one of the copy.
fn refused(copy: &Path) -> impl FnOnce(io::Error) -> Error {
    move |error| Error::Copy {
        path: copy.to_owned(),
        reason: error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use sectile_sqlite::rusqlite::ffi;

    use super::*;

    #[test]
    fn a_full_disk_is_that_of_the_copy() {
        let of_code = |code| rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
        let copy = Path::new("/copies/a.db");
        let full = not_written(copy, of_code(ffi::SQLITE_FULL)).to_string();
        assert!(
            full.contains("/copies/a.db") && full.contains("its disk is full"),
            "{full}"
        );
        let damaged = not_written(copy, of_code(ffi::SQLITE_CORRUPT));
        assert!(matches!(damaged, Error::Damaged { .. }), "{damaged:?}");
    }

    #[test]
    fn a_file_that_is_made_meanwhile_stays() {
        let folder = tempfile::tempdir().unwrap();
        let copy = NewFile::named(&folder.path().join("copy.db")).unwrap();
        let file = empty(&copy.part).unwrap();
        std::fs::write(&copy.path, "mine").unwrap();
        let permissions = file.metadata().unwrap().permissions();
        let error = copy.finish(&file, permissions).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read_to_string(&copy.path).unwrap(), "mine");
        std::fs::remove_file(&copy.path).unwrap();
        let permissions = file.metadata().unwrap().permissions();
        assert_eq!(copy.finish(&file, permissions).unwrap(), 0);
        assert!(copy.path.exists() && !copy.part.exists());
    }

    #[cfg(unix)]
    #[test]
    fn the_incomplete_copy_of_another_process_is_not_finished() {
        let folder = tempfile::tempdir().unwrap();
        let copy = NewFile::named(&folder.path().join("copy.db")).unwrap();
        let file = empty(&copy.part).unwrap();
        let other = empty(&copy.part).unwrap();
        let permissions = other.metadata().unwrap().permissions();
        let error = copy.finish(&file, permissions.clone()).unwrap_err();
        assert!(error.to_string().contains("another process"), "{error}");
        assert!(!copy.path.exists());
        copy.finish(&other, permissions).unwrap();
        assert!(copy.path.exists());
    }
}
