//! The writer. It writes concurrent saves and writes together.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use sectile_checkpoint::{Error, Result, Saved};
use sectile_checkpoint_sql::{
    Call, NewRow, NewWrites, Operation, Outcome, Projecting, Queue, Refusal, Work, protocol,
};
use sectile_migrations::Tables;
use sectile_sqlite::rusqlite::Connection;
use sectile_sqlite::{now, waiting_until};
use tokio::sync::oneshot::Receiver;

use crate::error::{sqlite, unusable};
use crate::session::Session;

/// How long a group waits that SQLite did not let wait.
const PAUSE: Duration = Duration::from_millis(1);

/// The connection that writes, and the calls that wait for it.
#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) connection: sectile_sqlite::Writer,
    pub(crate) tables: Tables,
    pub(crate) projecting: Option<Projecting>,
    waiting: Mutex<Waiting>,
}

/// The calls that wait.
#[derive(Debug, Default)]
struct Waiting {
    calls: Queue,
    /// Whether a [`Turn`] is on its way to them.
    is_called: bool,
}

/// A turn to write the waiting calls. If it never comes, for example because the runtime ends, the
/// waiting calls get an error, and the next call starts another turn.
struct Turn(Option<Arc<Writer>>);

impl Writer {
    pub(crate) fn new(
        connection: sectile_sqlite::Writer,
        tables: Tables,
        projecting: Option<Projecting>,
    ) -> Self {
        Self {
            connection,
            tables,
            projecting,
            waiting: Mutex::default(),
        }
    }

    /// Saves a checkpoint. Dropping the future leaves it whole or absent.
    pub(crate) async fn save(self: &Arc<Self>, row: NewRow) -> Result<Saved> {
        self.write(row.into()).await?.ok_or_else(gone)
    }

    /// Stores pending writes of a checkpoint. Dropping the future leaves it whole or absent.
    pub(crate) async fn put_writes(self: &Arc<Self>, writes: NewWrites) -> Result<()> {
        self.write(writes.into()).await.map(drop)
    }

    async fn write(self: &Arc<Self>, work: Work) -> Outcome {
        let at_once = self
            .connection
            .try_run(|connection| self.write_one(connection, &work));
        match at_once.map_err(unusable)? {
            None | Some(Err(Error::Busy { .. })) => {}
            Some(outcome) => return outcome,
        }
        let outcome = self.wait(work);
        outcome.await.map_err(|_| gone())?
    }

    fn wait(self: &Arc<Self>, work: Work) -> Receiver<Outcome> {
        let mut waiting = self.waiting();
        let outcome = waiting.calls.push(work);
        self.call(waiting);
        outcome
    }

