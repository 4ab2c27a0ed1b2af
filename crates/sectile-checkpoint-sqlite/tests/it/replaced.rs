//! What happens to the file of a checkpointer while it is open.

use std::fs;
use std::path::{Path, PathBuf};

use sectile_checkpoint::{
    Checkpoint, Checkpointer as _, Error, Result, Saved, ThreadQuery, Threads as _,
};
use sectile_checkpoint_sqlite::SqliteCheckpointer;
use tempfile::TempDir;

async fn open(path: &Path) -> SqliteCheckpointer {
    let url = format!("sqlite:{}", path.display());
    let checkpointer = SqliteCheckpointer::builder(&url).connect().await.unwrap();
    checkpointer.migrate().await.unwrap();
    checkpointer
}

/// Returns a checkpointer with three checkpoints, and its file.
async fn with_three() -> (TempDir, PathBuf, SqliteCheckpointer) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.db");
    let checkpointer = open(&path).await;
    for seq in 1..=3 {
        assert_eq!(save(&checkpointer).await.unwrap().seq, seq);
    }
    assert_eq!(latest(&checkpointer).await.unwrap(), Some(3));
    (folder, path, checkpointer)
}

async fn save(checkpointer: &SqliteCheckpointer) -> Result<Saved> {
    checkpointer.save(&Checkpoint::new("t", 1)).await
}

async fn latest(checkpointer: &SqliteCheckpointer) -> Result<Option<u64>> {
    let latest: Option<Checkpoint<u64>> = checkpointer.load("t").await?;
    Ok(latest.map(|latest| latest.seq))
}

/// Checks that nothing is acknowledged, by any way that a save or a reading takes.
async fn assert_refused(path: &Path, checkpointer: &SqliteCheckpointer) {
    let assert_replaced = |error: Error| {
        assert!(!error.is_retryable(), "{error:?}");
        assert!(error.to_string().contains("runs.db"), "{error}");
        let Error::FileReplaced { path: named } = error else {
            panic!("{error:?}");
        };
        assert_eq!(named, path);
    };
    for _ in 0..3 {
        assert_replaced(save(checkpointer).await.unwrap_err());
    }
    let saves = std::iter::repeat_with(|| {
        let checkpointer = checkpointer.clone();
        tokio::spawn(async move { save(&checkpointer).await })
    });
    for task in saves.take(16).collect::<Vec<_>>() {
        assert_replaced(task.await.unwrap().unwrap_err());
    }
    assert_replaced(checkpointer.delete_thread("t").await.unwrap_err());
    assert_replaced(latest(checkpointer).await.unwrap_err());
    let threads = checkpointer.threads(&ThreadQuery::default()).await;
    assert_replaced(threads.unwrap_err());
}

fn log(path: &Path) -> PathBuf {
    let mut log = path.to_owned().into_os_string();
    log.push("-wal");
    log.into()
}

fn remove_all(path: &Path) {
    for file in fs::read_dir(path.parent().unwrap()).unwrap() {
        fs::remove_file(file.unwrap().path()).unwrap();
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_save_to_a_deleted_file_is_not_acknowledged() {
    let (_folder, path, checkpointer) = with_three().await;
    remove_all(&path);
    assert_refused(&path, &checkpointer).await;
    let again = open(&path).await;
    assert_eq!(save(&again).await.unwrap().seq, 1);
    assert_refused(&path, &checkpointer).await;
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_in_the_place_of_the_file_is_another_file() {
    let (folder, path, checkpointer) = with_three().await;
    let copy = folder.path().join("copy.db");
    open(&path).await.close().await.unwrap();
    fs::copy(&path, &copy).unwrap();
    fs::rename(&copy, &path).unwrap();
    assert_refused(&path, &checkpointer).await;
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_save_to_a_deleted_log_is_not_acknowledged() {
    let (_folder, path, checkpointer) = with_three().await;
    fs::remove_file(log(&path)).unwrap();
    assert_refused(&path, &checkpointer).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_connections_come_and_go() {
    let (_folder, path, checkpointer) = with_three().await;
    for seq in [4, 6, 8] {
        let other = open(&path).await;
        assert_eq!(save(&other).await.unwrap().seq, seq);
        other.close().await.unwrap();
        assert_eq!(save(&checkpointer).await.unwrap().seq, seq + 1);
        assert_eq!(latest(&checkpointer).await.unwrap(), Some(seq + 1));
    }
}
