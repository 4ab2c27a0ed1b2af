//! Memories and knowledge: short texts that are kept as they are, beside the documents.

use sectile_chunk::{LongSentences, SentenceChunker};
use sectile_core::{ContentHash, Document, DocumentId, Metadata, Span};
use sectile_store::{IndexedChunk, IndexedDocument};

use crate::index::{Indexer, document_name, embedded_text};

/// The collection of what [`Library::remember`](crate::Library::remember) keeps.
pub const MEMORIES: &str = "memories";

/// The collection of what [`Library::learn`](crate::Library::learn) keeps.
pub const KNOWLEDGE: &str = "knowledge";

/// Longer texts, in characters, are found by their parts, too.
const LONGER_THAN: usize = 200;

/// The size in tokens and the overlap of those parts.
const PART_TOKENS: usize = 800;
const PART_OVERLAP: f64 = 0.15;

/// Returns the URI of a memory or a piece of knowledge.
pub(crate) fn uri(collection: &str, id: DocumentId) -> String {
    let kind = if collection == MEMORIES {
        "memory"
    } else {
        collection
    };
    format!("{kind}:{id}")
}

/// Makes a text ready to be written: one section, found as a whole and, where it is long, by its
/// parts.
pub(crate) fn index(
    indexer: &Indexer,
    collection: &str,
    text: &str,
    metadata: Metadata,
    id: DocumentId,
    now: u64,
) -> IndexedDocument {
    let uri = uri(collection, id);
    let document = Document {
        text: text.to_owned(),
        metadata,
        ..Document::default()
    };
    let name = document_name(document.metadata.title.as_deref(), &uri);
    let hash = ContentHash::of(text.as_bytes());
    let mut made = indexer.index(collection, &uri, &document, hash, now);
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
