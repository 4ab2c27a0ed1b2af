//! What the tests of both engines and the program that they kill have in common.

use std::sync::Arc;

use anyhow::Result;
use sectile::checkpoint::{Channels, Checkpoint, Content, Key, Records, TaskWrites, TypedValue};
use sectile::{CheckpointOptions, Checkpoints};
use serde_json::{Value, json};

/// How many checkpoints of each namespace stay when the program prunes.
pub const KEPT: u64 = 6;

/// Connects to an engine, with projections.
///
/// # Errors
///
/// What the engine reports.
pub async fn connect(url: &str) -> sectile::checkpoint::Result<Checkpoints> {
    let options = CheckpointOptions {
        create: true,
        enable_projections: true,
        ..CheckpointOptions::default()
    };
    Checkpoints::connect(url, &options).await
}

/// Connects to an engine and makes its tables.
///
/// # Errors
///
/// What the engine reports.
pub async fn open(url: &str) -> Result<Arc<dyn Records>> {
    let checkpoints = connect(url).await?;
    checkpoints.migrate().await?;
    Ok(checkpoints.records())
}

/// Returns a checkpoint of which every part says its number: a conversation that grows, and is now
/// and then written anew, as one is that was summarized.
pub fn numbered(thread_id: &str, number: u64) -> Checkpoint<Value> {
    let first = number - number % 20;
    let message = |at: u64| json!({"role": "user", "content": format!("message {at}")});
    let messages: Vec<Value> = (first..=number).map(message).collect();
    let state = json!({
        "number": number,
        "messages": messages,
        "triples": [["run", "has reached", format!("step {}", number / 7)]],
    });
    Checkpoint::new(thread_id, state)
        .at_step(number, "node")
        .with_metadata("title", format!("number {number}"))
}

/// Returns a message of a conversation, as a value.
pub fn message(number: u64) -> TypedValue {
    let content = format!("message {number}: {}", "a long one ".repeat(60));
    let message = json!({"role": "user", "content": content});
    TypedValue::new("json", message.to_string().as_bytes())
}

/// Returns the writes of a task: two of one call, of which both are kept or none.
pub fn writes(task_id: &str, number: u64) -> TaskWrites {
    TaskWrites::new(task_id)
        .write("messages", message(number))
        .write("copies", message(number))
}

/// Returns a checkpoint of channels that follows from the one before, whose number is one less: a
/// conversation that grows, and is now and then written anew.
pub fn grown(thread_id: &str, number: u64) -> Checkpoint<Channels> {
    let first = number - number % 20;
    let is_new = number == 1 || number == first;
    let mut checkpoint = conversation(thread_id, first, number, is_new);
    checkpoint.parent_seq = (number > 1).then(|| number - 1);
    checkpoint
}

/// How many messages the conversation of a run begins with: enough for pieces.
const MESSAGES_OF_RUN: u64 = 20;

/// Returns a checkpoint of a run whose conversation grows from a parent, of this run or another one.
/// It begins where there is no parent, and is now and then written anew.
pub fn of_run(key: &Key, number: u64, run: &str, parent: Option<u64>) -> Checkpoint<Channels> {
    let first = number.saturating_sub(MESSAGES_OF_RUN);
    let is_new = parent.is_none() || number.is_multiple_of(MESSAGES_OF_RUN);
    let mut checkpoint = conversation(&key.thread_id, first, number, is_new)
        .in_namespace(&*key.namespace)
        .of_run(run);
    checkpoint.parent_seq = parent;
    checkpoint
}

/// Returns a checkpoint with the messages from the first number to the last, whole or as one that adds
/// the last message to its parent.
fn conversation(thread_id: &str, first: u64, number: u64, is_whole: bool) -> Checkpoint<Channels> {
    let (messages, kept) = if is_whole {
        let messages = (first..=number).map(message).collect();
        (Content::List(messages), Content::Value(message(first)))
    } else {
        (Content::Appended(vec![message(number)]), Content::Same)
    };
    let triple = json!([["run", "has reached", format!("step {}", number / 7)]]);
    let triple = TypedValue::new("json", triple.to_string().as_bytes());
    let count = TypedValue::new("json", number.to_string().as_bytes());
    let state = Channels::new()
        .with("kept", &first.to_string(), kept)
        .with("messages", &number.to_string(), messages)
        .with("number", &number.to_string(), count)
        .with("triples", &number.to_string(), triple);
    Checkpoint::new(thread_id, state)
        .at_step(number, "node")
        .with_metadata("title", format!("number {number}"))
}
