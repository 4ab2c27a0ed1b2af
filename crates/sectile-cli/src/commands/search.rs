//! `sectile search`.

use std::fmt::Write as _;

use anyhow::Context as _;
use sectile::core::{SectionId, Span};
use sectile::models::ModelKind;
use sectile::store::{Leg, Reading, SameText, WordScore};
use sectile::{
    Answer, DEFAULT_COLLECTION, GroupBy, Hit, Library, Scope, SearchMode, SearchRequest,
};
use serde::Serialize;

use super::{
    Outcome, ingest, narrowed, open, open_to_read, with_added_embedder, with_chat_model,
    with_embedder, with_named_embedder, with_reranker, with_way_out,
};
use crate::args::{Group, Mode, SearchArguments};
use crate::output::{self, DIM, HEADING, MARK, NAME, document_name};
use crate::progress::Progress;

/// What is said where vectors cannot be compared.
const NEEDS_EMBEDDER: &str = "this mode needs an embedding model; `sectile model add \
    all-MiniLM-L6-v2` gets one, or name one with --embedder ollama:NAME, openai:NAME, \
    http://HOST/v1#NAME or a folder, or search with --mode text";

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
    mut arguments: SearchArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let query = question(&mut arguments)?;
    let mut library = library(store, &arguments).await?;
    if let Some(name) = &arguments.rerank {
        let name = Some(name.as_str()).filter(|name| !name.is_empty());
        library = with_reranker(library, name, &arguments.reranking)?;
    }
    let scope = narrowed(scope(&library, &arguments).await?, &arguments.filters)?;
    let request = SearchRequest {
        mode: arguments.mode.unwrap_or_default().into(),
        group_by: match arguments.group_by {
            Group::Chunk => GroupBy::Chunk,
            Group::Section => GroupBy::Section,
            Group::Document => GroupBy::Document,
        },
        ..SearchRequest::new(query)
            .with_scope(scope)
            .with_limit(arguments.limit.unwrap_or(LIMIT))
            .with_explain(arguments.explain)
    };
    let answer = if arguments.rerank.is_some() {
        let reranked = library.search_reranked(&request).await?;
        if let Some(problem) = reranked.problem {
            output::warning(format_args!("{}", sectile::error_chain(&problem)));
        }
        reranked.answer
    } else {
        library.search(&request).await?
    };
    for note in &answer.notes {
        output::note(format_args!("{note}"));
    }
    match (json, arguments.explain) {
        (true, true) => output::value(&Explained::new(&answer))?,
        (true, false) => output::value(&rows(&answer))?,
        (false, is_explained) => {
            output::text(&drawn(&answer, is_explained, output::is_styled()))?;
        }
    }
    if !answer.hits.is_empty() {
        return Ok(Outcome::Done);
    }
    explain_nothing(&library, &request).await?;
    Ok(Outcome::NothingFound)
}

/// Takes the question, which may stand behind the paths: `--in docs/ "a question"`.
fn question(arguments: &mut SearchArguments) -> anyhow::Result<String> {
    if let Some(query) = arguments.query.take() {
        return Ok(query);
    }
    let last = arguments.paths.pop_if(|path| !path.exists());
    let last = last.filter(|_| !arguments.paths.is_empty());
    let query = last.and_then(|path| path.into_os_string().into_string().ok());
    query.context("there is no question; write it first: sectile search \"a question\" --in PATH")
}

/// Opens the store with the models that the mode needs.
async fn library(store: Option<String>, arguments: &SearchArguments) -> anyhow::Result<Library> {
    let library = if arguments.paths.is_empty() {
        open_to_read(store).await?
    } else {
        open(store).await?
    };
    match arguments.mode.unwrap_or_default() {
        Mode::Text => Ok(library),
        Mode::Value => with_embedder(library, &arguments.embedder).await,
        Mode::Vector | Mode::Hybrid => {
            let library = with_embedder(library, &arguments.embedder).await?;
            with_usual_embedder(library, arguments).await
        }
        Mode::Tree => with_chat_model(library, &arguments.chat),
    }
}

/// Gives a library that has no embedding model the one that made the vectors of what is searched, or
/// else the only one that was added, which makes those that are lacking.
async fn with_usual_embedder(
    library: Library,
    arguments: &SearchArguments,
) -> anyhow::Result<Library> {
    let collection = match (&arguments.collection, arguments.paths.is_empty()) {
        (Some(name), _) => Some(name.as_str()),
        (None, false) => Some(DEFAULT_COLLECTION),
        (None, true) => None,
    };
    let library = with_added_embedder(library, collection).await?;
    if library.embedder().is_some() {
        return Ok(library);
    }
    let stored = library.totals().await?.models;
    let is_other = |name: &String| collection.is_none_or(|collection| collection == name);
    anyhow::ensure!(!stored.keys().any(is_other), "{NEEDS_EMBEDDER}");
    let name = sectile::only_added(ModelKind::Embedder)?.context(NEEDS_EMBEDDER)?;
    let library = with_named_embedder(library, &name).await?;
    if arguments.paths.is_empty() {
        embed(&library, collection, &name).await?;
    }
    Ok(library)
}

