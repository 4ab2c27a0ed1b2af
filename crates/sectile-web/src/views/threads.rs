//! The threads of graph runs.

use axum::extract::State;
use axum::response::Html;
use maud::{Markup, html};
use sectile::checkpoint::{Error, Key, Records, ThreadQuery, ThreadSummary, check_thread_id};
use serde::Deserialize;

use crate::address::Address;
use crate::failure::Failure;
use crate::layout::{self, Tab};
use crate::query::{Asked, filled};
use crate::site::Site;
use crate::write::{count, counted, time};

/// How many threads are on a page.
const PAGE: usize = 50;

#[derive(Debug, Deserialize)]
pub(crate) struct ThreadsQuery {
    after: Option<String>,
}

/// Answers with a page of threads.
pub(crate) async fn page(
    State(site): State<Site>,
    Asked(query): Asked<ThreadsQuery>,
) -> Result<Html<String>, Failure> {
    let after = filled(query.after.as_deref());
    let body = match site.checkpoints() {
        None => none(),
        Some(records) => match listed(records, after).await {
            Ok(body) => body,
            Err(Error::NotMigrated { .. }) => none(),
            Err(error) => return Err(error.into()),
        },
    };
    Ok(layout::page("Threads", Tab::Threads, "", &body))
}

/// Returns where the checkpoints of a thread are kept, if there may be such a thread at all.
pub(crate) fn records<'a>(site: &'a Site, thread: &str) -> Result<&'a dyn Records, Failure> {
    check_thread_id(thread)?;
    let none = || Failure::not_found("this store has no checkpoints".to_owned());
    site.checkpoints().ok_or_else(none)
}

async fn listed(records: &dyn Records, after: Option<&str>) -> Result<Markup, Error> {
    let query = ThreadQuery {
        limit: Some(PAGE + 1),
        after: after.map(str::to_owned),
        ..ThreadQuery::default()
    };
    let mut threads = records.threads(&query).await?;
    let goes_on = threads.len() > PAGE;
    threads.truncate(PAGE);
    let last = threads.last().filter(|_| goes_on);
    Ok(html! {
        h1 { "Threads" }
        @if threads.is_empty() {
            p.empty { "No run has saved a checkpoint here" @if after.is_some() { " after this one" } "." }
        } @else {
            div.wide { table {
                thead { tr { th { "Thread" } th.n { "Checkpoints" } th.n { "Newest" } th { "Saved" } } }
                tbody { @for thread in &threads { (row(thread)) } }
            } }
        }
        nav.turn aria-label="Pages" {
            @if after.is_some() { a href="/threads" { "← First" } } @else { span {} }
            span { (counted(threads.len(), "thread")) " here" }
            @if let Some(last) = last { a href=(Address::new("/threads").with("after", &last.thread_id)) rel="next" { "Later →" } } @else { span {} }
        }
    })
}

fn row(thread: &ThreadSummary) -> Markup {
    html! {
        tr {
            td.doc { a href=(address(&thread.thread_id)) data-step="" { bdi { (thread.thread_id) } } }
            td.n { (count(thread.checkpoints)) }
            td.n { (thread.latest_seq) }
            td { (time(thread.updated_at)) }
        }
    }
}

/// Returns the address of a thread.
pub(crate) fn address(thread: &str) -> Address {
    Address::new("/thread").with("id", thread)
}

/// Returns the address of the history of a namespace.
pub(crate) fn history(key: &Key) -> Address {
    address(&key.thread_id).with_some("namespace", Some(&key.namespace))
}

fn none() -> Markup {
    html! {
        h1 { "Threads" }
        div.empty {
            p { "This store has no checkpoints. They are the states of graph runs (agents, workflows), and live in tables of their own." }
            p { code { "sectile checkpoint migrate" } " makes the tables in the same store, and your program saves to them; " code { "sectile serve" } " then shows them here." }
        }
    }
}
