//! What threads take, as stored and whole, and what checkpoints share.

use std::sync::Arc;

use sectile_checkpoint::{
    At, Channels, Checkpoint, Checkpointer as _, Codec, Coded, Content, Key, Prune, Records,
    RecordsExt as _, Result, Sharing, StoredState, TaskWrites, Threads as _, TypedValue, Usage,
};

use crate::engine::{Engine, fresh};

/// A state that is kept in pieces, of so many entries.
fn long(entries: usize) -> Vec<String> {
    let entry = |at: usize| format!("{at}: {}", "word ".repeat(200));
    (0..entries).map(entry).collect()
}

/// Returns what the only namespace takes.
async fn only_usage(checkpointer: &Engine) -> Usage {
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
async fn bytes_of_a_kind_are_stored_as_they_are() {
    let (_guard, checkpointer) = fresh().await;
    // What does not compress (the generator is a linear congruential one).
    let mut state = 1_u64;
    let noise = std::iter::repeat_with(|| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as u8
    });
    let value = TypedValue::new("msgpack", noise.take(10_000).collect::<Vec<_>>());
    let channels = Channels::new().with("messages", "1", vec![value.clone()]);
    let writes = TaskWrites::new("task").write("answer", value.clone());
    let key = Key::from("t");
    for state in [StoredState::Value(value), StoredState::Channels(channels)] {
        let checkpoint = Checkpoint::new("t", state);
        checkpointer.save_stored(checkpoint).await.unwrap();
        let put = checkpointer.put_writes(&key, &At::Latest, &writes).await;
        put.unwrap();
    }
    // Two states and two writes. In base64 they would have a third more.
    let usage = only_usage(&checkpointer).await;
    assert!((40_000..41_000).contains(&usage.stored_bytes), "{usage:?}");
}

#[tokio::test]
async fn what_stands_beside_states_is_in_both_sizes() {
    let (_guard, checkpointer) = fresh().await;
    for entries in [20, 21] {
        let checkpoint = Checkpoint::new("t", long(entries));
        checkpointer.save(&checkpoint).await.unwrap();
    }
    let before = only_usage(&checkpointer).await;
    assert!(
        before.stored_bytes * 3 < before.whole_bytes * 2,
        "{before:?}"
    );
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

/// Says what a checkpoint of the thread `t` shares.
async fn sharing(records: &dyn Records, at: At) -> Option<Sharing> {
    records.sharing(&"t".into(), &at).await.unwrap()
}

#[tokio::test]
async fn a_checkpoint_shares_what_the_one_before_has() {
    let (_guard, checkpointer) = fresh().await;
    for entries in [20, 21, 1] {
        let checkpoint = Checkpoint::new("t", long(entries)).with_id(format!("{entries} entries"));
        checkpointer.save(&checkpoint).await.unwrap();
    }
    let first = sharing(&checkpointer, At::Seq(1)).await.unwrap();
    assert_eq!(
        (first.with_seq, first.pieces, first.shared),
        (None, 20, 0),
        "{first:?}"
    );
    let second = sharing(&checkpointer, At::Seq(2)).await.unwrap();
    assert_eq!(
        (second.with_seq, second.pieces, second.shared),
        (Some(1), 21, 20),
        "{second:?}"
    );
    let json = serde_json::to_string(&long(21)).unwrap();
    assert_eq!(second.whole_bytes, json.len() as u64);
    assert!(second.added_bytes * 5 < first.added_bytes, "{second:?}");
    let by_id = sharing(&checkpointer, At::Id("21 entries".into())).await;
    assert_eq!(by_id, Some(second.clone()));
    // What they added is all that is stored, with an empty queue and no metadata for each.
    let last = serde_json::to_string(&long(1)).unwrap();
    let usage = only_usage(&checkpointer).await;
    let added = first.added_bytes + second.added_bytes + last.len() as u64;
    assert_eq!(usage.stored_bytes, added + 3 * "[]{}".len() as u64);
    // A small state has no pieces, and a checkpoint that is not there has none.
    for none in [At::Latest, At::Seq(3), At::Seq(4), At::Id("none".into())] {
        assert_eq!(sharing(&checkpointer, none).await, None);
    }
}

/// Returns channels whose messages are kept in pieces.
fn channels(version: &str, messages: impl Into<Content>, plan: impl Into<Content>) -> Channels {
    Channels::new()
        .with("messages", version, messages)
        .with("plan", "1", plan)
}

fn messages(entries: usize) -> Vec<TypedValue> {
    let texts = long(entries).into_iter();
    texts.map(|text| TypedValue::json(&text).unwrap()).collect()
}

#[tokio::test]
async fn a_branch_shares_what_its_parent_has() {
    let (_guard, checkpointer) = fresh().await;
    let plan = TypedValue::json("ask").unwrap();
    let first = Checkpoint::new("t", channels("1", messages(20), plan));
    checkpointer.save_stored(first).await.unwrap();
    for branch in ["left", "right"] {
        let appended = vec![TypedValue::json(branch).unwrap()];
        let state = channels("2", Content::Appended(appended), Content::Same);
        let next = Checkpoint::new("t", state).with_parent(1);
        checkpointer.save_stored(next).await.unwrap();
    }
    for at in [At::Seq(2), At::Latest] {
        let branch = sharing(&checkpointer, at).await.unwrap();
        assert_eq!(branch.with_seq, Some(1));
        assert_eq!((branch.pieces, branch.shared), (22, 21));
    }
    checkpointer.prune(&Prune::keep_latest(1)).await.unwrap();
    let alone = sharing(&checkpointer, At::Latest).await.unwrap();
    assert_eq!(
        (alone.with_seq, alone.pieces, alone.shared),
        (None, 22, 0),
        "{alone:?}"
    );
}

/// A codec that changes nothing.
struct Unchanged;

impl Codec for Unchanged {
    fn seal(&self, value: TypedValue) -> Result<TypedValue> {
        Ok(value)
    }

    fn open(&self, value: TypedValue) -> Result<TypedValue> {
        Ok(value)
    }
}

#[tokio::test]
async fn what_is_shared_is_seen_through_pointers_namespaces_and_codecs() {
    let (_guard, checkpointer) = fresh().await;
    let child = checkpointer.clone().in_namespace("child");
    for entries in [20, 21] {
        let plan = TypedValue::json("ask").unwrap();
        let state = channels("1", messages(entries), plan);
        child
            .save_stored(Checkpoint::new("t", state))
            .await
            .unwrap();
    }
    let key = Key::new("t", "child");
    let found = checkpointer.sharing(&key, &At::Latest).await.unwrap();
    assert_eq!(found.as_ref().map(|found| found.shared), Some(21));
    assert_eq!(sharing(&child, At::Latest).await, found);
    assert_eq!(sharing(&checkpointer, At::Latest).await, None);
    let pointer: Arc<dyn Records> = Arc::new(child.clone());
    assert_eq!(sharing(&pointer, At::Latest).await, found);
    let coded = Coded::new(child, Unchanged);
    assert_eq!(sharing(&coded, At::Latest).await, found);
}
