//! What calls are told that wait for others that hold a thread, and how often they ask the server.
//!
//! Each test has one thread, so that all of its calls come before the first of them is sent.

use std::time::Duration;

use sectile_checkpoint::{
    At, Checkpoint, Checkpointer as _, ErrorKind, Prune, RecordsExt as _, Result, TaskWrites,
    Threads as _, TypedValue,
};
use sectile_checkpoint_postgres::{PostgresCheckpointer, PostgresCheckpointerBuilder};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use tokio::task::JoinSet;

const TIMEOUT: Duration = Duration::from_secs(1);
const TASKS: u32 = 16;

/// So few that calls wait for one.
const CONNECTIONS: u32 = 4;

/// Counts the statements that update threads, and keeps for how many milliseconds the last of them waits
/// for a lock. Sequences keep this of transactions that are rolled back, too.
const WATCH: &str = "CREATE SEQUENCE updates; \
     CREATE SEQUENCE lock_milliseconds MINVALUE 0; \
     CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
         PERFORM nextval('updates'); \
         PERFORM setval('lock_milliseconds', \
             (extract(epoch FROM current_setting('lock_timeout')::interval) * 1000)::bigint); \
         RETURN NULL; \
     END $$; \
     CREATE TRIGGER watch BEFORE UPDATE ON checkpoint_threads \
         FOR EACH STATEMENT EXECUTE FUNCTION watch()";

/// Threads, one for each task, that another client holds.
struct Held {
    /// Waits for locks, or statements, for as long as [`TIMEOUT`].
    limited: PostgresCheckpointer,
    patient: PostgresCheckpointer,
    other: PgConnection,
}

impl Held {
    /// Limits a checkpointer by a setting of the server.
    async fn with(
        setting: &str,
        set_up: impl FnOnce(PostgresCheckpointerBuilder) -> PostgresCheckpointerBuilder,
    ) -> Self {
        let url = sectile_test_postgres::database().await.unwrap();
        let patient = PostgresCheckpointer::builder(&url).connect().await.unwrap();
        patient.migrate().await.unwrap();
        for task in 0..TASKS {
            save(patient.clone(), thread(task)).await.unwrap();
        }
        let limit = format!("{url}?options=-c%20{setting}%3D{}", TIMEOUT.as_millis());
        let builder = set_up(PostgresCheckpointer::builder(&limit));
        let limited = builder.connect().await.unwrap();
        let mut other = PgConnection::connect(&url).await.unwrap();
        sqlx::raw_sql(WATCH).execute(&mut other).await.unwrap();
        let hold = "BEGIN; UPDATE checkpoint_threads SET last_seq = last_seq";
        sqlx::raw_sql(hold).execute(&mut other).await.unwrap();
        Self {
            limited,
            patient,
            other,
        }
    }

    async fn last_value(&mut self, sequence: &str) -> i64 {
        let sql = AssertSqlSafe(format!("SELECT last_value FROM {sequence}"));
        let value = sqlx::query_scalar(sql).fetch_one(&mut self.other).await;
        value.unwrap()
    }

    /// Returns how many statements have updated threads, or tried to, since they are held.
    async fn updates(&mut self) -> i64 {
        self.last_value("updates").await - 1
    }

    /// Lets go of the threads, and saves to one, which has one checkpoint until then.
    async fn assert_free(self, task: u32) {
        self.other.close().await.unwrap();
        assert_eq!(save(self.patient, thread(task)).await.unwrap(), 2);
    }
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

async fn delete(checkpointer: PostgresCheckpointer, task: u32) -> Result<u64> {
    checkpointer.delete_thread(&thread(task)).await
}

/// Calls that are made at once, in their order.
#[derive(Default)]
struct Calls(JoinSet<Result<u64>>);

impl Calls {
    fn make(&mut self, call: impl Future<Output = Result<u64>> + Send + 'static) {
        self.0.spawn(call);
    }

