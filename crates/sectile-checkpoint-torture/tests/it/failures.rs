//! What a SQLite file may refuse, and what the caller is told.

use std::time::Duration;

use sectile::checkpoint::{Checkpoint, Checkpointer as _, Error};
use sectile::checkpoint_sqlite::SqliteCheckpointer;
use sectile_checkpoint_torture::numbered;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, BufReader};

use crate::engine::{Engine, worker};

/// Returns a megabyte of text that does not compress to much less.
fn long() -> String {
    let mut state = 1_u64;
    let mut letter = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        char::from(b'a' + ((state >> 33) % 26) as u8)
    };
    (0..1_000_000).map(|_| letter()).collect()
}

#[tokio::test]
async fn a_file_that_another_process_holds_for_too_long_is_busy() {
    let engine = Engine::sqlite();
    engine.save_first().await;
    let builder = SqliteCheckpointer::builder(&engine.url);
    let impatient = builder.busy_timeout(Duration::from_millis(100));
    let impatient = impatient.connect().await.unwrap();
    let patient = engine.open().await;

    let mut holder = worker(&["hold", &engine.url, "60000"]);
    let mut lines = BufReader::new(holder.stdout.take().unwrap()).lines();
    assert_eq!(lines.next_line().await.unwrap().as_deref(), Some("held"));
    let refused = impatient.save(&numbered("thread", 2)).await.unwrap_err();
    assert!(
        matches!(refused, Error::Busy { .. }) && refused.is_retryable(),
        "{refused:?}"
    );
    // Reading goes on, and who has the patience saves when the lock is free.
    let latest: Option<Checkpoint<Value>> = impatient.load("thread").await.unwrap();
    assert_eq!(latest.unwrap().seq, 1);
    let waiting = tokio::spawn(async move { patient.save(&numbered("thread", 2)).await });
    holder.kill().await.unwrap();
    assert_eq!(waiting.await.unwrap().unwrap().seq, 2);
}

#[tokio::test]
async fn a_full_database_refuses_and_keeps_what_it_has() {
    let engine = Engine::sqlite();
    engine.save_first().await;
    let small = SqliteCheckpointer::builder(&engine.url)
        .enable_projections(true)
        .pragma("max_page_count", "60");
    let small = small.connect().await.unwrap();
    let large = Checkpoint::new("thread", long());
    let refused = small.save(&large).await.unwrap_err();
    assert!(
        matches!(refused, Error::Full { .. }) && !refused.is_retryable(),
        "{refused:?}"
    );
    assert_eq!(small.save(&numbered("thread", 2)).await.unwrap().seq, 2);
    engine.check(&engine.open().await, "thread").await;
}

#[tokio::test]
async fn one_save_that_fails_does_not_fail_those_written_with_it() {
    let engine = Engine::sqlite();
    engine.open().await;
    let builder = SqliteCheckpointer::builder(&engine.url).enable_projections(true);
    let small = builder
        .pragma("max_page_count", "100")
        .connect()
        .await
        .unwrap();
    let mut running = tokio::task::JoinSet::new();
    for task in 0..16 {
        let small = small.clone();
        running.spawn(async move {
            let text = if task == 7 { long() } else { "x".to_owned() };
            (task, small.save(&Checkpoint::new("thread", text)).await)
        });
    }
    for (task, outcome) in running.join_all().await {
        assert_eq!(outcome.is_err(), task == 7, "{task}: {outcome:?}");
    }
}

#[tokio::test]
async fn a_file_opened_for_reading_is_read_only() {
    let engine = Engine::sqlite();
    engine.save_first().await;
    let reader = SqliteCheckpointer::builder(&format!("{}?mode=ro", engine.url));
    let reader = reader.connect().await.unwrap();
    let latest: Option<Checkpoint<Value>> = reader.load("thread").await.unwrap();
    assert_eq!(latest.unwrap().seq, 1);
    let refused = reader.save(&numbered("thread", 2)).await.unwrap_err();
    assert!(matches!(refused, Error::ReadOnly { .. }), "{refused:?}");
}

#[tokio::test]
async fn what_is_no_database_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.txt");
    std::fs::write(&file, "no database\n".repeat(100)).unwrap();
    for url in [
        format!("sqlite:{}", file.display()),
        format!("sqlite:{}", folder.path().display()),
        format!("sqlite:{}", folder.path().join("missing/a.db").display()),
        "mysql://localhost/app".to_owned(),
        "checkpoints.db".to_owned(),
    ] {
        let refused = sectile_checkpoint_torture::connect(&url).await.unwrap_err();
        assert!(!refused.is_retryable(), "{url}: {refused:?}");
    }
    assert_eq!(
        std::fs::read(&file).unwrap(),
        "no database\n".repeat(100).as_bytes()
    );
}
