//! How long saving and loading a checkpoint, keeping what a task wrote and listing threads takes: in SQLite, and
//! in Postgres where `SECTILE_TEST_POSTGRES` names a database, in a schema whose threads are deleted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode};
use sectile_benches::synthetic;
use sectile_checkpoint::{
    At, Checkpoint, CheckpointHistory, CheckpointQuery, Checkpointer as _, Key, Records,
    RecordsExt as _, TaskWrites, ThreadOrder, ThreadQuery, Threads as _, TypedValue,
};
use sectile_checkpoint_postgres::PostgresCheckpointer;
use sectile_checkpoint_sqlite::{Durability, SqliteCheckpointer};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// About how many bytes a state has as JSON.
const SIZES: [(&str, usize); 2] = [("4_kb", 4_096), ("100_kb", 102_400)];

/// How many save at once.
const WRITERS: u64 = 8;

/// How many values a task writes.
const VALUES: u64 = 3;

/// How many checkpoints a thread has that is listed, and how many of them are.
const HISTORY: u64 = 2_000;
const LISTED: usize = 10;

/// The threads that are saved to, and how many checkpoints they have before.
const LENGTHS: [(&str, u64); 2] = [("into_10", 10), ("into_100000", 100_000)];

/// How many fill a thread at once.
const FILLERS: u64 = 100;

/// How many threads there are when some are listed, how many these are, and how far apart they were used, in
/// milliseconds.
const THREADS: [(&str, u64); 2] = [("of_2000", 2_000), ("of_10000", 10_000)];
const PAGE: usize = 50;
const BETWEEN_USES: u64 = 66_000;

/// The schema of the tables in Postgres.
const SCHEMA: &str = "sectile_bench";

type Place = Arc<dyn Records>;

/// A state.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Conversation {
    messages: Vec<Message>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Message {
    role: String,
    content: String,
}

fn main() -> anyhow::Result<()> {
    let mut criterion = Criterion::default().configure_from_args();
    let runtime = Runtime::new()?;
    for (name, durability) in [
        ("durable", Durability::Full),
        ("normal", Durability::Normal),
    ] {
        let folder = tempfile::tempdir()?;
        let place = runtime.block_on(open_sqlite(&folder, durability))?;
        let name = format!("checkpoint sqlite {name}");
        bench(&mut criterion, &runtime, &name, &place)?;
    }
    if let Ok(url) = std::env::var("SECTILE_TEST_POSTGRES") {
        let place = runtime.block_on(open_postgres(&url))?;
        bench(&mut criterion, &runtime, "checkpoint postgres", &place)?;
    }
    criterion.final_summary();
    Ok(())
}

async fn open_sqlite(folder: &TempDir, durability: Durability) -> anyhow::Result<Place> {
    let url = format!("sqlite:{}", folder.path().join("checkpoints.db").display());
    let builder = SqliteCheckpointer::builder(&url).durability(durability);
    let checkpointer = builder.connect().await?;
    checkpointer.migrate().await?;
    Ok(Arc::new(checkpointer))
}

async fn open_postgres(url: &str) -> anyhow::Result<Place> {
    let builder = PostgresCheckpointer::builder(url).schema(SCHEMA);
    let checkpointer = builder.connect().await?;
    checkpointer.migrate().await?;
    Ok(Arc::new(checkpointer))
}

fn bench(
    criterion: &mut Criterion,
    runtime: &Runtime,
    name: &str,
    place: &Place,
) -> anyhow::Result<()> {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1));
    for (size, bytes) in SIZES {
        runtime.block_on(delete_all(place))?;
        let first = Checkpoint::new("thread", conversation(bytes));
        bench_save(&mut group, runtime, &format!("save/{size}"), place, &first);
        bench_save_at_once(&mut group, runtime, size, place, &first);
        runtime.block_on(fill(place, "thread", HISTORY, &first.state))?;
        bench_reads(&mut group, runtime, size, place);
    }
    bench_writes(&mut group, runtime, place);
    runtime.block_on(delete_all(place))?;
    for (thread, length) in LENGTHS {
        runtime.block_on(fill(place, thread, length, &conversation(1)))?;
        let first = Checkpoint::new(thread, conversation(SIZES[0].1));
        bench_save(
            &mut group,
            runtime,
            &format!("save/{thread}"),
            place,
            &first,
        );
    }
    runtime.block_on(delete_all(place))?;
    let mut filled = 0;
    for (size, count) in THREADS {
        runtime.block_on(fill_threads(place, filled, count))?;
        filled = count;
        bench_threads(&mut group, runtime, size, place);
    }
    group.finish();
    runtime.block_on(delete_all(place))
}

