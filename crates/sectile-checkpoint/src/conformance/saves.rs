//! Checkpoints are saved and loaded, and belong to ids and parents.

use std::sync::Arc;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::support::{all, load, save_numbers, thread_ids};
use super::tested::Tested;
use crate::{
    At, Checkpoint, CheckpointHistory as _, CheckpointQuery, Checkpointer as _, Error, Prune,
    Records, RecordsExt as _, Result, Saved, Threads as _,
};

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
