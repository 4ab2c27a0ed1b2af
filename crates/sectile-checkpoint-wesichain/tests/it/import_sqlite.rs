//! Files that `wesichain-checkpoint-sqlite` wrote.

use std::path::{Path, PathBuf};

use sectile_checkpoint::{
    Checkpoint, Checkpointer as _, MemoryCheckpointer, ThreadQuery, Threads as _,
};
use sectile_checkpoint_sqlite::SqliteCheckpointer;
use sectile_checkpoint_wesichain::{ImportError, Imported, import_sqlite};
use serde_json::Value;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};
use tempfile::TempDir;

use super::fixture::{IN_FIXTURES, check_fixture};
use super::places;

/// Copies the fixture to a folder of its own.
fn copied() -> (TempDir, PathBuf) {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/wesichain.db");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wesichain.db");
    std::fs::copy(fixture, &path).unwrap();
    (folder, path)
}

fn url(path: &Path) -> String {
    format!("sqlite:{}", path.display())
}

/// Runs statements on a file, which is made where it is missing.
async fn run(path: &Path, sql: &'static str) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(path);
    let mut connection = options.create_if_missing(true).connect().await.unwrap();
    sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
    connection
}

async fn import_to_memory(path: &Path) -> Result<Imported, ImportError> {
    import_sqlite(&url(path), &MemoryCheckpointer::new()).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_is_imported_and_its_run_goes_on() {
    let (folder, path) = copied();
    let memory = MemoryCheckpointer::new();
    let imported = import_sqlite(&url(&path), &memory).await.unwrap();
    assert_eq!(imported, IN_FIXTURES);
    check_fixture(memory).await;

    let sqlite = places::sqlite(&folder.path().join("sectile.db")).await;
    let (from, into) = (url(&path), sqlite.clone());
    let task = tokio::spawn(async move { import_sqlite(&from, &into).await });
    assert_eq!(task.await.unwrap().unwrap(), IN_FIXTURES);
    check_fixture(sqlite.clone()).await;
    // One run has gone on; the import can be repeated all the same.
    let again = import_sqlite(&url(&path), &sqlite).await.unwrap();
    assert_eq!((again.saved, again.known), (0, 4));
}

#[tokio::test]
async fn the_file_stays_as_it_is() {
    let (folder, path) = copied();
    let before = std::fs::read(&path).unwrap();
    import_to_memory(&path).await.unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Adds a checkpoint that only the write-ahead log has, as long as the connection is open.
async fn logged(path: &Path) -> SqliteConnection {
    let insert = "PRAGMA journal_mode = WAL; \
         INSERT INTO checkpoints VALUES ('new', 1, '', 'node', 1, '{\"data\":{}}', '[]')";
    run(path, insert).await
}

#[tokio::test]
async fn a_file_with_a_write_ahead_log_is_imported_while_it_is_open() {
    let (_folder, path) = copied();
    let connection = logged(&path).await;
    let imported = import_to_memory(&path).await.unwrap();
    assert_eq!((imported.threads, imported.saved), (3, 5));
    connection.close().await.unwrap();
}

#[tokio::test]
async fn a_write_ahead_log_that_was_left_is_read_and_stays() {
    let (folder, path) = copied();
    let connection = logged(&path).await;
    // What a process that was killed leaves: whoever opens this for writing empties the log.
    let left = folder.path().join("left.db");
    let log = |path: &Path| path.with_extension("db-wal");
    std::fs::copy(&path, &left).unwrap();
    std::fs::copy(log(&path), log(&left)).unwrap();
    connection.close().await.unwrap();

    let bytes = || [&left, &log(&left)].map(|path| std::fs::read(path).unwrap());
    let before = bytes();
    assert_eq!(import_to_memory(&left).await.unwrap().saved, 5);
    assert_eq!(bytes(), before);
}

#[tokio::test]
async fn a_table_without_queues_is_imported() {
    let (_folder, path) = copied();
    run(&path, "ALTER TABLE checkpoints DROP COLUMN queue_json").await;
    let records = MemoryCheckpointer::new();
    let imported = import_sqlite(&url(&path), &records).await.unwrap();
    assert_eq!(imported, IN_FIXTURES);
    let latest: Option<Checkpoint<Value>> = records.load("interrupted").await.unwrap();
    assert!(latest.unwrap().queue.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_is_imported_into_itself_beside_its_tables() {
    let (_folder, path) = copied();
    let builder = SqliteCheckpointer::builder(&url(&path)).table_prefix("sectile_");
    let checkpointer = builder.connect().await.unwrap();
    checkpointer.migrate().await.unwrap();
    let imported = import_sqlite(&url(&path), &checkpointer).await.unwrap();
    assert_eq!(imported, IN_FIXTURES);
    let threads = checkpointer.threads(&ThreadQuery::default()).await;
    assert_eq!(threads.unwrap().len(), 2);
}

#[tokio::test]
async fn a_row_that_does_not_parse_is_named() {
    let (_folder, path) = copied();
    run(
        &path,
        "UPDATE checkpoints SET queue_json = '{}' WHERE thread_id = 'interrupted'",
    )
    .await;
    let refused = import_to_memory(&path).await.unwrap_err().to_string();
    let expected = "checkpoint 1 of thread `interrupted` cannot be imported: `queue_json` is no";
    assert!(refused.starts_with(expected), "{refused}");
}

#[tokio::test]
async fn what_is_no_database_of_wesichain_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);

    let address = format!("{}?mode=rwc", url(&at("missing.db")));
    let refused = import_sqlite(&address, &MemoryCheckpointer::new()).await;
    assert!(
        matches!(refused, Err(ImportError::Unreadable { .. })),
        "{refused:?}"
    );
    assert!(!at("missing.db").exists());

    std::fs::write(
        at("text.db"),
        "no database, but long enough for the header".repeat(9),
    )
    .unwrap();
    let refused = import_to_memory(&at("text.db")).await;
    assert!(
        matches!(refused, Err(ImportError::Unreadable { .. })),
        "{refused:?}"
    );

    run(&at("other.db"), "CREATE TABLE checkpoints (level TEXT)").await;
    run(&at("empty.db"), "PRAGMA user_version = 1").await;
    places::sqlite(&at("sectile.db"))
        .await
        .close()
        .await
        .unwrap();
    for name in ["other.db", "empty.db", "sectile.db"] {
        let refused = import_to_memory(&at(name)).await;
        assert!(
            matches!(refused, Err(ImportError::NoTable)),
            "{name}: {refused:?}"
        );
    }

    let refused = import_sqlite("sqlite:a.db?mode=odd", &MemoryCheckpointer::new()).await;
    assert!(
        matches!(refused, Err(ImportError::InvalidUrl { .. })),
        "{refused:?}"
    );
}
