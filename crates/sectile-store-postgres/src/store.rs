//! The store: its connections, and the trait over the other modules.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::time::Duration;

use async_trait::async_trait;
use sectile_core::{DocumentId, EmbeddingModel, SectionId};
use sectile_migrations::{STORE_POSTGRES, Tables};
use sectile_postgres::{Lease, Pool, connect_options, in_a_task};
use sectile_store::index::{self, IndexCache};
use sectile_store::{
    Answer, ChunkRecord, ChunkVector, DocumentRecord, Error, FailedDocument, FoundDocument, Health,
    IndexedDocument, Jobs, Language, Note, PendingChunk, Result, Scope, SearchRequest,
    SectionRecord, Store, Summary, Totals, VectorCheck, VectorCoverage, VectorEncoding, shown_url,
};
use sqlx::AssertSqlSafe;
use sqlx::postgres::PgConnectOptions;

use crate::error::{backend, migration, unusable};
use crate::index::Index;
use crate::vectors::nearest;
use crate::write::Change;
use crate::{key, partition, read, sql, vectors};

/// The most connections at once.
const CONNECTIONS: u32 = 10;

/// How long a call waits for a connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(30);

/// A store in Postgres. Clones share its connections.
#[derive(Clone, Debug)]
pub struct PostgresStore {
    pub(crate) pool: Pool,
    pub(crate) tables: Tables,
    indexed: usize,
    cache: IndexCache,
}

impl PostgresStore {
    /// Opens the store in the database at `url`, `postgres://USER:PASSWORD@HOST/DATABASE`, making
    /// its tables where they are missing.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidUrl`] for an address that cannot be read, [`Error::NewerSchema`] when a newer
    /// release wrote the tables, [`Error::LaterSchema`] when only a later schema of the search path
    /// has them, [`Error::Unavailable`] when the server cannot be reached.
    pub async fn open(url: &str) -> Result<Self> {
        Self::open_in(url, None).await
    }

    /// Checks that a store may be at `url`, without connecting to it.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidUrl`] for an address that cannot be read.
    pub fn check_url(url: &str) -> Result<()> {
        options(url).map(drop)
    }

    /// Opens the store as [`open`](Self::open) does, with its tables in a database schema, which is
    /// made if it is missing: lower-case ASCII letters, digits and underscores.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open), and [`Error::InvalidUrl`] for another name of a schema.
    pub async fn open_in(url: &str, schema: Option<&str>) -> Result<Self> {
        let options = options(url)?;
        let tables = Tables::new(schema, "").ok_or_else(|| {
            invalid(
                url,
                "its schema needs lower-case letters, digits and _".into(),
            )
        })?;
        let store = Self {
            pool: Pool::new(options, CONNECTIONS, ACQUIRE_TIMEOUT),
            tables,
            indexed: nearest::INDEXED,
            cache: IndexCache::default(),
        };
        store.migrate().await?;
        Ok(store)
    }

    /// Sets how many vectors of a size there are before they get an index (HNSW), which
    /// [`optimize`](Store::optimize) makes; 50,000 if not told. Fewer are all looked at, which finds the
    /// nearest for certain where an index misses one in some hundreds.
    #[must_use]
    pub const fn with_vector_index_from(mut self, vectors: usize) -> Self {
        self.indexed = vectors;
        self
    }

    /// Closes the connections. Clones cannot be used any more.
    pub async fn close(self) {
        self.pool.close().await;
    }

    async fn migrate(&self) -> Result<()> {
        let store = self.clone();
        let done = in_a_task(async move {
            let mut lease = store.pool.acquire_alive().await.map_err(unusable)?;
            let (connection, tables) = (lease.connection(), &store.tables);
            sectile_migrations::postgres::migrate(connection, &STORE_POSTGRES, tables)
                .await
                .map_err(migration)?;
            lease.keep();
            Ok(())
        });
        done.await.map_err(unusable)?
    }

