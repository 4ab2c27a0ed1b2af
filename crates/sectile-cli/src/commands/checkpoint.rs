//! `sectile checkpoint`.

mod delete;
mod list;
mod show;
mod usage;

use std::fmt::{Arguments, Write as _};
use std::num::{NonZeroU64, NonZeroUsize};
use std::time::{Duration, UNIX_EPOCH};

use sectile::checkpoint::{
    At, Checkpoint, CheckpointQuery, Damage, Error, Key, NamespaceSummary, Prune, Records,
    ThreadOrder, ThreadQuery, ThreadSummary, now,
};
use sectile::{CheckpointOptions, Checkpoints};
use serde_json::{Map, Value, json};

use super::{Outcome, is_foreign, store_url, with_options_typed};
use crate::args::{CheckpointArguments, CheckpointCommand, TableArguments};
use crate::output;
use delete::delete;
use list::list;
use show::show;
use usage::{usage, usage_json};

pub(crate) async fn run(
    arguments: CheckpointArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let url = store_url(store)?;
    let create = matches!(arguments.command, CheckpointCommand::Migrate);
    let empty = empty(&arguments.command);
    let checkpoints = connect(&url, arguments.tables, create).await?;
    let error = match answer(&checkpoints, arguments.command, json).await {
        Ok(outcome) => return Ok(outcome),
        Err(error) => error,
    };
    match error.downcast_ref() {
        Some(Error::NotMigrated { found: 0, .. }) => {
            if json {
                output::value(&empty)?;
            }
            no_tables(&checkpoints, &url).await
        }
        Some(Error::NotMigrated { .. }) => Err(error.context(
            "the tables of checkpoints are of an earlier release; `sectile checkpoint migrate` updates them",
        )),
        _ => Err(typed(error, &url)),
    }
}

/// Explains why there are no tables of checkpoints.
async fn no_tables(checkpoints: &Checkpoints, url: &str) -> anyhow::Result<Outcome> {
    let url = sectile::shown_url(url);
    let what = format!("there are no checkpoints in {url}");
    Ok(match checkpoints.other_table().await? {
        Some(table) => nothing(
            format_args!(
                "{what}: its tables, such as `{}`, are those of another program",
                table.escape_debug()
            ),
            OTHER_PROGRAM,
        ),
        None => nothing(format_args!("{what}"), FIRST_SAVE),
    })
}

/// Returns what a command prints as JSON where nothing was ever saved.
fn empty(command: &CheckpointCommand) -> Value {
    match command {
        CheckpointCommand::Threads { .. }
        | CheckpointCommand::Namespaces { .. }
        | CheckpointCommand::List { .. }
        | CheckpointCommand::Verify => json!([]),
        CheckpointCommand::Show { .. } => Value::Null,
        CheckpointCommand::Fork { .. } => json!({ "copied": 0 }),
        CheckpointCommand::Delete { .. }
        | CheckpointCommand::DeleteRuns { .. }
        | CheckpointCommand::Prune { .. } => json!({ "deleted": 0 }),
        CheckpointCommand::Du { limit } => usage_json(&[], limit.get()),
        CheckpointCommand::Migrate => json!({ "changed": false }),
    }
}