    /// Sees to it that a turn comes, if any call waits.
    fn call(self: &Arc<Self>, mut waiting: MutexGuard<'_, Waiting>) {
        if waiting.is_called || waiting.calls.is_empty() {
            return;
        }
        waiting.is_called = true;
        // The work itself may end at once, and asks for the lock.
        drop(waiting);
        let turn = Turn(Some(Arc::clone(self)));
        drop(
            self.connection
                .run(move |connection| turn.write(connection)),
        );
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes as many calls as are written together; those that are left have another turn.
    fn take_waiting(self: &Arc<Self>) -> Vec<Call> {
        let mut waiting = self.waiting();
        let calls = waiting.calls.take();
        waiting.is_called = false;
        self.call(waiting);
        calls
    }

    /// Does the work of several calls in one transaction. The timeout of each call counts from its
    /// arrival: calls whose time is over get an error, and the others are retried.
    fn write_all(&self, connection: &mut Connection, mut calls: Vec<Call>) {
        while let Some(first) = calls.iter().map(|call| call.came).min() {
            let deadline = first + self.connection.busy_timeout();
            let works: Vec<&Work> = calls.iter().map(|call| &call.work).collect();
            let written = waiting_until(deadline, || self.write_group(connection, &works));
            match self.connection.check().map_err(unusable).and(written) {
                Ok(outcomes) => {
                    let done = calls.into_iter().zip(outcomes);
                    return done.for_each(|(call, saved)| call.end(Ok(saved)));
                }
                Err(busy @ Error::Busy { .. }) => calls = self.end_late(calls, busy),
                // A large state may be too much where a small one is not.
                Err(Error::Full { .. }) => return self.write_each(connection, calls),
                Err(error) => match Refusal::of(error) {
                    Ok(refusal) => return refusal.tell(calls),
                    Err(_) => return self.write_each(connection, calls),
                },
            }
        }
    }

    /// Tells those that have waited long enough, and returns the others.
    fn end_late(&self, calls: Vec<Call>, busy: Error) -> Vec<Call> {
        let busy_timeout = self.connection.busy_timeout();
        let (late, others): (_, Vec<Call>) = calls
            .into_iter()
            .partition(|call| call.came.elapsed() >= busy_timeout);
        if late.is_empty() {
            // SQLite does not wait for every lock.
            thread::sleep(PAUSE);
        }
        if let Ok(refusal) = Refusal::of(busy) {
            refusal.tell(late);
        }
        others
    }

    /// Does what each call asks for in a transaction of its own, so that what is wrong with one does
    /// not keep the others from being done.
    fn write_each(&self, connection: &mut Connection, calls: Vec<Call>) {
        let mut too_large = usize::MAX;
        for call in calls {
            let size = call.work.size();
            if size >= too_large {
                let source = "there was no room for a smaller one".into();
                call.end(Err(Error::Full { source }));
                continue;
            }
            let deadline = call.came + self.connection.busy_timeout();
            let outcome = waiting_until(deadline, || self.write_one(connection, &call.work));
            let outcome = self.connection.check().map_err(unusable).and(outcome);
            if matches!(outcome, Err(Error::Full { .. })) {
                too_large = size;
            }
            call.end(outcome);
        }
    }

    fn write_one(&self, connection: &mut Connection, work: &Work) -> Outcome {
        let saved = self.write_group(connection, &[work])?;
        Ok(saved[0])
    }

    /// Writes saves with their projections, and what tasks wrote, in one transaction, or nothing.
    fn write_group(
        &self,
        connection: &mut Connection,
        works: &[&Work],
    ) -> Result<Vec<Option<Saved>>> {
        in_transaction(connection, |connection| {
            let mut session = Session::new(connection, &self.tables);
            let saved = works.iter().map(|work| match work {
                Work::Save(row) => self.insert(&mut session, row).map(Some),
                Work::Write(writes) => {
                    now(protocol::put_writes(&mut session, &[writes])).map(|()| None)
                }
            });
            saved.collect()
        })
    }

    fn insert(&self, session: &mut Session<'_>, row: &NewRow) -> Result<Saved> {
        let saved = now(protocol::save(session, row))?;
        if let Some(projecting) = self.projecting.as_ref().filter(|_| saved.is_new) {
            let mapping = projecting.mapping();
            now(protocol::project_new(session, mapping, row, saved))?;
        }
        Ok(saved)
    }

    /// Runs an operation in a transaction, to its end even if the future is dropped.
    pub(crate) async fn run(self: &Arc<Self>, operation: Operation) -> Result<u64> {
        let writer = Arc::clone(self);
        let work = move |connection: &mut Connection| {
            in_transaction(connection, |connection| {
                let mut session = Session::new(connection, &writer.tables);
                let mapping = writer.projecting.as_ref().map(Projecting::mapping);
                now(operation.run(&mut session, mapping))
            })
        };
        self.connection.run(work).await.map_err(unusable)?
    }
}

impl Turn {
    fn write(mut self, connection: &mut Connection) {
        if let Some(writer) = self.0.take() {
            let calls = writer.take_waiting();
            writer.write_all(connection, calls);
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(writer) = self.0.take() {
            *writer.waiting() = Waiting::default();
        }
    }
}

/// Returns the error of a call whose result is unknown, because the writer ended.
fn gone() -> Error {
    unusable(sectile_sqlite::Error::Closed)
}

/// Runs work in a transaction, which is rolled back if the work or the commit fails.
pub(crate) fn in_transaction<T>(
    connection: &mut Connection,
    work: impl FnOnce(&mut Connection) -> Result<T>,
) -> Result<T> {
    sectile_sqlite::in_transaction(connection, |doing, error| sqlite(doing)(error), work)
}

#[cfg(test)]
mod tests {
    use sectile_checkpoint::{Checkpoint, StoredState};
    use sectile_migrations::CHECKPOINT_SQLITE;
    use sectile_sqlite::Options;

    use super::*;

    /// Opens a new file, whose calls have no time to wait unless they come later than now.
    async fn writer(path: &std::path::Path) -> Arc<Writer> {
        let options = Options::new(path).busy_timeout(Duration::from_millis(1));
        let connection = sectile_sqlite::Writer::open(options).await.unwrap();
        let migrated = connection.run(|connection| {
            sectile_migrations::sqlite::migrate(connection, &CHECKPOINT_SQLITE, &Tables::default())
        });
        migrated.await.unwrap().unwrap();
        Arc::new(Writer::new(connection, Tables::default(), None))
    }

    #[tokio::test]
    async fn each_call_of_a_group_waits_until_its_own_time_is_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoints.db");
        let writer = writer(&path).await;
        let other = Connection::open(&path).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let mut queue = Queue::default();
        let row = NewRow::of(Checkpoint::new("t", StoredState::json("1"))).unwrap();
        let (late, in_time) = (queue.push(row.clone().into()), queue.push(row.into()));
        let mut calls = queue.take();
        calls[1].came += Duration::from_hours(1);
        let group = Arc::clone(&writer);
        let writing = writer
            .connection
            .run(move |connection| group.write_all(connection, calls));
        // If it got its error together with the other call, it would wait for an hour.
        let refused = tokio::time::timeout(Duration::from_mins(1), late).await;
        let refused = refused.unwrap().unwrap();
        assert!(matches!(refused, Err(Error::Busy { .. })), "{refused:?}");
        other.execute_batch("ROLLBACK").unwrap();
        let saved = in_time.await.unwrap().unwrap();
        assert_eq!(saved.map(|saved| saved.seq), Some(1));
        writing.await.unwrap();
    }
}
