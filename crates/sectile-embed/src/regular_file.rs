//! Opens regular files, and nothing else: a pipe blocks who opens it, and a device may never end.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

/// Opens a file of a model.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let kind = fs::metadata(path)?;
    // A folder is opened: the system says that it is one.
    if kind.is_file() || kind.is_dir() {
        return File::open(path);
    }
    let reason = "it is a pipe, a socket or a device, and no file";
    Err(io::Error::other(reason))
}

/// Reads a file of a model.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}
