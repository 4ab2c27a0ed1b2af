//! What every place of keeping does: one async function a case, each run on a fresh one.
//!
//! An implementation's tests say how a fresh place is made and get one test for each case:
//!
//! ```text
//! async fn fresh() -> (tempfile::TempDir, SqliteCheckpointer) { … }
//!
//! sectile_checkpoint::conformance_tests!(fresh);
//! ```
//!
//! `fresh` returns the checkpointer together with whatever must live as long as it. The test crate
//! needs `tokio` with macros and the multi-threaded runtime.

#![expect(
    clippy::missing_panics_doc,
    reason = "the cases panic where a checkpointer is wrong"
)]
#![expect(
    missing_docs,
    reason = "the cases are named for the behaviour that they check"
)]
#![expect(clippy::unwrap_used, reason = "a case that cannot go on has failed")]

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use futures_util::future::{Either, join_all, select};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::{
    At, Checkpoint, CheckpointHistory as _, CheckpointQuery, Checkpointer as _, Error, Prune,
    Records, RecordsExt as _, Result, Saved, ThreadQuery,
};

/// Stamps a test for each case, on a fresh checkpointer each.
#[macro_export]
macro_rules! conformance_tests {
    ($fresh:path) => {
        $crate::conformance_tests!($fresh;
            an_unknown_thread_has_no_checkpoint,
            a_checkpoint_loads_as_it_was_saved,
            the_time_of_saving_is_filled_in,
            the_latest_is_loaded,
            any_checkpoint_is_loaded_by_its_number,
            values_come_change_and_go_from_one_checkpoint_to_the_next,
            threads_are_kept_apart,
            a_checkpoint_with_an_id_is_stored_once,
            an_id_belongs_to_one_state,
            an_id_belongs_to_one_checkpoint,
            an_id_is_of_its_thread,
            a_parent_that_never_was_is_refused,
            a_parent_that_never_was_keeps_no_other_save_from_succeeding,
            a_parent_that_was_pruned_is_kept,
            one_id_saved_by_many_at_once_is_stored_once,
            checkpoints_are_listed_newest_first,
            a_list_is_limited_and_begins_before_a_number,
            a_list_is_filtered_by_metadata,
            a_list_of_an_unknown_thread_is_empty,
            threads_are_listed_in_the_order_of_their_ids,
            a_fork_goes_on_from_any_checkpoint,
            a_copy_has_all_checkpoints,
            what_is_not_there_cannot_be_copied,
            a_copy_does_not_run_into_another_thread,
            a_deleted_thread_leaves_nothing,
            pruning_keeps_the_latest,
            pruning_keeps_the_young,
            pruning_can_be_of_one_thread,
            numbers_go_on_after_pruning,
            ids_of_any_text_are_kept,
            ids_that_no_database_holds_are_refused,
            numbers_that_no_database_holds_are_refused,
            text_of_any_kind_is_kept,
            floats_are_kept_bit_by_bit,
            what_json_does_not_hold_is_refused,
            nesting_is_kept_as_deep_as_it_can_be_read,
            states_of_many_sizes_are_kept,
            a_state_of_64_mebibytes_is_kept,
            many_tasks_save_to_one_thread_without_a_gap,
            many_tasks_save_to_different_threads,
            a_dropped_save_is_there_whole_or_not_at_all,
            a_checkpointer_behind_a_pointer_is_one,
            a_state_is_loaded_as_a_type_that_the_call_names,
        );
    };
    ($fresh:path; $($case:ident),+ $(,)?) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $case() {
            let (_guard, checkpointer) = $fresh().await;
            let tested = $crate::conformance::Tested::new(checkpointer, |task| {
                Box::pin(async { tokio::spawn(task).await.unwrap() })
            });
            $crate::conformance::$case(tested).await;
        }
    )+};
}

/// Something that runs.
pub type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// What a case is given: a checkpointer as an application holds one that it was told of, and what
/// runs a task beside others.
#[derive(Clone)]
pub struct Tested {
    records: Arc<dyn Records>,
    spawn: fn(Task) -> Task,
}

impl std::fmt::Debug for Tested {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Tested").finish_non_exhaustive()
    }
}

impl std::ops::Deref for Tested {
    type Target = Arc<dyn Records>;

    fn deref(&self) -> &Self::Target {
        &self.records
    }
}

impl Tested {
    /// Returns a checkpointer to be tested. `spawn` begins a task of the test's runtime and returns
    /// what waits for it.
    pub fn new(checkpointer: impl Records + 'static, spawn: fn(Task) -> Task) -> Self {
        Self {
            records: Arc::new(checkpointer),
            spawn,
        }
    }

    /// Runs many tasks at once and returns what they returned, in any order.
    async fn run<T, F>(&self, tasks: impl Iterator<Item = F>) -> Vec<T>
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        let (sender, results) = mpsc::channel();
        let spawn = |task: F| {
            let sender = sender.clone();
            (self.spawn)(Box::pin(async move {
                let _ = sender.send(task.await);
            }))
        };
        join_all(tasks.map(spawn)).await;
        drop(sender);
        results.into_iter().collect()
    }
}

