//! The connections.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::pool::PoolConnection;
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, PgConnection, PgPool, Postgres};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tracing::{Instrument as _, debug_span};

use crate::{Error, Result};

/// Begins a transaction that reads, and sees all as it is at one moment.
const BEGIN_SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// Makes settings that end with the transaction.
const SET_LOCAL: &str = "SELECT set_config(name, value, true) \
     FROM unnest($1::text[], $2::text[]) AS settings (name, value)";

/// A connection that came back so short a time ago is taken for alive. A server takes longer to restart, and
/// to ask it takes as long as to save a checkpoint.
const ALIVE: Duration = Duration::from_millis(100);

/// Connections that are opened when they are needed and stay open. Clones share them.
///
/// sqlx's pool asks the server for a sign of life whenever a connection comes back, which takes as
/// long as to read a checkpoint, and hands out connections on which a transaction was left behind.
#[derive(Clone, Debug)]
pub struct Pool {
    source: Source,
    most: u32,
    acquire_timeout: Duration,
    permits: Arc<Semaphore>,
    idle: Arc<Mutex<Vec<Idle>>>,
    settings: Arc<[(String, String)]>,
}

/// Where connections come from.
#[derive(Clone, Debug)]
enum Source {
    /// They are opened here.
    Server(Arc<PgConnectOptions>),
    /// They are those of another pool, and go back to it.
    Pool(PgPool),
}

/// A connection that nobody uses.
#[derive(Debug)]
struct Idle {
    connection: PgConnection,
    since: Instant,
}

/// A connection for some statements. Only one that is [kept](Self::keep) is used again: whatever is
/// dropped in between, because a statement failed or nobody waits for it, is closed.
#[derive(Debug)]
pub struct Lease {
    connection: Connection,
    is_used: bool,
    /// Since when nobody has used it, if that is known.
    idle_since: Option<Instant>,
    pool: Pool,
    _permit: OwnedSemaphorePermit,
}

#[derive(Debug)]
enum Connection {
    Own(PgConnection),
    Lent(Lent),
}

/// A connection of another pool. Unless it is kept it is closed, as the other pool would hand it out
/// with a transaction left behind.
#[derive(Debug)]
struct Lent {
    connection: PoolConnection<Postgres>,
    is_kept: bool,
}

impl Pool {
    /// Returns no connection yet, at most so many at once, and calls that wait so long for one.
    pub fn new(options: PgConnectOptions, most: u32, acquire_timeout: Duration) -> Self {
        Self::of(Source::Server(Arc::new(options)), most, acquire_timeout)
    }

    /// Returns the connections of another pool, which stays open when this one is closed. How many
    /// there are is for that one to say, and how long a call waits for one, too.
    pub fn lent(pool: PgPool) -> Self {
        let (most, timeout) = {
            let options = pool.options();
            (options.get_max_connections(), options.get_acquire_timeout())
        };
        Self::of(Source::Pool(pool), most, timeout)
    }

    fn of(source: Source, most: u32, acquire_timeout: Duration) -> Self {
        Self {
            source,
            most,
            acquire_timeout,
            permits: Arc::new(Semaphore::new(most as usize)),
            idle: Arc::default(),
            settings: Arc::default(),
        }
    }

    /// Returns the same connections, whose transactions begin with settings of the server, as
    /// `SET LOCAL` makes them.
    #[must_use]
    pub fn with_settings(&self, settings: Vec<(String, String)>) -> Self {
        Self {
            settings: settings.into(),
            ..self.clone()
        }
    }

