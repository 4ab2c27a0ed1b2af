//! What writes. All of it runs in tasks of their own, so that it ends even if the caller goes away.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use sectile_checkpoint::{At, Error, Result, Saved};
use sectile_checkpoint_sql::{
    Operation, Projecting, Queue, Refusal, Save, StoredRow, protocol, read,
};
use sectile_postgres::{Lease, Pool, in_a_task};
use sqlx::{AssertSqlSafe, PgConnection};
use tokio::sync::oneshot::Receiver;

use crate::error::{is_duplicate, postgres, unusable};
use crate::session::{Dialect, Session};
use crate::sql;

/// The connections, and how they are written through. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    pub(crate) pool: Pool,
    pub(crate) dialect: Dialect,
    pub(crate) projecting: Option<Projecting>,
    /// The saves that wait, by thread. One to the same thread would wait for the counter's row all
    /// the same, so those that come while others are written are then written together.
    pub(crate) waiting: Arc<Mutex<HashMap<String, Queue>>>,
}

/// A turn to write what waits for a thread. While there is one, the thread has an entry in
/// [`Writer::waiting`]; when it ends early, those that still wait are told so.
struct Turn {
    writer: Writer,
    thread_id: String,
    is_over: bool,
}

impl Writer {
    /// Saves a checkpoint, whole or not at all, whether or not anyone waits for it.
    pub(crate) async fn save(&self, row: StoredRow) -> Result<Saved> {
        let outcome = self.wait(row);
        outcome.await.map_err(|_| Error::Unavailable {
            source: "the task that saves was ended".into(),
        })?
    }

