//! The connections that read.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use rusqlite::Connection;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tracing::{Instrument as _, debug_span};

use crate::busy_handler::waiting_until;
use crate::task::blocking;
use crate::writer::close;
use crate::{Access, Error, OpenFile, Options, Result};

/// Connections that are opened when they are needed and stay open. Clones share them.
#[derive(Clone, Debug)]
pub struct Readers {
    options: Arc<Options>,
    file: OpenFile,
    most: u32,
    permits: Arc<Semaphore>,
    idle: Arc<Mutex<Vec<Connection>>>,
    /// Whether connections stay open.
    are_kept: bool,
}

impl Readers {
    /// Opens a file that nobody writes here.
    ///
    /// # Errors
    ///
    /// What SQLite reports.
    pub async fn alone(options: Options, most: u32) -> Result<Self> {
        let file = OpenFile::of(options.path(), false)?;
        let readers = Self::new(options.access(Access::Read), most, file);
        readers.acquire().await?;
        Ok(readers)
    }

    /// Returns none yet, and at most so many at once, of the file that a
    /// [`Writer`](crate::Writer) has open. Those that can [only read](Access::Read) are opened for each piece of work:
    /// one to a file that was taken for one that does not change would not see what others write.
    pub fn new(options: Options, most: u32, file: OpenFile) -> Self {
        let are_kept = options.is_writable();
        Self {
            options: Arc::new(options.pragma("query_only", "ON")),
            file,
            most,
            permits: Arc::new(Semaphore::new(most as usize)),
            idle: Arc::default(),
            are_kept,
        }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &std::path::Path {
        self.options.path()
    }

    /// Runs work on a connection. It goes on to its end even if the future is dropped.
    ///
    /// # Errors
    ///
    /// [`Error::Closed`] after [`close`](Self::close), or when the runtime ends,
    /// [`Error::Replaced`] when the file is another one, and what SQLite reports when a connection is
    /// opened.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> T + Send + 'static,
    ) -> Result<T> {
        let deadline = Instant::now() + self.options.patience();
        let mut reader = self.acquire().await?;
        let work = move || waiting_until(deadline, || work(&mut reader));
        let done = blocking(work).await?;
        self.file.check()?;
        Ok(done)
    }

    /// Returns a connection that waits for nobody, for what is read from memory as a rule: to read
    /// one row takes less time than to go to another thread for it. When SQLite says that it is
    /// busy, [`run`](Self::run) does the same with patience.
    ///
    /// # Errors
    ///
    /// Those of [`run`](Self::run).
    pub async fn acquire(&self) -> Result<Reader> {
        let permits = Arc::clone(&self.permits);
        let permit = if let Ok(permit) = Arc::clone(&permits).try_acquire_owned() {
            permit
        } else {
            let wait = permits.acquire_owned().instrument(debug_span!("pool.wait"));
            wait.await.map_err(|_| Error::Closed)?
        };
        self.file.check()?;
        let idle = lock(&self.idle).pop();
        let connection = match idle {
            Some(connection) => connection,
            None => self.open().await?,
        };
        Ok(Reader {
            connection: Some(connection),
            idle: self.are_kept.then(|| Arc::clone(&self.idle)),
            _permit: permit,
        })
    }

    async fn open(&self) -> Result<Connection> {
        let options = Arc::clone(&self.options);
        Ok(blocking(move || options.connect()).await??)
    }

    /// Closes all, after those in use have come back.
    ///
    /// # Errors
    ///
    /// [`Error::Closed`] when they were closed before, and what SQLite reports.
    pub async fn close(&self) -> Result<()> {
        let all = self.permits.acquire_many(self.most).await;
        let _all = all.map_err(|_| Error::Closed)?;
        self.permits.close();
        let idle = std::mem::take(&mut *lock(&self.idle));
        let close_all = move || idle.into_iter().try_for_each(close);
        blocking(close_all).await??;
        Ok(())
    }
}

/// A connection that goes back, or is closed, when it is dropped.
#[derive(Debug)]
pub struct Reader {
    /// Nothing while it is dropped.
    connection: Option<Connection>,
    /// Where it goes, if it is kept.
    idle: Option<Arc<Mutex<Vec<Connection>>>>,
    _permit: OwnedSemaphorePermit,
}

impl Deref for Reader {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection.as_ref().expect("it is not being dropped")
    }
}

impl DerefMut for Reader {
    fn deref_mut(&mut self) -> &mut Connection {
        self.connection.as_mut().expect("it is not being dropped")
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        if let Some(idle) = &self.idle {
            lock(idle).extend(self.connection.take());
        }
    }
}

fn lock(idle: &Mutex<Vec<Connection>>) -> MutexGuard<'_, Vec<Connection>> {
    idle.lock().unwrap_or_else(PoisonError::into_inner)
}
