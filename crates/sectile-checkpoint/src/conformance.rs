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
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use futures_util::future::{Either, join_all, select};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::{
    At, Channels, Checkpoint, CheckpointHistory as _, CheckpointQuery, Checkpointer as _, Content,
    Error, Key, PendingWrite, Prune, Records, RecordsExt as _, Result, Saved, StoredState,
    TaskWrites, ThreadOrder, ThreadQuery, Threads as _, TypedValue, Write,
};

pub use history::{a_state_of_null_is_kept, lists_beside_values_that_change_are_kept};
pub use random::{do_as_the_model, fresh_seed};

mod history;
mod model;
mod random;

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
            an_id_tells_numbers_apart_by_their_digits,
            an_id_is_of_its_thread,
            a_parent_that_never_was_is_refused,
            a_parent_that_never_was_keeps_no_other_save_from_succeeding,
            a_parent_that_was_pruned_is_kept,
            one_id_saved_by_many_at_once_is_stored_once,
            checkpoints_are_listed_newest_first,
            a_list_is_limited_and_begins_before_a_number,
            a_list_is_filtered_by_metadata,
            a_filter_tells_zeros_apart,
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
            json_text_is_kept_with_its_spaces,
            floats_are_kept_bit_by_bit,
            what_json_does_not_hold_is_refused,
            nesting_is_kept_as_deep_as_it_can_be_read,
            stored_states_that_never_load_are_refused,
            states_of_many_sizes_are_kept,
            a_state_of_64_mebibytes_is_kept,
            many_tasks_save_to_one_thread_without_a_gap,
            many_tasks_save_to_different_threads,
            a_dropped_save_is_there_whole_or_not_at_all,
            a_checkpointer_behind_a_pointer_is_one,
            a_state_is_loaded_as_a_type_that_the_call_names,
            namespaces_are_kept_apart,
            namespaces_are_listed_and_go_with_their_thread,
            a_fork_has_of_other_namespaces_what_was_saved_by_then,
            a_namespace_is_deleted_alone,
            a_checkpointer_of_a_namespace_means_that_one,
            bytes_of_any_kind_are_kept_as_they_are,
            channels_are_kept_by_name,
            channels_follow_from_the_parent,
            a_channel_that_the_parent_lacks_is_refused,
            channels_of_json_load_as_a_type,
            a_channel_keeps_its_value_while_others_change,
            what_was_appended_on_two_branches_stays_apart,
            a_repeated_save_of_channels_is_the_same,
            long_lists_grow_shrink_and_change,
            long_states_change_everywhere,
            long_states_stay_readable_while_others_go,
            copies_of_long_states_live_on_their_own,
            writes_are_kept_beside_a_checkpoint,
            writes_are_in_the_order_of_their_tasks_paths,
            writes_are_kept_once_and_special_ones_replaced,
            writes_that_were_replaced_do_not_come_back,
            writes_of_one_call_settle_as_those_of_several,
            writes_of_many_tasks_are_kept_beside_saves,
            writes_that_are_refused_spoil_no_others,
            writes_may_come_before_a_checkpoint_with_an_id,
            writes_beside_nothing_are_refused,
            writes_go_where_their_checkpoint_goes,
            writes_of_namespaces_are_kept_apart,
            writes_are_counted_by_checkpoint,
            writes_of_many_checkpoints_are_read_together,
            runs_are_deleted_in_all_threads,
            numbers_go_on_after_a_run_was_deleted,
            threads_are_listed_by_last_use,
            threads_are_listed_between_two_times,
            threads_are_listed_by_metadata,
            threads_are_found_by_the_metadata_of_any_checkpoint,
            a_metadata_filter_finds_the_oldest_of_many,
            whatever_is_done_is_as_the_model_says,
            a_repeated_save_is_the_same_after_its_parent_went,
            what_is_loaded_while_others_prune_is_whole,
            a_list_of_threads_goes_on_behind_one_without_the_metadata,
            a_state_of_null_is_kept,
            lists_beside_values_that_change_are_kept,
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

pub async fn an_id_tells_numbers_apart_by_their_digits(tested: Tested) {
    let large = i128::from(u64::MAX) * 1_000;
    let raw = |text: &str| RawValue::from_string(text.into()).unwrap();
    for (id, texts) in [
        ("large", [large.to_string(), (large + 1).to_string()]),
        ("small", [(-large).to_string(), (-large - 1).to_string()]),
        ("zero", ["[0.0]".to_owned(), "[-0.0]".to_owned()]),
    ] {
        let [kept, other] = texts.map(|text| Checkpoint::new("thread", raw(&text)).with_id(id));
        assert!(tested.save(&kept).await.unwrap().is_new, "{id}");
        assert!(!tested.save(&kept).await.unwrap().is_new, "{id}");
        assert_differs(tested.save(&other).await, "state");
    }
    let zero = |zero: f64| {
        Checkpoint::new("thread", 1)
            .with_id("metadata")
            .with_metadata("zero", json!([zero]))
    };
    tested.save(&zero(-0.0)).await.unwrap();
    assert!(!tested.save(&zero(-0.0)).await.unwrap().is_new);
    assert_differs(tested.save(&zero(0.0)).await, "metadata");
}

