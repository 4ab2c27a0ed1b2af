//! Files that a crash or someone else left.

use std::error::Error as _;

use proptest::prelude::*;
use sectile_checkpoint::{ErrorKind, ThreadSummary};

use sectile_checkpoint::{At, Key, RecordsExt as _, TaskWrites, TypedValue};

use super::*;

mod copies;

/// A folder with a thread of some checkpoints, and what is in its file.
async fn with_thread(states: &[&str]) -> (TempDir, FileCheckpointer, PathBuf, Vec<u8>) {
    let (folder, checkpointer) = in_new_folder();
    for state in states {
        save(&checkpointer, "thread", state).await.unwrap();
    }
    let path = only_file(folder.path());
    let bytes = fs::read(&path).unwrap();
    (folder, checkpointer, path, bytes)
}

/// Keeps what a task wrote beside a checkpoint.
async fn put_writes(checkpointer: &FileCheckpointer, seq: u64) -> TaskWrites {
    let writes = TaskWrites::new("task").write("a", TypedValue::new("x", *b"bytes"));
    let (key, at) = (Key::from("thread"), At::Seq(seq));
    checkpointer.put_writes(&key, &at, &writes).await.unwrap();
    writes
}

async fn threads(checkpointer: &FileCheckpointer) -> Result<Vec<ThreadSummary>> {
    checkpointer.threads(&ThreadQuery::default()).await
}

/// Where each line begins.
fn starts(bytes: &[u8]) -> Vec<usize> {
    let newlines = (0..bytes.len()).filter(|at| bytes[*at] == b'\n');
    std::iter::once(0)
        .chain(newlines.map(|at| at + 1))
        .collect()
}

fn assert_damaged<T: std::fmt::Debug>(result: Result<T>, path: &Path, reason: &str) {
    let error = result.unwrap_err();
    assert!(matches!(error, Error::Corrupt { .. }), "{error:?}");
    let text = error.to_string();
    let name = path.file_name().unwrap().to_str().unwrap();
    assert!(text.contains(name) && text.contains(reason), "{text}");
}

#[tokio::test]
async fn a_last_line_cut_off_anywhere_is_as_if_it_was_never_written() {
    let (_folder, checkpointer, path, bytes) = with_thread(&["one", "two", "three"]).await;
    let last = starts(&bytes)[3];
    for end in last..bytes.len() {
        fs::write(&path, &bytes[..end]).unwrap();
        assert_eq!(
            latest(&checkpointer, "thread").await.unwrap().unwrap(),
            "two"
        );
        assert_eq!(seqs(&checkpointer, "thread").await.unwrap(), [2, 1]);
        assert_eq!(threads(&checkpointer).await.unwrap()[0].checkpoints, 2);
        assert_eq!(save(&checkpointer, "thread", "other").await.unwrap(), 3);
        assert_eq!(
            latest(&checkpointer, "thread").await.unwrap().unwrap(),
            "other"
        );
        assert_eq!(seqs(&checkpointer, "thread").await.unwrap(), [3, 2, 1]);
    }
}

#[tokio::test]
async fn nothing_stays_of_a_torn_line_after_the_next_save() {
    let long = "x".repeat(10_000);
    let (_folder, checkpointer, path, bytes) = with_thread(&["one", &long]).await;
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    save(&checkpointer, "thread", "short").await.unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(
        lines[2].contains(",\"state\":\"short\",\"hash\":"),
        "{text}"
    );
    assert!(text.ends_with("\"}\n"), "{text}");
}

#[tokio::test]
async fn a_torn_line_is_not_copied() {
    let (_folder, checkpointer, path, bytes) = with_thread(&["one", "two", "three"]).await;
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    assert_eq!(checkpointer.copy_thread("thread", "copy").await.unwrap(), 2);
    assert_eq!(checkpointer.prune(&Prune::keep_latest(1)).await.unwrap(), 2);
    for thread_id in ["thread", "copy"] {
        assert_eq!(save(&checkpointer, thread_id, "next").await.unwrap(), 3);
        assert_eq!(seqs(&checkpointer, thread_id).await.unwrap(), [3, 2]);
    }
}

#[tokio::test]
async fn a_first_line_cut_off_anywhere_is_as_if_there_was_no_thread() {
    let (_folder, checkpointer, path, bytes) = with_thread(&["one"]).await;
    let first = starts(&bytes)[1];
    for end in 0..first {
        fs::write(&path, &bytes[..end]).unwrap();
        assert_eq!(latest(&checkpointer, "thread").await.unwrap(), None);
        assert!(threads(&checkpointer).await.unwrap().is_empty());
        assert_eq!(save_with_id(&checkpointer, "id").await.seq, 1);
        assert_eq!(
            latest(&checkpointer, "thread").await.unwrap().unwrap(),
            "id"
        );
    }
}

