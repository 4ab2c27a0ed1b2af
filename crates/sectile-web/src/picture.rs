//! Pictures of documents: chunks drawn over their text, and headings as a tree. Pages and files show
//! the same ones. Files also show settings side by side, with plots.

mod chunks;
mod evaluation;
mod numbers;
mod plot;
mod report;
mod text;
mod tree;

pub use chunks::{Cut, CutMark};
pub use evaluation::evaluation_report;
pub use report::{ChunkReport, chunk_report, tree_report};

pub(crate) use numbers::numbers;
pub(crate) use text::{TextPart, TextPicture};
pub(crate) use tree::{Branch, branches};
