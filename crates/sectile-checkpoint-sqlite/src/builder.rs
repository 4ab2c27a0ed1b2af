//! How a checkpointer is set up.

use std::path::Path;
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sectile_checkpoint::{Error, Result};
use sectile_checkpoint_sql::error::{is_busy, sqlite};
use sectile_checkpoint_sql::{DefaultProjector, Projecting, Projector, Unmapped};
use sectile_migrations::Tables;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, SqliteConnection};

use crate::SqliteCheckpointer;
use crate::connection::Connection;
use crate::readers::Readers;

/// How long opening waits before it tries once more.
const OPEN_AGAIN_AFTER: Duration = Duration::from_millis(10);

/// What a save that returned survives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// The loss of power: each commit waits for the disk (`synchronous = FULL`).
    #[default]
    Full,
    /// The end of the process, at any moment; at a loss of power the newest saves may be gone, and
    /// the file stays whole (`synchronous = NORMAL`). Two to four times as fast.
    Normal,
}

/// Sets up a [`SqliteCheckpointer`].
#[derive(Clone, Debug)]
#[must_use = "it does nothing before `connect`"]
pub struct SqliteCheckpointerBuilder {
    url: String,
    durability: Durability,
    busy_timeout: Duration,
    readers: u32,
    table_prefix: String,
    pragmas: Vec<(String, String)>,
    is_creating: bool,
    is_projecting: bool,
    projector: Arc<dyn Projector>,
    unmapped: Unmapped,
}

impl SqliteCheckpointerBuilder {
    pub(crate) fn new(url: &str) -> Self {
        Self {
            url: url.to_owned(),
            durability: Durability::default(),
            busy_timeout: Duration::from_secs(30),
            readers: 4,
            table_prefix: String::new(),
            pragmas: Vec::new(),
            is_creating: true,
            is_projecting: false,
            projector: Arc::new(DefaultProjector),
            unmapped: Unmapped::default(),
        }
    }

    /// Sets whether sessions, messages and triples are written beside each checkpoint, in the same
    /// transaction. They are not by default.
    pub fn enable_projections(mut self, enable: bool) -> Self {
        self.is_projecting = enable;
        self
    }

    /// Sets what of a state is projected, in place of [`DefaultProjector`].
    pub fn projector(mut self, projector: impl Projector + 'static) -> Self {
        self.projector = Arc::new(projector);
        self
    }

    /// Sets what becomes of a save whose state has a shape that does not map; by default the
    /// value is left out, with a warning.
    pub fn unmapped(mut self, unmapped: Unmapped) -> Self {
        self.unmapped = unmapped;
        self
    }

    /// Sets what a save that returned survives; the loss of power by default.
    pub fn durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }

    /// Sets how long a call waits for other processes that write; half a minute by default.
    pub fn busy_timeout(mut self, timeout: Duration) -> Self {
        self.busy_timeout = timeout;
        self
    }

    /// Sets how many connections read at once, at least one; four by default.
    pub fn max_readers(mut self, readers: u32) -> Self {
        self.readers = readers.max(1);
        self
    }

    /// Sets what the names of the tables begin with: lower-case ASCII letters, digits and
    /// underscores; nothing by default. So they stand beside an application's own tables.
    pub fn table_prefix(mut self, prefix: &str) -> Self {
        prefix.clone_into(&mut self.table_prefix);
        self
    }

    /// Sets whether a file that is missing is made; it is by default.
    pub fn create_if_missing(mut self, create: bool) -> Self {
        self.is_creating = create;
        self
    }

    /// Sets a pragma of the connection that writes, `cache_size` for example.
    pub fn pragma(mut self, name: &str, value: &str) -> Self {
        self.pragmas.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Opens the file. Its tables are neither made nor changed:
    /// that is for [`SqliteCheckpointer::migrate`].
    ///
    /// # Errors
    ///
    /// [`Error::InvalidConfig`] for a setting that cannot be used, [`Error::NewerSchema`] when a
    /// newer release migrated the file, and what SQLite reports.
    pub async fn connect(self) -> Result<SqliteCheckpointer> {
        let tables = Tables::new(None, &self.table_prefix).ok_or_else(|| {
            let most = Tables::MAX_NAME;
            invalid(
                "table_prefix",
                format!("must be at most {most} lower-case letters, digits and underscores"),
            )
        })?;
        let (options, is_shared) = self.options()?;
        let writer = open(&self.writer_options(&options), self.busy_timeout)
            .await
            .map_err(sqlite("open the file"))?;
        let writer = Connection::new(writer).await;
        let writer = writer.map_err(sqlite("open the file"))?;
        let readers = is_shared.then(|| self.readers(options));
        let projecting = self.is_projecting.then_some(Projecting {
            projector: self.projector,
            unmapped: self.unmapped,
        });
        SqliteCheckpointer::new(writer, readers, tables, projecting).await
    }

    /// Returns the options of every connection, and whether there can be several: a database in
    /// memory belongs to one.
    fn options(&self) -> Result<(SqliteConnectOptions, bool)> {
        let is_in_memory = self.url.contains(":memory:") || self.url.contains("mode=memory");
        let options = SqliteConnectOptions::from_str(&self.url)
            .map_err(|error| invalid("url", format!("is no address of a SQLite file: {error}")))?;
        if !is_in_memory {
            check_path(options.get_filename())?;
        }
        let options = options
            .busy_timeout(self.busy_timeout)
            .optimize_on_close(false, None)
            .disable_statement_logging();
        Ok((options, !is_in_memory))
    }

    fn writer_options(&self, options: &SqliteConnectOptions) -> SqliteConnectOptions {
        let synchronous = match self.durability {
            Durability::Full => SqliteSynchronous::Full,
            Durability::Normal => SqliteSynchronous::Normal,
        };
        let mut options = options.clone().synchronous(synchronous);
        if !self.url.contains("mode=ro") {
            options = options.journal_mode(SqliteJournalMode::Wal);
        }
        if self.is_creating && !self.url.contains("mode=") {
            options = options.create_if_missing(true);
        }
        for (name, value) in &self.pragmas {
            options = options.pragma(name.clone(), value.clone());
        }
        options
    }

    fn readers(&self, options: SqliteConnectOptions) -> Readers {
        Readers::new(options.pragma("query_only", "ON"), self.readers)
    }
}

/// Opens the connection that writes.
///
/// SQLite turns the write-ahead log on under locks for which it calls no busy handler, so this is
/// where others who open a new file at the same moment are waited for.
async fn open(options: &SqliteConnectOptions, timeout: Duration) -> sqlx::Result<SqliteConnection> {
    let deadline = Instant::now() + timeout;
    loop {
        match options.connect().await {
            Err(error) if is_busy(&error) && Instant::now() < deadline => {
                tokio::time::sleep(OPEN_AGAIN_AFTER).await;
            }
            done => return done,
        }
    }
}

fn check_path(path: &Path) -> Result<()> {
    if path.as_os_str().is_empty() {
        return Err(invalid("url", "names no file; write sqlite:PATH".into()));
    }
    if path.is_dir() {
        let reason = format!(
            "names the folder {}; write the path of a file",
            path.display()
        );
        return Err(invalid("url", reason));
    }
    Ok(())
}

fn invalid(setting: &'static str, reason: String) -> Error {
    Error::InvalidConfig { setting, reason }
}
