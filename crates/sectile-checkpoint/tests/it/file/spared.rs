//! What goes on where lines are damaged that it does not need.

use sectile_checkpoint::{
    At, Channels, Content, ErrorKind, Key, RecordsExt as _, TaskWrites, ThreadSummary, TypedValue,
};

use super::*;

/// A folder with a thread, and the file of it.
struct Opened {
    folder: TempDir,
    checkpointer: FileCheckpointer,
    path: PathBuf,
}

impl Opened {
    /// Saves small states at the times 10, 20, 30 …, of the run and the user `odd` or `even`.
    async fn small(count: u64) -> Self {
        let (folder, checkpointer) = in_new_folder();
        for number in 1..=count {
            let parity = if number.is_multiple_of(2) {
                "even"
            } else {
                "odd"
            };
            let checkpoint = Checkpoint::new("thread", format!("state {number}"))
                .with_created_at(10 * number)
                .of_run(parity)
                .with_metadata("user", parity);
            checkpointer.save(&checkpoint).await.unwrap();
        }
        Self::of(folder, checkpointer)
    }

    /// Saves a conversation that grows by an entry at each step, kept in pieces: one to twenty are the first
    /// list.
    async fn conversation(count: u64) -> Self {
        let (folder, checkpointer) = in_new_folder();
        for number in 1..=count {
            let entries = match number {
                1 => Content::List((1..21).map(entry).collect()),
                _ => Content::Appended(vec![entry(number + 19)]),
            };
            let state = Channels::new().with("messages", "1", entries);
            let mut checkpoint = Checkpoint::new("thread", state).of_run(number.to_string());
            checkpoint.parent_seq = number.checked_sub(1).filter(|parent| *parent > 0);
            checkpointer.save_stored(checkpoint).await.unwrap();
        }
        Self::of(folder, checkpointer)
    }

    fn of(folder: TempDir, checkpointer: FileCheckpointer) -> Self {
        let path = only_file(folder.path());
        Self {
            folder,
            checkpointer,
            path,
        }
    }

    /// Changes the one place where a text is.
    fn change(&self, from: &str, to: &str) {
        let text = fs::read_to_string(&self.path).unwrap();
        assert_eq!(text.matches(from).count(), 1, "{from}");
        fs::write(&self.path, text.replace(from, to)).unwrap();
    }

    async fn seqs(&self) -> Result<Vec<u64>> {
        seqs(&self.checkpointer, "thread").await
    }

    async fn listed(&self, query: CheckpointQuery) -> Result<Vec<u64>> {
        let found = self.checkpointer.select(&"thread".into(), &query).await?;
        Ok(found.iter().map(|checkpoint| checkpoint.seq).collect())
    }

    async fn prune(&self, prune: Prune) -> u64 {
        self.checkpointer.prune(&prune).await.unwrap()
    }

    async fn loads(&self, thread_id: &str, seq: u64) -> bool {
        let key = Key::from(thread_id);
        match self.checkpointer.load_stored(&key, &At::Seq(seq)).await {
            Err(Error::Corrupt { .. }) => false,
            found => found.unwrap().is_some(),
        }
    }

    async fn assert_sound(&self) {
        assert_eq!(self.checkpointer.verify().await.unwrap(), []);
    }
}

fn entry(number: u64) -> TypedValue {
    TypedValue::json(&format!("entry {number} {}", "x".repeat(500))).unwrap()
}

fn before(seq: u64) -> CheckpointQuery {
    CheckpointQuery {
        before: Some(seq),
        ..CheckpointQuery::default()
    }
}

fn of_user(user: &str, limit: usize) -> CheckpointQuery {
    let mut query = CheckpointQuery {
        limit: Some(limit),
        ..CheckpointQuery::default()
    };
    query.metadata.insert("user".into(), user.into());
    query
}

fn assert_corrupt<T: std::fmt::Debug>(result: &Result<T>) {
    assert!(matches!(result, Err(Error::Corrupt { .. })), "{result:?}");
}

/// Makes sure that checkpoints were deleted, and that it failed in one thread, which is damaged.
fn assert_incomplete(result: Result<u64>, expected: u64, thread_id: Option<&str>) {
    let Err(Error::Incomplete { done, failures }) = result else {
        panic!("{result:?}");
    };
    assert_eq!((done, failures.0.len()), (expected, 1), "{failures}");
    let failure = &failures.0[0];
    assert_eq!(failure.thread_id.as_deref(), thread_id);
    assert_eq!(failure.error.kind(), ErrorKind::Corrupt, "{failure}");
}