    /// Makes the table of vectors if it is missing.
    async fn prepare_vectors(&self, model: &EmbeddingModel) -> Result<()> {
        let (store, model) = (self.clone(), model.clone());
        let done = in_a_task(async move {
            let mut lease = store.pool.acquire_alive().await.map_err(unusable)?;
            vectors::prepare(lease.connection(), &store.tables, &model).await?;
            lease.keep();
            Ok(())
        });
        done.await.map_err(unusable)?
    }

    /// Makes an index of vectors of which there are many.
    async fn index_vectors(&self) -> Result<()> {
        let store = self.clone();
        let done = in_a_task(async move {
            let mut lease = store.pool.acquire_alive().await.map_err(unusable)?;
            store.begin_change(&mut lease).await?;
            nearest::prepare(lease.connection(), &store.tables, store.indexed).await?;
            lease.commit().await.map_err(backend("commit a change"))
        });
        done.await.map_err(unusable)?
    }

    /// Makes a change in a task of its own, so that it ends even if the caller goes away, and
    /// returns how many documents it touched.
    async fn write(&self, change: Change) -> Result<usize> {
        let store = self.clone();
        let touched = in_a_task(async move {
            let mut lease = store.pool.acquire_alive().await.map_err(unusable)?;
            store.begin_change(&mut lease).await?;
            let (tables, cache) = (&store.tables, &store.cache);
            let touched = change.apply(lease.connection(), tables, cache).await?;
            lease.commit().await.map_err(backend("commit a change"))?;
            Ok(touched)
        });
        touched.await.map_err(unusable)?
    }

    /// Begins a change, which locks nothing while it waits for a swap of partitions.
    async fn begin_change(&self, lease: &mut Lease) -> Result<()> {
        let lock = self.tables.sql(sql::AWAIT_SWAP_TO_WRITE);
        let begun = lease.begin_with(&lock).await;
        begun.map_err(backend("begin a change"))
    }

    /// Begins to read: all that is read until the connection is kept is of one moment.
    async fn snapshot(&self) -> Result<Lease> {
        let mut lease = self.pool.acquire_alive().await.map_err(unusable)?;
        // What is read is of a moment at which no tables are swapped.
        let begun = lease
            .begin_snapshot_with(&self.tables.sql(sql::AWAIT_SWAP))
            .await;
        begun.map_err(backend("begin to read"))?;
        Ok(lease)
    }
}

fn options(url: &str) -> Result<PgConnectOptions> {
    connect_options(url).map_err(|error| invalid(url, error.to_string()))
}

fn invalid(url: &str, reason: String) -> Error {
    Error::InvalidUrl {
        url: shown_url(url),
        reason,
    }
}

/// Ends reading.
async fn end<T>(lease: Lease, read: Result<T>) -> Result<T> {
    let found = read?;
    lease.commit().await.map_err(backend("end reading"))?;
    Ok(found)
}

#[async_trait]
impl Store for PostgresStore {
    async fn put(&self, documents: Vec<IndexedDocument>) -> Result<()> {
        documents.iter().try_for_each(IndexedDocument::validate)?;
        self.write(Change::Put(documents)).await.map(drop)
    }

    async fn put_failed(&self, documents: Vec<FailedDocument>) -> Result<()> {
        self.write(Change::Fail(documents)).await.map(drop)
    }

    async fn remove(&self, documents: &[DocumentId]) -> Result<usize> {
        let uids: HashSet<_> = documents.iter().map(|document| document.0).collect();
        self.write(Change::Remove(uids.into_iter().collect())).await
    }

    async fn documents(&self, scope: &Scope) -> Result<Vec<DocumentRecord>> {
        let mut lease = self.snapshot().await?;
        let found = read::documents(lease.connection(), &self.tables, scope).await;
        end(lease, found).await
    }

