//! How connections are opened.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags, Result};

use crate::is_busy;
use crate::patience::{wait, waiting_until};

/// How long opening waits before it tries once more.
const OPEN_AGAIN_AFTER: Duration = Duration::from_millis(10);

/// How many statements a connection keeps prepared.
const STATEMENTS: usize = 64;

/// What a database that no file holds is called.
const IN_MEMORY: &str = ":memory:";

/// What connections may do with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Read it.
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

    /// Says whether no file is meant but a database in memory, which one connection has.
    pub fn is_in_memory(&self) -> bool {
        self.path == Path::new(IN_MEMORY)
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
        let access = match self.access {
            Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
            Access::Write => OpenFlags::SQLITE_OPEN_READ_WRITE,
            Access::Create => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
        };
        let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)?;
        connection.busy_handler(Some(wait))?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        for (name, value) in &self.pragmas {
            connection.pragma_update(None, name, value)?;
        }
        Ok(connection)
    }
}
