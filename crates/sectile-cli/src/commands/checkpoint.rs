//! `sectile checkpoint`.

use std::fmt::Write as _;
use std::time::{Duration, UNIX_EPOCH};

use anyhow::Context as _;
use sectile::checkpoint::{
    Checkpoint, CheckpointHistory as _, CheckpointQuery, Checkpointer as _, Error, Prune, Records,
    ThreadQuery, ThreadSummary, now,
};
use sectile::{CheckpointOptions, Checkpoints};
use serde::Serialize;
use serde_json::Value;

use super::{Outcome, shown, store_url};
use crate::args::{CheckpointArguments, CheckpointCommand, TableArguments};
use crate::output;

pub(crate) async fn run(
    arguments: CheckpointArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let url = store_url(store)?;
    let create = matches!(arguments.command, CheckpointCommand::Migrate);
    let checkpoints = connect(&url, arguments.tables, create).await?;
    let outcome = answer(&checkpoints, arguments.command, json).await;
    outcome.map_err(|error| match error.downcast_ref() {
        Some(Error::NotMigrated { .. }) => error.context(
            "the tables of checkpoints are missing or old; `sectile checkpoint migrate` makes them",
        ),
        _ => error,
    })
}

async fn answer(
    checkpoints: &Checkpoints,
    command: CheckpointCommand,
    json: bool,
) -> anyhow::Result<Outcome> {
    let records = &*checkpoints.records();
    match command {
        CheckpointCommand::Threads { limit, after } => {
            threads(records, ThreadQuery { limit, after }, json).await
        }
        CheckpointCommand::List {
            thread,
            limit,
            before,
            filter,
        } => {
            let query = CheckpointQuery {
                limit: Some(limit),
                before,
                metadata: filter.into_iter().collect(),
            };
            list(records, &thread, &query, json).await
        }
        CheckpointCommand::Show { thread, seq, id } => {
            show(records, &thread, seq, id.as_deref(), json).await
        }
        CheckpointCommand::Fork {
            thread,
            new_thread,
            at,
        } => {
            let copied = match at {
                Some(seq) => records.fork(&thread, seq, &new_thread).await?,
                None => records.copy_thread(&thread, &new_thread).await?,
            };
            done("copied", copied, json)
        }
        CheckpointCommand::Delete { threads } => delete(records, &threads, json).await,
        CheckpointCommand::Prune {
            thread,
            keep_latest,
            older_than,
        } => {
            let age = older_than.map(|age| age.as_millis() as u64);
            let prune = Prune {
                thread_id: thread,
                keep_latest: keep_latest.unwrap_or(1),
                older_than: age.map(|age| now().saturating_sub(age)),
            };
            done("deleted", records.prune(&prune).await?, json)
        }
        CheckpointCommand::Migrate => {
            let changed = checkpoints.migrate().await?;
            migrated(changed, json)
        }
    }
}

/// Connects to the tables of checkpoints.
pub(crate) async fn connect(
    url: &str,
    tables: TableArguments,
    create: bool,
) -> anyhow::Result<Checkpoints> {
    let options = CheckpointOptions {
        schema: tables.schema,
        table_prefix: tables.table_prefix,
        create,
        is_behind_pgbouncer: tables.pgbouncer,
        enable_projections: false,
    };
    let checkpoints = Checkpoints::connect(url, &options).await;
    checkpoints.with_context(|| format!("cannot open {}", shown(url)))
}

async fn threads(records: &dyn Records, query: ThreadQuery, json: bool) -> anyhow::Result<Outcome> {
    let found = records.threads(&query).await?;
    if json {
        output::value(&found)?;
    } else {
        output::text(&found.iter().map(thread_line).collect::<String>())?;
    }
    Ok(outcome(found.is_empty()))
}

fn thread_line(thread: &ThreadSummary) -> String {
    let ThreadSummary {
        thread_id,
        latest_seq,
        checkpoints,
        updated_at,
    } = thread;
    format!(
        "{}  {checkpoints} checkpoints, newest {latest_seq} of {}\n",
        thread_id.escape_debug(),
        time(*updated_at)
    )
}

/// A checkpoint in a list, without its state.
#[derive(Serialize)]
struct Row<'a> {
    thread_id: &'a str,
    seq: u64,
    id: Option<&'a str>,
    parent_seq: Option<u64>,
    step: u64,
    node: Option<&'a str>,
    metadata: &'a serde_json::Map<String, Value>,
    created_at: u64,
}

