//! Writing.

use std::collections::{BTreeMap, HashMap};

use sectile_core::{ContentHash, DocumentId, EmbeddingModel};
use sectile_sqlite::rusqlite::{Connection, ToSql, params};
use sectile_sqlite::{in_transaction, now};
use sectile_store::index::{self, Segment};
use sectile_store::{
    ChunkVector, Error, FailedDocument, IndexedChunk, IndexedDocument, IndexedSection, Note,
    REPAIRING, Result, Summary, VectorEncoding,
};

use crate::columns::{column, integer};
use crate::error::backend;
use crate::index::Writer;
use crate::packed::packed;
use crate::row::{Row, all, execute};
use crate::{key, sql, vectors};

/// Something to be done in one transaction.
pub(crate) enum Change {
    /// Write documents in place of their earlier versions.
    Put(Vec<IndexedDocument>),
    /// Record documents that could not be read.
    Fail(Vec<FailedDocument>),
    /// Remove documents.
    Remove(Vec<DocumentId>),
    /// Declare the fields of a collection's natural key.
    DeclareKey(String, Vec<String>),
    /// Set the model of a collection.
    SetModel(String, EmbeddingModel, VectorEncoding),
    /// Remove the vectors and the model of a collection.
    RemoveVectors(String),
    /// Add vectors of a model to chunks of a collection.
    PutVectors(String, EmbeddingModel, Vec<ChunkVector>),
    /// Record why the vectors of a collection could not be made.
    VectorError(String, String),
    /// Keep what sections of a document say in short.
    PutSummaries(DocumentId, Vec<Summary>),
    /// Keep a note, or remove it.
    PutNote(Note),
    /// Remove the index of a collection.
    DropIndex(String),
    /// Merge the index into one segment.
    Optimize,
}

impl Change {
    /// Returns whether an empty store has something after the change.
    pub(crate) fn adds(&self) -> bool {
        match self {
            Self::Put(documents) => !documents.is_empty(),
            Self::Fail(documents) => !documents.is_empty(),
            Self::PutNote(note) => !note.text.is_empty(),
            Self::DeclareKey(..) | Self::SetModel(..) | Self::PutVectors(..) => true,
            Self::Remove(_)
            | Self::RemoveVectors(_)
            | Self::VectorError(..)
            | Self::PutSummaries(..)
            | Self::DropIndex(_)
            | Self::Optimize => false,
        }
    }

    /// Makes the change and returns how many documents it touched.
    pub(crate) fn apply(self, connection: &mut Connection) -> Result<usize> {
        let failed = |doing, error| backend(doing)(error);
        in_transaction(connection, failed, |connection| match &self {
            Self::Put(documents) => put(connection, documents),
            Self::Fail(documents) => fail(connection, documents),
            Self::Remove(documents) => remove(connection, documents),
            Self::DeclareKey(collection, fields) => key::declare(connection, collection, fields),
            Self::SetModel(collection, model, encoding) => {
                vectors::set_model(connection, collection, model, *encoding)
            }
            Self::RemoveVectors(collection) => vectors::remove(connection, collection),
            Self::PutVectors(collection, model, vectors) => {
                vectors::put(connection, collection, model, vectors)
            }
            Self::VectorError(collection, error) => {
                let values = params![collection, error];
                execute(connection, "write a failure", sql::VECTOR_ERROR, values)
            }
            Self::PutSummaries(document, summaries) => {
                put_summaries(connection, *document, summaries)
            }
            Self::PutNote(note) => put_note(connection, note),
            Self::DropIndex(collection) => drop_index(connection, collection),
            Self::Optimize => optimize(connection),
        })
    }
}

fn put_note(connection: &Connection, note: &Note) -> Result<usize> {
    let Note {
        collection,
        prefix,
        text,
    } = note;
    if text.is_empty() {
        let values = params![collection, prefix];
        return execute(connection, "remove a note", sql::REMOVE_NOTE, values);
    }
    let values = params![collection, prefix, text];
    execute(connection, "write a note", sql::PUT_NOTE, values)
}

/// What is added to the index of each collection.
type Segments = BTreeMap<String, Segment>;

/// A section as it stands in the store: its row and what its index entries were made of.
struct Stored {
    row: i64,
    index_hash: Vec<u8>,
}

fn put(connection: &mut Connection, documents: &[IndexedDocument]) -> Result<usize> {
    let mut segments = Segments::new();
    let mut later = documents;
    while let [document, rest @ ..] = later {
        let segment = segments.entry(document.collection.clone()).or_default();
        segment.describe(&document.words, &document.language);
        put_document(connection, document, rest, segment)?;
        later = rest;
    }
    now(index::update(&mut Writer(connection), segments))?;
    Ok(documents.len())
}