/// The numbers of a list.
fn seqs(found: &[Checkpoint<Value>]) -> Vec<u64> {
    found.iter().map(|checkpoint| checkpoint.seq).collect()
}

/// Saves the numbers 1 to `count` as the states of a thread.
async fn save_numbers(tested: &Tested, thread_id: &str, count: u64) {
    for number in 1..=count {
        let checkpoint = Checkpoint::new(thread_id, json!({ "number": number }))
            .at_step(number, "count")
            .with_created_at(1_000 * number)
            .with_metadata("number", number)
            .with_metadata("even", number % 2 == 0);
        tested.save(&checkpoint).await.unwrap();
    }
}

async fn list(tested: &Tested, thread_id: &str, query: &CheckpointQuery) -> Vec<u64> {
    seqs(&tested.list(thread_id, query).await.unwrap())
}

async fn all(tested: &Tested, thread_id: &str) -> Vec<u64> {
    list(tested, thread_id, &CheckpointQuery::default()).await
}

async fn load(tested: &Tested, thread_id: &str) -> Option<Checkpoint<Value>> {
    tested.load(thread_id).await.unwrap()
}

pub async fn an_unknown_thread_has_no_checkpoint(tested: Tested) {
    assert_eq!(load(&tested, "nobody").await, None);
    let found: Option<Checkpoint<Value>> = tested.load_at("nobody", 1).await.unwrap();
    assert_eq!(found, None);
    let found: Option<Checkpoint<Value>> = tested.load_by_id("nobody", "id").await.unwrap();
    assert_eq!(found, None);
}

pub async fn a_checkpoint_loads_as_it_was_saved(tested: Tested) {
    save_numbers(&tested, "thread", 7).await;
    let state = json!({"messages": [{"role": "user", "content": "Hi"}], "count": 3, "none": null});
    let saved = Checkpoint::new("thread", state)
        .with_id("first")
        .with_parent(7)
        .at_step(4, "agent")
        .with_pending("tool", 5)
        .with_pending("agent", 6)
        .with_metadata("source", "loop")
        .with_metadata("tags", json!(["a", {"b": 1.5}]))
        .with_created_at(1_700_000_000_123);
    let done = tested.save(&saved).await.unwrap();
    let expected = Saved {
        seq: 8,
        is_new: true,
    };
    assert_eq!(done, expected);

    let mut expected = saved;
    expected.seq = 8;
    assert_eq!(load(&tested, "thread").await, Some(expected.clone()));
    let by_id = tested.load_by_id("thread", "first").await.unwrap();
    assert_eq!(by_id, Some(expected));
}

pub async fn the_time_of_saving_is_filled_in(tested: Tested) {
    let before = crate::now();
    tested.save(&Checkpoint::new("thread", 1)).await.unwrap();
    let after = crate::now();
    let saved = load(&tested, "thread").await.unwrap().created_at;
    assert!(
        (before..=after).contains(&saved),
        "{before} {saved} {after}"
    );
}

pub async fn the_latest_is_loaded(tested: Tested) {
    save_numbers(&tested, "thread", 12).await;
    let latest = load(&tested, "thread").await.unwrap();
    assert_eq!((latest.seq, latest.state), (12, json!({ "number": 12 })));
}

pub async fn any_checkpoint_is_loaded_by_its_number(tested: Tested) {
    save_numbers(&tested, "thread", 11).await;
    for seq in [1, 10, 11] {
        let found: Option<Checkpoint<Value>> = tested.load_at("thread", seq).await.unwrap();
        let found = found.unwrap();
        assert_eq!(
            (found.seq, found.step, found.created_at),
            (seq, seq, 1_000 * seq)
        );
        assert_eq!(found.state, json!({ "number": seq }));
    }
    for seq in [0, 12, u64::MAX] {
        let found: Option<Checkpoint<Value>> = tested.load_at("thread", seq).await.unwrap();
        assert_eq!(found, None);
    }
}

pub async fn values_come_change_and_go_from_one_checkpoint_to_the_next(tested: Tested) {
    let states = [
        json!({"kept": 1, "changed": "old"}),
        json!({"kept": 1, "changed": "new", "added": [1]}),
        json!({"kept": 1, "added": [1, 2]}),
    ];
    for state in &states {
        tested
            .save(&Checkpoint::new("thread", state.clone()))
            .await
            .unwrap();
    }
    let found = tested
        .list("thread", &CheckpointQuery::default())
        .await
        .unwrap();
    let found: Vec<Value> = found.into_iter().rev().map(|found| found.state).collect();
    assert_eq!(found, states);
}

pub async fn threads_are_kept_apart(tested: Tested) {
    for thread_id in ["a", "b", "A", "a ", "ab"] {
        let state = json!(thread_id);
        let done = tested
            .save(&Checkpoint::new(thread_id, state))
            .await
            .unwrap();
        assert_eq!(done.seq, 1, "{thread_id:?}");
    }
    for thread_id in ["a", "b", "A", "a ", "ab"] {
        let found = load(&tested, thread_id).await.unwrap();
        assert_eq!(
            (found.thread_id.as_str(), found.state),
            (thread_id, json!(thread_id))
        );
    }
}

