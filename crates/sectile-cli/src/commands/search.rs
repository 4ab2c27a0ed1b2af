//! `sectile search`.

use std::fmt::Write as _;

use sectile::core::{SectionId, Span};
use sectile::store::Leg;
use sectile::{DEFAULT_COLLECTION, GroupBy, Hit, Library, Scope, SearchMode, SearchRequest};
use serde::Serialize;

use super::{Outcome, ingest, narrowed, open, open_with, with_chat_model};
use crate::args::{Group, Mode, SearchArguments};
use crate::output::{self, DIM, HEADING, MARK, NAME, document_name};

/// What is said where vectors cannot be compared.
const NEEDS_EMBEDDER: &str = "this mode needs an embedding model; name one with --embedder \
    ollama:NAME, openai:NAME, http://HOST/v1#NAME or a folder, or search with --mode text";

/// The most hits to show unless told.
const LIMIT: usize = 10;

impl From<Mode> for SearchMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Text => Self::Text,
            Mode::Vector => Self::Vector,
            Mode::Hybrid => Self::Hybrid,
            Mode::Value => Self::Value,
            Mode::Tree => Self::Tree,
        }
    }
}

pub(crate) async fn run(
    arguments: SearchArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let library = library(store, &arguments).await?;
    let scope = narrowed(scope(&library, &arguments).await?, &arguments.filters)?;
    let request = SearchRequest {
        mode: arguments.mode.unwrap_or_default().into(),
        group_by: match arguments.group_by {
            Group::Chunk => GroupBy::Chunk,
            Group::Section => GroupBy::Section,
            Group::Document => GroupBy::Document,
        },
        ..SearchRequest::new(arguments.query)
            .with_scope(scope)
            .with_limit(arguments.limit.unwrap_or(LIMIT))
    };
    let hits = library.search(&request).await?;
    if json {
        output::value(&hits.iter().map(Row::new).collect::<Vec<_>>())?;
    } else {
        output::text(&drawn(&hits, arguments.explain, output::is_styled()))?;
    }
    if !hits.is_empty() {
        return Ok(Outcome::Done);
    }
    explain_nothing(&library, &request).await?;
    Ok(Outcome::NothingFound)
}

/// Opens the store with the models that the mode needs.
async fn library(store: Option<String>, arguments: &SearchArguments) -> anyhow::Result<Library> {
    match arguments.mode.unwrap_or_default() {
        Mode::Text => open(store).await,
        Mode::Value => open_with(store, &arguments.embedder).await,
        Mode::Vector | Mode::Hybrid => {
            let has_model = arguments.embedder.embedder.is_some();
            anyhow::ensure!(has_model, "{NEEDS_EMBEDDER}");
            open_with(store, &arguments.embedder).await
        }
        Mode::Tree => with_chat_model(open(store).await?, &arguments.chat),
    }
}

/// Returns where to search, after bringing it up to date.
async fn scope(library: &Library, arguments: &SearchArguments) -> anyhow::Result<Scope> {
    let paths = &arguments.paths;
    let named = arguments.collection.as_deref();
    if paths.is_empty() {
        return Ok(named.map_or_else(Scope::all, Scope::collection));
    }
    let collection = named.unwrap_or(DEFAULT_COLLECTION);
    let report = ingest::with_progress(library, collection, paths).await?;
    for (name, reason) in &report.failed {
        output::warning(format_args!("{name}: {reason}"));
    }
    Ok(library.scope(collection, paths)?)
}

/// Says whether there was nothing to search or nothing to find.
async fn explain_nothing(library: &Library, request: &SearchRequest) -> anyhow::Result<()> {
    let query = &request.query;
    match library.documents(&request.scope).await?.len() {
        0 => output::note(format_args!(
            "nothing found: there are no documents to search; `sectile ingest` adds some"
        )),
        1 => output::note(format_args!("nothing found for `{query}` in 1 document")),
        n => output::note(format_args!("nothing found for `{query}` in {n} documents")),
    }
    Ok(())
}

/// Writes hits for a person.
fn drawn(hits: &[Hit], is_explained: bool, is_styled: bool) -> String {
    let (before, after) = if is_styled {
        (MARK.render().to_string(), MARK.render_reset().to_string())
    } else {
        ("**".to_owned(), "**".to_owned())
    };
    let mut text = String::new();
    for hit in hits {
        let separator = if text.is_empty() { "" } else { "\n" };
        let name = document_name(&hit.document.uri);
        let lines = hit.lines;
        let pages = hit
            .pages
            .map_or_else(String::new, |pages| format!("  p. {pages}"));
        let path = hit.heading_path.join(" > ");
        let snippet = hit.snippet.marked(&before, &after);
        let _ = writeln!(
            text,
            "{separator}{NAME}{name}{NAME:#}:{lines}{pages}  {HEADING}{path}{HEADING:#}  \
             {DIM}{}{DIM:#}\n  {snippet}",
            shown(hit.score)
        );
        if is_explained {
            let _ = writeln!(text, "  {DIM}{}{DIM:#}", explained(hit));
        }
    }
    text
}

/// Writes a score with three digits that count: those of BM25 and those of fused ranks differ a
/// hundredfold.
fn shown(score: f64) -> String {
    if score.abs() < 0.1 {
        format!("{score:.4}")
    } else {
        format!("{score:.2}")
    }
}

/// Says what each leg found.
fn explained(hit: &Hit) -> String {
    let leg = |leg: &Leg| format!("{}: rank {}, score {:.4}", leg.name, leg.rank, leg.score);
    let legs: Vec<String> = hit.legs.iter().map(leg).collect();
    format!("score {:.6} of {}", hit.score, legs.join("; "))
}

/// A hit as JSON. The names are documented in `docs/json.md` and do not change.
#[derive(Serialize)]
struct Row<'a> {
    uri: &'a str,
    path: Option<String>,
    collection: &'a str,
    title: Option<&'a str>,
    format: sectile::core::Format,
    section: SectionId,
    heading_path: &'a [String],
    line_start: usize,
    line_end: usize,
    page_start: Option<u32>,
    page_end: Option<u32>,
    score: f64,
    legs: &'a [Leg],
    snippet: &'a str,
    marks: &'a [Span],
}

impl<'a> Row<'a> {
    fn new(hit: &'a Hit) -> Self {
        let document = &hit.document;
        Self {
            uri: &document.uri,
            path: sectile::document_path(&document.uri).map(|path| path.display().to_string()),
            collection: &document.collection,
            title: document.title.as_deref(),
            format: document.format,
            section: hit.section,
            heading_path: &hit.heading_path,
            line_start: hit.lines.first,
            line_end: hit.lines.last,
            page_start: hit.pages.map(|pages| pages.first),
            page_end: hit.pages.map(|pages| pages.last),
            score: hit.score,
            legs: &hit.legs,
            snippet: &hit.snippet.text,
            marks: &hit.snippet.marks,
        }
    }
}