async fn answer(
    checkpoints: &Checkpoints,
    command: CheckpointCommand,
    json: bool,
) -> anyhow::Result<Outcome> {
    let records = &*checkpoints.records();
    match command {
        CheckpointCommand::Threads {
            limit,
            after,
            by_use,
            unused_for,
            since,
            filter,
        } => {
            let query = ThreadQuery {
                limit: limit.map(NonZeroUsize::get),
                after,
                order: if by_use {
                    ThreadOrder::ByLastUse
                } else {
                    ThreadOrder::ById
                },
                metadata: metadata(filter)?,
                used_before: unused_for.map(before_now),
                used_since: since.map(before_now),
            };
            threads(records, query, json).await
        }
        CheckpointCommand::Namespaces { thread } => namespaces(records, &thread, json).await,
        CheckpointCommand::List {
            thread,
            namespace,
            limit,
            before,
            filter,
        } => {
            let query = CheckpointQuery {
                limit: Some(limit.get()),
                before,
                metadata: metadata(filter)?,
                ..CheckpointQuery::default()
            };
            list(records, &Key::new(thread, namespace), &query, json).await
        }
        CheckpointCommand::Show {
            thread,
            namespace,
            seq,
            id,
        } => {
            let at = match (seq, id) {
                (Some(seq), _) => At::Seq(seq),
                (None, Some(id)) => At::Id(id),
                (None, None) => At::Latest,
            };
            show(records, &Key::new(thread, namespace), at, json).await
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
        CheckpointCommand::Delete { threads, namespace } => {
            delete(records, &threads, namespace.as_deref(), json).await
        }
        CheckpointCommand::DeleteRuns { runs } => delete_runs(records, &runs, json).await,
        CheckpointCommand::Du { limit } => usage(checkpoints.usage().await?, limit.get(), json),
        CheckpointCommand::Verify => verified(&checkpoints.verify().await?, json),
        CheckpointCommand::Prune {
            thread,
            keep_latest,
            older_than,
        } => {
            let prune = Prune {
                thread_id: thread,
                keep_latest: keep_latest.map_or(1, NonZeroU64::get),
                older_than: older_than.map(before_now),
                ..Prune::default()
            };
            done("deleted", records.prune(&prune).await?, json)?;
            match &prune.thread_id {
                Some(thread) if !is_thread(records, thread).await? => Ok(no_thread(thread)),
                _ => Ok(Outcome::Done),
            }
        }
        CheckpointCommand::Migrate => {
            let changed = checkpoints.migrate().await?;
            migrated(changed, json)
        }
    }
}

async fn delete_runs(
    records: &dyn Records,
    runs: &[String],
    json: bool,
) -> anyhow::Result<Outcome> {
    let mut deleted = 0;
    let mut without = Vec::new();
    for run in runs {
        let checkpoints = records.delete_runs(std::slice::from_ref(run)).await?;
        if checkpoints == 0 {
            without.push(run.as_str());
        }
        deleted += checkpoints;
    }
    done("deleted", deleted, json)?;
    if !without.is_empty() {
        // The count does not include the pending writes of these runs.
        let runs = without.join("`, `");
        nothing(
            format_args!("no checkpoint belongs to `{runs}`, and pending writes are not counted"),
            SHOWN_RUNS,
        );
    }
    Ok(outcome(!without.is_empty()))
}

/// Advice if there are no checkpoints, no such thread and no such run.
const FIRST_SAVE: &str = "the first save of a run makes them";
const OTHER_PROGRAM: &str = "checkpoints of LangGraph are imported with `SectileSaver.import_checkpoints` in Python, and \
     `--table-prefix` names tables of ours with a prefix";
const ALL_THREADS: &str = "`sectile checkpoint threads` lists all";
const SHOWN_RUNS: &str = "`sectile checkpoint list THREAD --json` shows the runs of a thread";

/// Prints that there is nothing, and what to do.
fn nothing(what: Arguments<'_>, advice: &str) -> Outcome {
    output::note(format_args!("{what}; {advice}"));
    Outcome::NothingFound
}

fn no_thread(thread: &str) -> Outcome {
    nothing(format_args!("`{thread}` is not a thread"), ALL_THREADS)
}

async fn is_thread(records: &dyn Records, thread: &str) -> anyhow::Result<bool> {
    Ok(!records.namespaces(thread).await?.is_empty())
}

/// Explains that a thread has no such checkpoint, or that there is no such thread.
async fn no_checkpoint(records: &dyn Records, key: &Key) -> anyhow::Result<Outcome> {
    let thread = &key.thread_id;
    if !is_thread(records, thread).await? {
        return Ok(no_thread(thread));
    }
    Ok(nothing(
        format_args!("there is no such checkpoint of `{thread}`"),
        &format!(
            "`sectile checkpoint list {thread}` lists those of its root, `sectile checkpoint namespaces \
             {thread}` its namespaces"
        ),
    ))
}

/// Returns the moment so long ago, in milliseconds since 1970.
fn before_now(age: Duration) -> u64 {
    let age = u64::try_from(age.as_millis()).unwrap_or(u64::MAX);
    now().saturating_sub(age)
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
    checkpoints.map_err(|error| {
        let shown = sectile::shown_url(url);
        match error {
            Error::DatabaseNotFound { .. } if url.starts_with("sqlite:") => anyhow::anyhow!(
                "there is no file for {shown}; correct the path, or create it with `sectile checkpoint migrate`"
            ),
            error => typed(error.into(), url).context(format!("cannot open {shown}")),
        }
    })
}

/// Replaces the name of an option in an error by that of the command line, and distinguishes a file that is not a
/// database from a damaged one.
fn typed(error: anyhow::Error, url: &str) -> anyhow::Error {
    match error.downcast_ref() {
        Some(Error::Corrupt { .. }) if is_foreign(url) => anyhow::anyhow!(
            "the file is not a SQLite database; name another one with --store or SECTILE_STORE"
        ),
        Some(Error::PreparedStatements { .. }) => {
            anyhow::anyhow!(with_options_typed(&error.to_string()))
        }
        _ => error,
    }
}

/// Returns the entries that the metadata has to have. Of two values under one name, only one could be had.
fn metadata(entries: Vec<(String, Value)>) -> anyhow::Result<Map<String, Value>> {
    let mut all = Map::new();
    for (name, value) in entries {
        let earlier = all.insert(name.clone(), value);
        anyhow::ensure!(
            earlier.is_none(),
            "--filter gives `{name}` twice, and it has one value; write it once"
        );
    }
    Ok(all)
}

async fn threads(records: &dyn Records, query: ThreadQuery, json: bool) -> anyhow::Result<Outcome> {
    // One more says whether there are more.
    let limit = query.limit.map(|limit| limit.saturating_add(1));
    let asked = ThreadQuery {
        limit,
        ..query.clone()
    };
    let mut found = records.threads(&asked).await?;
    let has_more = limit == Some(found.len());
    if has_more {
        found.pop();
    }
    if json {
        output::value(&found)?;
    } else {
        output::text(&found.iter().map(thread_line).collect::<String>())?;
    }
    if has_more {
        output::note(format_args!(
            "there are more; `--after THREAD` lists those after the last one"
        ));
    }
    if !found.is_empty() {
        return Ok(Outcome::Done);
    }
    let is_narrowed = !query.metadata.is_empty()
        || query.after.is_some()
        || query.used_before.is_some()
        || query.used_since.is_some();
    if is_narrowed {
        return Ok(nothing(format_args!("no thread matches"), ALL_THREADS));
    }
    Ok(nothing(
        format_args!("there are no checkpoints"),
        FIRST_SAVE,
    ))
}

fn thread_line(thread: &ThreadSummary) -> String {
    let ThreadSummary {
        thread_id,
        latest_seq,
        checkpoints,
        updated_at,
    } = thread;
    format!(
        "{}  {}, newest {latest_seq} of {}\n",
        thread_id.escape_debug(),
        counted(*checkpoints, "checkpoint"),
        time(*updated_at)
    )
}

async fn namespaces(records: &dyn Records, thread: &str, json: bool) -> anyhow::Result<Outcome> {
    let found = records.namespaces(thread).await?;
    if json {
        output::value(&found)?;
    } else {
        let line = |found: &NamespaceSummary| {
            let NamespaceSummary {
                namespace,
                latest_seq,
                checkpoints,
                updated_at,
            } = found;
            let name = named(namespace);
            let (time, checkpoints) = (time(*updated_at), counted(*checkpoints, "checkpoint"));
            format!("{name}  {checkpoints}, newest {latest_seq} of {time}\n")
        };
        output::text(&found.iter().map(line).collect::<String>())?;
    }
    if found.is_empty() {
        return Ok(no_thread(thread));
    }
    Ok(Outcome::Done)
}

/// Writes a number with what it counts.
fn counted(number: u64, thing: &str) -> String {
    output::count(usize::try_from(number).unwrap_or(usize::MAX), thing)
}

/// Returns what a namespace is called.
fn named(namespace: &str) -> String {
    match namespace {
        "" => "(root)".into(),
        name => name.escape_debug().to_string(),
    }
}

fn verified(damages: &[Damage], json: bool) -> anyhow::Result<Outcome> {
    if json {
        output::value(&damages)?;
    } else if damages.is_empty() {
        output::text("no damage found\n")?;
    } else {
        let mut text = String::new();
        for damage in damages {
            let _ = writeln!(text, "{damage}");
        }
        output::text(&text)?;
    }
    anyhow::ensure!(
        damages.is_empty(),
        "{} found; restore the database from a backup, or delete the named threads",
        output::count(damages.len(), "damage")
    );
    Ok(Outcome::Done)
}

/// Describes a checkpoint on one line.
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
    line
}

/// Says how many checkpoints something was done to.
fn done(what: &str, checkpoints: u64, json: bool) -> anyhow::Result<Outcome> {
    if json {
        output::value(&json!({ what: checkpoints }))?;
    } else {
        let checkpoints = counted(checkpoints, "checkpoint");
        output::text(&format!("{what} {checkpoints}\n"))?;
    }
    Ok(Outcome::Done)
}

fn migrated(changed: bool, json: bool) -> anyhow::Result<Outcome> {
    if json {
        output::value(&json!({ "changed": changed }))?;
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
