//! Requests and what answers them.

use std::fmt;

use sectile_core::{DocumentId, Format, Lines, Pages, SectionId, Span};
use serde::{Deserialize, Serialize};

use crate::{
    Analyzer, Demotion, Error, Language, Note, Query, QueryVector, Reading, Result, Scope, Snippet,
};

/// How a search ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SearchMode {
    /// BM25 over the analyser's terms.
    #[default]
    Text,
    /// The cosine between the vectors of the question and of chunks.
    Vector,
    /// The ranks of both, fused, with those of the text counted twice.
    Hybrid,
    /// Sections by the sum of what their chunks score among the best chunks of the store, divided by
    /// the square root of one more than those: see [`node_score`](crate::node_score).
    Value,
    /// A chat model reads the tables of contents and names the sections. This is above a store:
    /// [`Store::search`](crate::Store::search) refuses it.
    Tree,
}

impl SearchMode {
    /// Returns the mode's name, as it is typed and printed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Vector => "vector",
            Self::Hybrid => "hybrid",
            Self::Value => "value",
            Self::Tree => "tree",
        }
    }
}

impl fmt::Display for SearchMode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// What a hit stands for: of each, only the best hit is returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupBy {
    /// A hit for every chunk, so that a section may be there several times.
    Chunk,
    /// One hit a section, ranked by its best chunk.
    #[default]
    Section,
    /// One hit a document, ranked by its best chunk.
    Document,
}

/// A search.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The question as typed; [`Query`](crate::Query) says how it is read.
    pub query: String,
    /// Where to search.
    pub scope: Scope,
    /// How to rank.
    pub mode: SearchMode,
    /// What a hit stands for.
    pub group_by: GroupBy,
    /// The most hits to return.
    pub limit: usize,
    /// The question as a vector, for the modes that compare vectors.
    pub vector: Option<QueryVector>,
    /// Whether each hit says what each word of the question brought to it.
    pub explain: bool,
}

impl SearchRequest {
    /// Asks for the ten best sections of the whole store.
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            scope: Scope::all(),
            mode: SearchMode::default(),
            group_by: GroupBy::default(),
            limit: 10,
            vector: None,
            explain: false,
        }
    }

    /// Narrows the search to `scope`.
    #[must_use]
    pub fn with_scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    /// Sets how to rank.
    #[must_use]
    pub const fn with_mode(mut self, mode: SearchMode) -> Self {
        self.mode = mode;
        self
    }

    /// Gives the question as a vector.
    #[must_use]
    pub fn with_vector(mut self, vector: QueryVector) -> Self {
        self.vector = Some(vector);
        self
    }

    /// Asks for `limit` hits.
    #[must_use]
    pub const fn with_limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// Asks what each word of the question brought to each hit.
    #[must_use]
    pub const fn with_explain(mut self, explain: bool) -> Self {
        self.explain = explain;
        self
    }

    /// Asks for one hit of each section or of each document.
    #[must_use]
    pub const fn with_group_by(mut self, group_by: GroupBy) -> Self {
        self.group_by = group_by;
        self
    }
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The hits, best first.
    pub hits: Vec<Hit>,
    /// How the question was read.
    pub reading: Reading,
    /// What a reader of the hits has to know, in sentences: what was required, excluded, corrected
    /// or left out, and what did not work.
    pub notes: Vec<String>,
    /// What users say of the documents that hold the hits.
    #[serde(default)]
    pub about: Vec<Note>,
}

impl Answer {
    /// Sets what users say of the documents that hold the hits: those of some notes that are about them.
    pub fn set_about(&mut self, mut notes: Vec<Note>) {
        notes.retain(|note| {
            self.hits
                .iter()
                .any(|hit| note.is_about(&hit.document.collection, &hit.document.uri))
        });
        self.about = notes;
    }
}

/// A section that a question finds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// The document that the hit stands in.
    pub document: HitDocument,
    /// The section.
    pub section: SectionId,
    /// The headings from the root to the section.
    pub heading_path: Vec<String>,
    /// The lines of the best chunk.
    pub lines: Lines,
    /// The pages of the best chunk, where the document has pages.
    pub pages: Option<Pages>,
    /// The score; higher is better. Scores of two queries do not compare. By text or vector it is
    /// that of the best chunk.
    pub score: f64,
    /// What each leg of the search contributed.
    pub legs: Vec<Leg>,
    /// The part of the best chunk that answers, with the query's terms marked.
    pub snippet: Snippet,
    /// The best chunk.
    pub text: String,
    /// Where the same text stands too, or one that differs in versions and dates only, best first: other versions of a
    /// manual, for example. These are no hits of their own. There are up to a hundred.
    pub same_text: Vec<SameText>,
    /// In how many more places it stands.
    #[serde(default)]
    pub more_same_text: usize,
    /// What each word of the question brought to the score by text, where that was
    /// [asked for](SearchRequest::explain); in the order of [`Reading::words`], without those that
    /// the best chunk does not hold.
    pub words: Vec<WordScore>,
    /// What it lacks to be an answer: it stands behind the hits that have a text and the same words of the question,
    /// whatever its score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub demotion: Option<Demotion>,
}

