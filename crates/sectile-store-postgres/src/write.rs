//! Writing.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use sectile_core::EmbeddingModel;
use sectile_migrations::Tables;
use sectile_store::index::{self, IndexCache, Segment};
use sectile_store::{
    ChunkVector, Error, FailedDocument, IndexedDocument, IndexedSection, Note, REPAIRING, Result,
    Summary,
};
use sqlx::postgres::{PgArguments, Postgres};
use sqlx::query::Query;
use sqlx::{PgConnection, Row as _};
use uuid::Uuid;

use crate::columns::{column, integer, number};
use crate::document::Key;
use crate::error::backend;
use crate::index::Index;
use crate::new_rows::{NewRows, Placed, ends, number_chunks};
use crate::sql::query;
use crate::{key, sql, vectors};

/// Something to be done in one transaction.
pub(crate) enum Change {
    /// Write documents in place of their earlier versions.
    Put(Vec<IndexedDocument>),
    /// Record documents that could not be read.
    Fail(Vec<FailedDocument>),
    /// Remove documents.
    Remove(Vec<Uuid>),
    /// Declare the fields of a collection's natural key.
    DeclareKey(String, Vec<String>),
    /// Set the model of a collection.
    SetModel(String, EmbeddingModel),
    /// Remove the vectors and the model of a collection.
    RemoveVectors(String),
    /// Add vectors of a model to chunks of a collection.
    PutVectors(String, EmbeddingModel, Vec<ChunkVector>),
    /// Record why the vectors of a collection could not be made.
    VectorError(String, String),
    /// Keep what sections of a document say in short.
    PutSummaries(Uuid, Vec<Summary>),
    /// Keep a note, or remove it.
    PutNote(Note),
    /// Remove the index of a collection.
    DropIndex(String),
    /// Merge all segments of each collection into one.
    Optimize,
}

impl Change {
    /// Makes the change and returns how many documents it touched. All changes lock documents in
    /// the order of their keys, so that none waits for another that waits for it.
    pub(crate) async fn apply(
        self,
        connection: &mut PgConnection,
        tables: &Tables,
        cache: &IndexCache,
    ) -> Result<usize> {
        let mut writer = Writer {
            connection,
            tables,
            cache,
            segments: BTreeMap::new(),
            dimensions: HashMap::new(),
            key_fields: HashMap::new(),
            rows: NewRows::default(),
        };
        match self {
            Self::Put(mut documents) => {
                let key = |document: &IndexedDocument| {
                    (document.collection.clone(), document.uri.clone())
                };
                documents.sort_by_cached_key(key);
                writer.read_collections(&documents).await?;
                writer.put_all(&documents).await?;
                writer.write_index().await?;
                Ok(documents.len())
            }
            Self::Fail(mut documents) => {
                let key =
                    |document: &FailedDocument| (document.collection.clone(), document.uri.clone());
                documents.sort_by_cached_key(key);
                for document in &documents {
                    writer.fail(document).await?;
                }
                Ok(documents.len())
            }
            Self::Remove(documents) => {
                let removed = writer.remove(&documents).await?;
                writer.write_index().await?;
                Ok(removed)
            }
            Self::DeclareKey(collection, fields) => {
                key::declare(writer.connection, tables, &collection, &fields).await
            }
            Self::SetModel(collection, model) => {
                vectors::set_model(writer.connection, tables, &collection, &model).await
            }
            Self::RemoveVectors(collection) => {
                vectors::remove(writer.connection, tables, &collection).await
            }
            Self::PutVectors(collection, model, vectors) => {
                vectors::put(writer.connection, tables, &collection, &model, vectors).await
            }
            Self::VectorError(collection, error) => {
                let record = query(tables, sql::VECTOR_ERROR)
                    .bind(collection)
                    .bind(error);
                let waiting = writer.execute("write a failure", record).await?;
                Ok(waiting as usize)
            }
            Self::PutSummaries(document, summaries) => {
                writer.put_summaries(document, &summaries).await
            }
            Self::PutNote(note) => {
                let change = if note.text.is_empty() {
                    query(tables, sql::REMOVE_NOTE)
                        .bind(note.collection)
                        .bind(note.prefix)
                } else {
                    query(tables, sql::PUT_NOTE)
                        .bind(note.collection)
                        .bind(note.prefix)
                        .bind(note.text)
                };
                let changed = writer.execute("write a note", change).await?;
                Ok(changed as usize)
            }
            Self::DropIndex(collection) => writer.drop_index(&collection).await,
            Self::Optimize => writer.optimize().await,
        }
    }
}

