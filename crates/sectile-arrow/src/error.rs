//! What is wrong with an array.

/// An array that does not hold what it is read as.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A column is missing, or of another type.
    #[error("column `{column}` must be of type {expected}, and is {found}")]
    Column {
        /// The name of the column.
        column: &'static str,
        /// The type that it must have.
        expected: &'static str,
        /// The type that it has, or `missing`.
        found: String,
    },
    /// A column is missing from a file.
    #[error("column `{column}` is missing")]
    Missing {
        /// The name of the column.
        column: &'static str,
    },
    /// A value that may not be null is.
    #[error("row {row} of column `{column}` is null, which it may not be")]
    Null {
        /// The name of the column.
        column: &'static str,
        /// The number of the row, from 0.
        row: usize,
    },
    /// A value is not what its column holds.
    #[error("row {row} of column `{column}` cannot be read: {reason}")]
    Value {
        /// The name of the column.
        column: &'static str,
        /// The number of the row, from 0.
        row: usize,
        /// The value, or what is wrong with it.
        reason: String,
    },
}

impl Error {
    pub(crate) fn value(column: &'static str, row: usize, reason: &dyn std::fmt::Display) -> Self {
        Self::Value {
            column,
            row,
            reason: reason.to_string(),
        }
    }
}
