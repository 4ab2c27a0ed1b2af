//! Measures the published wesichain-checkpoint-sqlite, for scripts/compare-checkpointers.
//!
//!     checkpoint-peer-wesichain NAME DATABASE STATE COUNT
//!
//! As `checkpoint-peers` does. The file is there already, with a write-ahead log.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};
use wesichain_checkpoint_sqlite::SqliteCheckpointer;
use wesichain_core::checkpoint::{Checkpoint, Checkpointer};
use wesichain_core::state::{GraphState, StateSchema};

type Rates = BTreeMap<&'static str, f64>;

const WRITERS: usize = 8;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct State {
    messages: Vec<Message>,
    step: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Message {
    id: String,
    role: String,
    content: String,
}

impl StateSchema for State {
    type Update = Self;

    fn apply(_: &Self, update: Self) -> Self {
        update
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [_, path, state, count] = &arguments[..] else {
        bail!("NAME DATABASE STATE COUNT");
    };
    let state: State = serde_json::from_str(&std::fs::read_to_string(state)?)?;
    let (path, count) = (path.clone(), count.parse()?);
    let rates = tokio::spawn(async move { run(&path, &state, count).await }).await??;
    println!("{}", serde_json::to_string(&rates)?);
    Ok(())
}

async fn run(path: &str, state: &State, count: usize) -> anyhow::Result<Rates> {
    let url = format!("sqlite:{path}");
    let checkpointer = SqliteCheckpointer::builder(url).build().await?;
    let mut rates = Rates::new();
    rates.insert("save", save(&checkpointer, "thread", state, count).await?);
    rates.insert("load", load(&checkpointer, count).await?);
    rates.insert("save_8", save_at_once(&checkpointer, state, count).await?);
    Ok(rates)
}

async fn save(
    checkpointer: &SqliteCheckpointer,
    thread: &str,
    state: &State,
    count: usize,
) -> anyhow::Result<f64> {
    let state = GraphState::new(state.clone());
    let mut checkpoint = Checkpoint::new(thread.into(), state, 0, "agent".into(), Vec::new());
    let start = Instant::now();
    for step in 1..=count as u64 {
        checkpoint.state.data.step = step;
        checkpoint.step = step;
        checkpointer.save(&checkpoint).await?;
    }
    Ok(count as f64 / start.elapsed().as_secs_f64())
}

async fn load(checkpointer: &SqliteCheckpointer, count: usize) -> anyhow::Result<f64> {
    let start = Instant::now();
    for _ in 0..count {
        let latest: Option<Checkpoint<State>> = checkpointer.load("thread").await?;
        latest.context("the thread has no checkpoint")?;
    }
    Ok(count as f64 / start.elapsed().as_secs_f64())
}

async fn save_at_once(
    checkpointer: &SqliteCheckpointer,
    state: &State,
    count: usize,
) -> anyhow::Result<f64> {
    let each = count / WRITERS;
    let start = Instant::now();
    let tasks: Vec<_> = (0..WRITERS)
        .map(|_| {
            let (checkpointer, state) = (checkpointer.clone(), state.clone());
            tokio::spawn(async move { save(&checkpointer, "shared", &state, each).await })
        })
        .collect();
    for task in tasks {
        task.await??;
    }
    Ok((each * WRITERS) as f64 / start.elapsed().as_secs_f64())
}
