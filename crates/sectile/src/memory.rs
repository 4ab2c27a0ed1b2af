//! Memories and knowledge: short texts that are stored as they are.

use sectile_chunk::{LongSentences, SentenceChunker};
use sectile_core::{ContentHash, Document, DocumentId, Metadata, Span};
use sectile_store::{Analyzer, DocumentRecord, IndexedChunk, IndexedDocument, Scope};
use serde::Serialize;

use crate::index::{Indexer, TableHeads, document_name, indexed_chunk};
use crate::{Error, Library, Result, ingest};

/// The collection for the texts of [`Library::remember`].
pub const MEMORIES: &str = "memories";

/// The collection for the texts of [`Library::learn`].
pub const KNOWLEDGE: &str = "knowledge";

/// Longer texts, in characters, are found by their parts, too.
const LONGER_THAN: usize = 200;

/// The size in tokens and the overlap of those parts.
const PART_TOKENS: usize = 800;
const PART_OVERLAP: f64 = 0.15;

/// A stored text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Kept {
    /// Its id.
    pub id: DocumentId,
    /// The outcome.
    pub outcome: KeptOutcome,
}

/// The outcome of storing a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum KeptOutcome {
    /// It is new.
    Added,
    /// It was stored before; its metadata was replaced.
    Updated,
    /// It was stored before, and did not change.
    Unchanged,
}

impl Library {
    /// Stores a text in the collection [`MEMORIES`]. A search finds it as a whole, and a long text
    /// also by its parts; [`GroupBy::Chunk`](crate::GroupBy::Chunk) returns each part,
    /// [`GroupBy::Document`](crate::GroupBy::Document) one hit for each memory.
    ///
    /// A text is stored once, regardless of white space at its ends. The same text has the same id,
    /// even if several processes store it at once. New metadata replaces the earlier metadata; no
    /// metadata leaves it unchanged.
    ///
    /// This makes no vectors, so an unavailable model loses nothing; [`embed`](Self::embed) makes
    /// them.
    ///
    /// # Errors
    ///
    /// [`Error::EmptyMemory`], [`Error::Metadata`], or [`Error::Store`]; then nothing is stored.
    pub async fn remember(&self, text: &str, metadata: Metadata) -> Result<Kept> {
        self.keep(MEMORIES, text, metadata).await
    }

    /// Stores a text in the collection [`KNOWLEDGE`], as [`remember`](Self::remember) does.
    ///
    /// # Errors
    ///
    /// Those of [`remember`](Self::remember).
    pub async fn learn(&self, text: &str, metadata: Metadata) -> Result<Kept> {
        self.keep(KNOWLEDGE, text, metadata).await
    }

    /// Removes a memory with all its data.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchMemory`], or [`Error::Store`]; then nothing is removed.
    pub async fn forget(&self, id: DocumentId) -> Result<()> {
        self.drop_from(MEMORIES, id).await
    }

    /// Removes a piece of knowledge with all its data.
    ///
    /// # Errors
    ///
    /// Those of [`forget`](Self::forget).
    pub async fn delete_knowledge(&self, id: DocumentId) -> Result<()> {
        self.drop_from(KNOWLEDGE, id).await
    }

    async fn keep(&self, collection: &str, text: &str, mut metadata: Metadata) -> Result<Kept> {
        metadata.settle()?;
        let text = text.trim();
        if text.is_empty() {
            return Err(Error::EmptyMemory);
        }
        let derived = DocumentId::derive(collection, text);
        let kept = self.kept(collection, text, derived).await?;
        let (id, outcome) = match &kept {
            None => (derived, KeptOutcome::Added),
            Some(kept) if is_noted(&metadata, &kept.metadata) => {
                (id_in_uri(kept), KeptOutcome::Unchanged)
            }
            Some(kept) => (id_in_uri(kept), KeptOutcome::Updated),
        };
        if outcome != KeptOutcome::Unchanged {
            let document = index(&self.indexer, collection, text, metadata, id);
            self.store().put(vec![document]).await?;
        }
        Ok(Kept { id, outcome })
    }

