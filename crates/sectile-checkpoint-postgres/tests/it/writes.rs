//! What tasks write at once.

use sectile_checkpoint::{
    At, Checkpoint, Checkpointer as _, Error, RecordsExt as _, Result, TaskWrites, TypedValue,
};
use sectile_checkpoint_postgres::PostgresCheckpointer;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use tokio::task::JoinSet;

const TASKS: u64 = 16;

/// Returns a checkpointer of a thread with one checkpoint, and a connection past it.
async fn open() -> (PostgresCheckpointer, PgConnection) {
    let url = sectile_test_postgres::database().await.unwrap();
    let checkpointer = PostgresCheckpointer::builder(&url).connect().await.unwrap();
    checkpointer.migrate().await.unwrap();
    checkpointer.save(&Checkpoint::new("t", 0)).await.unwrap();
    (checkpointer, PgConnection::connect(&url).await.unwrap())
}

async fn write(checkpointer: PostgresCheckpointer, at: At, task: u64) -> Result<()> {
    let value = TypedValue::json(&task).unwrap();
    let writes = TaskWrites::new(format!("task {task:02}")).write("channel", value);
    checkpointer.put_writes(&"t".into(), &at, &writes).await
}

async fn save(checkpointer: PostgresCheckpointer, state: u64) -> Result<()> {
    let saved = checkpointer.save(&Checkpoint::new("t", state)).await;
    saved.map(drop)
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
    let written = checkpointer.pending_writes(&"t".into(), &At::Seq(1)).await;
    assert_eq!(written.unwrap().len() as u64, TASKS);
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
    let written = checkpointer.pending_writes(&"t".into(), &At::Seq(1)).await;
    assert_eq!(written.unwrap().len(), 11);
}

#[tokio::test]
async fn a_write_that_is_refused_spoils_none_of_its_group() {
    let (checkpointer, _) = open().await;
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
    let written = checkpointer.pending_writes(&"t".into(), &At::Seq(1)).await;
    assert_eq!(written.unwrap().len() as u64, TASKS - 1);
}
