//! How long calls wait for others that hold a thread.

use std::time::{Duration, Instant};

use sectile_checkpoint::{Checkpoint, Checkpointer as _, ErrorKind};
use sectile_checkpoint_postgres::PostgresCheckpointer;
use sqlx::{Connection as _, PgConnection};
use tokio::task::JoinSet;

const TIMEOUT: Duration = Duration::from_millis(300);
const TASKS: u32 = 16;

/// Twice the timeout would be a multiple of it; the rest is for a busy machine.
const AT_MOST: Duration = Duration::from_millis(900);

async fn saves_wait_as_long_as_one(setting: &str, kind: ErrorKind, projections: bool) {
    let url = sectile_test_postgres::database().await.unwrap();
    let limited = format!("{url}?options=-c%20{setting}%3D{}", TIMEOUT.as_millis());
    let checkpointer = PostgresCheckpointer::builder(&limited).enable_projections(projections);
    let checkpointer = checkpointer.connect().await.unwrap();
    checkpointer.migrate().await.unwrap();
    checkpointer.save(&Checkpoint::new("t", 0)).await.unwrap();
    let mut other = PgConnection::connect(&url).await.unwrap();
    let hold = "BEGIN; UPDATE checkpoint_threads SET last_seq = last_seq";
    sqlx::raw_sql(hold).execute(&mut other).await.unwrap();

    let mut tasks = JoinSet::new();
    for task in 1..=TASKS {
        let checkpointer = checkpointer.clone();
        tasks.spawn(async move {
            let start = Instant::now();
            let saved = checkpointer.save(&Checkpoint::new("t", task)).await;
            (start.elapsed(), saved.map(|saved| saved.seq))
        });
    }
    for (waited, outcome) in tasks.join_all().await {
        let error = outcome.unwrap_err();
        assert!(error.is_retryable(), "{error:?}");
        assert_eq!(error.kind(), kind, "{error:?}");
        assert!(waited < AT_MOST, "{waited:?}");
    }
    other.close().await.unwrap();
    let saved = checkpointer.save(&Checkpoint::new("t", 1)).await;
    assert_eq!(saved.unwrap().seq, 2);
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