#[tokio::test]
async fn a_file_without_checkpoints_is_no_thread() {
    let (_folder, checkpointer, path, bytes) = with_thread(&["one"]).await;
    let only_header = &bytes[..starts(&bytes)[1]];
    fs::write(&path, only_header).unwrap();
    assert_eq!(latest(&checkpointer, "thread").await.unwrap(), None);
    assert!(threads(&checkpointer).await.unwrap().is_empty());
    let refused = checkpointer.copy_thread("thread", "copy").await;
    assert!(
        matches!(refused, Err(Error::NotFound { .. })),
        "{refused:?}"
    );

    save(&checkpointer, "other", "state").await.unwrap();
    assert_eq!(
        checkpointer.copy_thread("other", "thread").await.unwrap(),
        1
    );
    assert_eq!(
        latest(&checkpointer, "thread").await.unwrap().unwrap(),
        "state"
    );
    fs::write(&path, only_header).unwrap();
    assert_eq!(save(&checkpointer, "thread", "again").await.unwrap(), 1);
    fs::write(&path, only_header).unwrap();
    assert_eq!(checkpointer.delete_thread("thread").await.unwrap(), 0);
    assert!(!path.exists());
}

#[tokio::test]
async fn a_file_of_something_else_is_refused_and_named() {
    let (_folder, checkpointer, path, _) = with_thread(&["one"]).await;
    let long = "x".repeat(100_000);
    for garbage in [
        "garbage",
        "garbage\n",
        "\n",
        "{}\n",
        "\0\0\0\0",
        "[1]\n{\"seq\":1}\n",
        &long,
    ] {
        fs::write(&path, garbage).unwrap();
        let reason = "it is not a file of checkpoints";
        assert_damaged(latest(&checkpointer, "thread").await, &path, reason);
        assert_damaged(save(&checkpointer, "thread", "two").await, &path, reason);
        assert_damaged(seqs(&checkpointer, "thread").await, &path, reason);
        assert_damaged(threads(&checkpointer).await, &path, reason);
        let pruned = checkpointer.prune(&Prune::keep_latest(1)).await;
        assert_damaged(pruned, &path, reason);
        assert_eq!(fs::read_to_string(&path).unwrap(), garbage);
    }
    assert_eq!(checkpointer.delete_thread("thread").await.unwrap(), 0);
    assert_eq!(save(&checkpointer, "thread", "new").await.unwrap(), 1);
}

#[tokio::test]
async fn a_file_under_the_name_of_another_thread_is_refused() {
    let (folder, checkpointer, path, _) = with_thread(&["one"]).await;
    save(&checkpointer, "other", "two").await.unwrap();
    let mut paths = files(folder.path(), "jsonl");
    paths.retain(|other| *other != path);
    fs::copy(&path, &paths[0]).unwrap();
    let reason = "it has the name of another thread";
    assert_damaged(latest(&checkpointer, "other").await, &paths[0], reason);
    assert_eq!(
        latest(&checkpointer, "thread").await.unwrap().unwrap(),
        "one"
    );
}

#[tokio::test]
async fn a_file_of_a_newer_release_is_refused() {
    let (_folder, checkpointer, path, _) = with_thread(&["one"]).await;
    let newer = "{\"sectile_checkpoints\":4,\"thread\":\"thread\"}\n";
    fs::write(&path, newer).unwrap();
    for refused in [
        save(&checkpointer, "thread", "two").await.map(drop),
        latest(&checkpointer, "thread").await.map(drop),
        checkpointer.delete_thread("thread").await.map(drop),
    ] {
        let expected = matches!(refused, Err(Error::NewerSchema { found: 4, known: 3 }));
        assert!(expected, "{refused:?}");
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), newer);
}

#[tokio::test]
async fn a_damaged_line_is_named_and_the_others_are_read() {
    let (_folder, checkpointer, path, mut bytes) = with_thread(&["one", "two", "three"]).await;
    let second = starts(&bytes)[2];
    bytes[second + 40] = b'\0';
    fs::write(&path, &bytes).unwrap();
    let reason = format!("the line at byte {second}: ");
    assert_damaged(seqs(&checkpointer, "thread").await, &path, &reason);
    let by_number = checkpointer.load_at("thread", 2).await;
    assert_damaged(
        by_number.map(|found: Option<Checkpoint<Value>>| found),
        &path,
        &reason,
    );
    let by_id = checkpointer.load_by_id("thread", "id").await;
    assert_damaged(
        by_id.map(|found: Option<Checkpoint<Value>>| found),
        &path,
        &reason,
    );

    for seq in [1, 3] {
        let found: Option<Checkpoint<String>> = checkpointer.load_at("thread", seq).await.unwrap();
        assert_eq!(found.unwrap().seq, seq);
    }
    assert_eq!(
        latest(&checkpointer, "thread").await.unwrap().unwrap(),
        "three"
    );
    assert_eq!(save(&checkpointer, "thread", "four").await.unwrap(), 4);
}

