//! What tasks write at once.

use std::path::{Path, PathBuf};

use sectile_checkpoint::{
    At, Checkpoint, Checkpointer as _, Error, RecordsExt as _, Result, TaskWrites, TypedValue,
};
use sectile_checkpoint_sqlite::SqliteCheckpointer;
use tempfile::TempDir;
use tokio::task::JoinSet;

const TASKS: u64 = 16;

/// Returns a checkpointer of a thread with one checkpoint, whose write-ahead log only grows.
async fn open() -> (TempDir, PathBuf, SqliteCheckpointer) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoints.db");
    let builder = SqliteCheckpointer::builder(&format!("sqlite:{}", path.display()));
    let builder = builder.pragma("wal_autocheckpoint", "0");
    let checkpointer = builder.connect().await.unwrap();
    checkpointer.migrate().await.unwrap();
    checkpointer.save(&Checkpoint::new("t", 0)).await.unwrap();
    (folder, path.with_extension("db-wal"), checkpointer)
}

async fn write(checkpointer: SqliteCheckpointer, at: At, task: u64) -> Result<()> {
    let value = TypedValue::json(&task).unwrap();
    let writes = TaskWrites::new(format!("task {task:02}")).write("channel", value);
    checkpointer.put_writes(&"t".into(), &at, &writes).await
}

async fn save(checkpointer: SqliteCheckpointer, state: u64) -> Result<()> {
    let saved = checkpointer.save(&Checkpoint::new("t", state)).await;
    saved.map(drop)
}

async fn written(checkpointer: &SqliteCheckpointer) -> Vec<String> {
    let found = checkpointer.pending_writes(&"t".into(), &At::Seq(1)).await;
    let tasks = found.unwrap().into_iter().map(|write| write.task_id);
    tasks.collect()
}

/// Counts the commits in a write-ahead log (<https://www.sqlite.org/walformat.html>): the last frame of
/// each has the size of the file, the others 0.
fn commits(log: &Path) -> usize {
    let log = std::fs::read(log).unwrap();
    let page_size = u32::from_be_bytes(log[8..12].try_into().unwrap());
    let frames = log[32..].chunks_exact(24 + page_size as usize);
    frames.filter(|frame| frame[4..8] != [0; 4]).count()
}

// On one thread, all have come before the first is written.
#[tokio::test]
async fn writes_and_saves_that_come_at_once_share_commits() {
    let (_folder, log, checkpointer) = open().await;
    let before = commits(&log);
    let mut tasks = JoinSet::new();
    for task in 0..TASKS {
        tasks.spawn(write(checkpointer.clone(), At::Seq(1), task));
        tasks.spawn(save(checkpointer.clone(), task));
    }
    for outcome in tasks.join_all().await {
        outcome.unwrap();
    }
    let shared = commits(&log) - before;
    assert!((1..=2).contains(&shared), "{shared} commits");
    assert_eq!(written(&checkpointer).await.len() as u64, TASKS);
    let latest = checkpointer.load_as::<u64>("t").await.unwrap();
    assert_eq!(latest.unwrap().seq, TASKS + 1);
}

#[tokio::test]
async fn a_write_that_is_refused_spoils_none_of_its_group() {
    let (_folder, _log, checkpointer) = open().await;
    let mut tasks = JoinSet::new();
    for task in 0..TASKS {
        let (checkpointer, seq) = (checkpointer.clone(), 1 + task / (TASKS - 1) * 98);
        tasks.spawn(async move { (seq, write(checkpointer, At::Seq(seq), task).await) });
    }
    for (seq, outcome) in tasks.join_all().await {
        match outcome {
            Err(Error::NotFound { .. }) => assert_eq!(seq, 99),
            outcome => assert!(seq == 1 && outcome.is_ok(), "{seq}: {outcome:?}"),
        }
    }
    assert_eq!(written(&checkpointer).await.len() as u64, TASKS - 1);
}
