//! The columns of rows as what they hold.

use sectile_core::{Format, Pages, Span};
use sectile_sqlite::rusqlite::types::FromSql;
use sectile_store::{Error, Result, text_of_chunk};
use uuid::Uuid;

use crate::packed::{unpacked, unpacked_part};
use crate::row::{Column, Row};

/// Writes a count or position as SQLite's only integer, which holds all that memory can.
pub(crate) fn integer(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Reads a column, whose name is part of the statement.
pub(crate) fn column<T: FromSql>(row: &Row<'_>, name: impl Column) -> Result<T> {
    row.get(name)
}

/// Reads a column of text where it lies.
pub(crate) fn text<'r>(row: &'r Row<'_>, name: &str) -> Result<&'r str> {
    let value = row.get_ref(name)?;
    let is_text = |_| Error::corrupt(format!("column `{name}` that holds no text"));
    value.as_str().map_err(is_text)
}

/// Reads the content of a section, packed or not.
pub(crate) fn section_content(row: &Row<'_>) -> Result<String> {
    match packed_content(row)? {
        Some(bytes) => unpacked(bytes),
        None => column(row, "content"),
    }
}

/// Reads the text of a chunk, and counts the ends of lines before it in its section.
pub(crate) fn chunk_text(row: &Row<'_>) -> Result<(String, usize)> {
    let span = Span::new(number(row, "span_start")?, number(row, "span_end")?);
    content_part(row, span)
}

/// Reads the head of the table that a chunk continues.
pub(crate) fn table_head(row: &Row<'_>) -> Result<Option<String>> {
    let head = table_head_span(row)?.map(|span| content_part(row, span));
    Ok(head.transpose()?.map(|(head, _)| head))
}

/// Reads where the head of the table that a chunk continues stands in its section.
pub(crate) fn table_head_span(row: &Row<'_>) -> Result<Option<Span>> {
    let start: Option<i64> = column(row, "head_start")?;
    if start.is_none() {
        return Ok(None);
    }
    let span = Span::new(number(row, "head_start")?, number(row, "head_end")?);
    Ok(Some(span))
}

/// Reads a part of the content of a section, and counts the ends of lines before it.
fn content_part(row: &Row<'_>, span: Span) -> Result<(String, usize)> {
    if let Some(bytes) = packed_content(row)? {
        return unpacked_part(bytes, span);
    }
    let (text, newlines) = text_of_chunk(text(row, "content")?, span)?;
    Ok((text.to_owned(), newlines))
}

fn packed_content<'r>(row: &'r Row<'_>) -> Result<Option<&'r [u8]>> {
    let value = row.get_ref("packed")?;
    value.as_blob_or_null().map_err(Error::corrupt)
}

/// Reads a column that counts something.
pub(crate) fn number(row: &Row<'_>, name: impl Column) -> Result<usize> {
    let number: i64 = column(row, name)?;
    usize::try_from(number).map_err(|_| Error::corrupt(format!("{number} in the column `{name}`")))
}

/// Reads a column that holds JSON.
pub(crate) fn json<T: serde::de::DeserializeOwned>(row: &Row<'_>, name: &str) -> Result<T> {
    serde_json::from_str(text(row, name)?)
        .map_err(|error| Error::corrupt(format!("column `{name}`: {error}")))
}

/// Reads a column that holds a UUID.
pub(crate) fn uid(row: &Row<'_>, name: &str) -> Result<Uuid> {
    column::<[u8; 16]>(row, name).map(Uuid::from_bytes)
}

/// Reads the format of a row's document.
pub(crate) fn format(row: &Row<'_>) -> Result<Format> {
    let name = text(row, "format")?;
    Format::from_name(name).ok_or_else(|| Error::corrupt(format!("the format `{name}`")))
}

/// Reads the pages of a row's section or chunk.
pub(crate) fn pages(row: &Row<'_>) -> Result<Option<Pages>> {
    let first: Option<u32> = column(row, "first_page")?;
    let last: Option<u32> = column(row, "last_page")?;
    Ok(first.zip(last).map(|(first, last)| Pages { first, last }))
}