/// What the store has of a document that is written anew.
struct Stored<'d> {
    key: Key<'d>,
    /// The number of its first new chunk.
    next_chunk: i64,
    /// What each section was made of.
    sections: HashMap<Uuid, Vec<u8>>,
    /// The numbers of the chunks, by section and place in it.
    numbers: HashMap<(Uuid, i64), i64>,
}

/// Returns whether two documents that follow each other are not versions of one.
fn is_another(one: &IndexedDocument, next: &IndexedDocument) -> bool {
    one.collection != next.collection || one.uri != next.uri
}

/// A connection within a transaction.
struct Writer<'c> {
    connection: &'c mut PgConnection,
    tables: &'c Tables,
    cache: &'c IndexCache,
    /// What is added to the index of each collection.
    segments: BTreeMap<String, Segment>,
    /// How many dimensions the vectors of a collection have that has any.
    dimensions: HashMap<String, usize>,
    /// The fields of the key of each collection that is written to.
    key_fields: HashMap<String, Vec<String>>,
    /// The new sections and chunks of documents.
    rows: NewRows,
}

impl Writer<'_> {
    /// Returns a statement about a document.
    fn of<'q>(&self, sql: &'static str, key: Key<'_>) -> Query<'q, Postgres, PgArguments> {
        query(self.tables, sql)
            .bind(key.collection.to_owned())
            .bind(key.document)
    }

    async fn execute(
        &mut self,
        doing: &'static str,
        query: Query<'_, Postgres, PgArguments>,
    ) -> Result<u64> {
        let done = query.execute(&mut *self.connection).await;
        Ok(done.map_err(backend(doing))?.rows_affected())
    }

    /// Reads what is said of the documents' collections; their models stay until the end.
    async fn read_collections(&mut self, documents: &[IndexedDocument]) -> Result<()> {
        let collections: BTreeSet<&str> = documents
            .iter()
            .map(|document| document.collection.as_str())
            .collect();
        for collection in collections {
            if let Some(model) = vectors::of(self.connection, self.tables, collection).await? {
                self.dimensions
                    .insert(collection.to_owned(), model.dimensions);
            }
            let fields = key::fields(self.connection, self.tables, collection).await?;
            self.key_fields.insert(collection.to_owned(), fields);
        }
        Ok(())
    }

    /// Writes documents in the order of their keys.
    async fn put_all(&mut self, documents: &[IndexedDocument]) -> Result<()> {
        // A later version of a document is compared with the rows of the one before.
        let batches: Vec<&[IndexedDocument]> = documents.chunk_by(is_another).collect();
        let mut later = documents;
        for batch in batches {
            self.put_batch(later, batch.len()).await?;
            self.rows.write(self.connection, self.tables).await?;
            later = &later[batch.len()..];
        }
        Ok(())
    }

    /// Writes the first of some documents, each of which is another one. What the store has of them is read at once.
    async fn put_batch(&mut self, all: &[IndexedDocument], count: usize) -> Result<()> {
        let mut stored = Vec::with_capacity(count);
        for (place, document) in all[..count].iter().enumerate() {
            stored.push(self.put_document(document, &all[place + 1..]).await?);
        }
        self.read_stored(&mut stored).await?;
        for (document, stored) in all.iter().zip(stored) {
            if self.rows.is_full() {
                self.rows.write(self.connection, self.tables).await?;
            }
            self.put(document, stored).await?;
        }
        Ok(())
    }

    /// Writes what a document holds, of which new rows are only gathered. A section that did not change keeps its row,
    /// its chunks and their entries.
    async fn put(&mut self, document: &IndexedDocument, stored: Stored<'_>) -> Result<()> {
        let Stored {
            key,
            next_chunk,
            sections: stored,
            numbers,
        } = stored;
        let mut kept = Vec::new();
        let mut new = Vec::new();
        for place in document.sections.iter().enumerate() {
            let hash = document.index_hash(place.1);
            let old = stored.get(&place.1.section.id.0);
            if old.is_some_and(|old| old == hash.as_bytes()) {
                kept.push(place);
            } else {
                new.push(place);
            }
        }
        let kept_uids: HashSet<Uuid> = kept.iter().map(|place| place.1.section.id.0).collect();
        let gone: HashSet<Uuid> = stored
            .into_keys()
            .filter(|uid| !kept_uids.contains(uid))
            .collect();
        let chunks = number_chunks(document, &numbers, &gone, next_chunk);
        let dimensions = self.dimensions.get(key.collection).copied();
        let mut vectors = vectors::Kept::new(key, dimensions);
        vectors.keep(self.connection, self.tables, &gone).await?;
        self.delete_sections(key, &gone).await?;
        self.move_sections(key, &kept).await?;
        self.rows.add_sections(key, document, &new)?;
        self.rows.add_chunks(key, &chunks);
        let new_chunks = chunks.iter().filter(|placed| placed.is_new);
        let hashes = new_chunks.map(|placed| (placed.number, placed.chunk().text_hash_prefix()));
        if vectors.has_any() {
            // A vector can only be given to a chunk that is there.
            self.rows.write(self.connection, self.tables).await?;
        }
        vectors.give(self.connection, self.tables, hashes).await?;
        self.index(key, &document.language, &chunks);
        let segment = self.segments.entry(document.collection.clone());
        segment
            .or_default()
            .describe(&document.words, &document.language);
        Ok(())
    }

    /// Writes what is known of a document as a whole, whose row is locked then.
    async fn put_document<'d>(
        &mut self,
        document: &'d IndexedDocument,
        later: &[IndexedDocument],
    ) -> Result<Stored<'d>> {
        let fields = &self.key_fields[&document.collection];
        let natural_key = key::of(self.connection, self.tables, document, later, fields).await?;
        let row = query(self.tables, sql::PUT_DOCUMENT)
            .bind(&document.collection)
            .bind(&document.uri)
            .bind(document.format.name())
            .bind(document.content_hash.as_bytes().as_slice())
            .bind(&document.index_version)
            .bind(serde_json::to_string(&document.metadata).map_err(Error::corrupt)?)
            .bind(integer(document.sections.len()))
            .bind(integer(document.chunk_count()))
            .bind(integer(document.token_count()))
            .bind(integer(document.chunk_count()))
            .bind(document.now.cast_signed())
            .bind(document.term_count().cast_signed())
            .bind(document.id.0)
            .bind(natural_key)
            .bind(&document.language)
            .bind(document.checksum()?.as_bytes().to_vec())
            .fetch_one(&mut *self.connection)
            .await
            .map_err(backend("write a document"))?;
        let number = |at| row.try_get(at).map_err(backend("write a document"));
        let key = Key {
            collection: &document.collection,
            document: number(0)?,
        };
        Ok(Stored {
            key,
            next_chunk: number(1)?,
            sections: HashMap::new(),
            numbers: HashMap::new(),
        })
    }

    /// Reads the sections and the chunks that documents have in the store.
    async fn read_stored(&mut self, documents: &mut [Stored<'_>]) -> Result<()> {
        let collections = list(documents.iter(), |stored| stored.key.collection.to_owned());
        let numbers = list(documents.iter(), |stored| stored.key.document);
        let sections = query(self.tables, sql::SECTION_HASHES)
            .bind(&collections)
            .bind(&numbers)
            .fetch_all(&mut *self.connection)
            .await
            .map_err(backend("read the sections of documents"))?;
        for row in &sections {
            let stored = &mut documents[number(row, "number")? - 1];
            let hash = column(row, "index_hash")?;
            stored.sections.insert(column(row, "uid")?, hash);
        }
        let chunks = query(self.tables, sql::CHUNK_NUMBERS)
            .bind(&collections)
            .bind(&numbers)
            .fetch_all(&mut *self.connection)
            .await
            .map_err(backend("read the chunks of documents"))?;
        for row in &chunks {
            let stored = &mut documents[number(row, "number")? - 1];
            let place = (column(row, "section_uid")?, column(row, "chunk_index")?);
            stored.numbers.insert(place, column(row, "chunk")?);
        }
        Ok(())
    }

    async fn delete_sections(&mut self, key: Key<'_>, gone: &HashSet<Uuid>) -> Result<()> {
        if gone.is_empty() {
            return Ok(());
        }
        for statement in [sql::BURY_CHUNKS, sql::DELETE_CHUNKS, sql::DELETE_SECTIONS] {
            let delete = self.of(statement, key).bind(list(gone.iter(), |uid| *uid));
            self.execute("delete sections", delete).await?;
        }
        Ok(())
    }

    async fn move_sections(
        &mut self,
        key: Key<'_>,
        kept: &[(usize, &IndexedSection)],
    ) -> Result<()> {
        if kept.is_empty() {
            return Ok(());
        }
        let moved = with_places(self.of(sql::MOVE_SECTIONS, key), kept);
        self.execute("move sections", moved).await.map(drop)
    }

    /// Adds the new chunks of a document in a language to the index of its collection.
    fn index(&mut self, key: Key<'_>, language: &str, chunks: &[Placed<'_>]) {
        let segment = self.segments.entry(key.collection.to_owned()).or_default();
        let mut new: Vec<_> = chunks.iter().filter(|placed| placed.is_new).collect();
        new.sort_unstable_by_key(|placed| placed.number);
        for placed in new {
            let numbers = (key.document.cast_unsigned(), placed.number.cast_unsigned());
            let terms = &placed.chunk().terms;
            segment.add(numbers, language, &placed.section.path_terms, terms);
        }
    }

    /// Writes the index of all that was added, and clears that of what was removed.
    async fn write_index(self) -> Result<()> {
        let mut index = Index {
            connection: self.connection,
            tables: self.tables,
            cache: self.cache,
        };
        index::update(&mut index, self.segments).await
    }

    /// Removes the index of a collection, and notes that its documents are in none.
    async fn drop_index(self, collection: &str) -> Result<usize> {
        let doing = "remove the index";
        let lock = query(self.tables, sql::LOCK_COLLECTION).bind(collection);
        lock.fetch_all(&mut *self.connection)
            .await
            .map_err(backend(doing))?;
        let mut index = Index {
            connection: &mut *self.connection,
            tables: self.tables,
            cache: self.cache,
        };
        index::clear(&mut index, collection).await?;
        let forget = query(self.tables, sql::FORGET_HASHES).bind(collection);
        let forgotten = forget.execute(&mut *self.connection).await;
        forgotten.map_err(backend(doing))?;
        let prefix = query(self.tables, sql::PREFIX_VERSIONS)
            .bind(collection)
            .bind(REPAIRING);
        let prefixed = prefix.execute(&mut *self.connection).await;
        Ok(prefixed.map_err(backend(doing))?.rows_affected() as usize)
    }

    async fn optimize(self) -> Result<usize> {
        let collections = query(self.tables, sql::COLLECTIONS);
        let rows = collections.fetch_all(&mut *self.connection).await;
        let rows = rows.map_err(backend("optimize the index"))?;
        let mut index = Index {
            connection: self.connection,
            tables: self.tables,
            cache: self.cache,
        };
        for row in &rows {
            let collection: String = column(row, "collection")?;
            index::compact(&mut index, &collection).await?;
        }
        Ok(0)
    }

    async fn fail(&mut self, document: &FailedDocument) -> Result<()> {
        let fail = query(self.tables, sql::FAIL_DOCUMENT)
            .bind(&document.collection)
            .bind(&document.uri)
            .bind(document.content_hash.as_bytes().as_slice())
            .bind(&document.index_version)
            .bind(&document.error)
            .bind(document.now.cast_signed())
            .bind(document.id.0)
            .bind("{}");
        self.execute("write a failure", fail).await.map(drop)
    }

    async fn put_summaries(&mut self, document: Uuid, summaries: &[Summary]) -> Result<usize> {
        let put = query(self.tables, sql::PUT_SUMMARIES)
            .bind(document)
            .bind(list(summaries.iter(), |summary| summary.section.0))
            .bind(list(summaries.iter(), |summary| {
                summary.content_hash.as_bytes().to_vec()
            }))
            .bind(list(summaries.iter(), |summary| summary.text.clone()));
        let kept = self.execute("write summaries", put).await?;
        Ok(kept as usize)
    }

    async fn remove(&mut self, documents: &[Uuid]) -> Result<usize> {
        let found = query(self.tables, sql::LOCK_DOCUMENTS).bind(documents);
        let found = found.fetch_all(&mut *self.connection).await;
        let found = found.map_err(backend("find documents"))?;
        let key = |row| Ok((column(row, "collection")?, column(row, "document")?));
        let keys: Result<Vec<(String, i64)>> = found.iter().map(key).collect();
        let (collections, numbers): (Vec<_>, Vec<_>) = keys?.into_iter().unzip();
        for statement in sql::REMOVE {
            let remove = query(self.tables, statement)
                .bind(&collections)
                .bind(&numbers);
            self.execute("remove documents", remove).await?;
        }
        for collection in collections {
            // Nothing is added, but what is dead may have to be cleared away.
            self.segments.entry(collection).or_default();
        }
        Ok(found.len())
    }
}

/// Binds where sections stand: uid, position, parent, level, lines and pages.
fn with_places<'q>(
    query: Query<'q, Postgres, PgArguments>,
    sections: &[(usize, &IndexedSection)],
) -> Query<'q, Postgres, PgArguments> {
    let trees = || sections.iter().map(|(_, section)| &section.section);
    let pages = || sections.iter().map(|(_, section)| ends(section.pages));
    query
        .bind(list(trees(), |tree| tree.id.0))
        .bind(list(sections.iter(), |(position, _)| integer(*position)))
        .bind(list(trees(), |tree| tree.parent.map(integer)))
        .bind(list(trees(), |tree| i16::from(tree.level)))
        .bind(list(trees(), |tree| integer(tree.lines.first)))
        .bind(list(trees(), |tree| integer(tree.lines.last)))
        .bind(list(pages(), |(first, _)| first))
        .bind(list(pages(), |(_, last)| last))
}

fn list<T, U>(items: impl Iterator<Item = T>, value: impl FnMut(T) -> U) -> Vec<U> {
    items.map(value).collect()
}