#[tokio::test]
async fn a_list_is_refused_only_if_a_damaged_checkpoint_belongs_to_it() {
    let opened = Opened::small(5).await;
    opened.change("\"state 2\"", "\"stale 2\"");
    assert_corrupt(&opened.seqs().await);
    let newest = CheckpointQuery {
        limit: Some(3),
        ..CheckpointQuery::default()
    };
    assert_eq!(opened.listed(newest).await.unwrap(), [5, 4, 3]);
    assert_eq!(opened.listed(before(2)).await.unwrap(), [1]);
    assert_eq!(opened.listed(of_user("odd", 9)).await.unwrap(), [5, 3, 1]);
    assert_eq!(opened.listed(of_user("even", 1)).await.unwrap(), [4]);
    assert_corrupt(&opened.listed(of_user("even", 2)).await);
    // Whose metadata cannot be read may belong to any list.
    opened.change("{\"seq\":4,", "{\"seq\":4;");
    assert_corrupt(&opened.listed(of_user("odd", 9)).await);
}

#[tokio::test]
async fn a_changed_end_of_the_last_line_damages_that_alone() {
    for is_pruned in [false, true] {
        let opened = Opened::small(3).await;
        let mut bytes = fs::read(&opened.path).unwrap();
        *bytes.last_mut().unwrap() = b'x';
        fs::write(&opened.path, bytes).unwrap();
        assert_eq!(opened.listed(before(3)).await.unwrap(), [2, 1]);
        assert_corrupt(&latest(&opened.checkpointer, "thread").await);
        assert_eq!(opened.checkpointer.verify().await.unwrap().len(), 1);
        let mut expected = vec![4, 3, 2, 1];
        if is_pruned {
            assert_eq!(opened.prune(Prune::keep_latest(1)).await, 1);
            expected.pop();
        }
        // The next save restores it: the hash says what the line was.
        let next = save(&opened.checkpointer, "thread", "next").await;
        assert_eq!(next.unwrap(), 4);
        assert_eq!(opened.seqs().await.unwrap(), expected);
        opened.assert_sound().await;
    }
}

#[tokio::test]
async fn a_damaged_piece_refuses_no_list_of_those_that_do_not_need_it() {
    let opened = Opened::conversation(4).await;
    opened
        .checkpointer
        .delete_runs(&["2".into()])
        .await
        .unwrap();
    // The third and the fourth need what the second added.
    opened.change("\"entry 21 x", "\"entry 21 y");
    assert_eq!(opened.listed(before(3)).await.unwrap(), [1]);
    assert_corrupt(&opened.listed(before(4)).await);
    assert_corrupt(&opened.seqs().await);
}

#[tokio::test]
async fn threads_are_listed_whatever_their_newest_checkpoint_is_like() {
    let opened = Opened::small(3).await;
    save(&opened.checkpointer, "other", "sound").await.unwrap();
    let summary = |threads: Vec<ThreadSummary>| {
        let threads = threads.into_iter();
        let [thread] = threads
            .filter(|thread| thread.thread_id == "thread")
            .collect::<Vec<_>>()
            .try_into()
            .unwrap();
        (thread.latest_seq, thread.checkpoints, thread.updated_at)
    };
    let mut query = ThreadQuery::default();
    let sound = opened.checkpointer.threads(&query).await.unwrap();
    assert_eq!((sound.len(), summary(sound)), (2, (3, 3, 30)));
    opened.change("\"state 3\"", "\"stale 3\"");
    let found = opened.checkpointer.threads(&query).await.unwrap();
    assert_eq!((found.len(), summary(found)), (2, (3, 3, 20)));
    let root = &opened.checkpointer.namespaces("thread").await.unwrap()[0];
    assert_eq!((root.latest_seq, root.checkpoints), (3, 3));

    for (user, count) in [("even", 1), ("odd", 1), ("ada", 0)] {
        query.metadata.insert("user".into(), user.into());
        let found = opened.checkpointer.threads(&query).await.unwrap();
        assert_eq!(found.len(), count, "{user}");
    }
    // One whose metadata cannot be read matters only if no other has it.
    opened.change("{\"seq\":3,", "{\"seq\":3;");
    query.metadata.insert("user".into(), "even".into());
    assert_eq!(opened.checkpointer.threads(&query).await.unwrap().len(), 1);
    query.metadata.insert("user".into(), "ada".into());
    assert_corrupt(&opened.checkpointer.threads(&query).await);
}

