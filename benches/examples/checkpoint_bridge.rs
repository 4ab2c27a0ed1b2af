//! Lets a program in another language use our checkpointers: a request is a line of JSON on standard
//! input, its answer a line on standard output. `scripts/langgraph-conformance` starts it.
//!
//! ```text
//! cargo run -p sectile-benches --example checkpoint_bridge -- sqlite:PATH|postgres://…
//! ```
//!
//! A request is what [`Request`] reads, an answer `{"ok": …}` or `{"error": "…"}`. The values of
//! LangGraph's channels are channels of ours, as the serializer wrote them; the rest of a checkpoint
//! of LangGraph is the channel [`REST`].

#![expect(clippy::print_stdout, reason = "that is where the answers go")]

use std::collections::BTreeMap;
use std::io::stdin;

use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use sectile_checkpoint::{
    At, Channels, Checkpoint, CheckpointQuery, Content, Key, PendingWrite, Prune, Records,
    RecordsExt as _, Saved, StoredState, TaskWrites, TypedValue,
};
use sectile_checkpoint_postgres::PostgresCheckpointer;
use sectile_checkpoint_sqlite::SqliteCheckpointer;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::runtime::Runtime;

/// Where the tables stand in a Postgres database, apart from those of others.
const SCHEMA: &str = "langgraph_conformance";

/// The channel that has a checkpoint of LangGraph without its values.
const REST: &str = "checkpoint";

/// What the names of the other channels begin with.
const VALUE: &str = "value:";

/// What can be asked for. Checkpoints are named by their ids, never by their numbers.
#[derive(Deserialize)]
#[serde(tag = "verb", rename_all = "snake_case")]
enum Request {
    Save(Save),
    Load(Load),
    List(List),
    Write(Write),
    DeleteThread {
        thread: String,
    },
    DeleteRuns {
        runs: Vec<String>,
    },
    CopyThread {
        thread: String,
        new_thread: String,
    },
    Prune {
        threads: Vec<String>,
        strategy: Strategy,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Save {
    key: Key,
    id: String,
    parent: Option<String>,
    run: Option<String>,
    rest: Value,
    values: BTreeMap<String, Versioned>,
    metadata: Map<String, Value>,
}

/// The newest checkpoint, or the one with an id.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Load {
    key: Key,
    id: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    key: Key,
    before: Option<String>,
    limit: Option<usize>,
    metadata: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Write {
    key: Key,
    id: String,
    task: String,
    path: String,
    writes: Vec<(String, Typed)>,
}

/// A value with the version of its channel.
#[derive(Deserialize, Serialize)]
struct Versioned(String, Typed);

/// A value: its kind, and its bytes in base64.
#[derive(Deserialize, Serialize)]
struct Typed(String, String);

impl Typed {
    fn of(value: &TypedValue) -> Self {
        Self(value.kind.as_ref().into(), BASE64.encode(&value.bytes))
    }

    fn value(&self) -> anyhow::Result<TypedValue> {
        Ok(TypedValue::new(&self.0, BASE64.decode(&self.1)?))
    }
}

/// What is left of a thread that is pruned.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Strategy {
    /// The newest checkpoint of each namespace.
    KeepLatest,
    /// Nothing.
    Delete,
}

/// A checkpoint, as LangGraph knows it.
#[derive(Serialize)]
struct Found {
    key: Key,
    id: Option<String>,
    parent: Option<String>,
    rest: Value,
    values: BTreeMap<String, Typed>,
    metadata: Map<String, Value>,
    /// Task, channel, value, path.
    writes: Vec<(String, String, Typed, String)>,
}

struct Bridge {
    records: Box<dyn Records>,
}

impl Bridge {
    async fn answer(&self, line: &str) -> anyhow::Result<Value> {
        match serde_json::from_str(line)? {
            Request::Save(request) => Ok(json!(self.save(request).await?)),
            Request::Load(request) => Ok(json!(self.load(request).await?)),
            Request::List(request) => Ok(json!(self.list(request).await?)),
            Request::Write(request) => Ok(json!(self.write(request).await?)),
            Request::DeleteThread { thread } => {
                Ok(json!(self.records.delete_thread(&thread).await?))
            }
            Request::DeleteRuns { runs } => Ok(json!(self.records.delete_runs(&runs).await?)),
            Request::CopyThread { thread, new_thread } => {
                Ok(json!(self.records.copy_thread(&thread, &new_thread).await?))
            }
            Request::Prune { threads, strategy } => {
                let mut pruned = 0;
                for thread in &threads {
                    pruned += self.prune(thread, &strategy).await?;
                }
                Ok(json!(pruned))
            }
        }
    }