    /// Adds a save to those that wait, and sees to it that they have a turn.
    fn wait(&self, row: StoredRow) -> Receiver<Result<Saved>> {
        let mut waiting = self.waiting();
        if let Some(queue) = waiting.get_mut(&row.thread_id) {
            return queue.push(row);
        }
        let turn = Turn {
            writer: self.clone(),
            thread_id: row.thread_id.clone(),
            is_over: false,
        };
        let mut queue = Queue::default();
        let outcome = queue.push(row);
        waiting.insert(turn.thread_id.clone(), queue);
        // A runtime that ends drops the turn at once, which asks for the lock.
        drop(waiting);
        tokio::spawn(turn.write_waiting());
        outcome
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<String, Queue>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes saves together; if one of them is refused, each on its own, so that the others are
    /// saved. Returns what all of the last were told that concerns those who wait, too.
    async fn write_all(&self, saves: Vec<Save>) -> Option<Refusal> {
        if saves.len() > 1 {
            let rows: Vec<&StoredRow> = saves.iter().map(|save| &save.row).collect();
            match self.write_together(&rows).await.map_err(Refusal::of) {
                Ok(outcomes) => {
                    let done = saves.into_iter().zip(outcomes);
                    done.for_each(|(save, saved)| save.end(Ok(saved)));
                    return None;
                }
                // After some of these errors they may have been saved all the same, so whether to
                // try again is for the callers to decide.
                Err(Ok(refusal)) => {
                    refusal.tell(saves);
                    return Some(refusal);
                }
                Err(Err(_)) => {}
            }
        }
        self.write_each(saves).await
    }

    async fn write_each(&self, saves: Vec<Save>) -> Option<Refusal> {
        let mut saves = saves.into_iter();
        while let Some(save) = saves.next() {
            match self.write_one(&save.row).await.map_err(Refusal::of) {
                Ok(outcome) => save.end(Ok(outcome)),
                Err(Err(error)) => save.end(Err(error)),
                Err(Ok(refusal)) => {
                    refusal.tell(std::iter::once(save).chain(saves));
                    return Some(refusal);
                }
            }
        }
        None
    }

    /// Writes checkpoints of one thread, or nothing.
    async fn write_together(&self, rows: &[&StoredRow]) -> Result<Vec<Saved>> {
        let mut lease = self.pool.acquire_alive().await.map_err(unusable)?;
        if self.is_one_statement() {
            let saved = insert_all(lease.connection(), &self.dialect, rows).await?;
            lease.keep();
            return Ok(saved);
        }
        begin(&mut lease).await?;
        let saved = insert_all(lease.connection(), &self.dialect, rows).await?;
        for (row, saved) in rows.iter().zip(&saved) {
            self.project(lease.connection(), row, saved.seq).await?;
        }
        commit(lease).await?;
        Ok(saved)
    }

    async fn write_one(&self, row: &StoredRow) -> Result<Saved> {
        if let Some(saved) = self.insert_new(row).await? {
            return Ok(saved);
        }
        self.repeated(row).await
    }

    /// Inserts a checkpoint, with its projections, unless its thread has one of its id or never had
    /// its parent.
    async fn insert_new(&self, row: &StoredRow) -> Result<Option<Saved>> {
        let mut lease = self.pool.acquire_alive().await.map_err(unusable)?;
        if self.is_one_statement() {
            let saved = insert(lease.connection(), &self.dialect, row).await?;
            lease.keep();
            return Ok(saved);
        }
        begin(&mut lease).await?;
        let saved = insert(lease.connection(), &self.dialect, row).await?;
        if let Some(saved) = saved {
            self.project(lease.connection(), row, saved.seq).await?;
            commit(lease).await?;
        }
        Ok(saved)
    }

    /// Says whether a save needs no transaction around it.
    fn is_one_statement(&self) -> bool {
        self.projecting.is_none() && self.dialect.is_persistent
    }

    async fn project(
        &self,
        connection: &mut PgConnection,
        row: &StoredRow,
        seq: u64,
    ) -> Result<()> {
        let Some(projecting) = &self.projecting else {
            return Ok(());
        };
        let checkpoint = row.numbered(seq)?;
        let mut session = Session::new(connection, &self.dialect);
        protocol::project(&mut session, projecting.mapping(), &checkpoint).await
    }

    /// Says why a checkpoint was not inserted: another one has its id, or it has no parent.
    async fn repeated(&self, row: &StoredRow) -> Result<Saved> {
        let mut lease = self.pool.acquire_alive().await.map_err(unusable)?;
        begin(&mut lease).await?;
        let mut session = Session::new(lease.connection(), &self.dialect);
        let kept = match &row.checkpoint_id {
            Some(id) => read::fetch(&mut session, &row.thread_id, &At::Id(id.clone())).await?,
            None => None,
        };
        let latest = read::last_seq(&mut session, &row.thread_id).await?;
        commit(lease).await?;
        match (kept, row.parent_seq) {
            (Some(kept), _) => kept.repeated_by(&row.clone().into_checkpoint()?),
            (None, Some(parent)) if parent > latest => Err(Error::no_parent(parent.unsigned_abs())),
            _ => Err(Error::Conflict {
                source: "the thread was changed by another at the same moment".into(),
            }),
        }
    }

    /// Runs an operation in a transaction, whether or not anyone waits for it.
    pub(crate) async fn run(&self, operation: Operation) -> Result<u64> {
        let writer = self.clone();
        let done = in_a_task(async move {
            let mut lease = writer.pool.acquire_alive().await.map_err(unusable)?;
            begin(&mut lease).await?;
            let mut session = Session::new(lease.connection(), &writer.dialect);
            let mapping = writer.projecting.as_ref().map(Projecting::mapping);
            let done = operation.run(&mut session, mapping).await?;
            commit(lease).await?;
            Ok(done)
        });
        done.await.map_err(unusable)?
    }
}

impl Turn {
    async fn write_waiting(mut self) {
        loop {
            let saves = self.take();
            if saves.is_empty() {
                return;
            }
            let start = Instant::now();
            if let Some(refusal) = self.writer.write_all(saves).await {
                refusal.tell(self.take_late(start));
            }
        }
    }

    /// Takes what has waited for at least half as long as those who were refused, which began then:
    /// to wait as long as these once more would be a multiple of what the server lets them.
    fn take_late(&self, start: Instant) -> Vec<Save> {
        let mut waiting = self.writer.waiting();
        let queue = waiting.get_mut(&self.thread_id);
        queue.map_or_else(Vec::new, |queue| {
            queue.take_before(start + start.elapsed() / 2)
        })
    }

