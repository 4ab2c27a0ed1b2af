//! What a server may refuse, and what the caller is told.

use std::time::Duration;

use sectile_checkpoint::{Checkpoint, Checkpointer as _, ErrorKind};
use sectile_checkpoint_postgres::PostgresCheckpointer;
use sqlx::{Connection as _, PgConnection};
use tokio::time::sleep;

#[tokio::test]
async fn a_role_that_is_not_let_in_is_told_so() {
    let url = sectile_test_postgres::database().await.unwrap();
    for wrong in ["postgres:wrong@", "nobody:postgres@"] {
        let url = url.replace("postgres:postgres@", wrong);
        let refused = PostgresCheckpointer::builder(&url).connect().await;
        let refused = refused.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Unauthenticated, "{refused:?}");
        assert!(!refused.is_retryable());
    }
}

#[tokio::test]
async fn a_database_that_is_missing_is_told_so() {
    let url = sectile_test_postgres::database().await.unwrap();
    let refused = PostgresCheckpointer::builder(&format!("{url}_none")).connect();
    let refused = refused.await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::DatabaseNotFound, "{refused:?}");
}

#[tokio::test]
async fn a_connection_that_the_server_left_is_replaced_before_a_save() {
    let url = sectile_test_postgres::database().await.unwrap();
    let checkpointer = PostgresCheckpointer::builder(&url).connect().await.unwrap();
    checkpointer.migrate().await.unwrap();
    let mut admin = PgConnection::connect(&url).await.unwrap();
    for number in 1..=3_u64 {
        let saved = checkpointer.save(&Checkpoint::new("t", number)).await;
        assert_eq!(saved.unwrap().seq, number);
        // One that was used a moment ago is not asked for a sign of life.
        sleep(Duration::from_millis(150)).await;
        let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                   WHERE datname = current_database() AND pid <> pg_backend_pid()";
        sqlx::raw_sql(cut).execute(&mut admin).await.unwrap();
    }
}
