//! Classifies SQLite's errors for callers.

use sectile_checkpoint::Error;
use sectile_checkpoint_sql::{Kind, names_are_taken};
use sectile_sqlite::{primary_code, rusqlite};

/// The primary code of a statement that does not fit the tables (<https://www.sqlite.org/rescode.html>).
const MISFIT: i32 = 1;

/// Returns the function that turns an error of SQLite into one of a checkpointer.
pub(crate) fn sqlite(doing: &'static str) -> impl Fn(rusqlite::Error) -> Error {
    move |error| kind(&error).error(doing, sectile_sqlite::without_statement(error))
}

fn kind(error: &rusqlite::Error) -> Kind {
    match error {
        // A value that no release has written.
        rusqlite::Error::FromSqlConversionFailure(..)
        | rusqlite::Error::InvalidColumnType(..)
        | rusqlite::Error::Utf8Error(..) => Kind::Corrupt,
        _ => error
            .sqlite_error()
            .map_or(Kind::Other, |error| Kind::of_sqlite(error.extended_code)),
    }
}

/// Turns the error of a connection that cannot be used into one of a checkpointer.
pub(crate) fn unusable(error: sectile_sqlite::Error) -> Error {
    match error {
        sectile_sqlite::Error::Sqlite(error) => sqlite("open the file")(error),
        sectile_sqlite::Error::Replaced { path } => Error::FileReplaced { path },
        closed => Error::Unavailable {
            source: closed.into(),
        },
    }
}

/// Turns an error of the migration runner into one of a checkpointer.
pub(crate) fn migration(error: sectile_migrations::Error<rusqlite::Error>) -> Error {
    match error {
        sectile_migrations::Error::Newer { found, known, .. } => {
            Error::NewerSchema { found, known }
        }
        sectile_migrations::Error::Database(error) if is_misfit(&error) => names_are_taken(),
        sectile_migrations::Error::Database(error) => sqlite("update the tables")(error),
        other => Error::Backend {
            doing: "update the tables",
            source: other.into(),
        },
    }
}

/// Returns whether a migration does not fit the tables that the file has (`SQLITE_ERROR`).
fn is_misfit(error: &rusqlite::Error) -> bool {
    primary_code(error) == Some(MISFIT)
}