fn bench_save(
    group: &mut BenchmarkGroup<'_, WallTime>,
    runtime: &Runtime,
    name: &str,
    place: &Place,
    first: &Checkpoint<Conversation>,
) {
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|count| {
            let timed = save(Arc::clone(place), first.clone(), count);
            // In a task, as in a server; the main thread is woken by other ways.
            let saved = runtime.block_on(runtime.spawn(timed));
            saved.expect("no save panics").expect("all are saved")
        });
    });
}

fn bench_save_at_once(
    group: &mut BenchmarkGroup<'_, WallTime>,
    runtime: &Runtime,
    size: &str,
    place: &Place,
    first: &Checkpoint<Conversation>,
) {
    group.bench_function(format!("save_by_8/{size}"), |bencher| {
        bencher.iter_custom(|count| {
            let start = Instant::now();
            let saved = save_at_once(place, first, WRITERS, count.div_ceil(WRITERS));
            runtime.block_on(saved).expect("all are saved");
            start.elapsed()
        });
    });
}

fn bench_writes(group: &mut BenchmarkGroup<'_, WallTime>, runtime: &Runtime, place: &Place) {
    for (name, tasks) in [("put_writes", 1), ("put_writes_by_8", WRITERS)] {
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|count| {
                let start = Instant::now();
                let put = || put_writes(Arc::clone(place), count.div_ceil(tasks));
                let put = at_once(tasks, put);
                runtime.block_on(put).expect("all are kept");
                start.elapsed()
            });
        });
    }
}

fn bench_reads(
    group: &mut BenchmarkGroup<'_, WallTime>,
    runtime: &Runtime,
    size: &str,
    place: &Place,
) {
    let query = CheckpointQuery {
        limit: Some(LISTED),
        ..CheckpointQuery::default()
    };
    group.bench_function(format!("load/{size}"), |bencher| {
        bencher.iter_custom(|count| {
            let timed = load(Arc::clone(place), count);
            let loaded = runtime.block_on(runtime.spawn(timed));
            loaded.expect("no load panics").expect("all are loaded")
        });
    });
    group.bench_function(format!("list_10_of_2000/{size}"), |bencher| {
        bencher.iter(|| {
            let listed = runtime.block_on(list(place, &query));
            assert_eq!(listed.expect("they are listed").len(), LISTED);
        });
    });
}

/// Lists the threads that were used last, the same with metadata that all have, and those with metadata that
/// none has.
fn bench_threads(
    group: &mut BenchmarkGroup<'_, WallTime>,
    runtime: &Runtime,
    size: &str,
    place: &Place,
) {
    let last_used = ThreadQuery {
        limit: Some(PAGE),
        order: ThreadOrder::ByLastUse,
        ..ThreadQuery::default()
    };
    let mut missed = last_used.clone();
    let _ = missed.metadata.insert("user".to_owned(), "nobody".into());
    let mut common = last_used.clone();
    let _ = common.metadata.insert("user".to_owned(), "ada".into());
    for (name, query, expected) in [
        ("threads_50", last_used, PAGE),
        ("threads_50_with_metadata", common, PAGE),
        ("threads_missed", missed, 0),
    ] {
        group.bench_function(format!("{name}/{size}"), |bencher| {
            bencher.iter(|| {
                let listed = runtime.block_on(place.threads(&query));
                assert_eq!(listed.expect("they are listed").len(), expected);
            });
        });
    }
}

