//! Documents, sections, chunks and hits as Arrow arrays, and back: what query engines and data frames take.
//!
//! Each is a struct of [`document_fields`], [`section_fields`], [`chunk_fields`] or [`hit_fields`]; an array of structs is a column, or,
//! as [`RecordBatch`](arrow_array::RecordBatch), a table.
//!
//! ```
//! use arrow_array::RecordBatch;
//! use sectile_arrow::{ChunkBuilder, chunks};
//! use sectile_core::{Chunk, Lines, Span};
//!
//! let span = Span::new(0, 5);
//! let chunk = Chunk {
//!     index: 0,
//!     text: "Hello".into(),
//!     span,
//!     chars: span,
//!     lines: Lines { first: 1, last: 1 },
//!     tokens: None,
//!     heading_path: None,
//! };
//! let mut builder = ChunkBuilder::default();
//! builder.append(&chunk);
//! let array = builder.finish();
//! assert_eq!(chunks(&array)?, [chunk]);
//! assert_eq!(RecordBatch::from(array).num_columns(), 12);
//! # Ok::<(), sectile_arrow::Error>(())
//! ```

#![forbid(unsafe_code)]

mod chunk;
mod column;
mod document;
mod error;
mod hit;
mod page_columns;
#[cfg(feature = "parquet")]
mod parquet;
mod part_name;
mod section;

#[cfg(feature = "parquet")]
pub use self::parquet::{
    ChunksFile, DocumentChunks, DocumentsFile, FileChunk, ParquetFileError, Row,
};
pub use chunk::{ChunkBuilder, chunk_fields, chunk_pages, chunks};
pub use column::is_text;
pub use document::{
    DocumentBuilder, Extracted, document_fields, documents, outline, outline_type, pages,
};
pub use error::Error;
pub use hit::{HitBuilder, HitRow, hit_fields, hits};
pub use part_name::is_part_name;
pub use section::{SectionBuilder, section_fields, sections};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