#[tokio::test]
async fn an_old_damaged_checkpoint_is_pruned_as_others_are() {
    let opened = Opened::small(4).await;
    opened.change("\"state 2\"", "\"stale 2\"");
    assert_eq!(opened.prune(Prune::keep_latest(2)).await, 2);
    assert_eq!(opened.seqs().await.unwrap(), [4, 3]);
    let next = save(&opened.checkpointer, "thread", "next").await;
    assert_eq!(next.unwrap(), 5);
    let summary = &opened.checkpointer.namespaces("thread").await.unwrap()[0];
    assert_eq!(summary.checkpoints, 3);
    opened.assert_sound().await;
}

#[tokio::test]
async fn a_damaged_checkpoint_is_as_old_as_the_next_that_can_be_read() {
    let opened = Opened::small(4).await;
    opened.change("\"state 2\"", "\"stale 2\"");
    assert_eq!(opened.prune(Prune::older_than(25)).await, 1);
    opened.change("\"stale 2\"", "\"state 2\"");
    assert_eq!(opened.seqs().await.unwrap(), [4, 3, 2]);
    opened.change("\"state 2\"", "\"stale 2\"");
    assert_eq!(opened.prune(Prune::older_than(35)).await, 2);
    assert_eq!(opened.seqs().await.unwrap(), [4]);
    opened.assert_sound().await;
}

#[tokio::test]
async fn the_newest_that_can_be_read_stay_beside_damaged_ones() {
    let opened = Opened::small(5).await;
    opened.change("\"state 5\"", "\"stale 5\"");
    assert_eq!(opened.prune(Prune::keep_latest(2)).await, 2);
    assert_eq!(opened.listed(before(5)).await.unwrap(), [4, 3]);
    assert_corrupt(&latest(&opened.checkpointer, "thread").await);
    let next = save(&opened.checkpointer, "thread", "next").await;
    assert_eq!(next.unwrap(), 6);
    opened.change("\"stale 5\"", "\"state 5\"");
    assert_eq!(opened.seqs().await.unwrap(), [6, 5, 4, 3]);
    opened.assert_sound().await;
}

#[tokio::test]
async fn what_a_damaged_checkpoint_may_need_is_not_pruned() {
    let opened = Opened::conversation(10).await;
    for state in ["eleven", "twelve"] {
        let saved = save(&opened.checkpointer, "thread", state).await;
        saved.unwrap();
    }
    let text = fs::read_to_string(&opened.path).unwrap();
    for (from, to) in [
        ("{\"seq\":10,", "{\"seq\":10;"),
        (
            "{\"seq\":10,\"last_piece\":29,",
            "{\"seq\":10,\"last_piece\":19,",
        ),
    ] {
        fs::write(&opened.path, &text).unwrap();
        opened.change(from, to);
        assert_eq!(opened.prune(Prune::keep_latest(3)).await, 8);
        for seq in 9..=12 {
            assert_eq!(opened.loads("thread", seq).await, seq != 10, "{seq}");
        }
        // It alone has the last piece.
        opened.change(to, from);
        assert_eq!(opened.seqs().await.unwrap(), [12, 11, 10, 9]);
        opened.assert_sound().await;
    }
}

#[tokio::test]
async fn those_that_can_be_loaded_stay_where_a_piece_of_newer_ones_is_damaged() {
    let opened = Opened::conversation(10).await;
    // Those from the sixth on need it.
    opened.change("\"entry 25 x", "\"entry 25 y");
    assert_eq!(opened.prune(Prune::keep_latest(2)).await, 3);
    for seq in 4..=6 {
        assert_eq!(opened.loads("thread", seq).await, seq != 6, "{seq}");
    }
    assert_eq!(opened.prune(Prune::keep_latest(1)).await, 1);
    assert_eq!(opened.prune(Prune::keep_latest(1)).await, 0);
    opened.change("\"entry 25 y", "\"entry 25 x");
    assert_eq!(opened.seqs().await.unwrap(), [10, 9, 8, 7, 6, 5]);
    opened.assert_sound().await;
    assert_eq!(opened.prune(Prune::keep_latest(1)).await, 5);
    opened.assert_sound().await;
}

#[tokio::test]
async fn a_file_that_cannot_be_read_keeps_no_other_from_being_pruned() {
    let opened = Opened::small(3).await;
    for thread_id in ["a", "b", "c", "d"] {
        for state in ["one", "two"] {
            save(&opened.checkpointer, thread_id, state).await.unwrap();
        }
    }
    fs::write(&opened.path, "garbage").unwrap();
    let pruned = opened.checkpointer.prune(&Prune::keep_latest(1)).await;
    assert_incomplete(pruned, 4, None);
    for thread_id in ["a", "b", "c", "d"] {
        let found = seqs(&opened.checkpointer, thread_id).await;
        assert_eq!(found.unwrap(), [2]);
    }
}

