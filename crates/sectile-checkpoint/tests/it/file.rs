//! Every case, in files, and what only files can do.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sectile_checkpoint::conformance::{do_as_the_model, fresh_seed};
use sectile_checkpoint::{
    Checkpoint, CheckpointHistory as _, CheckpointQuery, Checkpointer as _, Error,
    FileCheckpointer, Prune, Records, Result, Saved, ThreadQuery, Threads as _,
};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::timeout;
use twox_hash::XxHash3_64;

mod damage;
mod history;
mod ids;
mod numbers;
mod processes;
mod spared;
mod verify;
mod writes;

async fn fresh() -> (TempDir, FileCheckpointer) {
    in_new_folder()
}

sectile_checkpoint::conformance_tests!(fresh);

#[tokio::test]
async fn whatever_is_done_is_as_the_model_says_when_the_folder_is_opened_again() {
    for seed in [10, fresh_seed()] {
        let folder = TempDir::new().unwrap();
        let open = async || {
            let opened = FileCheckpointer::new(folder.path()).unwrap();
            Arc::new(opened) as Arc<dyn Records>
        };
        do_as_the_model(seed, 600, open).await;
        if cfg!(unix) {
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }
}

fn in_new_folder() -> (TempDir, FileCheckpointer) {
    let folder = TempDir::new().unwrap();
    let checkpointer = FileCheckpointer::new(folder.path()).unwrap();
    (folder, checkpointer)
}

/// The files in a folder with an extension.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let has_extension = |path: &PathBuf| path.extension().is_some_and(|found| found == extension);
    paths.filter(has_extension).collect()
}

/// A line of a JSON object, with its hash.
fn sealed(object: &str) -> String {
    let object = object.strip_suffix('}').unwrap();
    let hash = XxHash3_64::oneshot(object.as_bytes());
    format!("{object},\"hash\":\"{hash:016x}\"}}\n")
}

/// The one file of checkpoints in a folder.
fn only_file(folder: &Path) -> PathBuf {
    let [file] = files(folder, "jsonl").try_into().unwrap();
    file
}

async fn save(checkpointer: &FileCheckpointer, thread_id: &str, state: &str) -> Result<u64> {
    let checkpoint = Checkpoint::new(thread_id, state.to_owned());
    let saved = checkpointer.save(&checkpoint).await?;
    Ok(saved.seq)
}

async fn save_with_id(checkpointer: &FileCheckpointer, id: &str) -> Saved {
    let checkpoint = Checkpoint::new("thread", id.to_owned()).with_id(id);
    checkpointer.save(&checkpoint).await.unwrap()
}

async fn seqs(checkpointer: &FileCheckpointer, thread_id: &str) -> Result<Vec<u64>> {
    let query = CheckpointQuery::default();
    let found: Vec<Checkpoint<Value>> = checkpointer.list(thread_id, &query).await?;
    Ok(found.iter().map(|checkpoint| checkpoint.seq).collect())
}

async fn latest(checkpointer: &FileCheckpointer, thread_id: &str) -> Result<Option<String>> {
    let found: Option<Checkpoint<String>> = checkpointer.load(thread_id).await?;
    Ok(found.map(|checkpoint| checkpoint.state))
}

#[tokio::test]
async fn the_folder_is_made_with_those_above_it() {
    let folder = TempDir::new().unwrap();
    let below = folder.path().join("a/b");
    let checkpointer = FileCheckpointer::new(&below).unwrap();
    save(&checkpointer, "thread", "state").await.unwrap();
    let again = FileCheckpointer::new(&below).unwrap();
    assert_eq!(latest(&again, "thread").await.unwrap().unwrap(), "state");

    let refused = FileCheckpointer::new(only_file(&below).join("c"));
    assert!(matches!(refused, Err(Error::Backend { .. })), "{refused:?}");
}

