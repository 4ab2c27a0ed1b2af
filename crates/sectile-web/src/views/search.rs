//! Search, and why each hit ranks where it does.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use maud::{Markup, html};
use sectile::core::Span;
use sectile::store::index::{FUSION_K, TEXT_WEIGHT};
use sectile::store::{Leg, Reading, Snippet, Totals, WordReading};
use sectile::{Answer, Emptiness, GroupBy, Hit, Library, Scope, SearchMode, SearchRequest};
use serde::Deserialize;

use super::label;
use crate::address::Address;
use crate::failure::Failure;
use crate::layout::{self, Tab};
use crate::query::{Asked, filled, number};
use crate::site::Site;
use crate::write::{counted, path, place, within};

/// How many hits are shown at first, and at most.
const HITS: usize = 10;
const MOST_HITS: usize = 100;

/// How many other places with the text of a hit are named.
const PLACES: usize = 10;

const MODES: [(SearchMode, &str); 5] = [
    (SearchMode::Text, "words"),
    (SearchMode::Hybrid, "words and meaning"),
    (SearchMode::Vector, "meaning"),
    (SearchMode::Value, "sections by all their chunks"),
    (SearchMode::Tree, "a model reads the headings"),
];

const GROUPS: [(&str, GroupBy); 3] = [
    ("section", GroupBy::Section),
    ("chunk", GroupBy::Chunk),
    ("document", GroupBy::Document),
];

/// The leg of a hit that was reranked, and the box that asks for it.
const RERANK: &str = "rerank";

#[derive(Debug, Deserialize)]
pub(crate) struct SearchQuery {
    q: Option<String>,
    mode: Option<String>,
    rerank: Option<String>,
    collection: Option<String>,
    /// Also by its earlier name, which is in addresses that readers kept.
    #[serde(alias = "group")]
    group_by: Option<String>,
    explain: Option<String>,
    limit: Option<String>,
}

/// A parsed request.
struct Question<'a> {
    text: Option<&'a str>,
    mode: SearchMode,
    is_reranked: bool,
    collection: Option<&'a str>,
    group: &'static str,
    group_by: GroupBy,
    is_explained: bool,
    limit: usize,
}

/// Answers with the hits of a question.
pub(crate) async fn page(
    State(site): State<Site>,
    Asked(query): Asked<SearchQuery>,
) -> Result<Response, Failure> {
    let question = Question::read(&query)?;
    let totals = site.library().totals().await?;
    let (status, answer) = match question.answer(site.library()).await {
        Ok(answer) => (StatusCode::OK, answer),
        Err(failure) => refusal(failure)?,
    };
    let body = html! {
        h1.unseen { "Search" }
        (form(&question, site.library(), &totals))
        (answer)
    };
    let text = question.text.unwrap_or_default();
    let title = question.text.unwrap_or("Search");
    let page = layout::page(title, Tab::Search, text, &body);
    Ok((status, page).into_response())
}

/// Says below the form what is wrong with a question; anything else has a page of its own.
fn refusal(failure: Failure) -> Result<(StatusCode, Markup), Failure> {
    let (status, said) = failure.said();
    if status != StatusCode::UNPROCESSABLE_ENTITY {
        return Err(failure);
    }
    Ok((status, html! { p.error role="alert" { (said) } }))
}

/// Parses the number of hits to show.
fn limit(text: Option<&str>) -> Result<usize, String> {
    match number("the hits", text)? {
        None => Ok(HITS),
        Some(limit) if (1..=MOST_HITS).contains(&limit) => Ok(limit),
        Some(limit) => Err(format!(
            "a page cannot show {limit} hits; write 1 to {MOST_HITS}"
        )),
    }
}

/// Parses a box, which is checked or not there.
fn is_checked(name: &str, text: Option<&str>) -> Result<bool, Failure> {
    match filled(text) {
        None => Ok(false),
        Some("1") => Ok(true),
        Some(other) => Err(Failure::unusable(format!(
            "`{other}` is not a value of `{name}`; write 1, or leave `{name}` out"
        ))),
    }
}

/// Answers a question with the best hits reranked, or says why the first ranking stands.
async fn reranked(library: &Library, request: &SearchRequest) -> Result<Answer, Failure> {
    if library.reranker().is_none() {
        let message = "this needs a reranking model: start `sectile serve` with --reranker";
        return Err(Failure::unusable(message));
    }
    Ok(library.search_reranked(request).await?.into_answer())
}

