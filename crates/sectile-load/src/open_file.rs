//! Opens files, and nothing else.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::Error;
use crate::error::NotAFile;

/// Opens the file at `path` for reading. What is no regular file is refused without being opened, because a pipe blocks
/// who opens it; a pipe that is open already is read.
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
    open_input(path).map_err(|source| Error::Read {
        path: path.into(),
        source,
    })
}

/// Where the files are that a process has open.
const OPEN_FILES: [&str; 3] = ["/dev/fd", "/dev/stdin", "/proc/self/fd"];

/// Opens a file that somebody named, or a pipe that is open already, such as that of `<(…)` in a shell. Anything else
/// that is no regular file is refused.
///
/// # Errors
///
/// What the operating system says, or that it is no file. The caller adds the path and what the file is for.
///
/// ```
/// assert!(sectile_load::open_input(".").is_err());
/// ```
pub fn open_input(path: impl AsRef<Path>) -> io::Result<File> {
    let path = path.as_ref();
    if OPEN_FILES.iter().any(|open| path.starts_with(open)) {
        File::open(path)
    } else {
        open(path)
    }
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