#[tokio::test]
async fn a_file_has_a_line_for_each_checkpoint() {
    let (folder, checkpointer) = in_new_folder();
    save(&checkpointer, "Thread/1", "a\nb").await.unwrap();
    let state = RawValue::from_string("{\n\t\"a\":\n[1,\r\n2]}".into()).unwrap();
    let raw = Checkpoint::new("Thread/1", state);
    checkpointer.save(&raw).await.unwrap();
    let path = only_file(folder.path());
    let name = path.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with("thread1-"), "{name}");

    let text = fs::read_to_string(path).unwrap();
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["thread_id"], "Thread/1");
    assert_eq!(
        (&lines[1]["seq"], &lines[1]["state"]),
        (&json!(1), &json!("a\nb"))
    );
    // Text of more than one line stands in a string, so that it loads as it was.
    assert_eq!(lines[2]["json"], json!(raw.state.get()));
    assert_eq!(lines.len(), 3);
    let found: Checkpoint<Box<RawValue>> = checkpointer.load("Thread/1").await.unwrap().unwrap();
    assert_eq!(found.state.get(), raw.state.get());
    let found: Checkpoint<Value> = checkpointer.load("Thread/1").await.unwrap().unwrap();
    assert_eq!(found.state, json!({"a": [1, 2]}));
}

#[tokio::test]
async fn metadata_is_kept_as_deep_as_it_can_be_read() {
    let (_folder, checkpointer) = in_new_folder();
    // The metadata itself is the outermost object.
    let deep = (1..126).fold(json!([]), |inner, _| json!([inner]));
    let checkpoint = Checkpoint::new("thread", 1).with_metadata("deep", deep);
    checkpointer.save(&checkpoint).await.unwrap();
    let found: Checkpoint<u8> = checkpointer.load("thread").await.unwrap().unwrap();
    assert_eq!(found.metadata, checkpoint.metadata);
}

