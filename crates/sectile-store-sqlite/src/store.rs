//! The store: its connections, and the trait over the other modules.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use sectile_core::{DocumentId, EmbeddingModel, SectionId};
use sectile_migrations::{STORE_SQLITE, Tables};
use sectile_sqlite::rusqlite::{Connection, MAIN_DB};
use sectile_sqlite::{Access, Options, Readers, Writer, in_snapshot, is_no_place, now};
use sectile_store::index;
use sectile_store::{
    Answer, ChunkRecord, ChunkVector, DocumentRecord, Error, FailedDocument, FoundDocument, Health,
    IndexedDocument, Note, PendingChunk, Result, Scope, SearchRequest, SectionRecord, Store,
    Summary, Totals, VectorCheck, VectorCoverage, VectorEncoding,
};

use crate::error::{backend, foreign, is_no_database, migration, unusable};
use crate::index::{Caches, Index};
use crate::vectors::{self, Cache};
use crate::write::Change;
use crate::{key, read, sql};

/// How long a call waits for another process to finish writing.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// The most connections that read at once.
const READERS: u32 = 4;

/// A store in one SQLite file.
#[derive(Clone)]
pub struct SqliteStore {
    connections: Connections,
    caches: Caches,
}

/// Who reads and who writes.
#[derive(Clone)]
enum Connections {
    /// One connection, as a store in memory has.
    One(Writer),
    Many(Writer, Readers),
    /// The file cannot be written here.
    ReadOnly(Readers),
}

impl Connections {
    fn path(&self) -> Option<&Path> {
        match self {
            Self::One(_) => None,
            Self::Many(_, readers) | Self::ReadOnly(readers) => Some(readers.path()),
        }
    }
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
    /// [`Error::ReadOnly`].
    ///
    /// # Errors
    ///
    /// [`Error::InvalidUrl`] when the path cannot hold a store or the file is another program's, [`Error::NewerSchema`] when a newer
    /// release wrote it, [`Error::Unavailable`] when others keep it locked for half a minute.
    pub async fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        prepare_folder(path)?;
        if let Some(table) = foreign_table(path).await {
            return Err(foreign(path, &table));
        }
        let options = Options::new(path)
            .busy_timeout(BUSY_TIMEOUT)
            .pragma("synchronous", "NORMAL")
            .pragma("mmap_size", "1073741824");
        let writer = options
            .clone()
            .pragma("auto_vacuum", "INCREMENTAL")
            .pragma("journal_mode", "WAL")
            .pragma("cache_size", "-65536");
        let opened = Writer::open(writer).await;
        match opened {
            Ok(writer) if !is_read_only(&writer).await? => {
                let readers = options.access(Access::Write);
                let readers = Readers::new(readers, READERS, writer.file().clone());
                Self::migrated(&writer, path).await?;
                Ok(Self::with_connections(Connections::Many(writer, readers)))
            }
            Ok(writer) => {
                writer.close().await.map_err(unusable)?;
                Self::open_to_read(options).await
            }
            Err(sectile_sqlite::Error::Sqlite(error)) if is_no_place(&error) && path.is_file() => {
                Self::open_to_read(options).await
            }
            Err(error) => Err(cannot_open(path, error)),
        }
    }

    /// Opens a file that is there and cannot be written.
    async fn open_to_read(options: Options) -> Result<Self> {
        let path = options.path().to_owned();
        let refused = |reason: &str| Error::InvalidUrl {
            url: path.display().to_string(),
            reason: reason.into(),
        };
        let readers = Readers::alone(options, READERS).await;
        let readers = readers.map_err(|error| match error {
            sectile_sqlite::Error::Sqlite(error) if is_no_place(&error) => refused(
                "it may not be read here, or its write-ahead log may not; ask its owner for the right to read the file, \
                 and to the log beside it that of writing to their folder",
            ),
            error => cannot_open(&path, error),
        })?;
        let version = readers.run(|connection| {
            sectile_migrations::sqlite::version(connection, &STORE_SQLITE, &Tables::default())
        });
        let found = version.await.map_err(unusable)?;
        let found = found.map_err(backend("read its schema"))?;
        let known = STORE_SQLITE.version();
        match found.cmp(&known) {
            Ordering::Greater => Err(Error::NewerSchema { found, known }),
            Ordering::Less => Err(refused(
                "it is not of this release, and cannot be brought up to date, as it cannot be written here; open it once \
                 with the right to write",
            )),
            Ordering::Equal => Ok(Self::with_connections(Connections::ReadOnly(readers))),
        }
    }

    /// Makes a store that no file holds and that is gone with its last clone.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    pub async fn in_memory() -> Result<Self> {
        let writer = Writer::open(Options::new(":memory:")).await;
        let writer = writer.map_err(unusable)?;
        Self::migrated(&writer, Path::new(":memory:")).await?;
        Ok(Self::with_connections(Connections::One(writer)))
    }

    fn with_connections(connections: Connections) -> Self {
        Self {
            connections,
            caches: Caches::default(),
        }
    }

    /// Brings the tables of a file up to date.
    async fn migrated(writer: &Writer, path: &Path) -> Result<()> {
        let migrate = |connection: &mut Connection| {
            sectile_migrations::sqlite::migrate(connection, &STORE_SQLITE, &Tables::default())
        };
        let migrated = writer.run(migrate).await;
        let migrated = migrated.map_err(|error| cannot_open(path, error))?;
        migrated.map(drop).map_err(|error| migration(path, error))
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
        if let Connections::Many(_, readers) | Connections::ReadOnly(readers) = &self.connections {
            readers.close().await.map_err(unusable)?;
        }
        if let Connections::One(writer) | Connections::Many(writer, _) = self.connections {
            writer.close().await.map_err(unusable)?;
        }
        Ok(())
    }

    /// Makes a change, which goes on to its end even if the caller goes away, and returns how many
    /// documents it touched.
    async fn write(&self, change: Change) -> Result<usize> {
        let touched = self.writer()?.run(|connection| change.apply(connection));
        touched.await.map_err(unusable)?
    }

    /// Reads where waiting holds nobody up.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let read = match &self.connections {
            Connections::One(writer) => writer.run(work).await,
            Connections::Many(_, readers) | Connections::ReadOnly(readers) => {
                readers.run(work).await
            }
        };
        read.map_err(unusable)?
    }

    /// Returns who writes.
    fn writer(&self) -> Result<&Writer> {
        match &self.connections {
            Connections::One(writer) | Connections::Many(writer, _) => Ok(writer),
            Connections::ReadOnly(readers) => Err(Error::ReadOnly {
                path: readers.path().to_owned(),
            }),
        }
    }
}

