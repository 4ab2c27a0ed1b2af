//! How long calls wait for others that hold a thread.

use std::time::{Duration, Instant};

use sectile_checkpoint::{
    At, Checkpoint, Checkpointer as _, ErrorKind, Prune, RecordsExt as _, Result, TaskWrites,
    Threads as _, TypedValue,
};
use sectile_checkpoint_postgres::{PostgresCheckpointer, PostgresCheckpointerBuilder};
use sqlx::{Connection as _, PgConnection};
use tokio::task::JoinSet;

const TIMEOUT: Duration = Duration::from_millis(300);
const TASKS: u32 = 16;

/// So few that calls wait for one.
const CONNECTIONS: u32 = 4;

/// Twice the timeout would be a multiple of it; the rest is for a busy machine.
const AT_MOST: Duration = Duration::from_millis(900);

/// Returns a checkpointer whose threads, one for each task, another client holds; it comes with it.
async fn held(
    setting: &str,
    set_up: impl FnOnce(PostgresCheckpointerBuilder) -> PostgresCheckpointerBuilder,
) -> (PostgresCheckpointer, PgConnection) {
    let url = sectile_test_postgres::database().await.unwrap();
    let limited = format!("{url}?options=-c%20{setting}%3D{}", TIMEOUT.as_millis());
    let builder = set_up(PostgresCheckpointer::builder(&limited));
    let checkpointer = builder.connect().await.unwrap();
    checkpointer.migrate().await.unwrap();
    for task in 0..TASKS {
        save(checkpointer.clone(), thread(task)).await.unwrap();
    }
    let mut other = PgConnection::connect(&url).await.unwrap();
    let hold = "BEGIN; UPDATE checkpoint_threads SET last_seq = last_seq";
    sqlx::raw_sql(hold).execute(&mut other).await.unwrap();
    (checkpointer, other)
}

fn thread(task: u32) -> String {
    format!("thread {task}")
}

async fn save(checkpointer: PostgresCheckpointer, thread_id: String) -> Result<u64> {
    let saved = checkpointer.save(&Checkpoint::new(thread_id, 0)).await;
    saved.map(|saved| saved.seq)
}

async fn write(checkpointer: PostgresCheckpointer, task: u32) -> Result<u64> {
    let value = TypedValue::json(&task).unwrap();
    let writes = TaskWrites::new(thread(task)).write("channel", value);
    let key = thread(0).as_str().into();
    let put = checkpointer.put_writes(&key, &At::Latest, &writes).await;
    put.map(|()| 0)
}

/// Calls that were made at once, each with how long it waits.
#[derive(Default)]
struct Calls(JoinSet<(Duration, Result<u64>)>);

impl Calls {
    fn make(&mut self, call: impl Future<Output = Result<u64>> + Send + 'static) {
        let start = Instant::now();
        self.0.spawn(async move {
            let outcome = call.await;
            (start.elapsed(), outcome)
        });
    }

    async fn assert_refused_in_time(self, kinds: &[ErrorKind]) {
        for (waited, outcome) in self.0.join_all().await {
            let error = outcome.unwrap_err();
            assert!(error.is_retryable(), "{error:?}");
            assert!(kinds.contains(&error.kind()), "{error:?}");
            assert!(waited < AT_MOST, "{waited:?}");
        }
    }
}

async fn saves_wait_as_long_as_one(setting: &str, kind: ErrorKind, projections: bool) {
    let set_up = |builder: PostgresCheckpointerBuilder| builder.enable_projections(projections);
    let (checkpointer, other) = held(setting, set_up).await;
    let mut calls = Calls::default();
    for _ in 0..TASKS {
        calls.make(save(checkpointer.clone(), thread(0)));
    }
    calls.assert_refused_in_time(&[kind]).await;
    other.close().await.unwrap();
    assert_eq!(save(checkpointer, thread(0)).await.unwrap(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn saves_that_wait_for_a_lock_together_wait_as_long_as_one() {
    saves_wait_as_long_as_one("lock_timeout", ErrorKind::Busy, false).await;
    saves_wait_as_long_as_one("lock_timeout", ErrorKind::Busy, true).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn saves_that_run_out_of_time_together_wait_as_long_as_one() {
    saves_wait_as_long_as_one("statement_timeout", ErrorKind::TimedOut, false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writes_that_wait_for_a_lock_together_wait_as_long_as_one() {
    let set_up = |builder: PostgresCheckpointerBuilder| builder.max_connections(CONNECTIONS);
    let (checkpointer, other) = held("lock_timeout", set_up).await;
    let mut calls = Calls::default();
    for task in 0..TASKS {
        calls.make(write(checkpointer.clone(), task));
    }
    let deleter = checkpointer.clone();
    calls.make(async move { deleter.delete_thread(&thread(0)).await });
    calls.assert_refused_in_time(&[ErrorKind::Busy]).await;
    other.close().await.unwrap();
    assert_eq!(write(checkpointer, 1).await.unwrap(), 0);
}

/// Calls on threads that all are held, and that have no connection for each of them.
async fn operations_wait_as_long_as_one(setting: &str, kinds: &[ErrorKind]) {
    let set_up = |builder: PostgresCheckpointerBuilder| builder.max_connections(CONNECTIONS);
    let (checkpointer, other) = held(setting, set_up).await;
    let mut calls = Calls::default();
    for task in 0..TASKS {
        let checkpointer = checkpointer.clone();
        calls.make(async move {
            let thread_id = thread(task);
            match task % 4 {
                0 => checkpointer.delete_thread(&thread_id).await,
                1 => checkpointer.copy_thread(&thread_id, "copy").await,
                2 => checkpointer.fork(&thread_id, 1, "fork").await,
                _ => save(checkpointer, thread_id).await,
            }
        });
    }
    calls.assert_refused_in_time(kinds).await;
    other.close().await.unwrap();
    let prune = Prune::keep_latest(1);
    assert_eq!(checkpointer.prune(&prune).await.unwrap(), 0);
    assert_eq!(save(checkpointer, thread(1)).await.unwrap(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn operations_that_wait_for_locks_together_wait_as_long_as_one() {
    operations_wait_as_long_as_one("lock_timeout", &[ErrorKind::Busy]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn operations_that_run_out_of_time_together_wait_as_long_as_one() {
    // The first are ended for their time, the others have no more time to wait for a lock.
    let kinds = [ErrorKind::TimedOut, ErrorKind::Busy];
    operations_wait_as_long_as_one("statement_timeout", &kinds).await;
}
