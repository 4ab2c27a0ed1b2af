//! What the errors of the engines mean to a caller. Messages are never looked at: they are in the
//! language of the server.

use sectile_checkpoint::Error;
use sqlx::error::DatabaseError;

/// Returns the function that turns an error of sqlx on SQLite into one of a checkpointer.
pub fn sqlite(doing: &'static str) -> impl Fn(sqlx::Error) -> Error {
    move |error| classify(doing, error, sqlite_kind)
}

/// Returns the function that turns an error of sqlx on Postgres into one of a checkpointer.
pub fn postgres(doing: &'static str) -> impl Fn(sqlx::Error) -> Error {
    move |error| match error {
        // What answers is no server, but a proxy whose server is gone, for example.
        sqlx::Error::Protocol(_) => Error::Unavailable {
            source: error.into(),
        },
        error => classify(doing, error, postgres_kind),
    }
}

/// What a caller can do about an error of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Busy,
    Conflict,
    Unavailable,
    ReadOnly,
    Full,
    PermissionDenied,
    Corrupt,
    Other,
}

fn classify(doing: &'static str, error: sqlx::Error, kind: fn(&str) -> Kind) -> Error {
    let code = code(&error);
    let kind = match (&error, code) {
        (_, Some(code)) => kind(&code),
        (
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed,
            None,
        ) => Kind::Unavailable,
        _ => Kind::Other,
    };
    let source = Box::new(error);
    match kind {
        Kind::Busy => Error::Busy { source },
        Kind::Conflict => Error::Conflict { source },
        Kind::Unavailable => Error::Unavailable { source },
        Kind::ReadOnly => Error::ReadOnly { source },
        Kind::Full => Error::Full { source },
        Kind::PermissionDenied => Error::PermissionDenied { source },
        Kind::Corrupt => Error::Corrupt {
            what: source.to_string(),
        },
        Kind::Other => Error::Backend { doing, source },
    }
}

/// Reads a result code of SQLite, whose low byte is the primary one
/// (<https://www.sqlite.org/rescode.html>).
fn sqlite_kind(code: &str) -> Kind {
    match code.parse::<i32>().map(|code| code & 0xff) {
        Ok(5 | 6) => Kind::Busy,
        Ok(3 | 23) => Kind::PermissionDenied,
        Ok(8) => Kind::ReadOnly,
        Ok(13) => Kind::Full,
        Ok(11 | 26) => Kind::Corrupt,
        _ => Kind::Other,
    }
}

/// Reads a SQLSTATE, whose first two characters are its class
/// (<https://www.postgresql.org/docs/current/errcodes-appendix.html>).
fn postgres_kind(code: &str) -> Kind {
    match code {
        // Serialization failure, deadlock.
        "40001" | "40P01" => Kind::Conflict,
        // A lock was not had in time; an advisory or row lock may be had later.
        "55P03" => Kind::Busy,
        "25006" => Kind::ReadOnly,
        "42501" => Kind::PermissionDenied,
        "53100" => Kind::Full,
        "XX001" | "XX002" => Kind::Corrupt,
        // Insufficient resources, operator intervention, connection exceptions; a query that was
        // cancelled for its time is among the second.
        _ if code.starts_with("53") || code.starts_with("57") || code.starts_with("08") => {
            Kind::Unavailable
        }
        _ => Kind::Other,
    }
}

fn code(error: &sqlx::Error) -> Option<std::borrow::Cow<'_, str>> {
    error.as_database_error().and_then(DatabaseError::code)
}

/// Says whether a unique index of Postgres refused a row.
pub fn is_duplicate(error: &sqlx::Error) -> bool {
    error
        .as_database_error()
        .is_some_and(DatabaseError::is_unique_violation)
}

/// Says whether the file was locked (`SQLITE_BUSY`, `SQLITE_LOCKED`).
pub fn is_busy(error: &sqlx::Error) -> bool {
    code(error).is_some_and(|code| sqlite_kind(&code) == Kind::Busy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_codes_of_sqlite_are_read_by_their_low_byte() {
        for (code, kind) in [
            ("5", Kind::Busy),
            ("517", Kind::Busy),
            ("8", Kind::ReadOnly),
            ("1032", Kind::ReadOnly),
            ("13", Kind::Full),
            ("11", Kind::Corrupt),
            ("1", Kind::Other),
            ("2067", Kind::Other),
        ] {
            assert_eq!(sqlite_kind(code), kind, "{code}");
        }
    }

    #[test]
    fn states_of_postgres_are_read_by_code_and_class() {
        for (code, kind) in [
            ("40001", Kind::Conflict),
            ("40P01", Kind::Conflict),
            ("57P01", Kind::Unavailable),
            ("08006", Kind::Unavailable),
            ("53300", Kind::Unavailable),
            ("53100", Kind::Full),
            ("25006", Kind::ReadOnly),
            ("42501", Kind::PermissionDenied),
            ("55P03", Kind::Busy),
            ("23505", Kind::Other),
        ] {
            assert_eq!(postgres_kind(code), kind, "{code}");
        }
    }
}
