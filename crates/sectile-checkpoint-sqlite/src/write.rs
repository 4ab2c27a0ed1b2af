//! What writes, and how saves that come at once are written together.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use sectile_checkpoint::{Error, Result, Saved};
use sectile_checkpoint_sql::{NewRow, Operation, Projecting, Queue, Refusal, Save, protocol};
use sectile_migrations::Tables;
use sectile_sqlite::rusqlite::Connection;
use sectile_sqlite::{now, waiting_until};
use tokio::sync::oneshot::Receiver;

use crate::error::{sqlite, unusable};
use crate::session::Session;

/// How long a group waits that SQLite did not let wait.
const PAUSE: Duration = Duration::from_millis(1);

/// The connection that writes, and the saves that wait for it.
#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) connection: sectile_sqlite::Writer,
    pub(crate) tables: Tables,
    pub(crate) projecting: Option<Projecting>,
    waiting: Mutex<Waiting>,
}

/// The saves that wait.
#[derive(Debug, Default)]
struct Waiting {
    saves: Queue,
    /// Whether a [`Turn`] is on its way to them.
    is_called: bool,
}

/// A turn to write what waits. If it never comes, because the runtime ends for example, those that
/// wait are told so, and the next save calls another.
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
        let at_once = self
            .connection
            .try_run(|connection| self.write_one(connection, &row));
        match at_once.map_err(unusable)? {
            None | Some(Err(Error::Busy { .. })) => {}
            Some(outcome) => return outcome,
        }
        let outcome = self.wait(row);
        let gone = |_| unusable(sectile_sqlite::Error::Closed);
        outcome.await.map_err(gone)?
    }

    fn wait(self: &Arc<Self>, row: NewRow) -> Receiver<Result<Saved>> {
        let mut waiting = self.waiting();
        let outcome = waiting.saves.push(row);
        self.call(waiting);
        outcome
    }

    /// Sees to it that a turn comes, if any save waits.
    fn call(self: &Arc<Self>, mut waiting: MutexGuard<'_, Waiting>) {
        if waiting.is_called || waiting.saves.is_empty() {
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

    /// Takes as many saves as are written together; those that are left have another turn.
    fn take_waiting(self: &Arc<Self>) -> Vec<Save> {
        let mut waiting = self.waiting();
        let saves = waiting.saves.take();
        waiting.is_called = false;
        self.call(waiting);
        saves
    }

    /// Writes saves in one transaction. Each waits as long for other processes as it may from when
    /// it came: those whose time is over are told so, and the others tried again.
    fn write_all(&self, connection: &mut Connection, mut saves: Vec<Save>) {
        while let Some(first) = saves.iter().map(|save| save.came).min() {
            let deadline = first + self.connection.patience();
            let rows: Vec<&NewRow> = saves.iter().map(|save| &save.row).collect();
            let written = waiting_until(deadline, || self.write_group(connection, &rows));
            match self.connection.check().map_err(unusable).and(written) {
                Ok(outcomes) => {
                    let done = saves.into_iter().zip(outcomes);
                    return done.for_each(|(save, saved)| save.end(Ok(saved)));
                }
                Err(busy @ Error::Busy { .. }) => saves = self.end_late(saves, busy),
                // A large state may be too much where a small one is not.
                Err(Error::Full { .. }) => return self.write_each(connection, saves),
                Err(error) => match Refusal::of(error) {
                    Ok(refusal) => return refusal.tell(saves),
                    Err(_) => return self.write_each(connection, saves),
                },
            }
        }
    }

    /// Tells those that have waited long enough, and returns the others.
    fn end_late(&self, saves: Vec<Save>, busy: Error) -> Vec<Save> {
        let patience = self.connection.patience();
        let (late, others): (_, Vec<Save>) = saves
            .into_iter()
            .partition(|save| save.came.elapsed() >= patience);
        if late.is_empty() {
            // SQLite does not wait for every lock.
            thread::sleep(PAUSE);
        }
        if let Ok(refusal) = Refusal::of(busy) {
            refusal.tell(late);
        }
        others
    }

    /// Writes each save in a transaction of its own, so that what is wrong with one does not keep
    /// the others from being saved.
    fn write_each(&self, connection: &mut Connection, saves: Vec<Save>) {
        let mut too_large = usize::MAX;
        for save in saves {
            let size = save.row.size();
            if size >= too_large {
                let source = "there was no room for a smaller one".into();
                save.end(Err(Error::Full { source }));
                continue;
            }
            let deadline = save.came + self.connection.patience();
            let outcome = waiting_until(deadline, || self.write_one(connection, &save.row));
            let outcome = self.connection.check().map_err(unusable).and(outcome);
            if matches!(outcome, Err(Error::Full { .. })) {
                too_large = size;
            }
            save.end(outcome);
        }
    }

    fn write_one(&self, connection: &mut Connection, row: &NewRow) -> Result<Saved> {
        let saved = self.write_group(connection, &[row])?;
        Ok(saved[0])
    }

    /// Writes saves with their projections in one transaction, or nothing.
    fn write_group(&self, connection: &mut Connection, rows: &[&NewRow]) -> Result<Vec<Saved>> {
        in_transaction(connection, |connection| {
            let mut session = Session::new(connection, &self.tables);
            let saved = rows.iter().map(|row| self.insert(&mut session, row));
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
            let saves = writer.take_waiting();
            writer.write_all(connection, saves);
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

/// Runs work in a transaction, which is rolled back if the work or the commit fails.
pub(crate) fn in_transaction<T>(
    connection: &mut Connection,
    work: impl FnOnce(&mut Connection) -> Result<T>,
) -> Result<T> {
    sectile_sqlite::in_transaction(connection, |doing, error| sqlite(doing)(error), work)
}
