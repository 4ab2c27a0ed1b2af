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
//! - [`TextLoader`] decodes text in any encoding of the web and keeps its line ends; [`TextReader`]
//!   does so part by part, for files larger than memory.
//! - [`MarkdownLoader`] keeps the source as it is, and reads its headings and front matter.
//! - `HtmlLoader` (feature `html`) writes the main part of web pages as Markdown.
//! - `PdfLoader` (feature `pdf`) gives the text page by page, with the bookmarks as outline.
//! - `CodeLoader` (feature `code`) keeps source code as it is, and reads its modules, types and
//!   functions.
//! - `DocxLoader` (feature `docx`) writes Word documents as Markdown.
//!
//! A [`FileLoader`] loads with [`LoadOptions`] and, with `Workers` (feature `workers`), parses in
//! processes of their own what may be hostile: a PDF can make any parser run for ever, take all
//! memory or overflow the stack, which takes the process with it. Without workers nothing bounds
//! the time. A `FilesLoader` (feature `async`) loads many files at a time and can split them.
//!
//! What cannot be loaded is an [`Error`] that names the file and says what to do; nothing is
//! dropped in silence.

#[cfg(feature = "archive")]
mod archive;
#[cfg(feature = "archive")]
mod blocks;
#[cfg(feature = "code")]
mod code;
mod detect;
#[cfg(feature = "docx")]
mod docx;
mod encoding;
mod error;
#[cfg(feature = "archive")]
mod failure;
#[cfg(feature = "async")]
mod files;
mod front_matter;
#[cfg(feature = "html")]
mod html;
#[cfg(any(feature = "html", feature = "pdf"))]
mod isolate;
mod loader;
mod markdown;
mod omissions;
mod options;
#[cfg(feature = "pdf")]
mod pdf;
mod reader;
mod split;
mod text;
#[cfg(feature = "workers")]
mod workers;
#[cfg(feature = "archive")]
mod xml;

#[cfg(feature = "code")]
pub use code::CodeLoader;
pub use detect::detect;
#[cfg(feature = "docx")]
pub use docx::DocxLoader;
pub use error::Error;
#[cfg(feature = "async")]
pub use files::{
    Files, FilesLoader, LoadEvent, load_and_split_recursive, load_file_async, load_files_async,
};
#[cfg(feature = "html")]
pub use html::HtmlLoader;
pub use loader::{FileLoader, Loader, load_bytes, load_file};
pub use markdown::MarkdownLoader;
pub use omissions::omissions;
pub use options::{DocxOptions, Limits, LoadOptions, PdfEngine, PdfOptions};
#[cfg(feature = "pdf")]
pub use pdf::PdfLoader;
pub use reader::TextReader;
pub use split::{DocumentChunk, SplitDocument, split};
pub use text::TextLoader;
#[cfg(feature = "workers")]
pub use workers::{Workers, serve};

/// The two ends of the pipes, for a fuzzer.
#[cfg(all(fuzzing, feature = "workers"))]
pub mod fuzzing {
    pub use crate::workers::fuzzing::{replies, requests};
}