    /// Finds a text that is kept already.
    async fn kept(
        &self,
        collection: &str,
        text: &str,
        derived: DocumentId,
    ) -> Result<Option<DocumentRecord>> {
        let scope = Scope::collection(collection).with_uri(&uri(collection, derived));
        if let Some(kept) = self.documents(&scope).await?.pop() {
            return Ok(Some(kept));
        }
        // Earlier versions made ids of the time, which begin so until the year 2527.
        let prefix = format!("{}0", uri_prefix(collection));
        let earlier = Scope::collection(collection).with_prefix(&prefix);
        let mut earlier = self.documents(&earlier).await?.into_iter();
        let hash = ContentHash::of(text.as_bytes());
        Ok(earlier.find(|document| document.content_hash == hash))
    }

    async fn drop_from(&self, collection: &str, id: DocumentId) -> Result<()> {
        let scope = Scope::collection(collection).with_uri(&uri(collection, id));
        let found = self.remove(&scope).await?;
        if found.is_empty() {
            return Err(Error::NoSuchMemory { id });
        }
        Ok(())
    }
}

/// Returns the URI of a memory or a piece of knowledge.
fn uri(collection: &str, id: DocumentId) -> String {
    format!("{}{id}", uri_prefix(collection))
}

/// Returns what the URIs of a collection begin with.
fn uri_prefix(collection: &str) -> String {
    let kind = if collection == MEMORIES {
        "memory"
    } else {
        collection
    };
    format!("{kind}:")
}

/// Returns the id that the URI of a kept text has in it.
fn id_in_uri(document: &DocumentRecord) -> DocumentId {
    let id = document.uri.rsplit(':').next().map(str::parse);
    id.and_then(std::result::Result::ok).unwrap_or(document.id)
}

/// Returns whether what is to be noted with a text is noted with it already.
fn is_noted(given: &Metadata, noted: &Metadata) -> bool {
    let with_what_was_found_out = Metadata {
        language: given.language.clone().or_else(|| noted.language.clone()),
        ..given.clone()
    };
    *given == Metadata::default() || with_what_was_found_out == *noted
}

/// Makes a text ready to be written: one section, found as a whole and, where it is long, by its
/// parts.
pub(crate) fn index(
    indexer: &Indexer,
    collection: &str,
    text: &str,
    metadata: Metadata,
    id: DocumentId,
) -> IndexedDocument {
    let uri = uri(collection, id);
    let document = Document {
        text: text.to_owned(),
        metadata,
        ..Document::default()
    };
    let name = document_name(document.metadata.title.as_deref(), &uri);
    let hash = ContentHash::of(text.as_bytes());
    let mut made = indexer.index(collection, &uri, &document, hash, ingest::now());
    made.id = id;
    let analyzer = Analyzer::for_language(made.language.parse().unwrap_or_default());
    for section in &mut made.sections {
        let whole = Span::new(0, section.content.len());
        let spans = std::iter::once(whole).chain(parts(indexer, &section.content));
        let spans: Vec<Span> = spans.collect();
        let heads = TableHeads::of(&section.content, document.format, spans.len());
        let path: (&str, &[String]) = (&name, &[]);
        let chunk = |span: Span| {
            let head = heads.above(span);
            let chunk = indexed_chunk(&section.content, span, head, path, &analyzer);
            let tokens = indexer.counter().count(span.of(&section.content));
            IndexedChunk { tokens, ..chunk }
        };
        section.chunks = spans.into_iter().map(chunk).collect();
    }
    made
}

/// Returns the parts of a long text; none if it is but one.
fn parts(indexer: &Indexer, text: &str) -> Vec<Span> {
    if text.chars().nth(LONGER_THAN).is_none() {
        return Vec::new();
    }
    let chunker =
        SentenceChunker::new(PART_TOKENS).and_then(|chunker| chunker.with_overlap(PART_OVERLAP));
    // Without parts, the whole is still found.
    let Ok(chunker) = chunker else {
        return Vec::new();
    };
    let chunker = chunker.with_long_sentences(LongSentences::Split);
    let chunks = chunker.chunks(text, indexer.counter());
    if chunks.len() < 2 {
        return Vec::new();
    }
    chunks.iter().map(|chunk| chunk.span).collect()
}