    async fn found_documents(&self) -> Result<Vec<FoundDocument>> {
        let mut lease = self.snapshot().await?;
        let found = read::found_documents(lease.connection(), &self.tables).await;
        end(lease, found).await
    }

    async fn found_document(&self, document: DocumentId) -> Result<Option<FoundDocument>> {
        let mut lease = self.snapshot().await?;
        let found = read::found_by_id(lease.connection(), &self.tables, document).await;
        end(lease, found).await
    }

    async fn sections(&self, document: DocumentId) -> Result<Vec<SectionRecord>> {
        let mut lease = self.snapshot().await?;
        let found = read::sections(lease.connection(), &self.tables, document).await;
        end(lease, found).await
    }

    async fn content(&self, document: DocumentId, positions: Range<usize>) -> Result<Vec<String>> {
        let mut lease = self.snapshot().await?;
        let found = read::content(lease.connection(), &self.tables, document, positions).await;
        end(lease, found).await
    }

    async fn find_section(
        &self,
        section: SectionId,
        scope: &Scope,
    ) -> Result<Vec<(DocumentRecord, usize)>> {
        let mut lease = self.snapshot().await?;
        let found = read::find_section(lease.connection(), &self.tables, section, scope).await;
        end(lease, found).await
    }

    async fn search(&self, request: &SearchRequest) -> Result<Answer> {
        let mut lease = self.snapshot().await?;
        let mut index = Index {
            connection: lease.connection(),
            tables: &self.tables,
            cache: &self.cache,
        };
        let found = index::search(&mut index, request).await;
        let found = match found {
            Ok(mut answer) if !answer.hits.is_empty() => {
                let notes = read::notes(lease.connection(), &self.tables).await;
                notes.map(|notes| {
                    answer.set_about(notes);
                    answer
                })
            }
            found => found,
        };
        end(lease, found).await
    }

    async fn declare_key(&self, collection: &str, fields: &[String]) -> Result<()> {
        let declare = Change::DeclareKey(collection.to_owned(), fields.to_vec());
        self.write(declare).await.map(drop)
    }

    async fn key_fields(&self, collection: &str) -> Result<Vec<String>> {
        let mut lease = self.snapshot().await?;
        let fields = key::fields(lease.connection(), &self.tables, collection).await;
        end(lease, fields).await
    }

    async fn sections_in(&self, scope: &Scope) -> Result<Vec<(DocumentRecord, SectionRecord)>> {
        let mut lease = self.snapshot().await?;
        let found = read::sections_in(lease.connection(), &self.tables, scope).await;
        end(lease, found).await
    }

    async fn set_model(
        &self,
        collection: &str,
        model: &EmbeddingModel,
        _: VectorEncoding,
    ) -> Result<()> {
        self.prepare_vectors(model).await?;
        let set = Change::SetModel(collection.to_owned(), model.clone());
        self.write(set).await.map(drop)
    }

    async fn remove_vectors(&self, collection: &str) -> Result<()> {
        let remove = Change::RemoveVectors(collection.to_owned());
        self.write(remove).await.map(drop)
    }

    async fn pending(
        &self,
        collection: &str,
        after: Option<&index::Chunk>,
        limit: usize,
    ) -> Result<Vec<PendingChunk>> {
        let mut lease = self.snapshot().await?;
        let (connection, tables) = (lease.connection(), &self.tables);
        let found = vectors::pending(connection, tables, collection, after, limit).await;
        end(lease, found).await
    }

    async fn put_vectors(
        &self,
        collection: &str,
        model: &EmbeddingModel,
        vectors: Vec<ChunkVector>,
    ) -> Result<()> {
        let put = Change::PutVectors(collection.to_owned(), model.clone(), vectors);
        self.write(put).await.map(drop)
    }

    async fn check_vectors(&self, document: DocumentId) -> Result<VectorCheck> {
        let mut lease = self.snapshot().await?;
        let found = vectors::check(lease.connection(), &self.tables, document).await;
        end(lease, found).await
    }

