//! Hits as JSON.

use sectile::core::{SectionId, Span};
use sectile::store::{Demotion, HitDocument, Leg, Note, Promotion, Reading, SameText, WordScore};
use sectile::{Answer, Hit};
use serde::Serialize;

use super::Found;

impl<'a> Found<'a> {
    /// Returns the hits, best first.
    pub(super) fn rows(&'a self) -> Vec<Row<'a>> {
        let hits = self.answer.hits.iter().enumerate();
        let notes = &self.answer.about;
        hits.map(|(place, hit)| Row::new(hit, notes, self.text(place)))
            .collect()
    }

    /// Returns the documents of the hits, best first, each followed by those with the same text.
    pub(super) fn files(&self) -> Vec<File<'a>> {
        let mut files: Vec<File<'a>> = Vec::new();
        for hit in &self.answer.hits {
            let same = hit.same_text.iter().map(|found| &found.document);
            for document in [&hit.document].into_iter().chain(same) {
                let file = File::new(document, hit.score);
                if !files.iter().any(|other| other.is_of(&file)) {
                    files.push(file);
                }
            }
        }
        files
    }

    pub(super) fn text(&self, place: usize) -> Option<&str> {
        Some(self.texts.as_ref()?.get(place)?)
    }
}

/// A document that holds hits, as JSON.
#[derive(Serialize)]
pub(super) struct File<'a> {
    pub(super) uri: &'a str,
    path: Option<String>,
    collection: &'a str,
    title: Option<&'a str>,
    /// That of the best hit.
    score: f64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_gone: bool,
}

impl<'a> File<'a> {
    fn new(document: &'a HitDocument, score: f64) -> Self {
        let uri = &*document.uri;
        Self {
            uri,
            path: path(uri),
            collection: &document.collection,
            title: document.title.as_deref(),
            score,
            is_gone: sectile::is_gone(uri),
        }
    }

    fn is_of(&self, other: &Self) -> bool {
        (self.uri, self.collection) == (other.uri, other.collection)
    }
}

fn path(uri: &str) -> Option<String> {
    sectile::document_path(uri).map(|path| path.display().to_string())
}

/// An explained answer as JSON.
#[derive(Serialize)]
pub(super) struct Explained<'a> {
    reading: &'a Reading,
    notes: &'a [String],
    hits: Vec<Row<'a>>,
}

impl<'a> Explained<'a> {
    pub(super) fn new(answer: &'a Answer, hits: Vec<Row<'a>>) -> Self {
        Self {
            reading: &answer.reading,
            notes: &answer.notes,
            hits,
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
pub(super) struct Row<'a> {
    uri: &'a str,
    path: Option<String>,
    collection: &'a str,
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_gone: bool,
    format: sectile::core::Format,
    section: SectionId,
    heading_path: &'a [String],
    line_start: usize,
    line_end: usize,
    page_start: Option<u32>,
    page_end: Option<u32>,
    score: f64,
    legs: &'a [Leg],
    /// Why it stands below hits that score less, or above hits that score more.
    #[serde(skip_serializing_if = "Option::is_none")]
    demotion: Option<Demotion>,
    #[serde(skip_serializing_if = "Option::is_none")]
    promotion: Option<Promotion>,
    snippet: &'a str,
    marks: &'a [Span],
    same_text: Vec<Place<'a>>,
    /// In how many places more it stands, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    more_same_text: Option<usize>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    words: &'a [WordScore],
    /// What users say of its document.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<&'a str>,
    /// What the hit stands for in full, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

impl<'a> Row<'a> {
    fn new(hit: &'a Hit, notes: &'a [Note], text: Option<&'a str>) -> Self {
        let document = &hit.document;
        let is_about = |note: &&Note| note.is_about(&document.collection, &document.uri);
        let notes = notes.iter().filter(is_about);
        Self {
            uri: &document.uri,
            path: path(&document.uri),
            collection: &document.collection,
            title: document.title.as_deref(),
            is_gone: sectile::is_gone(&document.uri),
            format: document.format,
            section: hit.section,
            heading_path: &hit.heading_path,
            line_start: hit.lines.first,
            line_end: hit.lines.last,
            page_start: hit.pages.map(|pages| pages.first),
            page_end: hit.pages.map(|pages| pages.last),
            score: hit.score,
            legs: &hit.legs,
            demotion: hit.demotion,
            promotion: hit.promotion,
            snippet: &hit.snippet.text,
            marks: &hit.snippet.marks,
            same_text: hit.same_text.iter().map(Place::new).collect(),
            more_same_text: Some(hit.more_same_text).filter(|more| *more > 0),
            words: &hit.words,
            notes: notes.map(|note| &*note.text).collect(),
            text,
        }
    }
}
