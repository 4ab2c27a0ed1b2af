//! What a server may refuse, and what the caller is told.

use std::time::Duration;

use sectile_checkpoint::{
    At, Checkpoint, Checkpointer as _, ErrorKind, Key, RecordsExt as _, TaskWrites, Threads as _,
    TypedValue,
};
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

/// Returns the processes of the server that serve other clients of the database.
async fn backends(admin: &mut PgConnection) -> Vec<i32> {
    let others = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() \
                  AND backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY pid";
    sqlx::query_scalar(others).fetch_all(admin).await.unwrap()
}

/// Saves to a new thread, and then what is refused.
async fn save_and_be_refused(checkpointer: &PostgresCheckpointer, thread_id: &str) {
    let named = Checkpoint::new(thread_id, 1).with_id("id");
    for is_new in [true, false] {
        let saved = checkpointer.save(&named).await.unwrap();
        assert_eq!((saved.seq, saved.is_new), (1, is_new));
    }
    let other = Checkpoint::new(thread_id, 2).with_id("id");
    let orphan = Checkpoint::new(thread_id, 3).with_parent(9);
    let writes = TaskWrites::new("task").write("channel", TypedValue::json(&1).unwrap());
    let key = Key::from(thread_id);
    let beside_none = checkpointer.put_writes(&key, &At::Seq(9), &writes);
    for (outcome, kind) in [
        (
            checkpointer.save(&other).await.map(drop),
            ErrorKind::IdConflict,
        ),
        (
            checkpointer.save(&orphan).await.map(drop),
            ErrorKind::InvalidArgument,
        ),
        (beside_none.await, ErrorKind::NotFound),
        (
            checkpointer.fork(thread_id, 9, "fork").await.map(drop),
            ErrorKind::NotFound,
        ),
        (
            checkpointer.copy_thread(thread_id, "taken").await.map(drop),
            ErrorKind::ThreadExists,
        ),
    ] {
        assert_eq!(outcome.unwrap_err().kind(), kind);
    }
}

#[tokio::test]
async fn a_connection_stays_open_when_a_call_is_refused() {
    let url = sectile_test_postgres::database().await.unwrap();
    let mut admin = PgConnection::connect(&url).await.unwrap();
    let builder = PostgresCheckpointer::builder(&url).max_connections(1);
    let plain = builder.connect().await.unwrap();
    plain.migrate().await.unwrap();
    plain.save(&Checkpoint::new("taken", 1)).await.unwrap();
    // With settings, each save has a transaction around it, as one that has waited has.
    let in_transactions = plain.with_settings([("app.tenant", "red")]);
    let expected = backends(&mut admin).await;
    for (thread_id, checkpointer) in [("plain", &plain), ("settings", &in_transactions)] {
        save_and_be_refused(checkpointer, thread_id).await;
        assert_eq!(backends(&mut admin).await, expected, "{thread_id}");
    }
}
