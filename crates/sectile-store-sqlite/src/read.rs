//! Reading documents and sections.

use std::collections::BTreeMap;
use std::ops::Range;

use sectile_core::{ContentHash, DocumentId, Format, Lines, Metadata, SectionId, Span};
use sectile_migrations::{STORE_SQLITE, Tables, sqlite};
use sectile_sqlite::rusqlite::{Connection, MAIN_DB, params};
use sectile_store::index::Chunk;
use sectile_store::{
    ChunkRecord, DocumentRecord, Error, Faults, FoundDocument, Health, Note, Result, Scope,
    SectionRecord, Status, Totals, VectorCoverage, current_checksum,
};

use crate::columns::{
    column, format, integer, json, number, pages, section_content, table_head_span, text, uid,
};
use crate::error::backend;
use crate::row::{Row, all, one};
use crate::{sql, vectors};

/// Writes the URI ranges of a scope as a JSON array of pairs; nothing if every URI is meant.
pub(crate) fn uri_ranges(scope: &Scope) -> Result<Option<String>> {
    let ranges = scope.uri_ranges();
    let json = || serde_json::to_string(ranges).map_err(Error::corrupt);
    (!ranges.is_empty()).then(json).transpose()
}

pub(crate) fn documents(connection: &Connection, scope: &Scope) -> Result<Vec<DocumentRecord>> {
    let values = params![scope.collection_name(), uri_ranges(scope)?];
    let doing = "list documents";
    let mut documents = all(connection, doing, sql::DOCUMENTS, values, document)?;
    documents.retain(|document| scope.has_record(document));
    Ok(documents)
}

pub(crate) fn found_documents(connection: &Connection) -> Result<Vec<FoundDocument>> {
    let every: Option<&str> = None;
    let found = |row: &Row<'_>| Ok(found_document(row));
    let values = params![every, every];
    match all(connection, "list documents", sql::DOCUMENTS, values, found) {
        Err(Error::Damaged { .. }) => found_one_by_one(connection),
        found => found,
    }
}

/// Reads documents one by one, so that a damaged page costs only the rows on it. The index of URIs names them. If the index
/// is damaged, the table alone is read.
fn found_one_by_one(connection: &Connection) -> Result<Vec<FoundDocument>> {
    let doing = "list documents";
    let name = |row: &Row<'_>| {
        let collection: String = column(row, "collection")?;
        let uri: String = column(row, "uri")?;
        Ok((column::<i64>(row, "id")?, collection, uri))
    };
    let named = match all(connection, doing, sql::DOCUMENT_NAMES, &[], name) {
        Err(Error::Damaged { .. }) => all(connection, doing, sql::DOCUMENT_ROWS, &[], name),
        named => named,
    };
    let mut documents = Vec::new();
    for (id, collection, uri) in named? {
        let found = |row: &Row<'_>| Ok(found_document(row));
        match all(connection, doing, sql::DOCUMENT_ROW, params![id], found) {
            Err(error @ Error::Damaged { .. }) => documents.push(lost(collection, uri, error)),
            found => documents.extend(found?),
        }
    }
    Ok(documents)
}

/// Returns a document whose row cannot be read.
fn lost(collection: String, uri: String, error: Error) -> FoundDocument {
    let mut faults = Faults::default();
    let record = DocumentRecord {
        id: DocumentId(faults.or_empty("uid", Err(error))),
        collection,
        uri,
        format: Format::default(),
        content_hash: ContentHash::from_bytes([0; 32]),
        index_version: String::new(),
        language: String::new(),
        status: Status::Failed,
        error: None,
        metadata: Metadata::default(),
        sections: 0,
        chunks: 0,
        vectors: 0,
        tokens: 0,
        created_at: 0,
        updated_at: 0,
        checksum: None,
    };
    FoundDocument { record, faults }
}

pub(crate) fn found_by_id(
    connection: &Connection,
    document: DocumentId,
) -> Result<Option<FoundDocument>> {
    let found = |row: &Row<'_>| Ok(found_document(row));
    let values = params![document.0.as_bytes()];
    let found = all(connection, "find a document", sql::DOCUMENT, values, found)?;
    Ok(found.into_iter().next())
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
    found.retain(|(document, _)| scope.has_record(document));
    Ok(found)
}

pub(crate) fn chunks(connection: &Connection, document: DocumentId) -> Result<Vec<ChunkRecord>> {
    let values = params![document.0.as_bytes()];
    all(connection, "list chunks", sql::CHUNKS, values, |row| {
        Ok(ChunkRecord {
            chunk: Chunk {
                collection: column(row, "collection")?,
                document: number(row, "document")? as u64,
                chunk: number(row, "chunk")? as u64,
            },
            section: number(row, "position")?,
            span: Span::new(number(row, "span_start")?, number(row, "span_end")?),
            table_head: table_head_span(row)?,
        })
    })
}

pub(crate) fn outdated(connection: &Connection, index_version: &str) -> Result<usize> {
    let (doing, values) = ("count documents", params![index_version]);
    let outdated = |row: &Row<'_>| number(row, "outdated");
    one(connection, doing, sql::OUTDATED, values, outdated)
}

pub(crate) fn in_other_language(
    connection: &Connection,
    collection: &str,
    language: &str,
    index_version: &str,
) -> Result<usize> {
    let values = params![collection, language, index_version];
    let others = |row: &Row<'_>| number(row, "others");
    let statement = sql::IN_OTHER_LANGUAGE;
    one(connection, "count documents", statement, values, others)
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

pub(crate) fn collections(connection: &Connection) -> Result<Vec<String>> {
    let name = |row: &Row<'_>| column(row, "collection");
    all(
        connection,
        "read the collections",
        sql::COLLECTION_NAMES,
        &[],
        name,
    )
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
    found_document(row).whole()
}

fn found_document(row: &Row<'_>) -> FoundDocument {
    let mut faults = Faults::default();
    let record = DocumentRecord {
        id: DocumentId(faults.or_empty("uid", uid(row, "uid"))),
        collection: faults.or_empty("collection", column(row, "collection")),
        uri: faults
            .or_empty("uri", column(row, "uri").map(Some))
            .unwrap_or_else(|| legible(row, "uri")),
        format: faults.or_empty("format", format(row)),
        content_hash: ContentHash::from_bytes(
            faults.or_empty("content_hash", column(row, "content_hash")),
        ),
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
        created_at: faults
            .or_empty("created_at", column::<i64>(row, "created_at"))
            .cast_unsigned(),
        updated_at: faults
            .or_empty("updated_at", column::<i64>(row, "updated_at"))
            .cast_unsigned(),
        checksum: faults
            .or_empty("checksum", column::<Option<[u8; 32]>>(row, "checksum"))
            .map(ContentHash::from_bytes)
            .and_then(current_checksum),
    };
    FoundDocument { record, faults }
}

/// Reads a text, with damaged bytes replaced.
fn legible(row: &Row<'_>, name: &str) -> String {
    let bytes = row.get_ref(name).ok();
    let bytes = bytes.as_ref().and_then(|value| value.as_bytes().ok());
    String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned()
}

fn status(row: &Row<'_>) -> Result<Status> {
    let status = text(row, "status")?;
    Status::from_name(status).ok_or_else(|| Error::corrupt(format!("the status `{status}`")))
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