    /// Returns whether transactions begin with settings, so that nothing may be done outside of
    /// one.
    pub fn has_settings(&self) -> bool {
        !self.settings.is_empty()
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

    /// Returns a connection on which the server answers, or did so a moment ago.
    ///
    /// # Errors
    ///
    /// [`Error`].
    pub async fn acquire_alive(&self) -> Result<Lease> {
        let mut lease = self.acquire().await?;
        if lease.is_used && !lease.was_used_just_now() {
            let alive = timeout(self.acquire_timeout, lease.connection().ping()).await;
            if !matches!(alive, Ok(Ok(()))) {
                lease.renew().await?;
            }
        }
        Ok(lease)
    }

    async fn lease(&self) -> Result<Lease> {
        let permits = Arc::clone(&self.permits);
        let permit = if let Ok(permit) = Arc::clone(&permits).try_acquire_owned() {
            permit
        } else {
            let wait = permits.acquire_owned().instrument(debug_span!("pool.wait"));
            wait.await.map_err(|_| Error::Closed)?
        };
        let idle = self.idle().pop();
        let is_used = match &self.source {
            Source::Server(_) => idle.is_some(),
            Source::Pool(pool) => !pool.options().get_test_before_acquire(),
        };
        let idle_since = idle.as_ref().map(|idle| idle.since);
        let connection = match idle {
            Some(idle) => Connection::Own(idle.connection),
            None => self.connect().await?,
        };
        Ok(Lease {
            connection,
            is_used,
            idle_since,
            pool: self.clone(),
            _permit: permit,
        })
    }

    async fn connect(&self) -> Result<Connection> {
        Ok(match &self.source {
            Source::Server(options) => Connection::Own(Box::pin(options.connect()).await?),
            Source::Pool(pool) => Connection::Lent(Lent {
                connection: Box::pin(pool.acquire()).await.map_err(of_pool)?,
                is_kept: false,
            }),
        })
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Idle>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes all, after those in use have come back.
    pub async fn close(&self) {
        let Ok(_all) = self.permits.acquire_many(self.most).await else {
            return;
        };
        self.permits.close();
        let idle = std::mem::take(&mut *self.idle());
        for idle in idle {
            // One that is gone already is as closed as the others.
            let _ = idle.connection.close().await;
        }
    }
}

impl Lease {
    /// Returns the connection.
    pub fn connection(&mut self) -> &mut PgConnection {
        match &mut self.connection {
            Connection::Own(connection) => connection,
            Connection::Lent(lent) => &mut lent.connection,
        }
    }

    /// Returns whether the connection was used before, so that the server may have left it since.
    pub const fn is_used(&self) -> bool {
        self.is_used
    }

    fn was_used_just_now(&self) -> bool {
        self.idle_since.is_some_and(|since| since.elapsed() < ALIVE)
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

    /// Begins a transaction. Until [`commit`](Self::commit) or [`rollback`](Self::rollback), dropping the
    /// connection ends it.
    ///
    /// # Errors
    ///
    /// What the server reports.
    pub async fn begin(&mut self) -> sqlx::Result<()> {
        self.begin_by("BEGIN").await
    }

    /// Begins a transaction as [`begin`](Self::begin) does, with a statement that locks tables.
    ///
    /// # Errors
    ///
    /// What the server reports.
    pub async fn begin_with(&mut self, lock: &str) -> sqlx::Result<()> {
        self.begin_by(&format!("BEGIN; {lock}")).await
    }

    /// Begins a transaction that reads, and sees all as it is at one moment.
    ///
    /// # Errors
    ///
    /// What the server reports.
    pub async fn begin_snapshot(&mut self) -> sqlx::Result<()> {
        self.begin_by(BEGIN_SNAPSHOT).await
    }

    /// Begins a transaction that reads, with a statement that locks tables. What it sees is as it is once it has the locks.
    ///
    /// # Errors
    ///
    /// What the server reports.
    pub async fn begin_snapshot_with(&mut self, lock: &str) -> sqlx::Result<()> {
        self.begin_by(&format!("{BEGIN_SNAPSHOT}; {lock}")).await
    }

    async fn begin_by(&mut self, begin: &str) -> sqlx::Result<()> {
        let begin = AssertSqlSafe(begin.to_owned());
        sqlx::raw_sql(begin).execute(self.connection()).await?;
        if self.pool.settings.is_empty() {
            return Ok(());
        }
        let settings = Arc::clone(&self.pool.settings);
        let (names, values): (Vec<&str>, Vec<&str>) = settings
            .iter()
            .map(|(name, value)| (&**name, &**value))
            .unzip();
        let set = sqlx::query(SET_LOCAL)
            .persistent(false)
            .bind(names)
            .bind(values);
        set.execute(self.connection()).await.map(drop)
    }

    /// Commits, and lets others use the connection.
    ///
    /// # Errors
    ///
    /// What the server reports; whether it has committed is not known if it reports nothing.
    pub async fn commit(mut self) -> sqlx::Result<()> {
        let committed = sqlx::raw_sql("COMMIT").execute(self.connection()).await;
        committed?;
        self.keep();
        Ok(())
    }

    /// Rolls back, and lets others use the connection.
    ///
    /// # Errors
    ///
    /// What the server reports; then the connection is closed, which rolls back, too.
    pub async fn rollback(mut self) -> sqlx::Result<()> {
        let done = sqlx::raw_sql("ROLLBACK").execute(self.connection()).await;
        done?;
        self.keep();
        Ok(())
    }

    /// Lets others use the connection.
    pub fn keep(self) {
        match self.connection {
            Connection::Own(connection) => {
                let since = Instant::now();
                self.pool.idle().push(Idle { connection, since });
            }
            Connection::Lent(mut lent) => lent.is_kept = true,
        }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if !self.is_kept {
            self.connection.close_on_drop();
        }
    }
}

/// Says why another pool has no connection.
fn of_pool(error: sqlx::Error) -> Error {
    match error {
        sqlx::Error::PoolTimedOut => Error::TimedOut,
        sqlx::Error::PoolClosed => Error::Closed,
        error => error.into(),
    }
}
