//! Transactions.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use rusqlite::Connection;

/// One that only begins to read first may find the file locked when it goes on to write, and
/// `busy_timeout` does not help it then.
const BEGIN_TO_WRITE: &str = "BEGIN IMMEDIATE";
const BEGIN_TO_READ: &str = "BEGIN";
const COMMIT: &str = "COMMIT";

/// Runs work that writes in a transaction, which is rolled back if the work or the commit fails.
///
/// # Errors
///
/// That of the work, or what `failed` makes of what was being done and of what SQLite reports.
pub fn in_transaction<T, E>(
    connection: &mut Connection,
    failed: impl Fn(&'static str, rusqlite::Error) -> E,
    work: impl FnOnce(&mut Connection) -> Result<T, E>,
) -> Result<T, E> {
    run(connection, BEGIN_TO_WRITE, failed, work)
}

/// Runs work that reads all as it is at one moment.
///
/// # Errors
///
/// Those of [`in_transaction`].
pub fn in_snapshot<T, E>(
    connection: &mut Connection,
    failed: impl Fn(&'static str, rusqlite::Error) -> E,
    work: impl FnOnce(&mut Connection) -> Result<T, E>,
) -> Result<T, E> {
    run(connection, BEGIN_TO_READ, failed, work)
}

fn run<T, E>(
    connection: &mut Connection,
    begin: &'static str,
    failed: impl Fn(&'static str, rusqlite::Error) -> E,
    work: impl FnOnce(&mut Connection) -> Result<T, E>,
) -> Result<T, E> {
    roll_back(connection);
    let done = execute(connection, begin);
    done.map_err(|error| failed("begin a transaction", error))?;
    let done = work(connection).and_then(|done| {
        let committed = execute(connection, COMMIT);
        committed.map_err(|error| failed("commit a transaction", error))?;
        Ok(done)
    });
    if done.is_err() {
        roll_back(connection);
    }
    done
}

fn execute(connection: &Connection, sql: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.execute([]).map(drop)
}

/// Ends a transaction that failed, or whose work panicked, unless SQLite has done so.
pub fn roll_back(connection: &Connection) {
    if !connection.is_autocommit() {
        let rolled_back = connection.execute_batch("ROLLBACK");
        debug_assert!(rolled_back.is_ok(), "{rolled_back:?}");
    }
}

/// Returns what a future over a connection has ready: SQLite waits itself, so none is pending.
///
/// # Panics
///
/// When the future waits for something else.
pub fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(done) => done,
        Poll::Pending => unreachable!("a connection answers at once"),
    }
}
