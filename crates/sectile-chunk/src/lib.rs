//! Text to sections to chunks: pure functions that return spans of the text they were given.
//!
//! ```
//! use sectile_chunk::{Heuristic, SectionOptions, SentenceChunker, markdown_outline, sections};
//!
//! let text = "# Guide\n\nRead me first.\n\n## Install\n\nRun it. Then restart.\n";
//!
//! // The headings cut the text into sections, as large as a budget allows.
//! let outline = markdown_outline(text);
//! let options = SectionOptions::default().with_max_tokens(10);
//! let tree = sections("guide.md", text, &outline, &options, &Heuristic)?;
//! assert_eq!(tree.heading_path(1), ["Guide", "Install"]);
//!
//! // Sentences fill chunks, here of one section.
//! let install = tree.sections[1].span.of(text);
//! let chunks = SentenceChunker::new(5)?.chunks(install, &Heuristic);
//! assert_eq!(chunks[0].text, "## Install\n\nRun it. ");
//! assert_eq!(chunks[1].text, "Then restart.\n");
//! # Ok::<(), sectile_chunk::Error>(())
//! ```
//!
//! # Which one to take
//!
//! | for | take | cuts at | default size |
//! |---|---|---|---|
//! | prose and Markdown, for search | [`SentenceChunker`] | sentences, list items, lines of code | 800 tokens, 15 % overlap |
//! | pieces of one size, for a model's window | [`TokenChunker`] | tokens | 512 tokens, 64 overlap |
//! | the chunks that `LangChain` makes | [`RecursiveCharacterTextSplitter`] | paragraphs, lines, words | 1000 characters, 200 overlap |
//! | parts of a document to read whole | [`sections`] | headings, as few as fit | 8192 tokens |
//! | every heading of a document | [`section_tree`] | headings | none |
//!
//! # What all of them keep to
//!
//! - Spans are true: in bytes, characters and lines, on character boundaries. The text of a chunk
//!   is borrowed; the one exception is [`KeepSeparator::None`].
//! - Chunks are made one at a time, on one way through the text, with no list of its lines,
//!   sentences or tokens: `chunks` collects what `iter` yields. A text that comes in parts makes
//!   the same chunks ([`Stream`]).
//! - Sections joined are the text, and so are sentence chunks without their overlap.
//! - Time is linear in the length of the text, for any text, and none makes them panic. (Only the
//!   search for cuts in one long sentence takes as many passes as it is halved.)
//! - Sizes are counted with a [`TokenCounter`], each piece once: [`Characters`], [`Heuristic`], or
//!   with the feature `tiktoken` the vocabularies `cl100k_base` and `o200k_base`, exactly.

#![forbid(unsafe_code)]

mod counter;
mod error;
mod markdown;
mod outline;
mod position;
mod recursive;
mod sections;
mod sentence;
mod stream;
mod stretch;
mod token;

#[cfg(feature = "tiktoken")]
pub use counter::Bpe;
#[cfg(feature = "hugging-face")]
pub use counter::HuggingFace;
pub use counter::{Characters, Heuristic, TokenCounter, Tokenizer, counter_fn};
pub use error::Error;
pub use markdown::{
    InvalidMarkdown, MarkdownChunk, MarkdownChunkMetadata, MarkdownChunker, MarkdownChunkerConfig,
    MarkdownChunks, MarkdownSection,
};
pub use outline::{front_matter, markdown_outline};
pub use recursive::{KeepSeparator, RecursiveCharacterTextSplitter};
pub use sections::{Oversize, SectionOptions, section_tree, sections};
pub use sentence::{LongSentences, SentenceChunker};
pub use stream::{Chunks, Stream};
pub use token::TokenChunker;
