//! A document: its headings next to its text, with chunks drawn over it.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse as _, Response};
use maud::{Markup, html};
use sectile::core::{SectionId, Span};
use sectile::store::{Analyzer, DocumentRecord, Query, SectionRecord};
use sectile::{StoredDocument, Strategy, Unit};
use serde::Deserialize;

use super::chunking::{CutBy, STORED, Typed};
use super::rendered::{is_markdown, rendered};
use super::{label, outline, window};
use crate::address::{Address, web_link};
use crate::failure::Failure;
use crate::layout::{self, Tab};
use crate::picture::{Cut, TextPart, TextPicture, branches, numbers};
use crate::query::{Asked, filled, number};
use crate::site::Site;
use crate::write::{count, counted, size, time};

/// The name of the view that shows a text as a reader sees it.
const RENDERED: &str = "rendered";

/// The parameters of a document's address.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct DocumentQuery {
    collection: Option<String>,
    uri: String,
    /// The section to begin with.
    section: Option<String>,
    /// The byte to begin with.
    at: Option<String>,
    /// The lines that answer a question, as `3-5`.
    lines: Option<String>,
    /// The question.
    q: Option<String>,
    /// `rendered` for the text as a reader sees it, in place of its source.
    view: Option<String>,
    #[serde(flatten)]
    typed: Typed,
}

/// A document, ready to be shown.
struct View {
    query: DocumentQuery,
    record: DocumentRecord,
    stored: Arc<StoredDocument>,
    cut: Result<(CutBy, Arc<Cut>), String>,
    window: Span,
    passage: Option<Span>,
}

/// Answers with the page of a document.
pub(crate) async fn page(
    State(site): State<Site>,
    Asked(query): Asked<DocumentQuery>,
) -> Result<Response, Failure> {
    let view = View::read(&site, query).await?;
    let body = view.body();
    let question = view.query.q.as_deref().unwrap_or_default();
    let page = layout::page(&label::name(&view.record), Tab::Documents, question, &body);
    Ok((view.status(), page).into_response())
}

/// Answers with the part of the page that depends on how the document is cut.
pub(crate) async fn pane(
    State(site): State<Site>,
    Asked(query): Asked<DocumentQuery>,
) -> Result<Response, Failure> {
    let view = View::read(&site, query).await?;
    Ok((view.status(), Html(view.pane().into_string())).into_response())
}

impl View {
    async fn read(site: &Site, query: DocumentQuery) -> Result<Self, Failure> {
        check_view(query.view.as_deref())?;
        let collection = filled(query.collection.as_deref());
        let record = site.library().document(collection, &query.uri).await?;
        let stored = site.text(&record).await?;
        let cut = match query.typed.read() {
            Err(reason) => Err(reason),
            Ok(by) => match site.cut(&record.uri, &stored, by).await {
                Ok(cut) => Ok((by, cut)),
                Err(failure) => match failure.said() {
                    (StatusCode::UNPROCESSABLE_ENTITY, said) => Err(said.to_owned()),
                    _ => return Err(failure),
                },
            },
        };
        let passage = passage(&query, &stored)?;
        let start = start(&query, &stored, passage)?;
        let drawn = cut.as_ref().ok().map(|(_, cut)| &**cut);
        Ok(Self {
            window: window::at(&stored.text, drawn, start),
            query,
            record,
            stored,
            cut,
            passage,
        })
    }

    fn status(&self) -> StatusCode {
        match self.cut {
            Ok(_) => StatusCode::OK,
            Err(_) => StatusCode::UNPROCESSABLE_ENTITY,
        }
    }

    /// Returns the address of the document, cut as it is here.
    fn address(&self) -> Address {
        let Typed {
            strategy,
            size,
            overlap,
            unit,
        } = &self.query.typed;
        label::address(&self.record.collection, &self.record.uri)
            .with_some("strategy", strategy.as_ref())
            .with_some("size", size.as_ref())
            .with_some("overlap", overlap.as_ref())
            .with_some("unit", unit.as_ref())
            .with_some("view", self.query.view.as_ref())
    }

    fn is_rendered(&self) -> bool {
        filled(self.query.view.as_deref()) == Some(RENDERED) && is_markdown(self.record.format)
    }

    fn body(&self) -> Markup {
        let here = window::section(&self.stored, self.window.start);
        let link = |section: &SectionRecord| self.address().with("section", section.id);
        let outline = outline::outline(&self.stored, here, &link);
        html! {
            (self.title())
            div.document {
                nav.outline aria-label="Headings" {
                    h2 { "Headings" }
                    @if outline.is_empty() { p.quiet { "The document is empty." } }
                    (branches(&outline))
                }
                section.reading aria-label="Text" {
                    @if let Some(lines) = filled(self.query.lines.as_deref()).filter(|_| self.passage.is_none()) {
                        p.quiet role="status" { "The document has no lines " (lines) "; it may have changed." }
                    }
                    (self.views())
                    @if self.is_rendered() {
                        (self.turn())
                        div.rendered { (rendered(self.window.of(&self.stored.text))) }
                        (self.turn())
                    } @else {
                        (self.form())
                        div id="pane" { (self.pane()) }
                    }
                }
            }
        }
    }