pub async fn a_checkpoint_with_an_id_is_stored_once(tested: Tested) {
    let first = Checkpoint::new("thread", json!({"a": 1, "b": [2]})).with_id("first");
    let done = tested.save(&first).await.unwrap();
    assert!(done.is_new);
    tested
        .save(&Checkpoint::new("thread", 2).with_id("second"))
        .await
        .unwrap();

    // The members of an object have no order.
    let again: Box<RawValue> = RawValue::from_string(r#"{"b":[2],"a":1}"#.into()).unwrap();
    let again = tested
        .save(&Checkpoint::new("thread", again).with_id("first"))
        .await
        .unwrap();
    let expected = Saved {
        seq: 1,
        is_new: false,
    };
    assert_eq!(again, expected);
    assert_eq!(all(&tested, "thread").await, [2, 1]);
    let third = tested.save(&Checkpoint::new("thread", 3)).await.unwrap();
    assert_eq!(third.seq, 3);
}

pub async fn an_id_belongs_to_one_state(tested: Tested) {
    tested
        .save(&Checkpoint::new("thread", 1).with_id("id"))
        .await
        .unwrap();
    let refused = tested
        .save(&Checkpoint::new("thread", 2).with_id("id"))
        .await;
    assert!(
        matches!(refused, Err(Error::IdConflict { seq: 1, .. })),
        "{refused:?}"
    );
    assert_eq!(all(&tested, "thread").await, [1]);
}

/// A checkpoint that has all a checkpoint can have.
fn full() -> Checkpoint<Value> {
    Checkpoint::new("thread", json!({"a": 1}))
        .with_id("id")
        .with_parent(1)
        .at_step(2, "node")
        .with_pending("tool", 3)
        .with_metadata("float", 0.1)
        .with_metadata("tags", json!(["a", {"b": null}]))
}

pub async fn an_id_belongs_to_one_checkpoint(tested: Tested) {
    save_numbers(&tested, "thread", 1).await;
    let kept = full();
    assert_eq!(tested.save(&kept).await.unwrap().seq, 2);
    let changed = |change: fn(&mut Checkpoint<Value>)| {
        let mut checkpoint = full();
        change(&mut checkpoint);
        checkpoint
    };
    let others: [(&str, Checkpoint<Value>); 9] = [
        ("state", changed(|other| other.state = json!({"a": 2}))),
        (
            "queue",
            changed(|other| other.queue[0].node = "other".into()),
        ),
        ("queue", changed(|other| other.queue[0].step = 4)),
        ("queue", changed(|other| other.queue.clear())),
        ("node", changed(|other| other.node = None)),
        ("step", changed(|other| other.step = 3)),
        ("parent_seq", changed(|other| other.parent_seq = None)),
        (
            "metadata",
            changed(|other| other.metadata = serde_json::Map::new()),
        ),
        (
            "step, queue",
            full().at_step(3, "node").with_pending("agent", 4),
        ),
    ];
    for (expected, other) in others {
        let refused = tested.save(&other).await;
        let Err(Error::IdConflict { seq, differs, .. }) = refused else {
            panic!("{expected}: {refused:?}");
        };
        assert_eq!((seq, differs.join(", ").as_str()), (2, expected));
    }
    // The time of saving is that of the first.
    let again = tested.save(&full().with_created_at(5)).await.unwrap();
    assert_eq!((again.seq, again.is_new), (2, false));
    assert_eq!(all(&tested, "thread").await, [2, 1]);
}

pub async fn an_id_is_of_its_thread(tested: Tested) {
    for thread_id in ["one", "other"] {
        let checkpoint = Checkpoint::new(thread_id, 1).with_id("id");
        assert!(tested.save(&checkpoint).await.unwrap().is_new);
    }
}

fn assert_no_parent(refused: &Result<Saved>) {
    let argument = "parent_seq";
    assert!(
        matches!(refused, Err(Error::InvalidArgument { argument: named, .. }) if *named == argument),
        "{refused:?}"
    );
}

pub async fn a_parent_that_never_was_is_refused(tested: Tested) {
    let with_parent = |thread_id: &str, seq| Checkpoint::new(thread_id, 1).with_parent(seq);
    assert_no_parent(&tested.save(&with_parent("thread", 1)).await);
    assert!(thread_ids(&tested, None, None).await.is_empty());
    save_numbers(&tested, "thread", 3).await;
    for seq in [0, 4, 5, i64::MAX as u64, u64::MAX] {
        assert_no_parent(&tested.save(&with_parent("thread", seq)).await);
        let named = with_parent("thread", seq).with_id("id");
        assert_no_parent(&tested.save(&named).await);
    }
    assert_no_parent(&tested.save(&with_parent("other", 1)).await);
    for (seq, parent) in [(4, 3), (5, 1), (6, 5)] {
        let done = tested.save(&with_parent("thread", parent)).await;
        assert_eq!(done.unwrap().seq, seq);
    }
    // No number and no id is taken by what was refused.
    let named = with_parent("thread", 6).with_id("id");
    assert_eq!(tested.save(&named).await.unwrap().seq, 7);
    assert!(!tested.save(&named).await.unwrap().is_new);
    assert_eq!(tested.fork("thread", 2, "branch").await.unwrap(), 2);
    assert_no_parent(&tested.save(&with_parent("branch", 3)).await);
    let done = tested.save(&with_parent("branch", 2)).await;
    assert_eq!(done.unwrap().seq, 3);
    assert_eq!(thread_ids(&tested, None, None).await, ["branch", "thread"]);
}

pub async fn a_parent_that_never_was_keeps_no_other_save_from_succeeding(tested: Tested) {
    save_numbers(&tested, "thread", 1).await;
    let tasks = (0..32_u64).map(|task| {
        let tested = tested.clone();
        let parent = if task % 4 == 0 { 1_000 } else { 1 };
        async move {
            let checkpoint = Checkpoint::new("thread", task).with_parent(parent);
            tested.save(&checkpoint).await
        }
    });
    let (saved, refused): (Vec<_>, Vec<_>) =
        tested.run(tasks).await.into_iter().partition(Result::is_ok);
    refused.iter().for_each(assert_no_parent);
    assert_eq!((saved.len(), refused.len()), (24, 8));
    assert!(all(&tested, "thread").await.into_iter().rev().eq(1..=25));
}

pub async fn a_parent_that_was_pruned_is_kept(tested: Tested) {
    save_numbers(&tested, "thread", 3).await;
    tested.prune(&Prune::keep_latest(1)).await.unwrap();
    let checkpoint = Checkpoint::new("thread", 1).with_parent(1);
    assert_eq!(tested.save(&checkpoint).await.unwrap().seq, 4);
    let latest = load(&tested, "thread").await.unwrap();
    assert_eq!(latest.parent_seq, Some(1));
    let parent: Option<Checkpoint<Value>> = tested.load_at("thread", 1).await.unwrap();
    assert_eq!(parent, None);
}

pub async fn one_id_saved_by_many_at_once_is_stored_once(tested: Tested) {
    let tasks = (0..16).map(|_| {
        let tested = tested.clone();
        async move {
            let checkpoint = Checkpoint::new("thread", "the same".to_owned()).with_id("id");
            tested.save(&checkpoint).await.unwrap()
        }
    });
    let done = tested.run(tasks).await;
    assert_eq!(done.iter().filter(|saved| saved.is_new).count(), 1);
    assert!(done.iter().all(|saved| saved.seq == 1), "{done:?}");
    assert_eq!(all(&tested, "thread").await, [1]);
}

pub async fn checkpoints_are_listed_newest_first(tested: Tested) {
    save_numbers(&tested, "thread", 12).await;
    let newest_first: Vec<u64> = (1..=12).rev().collect();
    assert_eq!(all(&tested, "thread").await, newest_first);
}

pub async fn a_list_is_limited_and_begins_before_a_number(tested: Tested) {
    save_numbers(&tested, "thread", 12).await;
    let query = |limit, before| CheckpointQuery {
        limit,
        before,
        ..CheckpointQuery::default()
    };
    let cases: [(CheckpointQuery, &[u64]); 7] = [
        (query(Some(2), None), &[12, 11]),
        (query(Some(0), None), &[]),
        (query(None, Some(4)), &[3, 2, 1]),
        (query(Some(2), Some(11)), &[10, 9]),
        (query(None, Some(1)), &[]),
        (query(Some(1), Some(u64::MAX)), &[12]),
        (query(Some(usize::MAX), Some(3)), &[2, 1]),
    ];
    for (query, expected) in cases {
        assert_eq!(list(&tested, "thread", &query).await, expected, "{query:?}");
    }
}

pub async fn a_list_is_filtered_by_metadata(tested: Tested) {
    save_numbers(&tested, "thread", 12).await;
    let odd = json!({"it's": {"100%": [1, "x"]}, "number": 13});
    let mut checkpoint = Checkpoint::new("thread", 13);
    checkpoint.metadata = odd.as_object().unwrap().clone();
    tested.save(&checkpoint).await.unwrap();
    let query = |metadata: Value| CheckpointQuery {
        metadata: metadata.as_object().unwrap().clone(),
        ..CheckpointQuery::default()
    };
    let cases: [(Value, &[u64]); 6] = [
        (json!({"even": true}), &[12, 10, 8, 6, 4, 2]),
        (json!({"number": 5}), &[5]),
        (json!({"number": 5, "even": false}), &[5]),
        (json!({"number": 5, "even": true}), &[]),
        (json!({"missing": null}), &[]),
        (json!({"it's": {"100%": [1, "x"]}}), &[13]),
    ];
    for (metadata, expected) in cases {
        let query = query(metadata);
        assert_eq!(list(&tested, "thread", &query).await, expected, "{query:?}");
    }
    let page = CheckpointQuery {
        limit: Some(2),
        before: Some(10),
        ..query(json!({"even": true}))
    };
    assert_eq!(list(&tested, "thread", &page).await, [8, 6]);
}

pub async fn a_list_of_an_unknown_thread_is_empty(tested: Tested) {
    save_numbers(&tested, "thread", 1).await;
    assert!(all(&tested, "nobody").await.is_empty());
}

async fn thread_ids(tested: &Tested, limit: Option<usize>, after: Option<&str>) -> Vec<String> {
    let after = after.map(str::to_owned);
    let found = tested.threads(&ThreadQuery { limit, after }).await.unwrap();
    found.into_iter().map(|thread| thread.thread_id).collect()
}

pub async fn threads_are_listed_in_the_order_of_their_ids(tested: Tested) {
    assert!(thread_ids(&tested, None, None).await.is_empty());
    for (thread_id, count) in [("é", 1), ("b", 3), ("B", 2), ("a_%", 1), ("z", 1)] {
        save_numbers(&tested, thread_id, count).await;
    }
    assert_eq!(
        thread_ids(&tested, None, None).await,
        ["B", "a_%", "b", "z", "é"]
    );
    assert_eq!(thread_ids(&tested, Some(2), None).await, ["B", "a_%"]);
    assert_eq!(thread_ids(&tested, Some(2), Some("a_%")).await, ["b", "z"]);
    assert_eq!(thread_ids(&tested, None, Some("c")).await, ["z", "é"]);

    tested
        .prune(&Prune::keep_latest(2).of_thread("b"))
        .await
        .unwrap();
    let found = tested.threads(&ThreadQuery::default()).await.unwrap();
    let b = found.iter().find(|thread| thread.thread_id == "b").unwrap();
    assert_eq!((b.latest_seq, b.checkpoints, b.updated_at), (3, 2, 3_000));
}

pub async fn a_fork_goes_on_from_any_checkpoint(tested: Tested) {
    save_numbers(&tested, "main", 5).await;
    assert_eq!(tested.fork("main", 3, "branch").await.unwrap(), 3);
    let head = load(&tested, "branch").await.unwrap();
    assert_eq!((head.thread_id.as_str(), head.seq), ("branch", 3));
    assert_eq!(
        (head.state, head.created_at),
        (json!({ "number": 3 }), 3_000)
    );

    let done = tested
        .save(&Checkpoint::new("branch", "other").map_state(str::to_owned))
        .await;
    assert_eq!(done.unwrap().seq, 4);
    assert_eq!(all(&tested, "branch").await, [4, 3, 2, 1]);
    assert_eq!(all(&tested, "main").await, [5, 4, 3, 2, 1]);
}

pub async fn a_copy_has_all_checkpoints(tested: Tested) {
    let first = Checkpoint::new("one", 1)
        .with_id("id")
        .with_pending("next", 2);
    tested.save(&first).await.unwrap();
    save_numbers(&tested, "one", 3).await;
    let original: Vec<Checkpoint<Value>> = tested
        .list("one", &CheckpointQuery::default())
        .await
        .unwrap();
    assert_eq!(tested.copy_thread("one", "other").await.unwrap(), 4);

    let copied: Vec<Checkpoint<Value>> = tested
        .list("other", &CheckpointQuery::default())
        .await
        .unwrap();
    let renamed = |mut checkpoint: Checkpoint<Value>| {
        checkpoint.thread_id = "one".into();
        checkpoint
    };
    let copied: Vec<_> = copied.into_iter().map(renamed).collect();
    assert_eq!(copied, original);
    // The source and its copy go their own ways.
    tested.save(&Checkpoint::new("other", 9)).await.unwrap();
    assert_eq!(all(&tested, "one").await, [4, 3, 2, 1]);
    let again = Checkpoint {
        thread_id: "other".into(),
        ..first
    };
    assert!(!tested.save(&again).await.unwrap().is_new);
}

pub async fn what_is_not_there_cannot_be_copied(tested: Tested) {
    save_numbers(&tested, "thread", 2).await;
    for refused in [
        tested.fork("thread", 3, "new").await,
        tested.fork("nobody", 1, "new").await,
        tested.copy_thread("nobody", "new").await,
    ] {
        assert!(
            matches!(refused, Err(Error::NotFound { .. })),
            "{refused:?}"
        );
    }
    assert_eq!(thread_ids(&tested, None, None).await, ["thread"]);
}

pub async fn a_copy_does_not_run_into_another_thread(tested: Tested) {
    save_numbers(&tested, "one", 2).await;
    save_numbers(&tested, "other", 1).await;
    for refused in [
        tested.fork("one", 1, "other").await,
        tested.copy_thread("one", "other").await,
        tested.copy_thread("one", "one").await,
    ] {
        assert!(
            matches!(refused, Err(Error::ThreadExists { .. })),
            "{refused:?}"
        );
    }
    assert_eq!(all(&tested, "other").await, [1]);
}

pub async fn a_deleted_thread_leaves_nothing(tested: Tested) {
    tested
        .save(&Checkpoint::new("gone", 0).with_id("id"))
        .await
        .unwrap();
    save_numbers(&tested, "gone", 3).await;
    save_numbers(&tested, "kept", 2).await;
    assert_eq!(tested.delete_thread("gone").await.unwrap(), 4);
    assert_eq!(tested.delete_thread("gone").await.unwrap(), 0);
    assert_eq!(load(&tested, "gone").await, None);
    assert_eq!(thread_ids(&tested, None, None).await, ["kept"]);
    assert_eq!(all(&tested, "kept").await, [2, 1]);
    // A new thread of that name begins anew.
    let done = tested
        .save(&Checkpoint::new("gone", 5).with_id("id"))
        .await
        .unwrap();
    assert_eq!((done.seq, done.is_new), (1, true));
}

pub async fn pruning_keeps_the_latest(tested: Tested) {
    save_numbers(&tested, "one", 5).await;
    save_numbers(&tested, "other", 2).await;
    assert_eq!(tested.prune(&Prune::keep_latest(9)).await.unwrap(), 0);
    assert_eq!(tested.prune(&Prune::keep_latest(2)).await.unwrap(), 3);
    assert_eq!(all(&tested, "one").await, [5, 4]);
    assert_eq!(all(&tested, "other").await, [2, 1]);
    assert_eq!(tested.prune(&Prune::keep_latest(0)).await.unwrap(), 2);
    assert_eq!(all(&tested, "one").await, [5]);
    assert_eq!(all(&tested, "other").await, [2]);
    assert_eq!(tested.prune(&Prune::keep_latest(1)).await.unwrap(), 0);
}

pub async fn pruning_keeps_the_young(tested: Tested) {
    save_numbers(&tested, "thread", 6).await;
    // Checkpoint n was saved at n seconds.
    assert_eq!(tested.prune(&Prune::older_than(3_000)).await.unwrap(), 2);
    assert_eq!(all(&tested, "thread").await, [6, 5, 4, 3]);
    let both = Prune {
        older_than: Some(5_000),
        ..Prune::keep_latest(3)
    };
    assert_eq!(tested.prune(&both).await.unwrap(), 1);
    assert_eq!(all(&tested, "thread").await, [6, 5, 4]);
    assert_eq!(
        tested
            .prune(&Prune::older_than(i64::MAX as u64))
            .await
            .unwrap(),
        2
    );
    assert_eq!(all(&tested, "thread").await, [6]);
}

pub async fn pruning_can_be_of_one_thread(tested: Tested) {
    save_numbers(&tested, "one", 3).await;
    save_numbers(&tested, "other", 3).await;
    assert_eq!(
        tested
            .prune(&Prune::keep_latest(1).of_thread("one"))
            .await
            .unwrap(),
        2
    );
    assert_eq!(
        tested
            .prune(&Prune::keep_latest(1).of_thread("nobody"))
            .await
            .unwrap(),
        0
    );
    assert_eq!(all(&tested, "one").await, [3]);
    assert_eq!(all(&tested, "other").await, [3, 2, 1]);
}

pub async fn numbers_go_on_after_pruning(tested: Tested) {
    save_numbers(&tested, "thread", 3).await;
    tested.prune(&Prune::keep_latest(1)).await.unwrap();
    let done = tested.save(&Checkpoint::new("thread", 4)).await.unwrap();
    assert_eq!(done.seq, 4);
    assert_eq!(all(&tested, "thread").await, [4, 3]);
}

pub async fn ids_of_any_text_are_kept(tested: Tested) {
    let long = "\u{1d11e}".repeat(512);
    let ids = [
        "' OR 1=1 --",
        "\"",
        "100%",
        "a_b",
        "\\",
        "../../etc/passwd",
        "/",
        ".",
        "con",
        "line\nbreak",
        "\u{202e}right to left",
        "مرحبا",
        "👩‍🚀",
        "\u{1}",
        " ",
        "NULL",
        &long,
    ];
    for (number, id) in ids.iter().enumerate() {
        let checkpoint =
            Checkpoint::new(*id, number).with_id(id.chars().take(9).collect::<String>());
        let done = tested.save(&checkpoint.at_step(1, *id)).await.unwrap();
        assert_eq!(done.seq, 1, "{id:?}");
    }
    for (number, id) in ids.iter().enumerate() {
        let found = load(&tested, id).await.unwrap();
        assert_eq!(found.state, json!(number));
        assert_eq!(
            (found.thread_id.as_str(), found.node.as_deref()),
            (*id, Some(*id))
        );
    }
    let mut sorted = ids;
    sorted.sort_unstable();
    assert_eq!(thread_ids(&tested, None, None).await, sorted);
    for id in ids {
        assert_eq!(tested.delete_thread(id).await.unwrap(), 1, "{id:?}");
    }
}

pub async fn ids_that_no_database_holds_are_refused(tested: Tested) {
    let long = "a".repeat(10_000);
    for (thread_id, id, node) in [
        ("", "id", "node"),
        ("a\0b", "id", "node"),
        (long.as_str(), "id", "node"),
        ("thread", "", "node"),
        ("thread", "a\0b", "node"),
        ("thread", &long, "node"),
        ("thread", "id", "a\0b"),
    ] {
        let checkpoint = Checkpoint::new(thread_id, 1).with_id(id).at_step(1, node);
        let refused = tested.save(&checkpoint).await;
        assert!(
            matches!(refused, Err(Error::InvalidArgument { .. })),
            "{refused:?}"
        );
    }
    let refused: Result<Option<Checkpoint<Value>>> = tested.load(&long).await;
    assert!(
        matches!(refused, Err(Error::InvalidArgument { .. })),
        "{refused:?}"
    );
    save_numbers(&tested, "thread", 1).await;
    let refused = tested.copy_thread("thread", "a\0b").await;
    assert!(
        matches!(refused, Err(Error::InvalidArgument { .. })),
        "{refused:?}"
    );
    assert_eq!(thread_ids(&tested, None, None).await, ["thread"]);
}

pub async fn numbers_that_no_database_holds_are_refused(tested: Tested) {
    let largest = i64::MAX as u64;
    let at = |step| {
        Checkpoint::new("thread", u64::MAX)
            .at_step(step, "node")
            .with_pending("n", u64::MAX)
    };
    let refused = tested.save(&at(largest + 1)).await;
    assert!(
        matches!(
            refused,
            Err(Error::InvalidArgument {
                argument: "step",
                ..
            })
        ),
        "{refused:?}"
    );
    tested.save(&at(largest)).await.unwrap();
    let found = load(&tested, "thread").await.unwrap();
    assert_eq!((found.step, found.queue[0].step), (largest, u64::MAX));
    assert_eq!(found.state, json!(u64::MAX));
}

pub async fn text_of_any_kind_is_kept(tested: Tested) {
    let texts = [
        "\0",
        "a\0b",
        "\u{feff}",
        "\u{2028}\n\r\t",
        "'; DROP TABLE checkpoints; --",
        "日本語",
        "\u{10ffff}",
        "\u{fdd0}",
        "$1 ?1 :a {}",
        "\\u0000",
    ];
    let state: BTreeMap<String, Vec<&str>> = texts
        .iter()
        .map(|text| ((*text).to_owned(), vec![*text; 2]))
        .collect();
    let state = json!(state);
    let checkpoint = Checkpoint::new("thread", state.clone())
        .with_metadata("text\0", texts.to_vec())
        .with_pending("a\0b", 1);
    tested.save(&checkpoint).await.unwrap();
    let found = load(&tested, "thread").await.unwrap();
    assert_eq!(found.state, state);
    assert_eq!(
        (found.metadata, found.queue),
        (checkpoint.metadata, checkpoint.queue)
    );

    // An escaped half of a pair is JSON, if no text; whoever keeps JSON as it is gets it back.
    let halves: Box<RawValue> =
        RawValue::from_string(r#"["\ud800", "\udc00\ud800"]"#.into()).unwrap();
    tested
        .save(&Checkpoint::new("halves", halves.clone()))
        .await
        .unwrap();
    let found: Checkpoint<Box<RawValue>> = tested.load("halves").await.unwrap().unwrap();
    assert_eq!(found.state.get(), halves.get());
}

/// Numbers that look random, the same at every run (the generator is splitmix64).
fn numbers(count: usize) -> impl Iterator<Item = u64> {
    let mut state = 7_u64;
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    })
    .take(count)
}

