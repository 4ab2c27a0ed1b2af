//! Statements and commits that fail, and what comes after them.

use std::path::PathBuf;

use sectile_checkpoint::{
    Checkpoint, CheckpointHistory as _, CheckpointQuery, Checkpointer, Error, ErrorKind,
};
use sectile_checkpoint::{Result, Saved, Threads as _};
use sectile_checkpoint_sqlite::{SqliteCheckpointer, SqliteCheckpointerBuilder};
use sectile_sqlite::rusqlite::Connection;
use tempfile::TempDir;

/// Refuses the commit of a checkpoint at step 13: the statement itself succeeds.
const REFUSE_COMMITS: &str = "
    CREATE TABLE none (id INTEGER PRIMARY KEY);
    CREATE TABLE refused (id INTEGER REFERENCES none (id) DEFERRABLE INITIALLY DEFERRED);
    CREATE TRIGGER refuse AFTER INSERT ON checkpoints WHEN new.step = 13 BEGIN
        INSERT INTO refused VALUES (1);
    END;
";

fn path(folder: &TempDir) -> PathBuf {
    folder.path().join("checkpoints.db")
}

fn url(folder: &TempDir) -> String {
    format!("sqlite:{}", path(folder).display())
}

async fn open(builder: SqliteCheckpointerBuilder) -> SqliteCheckpointer {
    let checkpointer = builder.connect().await.unwrap();
    checkpointer.migrate().await.unwrap();
    checkpointer
}

async fn refusing(folder: &TempDir) -> SqliteCheckpointer {
    let checkpointer = open(SqliteCheckpointer::builder(&url(folder))).await;
    let connection = Connection::open(path(folder)).unwrap();
    connection.execute_batch(REFUSE_COMMITS).unwrap();
    checkpointer
}

async fn save(checkpointer: &SqliteCheckpointer, step: u64) -> Result<Saved> {
    let checkpoint = Checkpoint::new("t", step).at_step(step, "node");
    checkpointer.save(&checkpoint).await
}

/// Saves steps at once.
async fn save_all(checkpointer: &SqliteCheckpointer, steps: u64) -> Vec<Result<Saved>> {
    let begin = |step| {
        let checkpointer = checkpointer.clone();
        tokio::spawn(async move { save(&checkpointer, step).await })
    };
    let mut outcomes = Vec::new();
    for task in (1..=steps).map(begin).collect::<Vec<_>>() {
        outcomes.push(task.await.unwrap());
    }
    outcomes
}

async fn kept(checkpointer: &SqliteCheckpointer) -> usize {
    let query = CheckpointQuery::default();
    let all: Vec<Checkpoint<u64>> = checkpointer.list("t", &query).await.unwrap();
    all.len()
}

#[tokio::test]
async fn what_is_missing_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none/checkpoints.db");
    for (builder, advice) in [
        (
            SqliteCheckpointer::builder(&format!("sqlite:{}", missing.display())),
            "none/checkpoints.db`: its folder does not exist; make it",
        ),
        (
            SqliteCheckpointer::builder(&url(&folder)).create_if_missing(false),
            "checkpoints.db`: the file does not exist; correct the path, or let it be made",
        ),
        (
            SqliteCheckpointer::builder(&format!("{}?mode=ro", url(&folder))),
            "checkpoints.db`: the file does not exist; correct the path, or let it be made",
        ),
    ] {
        let refused = builder.connect().await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::DatabaseNotFound, "{refused:?}");
        assert!(refused.to_string().ends_with(advice), "{refused}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn a_commit_that_fails_is_not_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let checkpointer = refusing(&folder).await;
    assert_eq!(save(&checkpointer, 1).await.unwrap().seq, 1);
    assert!(save(&checkpointer, 13).await.is_err());
    assert_eq!(kept(&checkpointer).await, 1);
    assert_eq!(save(&checkpointer, 2).await.unwrap().seq, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_that_fails_keeps_no_other_save_from_succeeding() {
    let folder = tempfile::tempdir().unwrap();
    let checkpointer = refusing(&folder).await;
    let outcomes = save_all(&checkpointer, 40).await;
    let failed = outcomes.iter().filter(|outcome| outcome.is_err()).count();
    assert_eq!((failed, outcomes[12].is_err()), (1, true));
    assert_eq!(kept(&checkpointer).await, 39);
    assert_eq!(checkpointer.delete_thread("t").await.unwrap(), 39);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_was_full_is_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let builder = SqliteCheckpointer::builder(&url(&folder)).pragma("max_page_count", "60");
    let checkpointer = open(builder).await;
    let outcomes = save_all(&checkpointer, 9_000).await;
    let full = outcomes.iter().filter_map(|outcome| outcome.as_ref().err());
    assert!(full.clone().count() > 0);
    assert!(
        full.clone()
            .all(|error| matches!(error, Error::Full { .. }))
    );
    let saved = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    assert_eq!(kept(&checkpointer).await, saved);
    assert_eq!(checkpointer.delete_thread("t").await.unwrap(), saved as u64);
    assert!(save_all(&checkpointer, 20).await.iter().all(Result::is_ok));
}
