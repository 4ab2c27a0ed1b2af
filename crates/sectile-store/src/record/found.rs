//! Documents of a store that may be damaged.

use super::DocumentRecord;
use crate::{Error, Result};

/// A document of a store that may be damaged. Unreadable parts are empty, except that damaged bytes
/// of the URI are replaced.
#[derive(Debug)]
pub struct FoundDocument {
    /// The document.
    pub record: DocumentRecord,
    /// The parts of it that cannot be read.
    pub faults: Faults,
}

impl FoundDocument {
    /// Returns the document if all of it can be read.
    ///
    /// # Errors
    ///
    /// The first reason why a part cannot be read, with the document.
    pub fn whole(self) -> Result<DocumentRecord> {
        let uri = &self.record.uri;
        match self.faults.0.into_iter().next() {
            Some((_, Error::Corrupt { what })) => {
                Err(Error::corrupt(format!("{what}, of the document `{uri}`")))
            }
            Some((_, error)) => Err(error),
            None => Ok(self.record),
        }
    }
}

/// The columns of a row that cannot be read, each with the reason.
#[derive(Debug, Default)]
pub struct Faults(Vec<(&'static str, Error)>);

impl Faults {
    /// Returns the value of a column. If it cannot be read, notes the reason and returns an empty value.
    pub fn or_empty<T: Default>(&mut self, column: &'static str, read: Result<T>) -> T {
        read.unwrap_or_else(|error| {
            self.0.push((column, error));
            T::default()
        })
    }

    /// Returns the first reason.
    pub fn first(&self) -> Option<&Error> {
        self.0.first().map(|(_, error)| error)
    }

    /// Returns whether a column cannot be read.
    pub fn has(&self, column: &str) -> bool {
        self.0.iter().any(|(name, _)| *name == column)
    }
}
