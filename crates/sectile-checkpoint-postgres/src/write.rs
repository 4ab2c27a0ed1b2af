//! The writer. It runs in its own tasks, so that a write finishes even if the caller is dropped.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use sectile_checkpoint::{Error, Key, Result, Saved};
use sectile_checkpoint_sql::{
    Argument, Call, NewRow, NewWrites, Operation, Outcome, Projecting, Queue, Refusal, StoredRow,
    Transaction as _, Work, protocol, sql as shared,
};
use sectile_migrations::{CHECKPOINT_MOVING, CHECKPOINT_POSTGRES};
use sectile_postgres::{Lease, Pool, in_a_task};
use sqlx::{AssertSqlSafe, PgConnection};
use tokio::sync::oneshot::Receiver;

use crate::error::{is_duplicate, is_refusal, postgres, unusable};
use crate::session::{Dialect, Session};
use crate::sql;
use crate::timeouts::{deduction, refused_before};

/// The connections, and how they are written through. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    pub(crate) pool: Pool,
    pub(crate) dialect: Dialect,
    pub(crate) projecting: Option<Projecting>,
    /// The calls that wait, by namespace. One to the same would wait for the counter's row all
    /// the same, so those that come while others are written are then written together.
    pub(crate) waiting: Arc<Mutex<HashMap<Key, Queue>>>,
}

/// A turn to write the waiting calls of a thread. During a turn, the thread has an entry in
/// [`Writer::waiting`]. If it ends early, the calls that still wait get an error.
struct Turn {
    writer: Writer,
    key: Key,
    is_over: bool,
}

impl Writer {
    /// Saves a checkpoint, whole or not at all, whether or not anyone waits for it.
    pub(crate) async fn save(&self, row: NewRow) -> Result<Saved> {
        self.write(row.into()).await?.ok_or_else(gone)
    }

    /// Keeps what a task wrote beside a checkpoint, the same.
    pub(crate) async fn put_writes(&self, writes: NewWrites) -> Result<()> {
        self.write(writes.into()).await.map(drop)
    }

    async fn write(&self, work: Work) -> Outcome {
        let outcome = self.wait(work);
        outcome.await.map_err(|_| gone())?
    }

