//! The one connection that writes, and how saves that come at once are written together.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use sectile_checkpoint::{Result, Saved};
use sectile_checkpoint_sql::error::sqlite;
use sectile_checkpoint_sql::{Operation, Projecting, RowTuple, StoredRow, protocol, sql as shared};
use sectile_migrations::Tables;
use sqlx::{AssertSqlSafe, SqliteConnection};
use tokio::sync::oneshot;

use crate::connection::{Connection, closed, open};
use crate::session::Session;
use crate::sql;

/// The most saves that are written together, so that no one waits long for others.
const MOST_TOGETHER: usize = 256;

/// The most bytes of states that are written together, unless one state has more.
const MOST_BYTES_TOGETHER: usize = 16 * 1024 * 1024;

/// The connection that writes, and the saves that wait for it.
#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) tables: Tables,
    pub(crate) projecting: Option<Projecting>,
    waiting: Mutex<VecDeque<Save>>,
    connection: tokio::sync::Mutex<Option<Connection>>,
}

/// A save that waits.
#[derive(Debug)]
struct Save {
    row: StoredRow,
    done: oneshot::Sender<Result<Saved>>,
}

impl Writer {
    pub(crate) fn new(
        connection: Connection,
        tables: Tables,
        projecting: Option<Projecting>,
    ) -> Self {
        Self {
            tables,
            projecting,
            waiting: Mutex::default(),
            connection: tokio::sync::Mutex::new(Some(connection)),
        }
    }

    /// Saves a checkpoint. Dropping the future leaves it whole or absent.
    pub(crate) async fn save(self: &Arc<Self>, row: StoredRow) -> Result<Saved> {
        if self.projecting.is_none()
            && let Ok(mut connection) = self.connection.try_lock()
        {
            // One statement is atomic by itself, so it needs no task of its own.
            return self.write_one(open(&mut connection).await?, &row).await;
        }
        let (done, outcome) = oneshot::channel();
        self.waiting().push_back(Save { row, done });
        let writer = Arc::clone(self);
        tokio::spawn(async move { writer.write_waiting().await });
        outcome.await.unwrap_or_else(|_| Err(closed()))
    }