pub async fn floats_are_kept_bit_by_bit(tested: Tested) {
    let floats: Vec<f64> = numbers(200_000)
        .map(f64::from_bits)
        .filter(|float| float.is_finite())
        .collect();
    assert!(floats.len() > 199_000);
    tested
        .save(&Checkpoint::new("thread", floats.clone()))
        .await
        .unwrap();
    let found: Checkpoint<Vec<f64>> = tested.load("thread").await.unwrap().unwrap();
    let bits = |floats: &[f64]| {
        floats
            .iter()
            .map(|float| float.to_bits())
            .collect::<Vec<_>>()
    };
    assert!(bits(&found.state) == bits(&floats));
}

pub async fn what_json_does_not_hold_is_refused(tested: Tested) {
    for float in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let state = BTreeMap::from([("scores".to_owned(), vec![Some(0.5), Some(float)])]);
        let refused = tested.save(&Checkpoint::new("thread", state)).await;
        let Err(Error::Unencodable {
            thread_id, path, ..
        }) = refused
        else {
            panic!("{refused:?}");
        };
        assert_eq!(
            (thread_id.as_str(), path.as_str()),
            ("thread", "state.scores[1]")
        );
    }
    let state = BTreeMap::from([("given".to_owned(), vec![None, Some(Some(1)), Some(None)])]);
    let refused = tested.save(&Checkpoint::new("thread", state)).await;
    assert!(
        matches!(&refused, Err(Error::Unencodable { path, .. }) if path == "state.given[2]"),
        "{refused:?}"
    );
    assert!(thread_ids(&tested, None, None).await.is_empty());
}

