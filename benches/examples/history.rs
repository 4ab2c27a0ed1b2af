//! Measures what history costs: a conversation that is saved at every message, and a state of many
//! channels of which one changes.
//!
//! ```text
//! cargo run --release -p sectile-benches --example history -- sqlite:FILE|postgres://… [MESSAGES]
//! ```
//!
//! Prints the bytes that the database grew by beside those of the last state (of channels: beside all
//! that was ever written), the median time of a save early and late, and the median time of loading
//! the last state beside that of loading the same state from one row.
//!
//! One row is the JSON of the state as bytes of a kind (on SQLite in pieces of 64 KiB), as durable and as checked. As it is stored it
//! loads as one value of bytes, where pieces become channels. So of a state of channels, the row is also
//! loaded and cut into the same channels. As a type both load as the same.

#![expect(clippy::print_stdout, reason = "that is what it is for")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use sectile::checkpoint::{
    At, Channels, Checkpoint, Content, Key, Records, RecordsExt as _, StoredState, TypedValue,
};
use sectile::{CheckpointOptions, Checkpoints};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// How many saves a median is of.
const WINDOW: usize = 500;

/// How many channels the second state has.
const CHANNELS: usize = 200;

/// The most messages of the conversation whose every state is given whole, as JSON.
const JSON: usize = 2_000;

/// How often the last state is loaded.
const LOADS: usize = 301;

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let url = arguments.next().context("name a database")?;
    let count = arguments.next().map_or(Ok(10_000), |count| count.parse())?;
    // In a task, as in a server; the main thread is woken by other ways.
    let work = async move { tokio::spawn(async move { measure(&url, count).await }).await? };
    Runtime::new()?.block_on(work)
}

async fn measure(url: &str, count: usize) -> anyhow::Result<()> {
    let options = CheckpointOptions {
        create: true,
        ..CheckpointOptions::default()
    };
    let checkpoints = Checkpoints::connect(url, &options).await?;
    checkpoints.migrate().await?;
    let records = checkpoints.records();
    conversation(&*records, count).await?;
    json(&*records, count.min(JSON)).await?;
    channels(&*records, count).await?;
    for usage in checkpoints.usage().await? {
        println!(
            "{}: {} checkpoints, {} bytes stored without keys and indexes, {} as if whole",
            usage.thread_id, usage.checkpoints, usage.stored_bytes, usage.whole_bytes
        );
    }
    Ok(())
}

/// Returns text of so many bytes that does not compress to nothing.
fn text(seed: usize, bytes: usize) -> String {
    let mut state = seed as u64 + 1;
    let mut text = String::with_capacity(bytes + 8);
    while text.len() < bytes {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let word = usize::try_from(state >> 33).unwrap_or_default();
        text.push_str(["the ", "run ", "of ", "a ", "graph ", "keeps ", "state "][word % 7]);
        let _ = write!(text, "{:x} ", word % 4_096);
    }
    text.truncate(bytes);
    text
}

fn message(number: usize) -> TypedValue {
    let message = json!({ "role": "user", "content": text(number, 500) });
    TypedValue::new("json", message.to_string().as_bytes())
}

async fn conversation(records: &dyn Records, count: usize) -> anyhow::Result<()> {
    let thread = "conversation";
    let mut times = Vec::new();
    for number in 0..count {
        let content = match number {
            0 => Content::List(vec![message(0)]),
            _ => Content::Appended(vec![message(number)]),
        };
        let state = Channels::new().with("messages", &number.to_string(), content);
        let mut checkpoint = Checkpoint::new(thread, state).at_step(number as u64, "model");
        checkpoint.parent_seq = (number > 0).then_some(number as u64);
        times.push(save(records, checkpoint).await?);
    }
    report("conversation", &times);
    loads(records, thread).await
}

/// A conversation again, of which each state is given whole: that takes as long as it is large, while
/// what is stored grows by what is new.
async fn json(records: &dyn Records, count: usize) -> anyhow::Result<()> {
    let thread = "conversation as JSON";
    let (mut messages, mut times) = (Vec::new(), Vec::new());
    for number in 0..count {
        messages.push(json!({ "role": "user", "content": text(number, 500) }));
        let state = StoredState::Json(json!({ "messages": messages }).to_string());
        let start = Instant::now();
        let checkpoint = Checkpoint::new(thread, state).at_step(number as u64, "model");
        records.save_stored(checkpoint).await?;
        times.push(start.elapsed());
    }
    report(thread, &times);
    loads(records, thread).await
}

