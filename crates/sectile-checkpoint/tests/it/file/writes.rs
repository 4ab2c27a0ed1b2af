//! What tasks wrote beside checkpoints whose states cannot be read.

use sectile_checkpoint::{At, Key, RecordsExt as _, TaskWrites, TypedValue};

use super::*;

fn task(name: &str) -> TaskWrites {
    TaskWrites::new(name).write("a", TypedValue::new("x", *b"bytes"))
}

#[tokio::test]
async fn writes_that_came_before_their_checkpoint_are_verified() {
    let (folder, checkpointer) = in_new_folder();
    let (key, early) = (Key::from("thread"), At::Id("early".into()));
    let put = checkpointer.put_writes(&key, &early, &task("one")).await;
    put.unwrap();
    assert_eq!(checkpointer.verify().await.unwrap(), []);
    let path = only_writes(folder.path());
    let mut bytes = fs::read(&path).unwrap();
    bytes[30] ^= 1;
    fs::write(&path, bytes).unwrap();
    let [damage] = checkpointer.verify().await.unwrap().try_into().unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    let is_named = damage.what.contains(name) && damage.what.contains("a line was changed");
    assert!(is_named, "{damage}");
}

#[tokio::test]
async fn a_damaged_piece_keeps_no_writes_from_being_kept_and_read() {
    let (folder, checkpointer) = in_new_folder();
    let state = vec!["x".repeat(500); 30];
    for (id, created_at) in [(None, 1), (Some("id"), 2)] {
        let mut checkpoint = Checkpoint::new("thread", state.clone()).with_created_at(created_at);
        checkpoint.id = id.map(str::to_owned);
        checkpointer.save(&checkpoint).await.unwrap();
    }
    let path = only_file(folder.path());
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("xxx", "xyx", 1)).unwrap();
    let key = Key::from("thread");
    for (at, name) in [(At::Seq(1), "one"), (At::Latest, "two")] {
        let refused = checkpointer.load_stored(&key, &at).await;
        assert!(matches!(refused, Err(Error::Corrupt { .. })), "{refused:?}");
        checkpointer
            .put_writes(&key, &at, &task(name))
            .await
            .unwrap();
        let found = checkpointer.pending_writes(&key, &at).await.unwrap();
        assert_eq!(found, task(name).pending().collect::<Vec<_>>());
    }
    let of_id = checkpointer
        .pending_writes(&key, &At::Id("id".into()))
        .await;
    assert_eq!(of_id.unwrap(), task("two").pending().collect::<Vec<_>>());
}

/// The one file of writes in a folder.
fn only_writes(folder: &Path) -> PathBuf {
    let [path] = files(folder, "writes").try_into().unwrap();
    path
}

#[tokio::test]
async fn writes_whose_end_was_changed_are_not_cut_off_by_the_next() {
    let (folder, checkpointer, key) = beside_each_of_three().await;
    let path = only_writes(folder.path());
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() = b'x';
    fs::write(&path, bytes).unwrap();
    let more = task("more");
    let put = checkpointer.put_writes(&key, &At::Latest, &more).await;
    put.unwrap();
    let found = checkpointer.pending_writes(&key, &At::Latest).await;
    let found = found.unwrap();
    let tasks = found.iter().map(|found| &*found.task_id);
    assert!(tasks.eq(["3", "more"]), "{found:?}");
    assert_eq!(checkpointer.verify().await.unwrap(), []);
}

/// Saves three checkpoints, of the runs 1, 2 and 3, each with what a task of that name wrote.
async fn beside_each_of_three() -> (TempDir, FileCheckpointer, Key) {
    let (folder, checkpointer) = in_new_folder();
    let key = Key::from("thread");
    for name in ["1", "2", "3"] {
        let checkpoint = Checkpoint::new("thread", format!("state {name}")).of_run(name);
        checkpointer.save(&checkpoint).await.unwrap();
        let writes = task(name).of_run(name);
        let put = checkpointer.put_writes(&key, &At::Latest, &writes).await;
        put.unwrap();
    }
    (folder, checkpointer, key)
}

#[tokio::test]
async fn damaged_writes_keep_nothing_from_being_pruned_counted_or_verified() {
    let (folder, checkpointer, key) = beside_each_of_three().await;
    let path = only_writes(folder.path());
    let change = |path: &Path, from: &str, to: &str| {
        let text = fs::read_to_string(path).unwrap();
        assert_eq!(text.matches(from).count(), 1, "{from}");
        fs::write(path, text.replace(from, to)).unwrap();
    };
    change(&path, "\"task_id\":\"2\"", "\"task_id\":\"7\"");
    let [usage] = checkpointer.usage().await.unwrap().try_into().unwrap();
    assert_eq!((usage.checkpoints, usage.writes), (3, 2));
    change(&only_file(folder.path()), "\"state 2\"", "\"stale 2\"");
    assert_eq!(checkpointer.verify().await.unwrap().len(), 2);

    let deleted = checkpointer.delete_runs(&["1".into()]).await;
    let is_incomplete = matches!(deleted, Err(Error::Incomplete { done: 1, .. }));
    assert!(is_incomplete, "{deleted:?}");
    assert_eq!(checkpointer.prune(&Prune::keep_latest(1)).await.unwrap(), 1);
    assert_eq!(seqs(&checkpointer, "thread").await.unwrap(), [3]);
    let refused = checkpointer.pending_writes(&key, &At::Latest).await;
    assert!(matches!(refused, Err(Error::Corrupt { .. })), "{refused:?}");
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 2);
    change(&path, "\"task_id\":\"7\"", "\"task_id\":\"2\"");
    let found = checkpointer.pending_writes(&key, &At::Latest).await;
    let expected: Vec<_> = task("3").of_run("3").pending().collect();
    assert_eq!(found.unwrap(), expected);
}
