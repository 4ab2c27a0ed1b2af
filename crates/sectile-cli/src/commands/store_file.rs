//! The files of stores.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use sectile::sqlite_file;

/// Returns whether the address names a SQLite file that does not exist yet. An address that cannot be a store's is not
/// missing, nor is a file in a folder that this user may not search.
pub(crate) fn is_missing(url: &str) -> bool {
    sqlite_file(url).is_some_and(|path| matches!(path.try_exists(), Ok(false)))
}

/// Returns whether the address is of a file that is something else than an SQLite database
/// (<https://www.sqlite.org/fileformat.html>). An address of checkpoints may have parameters.
pub(crate) fn is_foreign(url: &str) -> bool {
    let head = |path: &Path| -> std::io::Result<_> {
        let mut head = [0; 16];
        File::open(path)?.read_exact(&mut head)?;
        Ok(head)
    };
    let file = sqlite_file(url).or_else(|| sqlite_file(url.split_once('?')?.0));
    // A pipe would block who opens it.
    file.is_some_and(|path| {
        !path.is_file() || !head(path).is_ok_and(|head| head == *b"SQLite format 3\0")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_missing_or_foreign_whatever_parameters_follow_its_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
        std::fs::write(folder.path().join("docs.db"), b"SQLite format 3\0...").unwrap();
        std::fs::write(
            folder.path().join("plain.txt"),
            "A text that is no database.",
        )
        .unwrap();
        for (url, missing, foreign) in [
            (path("docs.db"), false, false),
            (path("docs.db?mode=ro"), false, false),
            (path("plain.txt"), false, true),
            (path("plain.txt?mode=ro"), false, true),
            (path("none.db"), true, true),
            ("sqlite::memory:".to_owned(), false, false),
            ("sqlite:".to_owned(), false, false),
        ] {
            assert_eq!(is_missing(&url), missing, "{url}");
            assert_eq!(is_foreign(&url), foreign, "{url}");
        }
    }
}
