//! Splits text into sections and chunks: splitters with exact spans, and exact token counters.
//!
//! ```
//! use sectile_chunk::{Characters, MarkdownChunker};
//!
//! let text = "# Guide\n\nRead me first.\n\n## Install\n\nRun it. Then restart.\n";
//! for chunk in MarkdownChunker::default().iter(text, &Characters) {
//!     let (lines, span) = (chunk.chunk.lines, chunk.chunk.span);
//!     assert_eq!(chunk.chunk.text, span.of(text));
//!     assert!(lines.first < lines.last);
//! }
//! ```
//!
//! # Which one to take
//!
//! | for | take | cuts at | default size |
//! |---|---|---|---|
//! | Markdown, for search and for models | [`MarkdownChunker`] | headings, then blocks and sentences | 1024 tokens, 200 overlap |
//! | prose, for search | [`SentenceChunker`] | sentences, list items, lines of code | 800 tokens, 15 % overlap |
//! | pieces of one size, for a model's window | [`TokenChunker`] | tokens | 512 tokens, 64 overlap |
//! | the chunks that `LangChain` makes | [`RecursiveCharacterTextSplitter`] | paragraphs, lines, words | 1000 characters, 200 overlap |
//! | parts of a document to read whole | [`sections`] | headings, as few as fit | 8192 tokens |
//! | every heading of a document | [`section_tree`] | headings | none |
//!
//! The same text, cut five ways into chunks of up to 300 characters with up to 60 of overlap. Chunks
//! take turns in two columns: a line with a mark in both is in two chunks.
//!
#![doc = include_str!("../docs/picture.md")]
//!
//! The recursive splitter begins and ends anywhere between lines, and cut the table in two. The
//! Markdown chunker kept the table and the code whole and each section apart. The sentence chunker
//! filled its chunks best, across headings. Windows of tokens (here of characters) are all of one
//! size, and end in the middle of words. Sections do not overlap: joined, they are the text.
//!
//! # One example each
//!
//! Whole sections where they fit, with the headings around them in the metadata:
//!
//! ```
//! use sectile_chunk::{Heuristic, MarkdownChunker, MarkdownChunkerConfig};
//!
//! let config = MarkdownChunkerConfig { max_chunk_size: 300, chunk_overlap: 40, ..Default::default() };
//! let chunks = MarkdownChunker::new(config)?.chunks("# A\n\n## B\n\nText.\n\n## C\n", &Heuristic);
//! assert_eq!(chunks[0].metadata.header_hierarchy["h2"], "B");
//! # Ok::<(), sectile_chunk::Error>(())
//! ```
//!
//! Whole sentences, each chunk beginning with the last ones of the chunk before:
//!
//! ```
//! use sectile_chunk::{Heuristic, SentenceChunker};
//!
//! let chunks = SentenceChunker::new(5)?.chunks("Run it. Then restart. Dr. Ada knows.", &Heuristic);
//! assert_eq!(chunks[1].text, "Then restart. ");
//! # Ok::<(), sectile_chunk::Error>(())
//! ```
//!
//! Windows of exact tokens; here every character is one:
//!
//! ```
//! use sectile_chunk::{Characters, TokenChunker};
//!
//! let windows = TokenChunker::new(4, 1)?.with_min_tokens(1);
//! let chunks = windows.chunks("abcdefg", &Characters);
//! assert_eq!((&*chunks[0].text, &*chunks[1].text), ("abcd", "defg"));
//! # Ok::<(), sectile_chunk::Error>(())
//! ```
//!
//! `LangChain`'s recursion over separators, chunk by chunk the same:
//!
//! ```
//! use sectile_chunk::RecursiveCharacterTextSplitter;
//!
//! let splitter = RecursiveCharacterTextSplitter::new(12, 0)?;
//! let chunks = splitter.chunks("One two three.\n\nFour.");
//! assert_eq!(chunks[2].text, "Four.");
//! # Ok::<(), sectile_chunk::Error>(())
//! ```
//!
//! Subtrees that fit a budget, from any outline:
//!
//! ```
//! use sectile_chunk::{Heuristic, SectionOptions, markdown_outline, sections};
//!
//! let text = "# Guide\n\n## Install\n\nRun the installer.\n\n## Use\n\nCall it.\n";
//! let options = SectionOptions::default().with_max_tokens(12);
//! let tree = sections("guide.md", text, &markdown_outline(text), &options, &Heuristic)?;
//! assert_eq!(tree.heading_path(1), ["Guide", "Install"]);
//! # Ok::<(), sectile_chunk::Error>(())
//! ```
//!
//! `LangChain`'s others: [`CharacterTextSplitter`] cuts at one separator, [`TokenChunker::langchain`] makes windows of
//! tokens, and [`MarkdownHeaderTextSplitter`] cuts Markdown at headings. Its splitter for JSON is `RecursiveJsonSplitter` (feature `json`), that for web pages
//! `HtmlHeaderTextSplitter` in `sectile-load`. Both give pieces of what was read, not spans of a text.
//!
//! # What overlap means
//!
//! A thought that is cut in two is in neither chunk; overlap repeats the end of a chunk at the
//! beginning of the next one. It is a limit and not a promise: the recursive splitter repeats whole
//! pieces and none where it had to cut one finer, the sentence and Markdown chunkers whole
//! sentences and never so many that the next one would not fit, and only windows of tokens repeat
//! exactly what was asked for. No chunk is the beginning of the next. Spans say what is repeated:
//! where the next chunk's span begins before this one's ends.
//!
//! # What a token count costs
//!
//! Counting tokens takes longer than everything else. On one core of a shared virtual machine:
//!
//! | counter | MB/s |
//! |---|---|
//! | [`Characters`], [`Heuristic`] | thousands |
//! | `Bpe` (feature `tiktoken`), `cl100k_base` and `o200k_base` | 50 to 100 |
//! | `HuggingFace` (feature `hugging-face`) | 1 to 2 |
//!
//! So each piece of text is counted once (at the edges of Markdown chunks twice), and a chunk's size
//! is the sum over its pieces. The estimate of [`Heuristic`] is free and off by 9.5 % on average,
//! and up to 2.8 times too low: take it where a limit is a wish.
//!
//! # What all of them keep to
//!
//! - Spans are true: in bytes, characters and lines, on character boundaries, counted on the way
//!   and never searched for. The text of a chunk is borrowed, but for [`KeepSeparator::None`], a
//!   table header that is repeated and a heading path on request.
//! - Sections joined are the text, and so are sentence and Markdown chunks without their overlap.
//! - No chunk is over its size, except a single character that is, and sentences that are kept whole
//!   on request ([`LongSentences::Keep`]): their `tokens` say so.
//! - Time is linear in the length of the text, for any text, and none makes them panic. (A word of a
//!   megabyte costs a tokenizer more than a text of that length, and the search for cuts in one long
//!   sentence takes as many passes as it is halved.)
//! - `iter` makes chunks one at a time: beyond the text, memory is what one chunk needs (for Markdown
//!   also the outline; its stream holds a section instead). `stream` takes a text in parts, for texts larger than memory:
//!
//! ```
//! use sectile_chunk::{Characters, SentenceChunker};
//!
//! let mut stream = SentenceChunker::new(20)?.stream(&Characters);
//! let mut chunks = stream.push("It rained all day. We st");
//! chunks.extend(stream.push("ayed inside. Then the sun came."));
//! chunks.extend(stream.finish());
//! assert_eq!(chunks[0].text, "It rained all day. ");
//! assert_eq!(chunks[1].text, "We stayed inside. ");
//! # Ok::<(), sectile_chunk::Error>(())
//! ```

