//! Writes a small database with the checkpointers that Wesichain publishes: the fixtures of
//! `sectile-checkpoint-wesichain`.
//!
//! ```sh
//! cargo run --bin write-wesichain-database -- "sqlite:wesichain.db?mode=rwc"
//! cargo run --bin write-wesichain-database -- postgres://postgres:postgres@localhost/wesichain
//! ```

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use wesichain_checkpoint_postgres::PostgresCheckpointer;
use wesichain_checkpoint_sqlite::SqliteCheckpointer;
use wesichain_core::checkpoint::{Checkpoint, Checkpointer};
use wesichain_core::state::{GraphState, StateSchema};

/// The state of the tests' graph.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Story {
    lines: Vec<String>,
    weight: f64,
}

impl StateSchema for Story {
    type Update = Self;

    fn apply(_: &Self, update: Self) -> Self {
        update
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let url = std::env::args().nth(1).context("name a database")?;
    if url.starts_with("sqlite:") {
        write(&SqliteCheckpointer::builder(url).build().await?).await
    } else {
        write(&PostgresCheckpointer::builder(url).build().await?).await
    }
}

async fn write(checkpointer: &impl Checkpointer<Story>) -> Result<()> {
    for checkpoint in finished().into_iter().chain(interrupted()) {
        checkpointer.save(&checkpoint).await?;
    }
    Ok(())
}

/// A run that ended, in a thread with an id of many scripts.
fn finished() -> Vec<Checkpoint<Story>> {
    let thread = "Käufe/日本 🦀";
    vec![
        checkpoint(thread, 1, "draft", &["“Ünïcode”"], &[("review", 0)]),
        checkpoint(
            thread,
            2,
            "review",
            &["“Ünïcode”", "\u{0}\n\\\""],
            &[("publish", u64::MAX)],
        ),
        checkpoint(
            thread,
            3,
            "publish",
            &["“Ünïcode”", "\u{0}\n\\\"", "終わり"],
            &[],
        ),
    ]
}

/// A run that stopped before its two branches.
fn interrupted() -> Vec<Checkpoint<Story>> {
    vec![checkpoint(
        "interrupted",
        1,
        "draft",
        &["draft"],
        &[("left", 7), ("right", 11)],
    )]
}

fn checkpoint(
    thread_id: &str,
    step: u64,
    node: &str,
    lines: &[&str],
    queue: &[(&str, u64)],
) -> Checkpoint<Story> {
    let state = Story {
        lines: lines.iter().map(|&line| line.to_owned()).collect(),
        // Takes all of its digits to come back as it is.
        weight: 0.1 + 0.2,
    };
    let queue = queue.iter().map(|&(node, path)| (node.to_owned(), path));
    let mut checkpoint = Checkpoint::new(
        thread_id.to_owned(),
        GraphState::new(state),
        step,
        node.to_owned(),
        queue.collect(),
    );
    checkpoint.created_at = format!("2026-11-21T08:00:0{step}.123456789+00:00");
    checkpoint
}
