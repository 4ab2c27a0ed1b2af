//! `sectile search`.

use std::fmt::Write as _;

use sectile::core::{SectionId, Span};
use sectile::store::Leg;
use sectile::{DEFAULT_COLLECTION, GroupBy, Hit, Library, Scope, SearchRequest};
use serde::Serialize;

use super::{Outcome, ingest, open};
use crate::args::{Group, Mode, SearchArguments};
use crate::output::{self, DIM, HEADING, MARK, NAME, document_name, range};

pub(crate) async fn run(
    arguments: SearchArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let library = open(store).await?;
    let scope = scope(&library, &arguments).await?;
    let request = SearchRequest {
        mode: match arguments.mode {
            Mode::Text => sectile::SearchMode::Text,
        },
        group_by: match arguments.group_by {
            Group::Section => GroupBy::Section,
            Group::Document => GroupBy::Document,
        },
        ..SearchRequest::new(arguments.query)
            .with_scope(scope)
            .with_limit(arguments.limit)
    };
    let hits = library.search(&request).await?;
    if json {
        output::value(&hits.iter().map(Row::new).collect::<Vec<_>>())?;
    } else {
        output::text(&drawn(&hits, output::is_styled()))?;
    }
    if !hits.is_empty() {
        return Ok(Outcome::Done);
    }
    explain_nothing(&library, &request).await?;
    Ok(Outcome::NothingFound)
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
    for (path, reason) in &report.failed {
        output::warning(format_args!("{}: {reason}", path.display()));
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
fn drawn(hits: &[Hit], is_styled: bool) -> String {
    let (before, after) = if is_styled {
        (MARK.render().to_string(), MARK.render_reset().to_string())
    } else {
        ("**".to_owned(), "**".to_owned())
    };
    let mut text = String::new();
    for hit in hits {
        let separator = if text.is_empty() { "" } else { "\n" };
        let name = document_name(&hit.document.uri);
        let lines = range(hit.lines.first, hit.lines.last);
        let pages = hit.pages.map_or_else(String::new, |pages| {
            format!("  p. {}", range(pages.first, pages.last))
        });
        let path = hit.heading_path.join(" > ");
        let score = hit.score;
        let snippet = hit.snippet.marked(&before, &after);
        let _ = writeln!(
            text,
            "{separator}{NAME}{name}{NAME:#}:{lines}{pages}  {HEADING}{path}{HEADING:#}  \
             {DIM}{score:.2}{DIM:#}\n  {snippet}"
        );
    }
    text
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
