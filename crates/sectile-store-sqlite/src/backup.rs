//! Copies of a store's file.

use std::ffi::OsString;
use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, ErrorKind};
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
        let written = self.write_part(connection, permissions);
        if written.is_err() {
            // What cannot be removed is replaced by the next copy of this name.
            let _ = std::fs::remove_file(&self.part);
        }
        written
    }

    fn write_part(&self, connection: &Connection, permissions: Permissions) -> Result<u64> {
        let Some(name) = self.part.to_str() else {
            return Err(Error::Copy {
                path: self.path.clone(),
                reason: "its path is not valid UTF-8; name another file".to_owned(),
            });
        };
        let file = empty(&self.part).map_err(refused(&self.path))?;
        write_into(connection, name).map_err(|error| not_written(&self.path, error))?;
        let finish = || -> io::Result<u64> {
            file.sync_all()?;
            file.set_permissions(permissions)?;
            let size = file.metadata()?.len();
            std::fs::rename(&self.part, &self.path)?;
            sync_parent(&self.path)?;
            Ok(size)
        };
        finish().map_err(refused(&self.path))
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
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
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
}