    /// Writes what waits, unless another task has done so already.
    async fn write_waiting(&self) {
        let mut connection = self.connection.lock().await;
        let saves = self.take_waiting();
        if saves.is_empty() {
            return;
        }
        match open(&mut connection).await {
            Ok(connection) => self.write_all(connection, saves).await,
            Err(_) => saves.into_iter().for_each(|save| save.end(Err(closed()))),
        }
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, VecDeque<Save>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes as many saves as are written together. Each has a task that comes here, so those
    /// that are left are taken by the next.
    fn take_waiting(&self) -> Vec<Save> {
        let mut waiting = self.waiting();
        let mut bytes = 0;
        let fits = |save: &&Save| {
            bytes += save.row.state_json.len();
            bytes <= MOST_BYTES_TOGETHER
        };
        let count = waiting.iter().take(MOST_TOGETHER).take_while(fits).count();
        let count = count.max(1).min(waiting.len());
        waiting.drain(..count).collect()
    }

    /// Writes saves in one transaction; if that fails, each in one of its own, so that what is
    /// wrong with one does not keep the others from being saved.
    async fn write_all(&self, connection: &mut Connection, saves: Vec<Save>) {
        if saves.len() > 1 {
            let rows: Vec<&StoredRow> = saves.iter().map(|save| &save.row).collect();
            if let Ok(saved) = self.write_together(connection, &rows).await {
                let done = saves.into_iter().zip(saved);
                return done.for_each(|(save, saved)| save.end(Ok(saved)));
            }
        }
        for save in saves {
            let outcome = self.write_together(connection, &[&save.row]).await;
            save.end(outcome.map(|saved| saved[0]));
        }
    }

    /// Writes saves in one transaction, or nothing.
    async fn write_together(
        &self,
        connection: &mut Connection,
        rows: &[&StoredRow],
    ) -> Result<Vec<Saved>> {
        if let ([row], None) = (rows, &self.projecting) {
            return Ok(vec![self.write_one(connection, row).await?]);
        }
        self.write_in_transaction(connection, rows).await
    }

    /// Writes a checkpoint by one statement.
    ///
    /// sqlx resets a statement of which it was asked for one row; that is when SQLite commits, and
    /// sqlx does not say if it could not. To ask for more would take two messages from its thread
    /// for each save.
    async fn write_one(&self, connection: &mut Connection, row: &StoredRow) -> Result<Saved> {
        let saved = insert(&mut connection.sqlite, &self.tables, row).await?;
        if !saved.is_new || !connection.is_rolled_back() {
            return Ok(saved);
        }
        // Nothing is there, so it can be done again, in a way that says what is wrong.
        let saved = self.write_in_transaction(connection, &[row]).await?;
        Ok(saved[0])
    }

    async fn write_in_transaction(
        &self,
        connection: &mut Connection,
        rows: &[&StoredRow],
    ) -> Result<Vec<Saved>> {
        connection.begin().await?;
        let saved = self.insert_all(&mut connection.sqlite, rows).await;
        connection.end(saved).await
    }

    /// Inserts checkpoints with their projections, within a transaction.
    async fn insert_all(
        &self,
        connection: &mut SqliteConnection,
        rows: &[&StoredRow],
    ) -> Result<Vec<Saved>> {
        let mut saved = Vec::with_capacity(rows.len());
        for row in rows {
            let done = insert(connection, &self.tables, row).await?;
            if let Some(projecting) = self.projecting.as_ref().filter(|_| done.is_new) {
                let checkpoint = row.numbered(done.seq)?;
                let mut session = Session::new(connection, &self.tables);
                protocol::project(&mut session, projecting.mapping(), &checkpoint).await?;
            }
            saved.push(done);
        }
        Ok(saved)
    }

    /// Runs an operation in a transaction, in a task of its own, so that it ends even if the caller
    /// goes away.
    pub(crate) async fn run(self: &Arc<Self>, operation: Operation) -> Result<u64> {
        let writer = Arc::clone(self);
        let task = tokio::spawn(async move {
            let mut connection = writer.connection.lock().await;
            let connection = open(&mut connection).await?;
            connection.begin().await?;
            let mut session = Session::new(&mut connection.sqlite, &writer.tables);
            let mapping = writer.projecting.as_ref().map(Projecting::mapping);
            let done = operation.run(&mut session, mapping).await;
            connection.end(done).await
        });
        match task.await {
            Ok(done) => done,
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(_) => Err(closed()),
        }
    }

    /// Waits for the connection, for what needs it whole.
    pub(crate) async fn lock(&self) -> tokio::sync::MutexGuard<'_, Option<Connection>> {
        self.connection.lock().await
    }
}

impl Save {
    /// Tells who saved; if they are gone, there is no one to tell.
    fn end(self, outcome: Result<Saved>) {
        let _ = self.done.send(outcome);
    }
}

/// Inserts a checkpoint, or says which one of the thread has its id.
async fn insert(
    connection: &mut SqliteConnection,
    tables: &Tables,
    row: &StoredRow,
) -> Result<Saved> {
    let inserted: Option<(i64,)> = sqlx::query_as(AssertSqlSafe(tables.sql(sql::INSERT)))
        .bind(&row.thread_id)
        .bind(row.created_at)
        .bind(&row.node)
        .bind(row.step)
        .bind(&row.checkpoint_id)
        .bind(row.parent_seq)
        .bind(&row.queue_json)
        .bind(&row.metadata_json)
        .bind(&row.state_json)
        .fetch_optional(&mut *connection)
        .await
        .map_err(sqlite("insert a checkpoint"))?;
    if let Some((seq,)) = inserted {
        return Ok(Saved {
            seq: seq.unsigned_abs(),
            is_new: true,
        });
    }
    let kept: RowTuple = sqlx::query_as(AssertSqlSafe(tables.sql(shared::BY_ID)))
        .bind(&row.thread_id)
        .bind(&row.checkpoint_id)
        .fetch_one(connection)
        .await
        .map_err(sqlite("read a checkpoint"))?;
    let kept = StoredRow::from(kept).into_checkpoint()?;
    kept.repeated_by(&row.clone().into_checkpoint()?)
}
