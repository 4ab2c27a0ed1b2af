//! Memories and knowledge: short texts that are kept as they are, beside the documents.

use sectile_chunk::{LongSentences, SentenceChunker};
use sectile_core::{ContentHash, Document, DocumentId, Metadata, Span};
use sectile_store::{IndexedChunk, IndexedDocument, Scope};
use uuid::Uuid;

use crate::index::{Indexer, document_name, embedded_text};
use crate::{Error, Library, Result, ingest};

/// The collection of what [`Library::remember`] keeps.
pub const MEMORIES: &str = "memories";

/// The collection of what [`Library::learn`] keeps.
pub const KNOWLEDGE: &str = "knowledge";

/// Longer texts, in characters, are found by their parts, too.
const LONGER_THAN: usize = 200;

/// The size in tokens and the overlap of those parts.
const PART_TOKENS: usize = 800;
const PART_OVERLAP: f64 = 0.15;

impl Library {
    /// Keeps a text in the collection [`MEMORIES`] and returns its id. It is found as a whole, and
    /// if it is long also by its parts; [`GroupBy::Chunk`](crate::GroupBy::Chunk) returns each,
    /// [`GroupBy::Document`](crate::GroupBy::Document) one hit a memory.
    ///
    /// Vectors are not made here, so that a model that does not answer loses nothing:
    /// [`embed`](Self::embed) does.
    ///
    /// # Errors
    ///
    /// [`Error::EmptyMemory`], or [`Error::Store`]; then nothing is kept.
    pub async fn remember(&self, text: &str, metadata: Metadata) -> Result<DocumentId> {
        self.keep(MEMORIES, text, metadata).await
    }

    /// Keeps a text in the collection [`KNOWLEDGE`], as [`remember`](Self::remember) does.
    ///
    /// # Errors
    ///
    /// Those of [`remember`](Self::remember).
    pub async fn learn(&self, text: &str, metadata: Metadata) -> Result<DocumentId> {
        self.keep(KNOWLEDGE, text, metadata).await
    }

    /// Removes a memory with all that belongs to it.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchMemory`], or [`Error::Store`]; then nothing is removed.
    pub async fn forget(&self, id: DocumentId) -> Result<()> {
        self.drop_from(MEMORIES, id).await
    }

    /// Removes a piece of knowledge with all that belongs to it.
    ///
    /// # Errors
    ///
    /// Those of [`forget`](Self::forget).
    pub async fn delete_knowledge(&self, id: DocumentId) -> Result<()> {
        self.drop_from(KNOWLEDGE, id).await
    }

    async fn keep(&self, collection: &str, text: &str, metadata: Metadata) -> Result<DocumentId> {
        if text.trim().is_empty() {
            return Err(Error::EmptyMemory);
        }
        let id = DocumentId(Uuid::now_v7());
        let document = index(&self.indexer, collection, text, metadata, id);
        self.store().put(vec![document]).await?;
        Ok(id)
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
    let kind = if collection == MEMORIES {
        "memory"
    } else {
        collection
    };
    format!("{kind}:{id}")
}

/// Makes a text ready to be written: one section, found as a whole and, where it is long, by its
/// parts.
fn index(
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
    for section in &mut made.sections {
        let whole = Span::new(0, section.content.len());
        let spans = std::iter::once(whole).chain(parts(indexer, &section.content));
        let chunk = |span| chunk(indexer, &name, &section.content, span);
        section.chunks = spans.map(chunk).collect();
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

fn chunk(indexer: &Indexer, name: &str, content: &str, span: Span) -> IndexedChunk {
    let text = span.of(content);
    IndexedChunk {
        span,
        pages: None,
        tokens: indexer.counter().count(text),
        terms: indexer.analyzer().terms(text),
        text_hash: ContentHash::of(embedded_text(name, &[], text).as_bytes()),
    }
}