fn nested(depth: usize) -> Value {
    (1..depth).fold(json!([]), |inner, _| json!([inner]))
}

pub async fn nesting_is_kept_as_deep_as_it_can_be_read(tested: Tested) {
    tested
        .save(&Checkpoint::new("thread", nested(127)))
        .await
        .unwrap();
    for depth in [128, 200] {
        let refused = tested.save(&Checkpoint::new("thread", nested(depth))).await;
        assert!(
            matches!(refused, Err(Error::Unencodable { .. })),
            "{refused:?}"
        );
        let deep = Checkpoint::new("thread", 1).with_metadata("deep", nested(depth));
        let refused = tested.save(&deep).await;
        assert!(
            matches!(refused, Err(Error::Unencodable { .. })),
            "{refused:?}"
        );
    }
    assert_eq!(all(&tested, "thread").await, [1]);
    assert_eq!(load(&tested, "thread").await.unwrap().state, nested(127));
}

pub async fn states_of_many_sizes_are_kept(tested: Tested) {
    for size in [0, 1, 100, 4_000, 4_096, 65_536, 1_000_000] {
        let text: String = numbers(size)
            .map(|number| char::from(b'a' + (number % 26) as u8))
            .collect();
        tested
            .save(&Checkpoint::new("thread", text.clone()))
            .await
            .unwrap();
        let found: Checkpoint<String> = tested.load("thread").await.unwrap().unwrap();
        assert!(found.state == text, "{size}");
    }
}

