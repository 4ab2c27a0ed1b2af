//! The store: the trait over the other modules.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use async_trait::async_trait;
use sectile_core::{DocumentId, EmbeddingModel, SectionId};
use sectile_sqlite::rusqlite::Connection;
use sectile_sqlite::{in_snapshot, now};
use sectile_store::index;
use sectile_store::{
    Answer, ChunkRecord, ChunkVector, DocumentRecord, FailedDocument, FoundDocument, Health,
    IndexedDocument, Language, Note, PendingChunk, Result, Scope, SearchRequest, SectionRecord,
    Store, Summary, Totals, VectorCheck, VectorCoverage, VectorEncoding,
};

use crate::connections::Connections;
use crate::error::{backend, unusable};
use crate::index::{Caches, Index};
use crate::vectors::{self, Cache};
use crate::write::Change;
use crate::{key, read, sql};

/// A store in one SQLite file.
#[derive(Clone)]
pub struct SqliteStore {
    connections: Connections,
    caches: Caches,
}

impl std::fmt::Debug for SqliteStore {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("SqliteStore")
            .field("file", &self.connections.path())
            .finish_non_exhaustive()
    }
}

impl SqliteStore {
    /// Opens the store in `path`, making the file, its folder and its tables where they are
    /// missing. A file that is there and cannot be written is opened to be read; what would write to it is
    /// [`Error::ReadOnly`](sectile_store::Error::ReadOnly).
    ///
    /// # Errors
    ///
    /// [`Error::InvalidUrl`](sectile_store::Error::InvalidUrl) when the path cannot hold a store or the file is another
    /// program's, [`Error::NewerSchema`](sectile_store::Error::NewerSchema) when a newer release wrote it,
    /// [`Error::Unavailable`](sectile_store::Error::Unavailable) when others keep it locked for half a minute.
    pub async fn open(path: impl AsRef<Path>) -> Result<Self> {
        let connections = Connections::make(path.as_ref()).await?;
        Ok(Self::with_connections(connections))
    }

    /// Opens the store in `path` as [`open`](Self::open) does, but makes nothing: a file that is missing, is empty or has
    /// only checkpoints is an empty store, until something is written to it.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open).
    pub async fn open_lazily(path: impl AsRef<Path>) -> Result<Self> {
        let connections = Connections::find(path.as_ref(), true).await?;
        Ok(Self::with_connections(connections))
    }

    /// Opens the store in `path` as [`open_lazily`](Self::open_lazily) does, to be read: the way in which the file is
    /// written stays, too. A store of an earlier release is brought up to date.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open).
    pub async fn open_to_read(path: impl AsRef<Path>) -> Result<Self> {
        let connections = Connections::find(path.as_ref(), false).await?;
        Ok(Self::with_connections(connections))
    }

