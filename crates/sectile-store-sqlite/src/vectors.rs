//! Vectors in this database, and the models that they are of.

mod nearest;

use std::collections::{BTreeMap, HashMap};

use sectile_core::{DocumentId, EmbeddingModel, Metadata};
use sectile_sqlite::rusqlite::{Connection, params};
use sectile_store::index::Chunk;
use sectile_store::{
    ChunkVector, Error, IndexedChunk, PendingChunk, Result, VectorCheck, VectorEncoding,
    is_normalized, vector_of,
};

pub(crate) use nearest::Cache;

use crate::columns::{chunk_text, column, integer, json, number, table_head, text};
use crate::row::{Row, all, execute};
use crate::sql;

const DOING: &str = "keep vectors";

/// A row of the models.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    id: i64,
    collection: String,
    of: EmbeddingModel,
    encoding: VectorEncoding,
    /// How many vectors of it there are.
    vectors: usize,
}

fn model(row: &Row<'_>) -> Result<Model> {
    Ok(Model {
        id: column(row, "id")?,
        collection: column(row, "collection")?,
        of: EmbeddingModel {
            name: column(row, "name")?,
            dimensions: number(row, "dimensions")?,
            is_normalized: column(row, "is_normalized")?,
        },
        encoding: encoding(row)?,
        vectors: number(row, "vectors")?,
    })
}

fn rows(connection: &Connection) -> Result<Vec<Model>> {
    all(connection, DOING, sql::MODELS, &[], model)
}

fn of(connection: &Connection, collection: &str) -> Result<Option<Model>> {
    let found = all(connection, DOING, sql::MODEL_OF, params![collection], model)?;
    Ok(found.into_iter().next())
}

/// Returns the model of each collection that has vectors.
pub(crate) fn models(connection: &Connection) -> Result<BTreeMap<String, EmbeddingModel>> {
    let every: Option<&str> = None;
    let named = |row: &Row<'_>| model(row).map(|row| (row.collection, row.of));
    let models = all(connection, DOING, sql::MODEL_OF, params![every], named)?;
    Ok(models.into_iter().collect())
}

/// Returns how many bytes all vectors take.
pub(crate) fn bytes(connection: &Connection) -> Result<u64> {
    let bytes = |row: Model| row.vectors * row.encoding.bytes(row.of.dimensions);
    Ok(rows(connection)?.into_iter().map(bytes).sum::<usize>() as u64)
}

pub(crate) fn set_model(
    connection: &Connection,
    collection: &str,
    model: &EmbeddingModel,
    encoding: VectorEncoding,
) -> Result<usize> {
    let EmbeddingModel {
        name,
        dimensions,
        is_normalized,
    } = model;
    let values = params![
        collection,
        name,
        integer(*dimensions),
        is_normalized,
        encoding.name()
    ];
    execute(connection, DOING, sql::SET_MODEL, values)?;
    let stored = expect_model(connection, collection, model)?;
    // Who asks for the default asks for nothing.
    if encoding != VectorEncoding::default() && encoding != stored.encoding {
        let collection = collection.to_owned();
        return Err(Error::OtherEncoding { collection });
    }
    execute(connection, DOING, sql::AWAIT_VECTORS, params![collection])
}

/// Returns the row of a collection's model, which has to be this one.
fn expect_model(
    connection: &Connection,
    collection: &str,
    model: &EmbeddingModel,
) -> Result<Model> {
    let stored = of(connection, collection)?;
    match stored {
        Some(stored) if stored.of == *model => Ok(stored),
        stored => {
            let stored = stored.as_ref().map(|stored| &stored.of);
            Err(Error::other_model(collection, stored, model))
        }
    }
}

pub(crate) fn remove(connection: &Connection, collection: &str) -> Result<usize> {
    let values = params![collection];
    let removed = execute(connection, DOING, sql::REMOVE_VECTORS, values)?;
    execute(connection, DOING, sql::REMOVE_MODEL, values)?;
    execute(connection, DOING, sql::AWAIT_NOTHING, values)?;
    Ok(removed)
}

