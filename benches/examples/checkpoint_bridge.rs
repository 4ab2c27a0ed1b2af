//! Lets a program in another language use our checkpointers: a request is a line of JSON on standard
//! input, its answer a line on standard output. `scripts/langgraph-conformance` starts it.
//!
//! ```text
//! cargo run -p sectile-benches --example checkpoint_bridge -- sqlite:PATH|postgres://…
//! ```
//!
//! A request is what [`Request`] reads, an answer `{"ok": …}` or `{"error": "…"}`. LangGraph divides
//! a thread into namespaces and we do not, so each namespace is a thread of ours. What concerns all
//! namespaces of a thread is a call for each of them, so it can be half-done.

#![expect(clippy::print_stdout, reason = "that is where the answers go")]

use std::collections::BTreeSet;
use std::io::stdin;

use anyhow::Context as _;
use sectile_checkpoint::{
    Checkpoint, CheckpointHistory as _, CheckpointQuery, Checkpointer as _, Prune, Records, Saved,
    ThreadQuery,
};
use sectile_checkpoint_postgres::PostgresCheckpointer;
use sectile_checkpoint_sqlite::SqliteCheckpointer;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::runtime::Runtime;

/// Where the tables stand in a Postgres database, apart from those of others.
const SCHEMA: &str = "langgraph_conformance";

