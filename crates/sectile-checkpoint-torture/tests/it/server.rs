//! What happens to a Postgres server and its connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use sectile::checkpoint::{
    At, Checkpoint, Checkpointer as _, Error, Key, PendingWrite, Records, RecordsExt as _,
};
use sectile::checkpoint_postgres::PostgresCheckpointer;
use sectile::{CheckpointOptions, Checkpoints};
use sectile_checkpoint_torture::{numbered, writes};
use sectile_test_postgres::Server;
use serde_json::Value;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::engine::Engine;
use crate::kill::numbers;
use crate::size;

/// A checkpoint that was acknowledged.
struct Acknowledged {
    seq: u64,
    /// The number in its state.
    number: u64,
    /// Whether the writes beside it were, too.
    is_written: bool,
}

/// How far those are that save, and whether they are to end.
#[derive(Default)]
struct Progress {
    acknowledged: AtomicUsize,
    is_over: AtomicBool,
}

impl Progress {
    /// Waits until so many saves were acknowledged.
    async fn until(&self, count: usize) {
        let acknowledged = async {
            while self.acknowledged.load(Ordering::Relaxed) < count {
                sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(Duration::from_mins(1), acknowledged).await.unwrap();
    }

    fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// Saves to a thread, with writes beside each checkpoint, until it is told to stop, and returns what
/// was acknowledged.
fn save_until(
    progress: Arc<Progress>,
    records: Arc<dyn Records>,
    thread_id: String,
) -> JoinHandle<Vec<Acknowledged>> {
    tokio::spawn(async move {
        let key = Key::from(&*thread_id);
        let mut acknowledged = Vec::new();
        let mut number = 0;
        while !progress.is_over.load(Ordering::Relaxed) {
            number += 1;
            let seq = match records.save(&numbered(&thread_id, number)).await {
                Ok(saved) => saved.seq,
                Err(error) => {
                    assert!(error.is_retryable(), "{error:?}");
                    continue;
                }
            };
            let task = writes("task", number);
            let written = records.put_writes(&key, &At::Seq(seq), &task).await;
            let is_retryable = written.as_ref().is_err_and(Error::is_retryable);
            assert!(written.is_ok() || is_retryable, "{written:?}");
            acknowledged.push(Acknowledged {
                seq,
                number,
                is_written: written.is_ok(),
            });
            progress.acknowledged.fetch_add(1, Ordering::Relaxed);
        }
        acknowledged
    })
}

/// Checks that all that was acknowledged is there, and returns how many checkpoints that are.
async fn check(engine: &Engine, acknowledged: &[Acknowledged], thread_id: &str) -> usize {
    let records = engine.open().await;
    let stored = engine.check(&records, thread_id).await;
    let key = Key::from(thread_id);
    for one in acknowledged {
        let (seq, number) = (one.seq, one.number);
        let found = &stored[seq as usize - 1].state["number"];
        assert_eq!(
            found.as_u64(),
            Some(number),
            "checkpoint {seq} of {thread_id}"
        );
        let found = records.pending_writes(&key, &At::Seq(seq)).await.unwrap();
        let expected: Vec<PendingWrite> = writes("task", number).pending().collect();
        let is_expected = found == expected || found.is_empty() && !one.is_written;
        assert!(is_expected, "beside {seq} of {thread_id}: {found:?}");
    }
    acknowledged.len()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_are_cut_lose_nothing_that_was_acknowledged() {
    let engine = Engine::postgres().await;
    let records = engine.open().await;
    let progress = Arc::new(Progress::default());
    let threads: Vec<String> = (0..4).map(|number| format!("thread {number}")).collect();
    let start =
        |thread: &String| save_until(Arc::clone(&progress), Arc::clone(&records), thread.clone());
    let savers: Vec<_> = threads.iter().map(start).collect();
    for number in numbers().take(size(15, 200)) {
        sleep(Duration::from_micros(number % 50_000)).await;
        let sql = "SELECT pg_terminate_backend(pid)::text, '', '' FROM pg_stat_activity \
                   WHERE datname = current_database() AND pid <> pg_backend_pid()";
        engine.rows(sql).await;
    }
    progress.until(1).await;
    progress.end();
    let mut total = 0;
    for (saver, thread) in savers.into_iter().zip(&threads) {
        total += check(&engine, &saver.await.unwrap(), thread).await;
    }
    assert!(total > 0);
    // The pool recovers by itself: each try may meet a connection that is just being cut, but
    // there are no more of those than the pool has.
    let mut outcome = records.save(&numbered("after", 1)).await;
    for _ in 0..10 {
        if matches!(&outcome, Err(error) if error.is_retryable()) {
            outcome = records.save(&numbered("after", 1)).await;
        }
    }
    outcome.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_of_the_server_loses_nothing_that_was_acknowledged() {
    let server = Server::start().await.unwrap();
    for round in 0..size(1, 20) {
        let engine = Engine::at(server.url().await.unwrap());
        let thread_id = format!("round {round}");
        let progress = Arc::new(Progress::default());
        // Few connections, and no long wait for one while there is no server.
        let builder = PostgresCheckpointer::builder(&engine.url)
            .enable_projections(true)
            .acquire_timeout(Duration::from_secs(5));
        let records = builder.connect().await.unwrap();
        records.migrate().await.unwrap();
        let saver = save_until(Arc::clone(&progress), Arc::new(records), thread_id.clone());
        progress.until(50).await;
        server.crash().await.unwrap();
        progress.end();
        let acknowledged = saver.await.unwrap();
        // The server has another port now.
        let engine = Engine::at(server.url().await.unwrap());
        assert!(check(&engine, &acknowledged, &thread_id).await > 0);
    }
}

#[tokio::test]
async fn a_standby_is_read_and_not_written_to() {
    let server = Server::start().await.unwrap();
    let primary = Engine::at(server.url().await.unwrap()).open().await;
    primary.save(&numbered("thread", 1)).await.unwrap();
    let builder = PostgresCheckpointer::builder(&server.standby().await.unwrap());
    let standby = builder.connect().await.unwrap();
    assert!(!standby.migrate().await.unwrap());
    primary.save(&numbered("thread", 2)).await.unwrap();
    // It follows, a little later.
    let mut latest: Checkpoint<Value> = standby.load("thread").await.unwrap().unwrap();
    let following = async {
        while latest.seq < 2 {
            sleep(Duration::from_millis(50)).await;
            latest = standby.load("thread").await.unwrap().unwrap();
        }
    };
    timeout(Duration::from_mins(1), following).await.unwrap();
    assert_eq!(latest.seq, 2);
    let refused = standby.save(&numbered("thread", 3)).await.unwrap_err();
    assert!(
        matches!(refused, Error::ReadOnly { .. }) && !refused.is_retryable(),
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_server_that_is_not_there_is_unavailable() {
    let url = "postgres://postgres@127.0.0.1:9/postgres";
    let builder = PostgresCheckpointer::builder(url).acquire_timeout(Duration::from_millis(300));
    let refused = builder.connect().await.unwrap_err();
    assert!(
        matches!(refused, Error::Unavailable { .. }) && refused.is_retryable(),
        "{refused:?}"
    );
}

/// Makes a role of the rights that are named and returns an address with it.
async fn role(engine: &Engine, name: &str, rights: &str) -> String {
    let name = format!("{name}_{}", std::process::id());
    engine
        .execute(&format!(
            "DROP ROLE IF EXISTS {name}; CREATE ROLE {name} LOGIN PASSWORD 'secret'; \
             GRANT {rights} ON ALL TABLES IN SCHEMA public TO {name}"
        ))
        .await;
    engine
        .url
        .replace("postgres:postgres@", &format!("{name}:secret@"))
}

#[tokio::test]
async fn a_role_that_may_not_create_tables_works_on_tables_that_are_there() {
    let engine = Engine::postgres().await;
    engine.open().await;
    let url = role(&engine, "writer", "SELECT, INSERT, UPDATE, DELETE").await;
    let options = CheckpointOptions {
        enable_projections: true,
        ..CheckpointOptions::default()
    };
    let checkpoints = Checkpoints::connect(&url, &options).await.unwrap();
    assert!(!checkpoints.migrate().await.unwrap());
    let records = checkpoints.records();
    records.save(&numbered("thread", 1)).await.unwrap();
    assert_eq!(records.delete_thread("thread").await.unwrap(), 1);
    // It cannot make tables of its own, and is told so.
    let options = CheckpointOptions {
        table_prefix: "other_".into(),
        ..options
    };
    let refused = Checkpoints::connect(&url, &options)
        .await
        .unwrap()
        .migrate()
        .await;
    assert!(
        matches!(refused, Err(Error::PermissionDenied { .. })),
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_role_that_only_reads_loads() {
    let engine = Engine::postgres().await;
    engine.save_first().await;
    let url = role(&engine, "reader", "SELECT").await;
    let checkpoints = Checkpoints::connect(&url, &CheckpointOptions::default())
        .await
        .unwrap();
    let records = checkpoints.records();
    let latest: Option<Checkpoint<Value>> = records.load("thread").await.unwrap();
    assert_eq!(latest.unwrap().seq, 1);
    let refused = records.save(&numbered("thread", 2)).await;
    assert!(
        matches!(refused, Err(Error::PermissionDenied { .. })),
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_database_that_is_set_to_read_only_says_so() {
    let engine = Engine::postgres().await;
    engine.open().await;
    let name = engine.url.rsplit_once('/').unwrap().1;
    let sql = format!("ALTER DATABASE {name} SET default_transaction_read_only = on");
    engine.execute(&sql).await;
    let records = engine.open().await;
    let refused = records.save(&numbered("thread", 1)).await;
    assert!(
        matches!(refused, Err(Error::ReadOnly { .. })),
        "{refused:?}"
    );
}

#[tokio::test]
async fn the_server_compresses_states_in_rows_and_leaves_pieces_as_they_are() {
    let engine = Engine::postgres().await;
    let records = engine.open().await;
    for count in [300, 10_000] {
        let text = "a line that is repeated\n".repeat(count);
        let checkpoint = Checkpoint::new("thread", text);
        records.save(&checkpoint).await.unwrap();
    }
    let compression = "SELECT pg_column_compression(state_json), '', '' FROM checkpoints \
                       WHERE state_json IS NOT NULL";
    let lz4 = ("lz4".to_owned(), String::new(), String::new());
    assert_eq!(engine.rows(compression).await, [lz4]);
    // The long text stands in a piece, which is compressed before it comes to the server.
    let sizes = "SELECT coalesce(pg_column_compression(piece), 'none'), \
                 octet_length(piece)::text, '' FROM checkpoint_pieces";
    let pieces = engine.rows(sizes).await;
    assert!(!pieces.is_empty());
    for (compression, size, _) in pieces {
        assert_eq!(compression, "none");
        assert!(size.parse::<u64>().unwrap() < 10_000, "{size}");
    }
}