/// Makes sure that a save was refused because its id belongs to a checkpoint that differs in a field.
fn assert_differs(refused: Result<Saved>, field: &str) {
    let Err(Error::IdConflict { differs, .. }) = refused else {
        panic!("{field}: {refused:?}");
    };
    assert_eq!(differs, [field]);
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

pub async fn a_filter_tells_zeros_apart(tested: Tested) {
    for (thread_id, zero) in [
        ("plus", json!(0.0)),
        ("minus", json!(-0.0)),
        ("whole", json!(0)),
    ] {
        let checkpoint = Checkpoint::new(thread_id, 1).with_metadata("zero", json!({"of": zero}));
        tested.save(&checkpoint).await.unwrap();
    }
    for (expected, zero) in [
        ("plus", json!(0.0)),
        ("minus", json!(-0.0)),
        ("whole", json!(0)),
    ] {
        let metadata = json!({"zero": {"of": zero}}).as_object().unwrap().clone();
        let query = ThreadQuery {
            metadata: metadata.clone(),
            ..ThreadQuery::default()
        };
        assert_eq!(threads_by(&tested, query).await, [expected]);
        let query = CheckpointQuery {
            metadata,
            ..CheckpointQuery::default()
        };
        for thread_id in ["plus", "minus", "whole"] {
            let found = list(&tested, thread_id, &query).await;
            assert_eq!(
                found.len(),
                usize::from(thread_id == expected),
                "{thread_id} {expected}"
            );
        }
    }
}

pub async fn a_list_of_an_unknown_thread_is_empty(tested: Tested) {
    save_numbers(&tested, "thread", 1).await;
    assert!(all(&tested, "nobody").await.is_empty());
}

async fn thread_ids(tested: &Tested, limit: Option<usize>, after: Option<&str>) -> Vec<String> {
    let after = after.map(str::to_owned);
    let query = ThreadQuery {
        limit,
        after,
        ..ThreadQuery::default()
    };
    let found = tested.threads(&query).await.unwrap();
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

pub async fn json_text_is_kept_with_its_spaces(tested: Tested) {
    let long = format!(
        "\n{{ \"list\" :\r\n[{}\t1 ]\n}}\n\n",
        "{ \"x\" :\n1 } ,\n".repeat(900)
    );
    let texts = [
        " 1",
        "1\n",
        "\n1",
        "{\n\t\"a\\n\":\n[1,\r\n2]}",
        "[ 1, 2 ]",
        &long,
    ];
    for text in texts {
        let checkpoint = Checkpoint::new("thread", StoredState::json(text))
            .with_id(text.get(..9).unwrap_or(text));
        assert!(tested.save_stored(checkpoint.clone()).await.unwrap().is_new);
        assert!(!tested.save_stored(checkpoint).await.unwrap().is_new);
        assert_eq!(
            load_in(&tested, &"thread".into()).await,
            Some(StoredState::json(text))
        );
    }
    tested.copy_thread("thread", "copy").await.unwrap();
    let query = CheckpointQuery::default();
    let found = tested.select(&"copy".into(), &query).await.unwrap();
    for (found, text) in found.iter().rev().zip(texts) {
        assert_eq!(found.state, StoredState::json(text));
    }
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

pub async fn stored_states_that_never_load_are_refused(tested: Tested) {
    let one = || Checkpoint::new("thread", StoredState::json("1"));
    for depth in [127, 200] {
        let deep = one().with_metadata("deep", nested(depth));
        let refused = tested.save_stored(deep).await;
        assert!(
            matches!(&refused, Err(Error::Unencodable { path, .. }) if path.starts_with("metadata.deep")),
            "{refused:?}"
        );
    }
    let no_json = [
        "", " ", "{", "1}", "1,2", "nul", "\"a\0b\"", "1\0", "\"\n\"",
    ];
    for text in no_json {
        let state = StoredState::json(text);
        let refused = tested.save_stored(one().map_state(|_| state)).await;
        let argument = "state";
        assert!(
            matches!(&refused, Err(Error::InvalidArgument { argument: named, .. }) if *named == argument),
            "{text:?}: {refused:?}"
        );
        let value = TypedValue::new(crate::JSON, text.as_bytes());
        let refused = tested.save_stored(one().map_state(|_| value)).await;
        assert!(
            matches!(refused, Err(Error::InvalidArgument { .. })),
            "{text:?}: {refused:?}"
        );
    }
    assert!(thread_ids(&tested, None, None).await.is_empty());
    let deep = one().with_metadata("deep", nested(126));
    assert_eq!(tested.save_stored(deep.clone()).await.unwrap().seq, 1);
    let found = load(&tested, "thread").await.unwrap();
    assert_eq!(found.metadata, deep.metadata);
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

/// Saves a state in a namespace of a thread, and returns its number.
async fn save_in(tested: &Tested, key: &Key, state: Value) -> u64 {
    let checkpoint = Checkpoint::new(&*key.thread_id, state).in_namespace(&*key.namespace);
    tested.save(&checkpoint).await.unwrap().seq
}

async fn load_in(tested: &Tested, key: &Key) -> Option<StoredState> {
    let found = tested.load_stored(key, &At::Latest).await.unwrap();
    found.map(|found| found.state)
}

fn stored(state: &Value) -> StoredState {
    StoredState::json(state.to_string())
}

pub async fn namespaces_are_kept_apart(tested: Tested) {
    let keys = ["", "child", "child|grandchild", "Child", "child "].map(|name| Key::new("t", name));
    for key in &keys {
        let state = json!({ "of": key.namespace });
        assert_eq!(save_in(&tested, key, state).await, 1, "{key}");
    }
    assert_eq!(save_in(&tested, &keys[1], json!(2)).await, 2);
    for key in &keys {
        let latest = tested.load_stored(key, &At::Latest).await.unwrap().unwrap();
        assert_eq!(
            (latest.thread_id.as_str(), &latest.namespace),
            ("t", &key.namespace)
        );
        let expected = if key == &keys[1] {
            json!(2)
        } else {
            json!({ "of": key.namespace })
        };
        assert_eq!(latest.state, stored(&expected), "{key}");
    }
    let none = load_in(&tested, &Key::new("t", "grandchild")).await;
    assert_eq!(none, None);
    assert_eq!(all(&tested, "t").await, [1]);
    let with_id = |name: &str| Checkpoint::new("t", 1).in_namespace(name).with_id("id");
    for name in ["", "child"] {
        assert!(tested.save(&with_id(name)).await.unwrap().is_new);
        assert!(!tested.save(&with_id(name)).await.unwrap().is_new);
    }
    for name in ["a\0b", &"x".repeat(513)] {
        let refused = tested.save(&with_id(name)).await;
        assert!(
            matches!(refused, Err(Error::InvalidArgument { .. })),
            "{refused:?}"
        );
    }
}

pub async fn namespaces_are_listed_and_go_with_their_thread(tested: Tested) {
    for (thread_id, name, count) in [("t", "", 2), ("t", "b", 1), ("t", "a", 3), ("u", "c", 1)] {
        for number in 1..=count {
            let checkpoint = Checkpoint::new(thread_id, number).in_namespace(name);
            let checkpoint = checkpoint.with_created_at(1_000 * number);
            tested.save(&checkpoint).await.unwrap();
        }
    }
    let listed = tested.namespaces("t").await.unwrap();
    let listed: Vec<_> = listed
        .iter()
        .map(|found| {
            (
                &*found.namespace,
                found.latest_seq,
                found.checkpoints,
                found.updated_at,
            )
        })
        .collect();
    assert_eq!(
        listed,
        [("", 2, 2, 2_000), ("a", 3, 3, 3_000), ("b", 1, 1, 1_000)]
    );
    assert!(tested.namespaces("nobody").await.unwrap().is_empty());
    let threads = tested.threads(&ThreadQuery::default()).await.unwrap();
    let threads: Vec<_> = threads
        .iter()
        .map(|found| {
            (
                &*found.thread_id,
                found.latest_seq,
                found.checkpoints,
                found.updated_at,
            )
        })
        .collect();
    assert_eq!(threads, [("t", 2, 6, 3_000), ("u", 0, 1, 1_000)]);

    assert_eq!(tested.copy_thread("t", "copy").await.unwrap(), 6);
    assert_eq!(tested.namespaces("copy").await.unwrap().len(), 3);
    assert_eq!(
        tested
            .prune(&Prune::keep_latest(1).of_thread("t"))
            .await
            .unwrap(),
        3
    );
    assert_eq!(tested.delete_thread("t").await.unwrap(), 3);
    assert!(tested.namespaces("t").await.unwrap().is_empty());
    assert_eq!(load_in(&tested, &Key::new("t", "a")).await, None);
    assert_eq!(tested.namespaces("copy").await.unwrap().len(), 3);
    // A thread may have no root.
    assert_eq!(tested.copy_thread("u", "v").await.unwrap(), 1);
    let refused = tested.copy_thread("copy", "v").await;
    assert!(
        matches!(refused, Err(Error::ThreadExists { .. })),
        "{refused:?}"
    );
}

pub async fn a_fork_has_of_other_namespaces_what_was_saved_by_then(tested: Tested) {
    for (name, time) in [
        ("", 10),
        ("child", 11),
        ("", 20),
        ("child", 21),
        ("late", 25),
        ("", 30),
    ] {
        let checkpoint = Checkpoint::new("t", time).in_namespace(name);
        tested
            .save(&checkpoint.with_created_at(time))
            .await
            .unwrap();
    }
    assert_eq!(tested.fork("t", 2, "fork").await.unwrap(), 3);
    let listed = tested.namespaces("fork").await.unwrap();
    let listed: Vec<_> = listed
        .iter()
        .map(|found| (&*found.namespace, found.latest_seq))
        .collect();
    assert_eq!(listed, [("", 2), ("child", 1)]);
    assert_eq!(
        save_in(&tested, &Key::new("fork", "child"), json!(1)).await,
        2
    );
}

pub async fn a_namespace_is_deleted_alone(tested: Tested) {
    let keys = [
        Key::from("t"),
        Key::new("t", "child"),
        Key::new("t", "other"),
    ];
    for key in &keys {
        save_in(&tested, key, json!(1)).await;
    }
    assert_eq!(tested.delete_namespace(&keys[1]).await.unwrap(), 1);
    assert_eq!(tested.delete_namespace(&keys[1]).await.unwrap(), 0);
    assert_eq!(load_in(&tested, &keys[1]).await, None);
    assert_eq!(tested.namespaces("t").await.unwrap().len(), 2);
    assert_eq!(save_in(&tested, &keys[1], json!(2)).await, 1);
}

pub async fn a_checkpointer_of_a_namespace_means_that_one(tested: Tested) {
    let child = Arc::clone(&tested).in_namespace("child");
    child.save(&Checkpoint::new("t", 1)).await.unwrap();
    tested.save(&Checkpoint::new("t", 2)).await.unwrap();
    let found = child.load_as::<u8>("t").await.unwrap().unwrap();
    assert_eq!((found.state, found.namespace.as_str()), (1, "child"));
    let found = tested.load_as::<u8>("t").await.unwrap().unwrap();
    assert_eq!((found.state, found.namespace.as_str()), (2, ""));
    child
        .put_writes(&"t".into(), &At::Seq(1), &writes("task", 1))
        .await
        .unwrap();
    assert_eq!(
        child
            .pending_writes(&"t".into(), &At::Latest)
            .await
            .unwrap()
            .len(),
        1
    );
    assert!(
        tested
            .pending_writes(&"t".into(), &At::Latest)
            .await
            .unwrap()
            .is_empty()
    );
}

pub async fn bytes_of_any_kind_are_kept_as_they_are(tested: Tested) {
    let every_byte: Vec<u8> = (0..=255).collect();
    let large = every_byte.repeat(4_096);
    for (kind, bytes) in [
        ("msgpack", &every_byte),
        ("pickle", &Vec::new()),
        ("x", &large),
    ] {
        let value = TypedValue::new(kind, bytes.as_slice());
        let checkpoint = Checkpoint::new(kind, value.clone()).with_id("id");
        assert!(tested.save_stored(checkpoint.clone()).await.unwrap().is_new);
        assert!(!tested.save_stored(checkpoint).await.unwrap().is_new);
        assert_eq!(
            load_in(&tested, &kind.into()).await,
            Some(StoredState::Value(value))
        );
        let typed = tested.load_as::<Value>(kind).await;
        assert!(matches!(typed, Err(Error::Undecodable { .. })), "{typed:?}");
        let other = Checkpoint::new(kind, TypedValue::new("other", bytes.as_slice())).with_id("id");
        let refused = tested.save_stored(other).await;
        assert!(
            matches!(refused, Err(Error::IdConflict { .. })),
            "{refused:?}"
        );
    }
    for kind in ["", "a\0"] {
        let value = TypedValue::new(kind, *b"1");
        let refused = tested.save_stored(Checkpoint::new("t", value)).await;
        assert!(
            matches!(refused, Err(Error::InvalidArgument { .. })),
            "{refused:?}"
        );
    }
}

/// A value with so many bytes that it is kept apart.
fn long(number: u64) -> TypedValue {
    let text = format!("{number} {}", "long ".repeat(100));
    TypedValue::new("text", text.as_bytes())
}

fn channels(tested: &[(&str, u64)]) -> Channels {
    tested
        .iter()
        .fold(Channels::new(), |channels, (name, number)| {
            channels.with(name, &number.to_string(), long(*number))
        })
}

async fn save_channels(tested: &Tested, checkpoint: Checkpoint<Channels>) -> u64 {
    tested.save_stored(checkpoint).await.unwrap().seq
}

async fn channels_at(tested: &Tested, thread_id: &str, seq: u64) -> Channels {
    let found = tested
        .load_stored(&thread_id.into(), &At::Seq(seq))
        .await
        .unwrap();
    match found.unwrap().state {
        StoredState::Channels(channels) => channels,
        other => panic!("{other:?}"),
    }
}

pub async fn channels_are_kept_by_name(tested: Tested) {
    let list = vec![TypedValue::new("a", *b"\0\xff"), TypedValue::new("b", *b"")];
    let state = channels(&[("one", 1), ("two", 2)])
        .with("", "", Content::List(Vec::new()))
        .with("list", "3.0001", list)
        .with("small", "", TypedValue::new("c", *b"c"));
    let refused = tested
        .save_stored(Checkpoint::new("t", state.clone()))
        .await;
    assert!(
        matches!(refused, Err(Error::InvalidArgument { .. })),
        "{refused:?}"
    );
    let mut state = state;
    let empty = state.0.remove("").unwrap();
    drop(state.0.insert("empty".into(), empty));
    for times in [1, 2, 3] {
        let checkpoint = Checkpoint::new("t", state.clone());
        assert_eq!(save_channels(&tested, checkpoint).await, times);
    }
    for seq in [1, 2, 3] {
        assert_eq!(channels_at(&tested, "t", seq).await, state);
    }
    let listed = tested
        .select(&"t".into(), &CheckpointQuery::default())
        .await
        .unwrap();
    assert!(
        listed
            .iter()
            .all(|found| found.state == StoredState::Channels(state.clone()))
    );
    save_channels(&tested, Checkpoint::new("t", Channels::new())).await;
    assert_eq!(channels_at(&tested, "t", 4).await, Channels::new());
}

pub async fn channels_follow_from_the_parent(tested: Tested) {
    let list = |numbers: std::ops::Range<u64>| -> Vec<TypedValue> { numbers.map(long).collect() };
    let first = channels(&[("kept", 1), ("changed", 1), ("gone", 1)]).with("list", "1", list(0..2));
    save_channels(&tested, Checkpoint::new("t", first)).await;
    for seq in 2..40 {
        let next = channels(&[("changed", seq)])
            .with("kept", "1", Content::Same)
            .with(
                "list",
                &seq.to_string(),
                Content::Appended(list(seq..seq + 1)),
            );
        let checkpoint = Checkpoint::new("t", next).with_parent(seq - 1);
        assert_eq!(save_channels(&tested, checkpoint).await, seq);
    }
    for seq in 2..40 {
        let version = seq.to_string();
        let expected = channels(&[("changed", seq), ("kept", 1)]);
        let expected = expected.with("list", &version, list(0..seq + 1));
        assert_eq!(channels_at(&tested, "t", seq).await, expected);
    }
}

pub async fn a_channel_that_the_parent_lacks_is_refused(tested: Tested) {
    save_channels(&tested, Checkpoint::new("t", channels(&[("a", 1)]))).await;
    save_numbers(&tested, "json", 1).await;
    let same = |name: &str| Channels::new().with(name, "1", Content::Same);
    let appended = Channels::new().with("a", "2", Content::Appended(vec![long(1)]));
    for checkpoint in [
        Checkpoint::new("t", same("a")),
        Checkpoint::new("t", same("b")).with_parent(1),
        Checkpoint::new("t", appended).with_parent(1),
        Checkpoint::new("t", same("a")).with_parent(2),
        Checkpoint::new("json", same("number")).with_parent(1),
        Checkpoint::new("new", same("a")),
    ] {
        let refused = tested.save_stored(checkpoint).await;
        assert!(
            matches!(refused, Err(Error::InvalidArgument { .. })),
            "{refused:?}"
        );
    }
    assert_eq!(thread_ids(&tested, None, None).await, ["json", "t"]);
    save_channels(&tested, Checkpoint::new("t", same("a")).with_parent(1)).await;
    tested.prune(&Prune::keep_latest(1)).await.unwrap();
    let pruned = tested
        .save_stored(Checkpoint::new("t", same("a")).with_parent(1))
        .await;
    assert!(
        matches!(pruned, Err(Error::InvalidArgument { .. })),
        "{pruned:?}"
    );
    assert_eq!(channels_at(&tested, "t", 2).await, channels(&[("a", 1)]));
}

pub async fn channels_of_json_load_as_a_type(tested: Tested) {
    let message = |number: u64| {
        TypedValue::json(&json!({ "content": "x".repeat(300), "number": number })).unwrap()
    };
    let state = Channels::new()
        .with("count", "1", TypedValue::json(&1).unwrap())
        .with("messages", "1", vec![message(0)]);
    save_channels(&tested, Checkpoint::new("t", state)).await;
    for seq in 2..20 {
        let next = Channels::new()
            .with("count", "1", TypedValue::json(&seq).unwrap())
            .with("messages", "1", Content::Appended(vec![message(seq - 1)]));
        save_channels(&tested, Checkpoint::new("t", next).with_parent(seq - 1)).await;
    }
    let loaded = load(&tested, "t").await.unwrap().state;
    assert_eq!(loaded["count"], json!(19));
    let messages = loaded["messages"].as_array().unwrap();
    let numbers: Vec<_> = messages
        .iter()
        .map(|message| message["number"].as_u64())
        .collect();
    assert_eq!(numbers, (0..19).map(Some).collect::<Vec<_>>());
    let mixed = channels(&[("a", 1)]).with("b", "1", TypedValue::json(&1).unwrap());
    save_channels(&tested, Checkpoint::new("t", mixed)).await;
    let typed = tested.load_as::<Value>("t").await;
    assert!(matches!(typed, Err(Error::Undecodable { .. })), "{typed:?}");
}

pub async fn a_channel_keeps_its_value_while_others_change(tested: Tested) {
    let name = |at: u64| format!("channel-{at:03}");
    let whole = (0..60).fold(Channels::new(), |all, at| {
        all.with(&name(at), "0", long(at))
    });
    save_channels(&tested, Checkpoint::new("t", whole.clone())).await;
    let (mut expected, mut history) = (whole, Vec::new());
    for seq in 2..150 {
        let changed = name(seq * 7 % 60);
        let next = (0..60).fold(Channels::new(), |all, at| {
            all.with(&name(at), "0", Content::Same)
        });
        let version = seq.to_string();
        let next = next.with(&changed, &version, long(1_000 + seq));
        expected = expected.with(&changed, &version, long(1_000 + seq));
        // A runtime that names no version of what stayed hands it over as it was.
        let next = next.0.into_iter().map(|(name, mut channel)| {
            if matches!(channel.content, Content::Same) {
                channel.version.clone_from(&expected.0[&name].version);
            }
            (name, channel)
        });
        let next = Checkpoint::new("t", Channels(next.collect())).with_parent(seq - 1);
        save_channels(&tested, next).await;
        history.push((seq, expected.clone()));
    }
    for (seq, expected) in history {
        assert_eq!(channels_at(&tested, "t", seq).await, expected, "{seq}");
    }
}

pub async fn what_was_appended_on_two_branches_stays_apart(tested: Tested) {
    let more = |number| Channels::new().with("list", "1", Content::Appended(vec![long(number)]));
    let list = |numbers: &[u64]| -> Channels {
        let values: Vec<_> = numbers.iter().map(|number| long(*number)).collect();
        Channels::new().with("list", "1", values)
    };
    save_channels(&tested, Checkpoint::new("t", list(&[0]))).await;
    for (parent, number) in [(1, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (1, 7)] {
        save_channels(
            &tested,
            Checkpoint::new("t", more(number)).with_parent(parent),
        )
        .await;
    }
    let expected: [&[u64]; 8] = [
        &[0],
        &[0, 1],
        &[0, 2],
        &[0, 1, 3],
        &[0, 2, 4],
        &[0, 1, 3, 5],
        &[0, 2, 4, 6],
        &[0, 7],
    ];
    for (seq, expected) in (1..).zip(expected) {
        assert_eq!(
            channels_at(&tested, "t", seq).await,
            list(expected),
            "{seq}"
        );
    }
}

pub async fn a_repeated_save_of_channels_is_the_same(tested: Tested) {
    save_channels(
        &tested,
        Checkpoint::new("t", channels(&[("a", 1), ("b", 1)])),
    )
    .await;
    let next = channels(&[("a", 2)]).with("b", "1", Content::Same);
    let next = Checkpoint::new("t", next).with_parent(1).with_id("id");
    let done = tested.save_stored(next.clone()).await.unwrap();
    assert_eq!((done.seq, done.is_new), (2, true));
    for again in [
        next.clone(),
        next.clone().map_state(|_| channels(&[("a", 2), ("b", 1)])),
    ] {
        let done = tested.save_stored(again).await.unwrap();
        assert_eq!((done.seq, done.is_new), (2, false));
    }
    let other = next.map_state(|_| channels(&[("a", 2), ("b", 2)]));
    let refused = tested.save_stored(other).await;
    assert!(
        matches!(refused, Err(Error::IdConflict { .. })),
        "{refused:?}"
    );
    assert_eq!(all_keys(&tested, "t").await, [2, 1]);
}

async fn all_keys(tested: &Tested, thread_id: &str) -> Vec<u64> {
    let found = tested
        .select(&thread_id.into(), &CheckpointQuery::default())
        .await
        .unwrap();
    found.iter().map(|found| found.seq).collect()
}

/// A conversation, as a state with serde has it.
fn conversation(messages: &[u64], step: u64) -> Value {
    let messages: Vec<_> = messages
        .iter()
        .map(|number| json!({ "role": "user", "content": format!("{number}: {}", "word, ] \" ".repeat(50)) }))
        .collect();
    json!({ "step": step, "data": { "messages": messages, "empty": [], "notes": "n".repeat(step as usize * 97 % 3_000) } })
}

/// Saves states as a thread, and checks that each of them loads.
async fn assert_history(tested: &Tested, thread_id: &str, states: &[Value]) {
    for state in states {
        tested
            .save(&Checkpoint::new(thread_id, state.clone()))
            .await
            .unwrap();
    }
    for (seq, state) in (1..).zip(states) {
        let found: Option<Checkpoint<Value>> = tested.load_at(thread_id, seq).await.unwrap();
        assert_eq!(found.unwrap().state, *state, "{seq}");
    }
    let listed = tested
        .list_as::<Value>(thread_id, &CheckpointQuery::default())
        .await
        .unwrap();
    let listed: Vec<_> = listed.into_iter().rev().map(|found| found.state).collect();
    assert_eq!(listed, states);
}

pub async fn long_lists_grow_shrink_and_change(tested: Tested) {
    let mut messages: Vec<u64> = Vec::new();
    let states: Vec<Value> = (0..120)
        .map(|step| {
            match step % 10 {
                7 => drop(messages.drain(..messages.len() / 3)),
                8 => messages.insert(messages.len() / 2, 10_000 + step),
                9 => drop(messages.pop()),
                _ => messages.extend([step, step]),
            }
            conversation(&messages, step)
        })
        .collect();
    assert_history(&tested, "t", &states).await;
}

pub async fn long_states_change_everywhere(tested: Tested) {
    let text = |number: usize| "x".repeat(number * 131 % 4_000);
    let states: Vec<Value> = (0..60)
        .map(|number| match number % 6 {
            0 => json!(text(number)),
            1 => json!((0..number * 50).collect::<Vec<_>>()),
            2 => json!([[text(number)], {"a": {"b": {"c": vec![text(number); 20]}}}]),
            3 => json!({"\"]": vec![json!({"k": text(number)}); number], "": text(9)}),
            4 => json!(vec![vec![text(40); 3]; 30]),
            _ => json!({"same": text(20), "number": number, "list": vec!["é\u{0}\n"; 2_000]}),
        })
        .collect();
    assert_history(&tested, "t", &states).await;
    let spaced = format!(
        "{{ \"a\" : [ {} 1 ] , \"b\":\t\"{}\" }}",
        "{ \"x\" : 1 } , ".repeat(900),
        "y".repeat(3_000)
    );
    let raw: Box<RawValue> = RawValue::from_string(spaced.clone()).unwrap();
    tested.save(&Checkpoint::new("t", raw)).await.unwrap();
    let loaded = load(&tested, "t").await.unwrap().state;
    assert_eq!(loaded, serde_json::from_str::<Value>(&spaced).unwrap());
}

pub async fn long_states_stay_readable_while_others_go(tested: Tested) {
    let states: Vec<Value> = (0..40_u64)
        .map(|step| conversation(&(step / 3..step * 2).collect::<Vec<_>>(), step))
        .collect();
    for (step, state) in (0..).zip(&states) {
        let checkpoint = Checkpoint::new("t", state.clone()).of_run(format!("run-{}", step % 4));
        tested
            .save(&checkpoint.with_created_at(1_000 + step))
            .await
            .unwrap();
    }
    let check = async |expected: Vec<u64>| {
        assert_eq!(all(&tested, "t").await, expected);
        for seq in expected {
            let found: Option<Checkpoint<Value>> = tested.load_at("t", seq).await.unwrap();
            assert_eq!(found.unwrap().state, states[seq as usize - 1], "{seq}");
        }
    };
    assert_eq!(tested.delete_runs(&["run-1".into()]).await.unwrap(), 10);
    check((1..=40).rev().filter(|seq| (seq - 1) % 4 != 1).collect()).await;
    assert_eq!(tested.prune(&Prune::older_than(1_020)).await.unwrap(), 15);
    check((21..=40).rev().filter(|seq| (seq - 1) % 4 != 1).collect()).await;
    assert_eq!(
        tested
            .delete_runs(&["run-3".into(), "run-0".into()])
            .await
            .unwrap(),
        10
    );
    check(vec![39, 35, 31, 27, 23]).await;
    tested.prune(&Prune::keep_latest(2)).await.unwrap();
    check(vec![39, 35]).await;
    let next = conversation(&[1, 2, 3], 41);
    assert_eq!(save_in(&tested, &"t".into(), next.clone()).await, 41);
    assert_eq!(load(&tested, "t").await.unwrap().state, next);
    let found: Option<Checkpoint<Value>> = tested.load_at("t", 35).await.unwrap();
    assert_eq!(found.unwrap().state, states[34]);
}

pub async fn copies_of_long_states_live_on_their_own(tested: Tested) {
    let states: Vec<Value> = (0..20_u64)
        .map(|step| conversation(&(0..step * 2).collect::<Vec<_>>(), step))
        .collect();
    assert_history(&tested, "t", &states).await;
    assert_eq!(tested.fork("t", 12, "fork").await.unwrap(), 12);
    assert_eq!(tested.copy_thread("t", "copy").await.unwrap(), 20);
    assert_eq!(tested.delete_thread("t").await.unwrap(), 20);
    for (thread_id, count) in [("fork", 12), ("copy", 20)] {
        for (seq, state) in (1..=count).zip(&states) {
            let found: Option<Checkpoint<Value>> = tested.load_at(thread_id, seq).await.unwrap();
            assert_eq!(found.unwrap().state, *state, "{thread_id} {seq}");
        }
        let next = conversation(&(0..50).collect::<Vec<_>>(), 50);
        assert_eq!(
            save_in(&tested, &thread_id.into(), next.clone()).await,
            count + 1
        );
        assert_eq!(load(&tested, thread_id).await.unwrap().state, next);
    }
}

/// Writes of a task.
fn writes(task_id: &str, number: u64) -> TaskWrites {
    TaskWrites::new(task_id).write("messages", long(number))
}

async fn pending(tested: &Tested, key: &Key, at: At) -> Vec<PendingWrite> {
    tested.pending_writes(key, &at).await.unwrap()
}

pub async fn writes_are_kept_beside_a_checkpoint(tested: Tested) {
    let key = Key::from("t");
    save_numbers(&tested, "t", 2).await;
    let one = TaskWrites::new("task-b")
        .at_path("~__pregel_pull, agent")
        .of_run("run")
        .write("messages", TypedValue::new("msgpack", *b"\x00\xff"))
        .write("messages", TypedValue::json(&[1, 2]).unwrap())
        .write("count", TypedValue::new("null", *b""));
    tested.put_writes(&key, &At::Seq(2), &one).await.unwrap();
    tested
        .put_writes(&key, &At::Latest, &writes("task-a", 1))
        .await
        .unwrap();
    let found = pending(&tested, &key, At::Seq(2)).await;
    // A task without a path comes first.
    let expected: Vec<_> = writes("task-a", 1).pending().chain(one.pending()).collect();
    assert_eq!(found, expected);
    assert_eq!(pending(&tested, &key, At::Latest).await, expected);
    assert!(pending(&tested, &key, At::Seq(1)).await.is_empty());
    assert!(
        pending(&tested, &"nobody".into(), At::Latest)
            .await
            .is_empty()
    );
    // The next step begins without any.
    save_numbers(&tested, "t", 1).await;
    assert!(pending(&tested, &key, At::Latest).await.is_empty());
    assert_eq!(pending(&tested, &key, At::Seq(2)).await, expected);
}

pub async fn writes_are_in_the_order_of_their_tasks_paths(tested: Tested) {
    let key = Key::from("t");
    save_numbers(&tested, "t", 1).await;
    // Sorted by bytes: a language would put `b` before `Z`, and `~` before letters.
    let in_order = [
        ("", "z"),
        ("Z", "m"),
        ("b", "a"),
        ("b", "c"),
        ("~__pregel_pull, n1", "b"),
        ("é", "a2"),
    ];
    for at in [3, 0, 5, 2, 4, 1] {
        let (path, task) = in_order[at];
        let of_task = writes(task, 1).write("more", long(2)).at_path(path);
        let put = tested.put_writes(&key, &At::Seq(1), &of_task).await;
        put.unwrap();
    }
    let found = pending(&tested, &key, At::Latest).await;
    let found: Vec<_> = found.iter().map(PendingWrite::order).collect();
    let expected: Vec<_> = in_order
        .iter()
        .flat_map(|(path, task)| [(*path, *task, 0), (*path, *task, 1)])
        .collect();
    assert_eq!(found, expected);
}

pub async fn writes_are_kept_once_and_special_ones_replaced(tested: Tested) {
    let key = Key::from("t");
    save_numbers(&tested, "t", 1).await;
    let put =
        async |writes: TaskWrites| tested.put_writes(&key, &At::Seq(1), &writes).await.unwrap();
    put(writes("task", 1).write("__interrupt__", long(2))).await;
    put(writes("task", 3)
        .write("__interrupt__", long(4))
        .write("more", long(5)))
    .await;
    put(TaskWrites::new("task")
        .write("__resume__", long(6))
        .write("__error__", long(7)))
    .await;
    put(TaskWrites::new("task")
        .write("__resume__", long(8))
        .write("__scheduled__", long(9)))
    .await;
    let found = pending(&tested, &key, At::Seq(1)).await;
    let found: Vec<_> = found
        .iter()
        .map(|found| {
            (
                found.write.index,
                &*found.write.channel,
                found.write.value.clone(),
            )
        })
        .collect();
    let expected = [
        (-4, "__resume__", long(8)),
        (-3, "__interrupt__", long(4)),
        (-2, "__scheduled__", long(9)),
        (-1, "__error__", long(7)),
        (0, "messages", long(1)),
        (2, "more", long(5)),
    ];
    assert_eq!(found, expected);
}

pub async fn writes_that_were_replaced_do_not_come_back(tested: Tested) {
    let key = Key::from("t");
    save_numbers(&tested, "t", 1).await;
    for (run, number) in [("a", 1), ("b", 2)] {
        let writes = writes("task", number).write("__resume__", long(number));
        let put = tested
            .put_writes(&key, &At::Seq(1), &writes.of_run(run))
            .await;
        put.unwrap();
    }
    let runs = async || {
        let found = pending(&tested, &key, At::Seq(1)).await;
        let runs = found
            .into_iter()
            .map(|found| (found.write.index, found.run_id.unwrap_or_default()));
        runs.collect::<Vec<_>>()
    };
    assert_eq!(runs().await, [(-4, "b".into()), (0, "a".into())]);
    tested.delete_runs(&["b".into()]).await.unwrap();
    assert_eq!(runs().await, [(0, "a".into())]);
    tested.delete_runs(&["a".into()]).await.unwrap();
    assert_eq!(runs().await, []);
}

pub async fn writes_of_one_call_settle_as_those_of_several(tested: Tested) {
    let key = Key::from("t");
    save_numbers(&tested, "t", 1).await;
    let mut twice = TaskWrites::new("task");
    for number in 1..=2 {
        for index in [-3, 0] {
            twice.writes.push(Write {
                index,
                channel: "channel".into(),
                value: long(number),
            });
        }
    }
    for _ in 0..2 {
        tested.put_writes(&key, &At::Seq(1), &twice).await.unwrap();
        let found = pending(&tested, &key, At::Seq(1)).await;
        let found: Vec<_> = found
            .into_iter()
            .map(|found| (found.write.index, found.write.value))
            .collect();
        assert_eq!(found, [(-3, long(2)), (0, long(1))]);
    }
}

/// What a task writes again and again, with something new on a special channel each time.
fn repeated(task: u64, time: u64) -> TaskWrites {
    writes(&format!("task {task:02}"), task)
        .write("more", long(1_000))
        .write("__resume__", long(time))
}

pub async fn writes_of_many_tasks_are_kept_beside_saves(tested: Tested) {
    save_numbers(&tested, "t", 1).await;
    let write = |task| {
        let tested = tested.clone();
        async move {
            for time in 1..=3 {
                let writes = repeated(task, time);
                let put = tested.put_writes(&"t".into(), &At::Seq(1), &writes).await;
                put.unwrap();
                let checkpoint = Checkpoint::new("t", json!({ "task": task }));
                tested.save(&checkpoint).await.unwrap();
            }
        }
    };
    tested.run((0..16).map(write)).await;
    let found = pending(&tested, &"t".into(), At::Seq(1)).await;
    let mut expected: Vec<_> = (0..16)
        .flat_map(|task| repeated(task, 3).pending().collect::<Vec<_>>())
        .collect();
    expected.sort_by(|one, other| one.order().cmp(&other.order()));
    assert_eq!(found, expected);
    let stored: Vec<u64> = (1..=49).rev().collect();
    assert_eq!(all(&tested, "t").await, stored);
}

pub async fn writes_that_are_refused_spoil_no_others(tested: Tested) {
    save_numbers(&tested, "t", 1).await;
    let write = |task| {
        let tested = tested.clone();
        async move {
            let at = At::Seq(if task == 7 { 99 } else { 1 });
            let writes = writes(&format!("task {task:02}"), task);
            (task, tested.put_writes(&"t".into(), &at, &writes).await)
        }
    };
    for (task, outcome) in tested.run((0..16).map(write)).await {
        match outcome {
            Err(Error::NotFound { seq, .. }) => assert_eq!((task, seq), (7, Some(99))),
            outcome => assert!(task != 7 && outcome.is_ok(), "{task}: {outcome:?}"),
        }
    }
    let found = pending(&tested, &"t".into(), At::Seq(1)).await;
    let expected: Vec<_> = (0..16)
        .filter(|task| *task != 7)
        .flat_map(|task| {
            let writes = writes(&format!("task {task:02}"), task);
            writes.pending().collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(found, expected);
}

pub async fn writes_may_come_before_a_checkpoint_with_an_id(tested: Tested) {
    let (key, at) = (Key::from("t"), At::Id("id".into()));
    tested
        .put_writes(&key, &at, &writes("task", 1))
        .await
        .unwrap();
    assert!(thread_ids(&tested, None, None).await.is_empty());
    assert_eq!(load(&tested, "t").await, None);
    tested
        .save(&Checkpoint::new("t", 1).with_id("id"))
        .await
        .unwrap();
    for at in [at, At::Latest, At::Seq(1)] {
        assert_eq!(pending(&tested, &key, at).await.len(), 1);
    }
    assert_eq!(all(&tested, "t").await, [1]);
}

pub async fn writes_beside_nothing_are_refused(tested: Tested) {
    save_numbers(&tested, "t", 1).await;
    for (thread_id, at) in [
        ("t", At::Seq(2)),
        ("nobody", At::Latest),
        ("nobody", At::Seq(1)),
    ] {
        let refused = tested
            .put_writes(&thread_id.into(), &at, &writes("task", 1))
            .await;
        assert!(
            matches!(refused, Err(Error::NotFound { .. })),
            "{refused:?}"
        );
    }
    for writes in [
        writes("", 1),
        writes("a\0", 1),
        writes(&"t".repeat(513), 1),
        writes("t", 1).write("", long(1)),
        writes("t", 1).write("a", TypedValue::new("", *b"")),
        writes("t", 1).of_run(""),
    ] {
        let refused = tested.put_writes(&"t".into(), &At::Seq(1), &writes).await;
        assert!(
            matches!(refused, Err(Error::InvalidArgument { .. })),
            "{refused:?}"
        );
    }
    assert_eq!(thread_ids(&tested, None, None).await, ["t"]);
    assert!(pending(&tested, &"t".into(), At::Latest).await.is_empty());
}

pub async fn writes_go_where_their_checkpoint_goes(tested: Tested) {
    let key = Key::from("t");
    for number in 1..=4 {
        let checkpoint = Checkpoint::new("t", number);
        let checkpoint = if number % 2 == 0 {
            checkpoint.with_id(number.to_string())
        } else {
            checkpoint
        };
        tested.save(&checkpoint).await.unwrap();
        tested
            .put_writes(&key, &At::Seq(number), &writes("task", number))
            .await
            .unwrap();
    }
    tested.fork("t", 2, "fork").await.unwrap();
    tested.copy_thread("t", "copy").await.unwrap();
    for (thread_id, seqs) in [("fork", 1..=2), ("copy", 1..=4)] {
        for seq in seqs {
            let expected: Vec<_> = writes("task", seq).pending().collect();
            assert_eq!(
                pending(&tested, &thread_id.into(), At::Seq(seq)).await,
                expected
            );
        }
    }
    assert_eq!(
        tested
            .prune(&Prune::keep_latest(1).of_thread("t"))
            .await
            .unwrap(),
        3
    );
    for at in [At::Seq(1), At::Seq(2), At::Id("2".into()), At::Seq(3)] {
        assert!(pending(&tested, &key, at).await.is_empty());
    }
    assert_eq!(pending(&tested, &key, At::Latest).await.len(), 1);
    tested.delete_thread("t").await.unwrap();
    save_numbers(&tested, "t", 3).await;
    tested
        .save(&Checkpoint::new("t", 4).with_id("4"))
        .await
        .unwrap();
    assert!(pending(&tested, &key, At::Latest).await.is_empty());
    assert_eq!(
        pending(&tested, &"copy".into(), At::Id("4".into()))
            .await
            .len(),
        1
    );
}

pub async fn writes_of_namespaces_are_kept_apart(tested: Tested) {
    let keys = [Key::from("t"), Key::new("t", "child")];
    for (number, key) in (1..).zip(&keys) {
        save_in(&tested, key, json!(1)).await;
        tested
            .put_writes(key, &At::Seq(1), &writes("task", number))
            .await
            .unwrap();
    }
    for (number, key) in (1..).zip(&keys) {
        let expected: Vec<_> = writes("task", number).pending().collect();
        assert_eq!(pending(&tested, key, At::Seq(1)).await, expected);
    }
}

async fn counted(tested: &Tested, key: &Key, seqs: &[u64]) -> Vec<u64> {
    tested.count_writes(key, seqs).await.unwrap()
}

pub async fn writes_are_counted_by_checkpoint(tested: Tested) {
    let (root, child) = (Key::from("t"), Key::new("t", "child"));
    save_numbers(&tested, "t", 2).await;
    let named = Checkpoint::new("t", json!(3)).with_id("three");
    tested.save(&named).await.unwrap();
    save_in(&tested, &child, json!(1)).await;
    let two = writes("task-b", 1).write("more", long(2));
    let failed = TaskWrites::new("task-a").write("__error__", long(1));
    // What is written again, or replaced, counts once.
    for _ in 0..2 {
        for (key, at, of_task) in [
            (&root, At::Seq(1), &failed),
            (&root, At::Id("three".into()), &failed),
            (&root, At::Seq(3), &two),
            (&child, At::Seq(1), &two),
        ] {
            tested.put_writes(key, &at, of_task).await.unwrap();
        }
    }
    let all = [3, 1, 2, 4, u64::MAX];
    assert_eq!(counted(&tested, &root, &all).await, [3, 1, 0, 0, 0]);
    assert_eq!(counted(&tested, &root, &[2]).await, [0]);
    assert!(counted(&tested, &root, &[]).await.is_empty());
    assert_eq!(counted(&tested, &child, &[1]).await, [2]);
    assert_eq!(counted(&tested, &"nobody".into(), &[1]).await, [0]);
}

pub async fn writes_of_many_checkpoints_are_read_together(tested: Tested) {
    // Ids with all that a list of them could take for its own.
    let ids = ["a", "b\"],\\ \u{1}", "é,'%", "#1"];
    for (number, id) in (1..).zip(ids) {
        let checkpoint = Checkpoint::new("t", number).with_id(id);
        tested.save(&checkpoint).await.unwrap();
    }
    save_numbers(&tested, "t", 2).await;
    let key = Key::from("t");
    let early = At::Id("early".into());
    let named = ids.map(|id| At::Id(id.to_owned()));
    let written = [&named[1], &named[2], &named[3], &At::Seq(5), &early];
    for (number, at) in (1..).zip(written) {
        for task in ["b", "a"] {
            let writes = writes(task, number).write("more", long(number + 10));
            tested.put_writes(&key, at, &writes).await.unwrap();
        }
    }
    let mut all = named.to_vec();
    all.extend([At::Seq(2), At::Seq(5), At::Latest, At::Seq(9), early]);
    all.push(At::Id("none".into()));
    let found = tested.pending_writes_of(&key, &all).await.unwrap();
    let counts: Vec<usize> = found.iter().map(Vec::len).collect();
    assert_eq!(counts, [0, 4, 4, 4, 4, 4, 0, 0, 4, 0]);
    for (at, found) in all.into_iter().zip(found) {
        assert_eq!(found, pending(&tested, &key, at).await);
    }
    for other in [Key::from("nobody"), Key::new("t", "child")] {
        let found = tested.pending_writes_of(&other, &named).await.unwrap();
        assert_eq!(found, vec![Vec::new(); 4], "{other}");
    }
    assert!(
        tested
            .pending_writes_of(&key, &[])
            .await
            .unwrap()
            .is_empty()
    );
}

pub async fn runs_are_deleted_in_all_threads(tested: Tested) {
    for (thread_id, name, runs) in [
        ("t", "", "aabba"),
        ("t", "child", "ab"),
        ("u", "", "a"),
        ("v", "", "b-"),
    ] {
        for (number, run) in (1_u64..).zip(runs.chars()) {
            let checkpoint = Checkpoint::new(thread_id, number).in_namespace(name);
            let checkpoint = if run == '-' {
                checkpoint
            } else {
                checkpoint.of_run(run)
            };
            tested.save(&checkpoint).await.unwrap();
        }
    }
    let v = Key::from("v");
    tested
        .put_writes(&v, &At::Seq(2), &writes("of-a", 1).of_run("a"))
        .await
        .unwrap();
    tested
        .put_writes(&v, &At::Seq(2), &writes("of-none", 1))
        .await
        .unwrap();
    tested
        .put_writes(&"t".into(), &At::Seq(5), &writes("of-b", 1).of_run("b"))
        .await
        .unwrap();
    assert_eq!(tested.delete_runs(&[]).await.unwrap(), 0);
    assert_eq!(tested.delete_runs(&["nobody".into()]).await.unwrap(), 0);
    assert_eq!(
        tested
            .delete_runs(&["a".into(), "nobody".into()])
            .await
            .unwrap(),
        5
    );
    assert_eq!(all(&tested, "t").await, [4, 3]);
    assert!(all(&tested, "u").await.is_empty());
    let child = tested
        .select(&Key::new("t", "child"), &CheckpointQuery::default())
        .await
        .unwrap();
    assert_eq!(
        child
            .iter()
            .map(|kept| (kept.seq, kept.run_id.as_deref()))
            .collect::<Vec<_>>(),
        [(2, Some("b"))]
    );
    assert_eq!(load(&tested, "t").await.unwrap().seq, 4);
    assert_eq!(thread_ids(&tested, None, None).await, ["t", "v"]);
    let left = pending(&tested, &v, At::Seq(2)).await;
    assert_eq!(
        left.iter().map(|left| &*left.task_id).collect::<Vec<_>>(),
        ["of-none"]
    );
    assert!(pending(&tested, &"t".into(), At::Seq(5)).await.is_empty());
    assert_eq!(tested.delete_runs(&["a".into()]).await.unwrap(), 0);
}

pub async fn numbers_go_on_after_a_run_was_deleted(tested: Tested) {
    for run in ["a", "b"] {
        tested
            .save(&Checkpoint::new("t", 1).of_run(run))
            .await
            .unwrap();
    }
    tested.delete_runs(&["b".into()]).await.unwrap();
    assert_eq!(save_in(&tested, &"t".into(), json!(1)).await, 3);
    assert_eq!(all(&tested, "t").await, [3, 1]);
    tested.delete_runs(&["a".into()]).await.unwrap();
    let next = Checkpoint::new("t", 1).with_parent(1);
    assert_eq!(tested.save(&next).await.unwrap().seq, 4);
}

async fn threads_by(tested: &Tested, query: ThreadQuery) -> Vec<String> {
    let found = tested.threads(&query).await.unwrap();
    found.into_iter().map(|thread| thread.thread_id).collect()
}

pub async fn threads_are_listed_by_last_use(tested: Tested) {
    for (thread_id, name, time) in [
        ("a", "", 5_000_000),
        ("b", "", 9),
        ("c", "", 5_000_000),
        ("d", "", 7),
        ("b", "child", 6_000_000),
        ("e", "", 5_000_001),
        ("c", "x", 1),
    ] {
        let checkpoint = Checkpoint::new(thread_id, 1).in_namespace(name);
        tested
            .save(&checkpoint.with_created_at(time))
            .await
            .unwrap();
    }
    let by_last_use = ThreadQuery {
        order: ThreadOrder::ByLastUse,
        ..ThreadQuery::default()
    };
    let everything = ["b", "e", "a", "c", "d"];
    assert_eq!(threads_by(&tested, by_last_use.clone()).await, everything);
    let mut paged = Vec::new();
    let mut after = None;
    loop {
        let page = ThreadQuery {
            limit: Some(2),
            after: after.clone(),
            ..by_last_use.clone()
        };
        let found = threads_by(&tested, page).await;
        let Some(last) = found.last() else {
            break;
        };
        after = Some(last.clone());
        paged.extend(found);
    }
    assert_eq!(paged, everything);
    let old = ThreadQuery {
        used_before: Some(5_000_001),
        ..by_last_use.clone()
    };
    assert_eq!(threads_by(&tested, old).await, ["a", "c", "d"]);
    let old = ThreadQuery {
        used_before: Some(5_000_000),
        ..ThreadQuery::default()
    };
    assert_eq!(threads_by(&tested, old).await, ["d"]);
    let gone = ThreadQuery {
        after: Some("nobody".into()),
        ..by_last_use.clone()
    };
    assert!(threads_by(&tested, gone).await.is_empty());
    tested.save(&Checkpoint::new("d", 2)).await.unwrap();
    assert_eq!(threads_by(&tested, by_last_use).await[0], "d");
}

pub async fn threads_are_listed_between_two_times(tested: Tested) {
    // Times of one slot and of others, ties, and a namespace that is older than its thread.
    for (thread_id, name, time) in [
        ("a", "", 5_000_000),
        ("b", "", 9),
        ("c", "", 5_000_000),
        ("d", "", 7),
        ("b", "child", 6_000_000),
        ("e", "", 5_000_001),
        ("c", "x", 1),
    ] {
        let checkpoint = Checkpoint::new(thread_id, 1).in_namespace(name);
        let checkpoint = checkpoint.with_metadata("odd", thread_id != "c");
        tested
            .save(&checkpoint.with_created_at(time))
            .await
            .unwrap();
    }
    let odd = json!({ "odd": true }).as_object().cloned().unwrap();
    for (since, before, by_id, by_use) in [
        (None, None, vec!["a", "b", "c", "d", "e"], "beacd"),
        (
            Some(0),
            Some(u64::MAX),
            vec!["a", "b", "c", "d", "e"],
            "beacd",
        ),
        (Some(5_000_000), None, vec!["a", "b", "c", "e"], "beac"),
        (Some(5_000_001), None, vec!["b", "e"], "be"),
        (None, Some(5_000_000), vec!["d"], "d"),
        (Some(7), Some(5_000_001), vec!["a", "c", "d"], "acd"),
        (Some(8), Some(5_000_001), vec!["a", "c"], "ac"),
        (Some(6_000_000), Some(6_000_000), vec![], ""),
        (Some(6_000_001), None, vec![], ""),
    ] {
        let query = ThreadQuery {
            used_since: since,
            used_before: before,
            ..ThreadQuery::default()
        };
        let name = format!("{since:?} {before:?}");
        assert_eq!(threads_by(&tested, query.clone()).await, by_id, "{name}");
        let recent = ThreadQuery {
            order: ThreadOrder::ByLastUse,
            ..query.clone()
        };
        assert_eq!(paged(&tested, &recent).await.concat(), by_use, "{name}");
        let odd = ThreadQuery {
            metadata: odd.clone(),
            ..query
        };
        let expected: Vec<_> = by_id.into_iter().filter(|id| *id != "c").collect();
        assert_eq!(paged(&tested, &odd).await, expected, "{name}");
        let odd = ThreadQuery {
            order: ThreadOrder::ByLastUse,
            ..odd
        };
        let expected = by_use.replace('c', "");
        assert_eq!(paged(&tested, &odd).await.concat(), expected, "{name}");
    }
}

/// Lists threads one at a time.
async fn paged(tested: &Tested, query: &ThreadQuery) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    loop {
        let page = ThreadQuery {
            limit: Some(1),
            after: all.last().cloned(),
            ..query.clone()
        };
        let found = threads_by(tested, page).await;
        if found.is_empty() {
            return all;
        }
        all.extend(found);
    }
}

pub async fn threads_are_listed_by_metadata(tested: Tested) {
    for (thread_id, user) in [
        ("a", "ada"),
        ("b", "bob"),
        ("c", "ada"),
        ("d", "ada"),
        ("e", ""),
    ] {
        for step in 0..3 {
            let checkpoint = Checkpoint::new(thread_id, step).with_metadata("step", step);
            let checkpoint = if user.is_empty() {
                checkpoint
            } else {
                checkpoint.with_metadata("user_id", user)
            };
            tested
                .save(&checkpoint.with_created_at(1_000 + step))
                .await
                .unwrap();
        }
    }
    let of = |entries: &[(&str, Value)]| ThreadQuery {
        metadata: entries
            .iter()
            .map(|(key, value)| ((*key).into(), value.clone()))
            .collect(),
        ..ThreadQuery::default()
    };
    let ada = of(&[("user_id", json!("ada"))]);
    assert_eq!(threads_by(&tested, ada.clone()).await, ["a", "c", "d"]);
    let page = ThreadQuery {
        limit: Some(1),
        after: Some("a".into()),
        ..ada.clone()
    };
    assert_eq!(threads_by(&tested, page).await, ["c"]);
    let both = of(&[("user_id", json!("ada")), ("step", json!(2))]);
    assert_eq!(threads_by(&tested, both).await, ["a", "c", "d"]);
    assert!(
        threads_by(&tested, of(&[("user_id", json!("eve"))]))
            .await
            .is_empty()
    );
    assert!(
        threads_by(
            &tested,
            of(&[("user_id", json!("ada")), ("step", json!(3))])
        )
        .await
        .is_empty()
    );
    tested
        .save(&Checkpoint::new("c", 9).with_created_at(9_999))
        .await
        .unwrap();
    let recent = ThreadQuery {
        order: ThreadOrder::ByLastUse,
        ..ada.clone()
    };
    assert_eq!(threads_by(&tested, recent.clone()).await, ["c", "a", "d"]);
    let recent = ThreadQuery {
        after: Some("c".into()),
        limit: Some(1),
        ..recent
    };
    assert_eq!(threads_by(&tested, recent).await, ["a"]);
    // What is gone is not found.
    tested.prune(&Prune::keep_latest(1)).await.unwrap();
    assert_eq!(threads_by(&tested, ada.clone()).await, ["a", "d"]);
    tested.delete_thread("a").await.unwrap();
    assert_eq!(threads_by(&tested, ada).await, ["d"]);
}

pub async fn threads_are_found_by_the_metadata_of_any_checkpoint(tested: Tested) {
    let save = async |thread_id: &str, name: &str, time: u64, entries: &[&str]| {
        let mut checkpoint = Checkpoint::new(thread_id, time).in_namespace(name);
        checkpoint.created_at = time;
        for entry in entries {
            checkpoint = checkpoint.with_metadata(*entry, true);
        }
        tested.save(&checkpoint).await.unwrap();
    };
    // The last one of all has it, the first of many, one in a namespace, and none: each has a half.
    save("last", "", 4, &[]).await;
    save("last", "", 9, &["a", "b"]).await;
    save("first", "", 1, &["a", "b"]).await;
    for time in 2..140 {
        save("first", "", time, &["b"]).await;
    }
    save("inner", "", 3, &["a"]).await;
    save("inner", "child", 4, &["a", "b"]).await;
    save("inner", "child", 5, &["b"]).await;
    save("inner", "other", 6, &[]).await;
    save("none", "", 7, &["a"]).await;
    save("none", "", 8, &["b"]).await;
    save("none", "child", 9, &["c"]).await;
    let metadata = json!({ "a": true, "b": true });
    let mut query = ThreadQuery {
        metadata: metadata.as_object().cloned().unwrap(),
        ..ThreadQuery::default()
    };
    let by_id = ["first", "inner", "last"];
    assert_eq!(threads_by(&tested, query.clone()).await, by_id);
    assert_eq!(paged(&tested, &query).await, by_id);
    query.order = ThreadOrder::ByLastUse;
    let by_use = ["first", "last", "inner"];
    assert_eq!(threads_by(&tested, query.clone()).await, by_use);
    assert_eq!(paged(&tested, &query).await, by_use);
}

pub async fn a_metadata_filter_finds_the_oldest_of_many(tested: Tested) {
    for number in 1..=300_u64 {
        let checkpoint = Checkpoint::new("t", number).with_metadata("same", "x");
        let checkpoint = match number {
            3 | 150 => checkpoint.with_metadata("rare", json!({"b": 1.5, "a": [null]})),
            _ => checkpoint,
        };
        tested.save(&checkpoint).await.unwrap();
    }
    let of = |entries: Value| CheckpointQuery {
        metadata: entries.as_object().cloned().unwrap_or_default(),
        ..CheckpointQuery::default()
    };
    let rare = of(json!({"rare": {"a": [null], "b": 1.5}}));
    assert_eq!(list(&tested, "t", &rare).await, [150, 3]);
    let earlier = CheckpointQuery {
        before: Some(150),
        ..rare.clone()
    };
    assert_eq!(list(&tested, "t", &earlier).await, [3]);
    let both = of(json!({"same": "x", "rare": {"a": [null], "b": 1.5}}));
    assert_eq!(list(&tested, "t", &both).await, [150, 3]);
    assert!(
        list(&tested, "t", &of(json!({"same": "y"})))
            .await
            .is_empty()
    );
    assert!(
        list(&tested, "t", &of(json!({"same": "x", "never": 1})))
            .await
            .is_empty()
    );
    let newest = CheckpointQuery {
        limit: Some(2),
        ..of(json!({"same": "x"}))
    };
    assert_eq!(list(&tested, "t", &newest).await, [300, 299]);
    assert_eq!(
        list(&tested, "t", &of(json!({"same": "x"}))).await.len(),
        300
    );
    tested.fork("t", 100, "fork").await.unwrap();
    assert_eq!(list(&tested, "fork", &rare).await, [3]);
}

pub async fn whatever_is_done_is_as_the_model_says(tested: Tested) {
    for seed in [7, fresh_seed()] {
        do_as_the_model(seed, 300, async || Arc::clone(&tested.records)).await;
    }
}

// What an audit found on databases.

pub async fn a_repeated_save_is_the_same_after_its_parent_went(tested: Tested) {
    let small = |number: u64| TypedValue::json(&number).unwrap();
    for (thread_id, value) in [("small", small as fn(u64) -> TypedValue), ("large", long)] {
        let list = |numbers: &[u64]| Content::List(numbers.iter().copied().map(value).collect());
        let whole = |new| {
            let state = Channels::new().with("kept", "1", value(1));
            let state = state.with("list", "2", list(&[1, 2, 3]));
            state.with("new", "1", value(new))
        };
        let next = |version, appended, new| {
            let more = Content::Appended(vec![value(2), value(appended)]);
            let state = Channels::new().with("kept", "1", Content::Same);
            let state = state.with("list", version, more);
            state.with("new", "1", value(new))
        };
        let first = Channels::new().with("kept", "1", value(1));
        let first = first.with("list", "1", list(&[1]));
        save_channels(&tested, Checkpoint::new(thread_id, first)).await;
        let save = async |state: Channels, parent_seq| {
            let checkpoint = Checkpoint::new(thread_id, state).with_id("id");
            tested.save_stored(checkpoint.with_parent(parent_seq)).await
        };
        assert!(save(next("2", 3, 4), 1).await.unwrap().is_new);
        tested.prune(&Prune::keep_latest(1)).await.unwrap();
        for again in [next("2", 3, 4), whole(4)] {
            let done = save(again, 1).await.unwrap();
            assert_eq!((done.seq, done.is_new), (2, false), "{thread_id}");
        }
        let lacking = next("2", 3, 4).with("more", "1", Content::Same);
        for (other, parent_seq) in [
            (next("2", 3, 5), 1),
            (next("2", 5, 4), 1),
            (next("3", 3, 4), 1),
            (lacking, 1),
            (whole(5), 1),
            (next("2", 3, 4), 2),
            (next("2", 3, 4), 9),
        ] {
            let refused = save(other, parent_seq).await;
            assert!(
                matches!(refused, Err(Error::IdConflict { .. })),
                "{thread_id}: {refused:?}"
            );
        }
    }
}

/// Returns the state of a number, which shares most of its messages with the one before.
fn sliding(number: u64) -> Value {
    conversation(&(number..number + 12).collect::<Vec<_>>(), number)
}

async fn save_and_prune(tested: &Tested, done: &AtomicBool) {
    for number in 0..150 {
        let checkpoint = Checkpoint::new("t", sliding(number));
        tested.save(&checkpoint).await.unwrap();
        tested.prune(&Prune::keep_latest(1)).await.unwrap();
    }
    done.store(true, Ordering::Release);
}

async fn load_until(tested: &Tested, done: &AtomicBool) {
    while !done.load(Ordering::Acquire) {
        let latest = load(tested, "t").await;
        let query = CheckpointQuery::default();
        let listed = tested.list_as("t", &query).await.unwrap();
        for found in latest.into_iter().chain(listed) {
            let number = found.state["step"].as_u64().unwrap();
            assert_eq!(found.state, sliding(number), "{}", found.seq);
        }
    }
}

pub async fn what_is_loaded_while_others_prune_is_whole(tested: Tested) {
    let done = Arc::new(AtomicBool::new(false));
    let tasks = (0..3).map(|task| {
        let (tested, done) = (tested.clone(), Arc::clone(&done));
        async move {
            match task {
                0 => save_and_prune(&tested, &done).await,
                _ => load_until(&tested, &done).await,
            }
        }
    });
    tested.run(tasks).await;
}

pub async fn a_list_of_threads_goes_on_behind_one_without_the_metadata(tested: Tested) {
    for (time, thread_id) in (1..).zip(["d", "b", "c", "a", "e"]) {
        let checkpoint = Checkpoint::new(thread_id, time).with_created_at(time);
        let checkpoint = checkpoint.with_metadata("all", 1).of_run(thread_id);
        let checkpoint = match thread_id {
            "c" => checkpoint,
            _ => checkpoint.with_metadata("user", "ada"),
        };
        tested.save(&checkpoint).await.unwrap();
    }
    for (metadata, order, after, expected) in [
        (
            json!({"user": "ada"}),
            ThreadOrder::ByLastUse,
            "c",
            vec!["b", "d"],
        ),
        (
            json!({"user": "ada"}),
            ThreadOrder::ByLastUse,
            "a",
            vec!["b", "d"],
        ),
        (
            json!({"user": "ada"}),
            ThreadOrder::ByLastUse,
            "none",
            vec![],
        ),
        (
            json!({"user": "ada"}),
            ThreadOrder::ById,
            "c",
            vec!["d", "e"],
        ),
        (
            json!({"user": "ada"}),
            ThreadOrder::ById,
            "bb",
            vec!["d", "e"],
        ),
        (
            json!({"all": 1, "user": "ada"}),
            ThreadOrder::ById,
            "a",
            vec!["b", "d", "e"],
        ),
        (
            json!({"all": 1, "user": "bob"}),
            ThreadOrder::ById,
            "",
            vec![],
        ),
    ] {
        let query = ThreadQuery {
            order,
            after: Some(after.to_owned()),
            metadata: metadata.as_object().cloned().unwrap(),
            ..ThreadQuery::default()
        };
        assert_eq!(
            threads_by(&tested, query).await,
            expected,
            "{metadata} {after}"
        );
    }
}