#![forbid(unsafe_code)]

mod counter;
mod error;
mod heading_paths;
#[cfg(feature = "json")]
mod json;
mod line_run;
mod markdown;
mod markup_tables;
mod mdx;
mod outline;
mod position;
mod recursive;
mod sections;
mod sentence;
mod source;
mod start_index;
mod stream;
mod token;

#[cfg(feature = "tiktoken")]
pub use counter::Bpe;
#[cfg(feature = "hugging-face")]
pub use counter::HuggingFace;
pub use counter::{Characters, Heuristic, TokenCounter, Tokenizer, counter_fn};
pub use error::Error;
pub use heading_paths::HeadingPaths;
#[cfg(feature = "json")]
pub use json::RecursiveJsonSplitter;
pub use line_run::with_newlines;
pub use markdown::{
    HeaderPart, InvalidMarkdown, MarkdownChunk, MarkdownChunkMetadata, MarkdownChunker,
    MarkdownChunkerConfig, MarkdownChunks, MarkdownHeaderTextSplitter, MarkdownSection,
    MarkdownStream, Table, tables,
};
pub use markup_tables::markup_tables;
pub use outline::{LinkDefinitions, UnclosedFence, front_matter, markdown_outline, mdx_outline};
pub use recursive::{
    CharacterTextSplitter, KeepSeparator, Language, RecursiveCharacterTextSplitter,
};
pub use sections::{Oversize, SectionOptions, section_tree, sections};
pub use sentence::{LongSentences, SentenceChunker};
pub use start_index::langchain_start_indices;
pub use stream::{Chunks, Stream};
pub use token::TokenChunker;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