pub async fn a_state_of_64_mebibytes_is_kept(tested: Tested) {
    let text = "a line of sixteen\n".repeat(64 * 1024 * 1024 / 18);
    tested
        .save(&Checkpoint::new("thread", text.clone()))
        .await
        .unwrap();
    tested
        .save(&Checkpoint::new("thread", String::new()))
        .await
        .unwrap();
    let found: Option<Checkpoint<String>> = tested.load_at("thread", 1).await.unwrap();
    assert!(found.unwrap().state == text);
}

/// Saves from many tasks, each `saves` times to the thread that `thread_id` names for it.
async fn save_from_tasks(
    tested: &Tested,
    tasks: usize,
    saves: u64,
    thread_id: fn(usize) -> String,
) -> Vec<u64> {
    let save = |task| {
        let tested = tested.clone();
        async move {
            let mut seqs = Vec::new();
            for save in 0..saves {
                let state = json!({"task": task, "save": save});
                let done = tested.save(&Checkpoint::new(thread_id(task), state)).await;
                seqs.push(done.unwrap().seq);
            }
            assert!(seqs.is_sorted());
            seqs
        }
    };
    tested.run((0..tasks).map(save)).await.concat()
}

pub async fn many_tasks_save_to_one_thread_without_a_gap(tested: Tested) {
    let mut acknowledged = save_from_tasks(&tested, 64, 50, |_| "thread".into()).await;
    acknowledged.sort_unstable();
    let expected: Vec<u64> = (1..=3_200).collect();
    assert!(acknowledged == expected);
    let mut stored = all(&tested, "thread").await;
    stored.reverse();
    assert!(stored == expected);
}

