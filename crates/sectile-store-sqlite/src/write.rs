//! Writing.

use std::collections::HashMap;

use sectile_core::{ContentHash, DocumentId};
use sectile_store::{FailedDocument, IndexedChunk, IndexedDocument, IndexedSection, Result};
use sqlx::sqlite::SqliteRow;
use sqlx::{Connection as _, Row as _, SqliteConnection};

use crate::error::{backend, corrupt};
use crate::sql;

/// Something to be done in one transaction.
pub(crate) enum Change {
    /// Write documents in place of their earlier versions.
    Put(Vec<IndexedDocument>),
    /// Record documents that could not be read.
    Fail(Vec<FailedDocument>),
    /// Remove documents.
    Remove(Vec<DocumentId>),
    /// Merge the index into one segment.
    Optimize,
}

impl Change {
    /// Makes the change and returns how many documents it touched.
    pub(crate) async fn apply(self, connection: &mut SqliteConnection) -> Result<usize> {
        let begun = connection.begin_with("BEGIN IMMEDIATE").await;
        let mut transaction = begun.map_err(backend("begin a change"))?;
        let touched = match &self {
            Self::Put(documents) => put(&mut transaction, documents).await?,
            Self::Fail(documents) => fail(&mut transaction, documents).await?,
            Self::Remove(documents) => remove(&mut transaction, documents).await?,
            Self::Optimize => optimize(&mut transaction).await?,
        };
        transaction.commit().await.map_err(backend("commit a change"))?;
        Ok(touched)
    }
}

/// A section as it stands in the store: its row and what its index entries were made of.
struct Stored {
    row: i64,
    index_hash: Vec<u8>,
}

async fn put(
    connection: &mut SqliteConnection,
    documents: &[IndexedDocument],
) -> Result<usize> {
    for document in documents {
        let row = document_row(connection, document).await?;
        let mut stored = stored_sections(connection, row).await?;
        for (position, section) in document.sections.iter().enumerate() {
            let hash = index_hash(document, section);
            let old = stored.remove(&section.section.id.0.into_bytes());
            put_section(connection, row, position, section, hash, old).await?;
        }
        for vanished in stored.into_values() {
            delete_section(connection, vanished.row).await?;
        }
    }
    Ok(documents.len())
}

/// Writes the document's own row and returns its number.
async fn document_row(
    connection: &mut SqliteConnection,
    document: &IndexedDocument,
) -> Result<i64> {
    let found: Option<i64> = sqlx::query_scalar(sql::FIND_DOCUMENT)
        .bind(&document.collection)
        .bind(&document.uri)
        .fetch_optional(&mut *connection)
        .await
        .map_err(backend("find a document"))?;
    let statement = if found.is_some() { sql::UPDATE_DOCUMENT } else { sql::INSERT_DOCUMENT };
    let mut query = sqlx::query(statement)
        .bind(&document.collection)
        .bind(&document.uri)
        .bind(document.format.name())
        .bind(document.content_hash.as_bytes().as_slice())
        .bind(&document.index_version)
        .bind(serde_json::to_string(&document.metadata).map_err(corrupt)?)
        .bind(document.sections.len() as i64)
        .bind(document.chunk_count() as i64)
        .bind(document.token_count() as i64)
        .bind(document.now.cast_signed());
    if found.is_none() {
        query = query.bind(document.id.0.into_bytes().to_vec());
    }
    let done = query.execute(connection).await.map_err(backend("write a document"))?;
    Ok(found.unwrap_or_else(|| done.last_insert_rowid()))
}

/// Reads the sections that the document has in the store, by id.
async fn stored_sections(
    connection: &mut SqliteConnection,
    document: i64,
) -> Result<HashMap<[u8; 16], Stored>> {
    let doing = "read a document's sections";
    let rows = sqlx::query(sql::SECTION_HASHES)
        .bind(document)
        .fetch_all(connection)
        .await
        .map_err(backend(doing))?;
    let decode = |row: &SqliteRow| -> Result<_, sqlx::Error> {
        let uid: Vec<u8> = row.try_get(0)?;
        let stored = Stored {
            row: row.try_get(1)?,
            index_hash: row.try_get(2)?,
        };
        Ok((uid, stored))
    };
    rows.iter()
        .map(|row| {
            let (uid, stored) = decode(row).map_err(backend(doing))?;
            let uid = uid.try_into().map_err(|_| corrupt("a section id that is no UUID"))?;
            Ok((uid, stored))
        })
        .collect()
}

/// Hashes everything that decides a section's content, chunks and index entries.
fn index_hash(document: &IndexedDocument, section: &IndexedSection) -> ContentHash {
    let parts = [&document.index_version, &section.path_terms, &section.content];
    let mut hashed = Vec::with_capacity(section.content.len() + 256);
    for part in parts {
        hashed.extend_from_slice(&(part.len() as u64).to_le_bytes());
        hashed.extend_from_slice(part.as_bytes());
    }
    ContentHash::of(&hashed)
}

