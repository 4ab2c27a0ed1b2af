//! Reading documents and sections.

use std::collections::BTreeMap;
use std::ops::Range;

use sectile_core::{ContentHash, DocumentId, Lines, SectionId, Span};
use sectile_migrations::{STORE_POSTGRES, Tables, postgres};
use sectile_store::{
    ChunkRecord, DocumentRecord, Error, Faults, FoundDocument, Health, Note, Result, Scope,
    SectionRecord, Status, Totals, VectorCoverage, current_checksum,
};
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row as _};

use crate::columns::{
    chunk, column, format, hash, integer, json, level, number, pages, table_head_span,
};
use crate::error::{backend, migration};
use crate::sql::{self, query};
use crate::vectors;

/// The ends of the ranges of URIs of a scope; nothing if every URI is meant.
pub(crate) fn uri_ranges(scope: &Scope) -> Option<(Vec<&str>, Vec<&str>)> {
    let ranges = scope.uri_ranges().iter();
    let ranges: (Vec<_>, Vec<_>) = ranges
        .map(|(first, last)| (first.as_str(), last.as_str()))
        .unzip();
    (!ranges.0.is_empty()).then_some(ranges)
}

pub(crate) async fn documents(
    connection: &mut PgConnection,
    tables: &Tables,
    scope: &Scope,
) -> Result<Vec<DocumentRecord>> {
    let (first, last) = uri_ranges(scope).unzip();
    let rows = query(tables, sql::DOCUMENTS)
        .bind(scope.collection_name())
        .bind(first)
        .bind(last)
        .fetch_all(connection)
        .await
        .map_err(backend("list documents"))?;
    let mut documents: Vec<_> = rows.iter().map(document).collect::<Result<_>>()?;
    documents.retain(|document| scope.has_record(document));
    Ok(documents)
}

pub(crate) async fn found_documents(
    connection: &mut PgConnection,
    tables: &Tables,
) -> Result<Vec<FoundDocument>> {
    let every: Option<&str> = None;
    let none: Option<Vec<&str>> = None;
    let rows = query(tables, sql::DOCUMENTS)
        .bind(every)
        .bind(none.clone())
        .bind(none)
        .fetch_all(connection)
        .await
        .map_err(backend("list documents"))?;
    Ok(rows.iter().map(found_document).collect())
}

pub(crate) async fn found_by_id(
    connection: &mut PgConnection,
    tables: &Tables,
    document: DocumentId,
) -> Result<Option<FoundDocument>> {
    let row = query(tables, sql::DOCUMENT)
        .bind(document.0)
        .fetch_optional(connection)
        .await
        .map_err(backend("find a document"))?;
    Ok(row.as_ref().map(found_document))
}

pub(crate) async fn sections_in(
    connection: &mut PgConnection,
    tables: &Tables,
    scope: &Scope,
) -> Result<Vec<(DocumentRecord, SectionRecord)>> {
    let mut found = Vec::new();
    for document in documents(connection, tables, scope).await? {
        let mut sections = sections(connection, tables, document.id).await?;
        sections.retain(|section| scope.has_section(section.level, &section.heading_path));
        found.extend(
            sections
                .into_iter()
                .map(|section| (document.clone(), section)),
        );
    }
    Ok(found)
}

pub(crate) async fn sections(
    connection: &mut PgConnection,
    tables: &Tables,
    document: DocumentId,
) -> Result<Vec<SectionRecord>> {
    let rows = query(tables, sql::SECTIONS)
        .bind(document.0)
        .fetch_all(connection)
        .await
        .map_err(backend("list sections"))?;
    rows.iter().map(section).collect()
}

pub(crate) async fn content(
    connection: &mut PgConnection,
    tables: &Tables,
    document: DocumentId,
    positions: Range<usize>,
) -> Result<Vec<String>> {
    let rows = query(tables, sql::CONTENT)
        .bind(document.0)
        .bind(integer(positions.start))
        .bind(integer(positions.end))
        .fetch_all(connection)
        .await
        .map_err(backend("read sections"))?;
    rows.iter().map(|row| column(row, "content")).collect()
}

