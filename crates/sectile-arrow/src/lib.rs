//! Chunks as Arrow arrays, and back: what query engines and Python's data frames take.
//!
//! A chunk is a struct of [these fields](chunk_fields); an array of them is a column, or, as
//! [`RecordBatch`](arrow_array::RecordBatch), a table.
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
//! assert_eq!(RecordBatch::from(array).num_columns(), 10);
//! # Ok::<(), sectile_arrow::Error>(())
//! ```

#![forbid(unsafe_code)]

mod chunk;
mod error;

pub use chunk::{ChunkBuilder, chunk_fields, chunks};
pub use error::Error;