    async fn put_vector_error(&self, collection: &str, error: &str) -> Result<()> {
        let record = Change::VectorError(collection.to_owned(), error.to_owned());
        self.write(record).await.map(drop)
    }

    async fn put_summaries(&self, document: DocumentId, summaries: Vec<Summary>) -> Result<()> {
        let put = Change::PutSummaries(document.0, summaries);
        self.write(put).await.map(drop)
    }

    async fn notes(&self) -> Result<Vec<Note>> {
        let mut lease = self.snapshot().await?;
        let found = read::notes(lease.connection(), &self.tables).await;
        end(lease, found).await
    }

    async fn put_note(&self, note: &Note) -> Result<()> {
        self.write(Change::PutNote(note.clone())).await.map(drop)
    }

    async fn chunks(&self, document: DocumentId) -> Result<Vec<ChunkRecord>> {
        let mut lease = self.snapshot().await?;
        let found = read::chunks(lease.connection(), &self.tables, document).await;
        end(lease, found).await
    }

    async fn outdated(&self, index_version: &str) -> Result<usize> {
        let mut lease = self.snapshot().await?;
        let found = read::outdated(lease.connection(), &self.tables, index_version).await;
        end(lease, found).await
    }

    async fn in_other_language(
        &self,
        collection: &str,
        language: Language,
        index_version: &str,
    ) -> Result<usize> {
        let mut lease = self.snapshot().await?;
        let (connection, tables) = (lease.connection(), &self.tables);
        let code = language.code();
        let found =
            read::in_other_language(connection, tables, collection, code, index_version).await;
        end(lease, found).await
    }

    async fn lacking_vectors(
        &self,
        collection: Option<&str>,
    ) -> Result<BTreeMap<String, VectorCoverage>> {
        let mut lease = self.snapshot().await?;
        let found = read::lacking_vectors(lease.connection(), &self.tables, collection).await;
        end(lease, found).await
    }

    async fn collections(&self) -> Result<Vec<String>> {
        let mut lease = self.snapshot().await?;
        let found = read::collections(lease.connection(), &self.tables).await;
        end(lease, found).await
    }

    async fn totals(&self) -> Result<Totals> {
        let mut lease = self.snapshot().await?;
        let found = read::totals(lease.connection(), &self.tables).await;
        end(lease, found).await
    }

    async fn health(&self) -> Result<Health> {
        let mut lease = self.snapshot().await?;
        let found = read::health(lease.connection(), &self.tables).await;
        end(lease, found).await
    }

    async fn partition(&self, collection: &str) -> Result<bool> {
        // The connection is closed in the end, which ends its lock. A move that is dropped before is one that was broken off.
        let mut lease = self.pool.acquire_alive().await.map_err(unusable)?;
        partition::make(lease.connection(), &self.tables, collection).await
    }

    async fn index_checksums(&self, collection: &str) -> Result<index::Checksums> {
        let mut lease = self.snapshot().await?;
        let mut index = Index {
            connection: lease.connection(),
            tables: &self.tables,
            cache: &self.cache,
        };
        let read = crate::index::checksums(&mut index, collection).await;
        end(lease, read).await
    }

    async fn drop_index(&self, collection: &str) -> Result<()> {
        let drop_index = Change::DropIndex(collection.to_owned());
        self.write(drop_index).await.map(drop)
    }

    async fn optimize(&self) -> Result<()> {
        self.write(Change::Optimize).await?;
        self.index_vectors().await?;
        let mut lease = self.pool.acquire_alive().await.map_err(unusable)?;
        for statement in sql::OPTIMIZE {
            let sql = AssertSqlSafe(self.tables.sql(statement));
            let done = sqlx::raw_sql(sql).execute(lease.connection()).await;
            done.map_err(backend("optimize the tables"))?;
        }
        lease.keep();
        Ok(())
    }

    fn jobs(&self) -> Option<&dyn Jobs> {
        Some(self)
    }
}