#[tokio::test]
async fn reading_makes_no_files() {
    let (folder, checkpointer) = in_new_folder();
    assert_eq!(latest(&checkpointer, "nobody").await.unwrap(), None);
    let by_id: Option<Checkpoint<u8>> = checkpointer.load_by_id("nobody", "id").await.unwrap();
    assert_eq!(by_id, None);
    assert!(seqs(&checkpointer, "nobody").await.unwrap().is_empty());
    assert_eq!(checkpointer.delete_thread("nobody").await.unwrap(), 0);
    let prune = Prune::keep_latest(1).of_thread("nobody");
    assert_eq!(checkpointer.prune(&prune).await.unwrap(), 0);
    checkpointer.copy_thread("nobody", "new").await.unwrap_err();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[cfg(unix)]
#[tokio::test]
async fn a_deleted_thread_leaves_no_files() {
    let (folder, checkpointer) = in_new_folder();
    save(&checkpointer, "thread", "state").await.unwrap();
    assert_eq!(checkpointer.delete_thread("thread").await.unwrap(), 1);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn files_of_others_are_left_alone() {
    let (folder, checkpointer) = in_new_folder();
    save(&checkpointer, "thread", "state").await.unwrap();
    let copy = only_file(folder.path()).with_extension("jsonl.bak");
    let others = [
        folder.path().join("notes.jsonl"),
        folder.path().join("README"),
        copy,
    ];
    for path in &others {
        fs::write(path, "not ours").unwrap();
    }
    let found = checkpointer.threads(&ThreadQuery::default()).await.unwrap();
    assert_eq!(found.len(), 1);
    checkpointer.prune(&Prune::keep_latest(1)).await.unwrap();
    for path in &others {
        assert_eq!(fs::read_to_string(path).unwrap(), "not ours");
    }
}

#[tokio::test]
async fn several_checkpointers_of_a_folder_see_what_each_other_does() {
    let (folder, one) = in_new_folder();
    let other = FileCheckpointer::new(folder.path()).unwrap();
    for (number, checkpointer) in [&one, &other, &one, &other].into_iter().enumerate() {
        let saved = save_with_id(checkpointer, &format!("id {number}")).await;
        assert!(saved.is_new);
    }
    for checkpointer in [&one, &other] {
        let again = save_with_id(checkpointer, "id 3").await;
        assert_eq!((again.seq, again.is_new), (4, false));
    }

    // Ids that were removed by the one are new to the other.
    assert_eq!(one.prune(&Prune::keep_latest(2)).await.unwrap(), 2);
    assert!(!save_with_id(&other, "id 2").await.is_new);
    let again = save_with_id(&other, "id 0").await;
    assert_eq!((again.seq, again.is_new), (5, true));
    assert_eq!(one.delete_thread("thread").await.unwrap(), 3);
    for checkpointer in [&other, &one] {
        let found: Option<Checkpoint<String>> =
            checkpointer.load_by_id("thread", "id 3").await.unwrap();
        assert_eq!(found, None);
    }
    assert_eq!(save_with_id(&other, "id 3").await.seq, 1);
    assert!(!save_with_id(&one, "id 3").await.is_new);
}

#[tokio::test]
async fn what_stays_after_pruning_is_found_and_counted() {
    let (_folder, checkpointer) = in_new_folder();
    for number in 1..=9_u64 {
        // The times go up and down.
        let checkpoint = Checkpoint::new("thread", number)
            .with_created_at(1_000 * (number % 3 + 1))
            .with_id(number.to_string());
        checkpointer.save(&checkpoint).await.unwrap();
    }
    assert_eq!(
        checkpointer.prune(&Prune::older_than(3_000)).await.unwrap(),
        5
    );
    assert_eq!(seqs(&checkpointer, "thread").await.unwrap(), [9, 8, 5, 2]);
    for number in 1..=9_u64 {
        let found: Option<Checkpoint<u64>> = checkpointer.load_at("thread", number).await.unwrap();
        let by_id = checkpointer
            .load_by_id("thread", &number.to_string())
            .await
            .unwrap();
        assert_eq!(found, by_id);
        let state = found.map(|checkpoint| checkpoint.state);
        assert_eq!(state, [2, 5, 8, 9].contains(&number).then_some(number));
    }

    assert_eq!(checkpointer.fork("thread", 5, "fork").await.unwrap(), 2);
    assert_eq!(checkpointer.copy_thread("thread", "copy").await.unwrap(), 4);
    save(&checkpointer, "fork", "next").await.unwrap();
    let found = checkpointer.threads(&ThreadQuery::default()).await.unwrap();
    let counts: Vec<_> = found
        .iter()
        .map(|thread| {
            (
                thread.thread_id.as_str(),
                thread.latest_seq,
                thread.checkpoints,
            )
        })
        .collect();
    assert_eq!(counts, [("copy", 9, 4), ("fork", 6, 3), ("thread", 9, 4)]);
    assert_eq!(checkpointer.delete_thread("fork").await.unwrap(), 3);
}

#[tokio::test]
async fn checkpoints_of_all_sizes_are_found_by_their_numbers() {
    let (_folder, checkpointer) = in_new_folder();
    let sizes = [0, 10_000, 3, 300_000, 1, 4_096, 4_000, 70_000, 0, 9];
    for size in sizes {
        save(&checkpointer, "thread", &"x".repeat(size))
            .await
            .unwrap();
    }
    for (seq, size) in (1..).zip(sizes) {
        let found: Option<Checkpoint<String>> = checkpointer.load_at("thread", seq).await.unwrap();
        assert_eq!(found.unwrap().state.len(), size);
        let query = CheckpointQuery {
            before: Some(seq),
            limit: Some(1),
            ..CheckpointQuery::default()
        };
        let before: Vec<Checkpoint<String>> = checkpointer.list("thread", &query).await.unwrap();
        assert_eq!(
            before.first().map_or(0, |checkpoint| checkpoint.seq),
            seq - 1
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn copies_that_cross_do_not_wait_for_each_other() {
    let (_folder, checkpointer) = in_new_folder();
    for thread_id in ["a", "b"] {
        save(&checkpointer, thread_id, thread_id).await.unwrap();
    }
    let mut running = tokio::task::JoinSet::new();
    for (from, to) in [("a", "b"), ("b", "a")].repeat(50) {
        let checkpointer = checkpointer.clone();
        running.spawn(async move { checkpointer.copy_thread(from, to).await });
    }
    for refused in running.join_all().await {
        assert!(
            matches!(refused, Err(Error::ThreadExists { .. })),
            "{refused:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reading_goes_on_while_old_checkpoints_are_removed() {
    let (_folder, checkpointer) = in_new_folder();
    let reader = checkpointer.clone();
    let reading = tokio::spawn(async move {
        let mut seen = 0;
        while seen < 300 {
            let found = seqs(&reader, "thread").await.unwrap();
            assert!(
                found.is_sorted_by(|newer, older| *newer == older + 1),
                "{found:?}"
            );
            let newest = found.first().copied().unwrap_or(0);
            assert!(newest >= seen);
            seen = newest;
        }
    });
    for number in 1..=300 {
        save(&checkpointer, "thread", &number.to_string())
            .await
            .unwrap();
        if number % 10 == 0 {
            checkpointer.prune(&Prune::keep_latest(3)).await.unwrap();
        }
    }
    reading.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_saved_while_the_thread_is_deleted_is_deleted_or_there() {
    let (_folder, checkpointer) = in_new_folder();
    let mut running = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let checkpointer = checkpointer.clone();
        running.spawn(async move {
            let mut deleted = 0;
            for number in 0..40 {
                save(&checkpointer, "thread", "state").await.unwrap();
                if number % 4 == 0 {
                    deleted += checkpointer.delete_thread("thread").await.unwrap();
                }
            }
            deleted
        });
    }
    let deleted: u64 = running.join_all().await.iter().sum();
    let left = seqs(&checkpointer, "thread").await.unwrap();
    assert_eq!(deleted + left.len() as u64, 8 * 40);
    assert!(
        left.iter().copied().rev().eq(1..=left.len() as u64),
        "{left:?}"
    );
}

const BRIEF: Duration = Duration::from_millis(50);

/// Takes the lock of the one thread in a folder, as another process would.
fn lock(folder: &Path) -> File {
    let lock = File::open(only_file(folder).with_extension("lock")).unwrap();
    lock.lock().unwrap();
    lock
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_was_dropped_while_it_waited_does_nothing() {
    let (folder, checkpointer) = in_new_folder();
    save(&checkpointer, "thread", "first").await.unwrap();
    let lock = lock(folder.path());
    let late = timeout(BRIEF, save(&checkpointer, "thread", "late")).await;
    assert!(late.is_err());
    assert!(
        timeout(BRIEF, checkpointer.delete_thread("thread"))
            .await
            .is_err()
    );

    lock.unlock().unwrap();
    assert_eq!(save(&checkpointer, "thread", "second").await.unwrap(), 2);
    // What waits for a lock that is given back has it before this loop is through.
    for seq in 3..100 {
        assert_eq!(save(&checkpointer, "thread", "next").await.unwrap(), seq);
    }
}

#[tokio::test]
async fn a_load_waits_until_a_save_is_done() {
    let (folder, checkpointer) = in_new_folder();
    save(&checkpointer, "thread", "state").await.unwrap();
    let lock = lock(folder.path());
    assert!(
        timeout(BRIEF, latest(&checkpointer, "thread"))
            .await
            .is_err()
    );
    lock.unlock().unwrap();
    assert_eq!(
        latest(&checkpointer, "thread").await.unwrap().unwrap(),
        "state"
    );
}
