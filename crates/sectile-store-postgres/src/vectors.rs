//! Vectors in this database, and the models that they are of.

pub(crate) mod nearest;
mod sql;

use std::collections::{BTreeMap, HashMap, HashSet};

use pgvector::Vector;
use sectile_core::{DocumentId, EmbeddingModel, Metadata};
use sectile_migrations::{Tables, VECTORS_POSTGRES};
use sectile_store::index::Chunk;
use sectile_store::{
    ChunkVector, Error, PendingChunk, Result, VectorCheck, is_normalized, vector_of,
};
use sqlx::postgres::PgRow;
use sqlx::{AssertSqlSafe, PgConnection};
use uuid::Uuid;

use crate::columns::{chunk, chunk_text, column, integer, json, number, table_head};
use crate::document::Key;
use crate::error::{backend, migration};
use crate::sql::query;

const DOING: &str = "keep vectors";

/// The most dimensions of vectors that stand in their rows: a page has 8 KB.
const MOST_IN_ROW: usize = 1_900;

/// Makes the table of vectors if it is missing.
pub(crate) async fn prepare(
    connection: &mut PgConnection,
    tables: &Tables,
    model: &EmbeddingModel,
) -> Result<()> {
    expect_extension(connection).await?;
    let migrated = sectile_migrations::postgres::migrate(connection, &VECTORS_POSTGRES, tables);
    migrated.await.map_err(migration)?;
    if model.dimensions > MOST_IN_ROW && is_in_row(connection, tables).await? {
        let statement = AssertSqlSafe(tables.sql(sql::STORE_APART));
        let done = sqlx::raw_sql(statement).execute(connection).await;
        done.map_err(backend(DOING))?;
    }
    Ok(())
}

async fn is_in_row(connection: &mut PgConnection, tables: &Tables) -> Result<bool> {
    let row = query(tables, sql::IS_IN_ROW).fetch_one(connection).await;
    column(&row.map_err(backend(DOING))?, "is_in_row")
}

/// Checks that the database has pgvector, or that this role can give it to it.
async fn expect_extension(connection: &mut PgConnection) -> Result<()> {
    let row = sqlx::query(sql::EXTENSION)
        .fetch_one(&mut *connection)
        .await;
    let row = row.map_err(backend(DOING))?;
    if column(&row, "is_created")? {
        return Ok(());
    }
    let reason = if !column::<bool>(&row, "is_available")? {
        "the server has no extension `vector`; install pgvector 0.8 or newer, or search by text"
    } else if sqlx::raw_sql(sql::CREATE_EXTENSION)
        .execute(connection)
        .await
        .is_err()
    {
        "this role may not make the extension `vector`; have `CREATE EXTENSION vector` run in the \
         database by one that may, or search by text"
    } else {
        return Ok(());
    };
    Err(Error::VectorsUnavailable {
        reason: reason.into(),
    })
}

/// Returns the model of each collection that has vectors.
pub(crate) async fn models(
    connection: &mut PgConnection,
    tables: &Tables,
) -> Result<BTreeMap<String, EmbeddingModel>> {
    let rows = query(tables, crate::sql::MODELS)
        .fetch_all(connection)
        .await;
    let rows = rows.map_err(backend(DOING))?;
    let named = |row| Ok((column(row, "collection")?, model(row)?));
    rows.iter().map(named).collect()
}

fn model(row: &PgRow) -> Result<EmbeddingModel> {
    Ok(EmbeddingModel {
        name: column(row, "name")?,
        dimensions: number(row, "dimensions")?,
        is_normalized: column(row, "is_normalized")?,
    })
}

/// Returns the model of a collection, which it keeps until the end of the transaction. All that
/// changes vectors asks for it before it locks documents.
pub(crate) async fn of(
    connection: &mut PgConnection,
    tables: &Tables,
    collection: &str,
) -> Result<Option<EmbeddingModel>> {
    let found = query(tables, crate::sql::MODEL_OF).bind(collection);
    let found = found.fetch_optional(connection).await;
    found
        .map_err(backend(DOING))?
        .as_ref()
        .map(model)
        .transpose()
}