#[tokio::test]
async fn a_checkpoint_changed_from_outside_is_not_taken_for_another() {
    let (folder, checkpointer) = in_new_folder();
    for id in ["a", "b", "c"] {
        save_with_id(&checkpointer, id).await;
    }
    let path = only_file(folder.path());
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"id\":\"b\"", "\"id\":\"d\"")).unwrap();
    let found = checkpointer.load_by_id("thread", "b").await;
    let reason = "it was changed";
    assert_damaged(
        found.map(|found: Option<Checkpoint<String>>| found),
        &path,
        reason,
    );
}

#[tokio::test]
async fn what_a_crash_left_of_a_rewriting_is_ignored_and_removed() {
    let (folder, checkpointer, path, _) = with_thread(&["one", "two"]).await;
    let new = path.with_extension("new");
    fs::write(&new, "half a file").unwrap();
    assert_eq!(seqs(&checkpointer, "thread").await.unwrap(), [2, 1]);
    assert_eq!(threads(&checkpointer).await.unwrap().len(), 1);
    assert_eq!(checkpointer.prune(&Prune::keep_latest(2)).await.unwrap(), 0);
    assert!(!new.exists());
    fs::write(&new, "half a file").unwrap();
    let prune = Prune::keep_latest(1).of_thread("thread");
    assert_eq!(checkpointer.prune(&prune).await.unwrap(), 1);
    assert!(!new.exists());
    assert_eq!(seqs(&checkpointer, "thread").await.unwrap(), [2]);

    // Of a thread that came to nothing there may be these.
    fs::remove_file(&path).unwrap();
    fs::write(&new, "half a file").unwrap();
    assert!(threads(&checkpointer).await.unwrap().is_empty());
    assert_eq!(checkpointer.prune(&Prune::keep_latest(1)).await.unwrap(), 0);
    assert!(files(folder.path(), "new").is_empty());
    assert_eq!(save(&checkpointer, "thread", "new").await.unwrap(), 1);
}

#[tokio::test]
async fn files_brought_back_without_their_locks_are_read() {
    let (_folder, checkpointer, path, _) = with_thread(&["one"]).await;
    fs::remove_file(path.with_extension("lock")).unwrap();
    assert_eq!(
        latest(&checkpointer, "thread").await.unwrap().unwrap(),
        "one"
    );
    assert_eq!(threads(&checkpointer).await.unwrap().len(), 1);
    assert_eq!(save(&checkpointer, "thread", "two").await.unwrap(), 2);
}

#[tokio::test]
async fn what_the_system_reports_names_the_file() {
    let (folder, checkpointer, path, _) = with_thread(&["one"]).await;
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    let error = save(&checkpointer, "thread", "two").await.unwrap_err();
    assert_eq!(error.to_string(), "cannot read the file of a thread");
    assert_eq!(
        error.source().unwrap().to_string(),
        path.display().to_string()
    );

    let gone = folder.path().to_owned();
    drop(folder);
    let error = save(&checkpointer, "thread", "two").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DatabaseNotFound, "{error:?}");
    let cause = error.source().unwrap();
    assert!(cause.to_string().starts_with(&gone.display().to_string()));
}

/// Does all that can be done with a thread; what comes of it does not matter.
async fn do_everything(checkpointer: &FileCheckpointer) {
    let _ = latest(checkpointer, "thread").await;
    let _ = seqs(checkpointer, "thread").await;
    let _: Result<Option<Checkpoint<Value>>> = checkpointer.load_at("thread", 2).await;
    let _: Result<Option<Checkpoint<Value>>> = checkpointer.load_by_id("thread", "b").await;
    let _ = threads(checkpointer).await;
    let _ = checkpointer.fork("thread", 2, "fork").await;
    let _ = checkpointer.copy_thread("thread", "copy").await;
    let _ = checkpointer
        .save(&Checkpoint::new("thread", 1).with_id("b"))
        .await;
    let _ = save(checkpointer, "thread", "next").await;
    let _ = checkpointer.prune(&Prune::keep_latest(2)).await;
    let _ = checkpointer.prune(&Prune::older_than(9)).await;
    // What is damaged can be deleted, but not what a newer release would read.
    let deleted = checkpointer.delete_thread("thread").await;
    let expected = matches!(deleted, Ok(_) | Err(Error::NewerSchema { .. }));
    assert!(expected, "{deleted:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn no_bytes_in_a_file_are_too_much(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..9),
        cut in prop::option::of(any::<prop::sample::Index>()),
        any_bytes in prop::option::weighted(0.2, prop::collection::vec(any::<u8>(), 0..200)),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let (folder, checkpointer) = in_new_folder();
            for id in ["a", "b", "c"] {
                save_with_id(&checkpointer, id).await;
            }
            let path = only_file(folder.path());
            let mut bytes = fs::read(&path).unwrap();
            for (at, byte) in &changes {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            bytes.truncate(cut.map_or(bytes.len(), |cut| cut.index(bytes.len())));
            fs::write(&path, any_bytes.unwrap_or(bytes)).unwrap();
            do_everything(&checkpointer).await;
        });
    }
}

