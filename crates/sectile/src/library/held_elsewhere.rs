//! Paths that another collection has.

use std::fmt;
use std::path::PathBuf;

use super::{DEFAULT_COLLECTION, Library};
use crate::{Error, Result};

/// A path that a collection other than the default one has. An ingest into the default collection
/// adds its documents a second time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldElsewhere {
    /// The path, as it was given.
    pub path: PathBuf,
    /// The collection that has it.
    pub collection: String,
}

impl fmt::Display for HeldElsewhere {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, collection } = self;
        write!(
            formatter,
            "the collection `{collection}` already has `{}`, and this adds it to `{DEFAULT_COLLECTION}`",
            path.display()
        )
    }
}

impl Library {
    /// Returns those of `paths` that another collection has, but not the default one. A path that
    /// does not exist is left out.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn held_elsewhere(&self, paths: &[PathBuf]) -> Result<Vec<HeldElsewhere>> {
        let mut held = Vec::new();
        for path in paths {
            let collection = match self.collection_of(std::slice::from_ref(path)).await {
                // The ingest says that it is gone.
                Err(Error::Path { .. }) => continue,
                collection => collection?,
            };
            if collection != DEFAULT_COLLECTION {
                let path = path.clone();
                held.push(HeldElsewhere { path, collection });
            }
        }
        Ok(held)
    }
}
