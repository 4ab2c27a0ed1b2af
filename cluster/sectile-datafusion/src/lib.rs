//! Loading, cutting and embedding as functions of Apache `DataFusion`, and files and stores as its tables.
//!
//! ```
//! use datafusion::prelude::{SessionConfig, SessionContext};
//! use sectile_datafusion::Functions;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> datafusion::error::Result<()> {
//! let mut context = SessionContext::new_with_config(Functions::configure(SessionConfig::new()));
//! Functions::default().register(&mut context)?;
//! let chunks = context
//!     .sql(r##"SELECT c.text, c.headings FROM (SELECT unnest(sectile_chunk('# A' || chr(10) || 'One.', '{"size": 20}')) AS c)"##)
//!     .await?;
//! assert_eq!(chunks.count().await?, 1);
//! # Ok(())
//! # }
//! ```
//!
//! | function | gives |
//! |---|---|
//! | `sectile_extract(bytes, name [, limits])` | a document as [`document_fields`](sectile_arrow::document_fields) say; a file that cannot be loaded is one with an `error` |
//! | `sectile_sections(text [, outline] [, name])` | a list of [sections](sectile_arrow::section_fields) |
//! | `sectile_chunk(text [, outline] [, settings])` | a list of [chunks](sectile_arrow::chunk_fields) |
//! | `sectile_tokens(text, encoding)` | how many tokens a text has |
//! | `sectile_embed(text, model)` | the vector of a text |
//!
//! `text` may be what `sectile_extract` gives, too: then the outline is in it, chunks have their pages, and where there is
//! an error there is no list. `unnest` makes rows of lists. `settings` is a literal of JSON that is read while a query is
//! planned:
//! `{"strategy": "markdown", "size": 512, "overlap": 64, "unit": "cl100k_base", "format": "markdown"}`, each of which may
//! be left out; `encoding` and `model` are literals as well, and so are `limits` of the worker processes that load files:
//! `{"memory": 1073741824, "seconds": 60}`, in bytes.
//!
//! [`Functions::configure`] sets what sessions need: batches of 64 rows, that memory is bounded by as many documents, and
//! not of 8,192; and that a document of which several fields are used is loaded once.

mod arguments;
mod chunk;
mod embed;
mod extract;
mod files;
mod function;
mod scan;
mod sections;
mod sent;
mod settings;
mod store;
mod tokens;

pub use datafusion;
pub use files::FilesTable;
pub use function::Functions;
pub use scan::ListedScan;
pub use store::StoreTable;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
