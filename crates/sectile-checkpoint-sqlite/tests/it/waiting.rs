//! What calls are told that wait together for others that hold the file. How long each waits is tested where
//! it is decided: in `write.rs` of this crate, and in `writer.rs` and `busy_handler.rs` of `sectile-sqlite`.

use std::time::Duration;

use sectile_checkpoint::{
    At, Checkpoint, Checkpointer as _, Error, RecordsExt as _, Result, TaskWrites, Threads as _,
    TypedValue,
};
use sectile_checkpoint_sqlite::SqliteCheckpointer;
use sectile_sqlite::rusqlite::Connection;
use tempfile::TempDir;
use tokio::task::JoinSet;

const TIMEOUT: Duration = Duration::from_millis(50);
const TASKS: u32 = 16;

/// A file that another connection holds.
struct Held {
    _folder: TempDir,
    other: Connection,
    limited: SqliteCheckpointer,
    /// Waits for as long as it takes.
    patient: SqliteCheckpointer,
}

async fn held(projections: bool) -> Held {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoints.db");
    let open = async |busy_timeout| {
        let builder = SqliteCheckpointer::builder(&format!("sqlite:{}", path.display()))
            .enable_projections(projections)
            .busy_timeout(busy_timeout);
        builder.connect().await.unwrap()
    };
    let patient = open(Duration::from_mins(10)).await;
    patient.migrate().await.unwrap();
    let limited = open(TIMEOUT).await;
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    Held {
        _folder: folder,
        other,
        limited,
        patient,
    }
}

/// Makes many calls at once, and checks that each is refused as busy.
async fn assert_all_busy<F>(call: impl Fn(u32) -> F)
where
    F: Future<Output = Result<u64>> + Send + 'static,
{
    let mut tasks = JoinSet::new();
    for task in 0..TASKS {
        tasks.spawn(call(task));
    }
    let outcomes = tasks.join_all().await;
    assert_eq!(outcomes.len(), TASKS as usize);
    for outcome in outcomes {
        assert!(matches!(outcome, Err(Error::Busy { .. })), "{outcome:?}");
    }
}

fn save(
    checkpointer: &SqliteCheckpointer,
    number: u32,
) -> impl Future<Output = Result<u64>> + Send + use<> {
    let checkpointer = checkpointer.clone();
    async move {
        let saved = checkpointer.save(&Checkpoint::new("t", number)).await;
        saved.map(|saved| saved.seq)
    }
}

fn write(
    checkpointer: &SqliteCheckpointer,
    task: u32,
) -> impl Future<Output = Result<u64>> + Send + use<> {
    let checkpointer = checkpointer.clone();
    async move {
        let (at, value) = (At::Id("id".into()), TypedValue::json(&task).unwrap());
        let writes = TaskWrites::new(task.to_string()).write("channel", value);
        let put = checkpointer.put_writes(&"t".into(), &at, &writes).await;
        put.map(|()| u64::from(task))
    }
}

async fn saves_wait_together(projections: bool) {
    let held = held(projections).await;
    assert_all_busy(|task| save(&held.limited, task)).await;
    // A call that waits for longer is saved when the file is free.
    let late = tokio::spawn(save(&held.patient, 1));
    held.other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(late.await.unwrap().unwrap(), 1);
    assert_eq!(save(&held.limited, 2).await.unwrap(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn saves_that_wait_together_are_refused_together() {
    saves_wait_together(false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn saves_with_projections_that_wait_together_are_refused_together() {
    saves_wait_together(true).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writes_that_wait_together_are_refused_together() {
    let held = held(false).await;
    assert_all_busy(|task| write(&held.limited, task)).await;
    let late = tokio::spawn(write(&held.patient, 7));
    held.other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(late.await.unwrap().unwrap(), 7);
    let at = At::Id("id".into());
    let kept = held.limited.pending_writes(&"t".into(), &at).await.unwrap();
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].task_id, "7");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn operations_that_wait_together_are_refused_together() {
    let held = held(false).await;
    let delete = |_| {
        let checkpointer = held.limited.clone();
        async move { checkpointer.delete_thread("t").await }
    };
    assert_all_busy(delete).await;
}
