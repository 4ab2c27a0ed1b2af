//! What SQLite's errors mean to a caller.

use std::fmt::Display;
use std::path::Path;

use sectile_sqlite::rusqlite;
use sectile_sqlite::{is_busy, primary_code, without_statement};
use sectile_store::Error;

/// SQLite's primary result code for a statement that does not fit the schema (`SQLITE_ERROR`).
const MISFIT: i32 = 1;

/// SQLite's primary result code for a file with pages that are not what they should be (`SQLITE_CORRUPT`).
const CORRUPT: i32 = 11;

/// SQLite's primary result code for a disk without room (`SQLITE_FULL`).
const FULL: i32 = 13;

/// SQLite's extended result code for a write that the system refused (`SQLITE_IOERR_WRITE`), as beyond a limit of file
/// sizes.
const WRITE_REFUSED: i32 = 778;

/// SQLite's extended result code for a file that ends before what it should have (`SQLITE_IOERR_SHORT_READ`), as beside
/// the write-ahead log of another one.
const SHORT_READ: i32 = 522;

/// SQLite's primary result code for a file that is not a database (`SQLITE_NOTADB`).
const NOT_A_DATABASE: i32 = 26;

/// Returns the function that turns an error of SQLite into one of the store.
pub(crate) fn backend(doing: &'static str) -> impl Fn(rusqlite::Error) -> Error {
    move |error| {
        let code = primary_code(&error);
        let extended = error.sqlite_error().map(|error| error.extended_code);
        let is_unavailable = is_busy(&error);
        let source = without_statement(error).into();
        match code {
            _ if is_unavailable => Error::Unavailable { source },
            Some(CORRUPT | NOT_A_DATABASE) => Error::Damaged { source },
            _ if extended == Some(SHORT_READ) => Error::Damaged { source },
            Some(FULL) => Error::Full { source },
            _ if extended == Some(WRITE_REFUSED) => Error::Backend {
                doing: "write to its file, whose size `ulimit -f` may limit",
                source,
            },
            _ => Error::Backend { doing, source },
        }
    }
}

/// Returns the function that turns the error of a column that was read into one of the store. A value that cannot be decoded
/// was not written by a store.
pub(crate) fn undecodable(column: impl Display) -> impl FnOnce(rusqlite::Error) -> Error {
    move |error| match error {
        rusqlite::Error::FromSqlConversionFailure(_, _, source) => {
            Error::corrupt(format!("column `{column}`: {source}"))
        }
        rusqlite::Error::Utf8Error(_, source) => {
            Error::corrupt(format!("column `{column}`: {source}"))
        }
        rusqlite::Error::InvalidColumnType(_, _, kind) => {
            Error::corrupt(format!("column `{column}` that holds {kind}"))
        }
        rusqlite::Error::IntegralValueOutOfRange(_, number) => {
            Error::corrupt(format!("{number} in the column `{column}`"))
        }
        error => backend("read a row")(error),
    }
}

/// Turns the error of a connection that cannot be used into one of the store.
pub(crate) fn unusable(error: sectile_sqlite::Error) -> Error {
    match error {
        sectile_sqlite::Error::Sqlite(error) => backend("open the file")(error),
        sectile_sqlite::Error::Replaced { path } => Error::FileReplaced { path },
        closed => Error::Unavailable {
            source: closed.into(),
        },
    }
}

/// Returns whether the file is something else than a SQLite database.
pub(crate) fn is_no_database(error: &rusqlite::Error) -> bool {
    primary_code(error) == Some(NOT_A_DATABASE)
}

/// Returns whether a statement does not fit what the file holds (`SQLITE_ERROR`).
fn is_misfit(error: &rusqlite::Error) -> bool {
    primary_code(error) == Some(MISFIT)
}

/// Says that a file is not Sectile's, by a table that it has.
pub(crate) fn foreign(path: &Path, table: &str) -> Error {
    Error::InvalidUrl {
        url: path.display().to_string(),
        reason: format!(
            "it belongs to another program, whose table `{}` it has; name another file",
            table.escape_debug()
        ),
    }
}

/// Turns an error of the migration runner into one of the store.
pub(crate) fn migration(path: &Path, error: sectile_migrations::Error<rusqlite::Error>) -> Error {
    match error {
        sectile_migrations::Error::Database(error) if is_misfit(&error) => Error::InvalidUrl {
            url: path.display().to_string(),
            reason: "another program has tables in it that are called as those of a store; name another file"
                .into(),
        },
        sectile_migrations::Error::Newer { found, known, .. } => {
            Error::NewerSchema { found, known }
        }
        sectile_migrations::Error::Database(error) => backend("update its schema")(error),
        other => Error::Backend {
            doing: "update its schema",
            source: other.into(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_say_what_can_be_done() {
        let of = |code| {
            let error = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None);
            backend("try")(error)
        };
        // SQLITE_FULL, SQLITE_CORRUPT_INDEX, SQLITE_NOTADB, SQLITE_BUSY_SNAPSHOT, SQLITE_IOERR_READ.
        assert!(matches!(of(13), Error::Full { .. }));
        // What was written before it, in other transactions, is not undone.
        let said = "the disk is full; what was stored before stays; free some space and try again";
        assert_eq!(of(13).to_string(), said);
        assert!(matches!(of(779), Error::Damaged { .. }));
        assert!(matches!(of(26), Error::Damaged { .. }));
        // SQLITE_IOERR_SHORT_READ.
        assert!(matches!(of(522), Error::Damaged { .. }));
        assert!(matches!(of(517), Error::Unavailable { .. }));
        assert!(matches!(of(266), Error::Backend { .. }));
        // SQLITE_IOERR_WRITE.
        assert!(of(778).to_string().contains("`ulimit -f`"));
    }

    #[test]
    fn what_cannot_be_decoded_is_damage_that_names_its_column() {
        let connection = rusqlite::Connection::open_in_memory().unwrap();
        let check = |sql: &str, read: fn(&rusqlite::Row<'_>) -> rusqlite::Result<()>| {
            let error = connection.query_row(sql, [], read).unwrap_err();
            let error = undecodable("uri")(error);
            let said = error.to_string();
            assert!(matches!(error, Error::Corrupt { .. }), "{said}");
            assert!(said.contains("`uri`"), "{said}");
        };
        check("SELECT CAST(x'61ff' AS TEXT)", |row| {
            row.get::<_, String>(0).map(drop)
        });
        check("SELECT 'text'", |row| row.get::<_, i64>(0).map(drop));
        check("SELECT 300", |row| row.get::<_, u8>(0).map(drop));
        check("SELECT x'00'", |row| row.get::<_, [u8; 16]>(0).map(drop));
    }
}
