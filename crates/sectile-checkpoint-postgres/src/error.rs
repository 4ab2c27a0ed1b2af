//! Classifies the server's errors for callers.

use sectile_checkpoint::Error;
use sectile_checkpoint_sql::Kind;
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
