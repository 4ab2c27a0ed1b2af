//! What the server's errors mean to a caller.

use sectile_postgres::is_out_of_reach;
use sectile_store::Error;
use sqlx::error::DatabaseError;

/// Returns the function that turns an error of sqlx into one of the store.
pub(crate) fn backend(doing: &'static str) -> impl Fn(sqlx::Error) -> Error {
    move |error| {
        let state = error.as_database_error().and_then(DatabaseError::code);
        let state = state.map(std::borrow::Cow::into_owned);
        let is_unavailable = is_unavailable(&error);
        let source = error.into();
        match state.as_deref() {
            Some("57014") => Error::TimedOut { source },
            Some("53300") => Error::TooManyConnections { source },
            Some("53100") => Error::Full { source },
            Some("XX001" | "XX002") => Error::Damaged { source },
            Some("42P05" | "26000") => Error::PreparedStatements { source },
            _ if is_unavailable => Error::Unavailable { source },
            _ => Error::Backend { doing, source },
        }
    }
}

/// Returns the function that turns the error of a column that was read into one of the store. A value that cannot be decoded
/// was not written by a store.
pub(crate) fn undecodable(column: &str) -> impl FnOnce(sqlx::Error) -> Error {
    move |error| match error {
        sqlx::Error::ColumnDecode { source, .. } => {
            Error::corrupt(format!("column `{column}`: {source}"))
        }
        error => backend("read a row")(error),
    }
}

/// Returns whether the same may succeed later: by class of SQLSTATE
/// (<https://www.postgresql.org/docs/current/errcodes-appendix.html>), never by message.
fn is_unavailable(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Database(error) => error.code().is_some_and(|state| {
            // Connections, conflicts, resources, a lock that was not had, an operator.
            ["08", "40", "53", "55", "57"]
                .iter()
                .any(|class| state.starts_with(class))
        }),
        other => is_out_of_reach(other),
    }
}

/// Turns the reason why there is no connection into an error of the store.
pub(crate) fn unusable(error: sectile_postgres::Error) -> Error {
    match error {
        sectile_postgres::Error::Connect(error) => backend("connect")(error),
        other => Error::Unavailable {
            source: other.into(),
        },
    }
}

/// Turns an error of the migration runner into one of the store.
pub(crate) fn migration(error: sectile_migrations::Error<sqlx::Error>) -> Error {
    match error {
        sectile_migrations::Error::Newer { found, known, .. } => {
            Error::NewerSchema { found, known }
        }
        sectile_migrations::Error::Database(error) => backend("update its schema")(error),
        sectile_migrations::Error::LaterSchema { current, found } => {
            Error::LaterSchema { current, found }
        }
        other => Error::Backend {
            doing: "update its schema",
            source: other.into(),
        },
    }
}
