//! Writing.

use std::collections::HashMap;

use sectile_core::{ContentHash, DocumentId};
use sectile_store::{FailedDocument, IndexedDocument, IndexedSection, Result};
use sqlx::sqlite::SqliteRow;
use sqlx::{Connection as _, Row as _, SqliteConnection};

use crate::error::{backend, corrupt};
use crate::read::integer;
use crate::rows::Rows;
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
        transaction
            .commit()
            .await
            .map_err(backend("commit a change"))?;
        Ok(touched)
    }
}

/// A section as it stands in the store: its row and what its index entries were made of.
struct Stored {
    row: i64,
    index_hash: Vec<u8>,
}

async fn put(connection: &mut SqliteConnection, documents: &[IndexedDocument]) -> Result<usize> {
    let mut rows = Rows::after_the_last(connection).await?;
    for document in documents {
        let row = document_row(connection, document).await?;
        let mut stored = stored_sections(connection, row).await?;
        for (position, section) in document.sections.iter().enumerate() {
            let hash = index_hash(document, section);
            match stored.remove(&section.section.id.0.into_bytes()) {
                Some(old) if old.index_hash == hash.as_bytes() => {
                    rows.move_section(old.row, position, section);
                }
                Some(old) => {
                    rows.deleted.push(old.row);
                    rows.insert_section(row, position, section, hash)?;
                }
                None => rows.insert_section(row, position, section, hash)?,
            }
            if rows.is_full() {
                rows.flush(connection).await?;
            }
        }
        rows.deleted
            .extend(stored.into_values().map(|vanished| vanished.row));
    }
    rows.flush(connection).await?;
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
    let statement = if found.is_some() {
        sql::UPDATE_DOCUMENT
    } else {
        sql::INSERT_DOCUMENT
    };
    let mut query = sqlx::query(statement)
        .bind(&document.collection)
        .bind(&document.uri)
        .bind(document.format.name())
        .bind(document.content_hash.as_bytes().as_slice())
        .bind(&document.index_version)
        .bind(serde_json::to_string(&document.metadata).map_err(corrupt)?)
        .bind(integer(document.sections.len()))
        .bind(integer(document.chunk_count()))
        .bind(integer(document.token_count()))
        .bind(document.now.cast_signed());
    if found.is_none() {
        query = query.bind(document.id.0.into_bytes().to_vec());
    }
    let done = query
        .execute(connection)
        .await
        .map_err(backend("write a document"))?;
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
            let uid = uid
                .try_into()
                .map_err(|_| corrupt("a section id that is no UUID"))?;
            Ok((uid, stored))
        })
        .collect()
}

/// Hashes everything that decides a section's content, chunks and index entries.
fn index_hash(document: &IndexedDocument, section: &IndexedSection) -> ContentHash {
    let parts = [
        &document.index_version,
        &section.path_terms,
        &section.content,
    ];
    let mut hashed = Vec::with_capacity(section.content.len() + 256);
    for part in parts {
        hashed.extend_from_slice(&(part.len() as u64).to_le_bytes());
        hashed.extend_from_slice(part.as_bytes());
    }
    ContentHash::of(&hashed)
}

async fn fail(connection: &mut SqliteConnection, documents: &[FailedDocument]) -> Result<usize> {
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
        unindex
            .execute(&mut *connection)
            .await
            .map_err(backend("unindex a document"))?;
        let delete = sqlx::query(sql::DELETE_DOCUMENT).bind(&uid);
        let done = delete
            .execute(&mut *connection)
            .await
            .map_err(backend("remove a document"))?;
        removed += done.rows_affected() as usize;
    }
    Ok(removed)
}

async fn optimize(connection: &mut SqliteConnection) -> Result<usize> {
    let query = sqlx::query(sql::OPTIMIZE_INDEX);
    query
        .execute(connection)
        .await
        .map_err(backend("optimize the index"))?;
    Ok(0)
}