    /// Makes a store that no file holds and that is gone with its last clone.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    pub async fn in_memory() -> Result<Self> {
        Ok(Self::with_connections(Connections::in_memory().await?))
    }

    fn with_connections(connections: Connections) -> Self {
        Self {
            connections,
            caches: Caches::default(),
        }
    }

    /// Sets how many bytes of vectors stay in memory; 1 GiB if not told. If there are more, each question
    /// reads all of them from the file.
    #[must_use]
    pub fn with_vector_memory(mut self, bytes: usize) -> Self {
        self.caches.vectors = Cache::of_size(bytes);
        self
    }

    /// Closes the connections, which moves the write-ahead log into the file. Clones cannot be used
    /// any more.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    pub async fn close(self) -> Result<()> {
        self.connections.close().await
    }

    /// Makes a change, which goes on to its end even if the caller goes away, and returns how many
    /// documents it touched. What removes something does not make a store.
    async fn write(&self, change: Change) -> Result<usize> {
        if !change.adds() && self.connections.path_without_store().await?.is_some() {
            return Ok(0);
        }
        let writer = self.connections.writer().await?;
        let touched = writer.run(|connection| change.apply(connection));
        touched.await.map_err(unusable)?
    }

    /// Reads where waiting holds nobody up.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let read = match self.connections.to_read().await? {
            Connections::One(writer) => writer.run(work).await,
            Connections::Many(_, readers) | Connections::ReadOnly(readers) => {
                readers.run(work).await
            }
            Connections::Pending(_) => unreachable!("what reads is open"),
        };
        read.map_err(unusable)?
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn put(&self, documents: Vec<IndexedDocument>) -> Result<()> {
        documents.iter().try_for_each(IndexedDocument::validate)?;
        self.write(Change::Put(documents)).await.map(drop)
    }

    async fn put_failed(&self, documents: Vec<FailedDocument>) -> Result<()> {
        self.write(Change::Fail(documents)).await.map(drop)
    }

    async fn remove(&self, documents: &[DocumentId]) -> Result<usize> {
        self.write(Change::Remove(documents.to_vec())).await
    }

    async fn documents(&self, scope: &Scope) -> Result<Vec<DocumentRecord>> {
        let scope = scope.clone();
        self.read(move |connection| read::documents(connection, &scope))
            .await
    }

    async fn found_documents(&self) -> Result<Vec<FoundDocument>> {
        self.read(|connection| read::found_documents(connection))
            .await
    }

    async fn found_document(&self, document: DocumentId) -> Result<Option<FoundDocument>> {
        self.read(move |connection| read::found_by_id(connection, document))
            .await
    }

    async fn sections(&self, document: DocumentId) -> Result<Vec<SectionRecord>> {
        self.read(move |connection| read::sections(connection, document))
            .await
    }

    async fn content(&self, document: DocumentId, positions: Range<usize>) -> Result<Vec<String>> {
        self.read(move |connection| read::content(connection, document, positions))
            .await
    }

    async fn find_section(
        &self,
        section: SectionId,
        scope: &Scope,
    ) -> Result<Vec<(DocumentRecord, usize)>> {
        let scope = scope.clone();
        self.read(move |connection| read::find_section(connection, section, &scope))
            .await
    }

    async fn search(&self, request: &SearchRequest) -> Result<Answer> {
        let request = request.clone();
        let caches = self.caches.clone();
        let failed = |doing, error| backend(doing)(error);
        let search = move |connection: &mut Connection| {
            in_snapshot(connection, failed, |connection| {
                let mut index = Index::new(connection, caches);
                let mut answer = now(index::search(&mut index, &request))?;
                answer.set_about(read::notes(connection)?);
                Ok(answer)
            })
        };
        self.read(search).await
    }

    async fn declare_key(&self, collection: &str, fields: &[String]) -> Result<()> {
        let declare = Change::DeclareKey(collection.to_owned(), fields.to_vec());
        self.write(declare).await.map(drop)
    }

    async fn key_fields(&self, collection: &str) -> Result<Vec<String>> {
        let collection = collection.to_owned();
        self.read(move |connection| key::fields(connection, &collection))
            .await
    }

    async fn sections_in(&self, scope: &Scope) -> Result<Vec<(DocumentRecord, SectionRecord)>> {
        let scope = scope.clone();
        self.read(move |connection| read::sections_in(connection, &scope))
            .await
    }

    async fn set_model(
        &self,
        collection: &str,
        model: &EmbeddingModel,
        encoding: VectorEncoding,
    ) -> Result<()> {
        let set = Change::SetModel(collection.to_owned(), model.clone(), encoding);
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
        let (collection, after) = (collection.to_owned(), after.cloned());
        let read = move |connection: &mut Connection| {
            vectors::pending(connection, &collection, after.as_ref(), limit)
        };
        self.read(read).await
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
        self.read(move |connection| vectors::check(connection, document))
            .await
    }

    async fn put_vector_error(&self, collection: &str, error: &str) -> Result<()> {
        let record = Change::VectorError(collection.to_owned(), error.to_owned());
        self.write(record).await.map(drop)
    }

    async fn put_summaries(&self, document: DocumentId, summaries: Vec<Summary>) -> Result<()> {
        self.write(Change::PutSummaries(document, summaries))
            .await
            .map(drop)
    }

    async fn notes(&self) -> Result<Vec<Note>> {
        self.read(|connection| read::notes(connection)).await
    }

    async fn put_note(&self, note: &Note) -> Result<()> {
        self.write(Change::PutNote(note.clone())).await.map(drop)
    }

    async fn chunks(&self, document: DocumentId) -> Result<Vec<ChunkRecord>> {
        self.read(move |connection| read::chunks(connection, document))
            .await
    }

    async fn outdated(&self, index_version: &str) -> Result<usize> {
        let version = index_version.to_owned();
        self.read(move |connection| read::outdated(connection, &version))
            .await
    }

    async fn in_other_language(
        &self,
        collection: &str,
        language: Language,
        index_version: &str,
    ) -> Result<usize> {
        let (collection, version) = (collection.to_owned(), index_version.to_owned());
        self.read(move |connection| {
            read::in_other_language(connection, &collection, language.code(), &version)
        })
        .await
    }

    async fn lacking_vectors(
        &self,
        collection: Option<&str>,
    ) -> Result<BTreeMap<String, VectorCoverage>> {
        let collection = collection.map(str::to_owned);
        self.read(move |connection| read::lacking_vectors(connection, collection.as_deref()))
            .await
    }

    async fn collections(&self) -> Result<Vec<String>> {
        self.read(|connection| read::collections(connection)).await
    }

    async fn totals(&self) -> Result<Totals> {
        let mut totals = self.read(|connection| read::totals(connection)).await?;
        if let Some(path) = self.connections.path_without_store().await? {
            totals.bytes = std::fs::metadata(path).map_or(0, |file| file.len());
        }
        Ok(totals)
    }

    async fn health(&self) -> Result<Health> {
        self.read(|connection| read::health(connection)).await
    }

    async fn index_checksums(&self, collection: &str) -> Result<index::Checksums> {
        let collection = collection.to_owned();
        let failed = |doing, error| backend(doing)(error);
        let read = move |connection: &mut Connection| {
            in_snapshot(connection, failed, |connection| {
                crate::index::checksums(connection, &collection)
            })
        };
        self.read(read).await
    }

    async fn drop_index(&self, collection: &str) -> Result<()> {
        let drop_index = Change::DropIndex(collection.to_owned());
        self.write(drop_index).await.map(drop)
    }

    async fn optimize(&self) -> Result<()> {
        self.write(Change::Optimize).await?;
        if self.connections.path_without_store().await?.is_some() {
            return Ok(());
        }
        let shorten = |connection: &mut Connection| {
            [sql::VACUUM, sql::CHECKPOINT]
                .into_iter()
                .try_for_each(|sql| {
                    // Each step gives one page back.
                    let mut statement = connection.prepare(sql)?;
                    let mut rows = statement.query([])?;
                    while rows.next()?.is_some() {}
                    Ok(())
                })
        };
        let writer = self.connections.writer().await?;
        let shortened = writer.run(shorten).await.map_err(unusable)?;
        shortened.map_err(backend("shorten the file"))
    }
}