/// Removes the index of a collection, and notes that its documents are in none.
fn drop_index(connection: &mut Connection, collection: &str) -> Result<usize> {
    now(index::clear(&mut Writer(connection), collection))?;
    let doing = "remove the index";
    execute(connection, doing, sql::FORGET_HASHES, params![collection])?;
    let values = params![collection, REPAIRING];
    execute(connection, doing, sql::PREFIX_VERSIONS, values)
}

/// Merges all segments of each collection into one.
fn optimize(connection: &mut Connection) -> Result<usize> {
    let collection = |row: &Row<'_>| column::<String>(row, "collection");
    let doing = "optimize the index";
    let collections = all(connection, doing, sql::COLLECTIONS, &[], collection)?;
    for collection in collections {
        now(index::compact(&mut Writer(connection), &collection))?;
    }
    Ok(0)
}

/// Writes a document. A section that did not change keeps its row, its chunks and their entries; a
/// chunk with the text of one that goes keeps its vector.
fn put_document(
    connection: &Connection,
    document: &IndexedDocument,
    later: &[IndexedDocument],
    segment: &mut Segment,
) -> Result<()> {
    let row = document_row(connection, document, later)?;
    let mut stored = stored_sections(connection, row)?;
    let mut new = Vec::new();
    for (position, section) in document.sections.iter().enumerate() {
        let hash = document.index_hash(section);
        let uid = section.section.id.0.as_bytes().as_slice();
        let is_same = |old: &Stored| old.index_hash == hash.as_bytes();
        if !stored.get(uid).is_some_and(is_same) {
            new.push((position, section, hash));
        } else if let Some(old) = stored.remove(uid) {
            let place = place(old.row, position, section);
            let values = values(&place);
            execute(connection, "move a section", sql::MOVE_SECTION, &values)?;
        }
    }
    let mut vectors = vectors::Kept::of(connection, &document.collection)?;
    for gone in stored.into_values() {
        vectors.keep(connection, gone.row)?;
        delete_section(connection, gone.row)?;
    }
    for (position, section, hash) in new {
        let number = insert_section(connection, row, position, section, hash)?;
        let language = &document.language;
        insert_chunks(
            connection,
            (row, number),
            language,
            section,
            segment,
            &vectors,
        )?;
    }
    vectors.count(connection, row)
}

/// Returns where a section stands, after the row that it is or belongs to: position, parent, level,
/// lines and pages.
fn place(row: i64, position: usize, section: &IndexedSection) -> [Option<i64>; 8] {
    let tree = &section.section;
    [
        Some(row),
        Some(integer(position)),
        tree.parent.map(integer),
        Some(tree.level.into()),
        Some(integer(tree.lines.first)),
        Some(integer(tree.lines.last)),
        section.pages.map(|pages| pages.first.into()),
        section.pages.map(|pages| pages.last.into()),
    ]
}

fn values(place: &[Option<i64>]) -> Vec<&dyn ToSql> {
    place.iter().map(|value| value as &dyn ToSql).collect()
}

fn delete_section(connection: &Connection, row: i64) -> Result<()> {
    let doing = "delete a section";
    execute(connection, doing, sql::BURY_SECTION, params![row])?;
    execute(connection, doing, sql::DELETE_SECTION, params![row])?;
    Ok(())
}

/// Writes a section and returns the number of its row.
fn insert_section(
    connection: &Connection,
    document: i64,
    position: usize,
    section: &IndexedSection,
    hash: ContentHash,
) -> Result<i64> {
    let place = place(document, position, section);
    let heading_path = serde_json::to_string(&section.heading_path).map_err(Error::corrupt)?;
    let packed = packed(&section.content);
    let content = if packed.is_some() {
        ""
    } else {
        section.content.as_str()
    };
    let content = params![
        section.section.id.0.as_bytes(),
        heading_path,
        integer(section.tokens),
        hash.as_bytes(),
        content,
        packed,
    ];
    let values = [&values(&place), content].concat();
    execute(connection, "write a section", sql::INSERT_SECTION, &values)?;
    Ok(connection.last_insert_rowid())
}

/// Writes the chunks of a section, which is given by the numbers of its document and its own, and by the
/// language of the document.
fn insert_chunks(
    connection: &Connection,
    (document, row): (i64, i64),
    language: &str,
    section: &IndexedSection,
    segment: &mut Segment,
    vectors: &vectors::Kept,
) -> Result<()> {
    for (index, chunk) in section.chunks.iter().enumerate() {
        insert_chunk(connection, (document, row), index, chunk)?;
        let number = connection.last_insert_rowid();
        vectors.give(connection, number, chunk)?;
        let numbers = (document.cast_unsigned(), number.cast_unsigned());
        segment.add(numbers, language, &section.path_terms, &chunk.terms);
    }
    Ok(())
}

