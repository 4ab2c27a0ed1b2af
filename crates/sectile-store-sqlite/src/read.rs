//! Reading documents and sections.

use std::collections::BTreeMap;
use std::ops::Range;

use sectile_core::{ContentHash, DocumentId, Format, Lines, Pages, SectionId, Span};
use sectile_migrations::{STORE_SQLITE, Tables, sqlite};
use sectile_sqlite::rusqlite::types::FromSql;
use sectile_sqlite::rusqlite::{Connection, MAIN_DB, ToSql, params};
use sectile_sqlite::statement;
use sectile_store::{
    DocumentRecord, Error, Health, Note, Result, Scope, SectionRecord, Status, Totals,
    VectorCoverage, text_of_chunk,
};
use uuid::Uuid;

use crate::error::backend;
use crate::packed::{unpacked, unpacked_part};
use crate::row::{Column, ColumnNames, Row};
use crate::{sql, vectors};

/// Writes the URI ranges of a scope as a JSON array of pairs; nothing if every URI is meant.
pub(crate) fn uri_ranges(scope: &Scope) -> Result<Option<String>> {
    let ranges = scope.uri_ranges();
    let json = || serde_json::to_string(ranges).map_err(Error::corrupt);
    (!ranges.is_empty()).then(json).transpose()
}