impl<'a> Question<'a> {
    fn read(query: &'a SearchQuery) -> Result<Self, Failure> {
        let mode = filled(query.mode.as_deref());
        let group = filled(query.group_by.as_deref());
        let (group, group_by) = known(&GROUPS, group, |known| known.0, "a hit")?;
        Ok(Self {
            text: filled(query.q.as_deref()),
            mode: known(&MODES, mode, |known| known.0.name(), "a mode")?.0,
            is_reranked: is_checked(RERANK, query.rerank.as_deref())?,
            collection: filled(query.collection.as_deref()),
            group,
            group_by,
            is_explained: is_checked("explain", query.explain.as_deref())?,
            limit: limit(query.limit.as_deref()).map_err(Failure::unusable)?,
        })
    }

    async fn answer(&self, library: &Library) -> Result<Markup, Failure> {
        let Some(text) = self.text else {
            return Ok(hints());
        };
        let scope = self.collection.map_or_else(Scope::all, Scope::collection);
        let request = SearchRequest::new(text)
            .with_scope(scope)
            .with_mode(self.mode)
            .with_group_by(self.group_by)
            .with_limit(self.limit)
            .with_explain(self.is_explained);
        let answer = if self.is_reranked {
            reranked(library, &request).await?
        } else {
            library.search(&request).await?
        };
        let emptiness = if answer.hits.is_empty() {
            library.emptiness(&request.scope).await?
        } else {
            None
        };
        Ok(self.hits(text, &answer, emptiness.as_ref()))
    }

    /// Returns the address of the same question with more hits.
    fn more(&self) -> Address {
        Address::new("/search")
            .with_some("q", self.text)
            .with("mode", self.mode)
            .with_some("rerank", self.is_reranked.then_some(1))
            .with_some("collection", self.collection)
            .with("group_by", self.group)
            .with_some("explain", self.is_explained.then_some(1))
            .with("limit", (self.limit * 3).min(MOST_HITS))
    }

    fn hits(&self, text: &str, answer: &Answer, emptiness: Option<&Emptiness>) -> Markup {
        let hits = &answer.hits;
        let is_full = hits.len() == self.limit;
        html! {
            p.quiet role="status" {
                @if let Some(reason) = emptiness { "Nothing found: " (reason.to_string()) }
                @else if hits.is_empty() { "Nothing found. Other or fewer words may find more." }
                @else { (counted(hits.len(), "hit")) ", best first" }
            }
            @for note in &answer.notes { p.note { (note) } }
            @for note in &answer.about { p.note { "Note on " (sectile::note_subject(note)) ": " (note.text) } }
            @if self.is_explained { (read_as(&answer.reading)) }
            ol.hits {
                @for hit in hits { (self.hit(text, hit)) }
            }
            @if is_full && self.limit < MOST_HITS {
                p.turn { a href=(self.more()) rel="next" { "More hits" } }
            } @else if is_full {
                p.quiet { "A page shows at most " (MOST_HITS) " hits; `sectile search --limit` shows more." }
            }
        }
    }

    fn hit(&self, text: &str, hit: &Hit) -> Markup {
        let found = &hit.document;
        let lines = format!("{}-{}", hit.lines.first, hit.lines.last);
        let link = label::address(&found.collection, &found.uri)
            .with("section", hit.section)
            .with("lines", lines)
            .with("q", text)
            .at("passage");
        let name = label::title(found.title.as_deref(), &found.uri);
        html! {
            li.hit {
                h2 {
                    a href=(link) data-step="" {
                        @if hit.heading_path.is_empty() { bdi { (name) } } @else { (path(&hit.heading_path)) }
                    }
                }
                p.where {
                    bdi { (name) }
                    span { (place(hit.lines, hit.pages)) }
                    span { (found.collection) }
                    span.score title="score" { (shown(hit.score)) }
                    (label::gone(&found.uri))
                }
                p.snippet { (marked(&hit.snippet)) }
                @if !hit.same_text.is_empty() { (same_text(hit)) }
                @if self.is_explained { (self.explained(hit)) (shares(hit)) }
            }
        }
    }

