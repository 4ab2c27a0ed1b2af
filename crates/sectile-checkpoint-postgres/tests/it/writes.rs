//! What tasks write at once.

use sectile_checkpoint::{
    At, Checkpoint, Checkpointer as _, RecordsExt as _, TaskWrites, TypedValue,
};
use sectile_checkpoint_postgres::PostgresCheckpointer;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use tokio::task::JoinSet;

use crate::groups::{TASKS, save, write, written};

/// Returns a checkpointer of a thread with one checkpoint, and a connection past it.
async fn open() -> (PostgresCheckpointer, PgConnection) {
    let url = sectile_test_postgres::database().await.unwrap();
    let checkpointer = PostgresCheckpointer::builder(&url).connect().await.unwrap();
    checkpointer.migrate().await.unwrap();
    checkpointer.save(&Checkpoint::new("t", 0)).await.unwrap();
    (checkpointer, PgConnection::connect(&url).await.unwrap())
}

async fn count(connection: &mut PgConnection, sql: &str) -> i64 {
    let sql = AssertSqlSafe(format!("SELECT count(DISTINCT by) FROM ({sql}) AS rows"));
    sqlx::query_scalar(sql).fetch_one(connection).await.unwrap()
}

// On one thread, all have come before the first is written.
#[tokio::test]
async fn writes_and_saves_that_come_at_once_share_commits() {
    let (checkpointer, mut connection) = open().await;
    let mut tasks = JoinSet::new();
    for task in 0..TASKS {
        tasks.spawn(write(checkpointer.clone(), At::Seq(1), task));
        tasks.spawn(save(checkpointer.clone(), task));
    }
    for outcome in tasks.join_all().await {
        outcome.unwrap();
    }
    let transactions = "SELECT xmin::text AS by FROM checkpoint_writes \
                        UNION ALL SELECT xmin::text FROM checkpoints WHERE seq > 1";
    let shared = count(&mut connection, transactions).await;
    assert!((1..=2).contains(&shared), "{shared} transactions");
    assert_eq!(written(&checkpointer).await, TASKS);
    let latest = checkpointer.load_as::<u64>("t").await.unwrap();
    assert_eq!(latest.unwrap().seq, TASKS + 1);
}

#[tokio::test]
async fn the_writes_of_a_call_are_inserted_by_one_statement() {
    let (checkpointer, mut connection) = open().await;
    let value = || TypedValue::json(&1).unwrap();
    let mut writes = TaskWrites::new("task").write("__interrupt__", value());
    for _ in 0..10 {
        writes = writes.write("channel", value());
    }
    let put = checkpointer
        .put_writes(&"t".into(), &At::Latest, &writes)
        .await;
    put.unwrap();
    let statements = "SELECT cmin::text AS by FROM checkpoint_writes";
    assert_eq!(count(&mut connection, statements).await, 1);
    assert_eq!(written(&checkpointer).await, 11);
}
