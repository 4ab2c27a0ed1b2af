//! What SQLite's errors mean to a caller.

use sectile_store::Error;

/// SQLite's primary result codes for a database that others hold (`SQLITE_BUSY`,
/// `SQLITE_LOCKED`).
const BUSY: [i32; 2] = [5, 6];

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
    let code = |error: &dyn sqlx::error::DatabaseError| error.code()?.parse::<i32>().ok();
    match error {
        sqlx::Error::PoolTimedOut => true,
        sqlx::Error::Database(error) => {
            // The low byte is the primary code, the rest says more.
            code(error.as_ref()).is_some_and(|code| BUSY.contains(&(code & 0xff)))
        }
        _ => false,
    }
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
