//! Addresses of stores: which engine they are of, and the files that they name.

use std::path::Path;

use crate::{Error, Result};

/// The engine of a store.
pub(crate) enum Engine {
    #[cfg(feature = "sqlite")]
    Sqlite,
    #[cfg(feature = "postgres")]
    Postgres,
}

impl Engine {
    /// Returns the engine that an address is of, if this build has it.
    pub(crate) fn of(url: &str) -> Result<Self> {
        let refuse = |reason: &str| refused(url, reason);
        match url.split_once(':') {
            #[cfg(feature = "sqlite")]
            Some(("sqlite", path)) if has_parameters(path) => Err(refuse(
                "the file of a store takes no parameters after `?`; write its path alone. A file that cannot be \
                 written is opened to be read",
            )),
            #[cfg(feature = "sqlite")]
            Some(("sqlite", _)) => Ok(Self::Sqlite),
            #[cfg(feature = "postgres")]
            Some(("postgres" | "postgresql", _)) => Ok(Self::Postgres),
            #[cfg(not(feature = "postgres"))]
            Some(("postgres" | "postgresql", _)) => Err(refuse("this build has no Postgres")),
            _ => Err(refuse("write it as sqlite:PATH or postgres://…")),
        }
    }
}

fn refused(url: &str, reason: &str) -> Error {
    Error::StoreUrl {
        url: crate::shown_url(url),
        reason: reason.to_owned(),
    }
}

/// Checks that this build can open stores with addresses such as `url`, without opening one.
///
/// # Errors
///
/// [`Error::StoreUrl`] for an address of no engine that this build has, or of SQLite without a file, [`Error::Store`] for
/// one of Postgres that cannot be read.
pub fn check_store_url(url: &str) -> Result<()> {
    match Engine::of(url)? {
        #[cfg(feature = "sqlite")]
        Engine::Sqlite if sqlite_file(url).is_none() => {
            Err(refused(url, "it names no file; write it as sqlite:PATH"))
        }
        #[cfg(feature = "sqlite")]
        Engine::Sqlite => Ok(()),
        #[cfg(feature = "postgres")]
        Engine::Postgres => Ok(sectile_store_postgres::PostgresStore::check_url(url)?),
    }
}

/// Returns the path of the file that holds a store, for an address `sqlite:PATH` that
/// [`Library::open`](crate::Library::open) takes: one that names a file, without parameters.
///
/// ```
/// use std::path::Path;
///
/// assert_eq!(sectile::sqlite_file("sqlite:docs.db"), Some(Path::new("docs.db")));
/// assert_eq!(sectile::sqlite_file("sqlite::memory:"), None);
/// assert_eq!(sectile::sqlite_file("postgres://localhost/docs"), None);
/// ```
pub fn sqlite_file(url: &str) -> Option<&Path> {
    let is_file = |path: &&str| !path.is_empty() && *path != ":memory:" && !has_parameters(path);
    sqlite_path(url).filter(is_file).map(Path::new)
}

/// Returns what an address of an SQLite store names, whether it can be a file or not.
pub(crate) fn sqlite_path(url: &str) -> Option<&str> {
    let path = url.strip_prefix("sqlite:")?;
    Some(path.strip_prefix("//").unwrap_or(path))
}

/// Returns whether a path ends as an address with parameters does: SQLite's own, or those of another library.
fn has_parameters(path: &str) -> bool {
    let parameters = path.split_once('?').map(|(_, parameters)| parameters);
    parameters.is_some_and(|parameters| parameters.contains('='))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_an_address_is_one_that_can_be_opened() {
        for (url, file) in [
            ("sqlite:a/docs.db", Some("a/docs.db")),
            ("sqlite://docs.db", Some("docs.db")),
            ("sqlite:///docs.db", Some("/docs.db")),
            ("sqlite:what?.db", Some("what?.db")),
            ("sqlite:docs.db?mode=ro", None),
            ("sqlite::memory:", None),
            ("sqlite:", None),
            ("sqlite://", None),
            ("postgres://h/db", None),
            ("docs.db", None),
        ] {
            assert_eq!(sqlite_file(url), file.map(Path::new), "{url}");
        }
    }
}
