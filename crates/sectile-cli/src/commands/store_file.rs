//! The files of stores.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// Returns the file of a store that is one.
pub(crate) fn sqlite_file(url: &str) -> Option<&Path> {
    let path = url.strip_prefix("sqlite:")?;
    Some(Path::new(path.strip_prefix("//").unwrap_or(path)))
}

/// Says whether the address names a SQLite file that nobody has made yet. One that no store can have is not missing.
pub(crate) fn is_missing(url: &str) -> bool {
    let is_usable = |path: &&Path| {
        !path.as_os_str().is_empty()
            && *path != Path::new(":memory:")
            && sectile::check_store_url(url).is_ok()
    };
    let file = sqlite_file(url).filter(is_usable);
    file.is_some_and(|path| !path.exists())
}

/// Says whether the address is of a file that is something else than an SQLite database
/// (<https://www.sqlite.org/fileformat.html>).
pub(crate) fn is_foreign(url: &str) -> bool {
    let head = |path| -> std::io::Result<_> {
        let mut head = [0; 16];
        File::open(path)?.read_exact(&mut head)?;
        Ok(head)
    };
    sqlite_file(url).is_some_and(|path| !head(path).is_ok_and(|head| head == *b"SQLite format 3\0"))
}