    fn title(&self) -> Markup {
        let record = &self.record;
        let uri = &record.uri;
        html! {
            div.title {
                h1 { bdi { (label::name(record)) } }
                p.uri {
                    @if let Some(web) = web_link(uri) {
                        a href=(web) rel="noopener noreferrer external" { bdi { (uri) } }
                    } @else {
                        bdi { (uri) }
                    }
                }
                p.facts {
                    a href=(Address::new("/").with("collection", &record.collection)) { (record.collection) }
                    span { (record.format) }
                    @if let Some(bytes) = record.metadata.size { span { (size(bytes)) } }
                    span { (counted(record.sections, "section")) }
                    span { (counted(record.tokens, "token")) }
                    span { "written " (time(record.updated_at)) }
                    (label::status(record))
                }
            }
        }
    }

    /// Links to the other ways to look at the text, where there are any.
    fn views(&self) -> Markup {
        let is_rendered = self.is_rendered();
        let link = |view: Option<&str>| {
            let start = self
                .query
                .section
                .as_ref()
                .filter(|_| self.query.at.is_none());
            label::address(&self.record.collection, &self.record.uri)
                .with_some("section", start)
                .with_some("at", self.query.at.as_ref())
                .with_some("lines", self.query.lines.as_ref())
                .with_some("q", self.query.q.as_ref())
                .with_some("view", view)
        };
        html! {
            @if is_markdown(self.record.format) {
                nav.views aria-label="Ways to look at the text" {
                    a href=(link(None)) aria-current=[(!is_rendered).then_some("page")] { "Source with chunks" }
                    a href=(link(Some(RENDERED))) aria-current=[is_rendered.then_some("page")] { "Rendered" }
                }
            }
        }
    }

    fn form(&self) -> Markup {
        let query = &self.query;
        let typed = &query.typed;
        let strategy = filled(typed.strategy.as_deref()).unwrap_or(STORED);
        let unit = filled(typed.unit.as_deref()).unwrap_or_default();
        let is_stored = strategy == STORED;
        let size = Strategy::from_name(strategy).map(Strategy::default_size);
        let overlap = self.cut.as_ref().ok().and_then(|(by, _)| by.overlap());
        html! {
            form.cutting id="cutting" action="/document" method="get" data-pane="/document/pane" {
                (hidden("collection", Some(&self.record.collection)))
                (hidden("uri", Some(&self.record.uri)))
                (hidden("section", query.section.as_ref()))
                (hidden("at", query.at.as_ref()))
                (hidden("lines", query.lines.as_ref()))
                (hidden("q", query.q.as_ref()))
                label { "Strategy" (strategies(strategy)) }
                label { "Size"
                    input type="number" name="size" min="1" inputmode="numeric" value=[filled(typed.size.as_deref())] placeholder=(or_dash(size)) disabled[is_stored];
                }
                label { "Overlap"
                    input type="number" name="overlap" min="0" inputmode="numeric" value=[filled(typed.overlap.as_deref())] placeholder=(or_dash(overlap))
                        disabled[is_stored || strategy == Strategy::Sections.name()];
                }
                label { "Counted in"
                    select name="unit" disabled[is_stored] {
                        option value="" selected[unit.is_empty()] { "default" }
                        @for known in Unit::ALL {
                            option value=(known.name()) selected[unit == known.name()] { (known.name()) }
                        }
                    }
                }
                button type="submit" { "Cut" }
            }
        }
    }

    fn pane(&self) -> Markup {
        let (by, cut) = match &self.cut {
            Ok(cut) => cut,
            Err(reason) => return html! { p.error role="alert" { (reason) } },
        };
        html! {
            div.counts role="status" { (numbers(cut, self.stored.text.len())) }
            p.how data-overlap=[by.overlap()] { (by.words()) (self.difference(*by, cut)) }
            (self.turn())
            div.text { (self.text(cut)) }
            (self.turn())
        }
    }

    /// Returns a note if the store has other chunks than the drawn ones.
    fn difference(&self, by: CutBy, cut: &Cut) -> Markup {
        let chunks = self.record.chunks;
        let differs = by == CutBy::Stored && chunks != cut.chunks.len();
        html! {
            @if differs {
                " The store has " (counted(chunks, "chunk")) ", made by another release; an ingest makes them anew."
            }
        }
    }