    /// Returns why each was refused.
    async fn refusals(self) -> Vec<ErrorKind> {
        let outcomes = self.0.join_all().await.into_iter();
        let refusals = outcomes.map(|outcome| {
            let error = outcome.unwrap_err();
            assert!(error.is_retryable(), "{error:?}");
            error.kind()
        });
        refusals.collect()
    }
}

async fn saves_are_refused_together(setting: &str, kinds: &[ErrorKind], projections: bool) {
    let mut held = Held::with(setting, |builder| builder.enable_projections(projections)).await;
    let mut calls = Calls::default();
    for _ in 0..TASKS {
        calls.make(save(held.limited.clone(), thread(0)));
    }
    let refusals = calls.refusals().await;
    assert_eq!(refusals, [refusals[0]; TASKS as usize]);
    assert!(kinds.contains(&refusals[0]), "{refusals:?}");
    // All waited for one statement, and none tried again by itself.
    assert_eq!(held.updates().await, 1);
    held.assert_free(0).await;
}

#[tokio::test]
async fn saves_that_wait_for_a_lock_together_wait_as_long_as_one() {
    saves_are_refused_together("lock_timeout", &[ErrorKind::Busy], false).await;
    saves_are_refused_together("lock_timeout", &[ErrorKind::Busy], true).await;
}

#[tokio::test]
async fn saves_that_run_out_of_time_together_wait_as_long_as_one() {
    // If it takes long to connect, they have less time for a lock than the statement has.
    let kinds = [ErrorKind::TimedOut, ErrorKind::Busy];
    saves_are_refused_together("statement_timeout", &kinds, false).await;
}

#[tokio::test]
async fn writes_that_wait_for_a_lock_together_are_refused() {
    let set_up = |builder: PostgresCheckpointerBuilder| builder.max_connections(CONNECTIONS);
    let held = Held::with("lock_timeout", set_up).await;
    let mut calls = Calls::default();
    for task in 0..TASKS {
        calls.make(write(held.limited.clone(), task));
    }
    calls.make(delete(held.limited.clone(), 0));
    let expected = [ErrorKind::Busy; TASKS as usize + 1];
    assert_eq!(calls.refusals().await, expected);
    let patient = held.patient.clone();
    held.assert_free(0).await;
    assert_eq!(write(patient, 1).await.unwrap(), 0);
}

#[tokio::test]
async fn a_call_that_has_waited_for_a_connection_waits_less_for_a_lock() {
    let set_up = |builder: PostgresCheckpointerBuilder| builder.max_connections(1);
    let mut held = Held::with("lock_timeout", set_up).await;
    let mut calls = Calls::default();
    calls.make(delete(held.limited.clone(), 0));
    calls.make(save(held.limited.clone(), thread(1)));
    assert_eq!(calls.refusals().await, [ErrorKind::Busy; 2]);
    // The save waited for all of its time until the connection was free; 0 would be no limit.
    assert_eq!(held.last_value("lock_milliseconds").await, 1);
    held.assert_free(1).await;
}

/// Makes calls on threads that all are held, and that have no connection for each of them. Returns why each
/// was refused.
async fn refused_operations(setting: &str) -> Vec<ErrorKind> {
    let set_up = |builder: PostgresCheckpointerBuilder| builder.max_connections(CONNECTIONS);
    let held = Held::with(setting, set_up).await;
    let mut calls = Calls::default();
    for task in 0..TASKS {
        let checkpointer = held.limited.clone();
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
    let refusals = calls.refusals().await;
    let patient = held.patient.clone();
    held.assert_free(1).await;
    let prune = Prune::keep_latest(1);
    assert_eq!(patient.prune(&prune).await.unwrap(), 1);
    refusals
}

#[tokio::test]
async fn operations_that_wait_for_locks_together_are_refused() {
    let refusals = refused_operations("lock_timeout").await;
    assert_eq!(refusals, [ErrorKind::Busy; TASKS as usize]);
}

#[tokio::test]
async fn operations_that_run_out_of_time_together_wait_as_long_as_one() {
    let refusals = refused_operations("statement_timeout").await;
    assert_eq!(refusals.len(), TASKS as usize);
    let (timed_out, others): (Vec<_>, Vec<_>) = refusals
        .into_iter()
        .partition(|kind| *kind == ErrorKind::TimedOut);
    // At most the first on each connection waits for all of its time, until the server ends it. The others have
    // no time left to wait for a lock, on which the server itself sets no limit.
    assert!(timed_out.len() <= CONNECTIONS as usize, "{timed_out:?}");
    assert!(
        others.iter().all(|kind| *kind == ErrorKind::Busy),
        "{others:?}"
    );
}