pub(crate) async fn set_model(
    connection: &mut PgConnection,
    tables: &Tables,
    collection: &str,
    model: &EmbeddingModel,
) -> Result<usize> {
    let set = query(tables, crate::sql::SET_MODEL)
        .bind(collection)
        .bind(&model.name)
        .bind(integer(model.dimensions))
        .bind(model.is_normalized);
    let done = set.execute(&mut *connection).await;
    done.map_err(backend(DOING))?;
    expect_model(connection, tables, collection, model).await?;
    lock(connection, tables, collection).await?;
    let waiting = query(tables, crate::sql::AWAIT_VECTORS).bind(collection);
    let waiting = waiting.execute(connection).await;
    Ok(waiting.map_err(backend(DOING))?.rows_affected() as usize)
}

/// Locks the documents of a collection, as all that changes several does first.
async fn lock(connection: &mut PgConnection, tables: &Tables, collection: &str) -> Result<()> {
    let lock = query(tables, crate::sql::LOCK_COLLECTION).bind(collection);
    let done = lock.execute(connection).await;
    done.map(drop).map_err(backend(DOING))
}

/// Checks that a collection's model is this one.
async fn expect_model(
    connection: &mut PgConnection,
    tables: &Tables,
    collection: &str,
    model: &EmbeddingModel,
) -> Result<()> {
    let stored = of(connection, tables, collection).await?;
    if stored.as_ref() == Some(model) {
        return Ok(());
    }
    Err(Error::other_model(collection, stored.as_ref(), model))
}

pub(crate) async fn remove(
    connection: &mut PgConnection,
    tables: &Tables,
    collection: &str,
) -> Result<usize> {
    let model = query(tables, crate::sql::LOCK_MODEL).bind(collection);
    let model = model.fetch_optional(&mut *connection).await;
    if model.map_err(backend(DOING))?.is_none() {
        return Ok(0);
    }
    lock(connection, tables, collection).await?;
    let statements = [
        sql::REMOVE_VECTORS,
        crate::sql::REMOVE_MODEL,
        crate::sql::AWAIT_NOTHING,
    ];
    let mut touched = 0;
    for statement in statements {
        let statement = query(tables, statement).bind(collection);
        let done = statement.execute(&mut *connection).await;
        touched = done.map_err(backend(DOING))?.rows_affected() as usize;
    }
    Ok(touched)
}

pub(crate) async fn pending(
    connection: &mut PgConnection,
    tables: &Tables,
    collection: &str,
    after: Option<&Chunk>,
    limit: usize,
) -> Result<Vec<PendingChunk>> {
    if !models(connection, tables).await?.contains_key(collection) {
        return Ok(Vec::new());
    }
    let (document, number) = after.map_or((0, -1), |after| {
        (after.document.cast_signed(), after.chunk.cast_signed())
    });
    let rows = query(tables, sql::PENDING)
        .bind(collection)
        .bind(document)
        .bind(number)
        .bind(integer(limit))
        .fetch_all(connection)
        .await
        .map_err(backend(DOING))?;
    rows.iter().map(pending_chunk).collect()
}

fn pending_chunk(row: &PgRow) -> Result<PendingChunk> {
    let (text, _) = chunk_text(row)?;
    let metadata: Metadata = json(row, "metadata")?;
    Ok(PendingChunk {
        chunk: chunk(row)?,
        uri: column(row, "uri")?,
        title: metadata.title,
        heading_path: json(row, "heading_path")?,
        table_head: table_head(row)?,
        text: text.to_owned(),
    })
}

pub(crate) async fn put(
    connection: &mut PgConnection,
    tables: &Tables,
    collection: &str,
    model: &EmbeddingModel,
    vectors: Vec<ChunkVector>,
) -> Result<usize> {
    expect_model(connection, tables, collection, model).await?;
    let documents = vectors
        .iter()
        .map(|vector| vector.chunk.document.cast_signed());
    let documents: Vec<i64> = documents.collect();
    let lock = query(tables, crate::sql::LOCK_NUMBERS)
        .bind(collection)
        .bind(&documents);
    let locked = lock.execute(&mut *connection).await;
    locked.map_err(backend(DOING))?;
    let chunks = vectors
        .iter()
        .map(|vector| vector.chunk.chunk.cast_signed());
    let chunks: Vec<i64> = chunks.collect();
    let vectors = vectors
        .iter()
        .map(|vector| vector_of(&vector.vector, model));
    let vectors = vectors.map(|vector| Ok(Vector::from(vector?)));
    let put = query(tables, sql::PUT_VECTORS)
        .bind(collection)
        .bind(&documents)
        .bind(chunks)
        .bind(vectors.collect::<Result<Vec<_>>>()?)
        .bind(integer(model.dimensions));
    let touched = put.execute(connection).await;
    Ok(touched.map_err(backend(DOING))?.rows_affected() as usize)
}