    /// Adds a call to the waiting ones, and starts their turn if necessary.
    fn wait(&self, work: Work) -> Receiver<Outcome> {
        let mut waiting = self.waiting();
        if let Some(queue) = waiting.get_mut(work.key()) {
            return queue.push(work);
        }
        let turn = Turn {
            writer: self.clone(),
            key: work.key().clone(),
            is_over: false,
        };
        let mut queue = Queue::default();
        let outcome = queue.push(work);
        waiting.insert(turn.key.clone(), queue);
        // A runtime that ends drops the turn at once, which asks for the lock.
        drop(waiting);
        tokio::spawn(turn.write_waiting());
        outcome
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<Key, Queue>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does what calls ask for, together where that is possible. Returns what all of the last were
    /// told that concerns those who wait, too.
    async fn write_all(&self, calls: Vec<Call>) -> Option<Refusal> {
        // All are told together, so they wait as long as the last of them may.
        let came = calls.iter().map(|call| call.came).max()?;
        // A state in pieces takes statements of its own.
        let is_plain = |call: &Call| call.work.row().is_none_or(|row| row.pieces.is_none());
        let (plain, others): (Vec<Call>, Vec<Call>) = calls.into_iter().partition(is_plain);
        if let Some(refusal) = self.write_group(plain, came).await {
            refusal.tell(others);
            return Some(refusal);
        }
        self.write_each(others, came).await
    }

    /// Does what calls ask for in one transaction; if one of them is refused, each on its own, so
    /// that the others are done.
    async fn write_group(&self, calls: Vec<Call>, came: Instant) -> Option<Refusal> {
        if calls.len() > 1 {
            let works: Vec<&Work> = calls.iter().map(|call| &call.work).collect();
            match self.write_together(&works, came).await.map_err(Refusal::of) {
                Ok(outcomes) => {
                    let done = calls.into_iter().zip(outcomes);
                    done.for_each(|(call, saved)| call.end(Ok(saved)));
                    return None;
                }
                // After some of these errors it may have been written all the same, so whether to
                // try again is for the callers to decide.
                Err(Ok(refusal)) => {
                    refusal.tell(calls);
                    return Some(refusal);
                }
                Err(Err(_)) => {}
            }
        }
        self.write_each(calls, came).await
    }

    async fn write_each(&self, calls: Vec<Call>, came: Instant) -> Option<Refusal> {
        let mut calls = calls.into_iter();
        while let Some(call) = calls.next() {
            let written = self.write_one(&call.work, came).await;
            match written.map_err(Refusal::of) {
                Ok(saved) => call.end(Ok(saved)),
                Err(Err(error)) => call.end(Err(error)),
                Err(Ok(refusal)) => {
                    refusal.tell(std::iter::once(call).chain(calls));
                    return Some(refusal);
                }
            }
        }
        None
    }

    async fn write_one(&self, work: &Work, came: Instant) -> Outcome {
        match work {
            Work::Save(row) => self.save_one(row, came).await.map(Some),
            Work::Write(_) => self.write_together(&[work], came).await.map(|_| None),
        }
    }

    /// Writes to one namespace what tasks wrote and then checkpoints that need no pieces, or nothing.
    async fn write_together(&self, works: &[&Work], came: Instant) -> Result<Vec<Option<Saved>>> {
        let writes: Vec<&NewWrites> = works.iter().filter_map(|work| work.writes()).collect();
        let rows: Vec<&NewRow> = works.iter().filter_map(|work| work.row()).collect();
        let mut lease = self.pool.acquire_alive().await.map_err(unusable)?;
        let saved = if writes.is_empty() && self.is_one_statement(came) {
            let saved = insert_all(lease.connection(), &self.dialect, &rows).await;
            if saved.as_ref().err().is_none_or(is_refusal) {
                lease.keep();
            }
            saved?
        } else {
            self.begin(&mut lease, came).await?;
            let written = self.write_rows(lease.connection(), &writes, &rows).await;
            end(lease, written).await?
        };
        let mut saved = saved.into_iter();
        let told = works
            .iter()
            .map(|work| work.row().and_then(|_| saved.next()));
        Ok(told.collect())
    }

    /// Writes what tasks wrote and then checkpoints, with their projections.
    async fn write_rows(
        &self,
        connection: &mut PgConnection,
        writes: &[&NewWrites],
        rows: &[&NewRow],
    ) -> Result<Vec<Saved>> {
        let mut session = Session::new(connection, &self.dialect);
        protocol::put_writes(&mut session, writes).await?;
        let saved = insert_all(connection, &self.dialect, rows).await?;
        for (row, saved) in rows.iter().zip(&saved) {
            self.project(connection, row, *saved).await?;
        }
        Ok(saved)
    }

    async fn save_one(&self, row: &NewRow, came: Instant) -> Result<Saved> {
        if row.pieces.is_none()
            && let Some(saved) = self.insert_new(row, came).await?
        {
            return Ok(saved);
        }
        // If its thread is new, it is saved as others are once that is there.
        if row.pieces.is_none()
            && row.row.parent_seq.is_none()
            && self.create(&row.key, came).await?
            && let Some(saved) = self.insert_new(row, came).await?
        {
            return Ok(saved);
        }
        let mut lease = self.pool.acquire_alive().await.map_err(unusable)?;
        self.begin(&mut lease, came).await?;
        let saved = self.save_as_needed(lease.connection(), row).await;
        end(lease, saved).await
    }

    /// Saves a checkpoint by the protocol for any state, with its projections.
    async fn save_as_needed(&self, connection: &mut PgConnection, row: &NewRow) -> Result<Saved> {
        let mut session = Session::new(connection, &self.dialect);
        let saved = protocol::save(&mut session, row).await?;
        if saved.is_new {
            self.project(connection, row, saved).await?;
        }
        Ok(saved)
    }

    /// Makes a namespace, and returns whether it was missing. Without a checkpoint no one sees it.
    async fn create(&self, key: &Key, came: Instant) -> Result<bool> {
        let mut lease = self.pool.acquire_alive().await.map_err(unusable)?;
        self.begin(&mut lease, came).await?;
        let names = [
            Argument::Text(&key.thread_id),
            Argument::Text(&key.namespace),
        ];
        let mut session = Session::new(lease.connection(), &self.dialect);
        let created = session.execute(shared::CREATE_THREAD, &names).await?;
        commit(lease).await?;
        Ok(created > 0)
    }

    /// Inserts a checkpoint, with its projections, unless its namespace is not there, has one of its
    /// id or number or never had its parent.
    async fn insert_new(&self, row: &NewRow, came: Instant) -> Result<Option<Saved>> {
        let mut lease = self.pool.acquire_alive().await.map_err(unusable)?;
        if self.is_one_statement(came) {
            let saved = insert(lease.connection(), &self.dialect, row).await?;
            lease.keep();
            return Ok(saved);
        }
        self.begin(&mut lease, came).await?;
        let saved = self.insert_projected(lease.connection(), row).await;
        // After a row that was a duplicate, to commit is to roll back: nothing was inserted.
        end(lease, saved).await
    }

    /// Inserts a checkpoint as [`insert`] does, with its projections.
    async fn insert_projected(
        &self,
        connection: &mut PgConnection,
        row: &NewRow,
    ) -> Result<Option<Saved>> {
        let saved = insert(connection, &self.dialect, row).await?;
        if let Some(saved) = saved {
            self.project(connection, row, saved).await?;
        }
        Ok(saved)
    }

    /// Returns whether a save that came then needs no transaction around it.
    fn is_one_statement(&self, came: Instant) -> bool {
        let has_all_time = deduction(came, Instant::now()).is_none();
        self.projecting.is_none() && !self.needs_transactions() && has_all_time
    }

    /// Begins a transaction for a call. As long as it has waited for its turn and for a connection, so much
    /// less it waits for locks: otherwise many calls would wait for one lock one after the other.
    async fn begin(&self, lease: &mut Lease, came: Instant) -> Result<()> {
        let begun = lease.begin().await;
        begun.map_err(postgres("begin a transaction"))?;
        let Some(waited) = deduction(came, Instant::now()) else {
            return Ok(());
        };
        let waited = [Argument::Integer(waited)];
        let mut session = Session::new(lease.connection(), &self.dialect);
        session.execute(sql::WAIT_LESS, &waited).await.map(drop)
    }

    /// Returns whether nothing may be done outside of a transaction: a pooler in between could send each
    /// part of a statement to another server, and settings end with a transaction.
    pub(crate) fn needs_transactions(&self) -> bool {
        !self.dialect.is_persistent || self.pool.has_settings()
    }

    async fn project(
        &self,
        connection: &mut PgConnection,
        row: &NewRow,
        saved: Saved,
    ) -> Result<()> {
        let Some(projecting) = &self.projecting else {
            return Ok(());
        };
        let mut session = Session::new(connection, &self.dialect);
        protocol::project_new(&mut session, projecting.mapping(), row, saved).await
    }

    /// Moves some of what the tables of the first version hold, and returns what was damaged; nothing if none was left.
    pub(crate) async fn move_some(&self) -> Result<Option<Vec<String>>> {
        let came = Instant::now();
        let mut lease = self.pool.acquire_alive().await.map_err(unusable)?;
        self.begin(&mut lease, came).await?;
        let tables = &self.dialect.tables;
        let lock = sectile_migrations::postgres::lock(lease.connection(), tables).await;
        lock.map_err(postgres("wait for others who migrate"))?;
        let schema = &CHECKPOINT_POSTGRES;
        let found = sectile_migrations::postgres::read_version(lease.connection(), schema, tables);
        let found = found
            .await
            .map_err(postgres("read the version of the tables"))?;
        let mut moved = None;
        if found == CHECKPOINT_MOVING {
            let mut session = Session::new(lease.connection(), &self.dialect);
            moved = protocol::move_some(&mut session).await?;
        }
        commit(lease).await?;
        Ok(moved)
    }

    /// Runs an operation in a transaction, whether or not anyone waits for it.
    pub(crate) async fn run(&self, operation: Operation) -> Result<u64> {
        let (writer, came) = (self.clone(), Instant::now());
        let done = in_a_task(async move {
            let mut lease = writer.pool.acquire_alive().await.map_err(unusable)?;
            writer.begin(&mut lease, came).await?;
            let mut session = Session::new(lease.connection(), &writer.dialect);
            let mapping = writer.projecting.as_ref().map(Projecting::mapping);
            let done = operation.run(&mut session, mapping).await;
            end(lease, done).await
        });
        done.await.map_err(unusable)?
    }
}

impl Turn {
    async fn write_waiting(mut self) {
        loop {
            let calls = self.take();
            if calls.is_empty() {
                return;
            }
            let start = Instant::now();
            if let Some(refusal) = self.writer.write_all(calls).await {
                refusal.tell(self.take_late(start));
            }
        }
    }

