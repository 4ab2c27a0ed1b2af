//! Documents with their chunks.

use std::path::Path;

use sectile_chunk::RecursiveCharacterTextSplitter;
use sectile_core::{ChunkMetadata, Document, Lines, Pages, Span};

/// A document and the chunks it was split into.
#[derive(Clone, Debug, PartialEq)]
pub struct SplitDocument {
    /// The document.
    pub document: Document,
    /// The chunks in order.
    pub chunks: Vec<DocumentChunk>,
}

/// A self-contained chunk of a document.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentChunk {
    /// The text.
    pub text: String,
    /// The span in the document's text, in bytes.
    pub span: Span,
    /// The span in characters.
    pub chars: Span,
    /// The lines it touches.
    pub lines: Lines,
    /// The pages it touches, if the document has pages.
    pub pages: Option<Pages>,
    /// The metadata of its document: `source` is the path, `file_type` the format.
    pub metadata: ChunkMetadata,
}

/// Splits a document loaded from `path`.
pub fn split(
    document: Document,
    path: &Path,
    splitter: &RecursiveCharacterTextSplitter,
) -> SplitDocument {
    let source = path.display().to_string();
    let chunks = splitter.chunks(&document.text).into_iter().map(|chunk| {
        let pages = document.pages_of(chunk.span);
        let metadata = chunk.metadata(&source, document.format);
        DocumentChunk {
            pages,
            span: chunk.span,
            chars: chunk.chars,
            lines: chunk.lines,
            metadata: metadata.with_pages(pages),
            text: chunk.text.into_owned(),
        }
    });
    SplitDocument {
        chunks: chunks.collect(),
        document,
    }
}