    fn text(&self, cut: &Cut) -> Markup {
        let words = self.passage.map(|passage| self.words(passage));
        TextPicture {
            text: &self.stored.text,
            parts: &self.parts(),
            cut,
            window: self.window,
            passage: self.passage,
            words: &words.unwrap_or_default(),
            prefix: "",
        }
        .draw()
    }

    /// Returns the sections that the window has a part of.
    fn parts(&self) -> Vec<TextPart> {
        let placed = self.stored.sections.iter().zip(&self.stored.spans);
        let shown = placed.filter(|(_, span)| span.overlaps(self.window));
        let part = shown.map(|(section, span)| TextPart {
            anchor: format!("s{}", section.id),
            span: *span,
            is_headed: section.level > 0,
        });
        part.collect()
    }

    /// Finds the words of the question in the passage that answers it.
    fn words(&self, passage: Span) -> Vec<Span> {
        let analyzer = Analyzer::english();
        let question = self.query.q.as_deref().unwrap_or_default();
        let question = Query::parse(question, &[]).unwrap_or_default();
        let mut words = Vec::new();
        analyzer.for_each(passage.of(&self.stored.text), |term, span| {
            if question.asks_for(term) {
                words.push(span.shifted(passage.start));
            }
        });
        words
    }

    fn drawn(&self) -> Option<&Cut> {
        self.cut.as_ref().ok().map(|(_, cut)| &**cut)
    }

    /// Links to the parts of the text before and after the one that is shown.
    fn turn(&self) -> Markup {
        let text = &self.stored.text;
        let before = window::before(text, self.drawn(), self.window);
        let after = (self.window.end < text.len()).then_some(self.window.end);
        let link = |at: usize| self.address().with("at", at);
        html! {
            @if before.is_some() || after.is_some() {
                nav.turn aria-label="Parts of the text" {
                    @if let Some(at) = before { a href=(link(at)) rel="prev" data-keep="" { "← Earlier" } } @else { span {} }
                    span { "bytes " (count(self.window.start)) "–" (count(self.window.end)) " of " (count(text.len())) }
                    @if let Some(at) = after { a href=(link(at)) rel="next" data-keep="" { "Later →" } } @else { span {} }
                }
            }
        }
    }
}

fn hidden(name: &str, value: Option<&String>) -> Markup {
    html! {
        @if let Some(value) = value { input type="hidden" name=(name) value=(value); }
    }
}

fn strategies(chosen: &str) -> Markup {
    html! {
        select name="strategy" {
            option value=(STORED) selected[chosen == STORED] { "as stored" }
            @for strategy in Strategy::ALL {
                option value=(strategy.name()) selected[chosen == strategy.name()]
                    data-size=(strategy.default_size()) { (strategy.name()) }
            }
        }
    }
}

/// Writes a default, if there is one.
fn or_dash(default: Option<usize>) -> String {
    default.map_or_else(|| "–".to_owned(), |default| default.to_string())
}

/// Refuses the name of a view that there is not.
fn check_view(name: Option<&str>) -> Result<(), Failure> {
    match filled(name) {
        None | Some(RENDERED) => Ok(()),
        Some(other) => Err(Failure::unusable(format!(
            "`{other}` is not a view; choose {RENDERED}, or leave it out"
        ))),
    }
}

/// Returns the span of the lines that the address highlights, or `None` if the document has fewer lines by now.
fn passage(query: &DocumentQuery, stored: &StoredDocument) -> Result<Option<Span>, Failure> {
    let Some(lines) = filled(query.lines.as_deref()) else {
        return Ok(None);
    };
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    let line = |text| number("the lines", Some(text)).map_err(Failure::unusable);
    let (first, last) = (line(first)?.unwrap_or(0), line(last)?.unwrap_or(0));
    Ok(window::of_lines(&stored.text, first, last))
}

/// Returns the byte to begin with: that which is named, or the beginning of the section, or of the
/// passage if that is far from it.
fn start(
    query: &DocumentQuery,
    stored: &StoredDocument,
    passage: Option<Span>,
) -> Result<usize, Failure> {
    let at = number("at", query.at.as_deref()).map_err(Failure::unusable)?;
    if let Some(at) = at {
        return Ok(at);
    }
    let section = filled(query.section.as_deref()).map(str::parse::<SectionId>);
    let section = section
        .transpose()
        .map_err(|error| Failure::unusable(error.to_string()))?;
    let mut placed = stored.sections.iter().zip(&stored.spans);
    let found = section.and_then(|id| placed.find(|(section, _)| section.id == id));
    let start = match (found, section) {
        (Some((_, span)), _) => span.start,
        (None, Some(_)) if passage.is_none() => {
            return Err(Failure::not_found(
                "the document has no such section; it may have changed".to_owned(),
            ));
        }
        _ => 0,
    };
    Ok(passage.map_or(start, |passage| window::near(start, passage)))
}
