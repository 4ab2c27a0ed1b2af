//! Classifies errors of the system by what the caller can do.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::Error;

/// An error of the system, with the file that it is about.
#[derive(Debug, thiserror::Error)]
#[error("{}", path.display())]
struct OnFile {
    path: PathBuf,
    source: io::Error,
}

/// Returns what makes an [`Error`] of what the system reports on a file.
pub(super) fn failed(doing: &'static str, path: &Path) -> impl Fn(io::Error) -> Error {
    move |error| classified(doing, path, error)
}

fn classified(doing: &'static str, path: &Path, error: io::Error) -> Error {
    let kind = error.kind();
    let path = path.to_owned();
    let source = Box::new(OnFile {
        path,
        source: error,
    });
    match kind {
        ErrorKind::NotFound => Error::DatabaseNotFound {
            reason: "the folder of checkpoints was removed; open the checkpointer again".into(),
            source,
        },
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Error::Full { source },
        ErrorKind::PermissionDenied => Error::PermissionDenied { source },
        ErrorKind::ReadOnlyFilesystem => Error::ReadOnly { source },
        _ => Error::Backend { doing, source },
    }
}

/// Returns the error of a file with damaged content.
pub(super) fn damaged(path: &Path, reason: impl std::fmt::Display) -> Error {
    let what = format!("{}: {reason}", path.display());
    Error::Corrupt { what }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::*;

    fn of_kind(kind: ErrorKind) -> Error {
        failed("save", Path::new("folder/file"))(kind.into())
    }

    #[test]
    fn errors_of_the_system_are_told_apart() {
        for kind in [ErrorKind::StorageFull, ErrorKind::QuotaExceeded] {
            assert!(matches!(of_kind(kind), Error::Full { .. }));
        }
        let denied = of_kind(ErrorKind::PermissionDenied);
        assert!(matches!(denied, Error::PermissionDenied { .. }));
        let read_only = of_kind(ErrorKind::ReadOnlyFilesystem);
        assert!(matches!(read_only, Error::ReadOnly { .. }));
        let missing = of_kind(ErrorKind::NotFound);
        assert!(matches!(missing, Error::DatabaseNotFound { .. }));
        let other = of_kind(ErrorKind::IsADirectory);
        assert!(matches!(other, Error::Backend { doing: "save", .. }));
    }

    #[test]
    fn the_chain_of_causes_names_the_file() {
        let error = of_kind(ErrorKind::StorageFull);
        let on_file = error.source().unwrap();
        assert_eq!(on_file.to_string(), "folder/file");
        let cause = on_file.source().unwrap().to_string();
        assert_eq!(cause, ErrorKind::StorageFull.to_string());
    }
}