async fn channels(records: &dyn Records, count: usize) -> anyhow::Result<()> {
    let thread = "channels";
    let value = |seed| TypedValue::new("json", json!(text(seed, 500)).to_string().as_bytes());
    let name = |at: usize| format!("channel_{at:03}");
    let mut times = Vec::new();
    for number in 0..count {
        let changed = number * 37 % CHANNELS;
        let content = |at: usize| match number {
            0 => Content::Value(value(at)),
            _ if at == changed => Content::Value(value(CHANNELS + number)),
            _ => Content::Same,
        };
        let state = (0..CHANNELS).fold(Channels::new(), |state, at| {
            state.with(&name(at), &number.to_string(), content(at))
        });
        let mut checkpoint = Checkpoint::new(thread, state).at_step(number as u64, "model");
        checkpoint.parent_seq = (number > 0).then_some(number as u64);
        times.push(save(records, checkpoint).await?);
    }
    report("channels", &times);
    loads(records, thread).await
}

async fn save(records: &dyn Records, checkpoint: Checkpoint<Channels>) -> anyhow::Result<Duration> {
    let start = Instant::now();
    records.save_stored(checkpoint).await?;
    Ok(start.elapsed())
}

fn median(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn report(what: &str, times: &[Duration]) {
    let early = median(times.get(100..100 + WINDOW).unwrap_or(times));
    let late = median(&times[times.len().saturating_sub(WINDOW)..]);
    let ratio = late.as_secs_f64() / early.as_secs_f64();
    println!("{what}: a save from the 100th {early:?}, up to the last {late:?}, ratio {ratio:.2}");
}

/// Compares loading the last state with loading it from one row.
async fn loads(records: &dyn Records, thread: &str) -> anyhow::Result<()> {
    let key = Key::from(thread);
    let last = records
        .load_stored(&key, &At::Latest)
        .await?
        .context("nothing was saved")?;
    let bytes = last.state.size();
    let json = last.state.to_shown_json().into_owned();
    let one_row = format!("{thread} in one row");
    let value = TypedValue::new("json", json.as_bytes());
    records
        .save_stored(Checkpoint::new(&*one_row, StoredState::Value(value)))
        .await?;
    let (mut pieces, mut row, mut cut_row) = (Vec::new(), Vec::new(), Vec::new());
    let (mut typed_pieces, mut typed_row) = (Vec::new(), Vec::new());
    for _ in 0..LOADS {
        pieces.push(load(records, thread).await?);
        row.push(load(records, &one_row).await?);
        typed_pieces.push(load_typed(records, thread).await?);
        typed_row.push(load_typed(records, &one_row).await?);
        if matches!(last.state, StoredState::Channels(_)) {
            cut_row.push(load_channels(records, &one_row).await?);
        }
    }
    for (what, pieces, row) in [
        ("as stored", &pieces, &row),
        ("as channels", &pieces, &cut_row),
        ("as a type", &typed_pieces, &typed_row),
    ] {
        if row.is_empty() {
            continue;
        }
        let (pieces, row) = (median(pieces), median(row));
        let ratio = pieces.as_secs_f64() / row.as_secs_f64();
        println!(
            "{thread}: {bytes} bytes loaded {what} in {pieces:?}, from one row in {row:?}, ratio {ratio:.2}"
        );
    }
    records.delete_thread(&one_row).await?;
    Ok(())
}

async fn load(records: &dyn Records, thread: &str) -> anyhow::Result<Duration> {
    let start = Instant::now();
    let found = records.load_stored(&thread.into(), &At::Latest).await?;
    anyhow::ensure!(found.is_some(), "nothing was loaded");
    Ok(start.elapsed())
}

async fn load_typed(records: &dyn Records, thread: &str) -> anyhow::Result<Duration> {
    let start = Instant::now();
    let found = records.load_as::<Value>(thread).await?;
    anyhow::ensure!(found.is_some(), "nothing was loaded");
    Ok(start.elapsed())
}

/// Loads a state from one row, and cuts it into channels.
async fn load_channels(records: &dyn Records, thread: &str) -> anyhow::Result<Duration> {
    let start = Instant::now();
    let found = records.load_stored(&thread.into(), &At::Latest).await?;
    let found = found.context("nothing was loaded")?;
    let json = found.state.as_json().context("the row is not JSON")?;
    let channels = cut(json)?;
    anyhow::ensure!(!channels.0.is_empty(), "there are no channels");
    Ok(start.elapsed())
}

/// Makes channels of the members of an object, of which lists have their entries apart.
fn cut(json: &str) -> anyhow::Result<Channels> {
    // As those of pieces, all values share the name of their kind.
    let kind: Arc<str> = "json".into();
    let value = |raw: &RawValue| TypedValue {
        kind: Arc::clone(&kind),
        bytes: raw.get().as_bytes().into(),
    };
    let mut channels = Channels::new();
    for (name, member) in serde_json::from_str::<BTreeMap<String, &RawValue>>(json)? {
        let content = if member.get().starts_with('[') {
            let entries: Vec<&RawValue> = serde_json::from_str(member.get())?;
            Content::List(entries.into_iter().map(value).collect())
        } else {
            Content::Value(value(member))
        };
        channels = channels.with(&name, "1", content);
    }
    Ok(channels)
}
