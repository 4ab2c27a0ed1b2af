//! The columns of a struct, by name and type.

use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{Array, ArrayRef, PrimitiveArray, StructArray};

use crate::Error;

/// A column with its name, of which it is said which row is null.
pub(crate) struct Column<'a, T> {
    name: &'static str,
    pub(crate) values: &'a T,
}

impl<'a, T: Array + 'static> Column<'a, T> {
    /// Finds a column; `expected` is the name of its type.
    pub(crate) fn of(
        array: &'a StructArray,
        name: &'static str,
        expected: &'static str,
    ) -> Result<Self, Error> {
        let column = array.column_by_name(name).ok_or_else(|| Error::Column {
            column: name,
            expected,
            found: "missing".into(),
        })?;
        Self::from(column, name, expected)
    }

    pub(crate) fn from(
        column: &'a ArrayRef,
        name: &'static str,
        expected: &'static str,
    ) -> Result<Self, Error> {
        let values = column.as_any().downcast_ref();
        let values = values.ok_or_else(|| Error::Column {
            column: name,
            expected,
            found: column.data_type().to_string(),
        })?;
        Ok(Self { name, values })
    }

    /// Returns the column at a row where it may not be null.
    pub(crate) fn given(&self, row: usize) -> Result<&'a T, Error> {
        if self.values.is_valid(row) {
            Ok(self.values)
        } else {
            Err(Error::Null {
                column: self.name,
                row,
            })
        }
    }

    /// Returns the column at a row, unless it is null there.
    pub(crate) fn known(&self, row: usize) -> Option<&'a T> {
        self.values.is_valid(row).then_some(self.values)
    }
}

impl<T: ArrowPrimitiveType> Column<'_, PrimitiveArray<T>>
where
    usize: TryFrom<T::Native>,
{
    /// Returns a number that may not be null.
    pub(crate) fn number(&self, row: usize) -> Result<usize, Error> {
        let value = self.given(row)?.value(row);
        Ok(usize::try_from(value).unwrap_or(usize::MAX))
    }
}
