//! `search`: the sections that answer a question.

use std::fmt::Write as _;

use rmcp::model::Tool;
use schemars::JsonSchema;
use sectile::{GroupBy, Hit, Part, Passage, SearchMode, SearchRequest};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::{Answer, Outcome, count, cut, is_zero};
use crate::arguments::in_range;
use crate::budget::Budget;
use crate::cursor::Cursor;
use crate::documents::short;
use crate::handler::Handler;
use crate::problem::{Problem, quoted};
use crate::tools::Effect;
use crate::{Server, scope};

const MOST_HITS: usize = 100;

/// A text of fewer tokens than this is not worth its place.
const LEAST_TEXT: usize = 100;

/// The longest question, in bytes.
const LONGEST_QUERY: usize = 10_000;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Words of the documents. `a AND b` requires both, `NOT a` excludes, `"a b"` alone is a phrase,
    /// `inst*` a beginning.
    query: String,
    #[schemars(with = "Option<String>")]
    mode: Option<SearchMode>,
    collection: Option<String>,
    /// Only these paths, URIs, globs or folders.
    paths: Option<Vec<String>>,
    /// All must hold: `heading=install`, `level=1-2`, `since=2026-01`, `until=2026`, `author=Ada`.
    filters: Option<Vec<String>>,
    /// 1-100; 10 by default.
    limit: Option<usize>,
    /// section by default.
    #[schemars(with = "Option<String>", extend("enum" = ["chunk", "section", "document"]))]
    group_by: Option<GroupBy>,
    /// Bring the hits' text, within `max_tokens`.
    full: Option<bool>,
    explain: Option<bool>,
    /// Let a model order the best hits: slower, better for questions.
    rerank: Option<bool>,
    max_tokens: Option<usize>,
    cursor: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Ranked {
    outcome: Outcome,
    /// How many hits there are, up to `limit`.
    found: usize,
    /// How the question was read, where that matters, and what users say of the documents.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    /// The hits, best first.
    hits: Vec<Row>,
    /// Given to the next call, shows the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Row {
    /// The rank, from 1.
    rank: usize,
    /// The document's URI.
    document: String,
    collection: String,
    /// Its file is not there any more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_gone: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// The section's id, shortened.
    section: String,
    /// The headings from the root to the section.
    heading_path: String,
    /// The lines of the passage that was found.
    lines: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<String>,
    /// Higher is better; scores of two searches do not compare.
    score: f64,
    /// The passage in short, where the text is not there.
    #[serde(skip_serializing_if = "Option::is_none")]
    snippet: Option<String>,
    /// The text, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The lines of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    text_lines: Option<String>,
    /// Whether the text goes on after these lines.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_cut: bool,
    /// Other documents with the same text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    same_text: Vec<String>,
    /// How many others have it.
    #[serde(skip_serializing_if = "is_zero")]
    more_same_text: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    legs: Option<String>,
}

/// Says what a mode is for.
const fn purpose(mode: SearchMode) -> &'static str {
    match mode {
        SearchMode::Text => "`text` (default) by words",
        SearchMode::Value => "`value` by many passages that fit",
        SearchMode::Vector => "`vector` by meaning",
        SearchMode::Hybrid => "`hybrid` by both, best for questions",
        SearchMode::Tree => "`tree` by a model that reads the contents, slow",
        _ => "another way",
    }
}

pub(crate) fn tool(server: &Server) -> Tool {
    let mut tool = super::tool::<Arguments, Ranked>(
        "search",
        &Effect::Reads,
        "Finds the sections that answer a question, best first, with snippets. Snippets are no \
         answers: read on with `get`, or ask for `full`. No hits: try other words."
            .into(),
    );
    let modes = server.library.modes();
    let names: Vec<Value> = modes.iter().map(|mode| mode.name().into()).collect();
    let purposes: Vec<&str> = modes.into_iter().map(purpose).collect();
    let mut schema = (*tool.input_schema).clone();
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    let properties = properties.expect("the tool has arguments");
    if let Some(Value::Object(mode)) = properties.get_mut("mode") {
        mode.insert("enum".into(), names.into());
        mode.insert(
            "description".into(),
            format!("{}.", purposes.join("; ")).into(),
        );
    }
    if server.library.reranker().is_none() {
        properties.remove("rerank");
    }
    tool.input_schema = schema.into();
    tool
}

