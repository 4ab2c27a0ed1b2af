//! Loads files of real producers, made ones, and on request the corpora.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "helpers of tests fail and report as tests do"
)]

#[path = "it/support.rs"]
mod support;

#[cfg(feature = "code")]
#[path = "it/code.rs"]
mod code;
#[path = "it/corpus.rs"]
mod corpus;
#[cfg(feature = "docx")]
#[path = "it/docx.rs"]
mod docx;
#[path = "it/errors.rs"]
mod errors;
#[cfg(all(feature = "async", feature = "docx", feature = "pdf"))]
#[path = "it/files.rs"]
mod files;
#[cfg(all(
    unix,
    feature = "docx",
    feature = "html",
    feature = "pdf",
    feature = "workers"
))]
#[path = "it/hostile.rs"]
mod hostile;
#[cfg(feature = "docx")]
#[path = "it/hostile_files.rs"]
mod hostile_files;
#[cfg(feature = "html")]
#[path = "it/html.rs"]
mod html;
#[cfg(feature = "pdf")]
#[path = "it/pdf.rs"]
mod pdf;
#[cfg(all(feature = "docx", feature = "pdf"))]
#[path = "it/pdf_text.rs"]
mod pdf_text;
#[path = "it/reader.rs"]
mod reader;
#[path = "it/text.rs"]
mod text;
#[cfg(feature = "docx")]
#[path = "it/word_features.rs"]
mod word_features;
#[cfg(all(unix, feature = "workers", feature = "pdf"))]
#[path = "it/workers.rs"]
mod workers;
