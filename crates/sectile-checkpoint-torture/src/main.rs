//! A process that saves checkpoints until it is killed, or does something else of which a process
//! of its own is needed.
//!
//! - `save URL THREAD COUNT`: saves so many; says `ack SEQ NUMBER` after each.
//! - `mix URL THREAD COUNT`: saves so many states of channels, each from what the last one changed,
//!   and writes, prunes, forks and deletes in between. It says the same, and `wrote SEQ TASK` after
//!   each write, `deletes RUN` before it deletes a run, and `deleted RUN` after that.
//! - `prune URL`: prunes all threads, again and again.
//! - `migrate URL`: makes the tables.
//! - `hold FILE MILLISECONDS`: holds the write lock of a SQLite file; says `held` when it has it.

use std::io::Write as _;
use std::time::Duration;

use anyhow::{Context as _, bail};
use sectile::checkpoint::{
    At, Checkpoint, Checkpointer as _, Key, Prune, Records, RecordsExt as _,
};
use sectile_checkpoint_torture::{KEPT, connect, grown, numbered, of_run, open, writes};
use serde_json::Value;
use sqlx::{Connection as _, SqliteConnection};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["save", url, thread, count] => save(url, thread, count.parse()?).await,
        ["mix", url, thread, count] => mix(url, thread, count.parse()?).await,
        ["prune", url] => prune(url).await,
        ["migrate", url] => {
            connect(url).await?.migrate().await?;
            Ok(())
        }
        ["hold", file, milliseconds] => hold(file, milliseconds.parse()?).await,
        _ => bail!("there is no such thing to do: {arguments:?}"),
    }
}

async fn save(url: &str, thread: &str, count: u64) -> anyhow::Result<()> {
    let records = open(url).await?;
    let latest: Option<Checkpoint<Value>> = records.load(thread).await?;
    let latest = latest.and_then(|latest| latest.state["number"].as_u64());
    let first = latest.unwrap_or(0) + 1;
    for number in first..first.saturating_add(count) {
        let saved = records.save(&numbered(thread, number)).await?;
        say(&format!("ack {} {number}", saved.seq))?;
    }
    Ok(())
}

async fn mix(url: &str, thread: &str, count: u64) -> anyhow::Result<()> {
    let records = open(url).await?;
    let key = Key::from(thread);
    let latest = records.load_stored(&key, &At::Latest).await?;
    let latest = latest.map_or(0, |latest| latest.seq);
    for number in latest + 1..latest.saturating_add(count) {
        let saved = records.save_stored(grown(thread, number)).await?;
        say(&format!("ack {} {number}", saved.seq))?;
        let run = format!("run-{}", number % 2);
        for task in [writes("task", number), writes(&run, number).of_run(&*run)] {
            let at = At::Seq(saved.seq);
            records.put_writes(&key, &at, &task).await?;
            say(&format!("wrote {} {}", saved.seq, task.task_id))?;
        }
        let apart = format!("{thread} apart");
        for key in [Key::new(thread, "aside"), Key::from(&*apart)] {
            let parent = records.load_stored(&key, &At::Latest).await?;
            let parent = parent.map(|parent| parent.seq);
            let checkpoint = of_run(&key, number, &run, parent);
            records.save_stored(checkpoint).await?;
        }
        in_between(&*records, thread, number).await?;
    }
    Ok(())
}

/// Prunes, forks and deletes, each after other numbers.
async fn in_between(records: &dyn Records, thread: &str, number: u64) -> anyhow::Result<()> {
    let fork = |number: u64| format!("{thread} fork {number}");
    match number % 12 {
        3 | 9 => {
            let prune = Prune::keep_latest(KEPT).of_thread(thread);
            records.prune(&prune).await?;
        }
        5 => {
            // In turn, so that what one run saved follows from what the other did.
            let run = format!("run-{}", number / 12 % 2);
            say(&format!("deletes {run}"))?;
            records.delete_runs(std::slice::from_ref(&run)).await?;
            say(&format!("deleted {run}"))?;
        }
        7 => {
            records.fork(thread, number, &fork(number)).await?;
        }
        11 => {
            records.delete_thread(&fork(number - 4)).await?;
        }
        _ => {}
    }
    Ok(())
}

async fn prune(url: &str) -> anyhow::Result<()> {
    let records = open(url).await?;
    loop {
        records.prune(&Prune::keep_latest(KEPT)).await?;
    }
}

async fn hold(file: &str, milliseconds: u64) -> anyhow::Result<()> {
    let mut connection = SqliteConnection::connect(file).await?;
    let transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    say("held")?;
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    transaction.rollback().await.context("cannot let go")
}

/// Writes a line that is out before anything else happens.
fn say(line: &str) -> std::io::Result<()> {
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{line}")?;
    stdout.flush()
}
