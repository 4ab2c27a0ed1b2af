//! What the tests of both engines and the program that they kill have in common.

use std::sync::Arc;

use anyhow::Result;
use sectile::checkpoint::{Checkpoint, Records};
use sectile::{CheckpointOptions, Checkpoints};
use serde_json::{Value, json};

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
