//! SQLite files as the crates of Sectile use them: opened alike, written by one connection, read
//! by some others, and never waited for on a thread of the runtime.

mod busy_handler;
mod file;
mod options;
mod readers;
mod statement;
mod task;
mod transaction;
mod writer;

pub use busy_handler::waiting_until;
pub use file::OpenFile;
pub use options::{Access, Options, write_ahead_log};
pub use readers::{Reader, Readers};
pub use rusqlite;
pub use statement::statement;
pub use transaction::{in_snapshot, in_transaction, now, roll_back};
pub use writer::Writer;

use std::path::PathBuf;

type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a connection cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It was closed, or the runtime has ended.
    #[error("the file was closed")]
    Closed,
    /// It was deleted, moved or replaced, so what is written to it is lost.
    #[error(
        "`{}` was deleted, moved or replaced while it was open; end all processes that use it, and put it back, or put \
         the new file there without the `-wal` and `-shm` files of the old one",
        path.display()
    )]
    Replaced {
        /// The path that it was opened by.
        path: PathBuf,
    },
    /// SQLite cannot open it, or not close it.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
}

/// The part of a result code that says what kind it is of; the bits above say more
/// (<https://www.sqlite.org/rescode.html>).
const PRIMARY: i32 = 0xff;

/// Returns the primary result code of an error that SQLite reports.
pub fn primary_code(error: &rusqlite::Error) -> Option<i32> {
    let error = match error {
        rusqlite::Error::SqlInputError { error, .. } => error,
        other => other.sqlite_error()?,
    };
    Some(error.extended_code & PRIMARY)
}

/// Returns an error without the text of the statement that failed, which says nothing to who runs a program.
#[must_use]
pub fn without_statement(error: rusqlite::Error) -> rusqlite::Error {
    match error {
        rusqlite::Error::SqlInputError { error, msg, .. } => {
            rusqlite::Error::SqliteFailure(error, Some(msg))
        }
        other => other,
    }
}

/// Returns whether a file cannot be opened, or not written (`SQLITE_CANTOPEN`, `SQLITE_READONLY`):
/// for a lack of rights, or as the disk takes none.
pub fn is_no_place(error: &rusqlite::Error) -> bool {
    matches!(primary_code(error), Some(8 | 14))
}

/// Returns whether others hold the database (`SQLITE_BUSY`, `SQLITE_LOCKED`).
pub fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(primary_code(error), Some(5 | 6))
}

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
