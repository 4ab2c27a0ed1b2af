//! One checkpoint, with its state.

use axum::extract::State;
use axum::response::Html;
use maud::{Markup, html};
use sectile::checkpoint::{At, Checkpoint, Records, StateJson};
use serde::Deserialize;

use super::{json, threads};
use crate::address::Address;
use crate::failure::Failure;
use crate::layout::{self, Tab};
use crate::query::Asked;
use crate::site::Site;
use crate::write::{size, time};

#[derive(Debug, Deserialize)]
pub(crate) struct CheckpointAddress {
    thread: String,
    seq: u64,
}

/// Answers with a checkpoint.
pub(crate) async fn page(
    State(site): State<Site>,
    Asked(query): Asked<CheckpointAddress>,
) -> Result<Html<String>, Failure> {
    let CheckpointAddress { thread, seq } = query;
    let checkpoint = fetch(threads::records(&site, &thread)?, &thread, seq).await?;
    let body = site.work(move || body(&checkpoint)).await?;
    let title = format!("{thread} {seq} · checkpoint");
    Ok(layout::page(&title, Tab::Threads, "", &body))
}

/// Reads a checkpoint that has to be there.
pub(crate) async fn fetch(
    records: &dyn Records,
    thread: &str,
    seq: u64,
) -> Result<Checkpoint<StateJson>, Failure> {
    let found = records.fetch(thread, &At::Seq(seq)).await?;
    let missing = || Failure::not_found(format!("thread `{thread}` has no checkpoint {seq}"));
    found.ok_or_else(missing)
}

/// Returns the address of a checkpoint.
pub(crate) fn address(thread: &str, seq: u64) -> Address {
    Address::new("/checkpoint")
        .with("thread", thread)
        .with("seq", seq)
}

/// Says where a page stands below the threads.
pub(crate) fn trail(thread: &str, seq: Option<u64>) -> Markup {
    html! {
        nav.trail aria-label="You are here" {
            a href="/threads" { "Threads" }
            @if let Some(seq) = seq {
                span.gap { " › " } a href=(threads::address(thread)) { bdi { (thread) } }
                span.gap { " › " } span { (seq) }
            }
        }
    }
}

fn body(checkpoint: &Checkpoint<StateJson>) -> Markup {
    let Checkpoint { thread_id, seq, .. } = checkpoint;
    let state = checkpoint.state.as_str();
    html! {
        (trail(thread_id, Some(*seq)))
        h1 { "Checkpoint " (seq) }
        dl.facts-list {
            (fact("step", &html! { (checkpoint.step) }))
            @if let Some(node) = &checkpoint.node { (fact("node", &html! { bdi { (node) } })) }
            @if let Some(id) = &checkpoint.id { (fact("id", &html! { bdi { (id) } })) }
            @if let Some(parent) = checkpoint.parent_seq { (fact("parent", &html! { a href=(address(thread_id, parent)) { (parent) } })) }
            @if !checkpoint.queue.is_empty() { (fact("next", &queue(checkpoint))) }
            (fact("saved", &time(checkpoint.created_at)))
            (fact("state", &html! { (size(state.len() as u64)) }))
        }
        p.links {
            @if let Some(parent) = checkpoint.parent_seq { a href=(compare(thread_id, parent, *seq)) { "What changed since " (parent) } }
        }
        @if !checkpoint.metadata.is_empty() {
            h2 { "Metadata" }
            (json::value(&checkpoint.metadata.clone().into()))
        }
        h2 { "State" }
        (json::text(state))
    }
}

/// Returns the address of what changed from one checkpoint to another.
pub(crate) fn compare(thread: &str, from: u64, to: u64) -> Address {
    Address::new("/diff")
        .with("thread", thread)
        .with("from", from)
        .with("to", to)
}

fn fact(name: &str, value: &Markup) -> Markup {
    html! { div { dt { (name) } dd { (value) } } }
}

fn queue(checkpoint: &Checkpoint<StateJson>) -> Markup {
    html! {
        @for (at, next) in checkpoint.queue.iter().enumerate() {
            @if at > 0 { ", " } bdi { (next.node) } " (step " (next.step) ")"
        }
    }
}
