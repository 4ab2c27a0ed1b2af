//! How long calls wait for others that hold the file.

use std::time::{Duration, Instant};

use sectile_checkpoint::{
    At, Checkpoint, Checkpointer as _, Error, RecordsExt as _, Result, TaskWrites, Threads as _,
    TypedValue,
};
use sectile_checkpoint_sqlite::SqliteCheckpointer;
use sectile_sqlite::rusqlite::Connection;
use tempfile::TempDir;
use tokio::task::JoinSet;

const TIMEOUT: Duration = Duration::from_millis(500);
const TASKS: u32 = 16;

/// Twice the timeout would be a multiple of it; the rest is for a busy machine.
const AT_MOST: Duration = Duration::from_millis(1_500);

/// Returns a checkpointer in a file that another connection holds, which comes with it.
async fn held(projections: bool) -> (TempDir, Connection, SqliteCheckpointer) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoints.db");
    let checkpointer = SqliteCheckpointer::builder(&format!("sqlite:{}", path.display()))
        .enable_projections(projections)
        .busy_timeout(TIMEOUT);
    let checkpointer = checkpointer.connect().await.unwrap();
    checkpointer.migrate().await.unwrap();
    let other = Connection::open(path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    (folder, other, checkpointer)
}

/// Runs what returns how long it took, many times at once.
async fn all_at_once<F>(call: impl Fn(u32) -> F) -> Vec<(Duration, Result<u64>)>
where
    F: Future<Output = Result<u64>> + Send + 'static,
{
    let mut tasks = JoinSet::new();
    for task in 0..TASKS {
        let (call, start) = (call(task), Instant::now());
        tasks.spawn(async move {
            let outcome = call.await;
            (start.elapsed(), outcome)
        });
    }
    tasks.join_all().await
}

fn assert_busy_in_time(outcomes: Vec<(Duration, Result<u64>)>) {
    assert_eq!(outcomes.len(), TASKS as usize);
    for (waited, outcome) in outcomes {
        assert!(matches!(outcome, Err(Error::Busy { .. })), "{outcome:?}");
        assert!((TIMEOUT..AT_MOST).contains(&waited), "{waited:?}");
    }
}

async fn saves_wait_as_long_as_one(projections: bool) {
    let (_folder, other, checkpointer) = held(projections).await;
    let save = |task| {
        let checkpointer = checkpointer.clone();
        async move {
            let saved = checkpointer.save(&Checkpoint::new("t", task)).await;
            saved.map(|saved| saved.seq)
        }
    };
    assert_busy_in_time(all_at_once(save).await);
    // Who comes later waits from then on, and is saved when the file is free.
    let late = tokio::spawn(save(1));
    tokio::time::sleep(TIMEOUT / 2).await;
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(late.await.unwrap().unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn saves_that_wait_together_wait_as_long_as_one() {
    saves_wait_as_long_as_one(false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn saves_with_projections_that_wait_together_wait_as_long_as_one() {
    saves_wait_as_long_as_one(true).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writes_that_wait_together_wait_as_long_as_one() {
    let (_folder, other, checkpointer) = held(false).await;
    let write = |task: u32| {
        let checkpointer = checkpointer.clone();
        async move {
            let (at, value) = (At::Id("id".into()), TypedValue::json(&task).unwrap());
            let writes = TaskWrites::new(task.to_string()).write("channel", value);
            let put = checkpointer.put_writes(&"t".into(), &at, &writes).await;
            put.map(|()| u64::from(task))
        }
    };
    assert_busy_in_time(all_at_once(write).await);
    // One that comes later waits from then on, and is kept when the file is free.
    let late = tokio::spawn(write(7));
    tokio::time::sleep(TIMEOUT / 2).await;
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(late.await.unwrap().unwrap(), 7);
    let at = At::Id("id".into());
    let kept = checkpointer.pending_writes(&"t".into(), &at).await.unwrap();
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].task_id, "7");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn operations_that_wait_together_wait_as_long_as_one() {
    let (_folder, _other, checkpointer) = held(false).await;
    let delete = |_| {
        let checkpointer = checkpointer.clone();
        async move { checkpointer.delete_thread("t").await }
    };
    assert_busy_in_time(all_at_once(delete).await);
}
