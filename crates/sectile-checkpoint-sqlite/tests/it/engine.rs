//! What the tests that both engines share need of SQLite.

use std::future::{Ready, ready};

use sectile_checkpoint_sqlite::SqliteCheckpointer;
use sectile_sqlite::rusqlite::Connection;
use tempfile::TempDir;

/// The checkpointer.
pub(crate) type Engine = SqliteCheckpointer;

/// What is to live as long as a checkpointer: the folder of its file.
pub(crate) type Database = TempDir;

/// Refuses to delete what the run `refused` saved.
pub(crate) const REFUSE_DELETES: &str = "CREATE TRIGGER refuse BEFORE DELETE ON checkpoints \
     WHEN old.run_id = 'refused' BEGIN SELECT RAISE(ABORT, 'refused'); END";

/// Makes a database without threads.
pub(crate) async fn fresh() -> (Database, Engine) {
    made(false).await
}

/// Makes one with projections.
pub(crate) async fn projecting() -> (Database, Engine) {
    made(true).await
}

async fn made(projections: bool) -> (Database, Engine) {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("checkpoints.db").display());
    let builder = SqliteCheckpointer::builder(&url)
        .pragma("synchronous", "OFF")
        .enable_projections(projections);
    let checkpointer = builder.connect().await.unwrap();
    checkpointer.migrate().await.unwrap();
    (folder, checkpointer)
}

/// Runs statements past the checkpointer, at once; those of Postgres take their time.
pub(crate) fn change(database: &Database, sql: &str) -> Ready<()> {
    let connection = Connection::open(database.path().join("checkpoints.db")).unwrap();
    connection.execute_batch(sql).unwrap();
    ready(())
}
