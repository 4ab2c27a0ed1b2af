//! The connection that writes, and its transactions.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sectile_checkpoint::{Error, Result};
use sectile_checkpoint_sql::error::sqlite;
use sqlx::SqliteConnection;

/// One that only begins to read first may find the file locked when it goes on to write, and
/// `busy_timeout` does not help it then.
const BEGIN: &str = "BEGIN IMMEDIATE";

/// The connection that writes.
///
/// Transactions are statements like others, not those of sqlx, which takes one that SQLite ended
/// itself, for want of space for example, to go on for ever.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) sqlite: SqliteConnection,
    /// Whether a transaction has begun and not ended.
    is_in_transaction: bool,
    /// Whether the last commit failed. SQLite says so itself, in the order of the statements, so
    /// one whose future was dropped is not taken for the next.
    is_rolled_back: Arc<AtomicBool>,
}

impl Connection {
    pub(crate) async fn new(mut sqlite: SqliteConnection) -> sqlx::Result<Self> {
        let is_rolled_back = Arc::new(AtomicBool::new(false));
        let (committing, rolling_back) = (Arc::clone(&is_rolled_back), Arc::clone(&is_rolled_back));
        let mut handle = sqlite.lock_handle().await?;
        handle.set_commit_hook(move || {
            committing.store(false, Ordering::Release);
            true
        });
        handle.set_rollback_hook(move || rolling_back.store(true, Ordering::Release));
        drop(handle);
        Ok(Self {
            sqlite,
            is_in_transaction: false,
            is_rolled_back,
        })
    }

    /// Says whether SQLite could not commit what was written last.
    pub(crate) fn is_rolled_back(&self) -> bool {
        self.is_rolled_back.load(Ordering::Acquire)
    }

    /// Begins a transaction.
    pub(crate) async fn begin(&mut self) -> Result<()> {
        self.is_in_transaction = true;
        let begun = self.execute(BEGIN).await;
        self.is_in_transaction = begun.is_ok();
        begun.map_err(sqlite("begin a transaction"))
    }

    /// Commits what has succeeded; rolls back what has not, or cannot be committed.
    pub(crate) async fn end<T>(&mut self, done: Result<T>) -> Result<T> {
        let ended = match done {
            Ok(done) => {
                let committed = self.execute("COMMIT").await;
                committed
                    .map_err(sqlite("commit a transaction"))
                    .map(|()| done)
            }
            Err(error) => Err(error),
        };
        if ended.is_err() {
            self.roll_back().await;
        }
        self.is_in_transaction = false;
        ended
    }

    /// Rolls back, unless SQLite has done so: this fails only if there is no transaction.
    async fn roll_back(&mut self) {
        let _ = self.execute("ROLLBACK").await;
        self.is_in_transaction = false;
    }

    async fn execute(&mut self, statement: &'static str) -> sqlx::Result<()> {
        let done = sqlx::query(statement).execute(&mut self.sqlite).await;
        done.map(drop)
    }
}

/// Returns the connection, unless it was closed. A transaction is rolled back whose task panicked,
/// or was dropped with its runtime: what is saved next must not be a part of it.
pub(crate) async fn open(connection: &mut Option<Connection>) -> Result<&mut Connection> {
    let connection = connection.as_mut().ok_or_else(closed)?;
    if connection.is_in_transaction {
        connection.roll_back().await;
    }
    Ok(connection)
}

pub(crate) fn closed() -> Error {
    Error::Unavailable {
        source: "the checkpointer was closed".into(),
    }
}
