//! One checkpoint, with its state.

use axum::extract::State;
use axum::response::Html;
use maud::{Markup, html};
use sectile::checkpoint::{
    At, Checkpoint, Key, PendingWrite, Records, RecordsExt as _, Sharing, StoredState,
};
use serde::Deserialize;

use super::{json, threads};
use crate::address::Address;
use crate::failure::Failure;
use crate::layout::{self, Tab};
use crate::query::Asked;
use crate::site::Site;
use crate::write::{beginning, count, counted, size, time};

/// How much of a written value is shown.
const VALUE: usize = 400;

#[derive(Debug, Deserialize)]
pub(crate) struct CheckpointAddress {
    thread: String,
    #[serde(default)]
    namespace: String,
    seq: u64,
}

/// Answers with a checkpoint.
pub(crate) async fn page(
    State(site): State<Site>,
    Asked(query): Asked<CheckpointAddress>,
) -> Result<Html<String>, Failure> {
    let CheckpointAddress {
        thread,
        namespace,
        seq,
    } = query;
    let key = Key::new(&*thread, namespace);
    let records = threads::records(&site, &thread)?;
    let checkpoint = fetch(records, &key, seq).await?;
    let writes = records.pending_writes(&key, &At::Seq(seq)).await?;
    let sharing = records.sharing(&key, &At::Seq(seq)).await?;
    let body = site
        .work(move || body(&checkpoint, sharing.as_ref(), &writes))
        .await?;
    let title = format!("{thread} {seq} · checkpoint");
    Ok(layout::page(&title, Tab::Threads, "", &body))
}

/// Reads a checkpoint that has to be there.
pub(crate) async fn fetch(
    records: &dyn Records,
    key: &Key,
    seq: u64,
) -> Result<Checkpoint<StoredState>, Failure> {
    let found = records.fetch(key, &At::Seq(seq)).await?;
    let missing = || Failure::not_found(format!("thread `{key}` has no checkpoint {seq}"));
    found.ok_or_else(missing)
}

/// Returns the address of a checkpoint.
pub(crate) fn address(key: &Key, seq: u64) -> Address {
    of(key, Address::new("/checkpoint")).with("seq", seq)
}

/// Adds a thread and its namespace to an address.
fn of(key: &Key, address: Address) -> Address {
    address
        .with("thread", &key.thread_id)
        .with_some("namespace", Some(&key.namespace))
}

/// Writes the path from the threads to a page.
pub(crate) fn trail(key: &Key, seq: Option<u64>) -> Markup {
    html! {
        nav.trail aria-label="You are here" {
            a href="/threads" { "Threads" }
            @if let Some(seq) = seq {
                span.gap { " › " } a href=(threads::history(key)) { bdi { (key.thread_id) } @if !key.namespace.is_empty() { " / " bdi { (key.namespace) } } }
                span.gap { " › " } span { (seq) }
            }
        }
    }
}

fn body(
    checkpoint: &Checkpoint<StoredState>,
    sharing: Option<&Sharing>,
    writes: &[PendingWrite],
) -> Markup {
    let Checkpoint { seq, .. } = checkpoint;
    let key = &checkpoint.key();
    let state = checkpoint.state.to_shown_json();
    html! {
        (trail(key, Some(*seq)))
        h1 { "Checkpoint " (seq) }
        dl.facts-list {
            (fact("step", &html! { (checkpoint.step) }))
            @if let Some(node) = &checkpoint.node { (fact("node", &html! { bdi { (node) } })) }
            @if let Some(id) = &checkpoint.id { (fact("id", &html! { bdi { (id) } })) }
            @if let Some(parent) = checkpoint.parent_seq { (fact("parent", &html! { a href=(address(key, parent)) { (parent) } })) }
            @if let Some(run) = &checkpoint.run_id { (fact("run", &html! { bdi { (run) } })) }
            @if !checkpoint.queue.is_empty() { (fact("next", &queue(checkpoint))) }
            (fact("saved", &time(checkpoint.created_at)))
            (fact("state", &html! { (size(checkpoint.state.size() as u64)) ", " (form(&checkpoint.state)) }))
            @if let Some(sharing) = sharing { (fact("stored in", &stored(key, sharing))) }
        }
        p.links {
            @if let Some(parent) = checkpoint.parent_seq { a href=(compare(key, parent, *seq)) { "What changed since " (parent) } }
        }
        @if !checkpoint.metadata.is_empty() {
            h2 { "Metadata" }
            (json::value(&checkpoint.metadata.clone().into()))
        }
        @if !writes.is_empty() { h2 { "Pending writes" } (pending(writes)) }
        h2 { "State" }
        (json::text(&state))
    }
}

/// Says how a state was handed over.
fn form(state: &StoredState) -> String {
    match state {
        StoredState::Json(_) => "JSON".into(),
        StoredState::Value(value) => format!("{} bytes", value.kind),
        StoredState::Channels(channels) => format!("{} channels", channels.0.len()),
    }
}

/// Says how many pieces a state consists of, what it shares, and what is stored for it alone.
fn stored(key: &Key, sharing: &Sharing) -> Markup {
    html! {
        (counted(sharing.pieces as usize, "piece"))
        @if let Some(seq) = sharing.with_seq {
            ", " (count(sharing.shared)) " of them shared with checkpoint " a href=(address(key, seq)) { (seq) }
        }
        "; " (size(sharing.added_bytes)) " added, " (size(sharing.whole_bytes)) " as a whole"
    }
}

/// Draws the pending writes of a checkpoint.
fn pending(writes: &[PendingWrite]) -> Markup {
    html! {
        div.wide tabindex="0" role="region" aria-label="Pending writes" { table {
            thead { tr { th { "Task" } th { "Run" } th.n { "No." } th { "Channel" } th { "Kind" } th { "Value" } } }
            tbody {
                @for PendingWrite { task_id, task_path, run_id, write } in writes {
                    @let value = write.value.to_shown_json();
                    @let shown = beginning(&value, VALUE);
                    tr {
                        td { bdi { (task_id) } @if !task_path.is_empty() { span.uri { bdi { (task_path) } } } }
                        td { @if let Some(run) = run_id { bdi { (run) } } }
                        td.n { (write.index) }
                        td { bdi { (write.channel) } }
                        td { (write.value.kind) }
                        td.meta { (shown) @if shown.len() < value.len() { "…" } }
                    }
                }
            }
        } }
    }
}

/// Returns the address of what changed from one checkpoint to another.
pub(crate) fn compare(key: &Key, from: u64, to: u64) -> Address {
    of(key, Address::new("/diff"))
        .with("from", from)
        .with("to", to)
}

fn fact(name: &str, value: &Markup) -> Markup {
    html! { div { dt { (name) } dd { (value) } } }
}

fn queue(checkpoint: &Checkpoint<StoredState>) -> Markup {
    html! {
        @for (at, next) in checkpoint.queue.iter().enumerate() {
            @if at > 0 { ", " } bdi { (next.node) } " (step " (next.step) ")"
        }
    }
}
