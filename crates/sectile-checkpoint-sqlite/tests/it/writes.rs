//! What tasks write at once.

use std::path::{Path, PathBuf};

use sectile_checkpoint::{At, Checkpoint, Checkpointer as _, RecordsExt as _};
use sectile_checkpoint_sqlite::SqliteCheckpointer;
use tempfile::TempDir;
use tokio::task::JoinSet;

use crate::groups::{TASKS, save, write, written};

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
    assert_eq!(written(&checkpointer).await, TASKS);
    let latest = checkpointer.load_as::<u64>("t").await.unwrap();
    assert_eq!(latest.unwrap().seq, TASKS + 1);
}
