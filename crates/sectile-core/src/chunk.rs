//! Chunks: spans small enough to be found and read.

use std::borrow::Cow;
use std::sync::Arc;

use crate::{Lines, Span};

/// A piece of a text, borrowed from it, that knows where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk<'a> {
    /// The position of the chunk, from 0, in the order of the text.
    pub index: usize,
    /// The text of the chunk; the source at `span`, unless a chunker adds to it and says so.
    pub text: Cow<'a, str>,
    /// Where the chunk stands in the source, in bytes.
    pub span: Span,
    /// Where the chunk stands in the source, in characters (Unicode scalar values).
    pub chars: Span,
    /// The lines that the chunk touches.
    pub lines: Lines,
    /// The number of tokens, where the chunker measures in tokens.
    pub tokens: Option<usize>,
    /// The headings from the root to the section that the chunk stands in, where it is in one.
    pub heading_path: Option<Arc<[String]>>,
}
