//! What SQLite's errors mean to a caller.

use sectile_store::Error;

/// SQLite's primary result codes for a database that others hold (`SQLITE_BUSY`,
/// `SQLITE_LOCKED`).
const BUSY: [i32; 2] = [5, 6];

/// SQLite's primary result code for a file that is no database (`SQLITE_NOTADB`).
const NOT_A_DATABASE: i32 = 26;

/// Returns the function that turns an error of sqlx into one of the store.
pub(crate) fn backend(doing: &'static str) -> impl Fn(sqlx::Error) -> Error {
    move |error| {
        if is_unavailable(&error) {
            let source = error.into();
            Error::Unavailable { source }
        } else {
            let source = error.into();
            Error::Backend { doing, source }
        }
    }
}

fn is_unavailable(error: &sqlx::Error) -> bool {
    let is_timeout = matches!(error, sqlx::Error::PoolTimedOut);
    is_timeout || is_busy(error)
}

/// Says whether others hold the database.
pub(crate) fn is_busy(error: &sqlx::Error) -> bool {
    primary_code(error).is_some_and(|code| BUSY.contains(&code))
}

/// Says whether the file is something else than a SQLite database.
pub(crate) fn is_no_database(error: &sqlx::Error) -> bool {
    primary_code(error) == Some(NOT_A_DATABASE)
}

/// Returns SQLite's primary result code: the low byte, of which the rest says more.
fn primary_code(error: &sqlx::Error) -> Option<i32> {
    let code: i32 = error.as_database_error()?.code()?.parse().ok()?;
    Some(code & 0xff)
}

/// Turns an error of the migration runner into one of the store.
pub(crate) fn migration(error: sectile_migrations::Error<sqlx::Error>) -> Error {
    match error {
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

/// Reports a value that this store never writes.
pub(crate) fn corrupt(what: impl std::fmt::Display) -> Error {
    Error::Corrupt {
        what: what.to_string(),
    }
}
