//! The data model that every Sectile crate shares.
//!
//! > Documents are containers. Sections are the content. Chunks are what is found.
//!
//! A [`Document`] is loaded text with its outline and pages. A [`SectionTree`] cuts that text
//! into sections that, joined in order, are the text again, byte for byte. A [`Chunk`] is a span of
//! the text that is small enough for search and for a model.
//!
//! ```
//! use sectile_core::{SectionId, Span};
//!
//! let text = "# Guide\n\nRead me.\n";
//! assert_eq!(Span::new(2, 7).of(text), "Guide");
//!
//! // An id depends on where a heading stands, not on what comes before it in the file.
//! let id = SectionId::derive("docs/guide.md", &["Guide"], 0);
//! assert_eq!(id, SectionId::derive("docs/guide.md", &["Guide"], 0));
//! assert_ne!(id, SectionId::derive("docs/guide.md", &["Guide"], 1));
//! ```
//!
//! The crate is plain data with `serde`: no I/O, no clock, no randomness. Time and random bytes
//! are parameters.

mod chunk;
mod document;
mod embedding;
mod format;
mod id;
mod leading_fields;
mod literal_blocks;
mod metadata;
mod percent;
mod section;
mod signature;
mod span;
mod tree;

pub use chunk::{Chunk, ChunkMetadata};
pub use document::{Document, Heading, Page};
pub use embedding::EmbeddingModel;
pub use format::Format;
pub use id::{ContentHash, DocumentId, ParseIdError, SectionId};
pub use leading_fields::LeadingFields;
pub use literal_blocks::{LATEX_VERBATIM, ORG_LITERAL};
pub use metadata::{Metadata, MisfitField};
pub use percent::percent_decoded;
pub use section::{Section, SectionTree, subtree};
pub use signature::{definition_name, definition_name_span};
pub use span::{LineIndex, Lines, Pages, Span};
pub use tree::{DocumentTree, SectionNode, TreeNode};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
