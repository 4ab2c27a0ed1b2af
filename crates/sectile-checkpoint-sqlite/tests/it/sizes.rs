//! What threads take, and as if each state were stored whole.

use sectile_checkpoint::{
    At, Channels, Checkpoint, Checkpointer as _, RecordsExt as _, StoredState, TaskWrites,
    TypedValue, Usage,
};
use sectile_checkpoint_sqlite::SqliteCheckpointer;
use tempfile::TempDir;

/// Makes a database without threads.
async fn fresh() -> (TempDir, SqliteCheckpointer) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoints.db");
    let url = format!("sqlite:{}", path.display());
    let checkpointer = SqliteCheckpointer::builder(&url).connect().await.unwrap();
    checkpointer.migrate().await.unwrap();
    (folder, checkpointer)
}

/// A state that is kept in pieces, of so many entries.
fn long(entries: usize) -> Vec<String> {
    let entry = |at: usize| format!("{at}: {}", "word ".repeat(200));
    (0..entries).map(entry).collect()
}

/// Returns what the only namespace takes.
async fn only_usage(checkpointer: &SqliteCheckpointer) -> Usage {
    let mut usages = checkpointer.usage().await.unwrap();
    assert_eq!(usages.len(), 1, "{usages:?}");
    usages.remove(0)
}

#[tokio::test]
async fn a_thread_of_small_states_takes_what_they_have_whole() {
    let (_guard, checkpointer) = fresh().await;
    let value = TypedValue::json("Hi").unwrap();
    let channels = Channels::new()
        .with("messages", "1", vec![value.clone()])
        .with("plan", "1", value.clone());
    for state in [
        StoredState::Json("[1]".into()),
        StoredState::Value(value.clone()),
        StoredState::Channels(channels),
    ] {
        let checkpoint = Checkpoint::new("small", state)
            .with_pending("tool", 1)
            .with_metadata("user", "ada");
        checkpointer.save_stored(checkpoint).await.unwrap();
    }
    let writes = TaskWrites::new("task").write("answer", value);
    let key = "small".into();
    checkpointer
        .put_writes(&key, &At::Latest, &writes)
        .await
        .unwrap();
    let usage = only_usage(&checkpointer).await;
    assert_eq!((usage.checkpoints, usage.pieces, usage.writes), (3, 0, 1));
    // Three queues, three objects of metadata, three states and a write.
    assert!(usage.stored_bytes > 100, "{usage:?}");
    assert_eq!(usage.stored_bytes, usage.whole_bytes);
}

#[tokio::test]
async fn what_stands_beside_states_is_in_both_sizes() {
    let (_guard, checkpointer) = fresh().await;
    for entries in [20, 21] {
        let checkpoint = Checkpoint::new("t", long(entries));
        checkpointer.save(&checkpoint).await.unwrap();
    }
    let before = only_usage(&checkpointer).await;
    assert!(before.stored_bytes * 2 < before.whole_bytes, "{before:?}");
    let value = TypedValue::new("bytes", vec![7; 1_000]);
    let writes = TaskWrites::new("task").write("answer", value);
    checkpointer
        .put_writes(&"t".into(), &At::Latest, &writes)
        .await
        .unwrap();
    let after = only_usage(&checkpointer).await;
    assert_eq!(after.stored_bytes - before.stored_bytes, 1_000);
    assert_eq!(after.whole_bytes - before.whole_bytes, 1_000);
}
