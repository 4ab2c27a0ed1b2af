//! Copies of threads while others save to them.

use std::time::Duration;

use sectile_checkpoint::{Checkpoint, Checkpointer as _, Error, Result, Threads as _};
use sectile_checkpoint_postgres::PostgresCheckpointer;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

async fn open() -> (String, PostgresCheckpointer) {
    let url = sectile_test_postgres::database().await.unwrap();
    let checkpointer = PostgresCheckpointer::builder(&url).connect().await.unwrap();
    checkpointer.migrate().await.unwrap();
    (url, checkpointer)
}

/// A state that is kept in pieces.
fn long(number: usize) -> Vec<String> {
    let entry = |at: usize| format!("{at} of {number}: {}", "word ".repeat(200));
    (0..20).map(entry).collect()
}

async fn save(checkpointer: &PostgresCheckpointer, thread_id: &str, number: usize) -> Result<u64> {
    let checkpoint = Checkpoint::new(thread_id, long(number));
    checkpointer.save(&checkpoint).await.map(|saved| saved.seq)
}

fn copying(checkpointer: &PostgresCheckpointer, to: &'static str) -> JoinHandle<Result<u64>> {
    let checkpointer = checkpointer.clone();
    tokio::spawn(async move { checkpointer.copy_thread("t", to).await })
}

/// Waits until so many connections wait for a lock.
async fn until_waiting(admin: &mut PgConnection, expected: i64) {
    let waiting = "SELECT count(*) FROM pg_stat_activity \
                   WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let wait = async {
        loop {
            let count: i64 = sqlx::query_scalar(waiting)
                .fetch_one(&mut *admin)
                .await
                .unwrap();
            if count == expected {
                return;
            }
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_mins(1), wait).await.unwrap();
}

/// Runs statements of another client, in a transaction that it leaves open.
async fn begun(url: &str, sql: &str) -> PgConnection {
    let mut other = PgConnection::connect(url).await.unwrap();
    let sql = AssertSqlSafe(format!("BEGIN; {sql}"));
    sqlx::raw_sql(sql).execute(&mut other).await.unwrap();
    other
}

async fn commit(mut other: PgConnection) {
    sqlx::raw_sql("COMMIT").execute(&mut other).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_that_waited_for_a_save_can_be_saved_to() {
    let (url, checkpointer) = open().await;
    save(&checkpointer, "t", 1).await.unwrap();
    let mut admin = PgConnection::connect(&url).await.unwrap();
    let hold = "UPDATE checkpoint_threads SET last_seq = last_seq";
    let other = begun(&url, hold).await;
    let saving = checkpointer.clone();
    let saving = tokio::spawn(async move { save(&saving, "t", 2).await });
    until_waiting(&mut admin, 1).await;
    let copied = copying(&checkpointer, "copy");
    until_waiting(&mut admin, 2).await;
    commit(other).await;
    assert_eq!(saving.await.unwrap().unwrap(), 2);
    assert_eq!(copied.await.unwrap().unwrap(), 2);
    assert_eq!(save(&checkpointer, "copy", 3).await.unwrap(), 3);
    let latest: Option<Checkpoint<Vec<String>>> = checkpointer.load("copy").await.unwrap();
    assert_eq!(latest.unwrap().state, long(3));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn copies_while_others_save_can_be_saved_to() {
    let (_, checkpointer) = open().await;
    save(&checkpointer, "t", 0).await.unwrap();
    let saver = checkpointer.clone();
    let saver = tokio::spawn(async move {
        for number in 1..40 {
            save(&saver, "t", number).await.unwrap();
        }
    });
    let mut copies = Vec::new();
    while !saver.is_finished() {
        let copy = format!("copy {}", copies.len());
        copies.push((checkpointer.copy_thread("t", &copy).await.unwrap(), copy));
    }
    saver.await.unwrap();
    for (count, copy) in copies {
        assert_eq!(save(&checkpointer, &copy, 100).await.unwrap(), count + 1);
    }
    assert_eq!(checkpointer.verify().await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_does_not_mix_with_what_is_made_meanwhile() {
    let (url, checkpointer) = open().await;
    for namespace in ["", "child"] {
        let checkpoint = Checkpoint::new("t", long(1)).in_namespace(namespace);
        checkpointer.save(&checkpoint).await.unwrap();
    }
    let mut admin = PgConnection::connect(&url).await.unwrap();
    let create = "INSERT INTO checkpoint_threads (thread_id, namespace, last_seq, newest_seq, \
                  checkpoints, updated_at, used_slot, last_piece) VALUES";
    // A save to the namespace alone, and a copy of which only the namespace has checkpoints.
    for (to, sql) in [
        (
            "one",
            format!("{create} ('one', 'child', 0, 0, 0, 0, 0, 0)"),
        ),
        (
            "two",
            format!(
                "{create} ('two', '', 0, 0, 0, 0, 0, 0), ('two', 'child', 1, 1, 1, 1, 0, 0); \
                 DELETE FROM checkpoint_threads WHERE thread_id = 'two' AND namespace = ''"
            ),
        ),
    ] {
        let other = begun(&url, &sql).await;
        let copied = copying(&checkpointer, to);
        until_waiting(&mut admin, 1).await;
        commit(other).await;
        let refused = copied.await.unwrap();
        assert!(
            matches!(refused, Err(Error::ThreadExists { .. })),
            "{to}: {refused:?}"
        );
    }
}
