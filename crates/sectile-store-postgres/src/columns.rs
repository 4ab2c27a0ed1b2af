//! The columns of rows as what they hold.

use sectile_core::{ContentHash, Format, Pages, Span};
use sectile_store::index::Chunk;
use sectile_store::{Error, Result, text_of_chunk};
use sqlx::Row as _;
use sqlx::postgres::{PgRow, Postgres};

use crate::error::undecodable;

/// Writes a count or position as the engine holds it.
pub(crate) fn integer(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Reads a column, whose name is part of the statement.
pub(crate) fn column<'r, T>(row: &'r PgRow, name: &str) -> Result<T>
where
    T: sqlx::Decode<'r, Postgres> + sqlx::Type<Postgres>,
{
    row.try_get(name).map_err(undecodable(name))
}

/// Reads the level of a section.
pub(crate) fn level(row: &PgRow) -> Result<u8> {
    let level: i16 = column(row, "level")?;
    u8::try_from(level).map_err(|_| Error::corrupt(format!("the level {level}")))
}

/// Reads the text of a chunk, and counts the ends of lines before it in its section.
pub(crate) fn chunk_text(row: &PgRow) -> Result<(&str, usize)> {
    let span = Span::new(number(row, "span_start")?, number(row, "span_end")?);
    text_of_chunk(column(row, "content")?, span)
}

/// Reads the head of the table that a chunk continues.
pub(crate) fn table_head(row: &PgRow) -> Result<Option<String>> {
    let Some(span) = table_head_span(row)? else {
        return Ok(None);
    };
    let (head, _) = text_of_chunk(column(row, "content")?, span)?;
    Ok(Some(head.to_owned()))
}

/// Reads where the head of the table that a chunk continues stands in its section.
pub(crate) fn table_head_span(row: &PgRow) -> Result<Option<Span>> {
    let start: Option<i64> = column(row, "head_start")?;
    if start.is_none() {
        return Ok(None);
    }
    let span = Span::new(number(row, "head_start")?, number(row, "head_end")?);
    Ok(Some(span))
}

/// Reads a column that counts something.
pub(crate) fn number(row: &PgRow, name: &str) -> Result<usize> {
    let number: i64 = column(row, name)?;
    usize::try_from(number).map_err(|_| Error::corrupt(format!("{number} in the column `{name}`")))
}

/// Reads a column that holds JSON.
pub(crate) fn json<T: serde::de::DeserializeOwned>(row: &PgRow, name: &str) -> Result<T> {
    let text: &str = column(row, name)?;
    serde_json::from_str(text).map_err(|error| Error::corrupt(format!("column `{name}`: {error}")))
}

/// Reads a column that holds a hash.
pub(crate) fn hash(row: &PgRow, name: &str) -> Result<ContentHash> {
    let bytes: Vec<u8> = column(row, name)?;
    let bytes = bytes.try_into();
    let bytes = bytes.map_err(|_| Error::corrupt(format!("a `{name}` that is not 32 bytes")))?;
    Ok(ContentHash::from_bytes(bytes))
}

/// Reads the format of a row's document.
pub(crate) fn format(row: &PgRow) -> Result<Format> {
    let name: &str = column(row, "format")?;
    Format::from_name(name).ok_or_else(|| Error::corrupt(format!("the format `{name}`")))
}

/// Reads the pages of a row's section or chunk.
pub(crate) fn pages(row: &PgRow) -> Result<Option<Pages>> {
    let page = |name| -> Result<Option<u32>> {
        let page: Option<i64> = column(row, name)?;
        page.map(|page| u32::try_from(page).map_err(|_| Error::corrupt(format!("the page {page}"))))
            .transpose()
    };
    let (first, last) = (page("first_page")?, page("last_page")?);
    Ok(first.zip(last).map(|(first, last)| Pages { first, last }))
}

/// Reads the columns that name a chunk.
pub(crate) fn chunk(row: &PgRow) -> Result<Chunk> {
    Ok(Chunk {
        collection: column(row, "collection")?,
        document: number(row, "document")? as u64,
        chunk: number(row, "chunk")? as u64,
    })
}