    async fn save(&self, request: Save) -> anyhow::Result<Saved> {
        let rest = TypedValue::json(&request.rest)?;
        let mut channels = Channels::new().with(REST, "", rest);
        for (name, Versioned(version, value)) in &request.values {
            channels = channels.with(&format!("{VALUE}{name}"), version, value.value()?);
        }
        let parent_seq = self.seq(&request.key, request.parent).await?;
        let mut checkpoint = Checkpoint::new(request.key.thread_id, channels)
            .in_namespace(request.key.namespace)
            .with_id(request.id);
        checkpoint.parent_seq = parent_seq;
        checkpoint.run_id = request.run;
        checkpoint.metadata = request.metadata;
        Ok(self.records.save_stored(checkpoint).await?)
    }

    async fn load(&self, request: Load) -> anyhow::Result<Option<Found>> {
        let at = request.id.map_or(At::Latest, At::Id);
        match self.records.load_stored(&request.key, &at).await? {
            Some(checkpoint) => Ok(Some(self.found(checkpoint).await?)),
            None => Ok(None),
        }
    }

    async fn list(&self, request: List) -> anyhow::Result<Vec<Found>> {
        let query = CheckpointQuery {
            limit: request.limit,
            before: self.seq(&request.key, request.before).await?,
            metadata: request.metadata,
        };
        let mut listed = Vec::new();
        for checkpoint in self.records.select(&request.key, &query).await? {
            listed.push(self.found(checkpoint).await?);
        }
        Ok(listed)
    }

    async fn write(&self, request: Write) -> anyhow::Result<()> {
        let mut writes = TaskWrites::new(request.task).at_path(request.path);
        for (channel, value) in &request.writes {
            writes = writes.write(channel, value.value()?);
        }
        let at = At::Id(request.id);
        Ok(self.records.put_writes(&request.key, &at, &writes).await?)
    }

    async fn prune(&self, thread: &str, strategy: &Strategy) -> anyhow::Result<u64> {
        Ok(match strategy {
            Strategy::Delete => self.records.delete_thread(thread).await?,
            Strategy::KeepLatest => {
                let prune = Prune::keep_latest(1).of_thread(thread);
                self.records.prune(&prune).await?
            }
        })
    }

    /// Returns the number of the checkpoint with an id, where one is asked for.
    async fn seq(&self, key: &Key, id: Option<String>) -> anyhow::Result<Option<u64>> {
        let Some(id) = id else {
            return Ok(None);
        };
        let found = self.records.load_stored(key, &At::Id(id.clone())).await?;
        let found = found.with_context(|| format!("thread `{key}` has no id `{id}`"))?;
        Ok(Some(found.seq))
    }

    /// Returns what LangGraph knows of a checkpoint, whose parent may have been pruned.
    async fn found(&self, checkpoint: Checkpoint<StoredState>) -> anyhow::Result<Found> {
        let key = checkpoint.key();
        let parent = match checkpoint.parent_seq {
            Some(seq) => self.records.load_stored(&key, &At::Seq(seq)).await?,
            None => None,
        };
        let at = At::Seq(checkpoint.seq);
        let writes = self.records.pending_writes(&key, &at).await?;
        let (mut rest, mut values) = (Value::Null, BTreeMap::new());
        let StoredState::Channels(Channels(channels)) = checkpoint.state else {
            anyhow::bail!(
                "checkpoint {} of thread `{key}` has no channels",
                checkpoint.seq
            );
        };
        for (name, channel) in channels {
            let Content::Value(value) = &channel.content else {
                continue;
            };
            match name.strip_prefix(VALUE) {
                Some(name) => drop(values.insert(name.into(), Typed::of(value))),
                None => rest = serde_json::from_slice(&value.bytes)?,
            }
        }
        Ok(Found {
            key,
            id: checkpoint.id,
            parent: parent.and_then(|parent| parent.id),
            rest,
            values,
            metadata: checkpoint.metadata,
            writes: writes.into_iter().map(write_of).collect(),
        })
    }
}

fn write_of(pending: PendingWrite) -> (String, String, Typed, String) {
    let write = pending.write;
    let value = Typed::of(&write.value);
    (pending.task_id, write.channel, value, pending.task_path)
}

fn main() -> anyhow::Result<()> {
    let url = std::env::args().nth(1);
    let url = url.context("usage: checkpoint_bridge sqlite:PATH|postgres://…")?;
    Runtime::new()?.block_on(serve(&url))
}

async fn serve(url: &str) -> anyhow::Result<()> {
    let records = connect(url).await?;
    let bridge = Bridge { records };
    for line in stdin().lines() {
        let answer = match bridge.answer(&line?).await {
            Ok(value) => json!({ "ok": value }),
            Err(error) => json!({ "error": format!("{error:#}") }),
        };
        println!("{answer}");
    }
    Ok(())
}

async fn connect(url: &str) -> anyhow::Result<Box<dyn Records>> {
    if url.starts_with("sqlite:") {
        let checkpointer = SqliteCheckpointer::builder(url).connect().await?;
        checkpointer.migrate().await?;
        return Ok(Box::new(checkpointer));
    }
    let builder = PostgresCheckpointer::builder(url).schema(SCHEMA);
    let checkpointer = builder.connect().await?;
    checkpointer.migrate().await?;
    Ok(Box::new(checkpointer))
}