fn insert_chunk(
    connection: &Connection,
    (document, row): (i64, i64),
    index: usize,
    chunk: &IndexedChunk,
) -> Result<()> {
    let values = params![
        row,
        document,
        integer(index),
        integer(chunk.span.start),
        integer(chunk.span.end),
        integer(chunk.tokens),
        chunk.pages.map(|pages| pages.first),
        chunk.pages.map(|pages| pages.last),
        chunk.text_hash_prefix(),
        chunk.table_head.map(|head| integer(head.start)),
        chunk.table_head.map(|head| integer(head.end)),
    ];
    execute(connection, "write a chunk", sql::INSERT_CHUNK, values).map(drop)
}

/// Writes the document's own row and returns its number.
fn document_row(
    connection: &Connection,
    document: &IndexedDocument,
    later: &[IndexedDocument],
) -> Result<i64> {
    let key = params![document.collection, document.uri];
    let doing = "find a document";
    let found = all(connection, doing, sql::FIND_DOCUMENT, key, |row| {
        column(row, "id")
    })?;
    let metadata = serde_json::to_string(&document.metadata).map_err(Error::corrupt)?;
    let checksum = document.checksum()?;
    let values = params![
        document.collection,
        document.uri,
        document.format.name(),
        document.content_hash.as_bytes(),
        document.index_version,
        metadata,
        integer(document.sections.len()),
        integer(document.chunk_count()),
        integer(document.token_count()),
        document.term_count().cast_signed(),
        document.now.cast_signed(),
        key::of(connection, document, later)?,
        document.language,
        checksum.as_bytes(),
        document.id.0.as_bytes(),
    ];
    let doing = "write a document";
    if let Some(row) = found.into_iter().next() {
        // It keeps its id.
        let values = &values[..values.len() - 1];
        execute(connection, doing, sql::UPDATE_DOCUMENT, values)?;
        return Ok(row);
    }
    execute(connection, doing, sql::INSERT_DOCUMENT, values)?;
    Ok(connection.last_insert_rowid())
}

/// Reads the sections that the document has in the store, by id.
fn stored_sections(connection: &Connection, document: i64) -> Result<HashMap<Vec<u8>, Stored>> {
    let section = |row: &Row<'_>| {
        let stored = Stored {
            row: column(row, "id")?,
            index_hash: column(row, "index_hash")?,
        };
        Ok((column(row, "uid")?, stored))
    };
    let doing = "read a document's sections";
    let sections = all(
        connection,
        doing,
        sql::SECTION_HASHES,
        params![document],
        section,
    )?;
    Ok(sections.into_iter().collect())
}

fn fail(connection: &Connection, documents: &[FailedDocument]) -> Result<usize> {
    for document in documents {
        let values = params![
            document.collection,
            document.uri,
            document.content_hash.as_bytes(),
            document.index_version,
            document.error,
            document.now.cast_signed(),
            document.id.0.as_bytes(),
        ];
        execute(connection, "write a failure", sql::FAIL_DOCUMENT, values)?;
    }
    Ok(documents.len())
}

fn remove(connection: &mut Connection, documents: &[DocumentId]) -> Result<usize> {
    let doing = "remove a document";
    let (mut removed, mut segments) = (0, Segments::new());
    for document in documents {
        let uid = params![document.0.as_bytes()];
        let collection = |row: &Row<'_>| column(row, "collection");
        for collection in all(connection, doing, sql::COLLECTION_OF, uid, collection)? {
            // Nothing is added, but what is dead may have to be cleared away.
            segments.insert(collection, Segment::default());
        }
        execute(connection, doing, sql::BURY_DOCUMENT, uid)?;
        removed += execute(connection, doing, sql::DELETE_DOCUMENT, uid)?;
    }
    now(index::update(&mut Writer(connection), segments))?;
    Ok(removed)
}

fn put_summaries(
    connection: &Connection,
    document: DocumentId,
    summaries: &[Summary],
) -> Result<usize> {
    for summary in summaries {
        let values = params![
            document.0.as_bytes(),
            summary.section.0.as_bytes(),
            summary.content_hash.as_bytes(),
            summary.text,
        ];
        execute(connection, "write a summary", sql::PUT_SUMMARY, values)?;
    }
    Ok(summaries.len())
}