pub(crate) async fn call(handler: &Handler, arguments: Arguments) -> Result<Answer, Problem> {
    let budget = handler.budget(arguments.max_tokens)?;
    if arguments.query.len() > LONGEST_QUERY {
        return Err(Problem::invalid(format!(
            "`query` has more than {LONGEST_QUERY} bytes; ask with fewer words"
        )));
    }
    let limit = in_range("limit", arguments.limit, 1..=MOST_HITS)?.unwrap_or(10);
    handler
        .check_collection(arguments.collection.as_deref())
        .await?;
    let scope = scope::of(
        arguments.collection.as_deref(),
        arguments.paths.as_deref(),
        arguments.filters.as_deref(),
    )?;
    let request = SearchRequest::new(&*arguments.query)
        .with_scope(scope)
        .with_mode(mode(handler, arguments.mode)?)
        .with_group_by(arguments.group_by.unwrap_or_default())
        .with_limit(limit)
        .with_explain(arguments.explain.unwrap_or_default());
    let answer = if arguments.rerank.unwrap_or_default() {
        reranked(handler, &request).await?
    } else {
        handler.library.search(&request).await?
    };
    let unfit = scope::unfit_paths(
        &handler.library,
        arguments.collection.as_deref(),
        arguments.paths.as_deref(),
    )
    .await?;
    if answer.hits.is_empty() {
        return Err(nothing(handler, &request, unfit, answer.notes).await?);
    }
    let mut found = Found {
        is_explained: arguments.explain.unwrap_or_default(),
        arguments: version(&arguments, &request),
        answer,
        unfit,
        texts: Vec::new(),
    };
    let given = arguments.cursor.as_deref();
    let all = found.answer.hits.len();
    let start = Cursor::place(given, |at| found.version(at))?.min(all);
    if arguments.full.unwrap_or_default() {
        found.texts = texts(
            handler,
            &found.answer.hits[start..],
            request.group_by,
            &budget,
        )
        .await?;
    }
    let fitted = |found: &Found| {
        budget.fit(all - start, &|number, width| {
            found.written(start, number, width)
        })
    };
    let answer = fitted(&found);
    if answer.is_err() && !found.texts.is_empty() {
        // White space and quotes take few tokens as they are and many as JSON.
        found.texts.clear();
        return fitted(&found);
    }
    answer
}

/// Reads the texts of hits, best first. Each takes at most half of the room that is left, so that the
/// next one has some. Where a text is cut before the best chunk of its hit ends, that chunk is the text.
async fn texts(
    handler: &Handler,
    hits: &[Hit],
    group_by: GroupBy,
    budget: &Budget<'_>,
) -> Result<Vec<Passage>, Problem> {
    let mut left = budget.max();
    let mut texts = Vec::new();
    for hit in hits {
        let most = left / 2;
        if most < LEAST_TEXT {
            break;
        }
        let part = Part::of_hit(hit, group_by);
        let name = &hit.document;
        let library = &handler.library;
        let document = library.document(Some(&name.collection), &name.uri).await?;
        let mut passage = library.get(&document, &part, 0, Some(most)).await?;
        let cut = passage.next.filter(|_| passage.lines.last < hit.lines.last);
        if cut.is_some() {
            // The beginning of a long section does not say why it was found.
            let part = Part::of_hit(hit, GroupBy::Chunk);
            let own = library.get(&document, &part, 0, Some(most)).await?;
            let next = own.next.or(cut);
            passage = Passage { next, ..own };
        }
        let is_chunk = cut.is_some() || group_by == GroupBy::Chunk;
        let head = hit.table_head.as_deref();
        let passage = match head.filter(|_| is_chunk) {
            Some(head) => below_head(passage, head, handler),
            None => passage,
        };
        left -= passage.tokens.min(left);
        texts.push(passage);
    }
    Ok(texts)
}

