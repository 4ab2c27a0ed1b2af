//! How connections are opened.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags, Result};

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

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether no file is meant but a database in memory, which one connection has.
    pub fn is_in_memory(&self) -> bool {
        self.path == Path::new(IN_MEMORY)
    }

    /// Says whether connections may write.
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
    /// SQLite turns the write-ahead log on under locks for which it calls no busy handler
    /// (`PRAGMA journal_mode` upgrades a read lock), so this is where others who open a new file at
    /// the same moment are waited for.
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
        for (name, value) in &self.pragmas {
            connection.pragma_update(None, name, value)?;
        }
        Ok(connection)
    }

    /// A file with a log that cannot be read here is refused: without it, what was written last would be missing.
    fn open_to_read(&self) -> Result<Connection> {
        let connection = open(&self.path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let read = connection.query_row("PRAGMA schema_version", [], |_| Ok(()));
        match (read, self.address()) {
            (Err(error), Some(address)) if is_no_place(&error) && !self.has_log() => {
                let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
                open(Path::new(&format!("{address}?immutable=1")), flags)
            }
            (read, _) => read.map(|()| connection),
        }
    }

    fn has_log(&self) -> bool {
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

fn open(path: &Path, flags: OpenFlags) -> Result<Connection> {
    Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)
}