/// Returns a table of a file that another program made. The file is looked at before it is opened as a store,
/// which would change the way it is written; why it cannot be looked at is said when it is opened.
async fn foreign_table(path: &Path) -> Option<String> {
    if !path.is_file() {
        return None;
    }
    let options = Options::new(path)
        .busy_timeout(BUSY_TIMEOUT)
        .access(Access::Write);
    let opened = Writer::open(options).await.ok()?;
    let found = opened
        .run(|connection| connection.query_row(sql::FOREIGN_TABLE, [], |row| row.get(0)))
        .await;
    opened.close().await.ok()?;
    found.ok()?.ok()?
}

/// Says whether SQLite opened a file to be read as it cannot be written.
async fn is_read_only(writer: &Writer) -> Result<bool> {
    let asked = writer.run(|connection| connection.is_readonly(MAIN_DB));
    asked
        .await
        .map_err(unusable)?
        .map_err(backend("open the file"))
}

/// Says why a file cannot be opened.
fn cannot_open(path: &Path, error: sectile_sqlite::Error) -> Error {
    match error {
        sectile_sqlite::Error::Sqlite(error) if is_no_database(&error) => Error::InvalidUrl {
            url: path.display().to_string(),
            reason: "the file is not a SQLite database; name another one".into(),
        },
        error => unusable(error),
    }
}

/// Makes the folder of a store's file.
fn prepare_folder(path: &Path) -> Result<()> {
    let invalid = |reason: String| Error::InvalidUrl {
        url: path.display().to_string(),
        reason,
    };
    if path.as_os_str().is_empty() || path == Path::new(":memory:") {
        return Err(invalid("it names no file; give the path of one".into()));
    }
    if path.is_dir() {
        return Err(invalid("it is a folder; give the path of a file".into()));
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    folder
        .map_or(Ok(()), std::fs::create_dir_all)
        .map_err(|error| invalid(format!("its folder cannot be made: {error}")))
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
        self.read(|connection| read::totals(connection)).await
    }

    async fn health(&self) -> Result<Health> {
        self.read(|connection| read::health(connection)).await
    }

    async fn optimize(&self) -> Result<()> {
        self.write(Change::Optimize).await?;
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
        let shortened = self.writer()?.run(shorten).await.map_err(unusable)?;
        shortened.map_err(backend("shorten the file"))
    }
}
