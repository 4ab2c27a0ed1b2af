//! Requests and what answers them.

use std::fmt;

use sectile_core::{DocumentId, Format, Lines, Pages, SectionId, Span};
use serde::{Deserialize, Serialize};

use crate::{Analyzer, Error, Query, Result, Snippet};

/// How a search ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SearchMode {
    /// BM25 over the analyser's terms.
    #[default]
    Text,
}

impl SearchMode {
    /// Returns the mode's name, as it is typed and printed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
        }
    }
}

impl fmt::Display for SearchMode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// What a hit stands for: of each, only the best hit is returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GroupBy {
    /// One hit a section, ranked by its best chunk.
    #[default]
    Section,
    /// One hit a document, ranked by its best chunk.
    Document,
}

/// The documents that a call is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    collection: Option<String>,
    uris: Vec<(String, String)>,
}

impl Scope {
    /// Returns the scope of every document in the store.
    pub fn all() -> Self {
        Self::default()
    }

    /// Returns the scope of one collection.
    pub fn collection(name: impl Into<String>) -> Self {
        Self {
            collection: Some(name.into()),
            uris: Vec::new(),
        }
    }

    /// Adds the document with this URI to what the scope is narrowed to.
    #[must_use]
    pub fn with_uri(mut self, uri: &str) -> Self {
        self.uris.push((uri.to_owned(), uri.to_owned()));
        self
    }

    /// Adds the documents whose URI begins with `prefix` to what the scope is narrowed to.
    #[must_use]
    pub fn with_prefix(mut self, prefix: &str) -> Self {
        self.uris
            .push((prefix.to_owned(), format!("{prefix}\u{10ffff}")));
        self
    }

    /// Returns the collection that the scope is narrowed to.
    pub fn collection_name(&self) -> Option<&str> {
        self.collection.as_deref()
    }

    /// Returns the ranges of URIs, both ends included and compared by bytes, that the scope is
    /// narrowed to; none means every URI.
    pub fn uri_ranges(&self) -> &[(String, String)] {
        &self.uris
    }

    /// Says whether every document is in the scope.
    pub fn is_all(&self) -> bool {
        self.collection.is_none() && self.uris.is_empty()
    }
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
        }
    }

    /// Narrows the search to `scope`.
    #[must_use]
    pub fn with_scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    /// Asks for `limit` hits.
    #[must_use]
    pub const fn with_limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// Asks for one hit of each section or of each document.
    #[must_use]
    pub const fn with_group_by(mut self, group_by: GroupBy) -> Self {
        self.group_by = group_by;
        self
    }
}

/// One answer to a search.
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
    /// The score of the best chunk; higher is better. Scores of two queries do not compare.
    pub score: f64,
    /// What each leg of the search contributed.
    pub legs: Vec<Leg>,
    /// The part of the best chunk that answers, with the query's terms marked.
    pub snippet: Snippet,
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
    /// The section's own text, and the line that it begins at.
    pub content: String,
    /// See `content`.
    pub first_line: usize,
    /// Where the chunk stands in it.
    pub span: Span,
    /// The pages of the chunk.
    pub pages: Option<Pages>,
}

impl FoundChunk {
    /// Returns the hit with a score and a rank in a search by text.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] for a chunk outside its section.
    pub fn into_hit(
        self,
        score: f64,
        rank: usize,
        query: &Query,
        analyzer: &Analyzer,
    ) -> Result<Hit> {
        let text = self.content.get(self.span.start..self.span.end);
        let text = text.ok_or_else(|| Error::corrupt("a chunk outside its section"))?;
        Ok(Hit {
            lines: self.lines(),
            snippet: Snippet::new(text, query, analyzer),
            document: self.document,
            section: self.section,
            heading_path: self.heading_path,
            pages: self.pages,
            score,
            legs: vec![Leg {
                name: SearchMode::Text.name().into(),
                rank,
                score,
            }],
        })
    }

    /// Counts the lines up to and in the chunk.
    fn lines(&self) -> Lines {
        let newlines = |text: &str| text.bytes().filter(|&byte| byte == b'\n').count();
        let first = self.first_line + newlines(&self.content[..self.span.start]);
        let text = self.span.of(&self.content);
        let text = text.strip_suffix('\n').unwrap_or(text);
        Lines {
            first,
            last: first + newlines(text),
        }
    }
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
    /// The leg: `text` for BM25.
    pub name: String,
    /// The rank in the leg, from 1.
    pub rank: usize,
    /// The score in the leg.
    pub score: f64,
}
