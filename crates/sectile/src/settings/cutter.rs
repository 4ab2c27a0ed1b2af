//! Cuts texts with settings that were checked.

use std::fmt;
use std::sync::Arc;

use sectile_chunk::{
    HeadingPaths, LinkDefinitions, MarkdownChunk, MarkdownChunkMetadata, MarkdownChunker,
    MarkdownStream, RecursiveCharacterTextSplitter, SectionOptions, SentenceChunker, Stream,
    TokenChunker, Tokenizer, sections,
};
use sectile_core::{Chunk, Format, Heading, SectionTree, Span};

use crate::{Error, Result};

/// A chunk, with the section metadata of the strategy `markdown`.
#[derive(Clone, Debug)]
pub struct CutChunk<'a> {
    /// The chunk.
    pub chunk: Chunk<'a>,
    /// The section of the chunk, if the strategy is `markdown`.
    pub markdown: Option<MarkdownChunkMetadata>,
}

/// A chunker with checked settings.
#[derive(Clone)]
#[non_exhaustive]
pub enum Cutter {
    /// The strategy [`Recursive`](super::Strategy::Recursive).
    Recursive(RecursiveCharacterTextSplitter),
    /// The strategy [`Markdown`](super::Strategy::Markdown), with its counter.
    Markdown(MarkdownChunker, Arc<dyn Tokenizer>),
    /// The strategy [`Sentence`](super::Strategy::Sentence), with its counter.
    Sentence(SentenceChunker, Arc<dyn Tokenizer>),
    /// The strategy [`Token`](super::Strategy::Token), with its counter.
    Token(TokenChunker, Arc<dyn Tokenizer>),
    /// The strategy [`Sections`](super::Strategy::Sections), with its counter.
    Sections(SectionOptions, Arc<dyn Tokenizer>),
}

impl fmt::Debug for Cutter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Cutter").finish_non_exhaustive()
    }
}

impl Cutter {
    /// Cuts a text. `source` is the path or URI of its document, `outline` its headings, which the strategies
    /// `markdown` and `sections` cut at, and which are the heading paths of the others. Where these strategies and
    /// `sentence` look for sentences, source code is cut at blank lines and line ends instead.
    ///
    /// # Errors
    ///
    /// [`Error::Settings`] when the text cannot be cut with these settings.
    pub fn chunks<'a>(
        &self,
        source: &str,
        text: &'a str,
        format: Format,
        outline: &[Heading],
    ) -> Result<Vec<CutChunk<'a>>> {
        let is_code = format == Format::Code;
        let chunks = match self {
            Self::Recursive(splitter) => splitter.chunks(text),
            Self::Markdown(chunker, counter) => {
                let chunker = chunker.clone().with_source_code(is_code);
                // The outline of Markdown is known, and in MDX and plain text only the loader can tell it.
                let is_known =
                    matches!(format, Format::Markdown | Format::Text) && !outline.is_empty();
                let chunks = if is_known || format.is_outlined() {
                    chunker.iter_along(text, outline, counter)
                } else {
                    chunker.iter(text, counter)
                };
                return Ok(chunks.map(of_section).collect());
            }
            Self::Sentence(chunker, counter) => {
                let chunker = chunker.with_source_code(is_code);
                chunker.chunks(text, counter)
            }
            Self::Token(chunker, counter) => chunker.chunks(text, &**counter),
            Self::Sections(options, counter) => {
                let options = options.with_source_code(is_code);
                let tree = sections(source, text, outline, &options, counter);
                let chunks = section_chunks(&tree.map_err(Error::Settings)?, text, counter);
                return Ok(chunks.into_iter().map(plain).collect());
            }
        };
        let mut paths = HeadingPaths::new(outline.iter().cloned());
        let below_headings = |mut chunk| {
            paths.set(&mut chunk);
            plain(chunk)
        };
        Ok(chunks.into_iter().map(below_headings).collect())
    }

    /// Cuts a text that arrives in parts. Returns `None` for strategies that need the whole text.
    pub fn stream(&self) -> Option<CutStream<'_>> {
        let stream = match self {
            Self::Recursive(splitter) => splitter.stream(),
            Self::Sentence(chunker, counter) => chunker.stream(counter),
            Self::Token(chunker, counter) => chunker.stream(&**counter),
            Self::Markdown(chunker, counter) => {
                let stream = chunker.stream(counter);
                return Some(CutStream(Parts::Markdown(Box::new(stream))));
            }
            Self::Sections(..) => return None,
        };
        Some(CutStream(Parts::Plain(Box::new(stream))))
    }
}

/// The chunks of a text that arrives in parts; see [`Cutter::stream`].
#[derive(Debug)]
pub struct CutStream<'s>(Parts<'s>);

#[derive(Debug)]
enum Parts<'s> {
    Plain(Box<Stream<'s>>),
    Markdown(Box<MarkdownStream<'s>>),
}

impl<'s> CutStream<'s> {
    /// Takes the text for Markdown: chunks have heading paths. `find` finds the link definitions of the whole text; see
    /// [`Stream::with_headings`].
    #[must_use]
    pub fn of_markdown(self, find: impl FnOnce() -> LinkDefinitions + Send + 's) -> Self {
        Self(match self.0 {
            Parts::Markdown(stream) => Parts::Markdown(Box::new(stream.with_definitions(find))),
            Parts::Plain(stream) => Parts::Plain(Box::new(stream.with_headings(find))),
        })
    }

    /// Adds `part` to the text and passes on the chunks that are complete now. It stops at the
    /// first error; the text cannot continue after it.
    ///
    /// # Errors
    ///
    /// That of `take`.
    pub fn try_push<E>(
        &mut self,
        part: &str,
        mut take: impl FnMut(CutChunk<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        match &mut self.0 {
            Parts::Plain(stream) => stream.try_push(part, |chunk| take(plain(chunk))),
            Parts::Markdown(stream) => stream.try_push(part, |chunk| take(of_section(chunk))),
        }
    }

    /// Ends the text and passes on the remaining chunks.
    ///
    /// # Errors
    ///
    /// That of `take`.
    pub fn try_finish<E>(
        self,
        mut take: impl FnMut(CutChunk<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        match self.0 {
            Parts::Plain(stream) => stream.try_finish(|chunk| take(plain(chunk))),
            Parts::Markdown(stream) => stream.try_finish(|chunk| take(of_section(chunk))),
        }
    }
}

const fn plain(chunk: Chunk<'_>) -> CutChunk<'_> {
    CutChunk {
        chunk,
        markdown: None,
    }
}

fn of_section(chunk: MarkdownChunk<'_>) -> CutChunk<'_> {
    CutChunk {
        chunk: chunk.chunk,
        markdown: Some(chunk.metadata),
    }
}

/// Makes a chunk of each section of a tree that is more than white space.
fn section_chunks<'a>(
    tree: &SectionTree,
    text: &'a str,
    counter: &Arc<dyn Tokenizer>,
) -> Vec<Chunk<'a>> {
    let mut characters = 0;
    let mut chunks = Vec::new();
    for (position, section) in tree.sections.iter().enumerate() {
        let text = section.span.of(text);
        let start = characters;
        characters += text.chars().count();
        if text.trim().is_empty() {
            continue;
        }
        let path = tree.heading_path(position).into_iter().map(str::to_owned);
        let path: Arc<[String]> = path.collect();
        chunks.push(Chunk {
            index: chunks.len(),
            text: text.into(),
            span: section.span,
            chars: Span::new(start, characters),
            lines: section.lines,
            tokens: Some(counter.count(text)),
            heading_path: (!path.is_empty()).then_some(path),
        });
    }
    chunks
}