/// Puts the head of a table above the rows that a passage begins with.
fn below_head(passage: Passage, head: &str, handler: &Handler) -> Passage {
    let text = format!("{head}\n{}", passage.text);
    Passage {
        tokens: handler.library.counter().count(&text),
        text,
        ..passage
    }
}

async fn reranked(handler: &Handler, request: &SearchRequest) -> Result<sectile::Answer, Problem> {
    if handler.library.reranker().is_none() {
        let message = "`rerank` needs a model, which this server was not given; leave it out";
        return Err(Problem::invalid(message.into()));
    }
    let reranked = handler.library.search_reranked(request).await?;
    Ok(reranked.into_answer())
}

fn mode(handler: &Handler, asked: Option<SearchMode>) -> Result<SearchMode, Problem> {
    let mode = asked.unwrap_or_default();
    let modes = handler.library.modes();
    if modes.contains(&mode) {
        return Ok(mode);
    }
    let names: Vec<&str> = modes.iter().map(|mode| mode.name()).collect();
    Err(Problem::invalid(format!(
        "`mode` is `{mode}`, for which this server was given no model; use one of `{}`",
        names.join("`, `")
    )))
}

/// Names the arguments that a cursor depends on.
fn version(arguments: &Arguments, request: &SearchRequest) -> String {
    let Arguments {
        query,
        collection,
        paths,
        filters,
        group_by,
        rerank,
        full,
        ..
    } = arguments;
    let (mode, limit) = (request.mode, request.limit);
    format!(
        "{query:?} {mode} {collection:?} {paths:?} {filters:?} {group_by:?} {limit} {rerank:?} {full:?}"
    )
}

/// Returns whether there was nothing to search or nothing to find.
async fn nothing(
    handler: &Handler,
    request: &SearchRequest,
    unfit: Option<String>,
    notes: Vec<String>,
) -> Result<Problem, Problem> {
    let query = quoted(&request.query);
    if let Some(reason) = handler.library.emptiness(&request.scope).await? {
        let undated = scope::undated(&handler.library, &request.scope).await?;
        let message = format!("there are no documents to search: {reason}{undated}");
        return Ok(Problem::no_results(message).with_call("list", []));
    }
    let documents = handler.library.documents(&request.scope).await?.len();
    let mut message = format!(
        "nothing found for {query} in {}; try fewer or other words, or leave out filters",
        count(documents, "document")
    );
    let notes: Vec<String> = unfit.into_iter().chain(notes).collect();
    for note in first_notes(&notes, NOTES_WITHOUT_HITS, NOTE_WIDTH) {
        let _ = write!(message, "; {note}");
    }
    Ok(Problem::no_results(message))
}

/// Returns the first notes, and the number of the others.
fn first_notes(notes: &[String], most: usize, width: usize) -> Vec<String> {
    let hidden = notes.len().saturating_sub(most);
    let shown = notes.iter().take(most).map(|note| cut(note, width));
    let rest = (hidden > 0).then(|| format!("and {}", count(hidden, "other note")));
    shown.chain(rest).collect()
}

/// The hits of a search.
struct Found {
    answer: sectile::Answer,
    /// The paths without a document.
    unfit: Option<String>,
    is_explained: bool,
    arguments: String,
    /// The texts of the first hits that are shown.
    texts: Vec<Passage>,
}

impl Found {
    /// Returns everything that a cursor after `at` hits depends on, including these hits, so that none
    /// is left out or shown twice if documents change in the meantime.
    fn version(&self, at: usize) -> Vec<String> {
        let before = self.answer.hits.iter().take(at);
        let before =
            before.map(|hit| format!("{} {} {:?}", hit.document.id, hit.section, hit.lines));
        let arguments = ["search".to_owned(), self.arguments.clone()];
        arguments.into_iter().chain(before).collect()
    }

    fn written(&self, start: usize, number: usize, width: usize) -> Answer {
        let end = start + number;
        let hits = &self.answer.hits;
        let shown = hits[start..end].iter().enumerate();
        let rows = shown.map(|(at, hit)| self.row(start + at + 1, hit, self.texts.get(at), width));
        let has_more = end < hits.len();
        let ranked = Ranked {
            outcome: Outcome::Ok,
            found: hits.len(),
            notes: self.notes(width),
            hits: rows.collect(),
            cursor: has_more.then(|| Cursor::new(end, &self.version(end)).to_string()),
        };
        Answer::new(drawn(&ranked), &ranked)
    }