/// Makes the vectors of a collection, or of all.
async fn embed(library: &Library, collection: Option<&str>, model: &str) -> anyhow::Result<()> {
    let totals = library.totals().await?;
    let names = totals.collections.keys().map(String::as_str);
    let names = names.filter(|name| collection.is_none_or(|collection| collection == *name));
    for name in names {
        output::note(format_args!(
            "making the vectors of `{name}` with {model}, once"
        ));
        let progress = Progress::new();
        library.embed(name, &|event| progress.show(&event)).await?;
    }
    Ok(())
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
    ingest::note_renewed(&report);
    for (name, reason) in &report.failed {
        output::warning(format_args!("{name}: {reason}"));
    }
    Ok(library.scope(collection, paths)?)
}

/// Says whether there was nothing to search or nothing to find.
async fn explain_nothing(library: &Library, request: &SearchRequest) -> anyhow::Result<()> {
    if let Some(reason) = library.emptiness(&request.scope).await? {
        output::note(format_args!("nothing found: {}", with_way_out(&reason)));
        return Ok(());
    }
    let documents = library.documents(&request.scope).await?.len();
    let documents = output::count(documents, "document");
    output::note(format_args!(
        "nothing found for `{}` in {documents}",
        request.query
    ));
    Ok(())
}

/// Writes hits for a person.
fn drawn(answer: &Answer, is_explained: bool, is_styled: bool) -> String {
    // What is piped is the text as it stands.
    let (before, after) = if is_styled {
        (MARK.render().to_string(), MARK.render_reset().to_string())
    } else {
        (String::new(), String::new())
    };
    let mut text = String::new();
    if is_explained {
        for line in answer.reading.explained() {
            let _ = writeln!(text, "{DIM}{line}{DIM:#}");
        }
    }
    for (place, hit) in answer.hits.iter().enumerate() {
        let separator = if text.is_empty() { "" } else { "\n" };
        let name = document_name(&hit.document.uri);
        let lines = hit.lines;
        let pages = hit
            .pages
            .map_or_else(String::new, |pages| format!("  p. {pages}"));
        let gone = if is_gone(&hit.document.uri) {
            "  (the file is gone)"
        } else {
            ""
        };
        let path = hit.heading_path.join(" > ");
        let snippet = hit.snippet.marked(&before, &after);
        let _ = writeln!(
            text,
            "{separator}{NAME}{name}{NAME:#}:{lines}{pages}  {HEADING}{path}{HEADING:#}  \
             {DIM}{}{gone}{DIM:#}\n  {snippet}",
            shown(hit.score)
        );
        if !hit.same_text.is_empty() {
            let _ = writeln!(text, "  {DIM}{}{DIM:#}", also_in(hit));
        }
        if is_explained {
            for line in answer.explained(place) {
                let _ = writeln!(text, "  {DIM}{line}{DIM:#}");
            }
        }
    }
    text
}

/// Says whether a document is a file that is not there any more.
fn is_gone(uri: &str) -> bool {
    sectile::document_path(uri).is_some_and(|path| matches!(path.try_exists(), Ok(false)))
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

/// Names the other places with the text of a hit.
fn also_in(hit: &Hit) -> String {
    let place =
        |found: &SameText| format!("{}:{}", document_name(&found.document.uri), found.lines);
    let places: Vec<String> = hit.same_text.iter().map(place).collect();
    format!("the same text in {}", places.join(", "))
}

fn rows(answer: &Answer) -> Vec<Row<'_>> {
    answer.hits.iter().map(Row::new).collect()
}

/// An explained answer as JSON.
#[derive(Serialize)]
struct Explained<'a> {
    reading: &'a Reading,
    notes: &'a [String],
    hits: Vec<Row<'a>>,
}

impl<'a> Explained<'a> {
    fn new(answer: &'a Answer) -> Self {
        Self {
            reading: &answer.reading,
            notes: &answer.notes,
            hits: rows(answer),
        }
    }
}

/// Another place with the text of a hit, as JSON.
#[derive(Serialize)]
struct Place<'a> {
    uri: &'a str,
    collection: &'a str,
    section: SectionId,
    heading_path: &'a [String],
    line_start: usize,
    line_end: usize,
}

impl<'a> Place<'a> {
    fn new(found: &'a SameText) -> Self {
        Self {
            uri: &found.document.uri,
            collection: &found.document.collection,
            section: found.section,
            heading_path: &found.heading_path,
            line_start: found.lines.first,
            line_end: found.lines.last,
        }
    }
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
    same_text: Vec<Place<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    words: &'a [WordScore],
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
            same_text: hit.same_text.iter().map(Place::new).collect(),
            words: &hit.words,
        }
    }
}
