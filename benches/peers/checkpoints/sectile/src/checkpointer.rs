//! Sectile's checkpointers, through their public methods.

use std::time::Instant;

use anyhow::Context as _;
use sectile_checkpoint::{
    Checkpoint, CheckpointHistory, CheckpointQuery, Checkpointer, Result, Threads,
};
use sectile_checkpoint_postgres::PostgresCheckpointer;
use sectile_checkpoint_sqlite::{Durability, SqliteCheckpointer};

use crate::Work;
use crate::measure::{LISTED, LISTS, Rates, WRITERS, rate};
use crate::state::State;

/// Opens a file and makes the tables.
pub async fn open_sqlite(path: &str, durability: Durability) -> Result<SqliteCheckpointer> {
    let builder = SqliteCheckpointer::builder(&format!("sqlite:{path}"));
    let checkpointer = builder.durability(durability).connect().await?;
    checkpointer.migrate().await?;
    Ok(checkpointer)
}

/// Connects to a server and makes the tables.
pub async fn open_postgres(url: &str) -> Result<PostgresCheckpointer> {
    let checkpointer = PostgresCheckpointer::builder(url).connect().await?;
    checkpointer.migrate().await?;
    Ok(checkpointer)
}

pub async fn sqlite(path: &str, work: &Work, durability: Durability) -> anyhow::Result<Rates> {
    all(open_sqlite(path, durability).await?, work).await
}

pub async fn postgres(url: &str, work: &Work) -> anyhow::Result<Rates> {
    all(open_postgres(url).await?, work).await
}

async fn all<C>(checkpointer: C, work: &Work) -> anyhow::Result<Rates>
where
    C: CheckpointHistory<State> + Clone + 'static,
{
    let mut rates = Rates::new();
    let first = Checkpoint::new("thread", work.state.clone());
    rates.insert("save", save(&checkpointer, first, work.count).await?);
    rates.insert("load", load(&checkpointer, work.count).await?);
    rates.insert("list", list(&checkpointer).await?);
    rates.insert("save_8", save_at_once(&checkpointer, work).await?);
    Ok(rates)
}

/// Saves one checkpoint after the other.
pub async fn save<C>(
    checkpointer: &C,
    mut checkpoint: Checkpoint<State>,
    count: usize,
) -> Result<f64>
where
    C: Checkpointer<State>,
{
    let start = Instant::now();
    for step in 1..=count as u64 {
        checkpoint.state.step = step;
        checkpoint = checkpoint.at_step(step, "agent");
        checkpointer.save(&checkpoint).await?;
    }
    Ok(rate(count, start))
}

async fn load<C: Checkpointer<State>>(checkpointer: &C, count: usize) -> anyhow::Result<f64> {
    let start = Instant::now();
    for _ in 0..count {
        let latest = checkpointer.load("thread").await?;
        latest.context("the thread has no checkpoint")?;
    }
    Ok(rate(count, start))
}

async fn list<C: CheckpointHistory<State>>(checkpointer: &C) -> anyhow::Result<f64> {
    let query = CheckpointQuery {
        limit: Some(LISTED),
        ..CheckpointQuery::default()
    };
    let start = Instant::now();
    for _ in 0..LISTS {
        let listed = checkpointer.list("thread", &query).await?;
        anyhow::ensure!(listed.len() == LISTED, "{} are listed", listed.len());
    }
    Ok(rate(LISTS, start))
}

async fn save_at_once<C>(checkpointer: &C, work: &Work) -> anyhow::Result<f64>
where
    C: Checkpointer<State> + Threads + Clone + 'static,
{
    let each = work.count / WRITERS;
    let start = Instant::now();
    let tasks: Vec<_> = (0..WRITERS)
        .map(|_| {
            let (checkpointer, state) = (checkpointer.clone(), work.state.clone());
            let first = Checkpoint::new("shared", state);
            tokio::spawn(async move { save(&checkpointer, first, each).await })
        })
        .collect();
    for task in tasks {
        task.await??;
    }
    let saved = rate(each * WRITERS, start);
    let kept = checkpointer.delete_thread("shared").await?;
    anyhow::ensure!(kept == (each * WRITERS) as u64, "only {kept} are kept");
    Ok(saved)
}