/// Writes a section, or only moves it when its content is what the store has.
async fn put_section(
    connection: &mut SqliteConnection,
    document: i64,
    position: usize,
    section: &IndexedSection,
    hash: ContentHash,
    old: Option<Stored>,
) -> Result<()> {
    match old {
        Some(old) if old.index_hash == hash.as_bytes() => {
            move_section(connection, old.row, position, section).await
        }
        Some(old) => {
            delete_section(connection, old.row).await?;
            insert_section(connection, document, position, section, hash).await
        }
        None => insert_section(connection, document, position, section, hash).await,
    }
}

async fn move_section(
    connection: &mut SqliteConnection,
    row: i64,
    position: usize,
    section: &IndexedSection,
) -> Result<()> {
    sqlx::query(sql::MOVE_SECTION)
        .bind(row)
        .bind(position as i64)
        .bind(section.section.parent.map(|parent| parent as i64))
        .bind(section.section.level)
        .bind(section.section.lines.first as i64)
        .bind(section.section.lines.last as i64)
        .bind(section.pages.map(|pages| pages.first))
        .bind(section.pages.map(|pages| pages.last))
        .execute(connection)
        .await
        .map_err(backend("move a section"))?;
    Ok(())
}

async fn insert_section(
    connection: &mut SqliteConnection,
    document: i64,
    position: usize,
    section: &IndexedSection,
    hash: ContentHash,
) -> Result<()> {
    let done = sqlx::query(sql::INSERT_SECTION)
        .bind(section.section.id.0.into_bytes().to_vec())
        .bind(document)
        .bind(position as i64)
        .bind(section.section.parent.map(|parent| parent as i64))
        .bind(section.section.level)
        .bind(serde_json::to_string(&section.heading_path).map_err(corrupt)?)
        .bind(section.section.lines.first as i64)
        .bind(section.section.lines.last as i64)
        .bind(section.pages.map(|pages| pages.first))
        .bind(section.pages.map(|pages| pages.last))
        .bind(section.tokens as i64)
        .bind(hash.as_bytes().as_slice())
        .bind(&section.content)
        .execute(&mut *connection)
        .await
        .map_err(backend("write a section"))?;
    let row = done.last_insert_rowid();
    for (index, chunk) in section.chunks.iter().enumerate() {
        insert_chunk(connection, document, row, index, chunk, &section.path_terms).await?;
    }
    Ok(())
}

async fn insert_chunk(
    connection: &mut SqliteConnection,
    document: i64,
    section: i64,
    index: usize,
    chunk: &IndexedChunk,
    path_terms: &str,
) -> Result<()> {
    let done = sqlx::query(sql::INSERT_CHUNK)
        .bind(section)
        .bind(document)
        .bind(index as i64)
        .bind(chunk.span.start as i64)
        .bind(chunk.span.end as i64)
        .bind(chunk.tokens as i64)
        .bind(chunk.pages.map(|pages| pages.first))
        .bind(chunk.pages.map(|pages| pages.last))
        .execute(&mut *connection)
        .await
        .map_err(backend("write a chunk"))?;
    sqlx::query(sql::INSERT_CHUNK_INDEX)
        .bind(done.last_insert_rowid())
        .bind(path_terms)
        .bind(&chunk.terms)
        .execute(connection)
        .await
        .map_err(backend("index a chunk"))?;
    Ok(())
}

async fn delete_section(connection: &mut SqliteConnection, row: i64) -> Result<()> {
    for statement in [sql::DELETE_SECTION_INDEX, sql::DELETE_SECTION] {
        let query = sqlx::query(statement).bind(row);
        query.execute(&mut *connection).await.map_err(backend("remove a section"))?;
    }
    Ok(())
}

async fn fail(
    connection: &mut SqliteConnection,
    documents: &[FailedDocument],
) -> Result<usize> {
    for document in documents {
        sqlx::query(sql::FAIL_DOCUMENT)
            .bind(&document.collection)
            .bind(&document.uri)
            .bind(document.content_hash.as_bytes().as_slice())
            .bind(&document.index_version)
            .bind(&document.error)
            .bind(document.now.cast_signed())
            .bind(document.id.0.into_bytes().to_vec())
            .execute(&mut *connection)
            .await
            .map_err(backend("write a failure"))?;
    }
    Ok(documents.len())
}

async fn remove(connection: &mut SqliteConnection, documents: &[DocumentId]) -> Result<usize> {
    let mut removed = 0;
    for document in documents {
        let uid = document.0.into_bytes().to_vec();
        let unindex = sqlx::query(sql::DELETE_DOCUMENT_INDEX).bind(&uid);
        unindex.execute(&mut *connection).await.map_err(backend("unindex a document"))?;
        let delete = sqlx::query(sql::DELETE_DOCUMENT).bind(&uid);
        let done = delete.execute(&mut *connection).await.map_err(backend("remove a document"))?;
        removed += done.rows_affected() as usize;
    }
    Ok(removed)
}

async fn optimize(connection: &mut SqliteConnection) -> Result<usize> {
    let query = sqlx::query(sql::OPTIMIZE_INDEX);
    query.execute(connection).await.map_err(backend("optimize the index"))?;
    Ok(0)
}