    /// Takes what waits. If nothing does, the turn is over before another save can come.
    fn take(&mut self) -> Vec<Save> {
        let mut waiting = self.writer.waiting();
        let saves = waiting.get_mut(&self.thread_id).map(Queue::take);
        let saves = saves.unwrap_or_default();
        if saves.is_empty() {
            waiting.remove(&self.thread_id);
            self.is_over = true;
        }
        saves
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if !self.is_over {
            self.writer.waiting().remove(&self.thread_id);
        }
    }
}

async fn begin(lease: &mut Lease) -> Result<()> {
    lease.begin().await.map_err(postgres("begin a transaction"))
}

async fn commit(lease: Lease) -> Result<()> {
    lease
        .commit()
        .await
        .map_err(postgres("commit a transaction"))
}

/// Inserts a checkpoint, unless its thread has one of its id or never had its parent.
async fn insert(
    connection: &mut PgConnection,
    dialect: &Dialect,
    row: &StoredRow,
) -> Result<Option<Saved>> {
    let inserted: Result<Option<(i64,)>, sqlx::Error> =
        sqlx::query_as(AssertSqlSafe(dialect.tables.sql(sql::INSERT)))
            .persistent(dialect.is_persistent)
            .bind(&row.thread_id)
            .bind(row.created_at)
            .bind(&row.node)
            .bind(row.step)
            .bind(&row.checkpoint_id)
            .bind(row.parent_seq)
            .bind(&row.queue_json)
            .bind(&row.metadata_json)
            .bind(&row.state_json)
            .fetch_optional(connection)
            .await;
    match inserted {
        Ok(seq) => Ok(seq.map(|(seq,)| new(seq))),
        // Another save with the same id, which this statement did not see, came first.
        Err(error) if row.checkpoint_id.is_some() && is_duplicate(&error) => Ok(None),
        Err(error) => Err(postgres("insert a checkpoint")(error)),
    }
}

/// Inserts checkpoints of one thread under numbers that follow each other.
async fn insert_all(
    connection: &mut PgConnection,
    dialect: &Dialect,
    rows: &[&StoredRow],
) -> Result<Vec<Saved>> {
    let column =
        |text: fn(&StoredRow) -> &str| -> Vec<&str> { rows.iter().map(|row| text(row)).collect() };
    let numbers = |number: fn(&StoredRow) -> i64| -> Vec<i64> {
        rows.iter().map(|row| number(row)).collect()
    };
    let nodes: Vec<_> = rows.iter().map(|row| row.node.as_deref()).collect();
    let ids: Vec<_> = rows
        .iter()
        .map(|row| row.checkpoint_id.as_deref())
        .collect();
    let parents: Vec<_> = rows.iter().map(|row| row.parent_seq).collect();
    let inserted: Result<Vec<(i64,)>, sqlx::Error> =
        sqlx::query_as(AssertSqlSafe(dialect.tables.sql(sql::INSERT_ALL)))
            .persistent(dialect.is_persistent)
            .bind(&rows[0].thread_id)
            .bind(numbers(|row| row.created_at))
            .bind(nodes)
            .bind(numbers(|row| row.step))
            .bind(ids)
            .bind(parents)
            .bind(column(|row| &row.queue_json))
            .bind(column(|row| &row.metadata_json))
            .bind(column(|row| &row.state_json))
            .fetch_all(connection)
            .await;
    let mut seqs = inserted.map_err(postgres("insert checkpoints"))?;
    if seqs.is_empty() {
        // Which one it is shows when each is inserted alone.
        let parent = rows.iter().filter_map(|row| row.parent_seq).max();
        return Err(Error::no_parent(parent.unwrap_or_default().unsigned_abs()));
    }
    // In the order of the rows, which the server does not promise to keep.
    seqs.sort_unstable();
    Ok(seqs.into_iter().map(|(seq,)| new(seq)).collect())
}

/// Says that a checkpoint was inserted.
fn new(seq: i64) -> Saved {
    Saved {
        seq: seq.unsigned_abs(),
        is_new: true,
    }
}
