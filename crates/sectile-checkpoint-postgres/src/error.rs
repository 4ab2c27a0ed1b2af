//! Classifies the server's errors for callers.

use sectile_checkpoint::Error;
use sectile_checkpoint_sql::{Kind, names_are_taken};
use sectile_postgres::is_out_of_reach;
use sqlx::error::DatabaseError;

/// Returns the function that turns an error of sqlx into one of a checkpointer.
pub(crate) fn postgres(doing: &'static str) -> impl Fn(sqlx::Error) -> Error {
    move |error| kind(&error).error(doing, error)
}

fn kind(error: &sqlx::Error) -> Kind {
    match error {
        sqlx::Error::Database(error) => error
            .code()
            .map_or(Kind::Other, |state| Kind::of_postgres(&state)),
        error if is_out_of_reach(error) => Kind::Unavailable,
        _ => Kind::Other,
    }
}

/// Returns whether a unique index refused a row.
pub(crate) fn is_duplicate(error: &sqlx::Error) -> bool {
    error
        .as_database_error()
        .is_some_and(DatabaseError::is_unique_violation)
}

/// Returns whether a table of the name of a new one is there.
fn is_duplicate_table(error: &sqlx::Error) -> bool {
    let state = error.as_database_error().and_then(DatabaseError::code);
    state.is_some_and(|state| state == "42P07")
}

/// Turns the reason why there is no connection into an error of a checkpointer.
pub(crate) fn unusable(error: sectile_postgres::Error) -> Error {
    match error {
        sectile_postgres::Error::Connect(error) => postgres("connect")(error),
        other => Error::Unavailable {
            source: other.into(),
        },
    }
}

/// Returns whether a call was refused for what it asks or for what was found. Then no statement has failed, as
/// a rule, and the connection is as good as before.
pub(crate) fn is_refusal(error: &Error) -> bool {
    matches!(
        error,
        Error::InvalidArgument { .. }
            | Error::NotFound { .. }
            | Error::ThreadExists { .. }
            | Error::IdConflict { .. }
            | Error::Corrupt { .. }
            | Error::Projection { .. }
    )
}

/// Turns an error of the migration runner into one of a checkpointer.
pub(crate) fn migration(error: sectile_migrations::Error<sqlx::Error>) -> Error {
    match error {
        sectile_migrations::Error::Newer { found, known, .. } => {
            Error::NewerSchema { found, known }
        }
        sectile_migrations::Error::Database(error) if is_duplicate_table(&error) => {
            names_are_taken()
        }
        sectile_migrations::Error::Database(error) => postgres("update the tables")(error),
        sectile_migrations::Error::LaterSchema { current, found } => later_schema(&current, &found),
        other => Error::Backend {
            doing: "update the tables",
            source: other.into(),
        },
    }
}

fn later_schema(current: &str, found: &str) -> Error {
    Error::InvalidConfig {
        setting: "search_path",
        reason: format!(
            "has `{current}` first, a schema without checkpoint tables, but the later schema `{found}` has them; name \
             one of both as the schema of the tables"
        ),
    }
}
