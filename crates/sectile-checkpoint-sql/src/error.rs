//! Classifies the errors of the engines for callers. It never looks at messages, because they are
//! in the language of the server.

use sectile_checkpoint::Error;

/// What a caller can do about an error of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Wait: others hold what is needed.
    Busy,
    /// Do it again: others changed the same at the same moment.
    Conflict,
    /// The database does not answer: try again later.
    Unavailable,
    /// Do it again later, or raise the limit: no connection is left.
    TooManyConnections,
    /// Do it again, or give it more time: the server ended it.
    TimedOut,
    /// Make the database, or name another one.
    DatabaseNotFound,
    /// Name another role or password.
    Unauthenticated,
    /// Keep no statement prepared.
    PreparedStatements,
    /// Write elsewhere.
    ReadOnly,
    /// Make room.
    Full,
    /// Ask for the right to do so.
    PermissionDenied,
    /// Restore from a copy.
    Corrupt,
    /// Read the message.
    Other,
}

impl Kind {
    /// Reads a result code of SQLite, whose low byte is the primary one
    /// (<https://www.sqlite.org/rescode.html>).
    pub const fn of_sqlite(code: i32) -> Self {
        // The file ends before what it should have (`SQLITE_IOERR_SHORT_READ`).
        if code == 522 {
            return Self::Corrupt;
        }
        match code & 0xff {
            5 | 6 => Self::Busy,
            3 | 23 => Self::PermissionDenied,
            8 => Self::ReadOnly,
            13 => Self::Full,
            11 | 26 => Self::Corrupt,
            _ => Self::Other,
        }
    }

    /// Reads a SQLSTATE, whose first two characters are its class
    /// (<https://www.postgresql.org/docs/current/errcodes-appendix.html>).
    pub fn of_postgres(state: &str) -> Self {
        match state {
            // Serialization failure, deadlock.
            "40001" | "40P01" => Self::Conflict,
            // A lock was not had in time; an advisory or row lock may be had later.
            "55P03" => Self::Busy,
            // A statement or a transaction ran for longer than it may.
            "57014" | "25P04" => Self::TimedOut,
            "53300" => Self::TooManyConnections,
            "3D000" => Self::DatabaseNotFound,
            "28000" | "28P01" => Self::Unauthenticated,
            // There is one of this name already, or none: another client prepared on the connection.
            "42P05" | "26000" => Self::PreparedStatements,
            "25006" => Self::ReadOnly,
            "42501" => Self::PermissionDenied,
            "53100" => Self::Full,
            "XX001" | "XX002" => Self::Corrupt,
            // Insufficient resources, operator intervention, connection exceptions.
            _ if ["53", "57", "08"]
                .iter()
                .any(|class| state.starts_with(class)) =>
            {
                Self::Unavailable
            }
            _ => Self::Other,
        }
    }

    /// Returns the error of this kind.
    pub fn error(
        self,
        doing: &'static str,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Error {
        let source = source.into();
        match self {
            Self::Busy => Error::Busy { source },
            Self::Conflict => Error::Conflict { source },
            Self::Unavailable => Error::Unavailable { source },
            Self::TooManyConnections => Error::TooManyConnections { source },
            Self::TimedOut => Error::TimedOut { source },
            Self::DatabaseNotFound => Error::DatabaseNotFound {
                reason: "make it, or correct its name in the address".into(),
                source,
            },
            Self::Unauthenticated => Error::Unauthenticated { source },
            Self::PreparedStatements => Error::PreparedStatements { source },
            Self::ReadOnly => Error::ReadOnly { source },
            Self::Full => Error::Full { source },
            Self::PermissionDenied => Error::PermissionDenied { source },
            Self::Corrupt => Error::Corrupt {
                what: source.to_string(),
            },
            Self::Other => Error::Backend { doing, source },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_codes_of_sqlite_are_read_by_their_low_byte() {
        for (code, kind) in [
            (5, Kind::Busy),
            (517, Kind::Busy),
            (8, Kind::ReadOnly),
            (1032, Kind::ReadOnly),
            (13, Kind::Full),
            (11, Kind::Corrupt),
            (522, Kind::Corrupt),
            (266, Kind::Other),
            (1, Kind::Other),
            (2067, Kind::Other),
        ] {
            assert_eq!(Kind::of_sqlite(code), kind, "{code}");
        }
    }

    #[test]
    fn states_of_postgres_are_read_by_code_and_class() {
        for (code, kind) in [
            ("40001", Kind::Conflict),
            ("40P01", Kind::Conflict),
            ("57P01", Kind::Unavailable),
            ("08006", Kind::Unavailable),
            ("53300", Kind::TooManyConnections),
            ("53200", Kind::Unavailable),
            ("53100", Kind::Full),
            ("25006", Kind::ReadOnly),
            ("42501", Kind::PermissionDenied),
            ("55P03", Kind::Busy),
            ("23505", Kind::Other),
            ("57014", Kind::TimedOut),
            ("3D000", Kind::DatabaseNotFound),
            ("28P01", Kind::Unauthenticated),
            ("42P05", Kind::PreparedStatements),
            ("26000", Kind::PreparedStatements),
        ] {
            assert_eq!(Kind::of_postgres(code), kind, "{code}");
        }
    }
}