pub async fn many_tasks_save_to_different_threads(tested: Tested) {
    save_from_tasks(&tested, 64, 50, |task| format!("thread {task}")).await;
    for task in 0..64 {
        let expected: Vec<u64> = (1..=50).rev().collect();
        assert_eq!(all(&tested, &format!("thread {task}")).await, expected);
    }
}

pub async fn a_dropped_save_is_there_whole_or_not_at_all(tested: Tested) {
    let text = "x".repeat(20_000);
    let mut acknowledged = Vec::new();
    for (number, wait) in numbers(300).enumerate() {
        let state = json!({"number": number, "text": text});
        let checkpoint = Checkpoint::new("thread", state).with_id(format!("save {number}"));
        let save = tested.save(&checkpoint);
        let wait = Duration::from_micros(wait % 2_000);
        let late = blocking::unblock(move || std::thread::sleep(wait));
        if let Either::Left((done, _)) = select(save, late).await {
            acknowledged.push((number, done.unwrap().seq));
        }
    }
    // What was dropped may still be under way, and come later or not at all.
    let stored: Vec<Checkpoint<Value>> = tested
        .list("thread", &CheckpointQuery::default())
        .await
        .unwrap();
    let newest = stored.len() as u64;
    assert!(seqs(&stored).into_iter().rev().eq(1..=newest));
    for checkpoint in &stored {
        assert_eq!(checkpoint.state["text"], text);
    }
    for (number, seq) in acknowledged {
        let found = &stored[(newest - seq) as usize];
        assert_eq!(found.state["number"], number);
    }
}

