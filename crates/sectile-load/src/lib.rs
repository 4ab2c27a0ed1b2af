//! Loads files into documents: bytes or a path in, text with its outline, pages and metadata out.
//!
//! ```
//! use std::path::Path;
//! use sectile_core::Format;
//! use sectile_load::load_bytes;
//!
//! let document = load_bytes(b"Caf\xe9 ouvert\r\n", Path::new("sign.txt"))?;
//! assert_eq!(document.format, Format::Text);
//! assert_eq!(document.text, "Café ouvert\r\n");
//! assert_eq!(document.metadata.encoding.as_deref(), Some("windows-1252"));
//! # Ok::<(), sectile_load::Error>(())
//! ```
//!
//! [`load_file`] and [`load_bytes`] find out the format by [`detect`] and hand over to one
//! [`Loader`] per format:
//!
//! - [`TextLoader`] decodes text in any encoding of the web and keeps its line ends.
//! - [`MarkdownLoader`] keeps the source as it is, and reads its headings and front matter.
//! - `PdfLoader` (feature `pdf`) gives the text page by page, with the bookmarks as outline.
//! - `DocxLoader` (feature `docx`) writes Word documents as Markdown.
//!
//! Loading is synchronous, and makes no promise about time: see `PdfLoader` on hostile files.
//! What cannot be loaded is an [`Error`] that names the file; nothing is dropped in silence.

mod detect;
#[cfg(feature = "docx")]
mod docx;
mod encoding;
mod error;
mod front_matter;
mod loader;
mod markdown;
#[cfg(feature = "pdf")]
mod pdf;
mod text;

pub use detect::detect;
#[cfg(feature = "docx")]
pub use docx::DocxLoader;
pub use error::Error;
pub use loader::{Loader, load_bytes, load_file};
pub use markdown::MarkdownLoader;
#[cfg(feature = "pdf")]
pub use pdf::PdfLoader;
pub use text::TextLoader;