/// What the first release wrote: lines without a hash.
const FIRST_RELEASE: &str = "\
{\"sectile_checkpoints\":1,\"thread_id\":\"thread\",\"generation\":5,\"removed\":1}
{\"seq\":2,\"id\":\"two\",\"created_at\":1,\"step\":0,\"queue\":[],\"metadata\":{},\"state\":\"two\"}
{\"seq\":3,\"created_at\":2,\"step\":1,\"queue\":[],\"metadata\":{},\"state\":\"three\"}
";

#[tokio::test]
async fn a_file_of_the_first_release_is_read_and_goes_on() {
    let (_folder, checkpointer, path, _) = with_thread(&["one"]).await;
    fs::write(&path, FIRST_RELEASE).unwrap();
    assert_eq!(seqs(&checkpointer, "thread").await.unwrap(), [3, 2]);
    let kept = save_with_id(&checkpointer, "two").await;
    assert_eq!((kept.seq, kept.is_new), (2, false));
    assert_eq!(fs::read_to_string(&path).unwrap(), FIRST_RELEASE);

    assert_eq!(save(&checkpointer, "thread", "four").await.unwrap(), 4);
    assert_eq!(seqs(&checkpointer, "thread").await.unwrap(), [4, 3, 2]);
    assert_eq!(threads(&checkpointer).await.unwrap()[0].checkpoints, 3);
    let kept = save_with_id(&checkpointer, "two").await;
    assert_eq!((kept.seq, kept.is_new), (2, false));
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("{\"sectile_checkpoints\":3,"), "{text}");
    assert!(
        text.lines().all(|line| line.contains("\"hash\":")),
        "{text}"
    );
}

/// Reads all that can be asked for; nothing where any of it is refused.
async fn everything(checkpointer: &FileCheckpointer) -> Vec<Option<String>> {
    let key = Key::from("thread");
    let mut all = Vec::new();
    for at in [
        At::Latest,
        At::Seq(1),
        At::Seq(2),
        At::Seq(3),
        At::Id("id".into()),
    ] {
        let found = checkpointer.load_stored(&key, &at).await;
        all.push(found.ok().map(|found| format!("{found:?}")));
        let writes = checkpointer.pending_writes(&key, &at).await;
        all.push(writes.ok().map(|writes| format!("{writes:?}")));
    }
    let list = checkpointer.select(&key, &CheckpointQuery::default()).await;
    all.push(list.ok().map(|list| format!("{list:?}")));
    all
}

#[tokio::test]
async fn a_changed_byte_never_gives_another_state() {
    let (folder, checkpointer) = in_new_folder();
    for number in 1..=3 {
        let checkpoint = Checkpoint::new("thread", format!("state {number}"));
        let checkpoint = if number == 2 {
            checkpoint.with_id("id")
        } else {
            checkpoint
        };
        checkpointer.save(&checkpoint).await.unwrap();
    }
    put_writes(&checkpointer, 3).await;
    let right = everything(&checkpointer).await;
    assert!(right.iter().all(Option::is_some), "{right:?}");
    let (mut read, mut refused) = (0, 0);
    for extension in ["jsonl", "writes"] {
        let [path] = files(folder.path(), extension).try_into().unwrap();
        let bytes = fs::read(&path).unwrap();
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << (at % 7);
            fs::write(&path, &changed).unwrap();
            // Another process, which has no index of the file.
            let other = FileCheckpointer::new(folder.path()).unwrap();
            for (found, right) in everything(&other).await.into_iter().zip(&right) {
                assert!(
                    found.is_none() || found == *right,
                    "{extension} {at}: {found:?}"
                );
                let is_read = usize::from(found.is_some());
                (read, refused) = (read + is_read, refused + 1 - is_read);
            }
        }
        fs::write(&path, &bytes).unwrap();
    }
    assert!(read > 0 && refused > 0, "{read} read, {refused} refused");
}
