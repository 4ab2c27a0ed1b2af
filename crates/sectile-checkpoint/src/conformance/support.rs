//! What the cases have in common.

use serde_json::{Value, json};

use super::tested::Tested;
use crate::{
    At, Checkpoint, CheckpointHistory as _, CheckpointQuery, Checkpointer as _, Key, PendingWrite,
    RecordsExt as _, StoredState, TaskWrites, ThreadQuery, Threads as _, TypedValue,
};

/// Names that a database, a file system or a pattern may take for something else.
pub(super) const HARD_NAMES: [&str; 19] = [
    "' OR 1=1 --",
    "\"",
    "100%",
    "a_b",
    "\\",
    "../../etc/passwd",
    "/",
    ".",
    "con",
    "node:1|child:2",
    "line\nbreak",
    "\u{202e}right to left",
    "مرحبا",
    "é",
    "e\u{301}",
    "👩‍🚀",
    "\u{1}",
    " ",
    "NULL",
];

/// The numbers of a list.
pub(super) fn seqs(found: &[Checkpoint<Value>]) -> Vec<u64> {
    found.iter().map(|checkpoint| checkpoint.seq).collect()
}

/// Saves the numbers 1 to `count` as the states of a thread.
pub(super) async fn save_numbers(tested: &Tested, thread_id: &str, count: u64) {
    for number in 1..=count {
        let checkpoint = Checkpoint::new(thread_id, json!({ "number": number }))
            .at_step(number, "count")
            .with_created_at(1_000 * number)
            .with_metadata("number", number)
            .with_metadata("even", number % 2 == 0);
        tested.save(&checkpoint).await.unwrap();
    }
}

pub(super) async fn list(tested: &Tested, thread_id: &str, query: &CheckpointQuery) -> Vec<u64> {
    seqs(&tested.list(thread_id, query).await.unwrap())
}

pub(super) async fn all(tested: &Tested, thread_id: &str) -> Vec<u64> {
    list(tested, thread_id, &CheckpointQuery::default()).await
}

pub(super) async fn load(tested: &Tested, thread_id: &str) -> Option<Checkpoint<Value>> {
    tested.load(thread_id).await.unwrap()
}

pub(super) async fn thread_ids(
    tested: &Tested,
    limit: Option<usize>,
    after: Option<&str>,
) -> Vec<String> {
    let after = after.map(str::to_owned);
    let query = ThreadQuery {
        limit,
        after,
        ..ThreadQuery::default()
    };
    let found = tested.threads(&query).await.unwrap();
    found.into_iter().map(|thread| thread.thread_id).collect()
}

/// Returns a number that looks random, and is the same at every run (the generator is splitmix64).
pub(super) fn next_number(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Numbers that look random, the same at every run.
pub(super) fn numbers(count: usize) -> impl Iterator<Item = u64> {
    let mut state = 7;
    std::iter::repeat_with(move || next_number(&mut state)).take(count)
}

/// Saves a state in a namespace of a thread, and returns its number.
pub(super) async fn save_in(tested: &Tested, key: &Key, state: Value) -> u64 {
    let checkpoint = Checkpoint::new(&*key.thread_id, state).in_namespace(&*key.namespace);
    tested.save(&checkpoint).await.unwrap().seq
}

pub(super) async fn load_in(tested: &Tested, key: &Key) -> Option<StoredState> {
    let found = tested.load_stored(key, &At::Latest).await.unwrap();
    found.map(|found| found.state)
}

pub(super) fn stored(state: &Value) -> StoredState {
    StoredState::json(state.to_string())
}

/// A value with so many bytes that it is kept apart.
pub(super) fn long(number: u64) -> TypedValue {
    let text = format!("{number} {}", "long ".repeat(100));
    TypedValue::new("text", text.as_bytes())
}

pub(super) async fn all_keys(tested: &Tested, thread_id: &str) -> Vec<u64> {
    let found = tested
        .select(&thread_id.into(), &CheckpointQuery::default())
        .await
        .unwrap();
    found.iter().map(|found| found.seq).collect()
}

/// A conversation, as a state with serde has it.
pub(super) fn conversation(messages: &[u64], step: u64) -> Value {
    let messages: Vec<_> = messages
        .iter()
        .map(|number| json!({ "role": "user", "content": format!("{number}: {}", "word, ] \" ".repeat(50)) }))
        .collect();
    json!({ "step": step, "data": { "messages": messages, "empty": [], "notes": "n".repeat(step as usize * 97 % 3_000) } })
}

/// Writes of a task.
pub(super) fn writes(task_id: &str, number: u64) -> TaskWrites {
    TaskWrites::new(task_id).write("messages", long(number))
}

pub(super) async fn pending(tested: &Tested, key: &Key, at: At) -> Vec<PendingWrite> {
    tested.pending_writes(key, &at).await.unwrap()
}

pub(super) async fn threads_by(tested: &Tested, query: ThreadQuery) -> Vec<String> {
    let found = tested.threads(&query).await.unwrap();
    found.into_iter().map(|thread| thread.thread_id).collect()
}
