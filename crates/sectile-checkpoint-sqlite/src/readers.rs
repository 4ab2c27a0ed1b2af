//! The connections that read.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

use sectile_checkpoint::Result;
use sectile_checkpoint_sql::error::sqlite;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::connection::closed;

/// Connections that are opened when they are needed and stay open.
///
/// sqlx's pool starts a task for each connection that comes back and asks SQLite for a sign of
/// life, which takes longer than to read a checkpoint.
#[derive(Clone, Debug)]
pub(crate) struct Readers {
    options: SqliteConnectOptions,
    most: u32,
    permits: Arc<Semaphore>,
    idle: Arc<Mutex<Vec<SqliteConnection>>>,
}

impl Readers {
    pub(crate) fn new(options: SqliteConnectOptions, most: u32) -> Self {
        Self {
            options,
            most,
            permits: Arc::new(Semaphore::new(most as usize)),
            idle: Arc::default(),
        }
    }

    /// Returns the connection that was used last of those that are not in use, or opens one.
    pub(crate) async fn acquire(&self) -> Result<Reader> {
        let permits = Arc::clone(&self.permits);
        let permit = permits.acquire_owned().await.map_err(|_| closed())?;
        let idle = lock(&self.idle).pop();
        let connection = match idle {
            Some(connection) => connection,
            None => self
                .options
                .connect()
                .await
                .map_err(sqlite("open the file"))?,
        };
        Ok(Reader {
            connection: Some(connection),
            idle: Arc::clone(&self.idle),
            _permit: permit,
        })
    }

    /// Closes all, after those in use have come back.
    pub(crate) async fn close(&self) -> Result<()> {
        let all = self.permits.acquire_many(self.most).await;
        let Ok(_all) = all else {
            return Ok(());
        };
        self.permits.close();
        let idle = std::mem::take(&mut *lock(&self.idle));
        for connection in idle {
            connection.close().await.map_err(sqlite("close the file"))?;
        }
        Ok(())
    }
}

/// A connection that goes back when it is dropped. Whoever reads with it next waits until it has
/// left what a future that was dropped began.
#[derive(Debug)]
pub(crate) struct Reader {
    /// Nothing while it is dropped.
    connection: Option<SqliteConnection>,
    idle: Arc<Mutex<Vec<SqliteConnection>>>,
    _permit: OwnedSemaphorePermit,
}

impl Deref for Reader {
    type Target = SqliteConnection;

    fn deref(&self) -> &SqliteConnection {
        self.connection.as_ref().expect("it is not being dropped")
    }
}

impl DerefMut for Reader {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        self.connection.as_mut().expect("it is not being dropped")
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        lock(&self.idle).extend(self.connection.take());
    }
}

fn lock(idle: &Mutex<Vec<SqliteConnection>>) -> std::sync::MutexGuard<'_, Vec<SqliteConnection>> {
    idle.lock().unwrap_or_else(PoisonError::into_inner)
}
