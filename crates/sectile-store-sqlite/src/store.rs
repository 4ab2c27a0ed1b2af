//! The store: its connections, and the trait over the other modules.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use sectile_core::{DocumentId, SectionId};
use sectile_migrations::{STORE_SQLITE, Tables};
use sectile_store::{
    Analyzer, DocumentRecord, Error, FailedDocument, Hit, IndexedDocument, Result, Scope,
    SearchRequest, SectionRecord, Store, Totals,
};
use sqlx::sqlite::{
    SqliteAutoVacuum, SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteSynchronous,
};
use sqlx::{Connection as _, SqliteConnection};
use tokio::sync::Mutex;

use crate::error::{backend, is_busy, is_no_database, migration};
use crate::write::Change;
use crate::{read, search, sql};

/// How long a call waits for another process to finish writing.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// How long opening waits before it tries once more.
const OPEN_AGAIN_AFTER: Duration = Duration::from_millis(10);

/// The most connections that read at once.
const READERS: u32 = 4;

/// A store in one SQLite file.
#[derive(Clone)]
pub struct SqliteStore {
    writer: Arc<Mutex<SqliteConnection>>,
    readers: SqlitePool,
    analyzer: Analyzer,
}

impl std::fmt::Debug for SqliteStore {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let file = self.readers.connect_options().get_filename().to_owned();
        formatter
            .debug_struct("SqliteStore")
            .field("file", &file)
            .finish_non_exhaustive()
    }
}

impl SqliteStore {
    /// Opens the store in `path`, making the file, its folder and its tables where they are
    /// missing.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidUrl`] when the path cannot hold a store, [`Error::NewerSchema`] when a newer
    /// release wrote it, [`Error::Unavailable`] when others keep it locked for half a minute.
    pub async fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        prepare_folder(path)?;
        let options = SqliteConnectOptions::new()
            .filename(path)
            .busy_timeout(BUSY_TIMEOUT)
            .synchronous(SqliteSynchronous::Normal)
            .foreign_keys(true)
            .pragma("mmap_size", "1073741824")
            .optimize_on_close(false, None);
        let writer = options
            .clone()
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .auto_vacuum(SqliteAutoVacuum::Incremental)
            .pragma("cache_size", "-65536");
        let mut writer = connect(&writer)
            .await
            .map_err(|error| cannot_open(path, error))?;
        sectile_migrations::sqlite::migrate(&mut writer, &STORE_SQLITE, &Tables::default())
            .await
            .map_err(migration)?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .test_before_acquire(false)
            .connect_lazy_with(options.pragma("query_only", "ON"));
        Ok(Self {
            writer: Arc::new(Mutex::new(writer)),
            readers,
            analyzer: Analyzer::english(),
        })
    }

    /// Closes the connections, which moves the write-ahead log into the file.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    pub async fn close(self) -> Result<()> {
        self.readers.close().await;
        match Arc::try_unwrap(self.writer) {
            Ok(writer) => writer
                .into_inner()
                .close()
                .await
                .map_err(backend("close the file")),
            // A write is still running, or a clone is still in use: the last one closes the file.
            Err(_) => Ok(()),
        }
    }

    /// Makes a change in a task of its own, so that it ends even if the caller goes away, and
    /// returns how many documents it touched.
    async fn write(&self, change: Change) -> Result<usize> {
        let writer = Arc::clone(&self.writer);
        let task = async move {
            let mut connection = writer.lock_owned().await;
            change.apply(&mut connection).await
        };
        match tokio::spawn(task).await {
            Ok(result) => result,
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        }
    }
}

/// Opens the connection that writes.
///
/// SQLite turns the write-ahead log on under locks for which it calls no busy handler
/// (`PRAGMA journal_mode` upgrades a read lock), so this is where others who open a new file at
/// the same moment are waited for.
async fn connect(options: &SqliteConnectOptions) -> sqlx::Result<SqliteConnection> {
    let deadline = Instant::now() + BUSY_TIMEOUT;
    loop {
        match SqliteConnection::connect_with(options).await {
            Err(error) if is_busy(&error) && Instant::now() < deadline => {
                tokio::time::sleep(OPEN_AGAIN_AFTER).await;
            }
            done => return done,
        }
    }
}

/// Says why a file cannot be opened.
fn cannot_open(path: &Path, error: sqlx::Error) -> Error {
    if is_no_database(&error) {
        return Error::InvalidUrl {
            url: path.display().to_string(),
            reason: "the file is no SQLite database; name another one".into(),
        };
    }
    backend("open the file")(error)
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
        read::documents(&self.readers, scope).await
    }

    async fn sections(&self, document: DocumentId) -> Result<Vec<SectionRecord>> {
        read::sections(&self.readers, document).await
    }

    async fn content(&self, document: DocumentId, positions: Range<usize>) -> Result<Vec<String>> {
        read::content(&self.readers, document, positions).await
    }

    async fn find_section(
        &self,
        section: SectionId,
        scope: &Scope,
    ) -> Result<Vec<(DocumentRecord, usize)>> {
        read::find_section(&self.readers, section, scope).await
    }

    async fn search(&self, request: &SearchRequest) -> Result<Vec<Hit>> {
        search::search(&self.readers, request, &self.analyzer).await
    }

    async fn totals(&self) -> Result<Totals> {
        read::totals(&self.readers).await
    }

    async fn optimize(&self) -> Result<()> {
        self.write(Change::Optimize).await?;
        let mut writer = self.writer.lock().await;
        for statement in [sql::VACUUM, sql::CHECKPOINT] {
            let query = sqlx::query(statement);
            query
                .execute(&mut *writer)
                .await
                .map_err(backend("shorten the file"))?;
        }
        Ok(())
    }
}