async fn list(
    records: &dyn Records,
    thread: &str,
    query: &CheckpointQuery,
    json: bool,
) -> anyhow::Result<Outcome> {
    let found: Vec<Checkpoint<Value>> = records.list(thread, query).await?;
    if json {
        output::value(&found.iter().map(row).collect::<Vec<_>>())?;
    } else {
        output::text(&found.iter().map(line).collect::<String>())?;
    }
    Ok(outcome(found.is_empty()))
}

fn row(checkpoint: &Checkpoint<Value>) -> Row<'_> {
    Row {
        thread_id: &checkpoint.thread_id,
        seq: checkpoint.seq,
        id: checkpoint.id.as_deref(),
        parent_seq: checkpoint.parent_seq,
        step: checkpoint.step,
        node: checkpoint.node.as_deref(),
        metadata: &checkpoint.metadata,
        created_at: checkpoint.created_at,
    }
}

/// Writes what a list says of a checkpoint on one line.
fn line<S>(checkpoint: &Checkpoint<S>) -> String {
    let mut line = format!(
        "{}  {}  step {}",
        checkpoint.seq,
        time(checkpoint.created_at),
        checkpoint.step
    );
    if let Some(node) = &checkpoint.node {
        let _ = write!(line, "  at {}", node.escape_debug());
    }
    let queue = checkpoint.queue.iter();
    let queue: Vec<_> = queue
        .map(|next| next.node.escape_debug().to_string())
        .collect();
    if !queue.is_empty() {
        let _ = write!(line, "  then {}", queue.join(", "));
    }
    if !checkpoint.metadata.is_empty() {
        let _ = write!(line, "  {}", Value::from(checkpoint.metadata.clone()));
    }
    line + "\n"
}

async fn show(
    records: &dyn Records,
    thread: &str,
    seq: Option<u64>,
    id: Option<&str>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let found: Option<Checkpoint<Value>> = match (seq, id) {
        (Some(seq), _) => records.load_at(thread, seq).await?,
        (None, Some(id)) => records.load_by_id(thread, id).await?,
        (None, None) => records.load(thread).await?,
    };
    let Some(checkpoint) = found else {
        output::note(format_args!(
            "there is no such checkpoint; `sectile checkpoint list` shows what is"
        ));
        return Ok(Outcome::NothingFound);
    };
    if json {
        output::value(&checkpoint)?;
    } else {
        output::text(&line(&checkpoint))?;
        output::value(&checkpoint.state)?;
    }
    Ok(Outcome::Done)
}

async fn delete(records: &dyn Records, threads: &[String], json: bool) -> anyhow::Result<Outcome> {
    let mut deleted = 0;
    let mut is_missing = false;
    for thread in threads {
        let checkpoints = records.delete_thread(thread).await?;
        if checkpoints == 0 {
            output::note(format_args!(
                "`{thread}` is no thread; `sectile checkpoint threads` shows what is"
            ));
            is_missing = true;
        }
        deleted += checkpoints;
    }
    done("deleted", deleted, json)?;
    Ok(outcome(is_missing))
}

/// Says how many checkpoints something was done to.
fn done(what: &str, checkpoints: u64, json: bool) -> anyhow::Result<Outcome> {
    if json {
        output::value(&serde_json::json!({ what: checkpoints }))?;
    } else {
        output::text(&format!("{what} {checkpoints} checkpoints\n"))?;
    }
    Ok(Outcome::Done)
}

fn migrated(changed: bool, json: bool) -> anyhow::Result<Outcome> {
    if json {
        output::value(&serde_json::json!({ "changed": changed }))?;
    } else if changed {
        output::text("the tables are up to date now\n")?;
    } else {
        output::text("the tables were up to date\n")?;
    }
    Ok(Outcome::Done)
}

fn outcome(nothing: bool) -> Outcome {
    if nothing {
        Outcome::NothingFound
    } else {
        Outcome::Done
    }
}

/// Writes milliseconds since 1970 as a date and a time of day.
fn time(milliseconds: u64) -> String {
    let since = Duration::from_millis(milliseconds);
    UNIX_EPOCH
        .checked_add(since)
        .filter(|_| milliseconds < LAST_WRITABLE)
        .map_or_else(
            || format!("{milliseconds} ms"),
            |time| humantime::format_rfc3339_seconds(time).to_string(),
        )
}

/// The end of the year 9999, after which a date has no four digits for its year.
const LAST_WRITABLE: u64 = 253_402_300_800_000;