    fn explained(&self, hit: &Hit) -> Markup {
        let is_fused = self.mode == SearchMode::Hybrid;
        let is_reranked = hit.legs.iter().any(|leg| leg.name == RERANK);
        html! {
            table.legs tabindex="0" {
                caption {
                    (formula(self.mode))
                    @if is_reranked { "; then the score of the reranking model replaced it" }
                }
                thead { tr {
                    th { "Leg" } th.n { "Rank" } th.n { "Score" }
                    @if is_fused { th.n { "Weight" } th.n { "Adds" } }
                } }
                tbody { @for leg in &hit.legs { (row(leg, is_fused)) } }
                @if is_fused && !is_reranked { tfoot { tr { th scope="row" { "Sum" } td {} td {} td {} td.n { (format!("{:.5}", hit.score)) } } } }
            }
        }
    }
}

/// Finds the value of a name, or the first value if there is no name.
fn known<T: Copy>(
    all: &[T],
    name: Option<&str>,
    name_of: impl Fn(&T) -> &'static str,
    what: &str,
) -> Result<T, Failure> {
    let Some(name) = name else {
        return Ok(all[0]);
    };
    let found = all.iter().find(|known| name_of(known) == name);
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(&name_of).collect();
        Failure::unusable(format!("`{name}` is not {what}; take {}", names.join(", ")))
    })
}

/// Says what a leg found, and what that adds to a fused score.
fn row(leg: &Leg, is_fused: bool) -> Markup {
    let weight = if leg.name == SearchMode::Text.name() {
        TEXT_WEIGHT
    } else {
        1.0
    };
    html! {
        tr {
            th scope="row" { (leg.name) }
            td.n { (leg.rank) }
            td.n { (format!("{:.4}", leg.score)) }
            @if is_fused && leg.name == RERANK {
                td {} td {}
            } @else if is_fused {
                td.n { (weight) }
                td.n { (format!("{:.5}", weight / (FUSION_K + leg.rank as f64))) }
            }
        }
    }
}

/// Says how a mode makes a score.
fn formula(mode: SearchMode) -> String {
    match mode {
        SearchMode::Text => "BM25 of the best chunk; words of the heading path count up to 4 times",
        SearchMode::Vector => "the cosine between the question's vector and the best chunk's",
        SearchMode::Hybrid => {
            return format!("each leg adds its weight / ({FUSION_K} + its rank)");
        }
        SearchMode::Value => "the sum over the section's best chunks / √(their number + 1)",
        _ => "1 / the rank that the model gave it",
    }
    .to_owned()
}

/// Shows how a question was read.
fn read_as(reading: &Reading) -> Markup {
    html! {
        p.read {
            "Read as " @for word in &reading.words { (read_word(word)) " " }
            @if !reading.required.is_empty() { ", required " (codes(&reading.required)) }
            @if !reading.excluded.is_empty() { ", without " (codes(&reading.excluded)) }
            @if !reading.left_out.is_empty() { ", too common to rank " (codes(&reading.left_out)) }
        }
    }
}

/// Shows the terms of a word with the number of chunks that contain them.
fn read_word(word: &WordReading) -> Markup {
    let terms = word.terms.join(" | ");
    html! {
        code title=(format!("{}: in {}", word.typed, counted(word.chunks as usize, "chunk"))) {
            (terms) @if word.times > 1.0 { " ×" (word.times) }
        }
    }
}

fn codes(words: &[String]) -> Markup {
    html! { @for word in words { code { (word) } " " } }
}

/// Names the other places with the text of a hit.
fn same_text(hit: &Hit) -> Markup {
    let (named, others) = hit.also_in(PLACES);
    html! {
        p.same {
            "The same text is in "
            @for (at, found) in named.iter().enumerate() {
                @if at > 0 { ", " }
                a href=(label::address(&found.document.collection, &found.document.uri).with("section", found.section)) {
                    bdi { (label::title(found.document.title.as_deref(), &found.document.uri)) }
                }
                @if sectile::is_gone(&found.document.uri) { " (the file is gone)" }
            }
            @if others > 0 { " and " (counted(others, "other")) }
        }
    }
}

