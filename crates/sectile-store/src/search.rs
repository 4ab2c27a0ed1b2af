//! Requests and what answers them.

use std::fmt;

use sectile_core::{DocumentId, Format, Lines, Pages, SectionId, Span};
use serde::{Deserialize, Serialize};

use crate::{
    Analyzer, Demotion, Error, Language, Note, Promotion, Query, QueryVector, Reading, Result,
    Scope, Snippet,
};

/// The ranking mode of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SearchMode {
    /// BM25 over the analyzer's terms.
    #[default]
    Text,
    /// The cosine between the vectors of the question and of chunks.
    Vector,
    /// Both rankings, fused, with double weight for the text ranking.
    Hybrid,
    /// Sections by the sum of the scores of their chunks among the best chunks of the store,
    /// divided by the square root of the number of these chunks plus one: see
    /// [`node_score`](crate::node_score).
    Value,
    /// A chat model reads the tables of contents and names the sections. A store alone cannot do
    /// this: [`Store::search`](crate::Store::search) refuses it.
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

/// The unit of a hit. For each unit, only the best hit is returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupBy {
    /// A hit for every chunk, so that a section may occur several times.
    Chunk,
    /// One hit per section, ranked by its best chunk.
    #[default]
    Section,
    /// One hit per document, ranked by its best chunk.
    Document,
}

/// A search.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The question as typed; [`Query`](crate::Query) describes its syntax.
    pub query: String,
    /// The scope.
    pub scope: Scope,
    /// The ranking mode.
    pub mode: SearchMode,
    /// The unit of a hit.
    pub group_by: GroupBy,
    /// The maximum number of hits.
    pub limit: usize,
    /// The question as a vector, for the modes that compare vectors.
    pub vector: Option<QueryVector>,
    /// Whether hits include the contribution of each word of the question.
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

    /// Sets the ranking mode.
    #[must_use]
    pub const fn with_mode(mut self, mode: SearchMode) -> Self {
        self.mode = mode;
        self
    }

    /// Sets the vector of the question.
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

    /// Asks for the contribution of each word of the question to each hit.
    #[must_use]
    pub const fn with_explain(mut self, explain: bool) -> Self {
        self.explain = explain;
        self
    }

    /// Sets the unit of a hit.
    #[must_use]
    pub const fn with_group_by(mut self, group_by: GroupBy) -> Self {
        self.group_by = group_by;
        self
    }
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The hits, best first.
    pub hits: Vec<Hit>,
    /// How the question was parsed.
    pub reading: Reading,
    /// Notes for a reader of the hits, in sentences: what was required, excluded, corrected or left
    /// out, and what did not work.
    pub notes: Vec<String>,
    /// The users' notes on the documents of the hits.
    #[serde(default)]
    pub about: Vec<Note>,
}

impl Answer {
    /// Sets the users' notes on the documents of the hits, by selecting those of `notes` that are
    /// about them.
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
    /// The document of the hit.
    pub document: HitDocument,
    /// The section.
    pub section: SectionId,
    /// The headings from the root to the section.
    pub heading_path: Vec<String>,
    /// The lines of the best chunk.
    pub lines: Lines,
    /// The pages of the best chunk, where the document has pages.
    pub pages: Option<Pages>,
    /// The score; higher is better. Scores of different queries are not comparable. By text or
    /// vector, it is the score of the best chunk.
    pub score: f64,
    /// What each leg of the search contributed.
    pub legs: Vec<Leg>,
    /// The part of the best chunk that answers, with the query's terms marked, below the head of its table if it begins
    /// with rows of one.
    pub snippet: Snippet,
    /// The head of the table that the best chunk continues: the row with the names of the columns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table_head: Option<String>,
    /// The best chunk.
    pub text: String,
    /// Other places with the same text, or one that differs only in versions and dates, best first:
    /// for example other versions of a manual. These are not separate hits. There are at most a
    /// hundred.
    pub same_text: Vec<SameText>,
    /// The number of further places with this text.
    #[serde(default)]
    pub more_same_text: usize,
    /// The contribution of each word of the question to the text score, if
    /// [requested](SearchRequest::explain). The order is that of [`Reading::words`], without words
    /// that the best chunk does not contain.
    pub words: Vec<WordScore>,
    /// Why it ranks below hits that have a text and the same words of the question, regardless of
    /// its score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub demotion: Option<Demotion>,
    /// Why it ranks above hits that score more, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promotion: Option<Promotion>,
}

impl Hit {
    /// Returns the text of the best chunk, below the head of the table that it continues.
    pub fn text_with_head(&self) -> String {
        match &self.table_head {
            Some(head) => format!("{head}\n{}", self.text),
            None => self.text.clone(),
        }
    }

    /// Returns at most `most` of the other places with its text, and the number of the remaining
    /// ones.
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

/// The contribution of a word of a question to a hit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WordScore {
    /// The word or phrase as typed.
    pub typed: String,
    /// The matching term of the index; the terms of a phrase are joined by spaces.
    pub term: String,
    /// The number of chunks in the searched collections that contain it.
    pub chunks: u64,
    /// Its frequency in the best chunk; an occurrence in the heading path counts four times, or
    /// twice if the text does not contain the word.
    pub frequency: f64,
    /// Its contribution.
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
    /// The head of the table that it continues.
    pub table_head: Option<String>,
    /// Its text, and its first line.
    pub text: String,
    /// See `text`.
    pub first_line: usize,
    /// The pages of the chunk.
    pub pages: Option<Pages>,
    /// The language of the document.
    pub language: Language,
    /// The number of sections of the document.
    pub section_count: usize,
}

impl FoundChunk {
    /// Returns the hit with its score and the results of the legs of the search.
    pub fn into_hit(self, score: f64, legs: Vec<Leg>, query: &Query, analyzer: &Analyzer) -> Hit {
        let head = self.table_head.as_deref();
        Hit {
            lines: self.lines(),
            snippet: Snippet::new(head, &self.text, self.document.format, query, analyzer),
            table_head: self.table_head,
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
            promotion: None,
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

    /// Returns whether it has no text, whatever the question is.
    pub(crate) fn demotion(&self) -> Option<Demotion> {
        Demotion::of(&self.text, self.document.format, &self.heading_path)
    }

    /// Returns whether it is a value that is not an answer if it holds no word of the question.
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

/// Cuts a chunk out of the text of its section, and counts the line ends before it.
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

/// The document of a hit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HitDocument {
    /// The id.
    pub id: DocumentId,
    /// The collection.
    pub collection: String,
    /// The URI, unique in its collection.
    pub uri: String,
    /// The title, if it has one.
    pub title: Option<String>,
    /// The format.
    pub format: Format,
}

/// The result of one leg of a search for a hit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Leg {
    /// The leg: `text` for BM25, `vector` for the cosine, `tree` for the choice of a chat model, `quote` for a text that
    /// has the question and was found by its words in a row, beyond the first hits by text.
    pub name: String,
    /// The rank in the leg, from 1: before sections with the same text are merged and others are
    /// moved ([`Hit::demotion`], [`Hit::promotion`]).
    pub rank: usize,
    /// The score in the leg.
    pub score: f64,
}
