//! Collections and their documents.

use axum::extract::State;
use axum::response::Html;
use maud::{Markup, html};
use sectile::store::{DocumentRecord, Language, Totals};
use sectile::{Library, Scope};
use serde::Deserialize;

use super::label;
use crate::address::Address;
use crate::failure::Failure;
use crate::layout::{self, Tab};
use crate::query::{Asked, filled, number};
use crate::site::Site;
use crate::write::{count, counted, size, time};

/// How many documents are on a page.
const PAGE: usize = 50;

#[derive(Debug, Deserialize)]
pub(crate) struct HomeQuery {
    collection: Option<String>,
    /// Text that the name or the URI of a document must contain.
    filter: Option<String>,
    page: Option<String>,
}

/// The documents of one page of the list.
struct Listed<'a> {
    documents: &'a [&'a DocumentRecord],
    all: usize,
    page: usize,
    collection: Option<&'a str>,
    filter: Option<&'a str>,
}

/// Answers with the collections and a page of documents.
pub(crate) async fn page(
    State(site): State<Site>,
    Asked(query): Asked<HomeQuery>,
) -> Result<Html<String>, Failure> {
    let collection = filled(query.collection.as_deref());
    let filter = filled(query.filter.as_deref());
    let asked = number("the page", query.page.as_deref()).map_err(Failure::unusable)?;
    let scope = collection.map_or_else(Scope::all, Scope::collection);
    let documents = site.library().documents(&scope).await?;
    let found: Vec<&DocumentRecord> = documents.iter().filter(|it| fits(it, filter)).collect();
    let page = asked
        .unwrap_or(1_usize)
        .clamp(1, found.len().div_ceil(PAGE).max(1));
    let listed = Listed {
        documents: found.chunks(PAGE).nth(page - 1).unwrap_or_default(),
        all: found.len(),
        page,
        collection,
        filter,
    };
    let totals = site.library().totals().await?;
    let is_known = collection.is_none_or(|name| totals.collections.contains_key(name));
    let body = html! {
        h1.unseen { "Documents" }
        (collections(site.library(), &totals, collection))
        @if totals.documents == 0 { (empty()) }
        @else if !is_known { p.empty { "There is no collection " code { (collection.unwrap_or_default()) } "." } }
        @else { (table(&listed)) }
    };
    Ok(layout::page("Documents", Tab::Documents, "", &body))
}

fn fits(document: &DocumentRecord, filter: Option<&str>) -> bool {
    let Some(filter) = filter else {
        return true;
    };
    let lower = filter.to_lowercase();
    let title = document.metadata.title.as_deref();
    let is_in_title = |title: &str| title.to_lowercase().contains(&lower);
    sectile::uri_contains(&document.uri, filter) || title.is_some_and(is_in_title)
}

fn empty() -> Markup {
    html! {
        p.empty { "The store holds no documents yet. " code { "sectile ingest docs/" } " adds those of a folder." }
    }
}

fn collections(library: &Library, totals: &Totals, chosen: Option<&str>) -> Markup {
    let languages = library.collection_languages();
    html! {
        ul.collections aria-label="Collections" {
            (collection("All", None, totals.documents, chosen.is_none(), &said(totals)))
            @for (name, &documents) in &totals.collections {
                (collection(name, Some(name), documents, chosen == Some(name), &(model(totals, name) + &language(languages.get(name)))))
            }
        }
    }
}

fn collection(
    name: &str,
    key: Option<&str>,
    documents: usize,
    is_chosen: bool,
    said: &str,
) -> Markup {
    html! {
        li {
            a href=(Address::new("/").with_some("collection", key)) aria-current=[is_chosen.then_some("true")] {
                b { bdi { (name) } }
                span { (counted(documents, "document")) }
                span.quiet { (said) }
            }
        }
    }
}

/// Describes the size of a store.
fn said(totals: &Totals) -> String {
    let chunks = counted(totals.chunks, "chunk");
    let failed = match totals.failed {
        0 => String::new(),
        failed => format!(", {failed} failed"),
    };
    format!("{chunks}, {}{failed}", size(totals.bytes))
}

/// Says which model makes the vectors of a collection.
fn model(totals: &Totals, collection: &str) -> String {
    let model = totals.models.get(collection);
    model.map_or_else(
        || "searched by words".to_owned(),
        |model| format!("vectors of {}, {} dimensions", model.name, model.dimensions),
    )
}

/// Adds the language that is set for a collection.
fn language(set: Option<&Language>) -> String {
    set.map_or_else(String::new, |language| format!(", language {language}"))
}

fn table(listed: &Listed<'_>) -> Markup {
    html! {
        form.filter action="/" method="get" {
            @if let Some(collection) = listed.collection { input type="hidden" name="collection" value=(collection); }
            label { span.unseen { "Filter" } input type="search" name="filter" value=[listed.filter] placeholder="Filter by name or path"; }
            button { "Filter" }
            span.quiet role="status" { (counted(listed.all, "document")) }
        }
        @if listed.documents.is_empty() {
            p.empty { "No document has this in its name or path." }
        } @else {
            div.wide { table {
                thead { tr { th { "Document" } th { "Format" } th.n { "Size" } th.n { "Sections" } th.n { "Chunks" } th.n { "Tokens" } th { "Written" } } }
                tbody { @for document in listed.documents { (row(document)) } }
            } }
        }
        (pages(listed))
    }
}

fn row(document: &DocumentRecord) -> Markup {
    html! {
        tr {
            td.doc {
                a href=(label::address(&document.collection, &document.uri)) data-step="" { bdi { (label::name(document)) } }
                span.uri { bdi { (document.uri) } }
                (label::status(document))
            }
            td { (document.format) }
            td.n { @if let Some(bytes) = document.metadata.size { (size(bytes)) } }
            td.n { (count(document.sections)) }
            td.n { (count(document.chunks)) }
            td.n { (count(document.tokens)) }
            td { (time(document.updated_at)) }
        }
    }
}

fn pages(listed: &Listed<'_>) -> Markup {
    let last = listed.all.div_ceil(PAGE).max(1);
    let link = |page: usize| {
        Address::new("/")
            .with_some("collection", listed.collection)
            .with_some("filter", listed.filter)
            .with("page", page)
    };
    html! {
        @if last > 1 {
            nav.turn aria-label="Pages" {
                @if listed.page > 1 { a href=(link(listed.page - 1)) rel="prev" { "← Earlier" } } @else { span {} }
                span { "page " (listed.page) " of " (last) }
                @if listed.page < last { a href=(link(listed.page + 1)) rel="next" { "Later →" } } @else { span {} }
            }
        }
    }
}
