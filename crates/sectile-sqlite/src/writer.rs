//! The connection that writes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::Mutex;

use crate::busy_handler::waiting_until;
use crate::task::{blocking, blocking_in_a_task, in_a_task};
use crate::{Error, OpenFile, Options, Result};

/// How long work may have taken last, for the next to be done on a thread of the runtime.
const QUICK: Duration = Duration::from_millis(1);

/// The one connection that writes. Clones share it, and take turns in the order they come.
#[derive(Clone, Debug)]
pub struct Writer {
    connection: Arc<Mutex<Option<Connection>>>,
    file: OpenFile,
    busy_timeout: Duration,
    /// Whether the last work was quick.
    is_quick: Arc<AtomicBool>,
}

impl Writer {
    /// Opens the connection.
    ///
    /// # Errors
    ///
    /// What SQLite reports.
    pub async fn open(options: Options) -> Result<Self> {
        let busy_timeout = options.patience();
        let open = move || -> Result<_> {
            let connection = options.connect()?;
            let file = OpenFile::of(options.path(), options.is_in_memory())?;
            Ok((connection, file))
        };
        let (connection, file) = blocking(open).await??;
        Ok(Self {
            connection: Arc::new(Mutex::new(Some(connection))),
            file,
            busy_timeout,
            is_quick: Arc::default(),
        })
    }

    /// Runs work on this very thread, with a connection that waits for nobody, unless that may hold
    /// others up: when the connection is in use, when the last work was not quick (a disk that
    /// takes its time, for example), and when the runtime has no other thread. To go to another
    /// thread and back takes as long as a commit to a fast disk.
    ///
    /// # Errors
    ///
    /// [`Error::Closed`] when the connection was closed, and [`Error::Replaced`] when what was written
    /// is lost.
    pub fn try_run<T>(&self, work: impl FnOnce(&mut Connection) -> T) -> Result<Option<T>> {
        let is_alone = Handle::current().runtime_flavor() == RuntimeFlavor::CurrentThread;
        if is_alone || !self.is_quick.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let Ok(mut connection) = self.connection.try_lock() else {
            return Ok(None);
        };
        let connection = connection.as_mut().ok_or(Error::Closed)?;
        let done = timed(&self.is_quick, || work(connection));
        self.check()?;
        Ok(Some(done))
    }

    /// Returns how long a call waits for others who write.
    pub fn busy_timeout(&self) -> Duration {
        self.busy_timeout
    }

    /// Returns the file that the connection has open.
    pub fn file(&self) -> &OpenFile {
        &self.file
    }

    /// Makes sure, after a commit, that it was one to the file that others find: for work that
    /// acknowledges itself what it has written, before [`run`](Self::run) returns.
    ///
    /// # Errors
    ///
    /// [`Error::Replaced`].
    pub fn check(&self) -> Result<()> {
        self.file.check_used()
    }

    /// Starts work on the connection, which runs to its end whether or not the future is awaited.
    /// How long it waits for others counts from this call, not from when its turn comes.
    ///
    /// # Errors
    ///
    /// [`Error::Closed`] when the connection was closed, or the runtime ends, and
    /// [`Error::Replaced`] when what was written is lost.
    pub fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> T + Send + 'static,
    ) -> impl Future<Output = Result<T>> + Send + 'static {
        let (connection, is_quick) = (Arc::clone(&self.connection), Arc::clone(&self.is_quick));
        let deadline = Instant::now() + self.busy_timeout;
        let done = in_a_task(async move {
            let mut connection = connection.lock_owned().await;
            let work = move || {
                let connection = connection.as_mut()?;
                let work = || waiting_until(deadline, || work(connection));
                Some(timed(&is_quick, work))
            };
            blocking_in_a_task(work).await
        });
        let file = self.file.clone();
        async move {
            let done = done.await??.ok_or(Error::Closed)?;
            file.check_used()?;
            Ok(done)
        }
    }

    /// Closes the connection, after the work that waits for it.
    ///
    /// # Errors
    ///
    /// What SQLite reports.
    pub async fn close(&self) -> Result<()> {
        let connection = Arc::clone(&self.connection);
        let done = in_a_task(async move {
            let mut connection = connection.lock_owned().await;
            blocking_in_a_task(move || connection.take().map_or(Ok(()), close)).await
        });
        done.await???;
        Ok(())
    }
}

/// Runs work and notes whether it was quick.
fn timed<T>(is_quick: &AtomicBool, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    is_quick.store(start.elapsed() < QUICK, Ordering::Relaxed);
    done
}

pub(crate) fn close(connection: Connection) -> rusqlite::Result<()> {
    connection.close().map_err(|(_, error)| error)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::busy_handler::deadline;

    #[tokio::test]
    async fn work_waits_for_others_from_its_call_on_and_not_from_its_turn() {
        let folder = tempfile::tempdir().unwrap();
        let options = Options::new(folder.path().join("a.db"));
        let writer = Writer::open(options).await.unwrap();
        let (end, ended) = mpsc::channel::<()>();
        let first = writer.run(move |_| ended.recv());
        let second = writer.run(|_| deadline());
        let called = Instant::now();
        end.send(()).unwrap();
        first.await.unwrap().unwrap();
        let until = second.await.unwrap().unwrap();
        assert!(until <= called + writer.busy_timeout());
    }
}