/// Runs a statement and reads each of its rows.
pub(crate) fn all<T>(
    connection: &Connection,
    doing: &'static str,
    sql: &'static str,
    values: &[&dyn ToSql],
    mut read: impl FnMut(&Row<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let mut statement = statement(connection, sql, values).map_err(backend(doing))?;
    let names = ColumnNames::of(&statement);
    let mut rows = statement.raw_query();
    let mut found = Vec::new();
    while let Some(row) = rows.next().map_err(backend(doing))? {
        found.push(read(&Row::new(row, &names))?);
    }
    Ok(found)
}

/// Runs a statement and reads its only row.
pub(crate) fn one<T>(
    connection: &Connection,
    doing: &'static str,
    sql: &'static str,
    values: &[&dyn ToSql],
    read: impl FnMut(&Row<'_>) -> Result<T>,
) -> Result<T> {
    let rows = all(connection, doing, sql, values, read)?;
    let row = rows.into_iter().next();
    row.ok_or_else(|| Error::corrupt("a statement that returns no row"))
}

pub(crate) fn documents(connection: &Connection, scope: &Scope) -> Result<Vec<DocumentRecord>> {
    let values = params![scope.collection_name(), uri_ranges(scope)?];
    let doing = "list documents";
    let mut documents = all(connection, doing, sql::DOCUMENTS, values, document)?;
    documents.retain(|document| scope.has_document(&document.uri, &document.metadata));
    Ok(documents)
}

pub(crate) fn sections_in(
    connection: &Connection,
    scope: &Scope,
) -> Result<Vec<(DocumentRecord, SectionRecord)>> {
    let mut found = Vec::new();
    for document in documents(connection, scope)? {
        let mut sections = sections(connection, document.id)?;
        sections.retain(|section| scope.has_section(section.level, &section.heading_path));
        found.extend(
            sections
                .into_iter()
                .map(|section| (document.clone(), section)),
        );
    }
    Ok(found)
}

pub(crate) fn sections(
    connection: &Connection,
    document: DocumentId,
) -> Result<Vec<SectionRecord>> {
    let values = params![document.0.as_bytes()];
    all(connection, "list sections", sql::SECTIONS, values, section)
}

pub(crate) fn content(
    connection: &Connection,
    document: DocumentId,
    positions: Range<usize>,
) -> Result<Vec<String>> {
    let (start, end) = (integer(positions.start), integer(positions.end));
    let values = params![document.0.as_bytes(), start, end];
    all(
        connection,
        "read sections",
        sql::CONTENT,
        values,
        section_content,
    )
}

pub(crate) fn find_section(
    connection: &Connection,
    section: SectionId,
    scope: &Scope,
) -> Result<Vec<(DocumentRecord, usize)>> {
    let ranges = uri_ranges(scope)?;
    let values = params![section.0.as_bytes(), scope.collection_name(), ranges];
    let place = |row: &Row<'_>| Ok((document(row)?, number(row, "position")?));
    let doing = "find a section";
    let mut found = all(connection, doing, sql::FIND_SECTION, values, place)?;
    found.retain(|(document, _)| scope.has_document(&document.uri, &document.metadata));
    Ok(found)
}

pub(crate) fn outdated(connection: &Connection, index_version: &str) -> Result<usize> {
    let (doing, values) = ("count documents", params![index_version]);
    let outdated = |row: &Row<'_>| number(row, "outdated");
    one(connection, doing, sql::OUTDATED, values, outdated)
}

pub(crate) fn lacking_vectors(
    connection: &Connection,
    collection: Option<&str>,
) -> Result<BTreeMap<String, VectorCoverage>> {
    let (doing, values) = ("count vectors", params![collection]);
    let lacking = |row: &Row<'_>| {
        let coverage = VectorCoverage {
            chunks: number(row, "chunks")?,
            vectors: number(row, "vectors")?,
        };
        Ok((column(row, "collection")?, coverage))
    };
    let lacking = all(connection, doing, sql::LACKING_VECTORS, values, lacking)?;
    Ok(lacking.into_iter().collect())
}

pub(crate) fn notes(connection: &Connection) -> Result<Vec<Note>> {
    all(connection, "read notes", sql::NOTES, &[], |row| {
        Ok(Note {
            collection: column(row, "collection")?,
            prefix: column(row, "prefix")?,
            text: column(row, "note")?,
        })
    })
}

pub(crate) fn totals(connection: &Connection) -> Result<Totals> {
    let doing = "count documents";
    let totals = one(connection, doing, sql::TOTALS, &[], |row| {
        Ok(Totals {
            documents: number(row, "documents")?,
            failed: number(row, "failed")?,
            sections: number(row, "sections")?,
            chunks: number(row, "chunks")?,
            vectors: number(row, "vectors")?,
            tokens: number(row, "tokens")?,
            ..Totals::default()
        })
    })?;
    let collection = |row: &Row<'_>| Ok((column(row, "collection")?, number(row, "documents")?));
    let collections = all(connection, doing, sql::COLLECTIONS, &[], collection)?;
    Ok(Totals {
        models: vectors::models(connection)?,
        vector_bytes: vectors::bytes(connection)?,
        collections: collections.into_iter().collect(),
        bytes: one(connection, doing, sql::SIZE, &[], |row| {
            number(row, "bytes")
        })? as u64,
        ..totals
    })
}

pub(crate) fn health(connection: &Connection) -> Result<Health> {
    let doing = "look for damage";
    let version: String = one(connection, doing, sql::ENGINE, &[], |row| {
        column(row, "version")
    })?;
    let mut damage: Vec<String> = all(connection, doing, sql::CHECK, &[], |row| {
        column(row, "quick_check")
    })?;
    damage.retain(|found| found != "ok");
    let schema = sqlite::version(connection, &STORE_SQLITE, &Tables::default());
    Ok(Health {
        engine: format!("SQLite {version}"),
        extension: None,
        schema: schema.map_err(backend(doing))?,
        is_read_only: connection.is_readonly(MAIN_DB).map_err(backend(doing))?,
        damage,
    })
}

fn document(row: &Row<'_>) -> Result<DocumentRecord> {
    let status = text(row, "status")?;
    Ok(DocumentRecord {
        id: DocumentId(uid(row, "uid")?),
        collection: column(row, "collection")?,
        uri: column(row, "uri")?,
        format: format(row)?,
        content_hash: ContentHash::from_bytes(column(row, "content_hash")?),
        index_version: column(row, "index_version")?,
        language: column(row, "language")?,
        status: Status::from_name(status)
            .ok_or_else(|| Error::corrupt(format!("the status `{status}`")))?,
        error: column(row, "error")?,
        metadata: json(row, "metadata")?,
        sections: number(row, "section_count")?,
        chunks: number(row, "chunk_count")?,
        vectors: number(row, "vector_count")?,
        tokens: number(row, "token_count")?,
        created_at: column::<i64>(row, "created_at")?.cast_unsigned(),
        updated_at: column::<i64>(row, "updated_at")?.cast_unsigned(),
    })
}

fn section(row: &Row<'_>) -> Result<SectionRecord> {
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
        summary: column(row, "summary")?,
        content_hash: ContentHash::from_bytes(column(row, "index_hash")?),
    })
}

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
fn section_content(row: &Row<'_>) -> Result<String> {
    match packed_content(row)? {
        Some(bytes) => unpacked(bytes),
        None => column(row, "content"),
    }
}

/// Reads the text of a chunk, and counts the ends of lines before it in its section.
pub(crate) fn chunk_text(row: &Row<'_>) -> Result<(String, usize)> {
    let span = Span::new(number(row, "span_start")?, number(row, "span_end")?);
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