pub async fn a_state_is_loaded_as_a_type_that_the_call_names(tested: Tested) {
    let saved = Checkpoint::new("thread", 1_u8).with_id("id");
    tested.save(&saved).await.unwrap();
    let latest = tested.load_as::<u64>("thread").await.unwrap();
    assert_eq!(latest.unwrap().state, 1);
    for at in [At::Latest, At::Seq(1), At::Id("id".into())] {
        let found = tested.load_at_as::<f64>("thread", at).await.unwrap();
        assert_eq!(found.unwrap().seq, 1);
    }
    let query = CheckpointQuery::default();
    let listed = tested.list_as::<u64>("thread", &query).await.unwrap();
    assert_eq!(listed.len(), 1);
    let refused = tested.load_as::<String>("thread").await;
    assert!(
        matches!(refused, Err(Error::Undecodable { .. })),
        "{refused:?}"
    );
}

pub async fn a_checkpointer_behind_a_pointer_is_one(tested: Tested) {
    async fn last<R: Records>(records: R) -> Option<Checkpoint<Value>> {
        records.save(&Checkpoint::new("thread", 1)).await.unwrap();
        records.load("thread").await.unwrap()
    }
    assert_eq!(last(&*tested).await.unwrap().seq, 1);
    assert_eq!(last(Arc::clone(&tested)).await.unwrap().seq, 2);
    let boxed: Box<dyn Records> = Box::new(Arc::clone(&tested));
    assert_eq!(last(boxed).await.unwrap().seq, 3);
}
