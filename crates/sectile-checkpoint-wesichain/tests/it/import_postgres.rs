//! Databases that `wesichain-checkpoint-postgres` wrote.

use sectile_checkpoint::MemoryCheckpointer;
use sectile_checkpoint_wesichain::{ImportError, import_postgres};
use sqlx::{Connection as _, PgConnection};

use super::fixture::{IN_FIXTURES, check_fixture};
use super::places::{fresh_database, postgres};

const FIXTURE: &str = include_str!("../fixtures/wesichain.sql");

/// Runs statements on a database.
async fn run(url: &str, sql: &'static str) {
    let mut connection = PgConnection::connect(url).await.unwrap();
    sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_is_imported_and_its_run_goes_on() {
    let url = fresh_database().await;
    run(&url, FIXTURE).await;
    let memory = MemoryCheckpointer::new();
    assert_eq!(import_postgres(&url, &memory).await.unwrap(), IN_FIXTURES);
    check_fixture(memory).await;

    // Into the same database, in another schema.
    let records = postgres(&url).await;
    assert_eq!(import_postgres(&url, &records).await.unwrap(), IN_FIXTURES);
    check_fixture(records.clone()).await;
    let again = import_postgres(&url, &records).await.unwrap();
    assert_eq!((again.saved, again.known), (0, 4));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_without_queues_is_imported_from_another_schema() {
    let url = fresh_database().await;
    run(&url, FIXTURE).await;
    run(
        &url,
        "ALTER TABLE checkpoints DROP COLUMN queue_json; CREATE SCHEMA agents; \
         ALTER TABLE checkpoints SET SCHEMA agents",
    )
    .await;
    let refused = import_postgres(&url, &MemoryCheckpointer::new()).await;
    assert!(matches!(refused, Err(ImportError::NoTable)), "{refused:?}");
    let url = format!("{url}?options=-csearch_path%3Dagents");
    let imported = import_postgres(&url, &MemoryCheckpointer::new()).await;
    assert_eq!(imported.unwrap(), IN_FIXTURES);
}

#[tokio::test]
async fn a_server_that_is_not_there_is_told() {
    let url = "postgres://postgres@127.0.0.1:1/none";
    let refused = import_postgres(url, &MemoryCheckpointer::new()).await;
    assert!(
        matches!(refused, Err(ImportError::Unreadable { .. })),
        "{refused:?}"
    );
    let refused = import_postgres("nowhere", &MemoryCheckpointer::new()).await;
    assert!(
        matches!(refused, Err(ImportError::InvalidUrl { .. })),
        "{refused:?}"
    );
}