/// Shows what each word of the question brought to a hit.
fn shares(hit: &Hit) -> Markup {
    html! {
        @if !hit.words.is_empty() {
            table.legs tabindex="0" {
                caption { "what each word brought to the score by text" }
                thead { tr { th { "Word" } th { "Found as" } th.n { "In chunks" } th.n { "Times here" } th.n { "Adds" } } }
                tbody {
                    @for word in &hit.words {
                        tr {
                            th scope="row" { (word.typed) }
                            td { code { (word.term) } }
                            td.n { (word.chunks) }
                            td.n { (word.frequency) }
                            td.n { (format!("{:.4}", word.score)) }
                        }
                    }
                }
            }
        }
    }
}

/// Writes a snippet with the words that were asked for marked.
fn marked(snippet: &Snippet) -> Markup {
    let part = |start, end| within(&snippet.text, Span::new(start, end));
    let mut end = 0;
    let marks = snippet.marks.iter().map(|mark| {
        let (before, word) = (part(end, mark.start), within(&snippet.text, *mark));
        end = mark.end;
        (before, word)
    });
    let marks: Vec<(&str, &str)> = marks.collect();
    html! {
        @for (before, word) in marks { (before) mark { (word) } }
        (part(end, snippet.text.len()))
    }
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

fn form(question: &Question<'_>, library: &Library, totals: &Totals) -> Markup {
    let modes = MODES.map(|(mode, what)| (mode, what, why_not(mode, library, totals)));
    html! {
        form.search action="/search" method="get" role="search" {
            div.ask {
                input id="q" type="search" name="q" value=[question.text] placeholder="What do you want to know?" aria-label="Search" autocomplete="off" autofocus[question.text.is_none()];
                button { "Search" }
            }
            fieldset {
                legend { "Rank by" }
                @for (mode, what, why_not) in &modes {
                    @if why_not.is_none() {
                        label {
                            input type="radio" name="mode" value=(mode) checked[*mode == question.mode];
                            (what)
                        }
                    }
                }
                @if library.reranker().is_some() {
                    label {
                        input type="checkbox" name="rerank" value="1" checked[question.is_reranked];
                        "Rerank the best hits"
                    }
                }
            }
            div.more {
                label { "Collection"
                    select name="collection" {
                        option value="" { "all" }
                        @for name in totals.collections.keys() { option value=(name) selected[question.collection == Some(name)] { (name) } }
                    }
                }
                label { "One hit per"
                    select name="group_by" {
                        @for (name, _) in GROUPS { option value=(name) selected[question.group == name] { (name) } }
                    }
                }
                label.check { input type="checkbox" name="explain" value="1" checked[question.is_explained]; "Explain the ranking" }
            }
            (reasons(&modes))
        }
    }
}

/// Says why modes cannot be chosen.
fn reasons(modes: &[(SearchMode, &str, Option<String>)]) -> Markup {
    let missing = modes
        .iter()
        .filter_map(|(_, what, why)| Some((what, why.as_ref()?)));
    let missing: Vec<_> = missing.collect();
    html! {
        @if !missing.is_empty() {
            details.reasons {
                summary { (counted(missing.len(), "way")) " to rank not available: why" }
                ul { @for (what, why) in missing { li { b { (what) } ": " (why) } } }
            }
        }
    }
}

/// Says why a mode cannot be used, if it cannot.
fn why_not(mode: SearchMode, library: &Library, totals: &Totals) -> Option<String> {
    match mode {
        SearchMode::Vector | SearchMode::Hybrid if library.embedder().is_none() => {
            Some("needs an embedding model: start `sectile serve` with --embedder".to_owned())
        }
        SearchMode::Vector | SearchMode::Hybrid if totals.vectors == 0 => {
            Some("no document has vectors yet: `sectile ingest --embedder` makes them".to_owned())
        }
        SearchMode::Tree if library.chat_model().is_none() => {
            Some("needs a chat model: start `sectile serve` with --chat-model".to_owned())
        }
        _ => None,
    }
}

fn hints() -> Markup {
    html! {
        div.hints {
            p { "Any word finds; more and rarer words rank higher." }
            dl {
                div { dt { code { "\"two words\"" } } dd { "next to each other: required alone, preferred among others" } }
                div { dt { code { "a AND b" } } dd { "both required" } }
                div { dt { code { "NOT word" } } dd { "without it" } }
                div { dt { code { "inst*" } } dd { "words that begin with inst" } }
            }
        }
    }
}
