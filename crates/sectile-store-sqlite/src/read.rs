//! Reading documents and sections.

use std::ops::Range;

use sectile_core::{ContentHash, DocumentId, Format, Lines, Pages, SectionId};
use sectile_store::{DocumentRecord, Result, Scope, SectionRecord, Status, Totals};
use sqlx::sqlite::{SqlitePool, SqliteRow};
use sqlx::{Row as _, SqliteConnection};
use uuid::Uuid;

use crate::error::{backend, corrupt};
use crate::sql;

/// Writes the URI ranges of a scope as a JSON array of pairs; nothing if every URI is meant.
pub(crate) fn uri_ranges(scope: &Scope) -> Result<Option<String>> {
    let ranges = scope.uri_ranges();
    let json = || serde_json::to_string(ranges).map_err(corrupt);
    (!ranges.is_empty()).then(json).transpose()
}

pub(crate) async fn documents(pool: &SqlitePool, scope: &Scope) -> Result<Vec<DocumentRecord>> {
    let rows = sqlx::query(sql::DOCUMENTS)
        .bind(scope.collection_name())
        .bind(uri_ranges(scope)?)
        .fetch_all(pool)
        .await
        .map_err(backend("list documents"))?;
    rows.iter().map(document).collect()
}

pub(crate) async fn sections(
    pool: &SqlitePool,
    document: DocumentId,
) -> Result<Vec<SectionRecord>> {
    let rows = sqlx::query(sql::SECTIONS)
        .bind(document.0.into_bytes().to_vec())
        .fetch_all(pool)
        .await
        .map_err(backend("list sections"))?;
    rows.iter().map(section).collect()
}

pub(crate) async fn content(
    pool: &SqlitePool,
    document: DocumentId,
    positions: Range<usize>,
) -> Result<Vec<String>> {
    sqlx::query_scalar(sql::CONTENT)
        .bind(document.0.into_bytes().to_vec())
        .bind(integer(positions.start))
        .bind(integer(positions.end))
        .fetch_all(pool)
        .await
        .map_err(backend("read sections"))
}

pub(crate) async fn find_section(
    pool: &SqlitePool,
    section: SectionId,
    scope: &Scope,
) -> Result<Vec<(DocumentRecord, usize)>> {
    let rows = sqlx::query(sql::FIND_SECTION)
        .bind(section.0.into_bytes().to_vec())
        .bind(scope.collection_name())
        .bind(uri_ranges(scope)?)
        .fetch_all(pool)
        .await
        .map_err(backend("find a section"))?;
    rows.iter()
        .map(|row| Ok((document(row)?, number(row, "position")?)))
        .collect()
}

pub(crate) async fn totals(pool: &SqlitePool) -> Result<Totals> {
    let doing = "count documents";
    let mut connection = pool.acquire().await.map_err(backend(doing))?;
    let row = sqlx::query(sql::TOTALS)
        .fetch_one(&mut *connection)
        .await
        .map_err(backend(doing))?;
    Ok(Totals {
        collections: collections(&mut connection).await?,
        documents: number(&row, "documents")?,
        failed: number(&row, "failed")?,
        sections: number(&row, "sections")?,
        chunks: number(&row, "chunks")?,
        tokens: number(&row, "tokens")?,
        bytes: size(&mut connection).await?,
    })
}

async fn collections(
    connection: &mut SqliteConnection,
) -> Result<std::collections::BTreeMap<String, usize>> {
    let rows = sqlx::query(sql::COLLECTIONS)
        .fetch_all(connection)
        .await
        .map_err(backend("count collections"))?;
    rows.iter()
        .map(|row| Ok((column(row, "collection")?, number(row, "documents")?)))
        .collect()
}

async fn size(connection: &mut SqliteConnection) -> Result<u64> {
    let bytes: i64 = sqlx::query_scalar(sql::SIZE)
        .fetch_one(connection)
        .await
        .map_err(backend("read its size"))?;
    Ok(bytes.cast_unsigned())
}

fn document(row: &SqliteRow) -> Result<DocumentRecord> {
    let hash: Vec<u8> = column(row, "content_hash")?;
    let status: String = column(row, "status")?;
    Ok(DocumentRecord {
        id: DocumentId(uid(row, "uid")?),
        collection: column(row, "collection")?,
        uri: column(row, "uri")?,
        format: format(row)?,
        content_hash: ContentHash::from_bytes(
            hash.try_into()
                .map_err(|_| corrupt("a content hash that is not 32 bytes"))?,
        ),
        index_version: column(row, "index_version")?,
        status: Status::from_name(&status)
            .ok_or_else(|| corrupt(format!("the status `{status}`")))?,
        error: column(row, "error")?,
        metadata: json(row, "metadata")?,
        sections: number(row, "section_count")?,
        chunks: number(row, "chunk_count")?,
        tokens: number(row, "token_count")?,
        created_at: column::<i64>(row, "created_at")?.cast_unsigned(),
        updated_at: column::<i64>(row, "updated_at")?.cast_unsigned(),
    })
}

fn section(row: &SqliteRow) -> Result<SectionRecord> {
    let parent: Option<i64> = column(row, "parent")?;
    Ok(SectionRecord {
        id: SectionId(uid(row, "uid")?),
        position: number(row, "position")?,
        parent: parent.map(|parent| parent.cast_unsigned() as usize),
        level: column(row, "level")?,
        heading_path: json(row, "heading_path")?,
        lines: Lines {
            first: number(row, "first_line")?,
            last: number(row, "last_line")?,
        },
        pages: pages(row)?,
        tokens: number(row, "token_count")?,
    })
}

/// Writes a count or position as SQLite's only integer, which holds all that memory can.
pub(crate) fn integer(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Reads a column, whose name is part of the statement.
pub(crate) fn column<'r, T>(row: &'r SqliteRow, name: &str) -> Result<T>
where
    T: sqlx::Decode<'r, sqlx::Sqlite> + sqlx::Type<sqlx::Sqlite>,
{
    row.try_get(name).map_err(backend("read a row"))
}

/// Reads a column that counts something.
pub(crate) fn number(row: &SqliteRow, name: &str) -> Result<usize> {
    let number: i64 = column(row, name)?;
    usize::try_from(number).map_err(|_| corrupt(format!("{number} in the column `{name}`")))
}

/// Reads a column that holds JSON.
pub(crate) fn json<T: serde::de::DeserializeOwned>(row: &SqliteRow, name: &str) -> Result<T> {
    let text: &str = column(row, name)?;
    serde_json::from_str(text).map_err(|error| corrupt(format!("column `{name}`: {error}")))
}

/// Reads a column that holds a UUID.
pub(crate) fn uid(row: &SqliteRow, name: &str) -> Result<Uuid> {
    let bytes: &[u8] = column(row, name)?;
    Uuid::from_slice(bytes).map_err(|error| corrupt(format!("column `{name}`: {error}")))
}

/// Reads the format of a row's document.
pub(crate) fn format(row: &SqliteRow) -> Result<Format> {
    let name: &str = column(row, "format")?;
    Format::from_name(name).ok_or_else(|| corrupt(format!("the format `{name}`")))
}

/// Reads the pages of a row's section or chunk.
pub(crate) fn pages(row: &SqliteRow) -> Result<Option<Pages>> {
    let first: Option<u32> = column(row, "first_page")?;
    let last: Option<u32> = column(row, "last_page")?;
    Ok(first.zip(last).map(|(first, last)| Pages { first, last }))
}
