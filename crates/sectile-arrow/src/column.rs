//! The columns of a struct, by name and type.

use arrow_array::cast::AsArray as _;
use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{AnyDictionaryArray, Array, ArrayRef, ListArray, PrimitiveArray, StructArray};
use arrow_schema::DataType;

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

/// Returns the texts of a list that may not be null.
pub(crate) fn texts(lists: &Column<'_, ListArray>, row: usize) -> Result<Vec<String>, Error> {
    let values = lists.given(row)?.value(row);
    let texts = TextColumn::from(&values, lists.name).ok_or_else(|| Error::Column {
        column: lists.name,
        expected: "List<LargeUtf8>",
        found: values.data_type().to_string(),
    })?;
    (0..values.len())
        .map(|at| Ok(texts.given(at)?.to_owned()))
        .collect()
}

/// Returns whether a type is one of text: `Utf8`, `LargeUtf8`, `Utf8View`, or a dictionary of one
/// of them. Whatever reads a text takes any of these.
pub fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => is_plain_text(values),
        other => is_plain_text(other),
    }
}

fn is_plain_text(data_type: &DataType) -> bool {
    matches!(
        data_type,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View
    )
}

/// A column of text of any type of [`is_text`].
pub(crate) struct TextColumn<'a> {
    name: &'static str,
    column: &'a ArrayRef,
    /// Which value of a dictionary each row has.
    keys: Option<Vec<usize>>,
}

impl<'a> TextColumn<'a> {
    /// Finds a column of text.
    pub(crate) fn of(array: &'a StructArray, name: &'static str) -> Result<Self, Error> {
        let refused = |found| Error::Column {
            column: name,
            expected: "Utf8",
            found,
        };
        let column = array.column_by_name(name);
        let column = column.ok_or_else(|| refused("missing".into()))?;
        Self::from(column, name).ok_or_else(|| refused(column.data_type().to_string()))
    }

    /// Takes a column, unless it holds something else than text.
    pub(crate) fn from(column: &'a ArrayRef, name: &'static str) -> Option<Self> {
        let keys = column
            .as_any_dictionary_opt()
            .filter(|dictionary| !dictionary.values().is_empty())
            .map(AnyDictionaryArray::normalized_keys);
        is_text(column.data_type()).then_some(Self { name, column, keys })
    }

    /// Returns the text of a row where it may not be null.
    pub(crate) fn given(&self, row: usize) -> Result<&'a str, Error> {
        let column = self.name;
        self.known(row).ok_or(Error::Null { column, row })
    }

    /// Returns the text of a row, unless it is null there.
    pub(crate) fn known(&self, row: usize) -> Option<&'a str> {
        if self.column.is_null(row) {
            return None;
        }
        match (&self.keys, self.column.as_any_dictionary_opt()) {
            (Some(keys), Some(dictionary)) => plain_text(dictionary.values(), keys[row]),
            _ => plain_text(self.column, row),
        }
    }
}

fn plain_text(array: &ArrayRef, row: usize) -> Option<&str> {
    if array.is_null(row) {
        return None;
    }
    match array.data_type() {
        DataType::Utf8 => Some(array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => Some(array.as_string::<i64>().value(row)),
        DataType::Utf8View => Some(array.as_string_view().value(row)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::types::Int32Type;
    use arrow_array::{
        DictionaryArray, Int32Array, LargeStringArray, StringArray, StringViewArray,
    };

    use super::*;

    #[test]
    fn texts_of_every_type_are_read() {
        let texts = vec![Some("a"), None, Some("b")];
        let dictionary: DictionaryArray<Int32Type> = texts.iter().copied().collect();
        let arrays: [ArrayRef; 4] = [
            Arc::new(StringArray::from(texts.clone())),
            Arc::new(LargeStringArray::from(texts.clone())),
            Arc::new(StringViewArray::from(texts.clone())),
            Arc::new(dictionary),
        ];
        for array in arrays {
            let column = TextColumn::from(&array, "text").unwrap();
            let found: Vec<_> = (0..3).map(|row| column.known(row)).collect();
            assert_eq!(found, texts, "{}", array.data_type());
            assert!(column.given(1).is_err());
        }
        let numbers: ArrayRef = Arc::new(Int32Array::from(vec![1]));
        assert!(TextColumn::from(&numbers, "text").is_none());
    }
}
