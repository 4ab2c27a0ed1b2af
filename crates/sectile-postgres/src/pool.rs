//! The connections.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, PgConnection};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::{Error, Result};

/// Connections that are opened when they are needed and stay open. Clones share them.
///
/// sqlx's pool asks the server for a sign of life whenever a connection comes back, which takes as
/// long as to read a checkpoint, and hands out connections on which a transaction was left behind.
#[derive(Clone, Debug)]
pub struct Pool {
    options: Arc<PgConnectOptions>,
    most: u32,
    acquire_timeout: Duration,
    permits: Arc<Semaphore>,
    idle: Arc<Mutex<Vec<PgConnection>>>,
}

/// A connection for some statements. Only one that is [kept](Self::keep) is used again: whatever is
/// dropped in between, because a statement failed or nobody waits for it, is closed.
#[derive(Debug)]
pub struct Lease {
    connection: PgConnection,
    is_used: bool,
    pool: Pool,
    _permit: OwnedSemaphorePermit,
}

impl Pool {
    /// Returns no connection yet, at most so many at once, and calls that wait so long for one.
    pub fn new(options: PgConnectOptions, most: u32, acquire_timeout: Duration) -> Self {
        Self {
            options: Arc::new(options),
            most,
            acquire_timeout,
            permits: Arc::new(Semaphore::new(most as usize)),
            idle: Arc::default(),
        }
    }

    /// Returns the connection that was used last, or a new one.
    ///
    /// # Errors
    ///
    /// [`Error`].
    pub async fn acquire(&self) -> Result<Lease> {
        let lease = timeout(self.acquire_timeout, self.lease()).await;
        lease.map_err(|_| Error::TimedOut)?
    }

    /// Returns a connection that the server has just answered on.
    ///
    /// # Errors
    ///
    /// [`Error`].
    pub async fn acquire_alive(&self) -> Result<Lease> {
        let mut lease = self.acquire().await?;
        if lease.is_used {
            let alive = timeout(self.acquire_timeout, lease.connection.ping()).await;
            if !matches!(alive, Ok(Ok(()))) {
                lease.renew().await?;
            }
        }
        Ok(lease)
    }

    async fn lease(&self) -> Result<Lease> {
        let permits = Arc::clone(&self.permits);
        let permit = permits.acquire_owned().await;
        let permit = permit.map_err(|_| Error::Closed)?;
        let idle = self.idle().pop();
        let is_used = idle.is_some();
        let connection = match idle {
            Some(connection) => connection,
            None => self.connect().await?,
        };
        Ok(Lease {
            connection,
            is_used,
            pool: self.clone(),
            _permit: permit,
        })
    }

    async fn connect(&self) -> Result<PgConnection> {
        Ok(self.options.connect().await?)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<PgConnection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes all, after those in use have come back.
    pub async fn close(&self) {
        let Ok(_all) = self.permits.acquire_many(self.most).await else {
            return;
        };
        self.permits.close();
        let idle = std::mem::take(&mut *self.idle());
        for connection in idle {
            // One that is gone already is as closed as the others.
            let _ = connection.close().await;
        }
    }
}

impl Lease {
    /// Returns the connection.
    pub fn connection(&mut self) -> &mut PgConnection {
        &mut self.connection
    }

    /// Says whether the connection was used before, so that the server may have left it since.
    pub const fn is_used(&self) -> bool {
        self.is_used
    }

    /// Takes a new connection in place of one that was used before and is dead. The others may be
    /// as well, so none of them is used again.
    ///
    /// # Errors
    ///
    /// [`Error::Connect`].
    pub async fn renew(&mut self) -> Result<()> {
        self.pool.idle().clear();
        self.connection = self.pool.connect().await?;
        self.is_used = false;
        Ok(())
    }

    /// Begins a transaction. Until [`commit`](Self::commit), dropping the connection ends it.
    ///
    /// # Errors
    ///
    /// What the server reports.
    pub async fn begin(&mut self) -> sqlx::Result<()> {
        let begun = sqlx::raw_sql("BEGIN").execute(&mut self.connection).await;
        begun.map(drop)
    }

    /// Begins a transaction that reads, and sees all as it is at one moment.
    ///
    /// # Errors
    ///
    /// What the server reports.
    pub async fn begin_snapshot(&mut self) -> sqlx::Result<()> {
        let begun = sqlx::raw_sql("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        begun.execute(&mut self.connection).await.map(drop)
    }

    /// Commits, and lets others use the connection.
    ///
    /// # Errors
    ///
    /// What the server reports; whether it has committed is not known if it reports nothing.
    pub async fn commit(mut self) -> sqlx::Result<()> {
        let committed = sqlx::raw_sql("COMMIT").execute(&mut self.connection).await;
        committed?;
        self.keep();
        Ok(())
    }

    /// Lets others use the connection.
    pub fn keep(self) {
        self.pool.idle().push(self.connection);
    }
}
