//! The connections of a store, and how its file is opened.

use std::cmp::Ordering;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use sectile_migrations::{STORE_SQLITE, Tables, sqlite};
use sectile_sqlite::rusqlite::{self, Connection, MAIN_DB};
use sectile_sqlite::{Access, Options, Readers, Writer, is_no_place};
use sectile_store::{Error, Result};

use crate::error::{backend, foreign, is_no_database, migration, unusable};
use crate::sql;

/// How long a call waits for another process to finish writing.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// The most connections that read at once.
const READERS: u32 = 4;

/// Who reads and who writes.
#[derive(Clone)]
pub(crate) enum Connections {
    /// One connection, as a store in memory has.
    One(Writer),
    Many(Writer, Readers),
    /// The file cannot be written here.
    ReadOnly(Readers),
    /// There is no store in the file yet.
    Pending(Arc<Pending>),
}

/// A file without a store, which the first write makes.
pub(crate) struct Pending {
    path: PathBuf,
    /// An empty store in memory, which is read until then.
    empty: Connections,
    made: OnceLock<Connections>,
}

/// What is in a file.
enum Contents {
    Store,
    /// Nothing, or checkpoints alone.
    NoStore,
    /// This table of another program.
    Foreign(String),
}

impl Connections {
    /// Makes a store that no file holds.
    pub(crate) async fn in_memory() -> Result<Self> {
        let writer = Writer::open(Options::new(":memory:")).await;
        let writer = writer.map_err(unusable)?;
        migrate(&writer, Path::new(":memory:")).await?;
        Ok(Self::One(writer))
    }

    /// Opens the store of a file, and makes what is missing of it.
    pub(crate) async fn make(path: &Path) -> Result<Self> {
        check(path)?;
        prepare_folder(path)?;
        open_own(path, true).await
    }

    /// Opens the store of a file, with a write-ahead log if it is to be written. Where there is no store yet, the first
    /// write makes it.
    pub(crate) async fn find(path: &Path, is_to_write: bool) -> Result<Self> {
        check(path)?;
        match contents(path).await {
            Some(Contents::Store) => open(path, is_to_write).await,
            Some(Contents::Foreign(table)) => Err(foreign(path, &table)),
            Some(Contents::NoStore) => Ok(Self::Pending(Arc::new(Pending {
                path: path.to_owned(),
                empty: Self::in_memory().await?,
                made: OnceLock::new(),
            }))),
            // Why it cannot be looked at is said when it is opened.
            None if path.is_file() => open_own(path, is_to_write).await,
            None => Self::make(path).await,
        }
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::One(_) => None,
            Self::Many(_, readers) | Self::ReadOnly(readers) => Some(readers.path()),
            Self::Pending(pending) => Some(&pending.path),
        }
    }

    /// Returns those that read now.
    pub(crate) async fn to_read(&self) -> Result<&Self> {
        match self {
            Self::Pending(pending) => pending.to_read().await,
            open => Ok(open),
        }
    }

    /// Returns the path of a file that has no store yet.
    pub(crate) async fn path_without_store(&self) -> Result<Option<&Path>> {
        let Self::Pending(pending) = self else {
            return Ok(None);
        };
        let is_empty = matches!(pending.to_read().await?, Self::One(_));
        Ok(is_empty.then_some(&*pending.path))
    }

    /// Returns who writes.
    pub(crate) async fn writer(&self) -> Result<&Writer> {
        let open = match self {
            Self::Pending(pending) => pending.make().await?,
            open => open,
        };
        match open {
            Self::One(writer) | Self::Many(writer, _) => Ok(writer),
            Self::ReadOnly(readers) => Err(Error::ReadOnly {
                path: readers.path().to_owned(),
            }),
            Self::Pending(_) => unreachable!("what was opened is open"),
        }
    }

    /// Closes all.
    pub(crate) async fn close(&self) -> Result<()> {
        let open = match self {
            Self::Pending(pending) => pending.made.get().unwrap_or(&pending.empty),
            open => open,
        };
        if let Self::Many(_, readers) | Self::ReadOnly(readers) = open {
            readers.close().await.map_err(unusable)?;
        }
        if let Self::One(writer) | Self::Many(writer, _) = open {
            writer.close().await.map_err(unusable)?;
        }
        Ok(())
    }
}

impl Pending {
    /// Another process may have made the store meanwhile.
    async fn to_read(&self) -> Result<&Connections> {
        if let Some(made) = self.made.get() {
            return Ok(made);
        }
        match contents(&self.path).await {
            Some(Contents::NoStore) => Ok(&self.empty),
            Some(Contents::Foreign(table)) => Err(foreign(&self.path, &table)),
            Some(Contents::Store) | None => {
                let found = open(&self.path, false).await?;
                Ok(self.made.get_or_init(|| found))
            }
        }
    }

    async fn make(&self) -> Result<&Connections> {
        if let Some(made) = self.made.get() {
            return Ok(made);
        }
        let made = Connections::make(&self.path).await?;
        Ok(self.made.get_or_init(|| made))
    }
}

/// Opens a file, unless it is one of another program.
async fn open_own(path: &Path, is_to_write: bool) -> Result<Connections> {
    if let Some(Contents::Foreign(table)) = contents(path).await {
        return Err(foreign(path, &table));
    }
    open(path, is_to_write).await
}

