//! `search`: the sections that answer a question.

use std::fmt::Write as _;

use rmcp::model::Tool;
use schemars::JsonSchema;
use sectile::{GroupBy, Hit, Reranked, SearchMode, SearchRequest};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::{Answer, Outcome, count, cut};
use crate::arguments::in_range;
use crate::cursor::Cursor;
use crate::documents::short;
use crate::problem::{Problem, logged, quoted};
use crate::server::Handler;
use crate::tools::Effect;
use crate::{Server, scope};

const MOST_HITS: usize = 100;

/// The longest question, in bytes.
const LONGEST_QUERY: usize = 10_000;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// What you want to know, in words of the documents. Any word finds; rarer and more words rank
    /// higher. `a AND b` must both be there, `NOT word` must not; `"two words"` alone must stand
    /// together, `inst*` finds beginnings.
    query: String,
    /// How to rank.
    #[schemars(with = "Option<String>")]
    mode: Option<SearchMode>,
    /// The collection to search; all of them by default.
    collection: Option<String>,
    /// Search only in these documents: paths, URIs or globs. A folder or the beginning of a URL stands
    /// for all below it; any of them may match.
    paths: Option<Vec<String>>,
    /// Conditions that must all hold: `heading=install`, `level=1-2`, `since=2026-01`, `until=2026`, or
    /// a field of the metadata, as in `author=Ada`.
    filters: Option<Vec<String>>,
    /// The most hits; 10 by default.
    #[schemars(range(min = 1, max = 100))]
    limit: Option<usize>,
    /// What a hit stands for; section by default.
    #[schemars(with = "Option<String>", extend("enum" = ["chunk", "section", "document"]))]
    group_by: Option<GroupBy>,
    /// Say how each hit came by its score.
    explain: Option<bool>,
    /// Let a model read the best hits and order them: slower, and better for questions.
    rerank: Option<bool>,
    /// The most tokens of the answer; 4000 by default.
    #[schemars(range(min = 500, max = 100_000))]
    max_tokens: Option<usize>,
    /// Goes on where an answer was cut: its `cursor`, with the same arguments.
    cursor: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Ranked {
    outcome: Outcome,
    /// How many hits there are, up to `limit`.
    found: usize,
    /// How the question was read, where that matters: what was corrected, required or excluded.
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
    /// The passage in short.
    snippet: String,
    /// Other documents with the same text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    same_text: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    legs: Option<String>,
}

/// Says what a mode is for.
const fn purpose(mode: SearchMode) -> &'static str {
    match mode {
        SearchMode::Text => "`text` by words, fast and the default",
        SearchMode::Value => "`value` prefers sections with many passages that fit",
        SearchMode::Vector => "`vector` by meaning, where the words may differ",
        SearchMode::Hybrid => "`hybrid` by words and meaning, the best for questions",
        SearchMode::Tree => {
            "`tree` lets a model read the contents and choose: slow, for hard questions"
        }
        _ => "another way",
    }
}

pub(crate) fn tool(server: &Server) -> Tool {
    let mut tool = super::tool::<Arguments, Ranked>(
        "search",
        "Search the documents",
        &Effect::Reads,
        "Finds the sections that answer a question, best first, each with its document, heading path, \
         section id, lines and a snippet. A snippet is not the answer: read on with `get`, giving the \
         `document` and the `section` of a hit, or `lines` around it. Without hits, try fewer or other \
         words."
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
            format!("How to rank: {}.", purposes.join("; ")).into(),
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
        let reranked = reranked(handler, &request).await?;
        let mut answer = reranked.answer;
        answer
            .notes
            .extend(reranked.problem.as_ref().map(|problem| logged(problem)));
        answer
    } else {
        handler.library.search(&request).await?
    };
    if answer.hits.is_empty() {
        return Err(nothing(handler, &request).await?);
    }
    let found = Found {
        is_explained: arguments.explain.unwrap_or_default(),
        arguments: version(&arguments, &request),
        answer,
    };
    let given = arguments.cursor.as_deref();
    let all = found.answer.hits.len();
    let start = Cursor::place(given, |at| found.version(at))?.min(all);
    budget.fit(all - start, &|number, width| {
        found.written(start, number, width)
    })
}

async fn reranked(handler: &Handler, request: &SearchRequest) -> Result<Reranked, Problem> {
    if handler.library.reranker().is_none() {
        let message = "`rerank` needs a model, which this server was not given; leave it out";
        return Err(Problem::invalid(message.into()));
    }
    Ok(handler.library.search_reranked(request).await?)
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
        ..
    } = arguments;
    let (mode, limit) = (request.mode, request.limit);
    format!("{query:?} {mode} {collection:?} {paths:?} {filters:?} {group_by:?} {limit} {rerank:?}")
}

/// Says whether there was nothing to search or nothing to find.
async fn nothing(handler: &Handler, request: &SearchRequest) -> Result<Problem, Problem> {
    let query = quoted(&request.query);
    if let Some(reason) = handler.library.emptiness(&request.scope).await? {
        let message = format!("there are no documents to search: {reason}");
        return Ok(Problem::no_results(message).with_call("list", []));
    }
    let documents = handler.library.documents(&request.scope).await?.len();
    Ok(Problem::no_results(format!(
        "nothing found for {query} in {}; try fewer or other words, or leave out filters",
        count(documents, "document")
    )))
}

/// The hits of a search.
struct Found {
    answer: sectile::Answer,
    is_explained: bool,
    arguments: String,
}

impl Found {
    /// Names what a cursor after `at` hits depends on: these hits among it, so that none is left out or
    /// shown twice when documents change meanwhile.
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
        let rows = shown.map(|(at, hit)| self.row(start + at + 1, hit, width));
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

    /// Says how the question was read, where that matters or was asked for.
    fn notes(&self, width: usize) -> Vec<String> {
        let explained = self.is_explained.then(|| self.answer.reading.explained());
        let notes = self.answer.notes.iter().cloned();
        let all = notes
            .chain(explained.into_iter().flatten())
            .take(PLACES * 2);
        all.map(|note| cut(&note, 2 * width)).collect()
    }

    fn row(&self, rank: usize, hit: &Hit, width: usize) -> Row {
        let title = hit.document.title.as_deref();
        Row {
            rank,
            document: hit.document.uri.clone(),
            collection: hit.document.collection.clone(),
            title: title.map(|title| cut(title, width)),
            section: short(hit.section),
            heading_path: cut(&hit.heading_path.join(" > "), width),
            lines: hit.lines.to_string(),
            pages: hit.pages.as_ref().map(ToString::to_string),
            score: (hit.score * 1e4).round() / 1e4,
            snippet: cut(&hit.snippet.text, 4 * width),
            same_text: same_text(hit, width),
            legs: self
                .is_explained
                .then(|| self.answer.explained(rank - 1).join("; ")),
        }
    }
}

/// How many other places with the same text are named.
const PLACES: usize = 5;

fn same_text(hit: &Hit, width: usize) -> Vec<String> {
    let places = hit.same_text.iter().take(PLACES);
    places
        .map(|found| cut(&found.document.uri, width))
        .collect()
}

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
            snippet,
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
        let _ = write!(text, ", score {score}\n   {snippet}");
        if !row.same_text.is_empty() {
            let _ = write!(text, "\n   the same text in {}", row.same_text.join(", "));
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
