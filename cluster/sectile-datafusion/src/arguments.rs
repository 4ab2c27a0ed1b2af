//! What functions are given.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, LargeListArray, LargeStringArray, StringArray, StructArray,
};
use datafusion::arrow::buffer::{NullBuffer, OffsetBuffer};
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::common::{Result, ScalarValue, exec_err, plan_datafusion_err, plan_err};
use datafusion::logical_expr::{ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs};
use sectile::core::{Format, Heading, Page};
use sectile_arrow::{document_fields, outline, outline_type, pages};

/// Returns whether a type is one of text, which is made the one of texts of any length.
pub(crate) fn is_text(given: &DataType) -> bool {
    *given == DataType::Null || sectile_arrow::is_text(given)
}

/// Returns the types of `text [, outline] [, literal]` for a function.
pub(crate) fn text_and_more(
    function: &str,
    literal: &str,
    given: &[DataType],
) -> Result<Vec<DataType>> {
    let text = match given.first() {
        Some(DataType::Struct(_)) => DataType::Struct(document_fields()),
        Some(text) if is_text(text) => DataType::LargeUtf8,
        _ => return plan_err!("{function} takes a text, or what sectile_extract gives"),
    };
    let is_list = |given: &DataType| matches!(given, DataType::List(_) | DataType::LargeList(_));
    if matches!(text, DataType::Struct(_)) && given.get(1).is_some_and(is_list) {
        return plan_err!(
            "{function} takes the outline that is in the document; leave out the one behind it, or give the text alone"
        );
    }
    let mut types = vec![text];
    for (at, given) in given.iter().enumerate().skip(1) {
        types.push(match given {
            given if is_list(given) && at == 1 => outline_type(),
            given if is_text(given) && at < 3 && at + 1 == types.len() + 1 => DataType::Utf8,
            _ => return plan_err!("{function} takes a text, its outline and {literal}, and not {given} behind the text"),
        });
    }
    if types.len() == 3 && types[1] == DataType::Utf8 {
        return plan_err!(
            "{function} takes a text, its outline and {literal}: the second of three is the outline"
        );
    }
    Ok(types)
}

/// Returns the text at a place of the arguments that is the same for all rows, when a query is planned.
pub(crate) fn planned<'a>(
    given: &'a ReturnFieldArgs<'_>,
    at: usize,
    what: &str,
) -> Result<&'a str> {
    let literal = given.scalar_arguments.get(at).copied().flatten();
    let text = literal.and_then(|literal| literal.try_as_str().flatten());
    text.ok_or_else(|| plan_datafusion_err!("{what} has to be a literal"))
}

/// Returns the text at a place of the arguments that is the same for all rows, when a query runs. A call from another
/// library, such as Python's, has a column of it.
///
/// # Errors
///
/// Where it is null, or there is no row.
pub(crate) fn literal(given: &ScalarFunctionArgs, at: usize) -> Result<String> {
    let value = match &given.args[at] {
        ColumnarValue::Scalar(value) => value.clone(),
        ColumnarValue::Array(column) => ScalarValue::try_from_array(column, 0)?,
    };
    match value {
        ScalarValue::Utf8(Some(text))
        | ScalarValue::LargeUtf8(Some(text))
        | ScalarValue::Utf8View(Some(text)) => Ok(text),
        _ => exec_err!("argument {} is null", at + 1),
    }
}

/// Texts with their outlines and pages, row by row.
pub(crate) struct Texts {
    text: LargeStringArray,
    outline: Option<ArrayRef>,
    format: Option<StringArray>,
    pages: Option<ArrayRef>,
    /// Where a document could not be loaded.
    nulls: Option<NullBuffer>,
}

/// A text of a row.
pub(crate) struct Text<'a> {
    pub(crate) content: &'a str,
    pub(crate) outline: Option<Vec<Heading>>,
    pub(crate) format: Option<Format>,
    /// Where its document has pages.
    pub(crate) pages: Vec<Page>,
}

impl Texts {
    /// Takes the first argument, and an outline where there is one behind it.
    pub(crate) fn new(given: &ScalarFunctionArgs) -> Result<Self> {
        let first = given.args[0].to_array(given.number_rows)?;
        if let Some(document) = first.as_any().downcast_ref::<StructArray>() {
            return Ok(Self {
                text: document.column(0).as_string::<i64>().clone(),
                format: Some(document.column(1).as_string::<i32>().clone()),
                outline: Some(Arc::clone(document.column(2))),
                pages: Some(Arc::clone(document.column(3))),
                nulls: document.nulls().cloned(),
            });
        }
        let second = given
            .args
            .get(1)
            .filter(|second| matches!(second.data_type(), DataType::List(_)));
        let outline = second.map(|second| second.to_array(given.number_rows));
        Ok(Self {
            text: first.as_string::<i64>().clone(),
            outline: outline.transpose()?,
            format: None,
            pages: None,
            nulls: None,
        })
    }

    /// Returns the text of a row, unless there is none.
    pub(crate) fn get(&self, row: usize) -> Result<Option<Text<'_>>> {
        let is_null = self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
        if is_null || self.text.is_null(row) {
            return Ok(None);
        }
        let outline = list_at(self.outline.as_ref(), row).map(|headings| outline(&headings));
        let pages = list_at(self.pages.as_ref(), row).map(|given| pages(&given));
        let format = self.format.as_ref().filter(|format| format.is_valid(row));
        Ok(Some(Text {
            content: self.text.value(row),
            outline: outline.transpose().or_else(|error| exec_err!("{error}"))?,
            format: format.and_then(|format| Format::from_name(format.value(row))),
            pages: pages
                .transpose()
                .or_else(|error| exec_err!("{error}"))?
                .unwrap_or_default(),
        }))
    }
}

/// Returns the list of a row, unless there is none.
fn list_at(lists: Option<&ArrayRef>, row: usize) -> Option<ArrayRef> {
    let lists = lists.filter(|lists| lists.is_valid(row))?;
    Some(lists.as_list::<i32>().value(row))
}

/// Makes the lists of rows out of all their values, one row after the other; a row without a length is null.
pub(crate) fn lists(values: StructArray, lengths: &[Option<usize>]) -> ArrayRef {
    let field = Arc::new(Field::new_list_field(values.data_type().clone(), true));
    let nulls: NullBuffer = lengths.iter().map(Option::is_some).collect();
    let offsets =
        OffsetBuffer::from_lengths(lengths.iter().map(|length| length.unwrap_or_default()));
    Arc::new(LargeListArray::new(
        field,
        offsets,
        Arc::new(values),
        Some(nulls),
    ))
}

/// Returns the type of [`lists`].
pub(crate) fn list_type(fields: datafusion::arrow::datatypes::Fields) -> DataType {
    DataType::LargeList(Arc::new(Field::new_list_field(
        DataType::Struct(fields),
        true,
    )))
}