pub(crate) async fn find_section(
    connection: &mut PgConnection,
    tables: &Tables,
    section: SectionId,
    scope: &Scope,
) -> Result<Vec<(DocumentRecord, usize)>> {
    let (first, last) = uri_ranges(scope).unzip();
    let rows = query(tables, sql::FIND_SECTION)
        .bind(section.0)
        .bind(scope.collection_name())
        .bind(first)
        .bind(last)
        .fetch_all(connection)
        .await
        .map_err(backend("find a section"))?;
    let place = |row| Ok((document(row)?, number(row, "position")?));
    let mut found: Vec<_> = rows.iter().map(place).collect::<Result<_>>()?;
    found.retain(|(document, _)| scope.has_record(document));
    Ok(found)
}

pub(crate) async fn chunks(
    connection: &mut PgConnection,
    tables: &Tables,
    document: DocumentId,
) -> Result<Vec<ChunkRecord>> {
    let listed = query(tables, sql::CHUNKS).bind(document.0);
    let rows = listed.fetch_all(connection).await;
    let rows = rows.map_err(backend("list chunks"))?;
    let record = |row| {
        Ok(ChunkRecord {
            chunk: chunk(row)?,
            section: number(row, "position")?,
            span: Span::new(number(row, "span_start")?, number(row, "span_end")?),
            table_head: table_head_span(row)?,
        })
    };
    rows.iter().map(record).collect()
}

pub(crate) async fn outdated(
    connection: &mut PgConnection,
    tables: &Tables,
    index_version: &str,
) -> Result<usize> {
    let counted = query(tables, sql::OUTDATED).bind(index_version);
    let row = counted.fetch_one(&mut *connection).await;
    number(&row.map_err(backend("count documents"))?, "outdated")
}

pub(crate) async fn in_other_language(
    connection: &mut PgConnection,
    tables: &Tables,
    collection: &str,
    language: &str,
    index_version: &str,
) -> Result<usize> {
    let counted = query(tables, sql::IN_OTHER_LANGUAGE)
        .bind(collection)
        .bind(language)
        .bind(index_version);
    let row = counted.fetch_one(&mut *connection).await;
    number(&row.map_err(backend("count documents"))?, "others")
}

pub(crate) async fn lacking_vectors(
    connection: &mut PgConnection,
    tables: &Tables,
    collection: Option<&str>,
) -> Result<BTreeMap<String, VectorCoverage>> {
    let counted = query(tables, sql::LACKING_VECTORS).bind(collection);
    let rows = counted.fetch_all(&mut *connection).await;
    let lacking = |row: &PgRow| {
        let coverage = VectorCoverage {
            chunks: number(row, "chunks")?,
            vectors: number(row, "vectors")?,
        };
        Ok((column(row, "collection")?, coverage))
    };
    rows.map_err(backend("count vectors"))?
        .iter()
        .map(lacking)
        .collect()
}

pub(crate) async fn notes(connection: &mut PgConnection, tables: &Tables) -> Result<Vec<Note>> {
    let rows = query(tables, sql::NOTES).fetch_all(connection).await;
    let note = |row: &PgRow| {
        Ok(Note {
            collection: column(row, "collection")?,
            prefix: column(row, "prefix")?,
            text: column(row, "note")?,
        })
    };
    rows.map_err(backend("read notes"))?
        .iter()
        .map(note)
        .collect()
}

pub(crate) async fn collections(
    connection: &mut PgConnection,
    tables: &Tables,
) -> Result<Vec<String>> {
    let names = query(tables, sql::COLLECTION_NAMES);
    let names = names.fetch_all(&mut *connection).await;
    let names = names.map_err(backend("read the collections"))?;
    names.iter().map(|row| column(row, "collection")).collect()
}

pub(crate) async fn totals(connection: &mut PgConnection, tables: &Tables) -> Result<Totals> {
    let doing = "count documents";
    let row = query(tables, sql::TOTALS).fetch_one(&mut *connection).await;
    let row = row.map_err(backend(doing))?;
    let collections = query(tables, sql::COLLECTIONS);
    let collections = collections.fetch_all(&mut *connection).await;
    let collections = collections.map_err(backend(doing))?;
    let collection = |row| Ok((column(row, "collection")?, number(row, "documents")?));
    Ok(Totals {
        collections: collections.iter().map(collection).collect::<Result<_>>()?,
        documents: number(&row, "documents")?,
        failed: number(&row, "failed")?,
        sections: number(&row, "sections")?,
        chunks: number(&row, "chunks")?,
        vectors: number(&row, "vectors")?,
        vector_bytes: number(&row, "vector_bytes")? as u64,
        models: vectors::models(connection, tables).await?,
        tokens: number(&row, "tokens")?,
        bytes: number(&row, "bytes")? as u64,
    })
}

