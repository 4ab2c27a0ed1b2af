//! Opens files, and nothing else.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::Error;
use crate::error::NotAFile;

/// Opens the file at `path` for reading. What is no regular file is refused without being opened, because a pipe blocks
/// who opens it.
///
/// # Errors
///
/// [`Error::Read`] when the file cannot be opened, and for a folder, a pipe, a socket or a device.
///
/// ```
/// use sectile_load::{Error, open_file};
///
/// assert!(matches!(open_file("."), Err(Error::Read { .. })));
/// ```
pub fn open_file(path: impl AsRef<Path>) -> Result<File, Error> {
    let path = path.as_ref();
    open(path).map_err(|source| Error::Read {
        path: path.into(),
        source,
    })
}

fn open(path: &Path) -> io::Result<File> {
    let kind = fs::metadata(path)?;
    if kind.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if !kind.is_file() {
        return Err(io::Error::other(NotAFile));
    }
    File::open(path)
}
