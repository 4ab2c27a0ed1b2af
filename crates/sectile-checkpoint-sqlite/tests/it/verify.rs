//! A database is looked over while it is in use.

use sectile_checkpoint::{Checkpoint, Checkpointer as _, Prune, Threads as _};
use sectile_checkpoint_sqlite::SqliteCheckpointer;

/// A state that is kept in pieces.
fn long(number: usize) -> Vec<String> {
    let entry = |at: usize| format!("{at} of {number}: {}", "word ".repeat(200));
    (number / 2..number / 2 + 20).map(entry).collect()
}

/// Saves, prunes and deletes.
async fn use_it(checkpointer: SqliteCheckpointer) {
    for number in 0..400 {
        let thread_id = format!("thread {}", number % 3);
        let checkpoint = Checkpoint::new(thread_id, long(number));
        checkpointer.save(&checkpoint).await.unwrap();
        if number % 4 == 0 {
            checkpointer.prune(&Prune::keep_latest(2)).await.unwrap();
        }
        if number % 50 == 0 {
            checkpointer.delete_thread("thread 1").await.unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_others_do_meanwhile_is_no_damage() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("checkpoints.db").display());
    let checkpointer = SqliteCheckpointer::builder(&url)
        .pragma("synchronous", "OFF")
        .connect()
        .await
        .unwrap();
    checkpointer.migrate().await.unwrap();
    let user = tokio::spawn(use_it(checkpointer.clone()));
    while !user.is_finished() {
        assert_eq!(checkpointer.verify().await.unwrap(), []);
        let usages = checkpointer.usage().await.unwrap();
        let is_named = usages.iter().all(|usage| !usage.thread_id.is_empty());
        assert!(is_named, "{usages:?}");
    }
    user.await.unwrap();
}
