//! The history of a thread.

use axum::extract::State;
use axum::response::Html;
use maud::{Markup, html};
use sectile::checkpoint::{
    Checkpoint, CheckpointQuery, Key, NamespaceSummary, Records, StoredState,
};
use serde::Deserialize;

use super::{checkpoint, threads};
use crate::failure::Failure;
use crate::layout::{self, Tab};
use crate::query::{Asked, number};
use crate::site::Site;
use crate::write::{beginning, count, size, time};

/// How many checkpoints are on a page.
const PAGE: usize = 20;

/// How many bytes of states are read for a page, if it is not a single one.
const PAGE_BYTES: usize = 32 << 20;

/// The maximum number of bytes of a checkpoint's metadata in a row.
const METADATA: usize = 200;

#[derive(Debug, Deserialize)]
pub(crate) struct ThreadQuery {
    id: String,
    #[serde(default)]
    namespace: String,
    before: Option<String>,
}

/// Answers with a page of a thread's checkpoints, newest first.
pub(crate) async fn page(
    State(site): State<Site>,
    Asked(query): Asked<ThreadQuery>,
) -> Result<Html<String>, Failure> {
    let records = threads::records(&site, &query.id)?;
    let before = number("before", query.before.as_deref()).map_err(Failure::unusable)?;
    let key = Key::new(&*query.id, &*query.namespace);
    let (found, goes_on) = newest(records, &key, before).await?;
    let seqs: Vec<u64> = found.iter().map(|checkpoint| checkpoint.seq).collect();
    let writes = records.count_writes(&key, &seqs).await?;
    let namespaces = records.namespaces(&query.id).await?;
    if namespaces.is_empty() {
        return Err(Failure::not_found(format!(
            "there is no thread `{}`",
            query.id
        )));
    }
    let last = found.last().filter(|_| goes_on).map(|last| last.seq);
    let body = html! {
        (checkpoint::trail(&key, None))
        h1 { bdi { (query.id) } }
        (others(&key, &namespaces))
        (history(&key, &found, &writes))
        nav.turn aria-label="Pages" {
            @if before.is_some() { a href=(threads::history(&key)) { "← Newest" } } @else { span {} }
            span {}
            @if let Some(last) = last { a href=(threads::history(&key).with("before", last)) rel="next" { "Older →" } } @else { span {} }
        }
    };
    let title = format!("{} · thread", query.id);
    Ok(layout::page(&title, Tab::Threads, "", &body))
}

/// Reads the checkpoints of a page one by one, until there are enough or their states take too much, and
/// says whether there are older ones.
async fn newest(
    records: &dyn Records,
    key: &Key,
    mut before: Option<u64>,
) -> Result<(Vec<Checkpoint<StoredState>>, bool), Failure> {
    let (mut found, mut bytes) = (Vec::new(), 0);
    loop {
        let asked = CheckpointQuery {
            limit: Some(1),
            before,
            ..CheckpointQuery::default()
        };
        let Some(next) = records.select(key, &asked).await?.pop() else {
            return Ok((found, false));
        };
        before = Some(next.seq);
        bytes += next.state.size();
        if found.len() == PAGE || (bytes > PAGE_BYTES && !found.is_empty()) {
            return Ok((found, true));
        }
        found.push(next);
    }
}

/// Draws the namespaces of a thread, where there are others than the root.
fn others(key: &Key, namespaces: &[NamespaceSummary]) -> Markup {
    let root_only = namespaces.iter().all(|found| found.namespace.is_empty());
    html! {
        @if !(root_only && key.namespace.is_empty()) {
            p.links {
                "Namespaces: "
                @for found in namespaces {
                    @let other = Key::new(&*key.thread_id, &*found.namespace);
                    @if other == *key { b { bdi { (name(&found.namespace)) } } }
                    @else { a href=(threads::history(&other)) { bdi { (name(&found.namespace)) } } }
                    " (" (found.checkpoints) ") "
                }
            }
        }
    }
}

/// Returns what a namespace is called.
fn name(namespace: &str) -> &str {
    if namespace.is_empty() {
        "root"
    } else {
        namespace
    }
}

/// Draws the checkpoints of a page, each with the number of its pending writes.
fn history(key: &Key, found: &[Checkpoint<StoredState>], writes: &[u64]) -> Markup {
    let newest = found.first().map(|checkpoint| checkpoint.seq);
    let before = found.get(1).map(|checkpoint| checkpoint.seq);
    html! {
        form.history action="/diff" method="get" {
            input type="hidden" name="thread" value=(key.thread_id);
            @if !key.namespace.is_empty() { input type="hidden" name="namespace" value=(key.namespace); }
            div.wide { table {
                thead { tr {
                    th { "From" } th { "To" } th.n { "No." } th.n { "Step" } th { "Node" } th { "Next" } th.n { "Parent" } th.n { "State" } th.n { "Writes" } th { "Metadata" } th { "Saved" }
                } }
                tbody {
                    @for (checkpoint, writes) in found.iter().zip(writes) {
                        (row(key, checkpoint, *writes, before, newest))
                    }
                }
            } }
            p { button disabled[found.len() < 2] { "Compare the two that are chosen" } }
        }
    }
}

fn row(
    key: &Key,
    checkpoint: &Checkpoint<StoredState>,
    writes: u64,
    from: Option<u64>,
    to: Option<u64>,
) -> Markup {
    let seq = checkpoint.seq;
    let queue = checkpoint.queue.iter().map(|next| next.node.as_str());
    let queue: Vec<&str> = queue.collect();
    html! {
        tr {
            td { input type="radio" name="from" value=(seq) checked[from == Some(seq)] aria-label=(format!("compare from {seq}")); }
            td { input type="radio" name="to" value=(seq) checked[to == Some(seq)] aria-label=(format!("compare to {seq}")); }
            td.n { a href=(checkpoint::address(key, seq)) data-step="" { (seq) } }
            td.n { (checkpoint.step) }
            td { @if let Some(node) = &checkpoint.node { bdi { (node) } } }
            td { bdi { (queue.join(", ")) } }
            td.n { @if let Some(parent) = checkpoint.parent_seq { a href=(checkpoint::address(key, parent)) { (parent) } } }
            td.n { (size(checkpoint.state.size() as u64)) }
            td.n { @if writes > 0 { (count(writes)) } }
            td.meta { (metadata(checkpoint)) }
            td { (time(checkpoint.created_at)) }
        }
    }
}

fn metadata(checkpoint: &Checkpoint<StoredState>) -> Markup {
    let said = checkpoint.metadata.iter().map(|(name, value)| match value {
        serde_json::Value::String(text) => format!("{name}={text}"),
        other => format!("{name}={other}"),
    });
    let said = said.collect::<Vec<_>>().join("  ");
    let shown = beginning(&said, METADATA);
    html! { (shown) @if shown.len() < said.len() { "…" } }
}