/// What can be asked for. Checkpoints are named by their ids, never by their numbers.
#[derive(Deserialize)]
#[serde(tag = "verb", rename_all = "snake_case")]
enum Request {
    Save(Save),
    Load(Load),
    List(List),
    DeleteThread(DeleteThread),
    CopyThread(CopyThread),
    Prune(PruneThreads),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Save {
    namespace: Namespace,
    id: String,
    parent: Option<String>,
    state: Value,
    metadata: Map<String, Value>,
}

/// The newest checkpoint, or the one with an id.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Load {
    namespace: Namespace,
    id: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    namespace: Namespace,
    before: Option<String>,
    limit: Option<usize>,
    metadata: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeleteThread {
    thread: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CopyThread {
    thread: String,
    new_thread: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PruneThreads {
    threads: Vec<String>,
    strategy: Strategy,
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

/// A thread of LangGraph and the name of a namespace in it.
#[derive(PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
struct Namespace(String, String);

impl Namespace {
    fn root(thread: &str) -> Self {
        Self(thread.to_owned(), String::new())
    }

    /// Returns the id of the thread that it is to us.
    fn thread_id(&self) -> String {
        json!(self).to_string()
    }
}

/// A checkpoint, as LangGraph knows it.
#[derive(Serialize)]
struct Found {
    namespace: Namespace,
    id: Option<String>,
    parent: Option<String>,
    state: Value,
    metadata: Map<String, Value>,
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
            Request::DeleteThread(request) => Ok(json!(self.delete(&request.thread).await?)),
            Request::CopyThread(request) => Ok(json!(self.copy(request).await?)),
            Request::Prune(request) => Ok(json!(self.prune(request).await?)),
        }
    }

    async fn save(&self, request: Save) -> anyhow::Result<Saved> {
        let thread_id = request.namespace.thread_id();
        let parent_seq = self.seq(&thread_id, request.parent).await?;
        let mut checkpoint = Checkpoint::new(thread_id, request.state).with_id(request.id);
        checkpoint.parent_seq = parent_seq;
        checkpoint.metadata = request.metadata;
        Ok(self.records.save(&checkpoint).await?)
    }

    async fn load(&self, request: Load) -> anyhow::Result<Option<Found>> {
        let thread_id = request.namespace.thread_id();
        let checkpoint = match request.id {
            Some(id) => self.records.load_by_id(&thread_id, &id).await?,
            None => self.records.load(&thread_id).await?,
        };
        match checkpoint {
            Some(checkpoint) => Ok(Some(self.found(checkpoint).await?)),
            None => Ok(None),
        }
    }

    async fn list(&self, request: List) -> anyhow::Result<Vec<Found>> {
        let thread_id = request.namespace.thread_id();
        let query = CheckpointQuery {
            limit: request.limit,
            before: self.seq(&thread_id, request.before).await?,
            metadata: request.metadata,
        };
        let mut listed = Vec::new();
        for checkpoint in self.records.list(&thread_id, &query).await? {
            listed.push(self.found(checkpoint).await?);
        }
        Ok(listed)
    }

    /// Deletes a thread, and returns how many checkpoints it had.
    async fn delete(&self, thread: &str) -> anyhow::Result<u64> {
        let mut deleted = 0;
        for namespace in self.namespaces(thread).await? {
            deleted += self.records.delete_thread(&namespace.thread_id()).await?;
        }
        Ok(deleted)
    }

    /// Copies a thread, and returns how many checkpoints it has.
    async fn copy(&self, request: CopyThread) -> anyhow::Result<u64> {
        let mut copied = 0;
        for namespace in self.namespaces(&request.thread).await? {
            let from = namespace.thread_id();
            let to = Namespace(request.new_thread.clone(), namespace.1).thread_id();
            copied += self.records.copy_thread(&from, &to).await?;
        }
        Ok(copied)
    }

    /// Prunes threads, and returns how many checkpoints went.
    async fn prune(&self, request: PruneThreads) -> anyhow::Result<u64> {
        let mut pruned = 0;
        for thread in &request.threads {
            pruned += match request.strategy {
                Strategy::KeepLatest => self.keep_latest(thread).await?,
                Strategy::Delete => self.delete(thread).await?,
            };
        }
        Ok(pruned)
    }

    async fn keep_latest(&self, thread: &str) -> anyhow::Result<u64> {
        let mut pruned = 0;
        for namespace in self.namespaces(thread).await? {
            let prune = Prune::keep_latest(1).of_thread(namespace.thread_id());
            pruned += self.records.prune(&prune).await?;
        }
        Ok(pruned)
    }

    /// Returns the namespaces of a thread; the root always, so that the checkpointer is asked about
    /// threads that are not there, too.
    async fn namespaces(&self, thread: &str) -> anyhow::Result<BTreeSet<Namespace>> {
        let mut namespaces = BTreeSet::from([Namespace::root(thread)]);
        let prefix = format!("[{},", json!(thread));
        let mut after = prefix.clone();
        while let Some(next) = self.thread_after(after).await? {
            if !next.starts_with(&prefix) {
                break;
            }
            namespaces.insert(serde_json::from_str(&next)?);
            after = next;
        }
        Ok(namespaces)
    }

    async fn thread_after(&self, thread_id: String) -> anyhow::Result<Option<String>> {
        let query = ThreadQuery {
            limit: Some(1),
            after: Some(thread_id),
        };
        let threads = self.records.threads(&query).await?;
        Ok(threads.into_iter().next().map(|thread| thread.thread_id))
    }

    /// Returns the number of the checkpoint with an id, where one is asked for.
    async fn seq(&self, thread_id: &str, id: Option<String>) -> anyhow::Result<Option<u64>> {
        let Some(id) = id else {
            return Ok(None);
        };
        let found: Option<Checkpoint<Value>> = self.records.load_by_id(thread_id, &id).await?;
        let found = found.with_context(|| format!("thread `{thread_id}` has no id `{id}`"))?;
        Ok(Some(found.seq))
    }

    /// Finds the id of a checkpoint's parent, which may have been pruned.
    async fn found(&self, checkpoint: Checkpoint<Value>) -> anyhow::Result<Found> {
        let parent: Option<Checkpoint<Value>> = match checkpoint.parent_seq {
            Some(seq) => self.records.load_at(&checkpoint.thread_id, seq).await?,
            None => None,
        };
        Ok(Found {
            namespace: serde_json::from_str(&checkpoint.thread_id)?,
            id: checkpoint.id,
            parent: parent.and_then(|parent| parent.id),
            state: checkpoint.state,
            metadata: checkpoint.metadata,
        })
    }
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