/// Opens a file, and brings its tables up to date. One that is only read stays as it is otherwise.
async fn open(path: &Path, is_to_write: bool) -> Result<Connections> {
    let options = Options::new(path)
        .busy_timeout(BUSY_TIMEOUT)
        .pragma("synchronous", "NORMAL")
        .pragma("mmap_size", "1073741824");
    let mut writer = options.clone().pragma("cache_size", "-65536");
    if is_to_write {
        writer = writer
            .new_file_pragma("auto_vacuum", "INCREMENTAL")
            .write_ahead_log();
    }
    let opened = Writer::open(writer).await;
    match opened {
        Ok(writer) if !is_read_only(&writer).await? => {
            let readers = options.access(Access::Write);
            let readers = Readers::new(readers, READERS, writer.file().clone());
            migrate(&writer, path).await?;
            Ok(Connections::Many(writer, readers))
        }
        Ok(writer) => {
            writer.close().await.map_err(unusable)?;
            open_read_only(options).await
        }
        Err(sectile_sqlite::Error::Sqlite(error)) if is_no_place(&error) && path.is_file() => {
            open_read_only(options).await
        }
        Err(error) => Err(cannot_open(path, error)),
    }
}

/// Opens a file that is there and cannot be written.
async fn open_read_only(options: Options) -> Result<Connections> {
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
    let version =
        readers.run(|connection| sqlite::version(connection, &STORE_SQLITE, &Tables::default()));
    let found = version.await.map_err(unusable)?;
    let found = found.map_err(backend("read its schema"))?;
    let known = STORE_SQLITE.version();
    match found.cmp(&known) {
        Ordering::Greater => Err(Error::NewerSchema { found, known }),
        Ordering::Less => Err(refused(
            "it is not of this release, and cannot be brought up to date, as it cannot be written here; open it once \
             with the right to write",
        )),
        Ordering::Equal => Ok(Connections::ReadOnly(readers)),
    }
}

/// Brings the tables of a file up to date.
async fn migrate(writer: &Writer, path: &Path) -> Result<()> {
    let migrate = |connection: &mut Connection| {
        sqlite::migrate(connection, &STORE_SQLITE, &Tables::default())
    };
    let migrated = writer.run(migrate).await;
    let migrated = migrated.map_err(|error| cannot_open(path, error))?;
    migrated.map(drop).map_err(|error| migration(path, error))
}

/// Looks at what a file has before it is opened as a store, which would change it; nothing where it cannot be looked at.
async fn contents(path: &Path) -> Option<Contents> {
    match std::fs::metadata(path) {
        Ok(file) if file.is_file() && file.len() > 0 => {}
        Ok(file) if file.is_file() => return Some(Contents::NoStore),
        Err(error) if error.kind() == ErrorKind::NotFound => return Some(Contents::NoStore),
        _ => return None,
    }
    let options = Options::new(path)
        .busy_timeout(BUSY_TIMEOUT)
        .access(Access::Write);
    let opened = Writer::open(options).await.ok()?;
    let found = opened.run(|connection| contents_of(connection)).await;
    opened.close().await.ok()?;
    found.ok()?.ok()
}

fn contents_of(connection: &Connection) -> rusqlite::Result<Contents> {
    let table: Option<String> = connection.query_row(sql::FOREIGN_TABLE, [], |row| row.get(0))?;
    if let Some(table) = table {
        return Ok(Contents::Foreign(table));
    }
    let version = sqlite::version(connection, &STORE_SQLITE, &Tables::default())?;
    Ok(if version == 0 {
        Contents::NoStore
    } else {
        Contents::Store
    })
}

/// Returns whether SQLite opened a file to be read as it cannot be written.
async fn is_read_only(writer: &Writer) -> Result<bool> {
    let asked = writer.run(|connection| connection.is_readonly(MAIN_DB));
    asked
        .await
        .map_err(unusable)?
        .map_err(backend("open the file"))
}

/// Says why a file cannot be opened.
pub(crate) fn cannot_open(path: &Path, error: sectile_sqlite::Error) -> Error {
    match (error, path.try_exists()) {
        (sectile_sqlite::Error::Sqlite(error), _) if is_no_database(&error) => {
            invalid(path, "the file is not a SQLite database; name another one")
        }
        (_, Err(error)) => {
            let advice = match error.kind() {
                ErrorKind::PermissionDenied => "ask its owner for the right to search its folder",
                _ => "check the path and its disk",
            };
            invalid(path, format!("it cannot be reached: {error}; {advice}"))
        }
        (error, _) => unusable(error),
    }
}

/// Refuses what cannot be the path of a file.
pub(crate) fn check(path: &Path) -> Result<()> {
    if path.as_os_str().is_empty() || path == Path::new(":memory:") {
        return Err(invalid(path, "it names no file; give the path of one"));
    }
    if path.is_dir() {
        return Err(invalid(path, "it is a folder; give the path of a file"));
    }
    Ok(())
}

/// Makes the folder of a store's file.
fn prepare_folder(path: &Path) -> Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    folder
        .map_or(Ok(()), std::fs::create_dir_all)
        .map_err(|error| invalid(path, format!("its folder cannot be made: {error}")))
}

fn invalid(path: &Path, reason: impl Into<String>) -> Error {
    Error::InvalidUrl {
        url: path.display().to_string(),
        reason: reason.into(),
    }
}