/// Saves to one thread, one after the other.
async fn save(
    place: Place,
    checkpoint: Checkpoint<Conversation>,
    count: u64,
) -> anyhow::Result<Duration> {
    let start = Instant::now();
    for _ in 0..count {
        place.save(&checkpoint).await?;
    }
    Ok(start.elapsed())
}

/// Saves to one thread from several tasks.
async fn save_at_once(
    place: &Place,
    checkpoint: &Checkpoint<Conversation>,
    writers: u64,
    each: u64,
) -> anyhow::Result<()> {
    let save = || save(Arc::clone(place), checkpoint.clone(), each);
    at_once(writers, save).await
}

/// Keeps what tasks wrote beside the newest checkpoint, one after the other.
async fn put_writes(place: Place, count: u64) -> anyhow::Result<Duration> {
    // What is written again changes nothing.
    static TASKS: AtomicU64 = AtomicU64::new(0);
    let (key, value) = (Key::from("thread"), TypedValue::json("what a task found")?);
    let start = Instant::now();
    for _ in 0..count {
        let task = TaskWrites::new(TASKS.fetch_add(1, Ordering::Relaxed).to_string());
        let write = |task: TaskWrites, _| task.write("messages", value.clone());
        let writes = (0..VALUES).fold(task, write);
        place.put_writes(&key, &At::Latest, &writes).await?;
    }
    Ok(start.elapsed())
}

/// Runs something in so many tasks at once.
async fn at_once<F>(tasks: u64, run: impl Fn() -> F) -> anyhow::Result<()>
where
    F: Future<Output = anyhow::Result<Duration>> + Send + 'static,
{
    let tasks: Vec<_> = (0..tasks).map(|_| tokio::spawn(run())).collect();
    for task in tasks {
        task.await??;
    }
    Ok(())
}

/// Saves to a new thread so often.
async fn fill(place: &Place, thread: &str, count: u64, state: &Conversation) -> anyhow::Result<()> {
    place.delete_thread(thread).await?;
    let checkpoint = Checkpoint::new(thread, state.clone());
    let fillers = FILLERS.min(count);
    save_at_once(place, &checkpoint, fillers, count / fillers).await
}

/// Saves a checkpoint to each of the threads of some numbers.
async fn fill_threads(place: &Place, first: u64, end: u64) -> anyhow::Result<()> {
    let begin = |filler| tokio::spawn(fill_some(Arc::clone(place), first + filler, end));
    let tasks: Vec<_> = (0..FILLERS).map(begin).collect();
    for task in tasks {
        task.await??;
    }
    Ok(())
}

/// Saves to one thread of so many.
async fn fill_some(place: Place, first: u64, end: u64) -> anyhow::Result<()> {
    for number in (first..end).step_by(FILLERS as usize) {
        let checkpoint = Checkpoint::new(format!("thread {number:06}"), number);
        let checkpoint = checkpoint.with_created_at((number + 1) * BETWEEN_USES);
        place.save(&checkpoint.with_metadata("user", "ada")).await?;
    }
    Ok(())
}

async fn load(place: Place, count: u64) -> anyhow::Result<Duration> {
    let start = Instant::now();
    for _ in 0..count {
        let loaded: Option<Checkpoint<Conversation>> = place.load("thread").await?;
        loaded.context("the thread has no checkpoint")?;
    }
    Ok(start.elapsed())
}

async fn list(
    place: &Place,
    query: &CheckpointQuery,
) -> sectile_checkpoint::Result<Vec<Checkpoint<Conversation>>> {
    place.list("thread", query).await
}

async fn delete_all(place: &Place) -> anyhow::Result<()> {
    for thread in place.threads(&ThreadQuery::default()).await? {
        place.delete_thread(&thread.thread_id).await?;
    }
    Ok(())
}

/// Returns a conversation of about so many bytes.
fn conversation(bytes: usize) -> Conversation {
    let text = synthetic::document(1, bytes);
    let message = |(number, content): (usize, &str)| Message {
        role: ["user", "assistant"][number % 2].into(),
        content: content.into(),
    };
    let messages = text.split("\n\n").enumerate().map(message).collect();
    Conversation { messages }
}
