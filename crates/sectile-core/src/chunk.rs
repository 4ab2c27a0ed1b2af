//! Chunks: spans small enough to be found and read.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Format, Lines, Pages, Span};

/// A piece of a text, borrowed from it, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk<'a> {
    /// The position of the chunk, from 0, in the order of the text.
    pub index: usize,
    /// The text of the chunk; the source at `span`, unless a chunker adds to it and says so.
    pub text: Cow<'a, str>,
    /// The position of the chunk in the source, in bytes.
    pub span: Span,
    /// The position of the chunk in the source, in characters (Unicode scalar values).
    pub chars: Span,
    /// The lines that the chunk touches.
    pub lines: Lines,
    /// The number of tokens, if the chunker measures in tokens.
    pub tokens: Option<usize>,
    /// The headings from the root to the section of the chunk, if there are any: the list is never empty.
    pub heading_path: Option<Arc<[String]>>,
}

impl Chunk<'_> {
    /// Returns the metadata of the chunk. `source` is the path or URI of its document.
    ///
    /// ```
    /// use sectile_core::{Chunk, Format, Lines, Span};
    ///
    /// let span = Span::new(0, 5);
    /// let chunk = Chunk {
    ///     index: 0,
    ///     text: "Hello".into(),
    ///     span,
    ///     chars: span,
    ///     lines: Lines { first: 1, last: 1 },
    ///     tokens: None,
    ///     heading_path: None,
    /// };
    /// let metadata = chunk.metadata("docs/hello.txt", Format::Text).with_parent_id("greetings");
    /// assert_eq!(metadata.parent_id.as_deref(), Some("greetings"));
    /// ```
    pub fn metadata(&self, source: impl Into<String>, file_type: Format) -> ChunkMetadata {
        ChunkMetadata {
            source: source.into(),
            file_type,
            chunk_index: self.index,
            pages: None,
            parent_id: None,
        }
    }

    /// Returns the chunk with an owned text.
    #[must_use]
    pub fn into_owned(self) -> Chunk<'static> {
        Chunk {
            index: self.index,
            text: Cow::Owned(self.text.into_owned()),
            span: self.span,
            chars: self.chars,
            lines: self.lines,
            tokens: self.tokens,
            heading_path: self.heading_path,
        }
    }
}

/// The metadata of a chunk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkMetadata {
    /// The path or URI of the document.
    pub source: String,
    /// The format of the document.
    pub file_type: Format,
    /// The position of the chunk in the document, from 0.
    pub chunk_index: usize,
    /// The pages that the chunk touches, if the document has pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<Pages>,
    /// The id of the parent that the document is part of, if the caller knows one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<String>,
}

impl ChunkMetadata {
    /// Sets the pages that the chunk touches.
    #[must_use]
    pub const fn with_pages(mut self, pages: Option<Pages>) -> Self {
        self.pages = pages;
        self
    }

    /// Sets the id of the parent that the document is part of.
    #[must_use]
    pub fn with_parent_id(mut self, parent_id: impl Into<String>) -> Self {
        self.parent_id = Some(parent_id.into());
        self
    }
}