/// Looks at each vector of a document.
pub(crate) async fn check(
    connection: &mut PgConnection,
    tables: &Tables,
    document: DocumentId,
) -> Result<VectorCheck> {
    // The table of vectors is made with the first model.
    if models(connection, tables).await?.is_empty() {
        return Ok(VectorCheck::default());
    }
    let rows = query(tables, sql::DOCUMENT_VECTORS)
        .bind(document.0)
        .fetch_all(connection)
        .await
        .map_err(backend(DOING))?;
    let whole: Vec<bool> = rows.iter().map(is_whole).collect::<Result<_>>()?;
    Ok(VectorCheck {
        vectors: whole.len(),
        damaged: whole.iter().filter(|is_whole| !**is_whole).count(),
    })
}

fn is_whole(row: &PgRow) -> Result<bool> {
    let vector: Vector = column(row, "embedding")?;
    let vector = vector.as_slice();
    Ok(vector.len() == number(row, "dimensions")? && is_normalized(vector))
}

/// The vectors of a document's chunks that go, by what they were made of, while it is written.
pub(crate) struct Kept<'k> {
    key: Key<'k>,
    /// Nothing if the collection has no vectors.
    dimensions: Option<usize>,
    vectors: HashMap<Vec<u8>, Vector>,
}

impl<'k> Kept<'k> {
    /// Returns none of a document yet, whose collection has vectors of so many dimensions.
    pub(crate) fn new(key: Key<'k>, dimensions: Option<usize>) -> Self {
        Self {
            key,
            dimensions,
            vectors: HashMap::new(),
        }
    }

    /// Returns whether there are vectors that new chunks may have.
    pub(crate) fn has_any(&self) -> bool {
        !self.vectors.is_empty()
    }

    /// Remembers the vectors of sections that go.
    pub(crate) async fn keep(
        &mut self,
        connection: &mut PgConnection,
        tables: &Tables,
        gone: &HashSet<Uuid>,
    ) -> Result<()> {
        if self.dimensions.is_none() || gone.is_empty() {
            return Ok(());
        }
        let rows = query(tables, sql::SECTION_VECTORS)
            .bind(self.key.collection)
            .bind(self.key.document)
            .bind(gone.iter().copied().collect::<Vec<_>>())
            .fetch_all(connection)
            .await
            .map_err(backend(DOING))?;
        let vector = |row| Ok((column(row, "text_hash")?, column(row, "embedding")?));
        self.vectors = rows.iter().map(vector).collect::<Result<_>>()?;
        Ok(())
    }

    /// Gives new chunks, by number and what they are made of, the vectors of those with the same
    /// text, and counts the vectors of the document.
    pub(crate) async fn give(
        &self,
        connection: &mut PgConnection,
        tables: &Tables,
        chunks: impl Iterator<Item = (i64, [u8; 16])>,
    ) -> Result<()> {
        let Some(dimensions) = self.dimensions else {
            return Ok(());
        };
        let known = |(number, hash): (i64, [u8; 16])| {
            let vector = self.vectors.get(hash.as_slice())?;
            Some((number, vector.clone()))
        };
        let (numbers, vectors): (Vec<i64>, Vec<Vector>) = chunks.filter_map(known).unzip();
        if !numbers.is_empty() {
            let give = query(tables, sql::GIVE_VECTORS)
                .bind(self.key.collection)
                .bind(self.key.document)
                .bind(numbers)
                .bind(vectors)
                .bind(integer(dimensions));
            let done = give.execute(&mut *connection).await;
            done.map_err(backend(DOING))?;
        }
        let count = query(tables, sql::COUNT_VECTORS)
            .bind(self.key.collection)
            .bind(self.key.document);
        let done = count.execute(connection).await;
        done.map(drop).map_err(backend(DOING))
    }
}