pub(crate) fn pending(
    connection: &Connection,
    collection: &str,
    after: Option<&Chunk>,
    limit: usize,
) -> Result<Vec<PendingChunk>> {
    if of(connection, collection)?.is_none() {
        return Ok(Vec::new());
    }
    let (document, chunk) = after.map_or((0, 0), |after| {
        (after.document.cast_signed(), after.chunk.cast_signed())
    });
    let values = params![collection, document, chunk, integer(limit)];
    all(connection, DOING, sql::PENDING, values, |row| {
        let (text, _) = chunk_text(row)?;
        let metadata: Metadata = json(row, "metadata")?;
        Ok(PendingChunk {
            chunk: Chunk {
                collection: column(row, "collection")?,
                document: number(row, "document")? as u64,
                chunk: number(row, "chunk")? as u64,
            },
            uri: column(row, "uri")?,
            title: metadata.title,
            heading_path: json(row, "heading_path")?,
            table_head: table_head(row)?,
            text,
        })
    })
}

pub(crate) fn put(
    connection: &Connection,
    collection: &str,
    model: &EmbeddingModel,
    vectors: &[ChunkVector],
) -> Result<usize> {
    let stored = expect_model(connection, collection, model)?;
    let mut added: BTreeMap<i64, i64> = BTreeMap::new();
    for ChunkVector { chunk, vector } in vectors {
        let vector = stored.encoding.encode(&vector_of(vector, model)?);
        let values = params![stored.id, chunk.chunk.cast_signed(), vector];
        let count = execute(connection, DOING, sql::PUT_VECTOR, values)?;
        *added.entry(chunk.document.cast_signed()).or_default() += integer(count);
    }
    for (document, count) in &added {
        execute(
            connection,
            DOING,
            sql::ADD_VECTORS,
            params![document, count],
        )?;
    }
    Ok(added.len())
}

/// Looks at each vector of a document.
pub(crate) fn check(connection: &Connection, document: DocumentId) -> Result<VectorCheck> {
    let values = params![document.0.as_bytes()];
    let whole = all(connection, DOING, sql::DOCUMENT_VECTORS, values, is_whole)?;
    Ok(VectorCheck {
        vectors: whole.len(),
        damaged: whole.iter().filter(|is_whole| !**is_whole).count(),
    })
}

fn is_whole(row: &Row<'_>) -> Result<bool> {
    let bytes: Vec<u8> = column(row, "vector")?;
    let vector = encoding(row)?.decode(&bytes, number(row, "dimensions")?);
    Ok(vector.is_some_and(|vector| is_normalized(&vector)))
}

fn encoding(row: &Row<'_>) -> Result<VectorEncoding> {
    let name = text(row, "encoding")?;
    VectorEncoding::from_name(name).ok_or_else(|| Error::corrupt(format!("the encoding `{name}`")))
}

/// The vectors of chunks that go, by what they were made of, while a document is written.
pub(crate) struct Kept {
    /// Nothing if the collection has no vectors.
    model: Option<i64>,
    vectors: HashMap<[u8; 16], Vec<u8>>,
}

impl Kept {
    /// Returns none of a collection yet.
    pub(crate) fn of(connection: &Connection, collection: &str) -> Result<Self> {
        let model = of(connection, collection)?.map(|model| model.id);
        let vectors = HashMap::new();
        Ok(Self { model, vectors })
    }

    /// Remembers the vectors of a section that goes.
    pub(crate) fn keep(&mut self, connection: &Connection, section: i64) -> Result<()> {
        if self.model.is_none() {
            return Ok(());
        }
        let row = |row: &Row<'_>| Ok((column(row, "text_hash")?, column(row, "vector")?));
        let vectors = all(
            connection,
            DOING,
            sql::SECTION_VECTORS,
            params![section],
            row,
        )?;
        self.vectors.extend(vectors);
        Ok(())
    }

    /// Gives a new chunk the vector of one with the same text.
    pub(crate) fn give(
        &self,
        connection: &Connection,
        number: i64,
        chunk: &IndexedChunk,
    ) -> Result<()> {
        let Some(vector) = self.vectors.get(&chunk.text_hash_prefix()) else {
            return Ok(());
        };
        let values = params![self.model, number, vector];
        execute(connection, DOING, sql::PUT_VECTOR, values).map(drop)
    }

    /// Counts the vectors of a document that was written.
    pub(crate) fn count(&self, connection: &Connection, document: i64) -> Result<()> {
        if self.model.is_none() {
            return Ok(());
        }
        execute(connection, DOING, sql::COUNT_VECTORS, params![document]).map(drop)
    }
}
