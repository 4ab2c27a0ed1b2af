//! A store that is opened when it is first read.

use std::fmt;
use std::sync::Arc;

use datafusion::common::{
    DataFusionError, Result, exec_datafusion_err, exec_err, plan_datafusion_err,
};
use sectile::{Library, shown_url, sqlite_file};
use tokio::sync::OnceCell;
use url::Url;

/// A store by its address, or one that was opened elsewhere.
pub(crate) struct OpenedStore {
    address: Option<String>,
    library: OnceCell<Arc<Library>>,
}

impl OpenedStore {
    pub(super) fn of(library: Arc<Library>) -> Self {
        Self {
            address: None,
            library: OnceCell::new_with(Some(library)),
        }
    }

    pub(crate) fn at(address: &str) -> Self {
        Self {
            address: Some(address.to_owned()),
            library: OnceCell::new(),
        }
    }

    /// Returns the library, which is opened once.
    pub(super) async fn library(&self) -> Result<Arc<Library>> {
        let open = || async {
            let address = self.address.as_deref().unwrap_or_default();
            // A store that is not there is otherwise an empty one.
            if sqlite_file(address).is_some_and(|file| !file.exists()) {
                return exec_err!("there is no store `{}`", shown_url(address));
            }
            let opened = Library::open_to_read(address).await;
            opened.map(Arc::new).map_err(|error| failed(&error))
        };
        self.library.get_or_try_init(open).await.map(Arc::clone)
    }

    /// Returns the address, for another process to open.
    pub(super) fn address_to_send(&self) -> Result<&str> {
        let address = self.address.as_deref().ok_or_else(|| {
            plan_datafusion_err!(
                "a store that was opened here cannot be sent; name it by its address (`StoreTable::at`)"
            )
        })?;
        if has_secret(address) {
            return Err(plan_datafusion_err!(
                "the address of the store `{}` holds what may be secret, such as a password, and plans would carry it; \
                 leave it out, and give a password to each process in PGPASSWORD or ~/.pgpass",
                shown_url(address)
            ));
        }
        Ok(address)
    }
}

impl fmt::Display for OpenedStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.address {
            Some(address) => write!(formatter, "documents of {}", shown_url(address)),
            None => formatter.write_str("documents of a library that was opened here"),
        }
    }
}

impl fmt::Debug for OpenedStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "OpenedStore({self})")
    }
}

/// Returns whether an address holds more than the name of a user that cannot be shown.
fn has_secret(address: &str) -> bool {
    let without_user = Url::parse(address).ok().and_then(|mut url| {
        let has_user = !url.username().is_empty() && url.password().is_none();
        (has_user && url.set_username("").is_ok()).then(|| url.to_string())
    });
    let address = without_user.unwrap_or_else(|| address.to_owned());
    shown_url(&address) != address
}

/// Turns an error of a library into one of the engine.
pub(super) fn failed(error: &sectile::Error) -> DataFusionError {
    exec_datafusion_err!("{}", sectile::error_chain(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_with_secrets_are_not_sent() {
        for address in ["sqlite:/a b/library.db", "postgres://ada@db.example/docs"] {
            let store = OpenedStore::at(address);
            assert_eq!(store.address_to_send().expect("it is sent"), address);
        }
        for address in [
            "postgres://ada:s3cret@db.example/docs",
            "postgres://ada@db.example/docs?password=s3cret",
            "postgres://:s3cret@db.example/docs",
        ] {
            let store = OpenedStore::at(address);
            let refused = store.address_to_send().expect_err("it is refused");
            let shown = format!("{refused} {refused:?} {store:?} {store}");
            assert!(!shown.contains("s3cret"), "{shown}");
            assert!(shown.contains("PGPASSWORD"), "{shown}");
        }
    }
}