impl Hit {
    /// Returns the first so many of the other places with its text, and how many others there are.
    pub fn also_in(&self, most: usize) -> (&[SameText], usize) {
        let named = &self.same_text[..self.same_text.len().min(most)];
        let others = self.same_text.len() - named.len() + self.more_same_text;
        (named, others)
    }
}

/// Another place with the text of a hit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SameText {
    /// The document.
    pub document: HitDocument,
    /// The section.
    pub section: SectionId,
    /// The headings from the root to the section.
    pub heading_path: Vec<String>,
    /// The lines.
    pub lines: Lines,
    /// The pages, where the document has pages.
    pub pages: Option<Pages>,
}

/// What a word of a question brought to a hit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WordScore {
    /// The word or phrase as typed.
    pub typed: String,
    /// The term of the index that counted; those of a phrase joined by spaces.
    pub term: String,
    /// How many chunks of the collections that are searched hold it.
    pub chunks: u64,
    /// How often the best chunk holds it; each time in its heading path counts five times.
    pub frequency: f64,
    /// What it brought.
    pub score: f64,
}

/// The metadata of a document as far as a hit shows them. The rest of their JSON is not read.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct HitMetadata {
    /// The title.
    pub title: Option<String>,
}

/// The best chunk of a hit, as a store has read it.
#[derive(Clone, Debug)]
pub struct FoundChunk {
    /// The document.
    pub document: HitDocument,
    /// The section.
    pub section: SectionId,
    /// The headings from the root to the section.
    pub heading_path: Vec<String>,
    /// Its text, and the line that it begins at.
    pub text: String,
    /// See `text`.
    pub first_line: usize,
    /// The pages of the chunk.
    pub pages: Option<Pages>,
    /// The language of the document.
    pub language: Language,
}

impl FoundChunk {
    /// Returns the hit with its score and what each leg of the search said of it.
    pub fn into_hit(self, score: f64, legs: Vec<Leg>, query: &Query, analyzer: &Analyzer) -> Hit {
        Hit {
            lines: self.lines(),
            snippet: Snippet::new(&self.text, self.document.format, query, analyzer),
            text: self.text,
            document: self.document,
            section: self.section,
            heading_path: self.heading_path,
            pages: self.pages,
            score,
            legs,
            same_text: Vec::new(),
            more_same_text: 0,
            words: Vec::new(),
            demotion: None,
        }
    }

    /// Returns where it stands, for a hit with the same text.
    pub(crate) fn into_same_text(self) -> SameText {
        SameText {
            lines: self.lines(),
            document: self.document,
            section: self.section,
            heading_path: self.heading_path,
            pages: self.pages,
        }
    }

    /// Says whether it has no text, whatever the question is.
    pub(crate) fn demotion(&self) -> Option<Demotion> {
        Demotion::of(&self.text, self.document.format, &self.heading_path)
    }

    /// Says whether it is a value that is not an answer if it holds no word of the question.
    pub(crate) fn may_be_inherited(&self) -> bool {
        Demotion::may_be_inherited(self.document.format)
    }

    fn lines(&self) -> Lines {
        let text = self.text.strip_suffix('\n').unwrap_or(&self.text);
        Lines {
            first: self.first_line,
            last: self.first_line + newlines(text),
        }
    }
}

/// Cuts a chunk out of the text of its section, and counts the ends of lines before it.
///
/// # Errors
///
/// [`Error::Corrupt`] for a chunk outside its section.
pub fn text_of_chunk(content: &str, span: Span) -> Result<(&str, usize)> {
    let text = content.get(span.start..span.end);
    let text = text.ok_or_else(|| Error::corrupt("a chunk outside its section"))?;
    Ok((text, newlines(&content[..span.start])))
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|&byte| byte == b'\n').count()
}

/// The document that a hit stands in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HitDocument {
    /// The id.
    pub id: DocumentId,
    /// The collection.
    pub collection: String,
    /// The URI, unique in its collection.
    pub uri: String,
    /// The title, where it has one.
    pub title: Option<String>,
    /// The format.
    pub format: Format,
}

/// What one way of searching said of a hit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Leg {
    /// The leg: `text` for BM25, `vector` for the cosine, `tree` for the choice of a chat model.
    pub name: String,
    /// The rank in the leg, from 1.
    pub rank: usize,
    /// The score in the leg.
    pub score: f64,
}