pub(crate) async fn health(connection: &mut PgConnection, tables: &Tables) -> Result<Health> {
    let doing = "ask the server what it is";
    let row = query(tables, sql::ENGINE).fetch_one(&mut *connection).await;
    let row = row.map_err(backend(doing))?;
    let version: String = column(&row, "version")?;
    let pgvector: Option<String> = column(&row, "pgvector")?;
    let schema = postgres::version(connection, &STORE_POSTGRES, tables).await;
    Ok(Health {
        engine: format!("PostgreSQL {version}"),
        extension: pgvector.map(|version| format!("pgvector {version}")),
        schema: schema.map_err(migration)?,
        is_read_only: column(&row, "is_read_only")?,
        damage: Vec::new(),
    })
}

fn document(row: &PgRow) -> Result<DocumentRecord> {
    found_document(row).whole()
}

fn found_document(row: &PgRow) -> FoundDocument {
    let mut faults = Faults::default();
    let content_hash = hash(row, "content_hash").map(Some);
    let record = DocumentRecord {
        id: DocumentId(faults.or_empty("uid", column(row, "uid"))),
        collection: faults.or_empty("collection", column(row, "collection")),
        uri: faults
            .or_empty("uri", column(row, "uri").map(Some))
            .unwrap_or_else(|| legible(row, "uri")),
        format: faults.or_empty("format", format(row)),
        content_hash: faults
            .or_empty("content_hash", content_hash)
            .unwrap_or(ContentHash::from_bytes([0; 32])),
        index_version: faults.or_empty("index_version", column(row, "index_version")),
        language: faults.or_empty("language", column(row, "language")),
        status: faults
            .or_empty("status", status(row).map(Some))
            .unwrap_or(Status::Failed),
        error: faults.or_empty("error", column(row, "error")),
        metadata: faults.or_empty("metadata", json(row, "metadata")),
        sections: faults.or_empty("section_count", number(row, "section_count")),
        chunks: faults.or_empty("chunk_count", number(row, "chunk_count")),
        vectors: faults.or_empty("vector_count", number(row, "vector_count")),
        tokens: faults.or_empty("token_count", number(row, "token_count")),
        created_at: faults.or_empty("created_at", number(row, "created_at")) as u64,
        updated_at: faults.or_empty("updated_at", number(row, "updated_at")) as u64,
        checksum: faults.or_empty("checksum", checksum(row)),
    };
    FoundDocument { record, faults }
}

/// Reads a text, with damaged bytes replaced.
fn legible(row: &PgRow, name: &str) -> String {
    let value = row.try_get_raw(name).ok();
    let bytes = value.as_ref().and_then(|value| value.as_bytes().ok());
    String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned()
}

fn status(row: &PgRow) -> Result<Status> {
    let status: &str = column(row, "status")?;
    Status::from_name(status).ok_or_else(|| Error::corrupt(format!("the status `{status}`")))
}

fn checksum(row: &PgRow) -> Result<Option<ContentHash>> {
    let stored: Option<&[u8]> = column(row, "checksum")?;
    let stored = stored.map(|_| hash(row, "checksum")).transpose()?;
    Ok(stored.and_then(current_checksum))
}

fn section(row: &PgRow) -> Result<SectionRecord> {
    let parent: Option<i64> = column(row, "parent")?;
    Ok(SectionRecord {
        id: SectionId(column(row, "uid")?),
        position: number(row, "position")?,
        parent: parent.map(|parent| parent.cast_unsigned() as usize),
        level: level(row)?,
        heading_path: json(row, "heading_path")?,
        lines: Lines {
            first: number(row, "first_line")?,
            last: number(row, "last_line")?,
        },
        pages: pages(row)?,
        tokens: number(row, "token_count")?,
        summary: column(row, "summary")?,
        content_hash: hash(row, "index_hash")?,
    })
}
