//! How connections are opened.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, MAIN_DB, OpenFlags, Result};

use crate::busy_handler::{wait, waiting_until};
use crate::{is_busy, is_no_place};

/// How long opening waits before it tries once more.
const OPEN_AGAIN_AFTER: Duration = Duration::from_millis(10);

/// How many statements a connection keeps prepared.
const STATEMENTS: usize = 64;

/// What a database that no file holds is called.
const IN_MEMORY: &str = ":memory:";

/// What connections may do with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Read it, also where neither the file nor its folder can be written. There it is read as one that does not
    /// change (`immutable`), as there is no place for the lock of a write-ahead log.
    Read,
    /// Read it and write to it.
    Write,
    /// Make it if it is missing, read it and write to it.
    Create,
}

/// The settings of connections to one file.
#[derive(Clone, Debug)]
#[must_use = "it does nothing before `connect`"]
pub struct Options {
    path: PathBuf,
    access: Access,
    busy_timeout: Duration,
    pragmas: Vec<(String, String)>,
    new_file_pragmas: Vec<(String, String)>,
    has_log: bool,
}

impl Options {
    /// Returns those for a file that is made if it is missing, with foreign keys enforced and half
    /// a minute of patience with others who write.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            access: Access::Create,
            busy_timeout: Duration::from_secs(30),
            pragmas: Vec::new(),
            new_file_pragmas: Vec::new(),
            has_log: false,
        }
        .pragma("foreign_keys", "ON")
    }

    /// Sets what connections may do with the file.
    pub fn access(mut self, access: Access) -> Self {
        self.access = access;
        self
    }

    /// Sets how long a call waits for others who write, from when it was made.
    pub fn busy_timeout(mut self, timeout: Duration) -> Self {
        self.busy_timeout = timeout;
        self
    }

    /// Adds a pragma that each connection is opened with, in the order they are added.
    pub fn pragma(mut self, name: &str, value: &str) -> Self {
        self.pragmas.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Adds a pragma that a new file is made with, in the order they are added. A file that has pages is not changed.
    pub fn new_file_pragma(mut self, name: &str, value: &str) -> Self {
        self.new_file_pragmas
            .push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sets that the file is written with a write-ahead log. A file that has one is not changed.
    pub fn write_ahead_log(mut self) -> Self {
        self.has_log = true;
        self
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether no file is meant but a database in memory, which one connection has.
    pub fn is_in_memory(&self) -> bool {
        self.path == Path::new(IN_MEMORY)
    }

    /// Returns whether connections may write.
    pub(crate) fn is_writable(&self) -> bool {
        self.access != Access::Read
    }

    /// Returns how long a call waits for others who write.
    pub(crate) fn patience(&self) -> Duration {
        self.busy_timeout
    }

    /// Opens a connection. It may wait; see [`Writer::open`](crate::Writer::open). Later it waits for
    /// others as long as [`waiting_until`] says.
    ///
    /// Others who open a new file at the same moment are waited for here, also where SQLite calls no
    /// busy handler.
    ///
    /// # Errors
    ///
    /// What SQLite reports.
    pub fn connect(&self) -> Result<Connection> {
        let deadline = Instant::now() + self.busy_timeout;
        loop {
            match waiting_until(deadline, || self.connect_once()) {
                Err(error) if is_busy(&error) && Instant::now() < deadline => {
                    thread::sleep(OPEN_AGAIN_AFTER);
                }
                done => return done,
            }
        }
    }

    fn connect_once(&self) -> Result<Connection> {
        let connection = match self.access {
            Access::Read => self.open_to_read()?,
            Access::Write => open(&self.path, OpenFlags::SQLITE_OPEN_READ_WRITE)?,
            Access::Create => open(
                &self.path,
                OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
            )?,
        };
        connection.busy_handler(Some(wait))?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        if !self.new_file_pragmas.is_empty() && is_new(&connection)? {
            set(&connection, &self.new_file_pragmas)?;
        }
        if self.has_log {
            write_ahead_log(&connection)?;
        }
        set(&connection, &self.pragmas)?;
        Ok(connection)
    }

    /// A file with a log that cannot be read here is refused: without it, what was written last would be missing.
    fn open_to_read(&self) -> Result<Connection> {
        let connection = open(&self.path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let read = connection.query_row("PRAGMA schema_version", [], |_| Ok(()));
        match (read, self.address()) {
            (Err(error), Some(address)) if is_no_place(&error) && !self.has_unread_log() => {
                let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
                open(Path::new(&format!("{address}?immutable=1")), flags)
            }
            (read, _) => read.map(|()| connection),
        }
    }

    fn has_unread_log(&self) -> bool {
        let mut log = self.path.clone().into_os_string();
        log.push("-wal");
        std::fs::metadata(log).is_ok_and(|log| log.len() > 0)
    }

    /// Returns the path as an address (<https://www.sqlite.org/uri.html>), if it is one of text.
    fn address(&self) -> Option<String> {
        let path = std::path::absolute(&self.path).ok()?;
        let path = path.to_str()?;
        let path = path
            .replace('%', "%25")
            .replace('?', "%3f")
            .replace('#', "%23");
        Some(format!("file://{path}"))
    }
}

fn set(connection: &Connection, pragmas: &[(String, String)]) -> Result<()> {
    let mut pragmas = pragmas.iter();
    pragmas.try_for_each(|(name, value)| connection.pragma_update(None, name, value))
}

/// Returns whether a file has no pages yet.
fn is_new(connection: &Connection) -> Result<bool> {
    let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
    Ok(pages == 0)
}

/// Turns the write-ahead log of a file on. A file that has one, or cannot be written, is only read.
///
/// SQLite does it under locks for which it calls no busy handler (`PRAGMA journal_mode` upgrades a read lock), so
/// others are waited for here, for as long as [`waiting_until`] says.
///
/// # Errors
///
/// What SQLite reports.
pub fn write_ahead_log(connection: &Connection) -> Result<()> {
    let mut sleeps = 0;
    loop {
        match turn_log_on(connection) {
            Err(error) if is_busy(&error) && wait(sleeps) => sleeps += 1,
            done => return done,
        }
    }
}

fn turn_log_on(connection: &Connection) -> Result<()> {
    let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
    if mode == "wal" || connection.is_readonly(MAIN_DB)? {
        return Ok(());
    }
    connection.pragma_update(None, "journal_mode", "WAL")
}

fn open(path: &Path, flags: OpenFlags) -> Result<Connection> {
    Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)
}