#[tokio::test]
async fn a_run_is_deleted_where_it_can_be_read_and_the_rest_is_named() {
    let opened = Opened::small(5).await;
    for thread_id in ["a", "b", "c", "d"] {
        let checkpoint = Checkpoint::new(thread_id, 1).of_run("odd");
        opened.checkpointer.save(&checkpoint).await.unwrap();
    }
    opened.change("\"state 3\"", "\"stale 3\"");
    let deleted = opened.checkpointer.delete_runs(&["odd".into()]).await;
    assert_incomplete(deleted, 6, Some("thread"));
    let threads = opened.checkpointer.threads(&ThreadQuery::default()).await;
    assert_eq!(threads.unwrap().len(), 1);
    opened.change("\"stale 3\"", "\"state 3\"");
    assert_eq!(opened.seqs().await.unwrap(), [4, 3, 2]);
    let deleted = opened.checkpointer.delete_runs(&["odd".into()]).await;
    assert_eq!(deleted.unwrap(), 1);
    opened.assert_sound().await;
}

#[tokio::test]
async fn copies_have_damaged_checkpoints_as_they_are() {
    let opened = Opened::small(4).await;
    opened.change("\"state 2\"", "\"stale 2\"");
    let checkpointer = &opened.checkpointer;
    assert_eq!(checkpointer.copy_thread("thread", "copy").await.unwrap(), 4);
    assert_eq!(checkpointer.fork("thread", 3, "fork").await.unwrap(), 3);
    assert_eq!(checkpointer.fork("thread", 1, "start").await.unwrap(), 1);
    assert_eq!(seqs(checkpointer, "start").await.unwrap(), [1]);
    assert_corrupt(&checkpointer.fork("thread", 2, "none").await);
    for (thread_id, last) in [("copy", 4), ("fork", 3)] {
        for seq in 1..=last {
            assert_eq!(opened.loads(thread_id, seq).await, seq != 2, "{seq}");
        }
        let next = save(checkpointer, thread_id, "next").await;
        assert_eq!(next.unwrap(), last + 1);
        let summary = &checkpointer.namespaces(thread_id).await.unwrap()[0];
        assert_eq!(summary.checkpoints, last + 1);
    }
}

#[tokio::test]
async fn a_fork_has_nothing_of_a_damaged_checkpoint_behind_it() {
    let opened = Opened::small(4).await;
    opened.change("\"state 4\"", "\"stale 4\"");
    let forked = opened.checkpointer.fork("thread", 3, "fork").await;
    assert_eq!(forked.unwrap(), 3);
    assert_eq!(seqs(&opened.checkpointer, "fork").await.unwrap(), [3, 2, 1]);
}

#[tokio::test]
async fn what_a_damaged_file_takes_is_counted() {
    let opened = Opened::conversation(10).await;
    let sound = opened.checkpointer.usage().await.unwrap();
    opened.change("\"entry 25 x", "\"entry 25 y");
    opened.change("{\"seq\":9,", "{\"seq\":9;");
    let found = opened.checkpointer.usage().await.unwrap();
    let counted = |usages: &[sectile_checkpoint::Usage]| {
        let [usage] = usages else {
            panic!("{usages:?}")
        };
        (usage.checkpoints, usage.pieces, usage.stored_bytes)
    };
    assert_eq!(counted(&found), counted(&sound));
}

#[tokio::test]
async fn writes_go_with_a_damaged_checkpoint_and_stay_with_others() {
    let (folder, checkpointer) = in_new_folder();
    let key = Key::from("thread");
    let writes = TaskWrites::new("task").write("a", entry(1));
    for id in ["a", "b", "c", "d"] {
        save_with_id(&checkpointer, id).await;
        let put = checkpointer.put_writes(&key, &At::Latest, &writes).await;
        put.unwrap();
    }
    let opened = Opened::of(folder, checkpointer);
    opened.change("\"state\":\"b\"", "\"state\":\"B\"");
    assert_eq!(opened.prune(Prune::keep_latest(2)).await, 2);
    let [path] = files(opened.folder.path(), "writes").try_into().unwrap();
    let text = fs::read_to_string(path).unwrap();
    assert_eq!(text.lines().count(), 2, "{text}");
    opened.assert_sound().await;

    // One that stays keeps its own.
    opened.change("\"state\":\"d\"", "\"state\":\"D\"");
    assert_eq!(opened.prune(Prune::keep_latest(1)).await, 0);
    save_with_id(&opened.checkpointer, "e").await;
    assert_eq!(opened.prune(Prune::keep_latest(1)).await, 2);
    opened.assert_sound().await;
}