    /// Describes how the question was parsed, if that matters or was asked for, and what users say of the documents.
    fn notes(&self, width: usize) -> Vec<String> {
        let explained = self.is_explained.then(|| self.answer.reading.explained());
        let notes = self.answer.notes.iter().cloned();
        let about = self.answer.about.iter().map(|note| {
            let subject = sectile::note_subject(note);
            format!("on {subject}: {}", note.text)
        });
        let all = self.unfit.iter().cloned().chain(notes).chain(about);
        let all: Vec<String> = all.chain(explained.into_iter().flatten()).collect();
        first_notes(&all, MOST_NOTES, 2 * width)
    }

    fn row(&self, rank: usize, hit: &Hit, text: Option<&Passage>, width: usize) -> Row {
        let title = hit.document.title.as_deref();
        let (named, others) = hit.also_in(PLACES);
        let same_text = named.iter().map(|found| cut(&found.document.uri, width));
        Row {
            rank,
            document: hit.document.uri.clone(),
            collection: hit.document.collection.clone(),
            is_gone: sectile::is_gone(&hit.document.uri),
            title: title.map(|title| cut(title, width)),
            section: short(hit.section),
            heading_path: cut(&hit.heading_path.join(" > "), width),
            lines: hit.lines.to_string(),
            pages: hit.pages.as_ref().map(ToString::to_string),
            score: (hit.score * 1e4).round() / 1e4,
            snippet: text.is_none().then(|| cut(&hit.snippet.text, 4 * width)),
            text: text.map(|passage| passage.text.clone()),
            text_lines: text.map(|passage| passage.lines.to_string()),
            is_cut: text.is_some_and(|passage| passage.next.is_some()),
            same_text: same_text.collect(),
            more_same_text: others,
            legs: self
                .is_explained
                .then(|| self.answer.explained(rank - 1).join("; ")),
        }
    }
}

/// How many other places with the same text are named.
const PLACES: usize = 5;

/// How many notes are shown.
const MOST_NOTES: usize = 10;

/// How many notes are shown where there are no hits, and how many characters of each, so that the answer fits the
/// smallest budget.
const NOTES_WITHOUT_HITS: usize = 3;
const NOTE_WIDTH: usize = 100;

fn drawn(ranked: &Ranked) -> String {
    let mut text = count(ranked.found, "hit");
    for note in &ranked.notes {
        let _ = write!(text, "\n{note}");
    }
    for row in &ranked.hits {
        let Row {
            rank,
            document,
            section,
            heading_path,
            lines,
            score,
            ..
        } = row;
        let path = if heading_path.is_empty() {
            "(no heading)"
        } else {
            heading_path
        };
        let _ = write!(
            text,
            "\n\n{rank}. {path}\n   {document} [{section}] lines {lines}"
        );
        if let Some(pages) = &row.pages {
            let _ = write!(text, ", p. {pages}");
        }
        let _ = write!(text, ", score {score}");
        if row.is_gone {
            text.push_str(" (the file is gone)");
        }
        if let Some(snippet) = &row.snippet {
            let _ = write!(text, "\n   {}", snippet.replace('\n', "\n   "));
        }
        if let (Some(passage), Some(lines)) = (&row.text, &row.text_lines) {
            let end = if row.is_cut { ", cut" } else { "" };
            let _ = write!(text, "\n[lines {lines}{end}]\n\n{passage}");
        }
        if !row.same_text.is_empty() {
            let _ = write!(text, "\n   the same text in {}", row.same_text.join(", "));
            if row.more_same_text > 0 {
                let _ = write!(text, " and {}", count(row.more_same_text, "other"));
            }
        }
        if let Some(legs) = &row.legs {
            let _ = write!(text, "\n   ({legs})");
        }
    }
    text.push_str("\n\nRead: `get` with `document` and `section`, or `lines`.");
    if let Some(cursor) = &ranked.cursor {
        let _ = write!(text, " More hits: repeat the call with `cursor` {cursor}.");
    }
    text
}