    /// Takes what is refused with calls that were written from `start` on and refused just now.
    fn take_late(&self, start: Instant) -> Vec<Call> {
        let mut waiting = self.writer.waiting();
        let queue = waiting.get_mut(&self.key);
        queue.map_or_else(Vec::new, |queue| {
            queue.take_before(refused_before(start, Instant::now()))
        })
    }

    /// Takes what waits. If nothing does, the turn is over before another call can come.
    fn take(&mut self) -> Vec<Call> {
        let mut waiting = self.writer.waiting();
        let calls = waiting.get_mut(&self.key).map(Queue::take);
        let calls = calls.unwrap_or_default();
        if calls.is_empty() {
            waiting.remove(&self.key);
            self.is_over = true;
        }
        calls
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if !self.is_over {
            self.writer.waiting().remove(&self.key);
        }
    }
}

/// Returns the error of a call whose result is unknown, because its task ended.
fn gone() -> Error {
    Error::Unavailable {
        source: "the task that writes was ended".into(),
    }
}

async fn commit(lease: Lease) -> Result<()> {
    lease
        .commit()
        .await
        .map_err(postgres("commit a transaction"))
}

/// Ends a transaction: commits what was done, and rolls back what was refused, so that others can use the
/// connection. After a statement that failed it is closed.
async fn end<T>(lease: Lease, done: Result<T>) -> Result<T> {
    match done {
        Ok(done) => commit(lease).await.map(|()| done),
        Err(error) => {
            if is_refusal(&error) {
                // One that cannot be rolled back is closed.
                let _ = lease.rollback().await;
            }
            Err(error)
        }
    }
}

/// Inserts a checkpoint, unless its namespace is not there, has one of its id or number or never had its
/// parent.
async fn insert(
    connection: &mut PgConnection,
    dialect: &Dialect,
    new_row: &NewRow,
) -> Result<Option<Saved>> {
    let row = &new_row.row;
    let inserted: Result<Option<(i64,)>, sqlx::Error> =
        sqlx::query_as(AssertSqlSafe(dialect.tables.sql(sql::INSERT)))
            .persistent(dialect.is_persistent)
            .bind(&new_row.key.thread_id)
            .bind(&new_row.key.namespace)
            .bind(row.created_at)
            .bind(&row.node)
            .bind(row.step)
            .bind(&row.checkpoint_id)
            .bind(row.parent_seq)
            .bind(&row.run_id)
            .bind(&row.queue_json)
            .bind(&row.metadata_json)
            .bind(row.checksum)
            .bind(row.state.whole_bytes)
            .bind(row.state.form.number())
            .bind(&row.state.kind)
            .bind(&row.state.state_json)
            .bind(&row.state.state)
            .bind(&new_row.entries)
            .fetch_optional(connection)
            .await;
    match inserted {
        Ok(seq) => Ok(seq.map(|(seq,)| new(seq))),
        // Another save with the same id, which this statement did not see, came first, or the number is
        // taken.
        Err(error) if is_duplicate(&error) => Ok(None),
        Err(error) => Err(postgres("insert a checkpoint")(error)),
    }
}

/// Inserts checkpoints of one namespace under numbers that follow each other.
async fn insert_all(
    connection: &mut PgConnection,
    dialect: &Dialect,
    news: &[&NewRow],
) -> Result<Vec<Saved>> {
    fn column<'r, T>(news: &[&'r NewRow], of: fn(&'r StoredRow) -> T) -> Vec<T> {
        news.iter().map(|new| of(&new.row)).collect()
    }
    let Some(NewRow { key, .. }) = news.first() else {
        return Ok(Vec::new());
    };
    let times = column(news, |row| row.created_at);
    let newest = times.last().copied().unwrap_or_default();
    let entries = (1_i64..).zip(news);
    let entries = entries.flat_map(|(number, new)| new.entries.iter().map(move |e| (*e, number)));
    let (entries, numbers): (Vec<i64>, Vec<i64>) = entries.unzip();
    let inserted: Result<Vec<(i64,)>, sqlx::Error> =
        sqlx::query_as(AssertSqlSafe(dialect.tables.sql(sql::INSERT_ALL)))
            .persistent(dialect.is_persistent)
            .bind(&key.thread_id)
            .bind(&key.namespace)
            .bind(times)
            .bind(column(news, |row| row.node.as_deref()))
            .bind(column(news, |row| row.step))
            .bind(column(news, |row| row.checkpoint_id.as_deref()))
            .bind(column(news, |row| row.parent_seq))
            .bind(column(news, |row| row.run_id.as_deref()))
            .bind(column(news, |row| &*row.queue_json))
            .bind(column(news, |row| &*row.metadata_json))
            .bind(column(news, |row| row.checksum))
            .bind(column(news, |row| row.state.whole_bytes))
            .bind(column(news, |row| row.state.form.number()))
            .bind(column(news, |row| row.state.kind.as_deref()))
            .bind(column(news, |row| row.state.state_json.as_deref()))
            .bind(column(news, |row| row.state.state.as_deref()))
            .bind(newest)
            .bind(entries)
            .bind(numbers)
            .fetch_all(connection)
            .await;
    let mut seqs = inserted.map_err(postgres("insert checkpoints"))?;
    if seqs.is_empty() {
        // The thread is not there or counted wrongly, or a parent is missing: which it is shows when each
        // is inserted alone.
        let parent = news.iter().filter_map(|new| new.row.parent_seq).max();
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
