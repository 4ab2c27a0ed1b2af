//! Chunks of Markdown that know their headings.

use std::borrow::Cow;

use sectile_core::{Chunk, Heading};

use crate::position::Positions;
use crate::{Error, TokenCounter, markdown_outline};

mod chunks;
mod header_splitter;
mod headings;
mod invalid;
mod metadata;
mod packer;
mod pieces;
mod section;
mod stream;
mod tables;

pub use chunks::MarkdownChunks;
pub use header_splitter::{HeaderPart, MarkdownHeaderTextSplitter};
use headings::Headings;
pub use invalid::InvalidMarkdown;
pub use metadata::MarkdownChunkMetadata;
use pieces::Cutter;
pub use section::MarkdownSection;
pub use stream::MarkdownStream;
#[cfg(test)]
pub(crate) use tables::check_tables;
pub(crate) use tables::names;
pub use tables::{Table, tables};

/// The settings of [`MarkdownChunker`].
///
/// ```
/// use sectile_chunk::{MarkdownChunker, MarkdownChunkerConfig};
///
/// let config = MarkdownChunkerConfig { max_chunk_size: 512, chunk_overlap: 64, ..Default::default() };
/// assert!(MarkdownChunker::new(config).is_ok());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkdownChunkerConfig {
    /// The largest chunk in tokens; 1024 by default.
    pub max_chunk_size: usize,
    /// The largest overlap, in tokens, between chunks that are cut at sentences; 200 by default.
    pub chunk_overlap: usize,
    /// The minimum number of headings for a text to be cut at them; 2 by default. A text with fewer
    /// is one section without a header. Its chunks still have the heading above their beginning in
    /// their [path](Chunk::heading_path).
    pub min_headers_threshold: usize,
    /// Whether a chunk begins with the heading of its section; true by default.
    pub include_header_in_chunk: bool,
    /// Whether the metadata names the headings around a section; true by default.
    pub preserve_hierarchy: bool,
    /// The markers of the headings to cut at and the names of their levels in the metadata; `#` to
    /// `######`, named `h1` to `h6`, by default.
    pub headers_to_split_on: Vec<(String, String)>,
    /// The largest header in the metadata, in characters; longer ones are cut off. 200 by default.
    pub max_header_length: usize,
    /// The size in tokens below which a section is merged with its neighbours under the same
    /// parent, as long as the result fits into a chunk. By default 0, which disables merging.
    pub merge_below: usize,
    /// Whether the text of a chunk begins with a line of the headings around it, `A > B`; false by
    /// default. The line is left out if the chunk has no room for it.
    pub heading_path_in_text: bool,
}

impl Default for MarkdownChunkerConfig {
    fn default() -> Self {
        let level = |level: usize| ("#".repeat(level), format!("h{level}"));
        Self {
            max_chunk_size: 1024,
            chunk_overlap: 200,
            min_headers_threshold: 2,
            include_header_in_chunk: true,
            preserve_hierarchy: true,
            headers_to_split_on: (1..=6).map(level).collect(),
            max_header_length: 200,
            merge_below: 0,
            heading_path_in_text: false,
        }
    }
}

/// Cuts Markdown at its headings, and large sections at sentences.
///
/// A section that fits is one chunk. The blocks and sentences of a larger section are packed into
/// chunks, each beginning with the last sentences of the chunk before, up to the overlap. So are
/// those of a text with [too few headings](MarkdownChunkerConfig::min_headers_threshold). Text before
/// the first heading is a section without one.
///
/// - A code fence or table that fits is in one chunk. A larger fence is cut at its lines. A larger
///   table is cut at its rows, and its header is repeated: then the text of a chunk begins with the
///   header, and its span is that of the rows.
/// - A heading is in one chunk with what follows it: a section with nothing but a heading is part
///   of its first subsection. (A heading is alone only before a fence, table or line that fills a
///   whole chunk, or where no text follows it.)
/// - Sizes are sums over blocks or sentences, each counted alone, but for a short section that is
///   one chunk.
/// - Chunks without their overlap, joined, are the text, if
///   [`include_header_in_chunk`](MarkdownChunkerConfig::include_header_in_chunk) is set and nothing
///   is added to the text.
///
/// ```
/// use sectile_chunk::{Heuristic, MarkdownChunker};
///
/// let text = "# Guide\n\n## Install\n\nRun it.\n\n## Use\n\nCall it.\n";
/// let chunks = MarkdownChunker::default().chunks(text, &Heuristic);
/// assert_eq!(chunks[0].chunk.text, "# Guide\n\n## Install\n\nRun it.\n\n");
/// let metadata = &chunks[1].metadata;
/// assert_eq!(metadata.section_header.as_deref(), Some("## Use"));
/// assert_eq!(metadata.header_hierarchy["h1"], "Guide");
/// assert!(metadata.is_header_split);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkdownChunker {
    config: MarkdownChunkerConfig,
    /// The names of the levels 1 to 6 to cut at.
    levels: [Option<String>; 6],
    is_source: bool,
}

impl Default for MarkdownChunker {
    fn default() -> Self {
        Self::new(MarkdownChunkerConfig::default()).expect("the default configuration is valid")
    }
}

/// A chunk of Markdown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkdownChunk<'a> {
    /// The text of the chunk and its position.
    pub chunk: Chunk<'a>,
    /// The metadata of its section.
    pub metadata: MarkdownChunkMetadata,
}

impl MarkdownChunker {
    /// Makes a chunker.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidConfig`] if the size is 0, the overlap is not smaller than the size, or a
    /// marker is not one to six `#` or occurs twice.
    pub fn new(config: MarkdownChunkerConfig) -> Result<Self, Error> {
        let MarkdownChunkerConfig {
            max_chunk_size: size,
            chunk_overlap: overlap,
            ..
        } = config;
        if size == 0 {
            return Err(Error::config("max_chunk_size", "must be at least 1, not 0"));
        }
        if overlap >= size {
            let reason = format!("must be smaller than a chunk of {size}, not {overlap}");
            return Err(Error::config("chunk_overlap", reason));
        }
        let levels = levels(&config.headers_to_split_on)?;
        Ok(Self {
            config,
            levels,
            is_source: false,
        })
    }

    /// Sets whether texts are source code, which is cut at blank lines, or else at line ends. It is
    /// not parsed as Markdown: its headings are those that [`iter_along`](Self::iter_along) is
    /// given. A [`stream`](Self::stream) is always Markdown.
    ///
    /// ```
    /// use sectile_chunk::{Characters, MarkdownChunker, MarkdownChunkerConfig};
    ///
    /// let text = "# Adds. Twice.\na += b\n\n# Shows. Once.\nprint(a)\n";
    /// let config = MarkdownChunkerConfig { max_chunk_size: 30, chunk_overlap: 0, ..Default::default() };
    /// let chunker = MarkdownChunker::new(config)?.with_source_code(true);
    /// let chunks = chunker.chunks(text, &Characters);
    /// assert_eq!(chunks[1].chunk.text, "# Shows. Once.\nprint(a)\n");
    /// assert_eq!(chunks[1].chunk.heading_path, None);
    /// # Ok::<(), sectile_chunk::Error>(())
    /// ```
    #[must_use]
    pub fn with_source_code(mut self, is_source: bool) -> Self {
        self.is_source = is_source;
        self
    }

    /// Returns the sections of `text`, with their sizes. Text before the first heading is not in
    /// any section.
    pub fn sections<'a>(
        &self,
        text: &'a str,
        counter: &dyn TokenCounter,
    ) -> Vec<MarkdownSection<'a>> {
        let headings = self.headings(text);
        let cutter = self.cutter(text, counter);
        let mut positions = Positions::default();
        let section = |at: usize| {
            let span = headings.section(at, text);
            let lines = positions.lines(text, span);
            let mut path = headings
                .path(at)
                .into_iter()
                .map(|above| section::header(text, above));
            let header = path.next_back().unwrap_or_default();
            let mut token_count = 0;
            cutter.each(span, headings.within(span), &mut |piece| {
                token_count += piece.tokens;
            });
            MarkdownSection {
                header,
                header_text: headings.get(at).title.clone(),
                level: headings.get(at).level,
                content: Cow::Borrowed(span.of(text)),
                start_line: lines.first - 1,
                end_line: lines.last,
                parent_headers: path.collect(),
                token_count,
            }
        };
        (0..headings.len()).map(section).collect()
    }

    /// Cuts `text` into chunks measured with `counter`.
    pub fn chunks<'a>(&self, text: &'a str, counter: &dyn TokenCounter) -> Vec<MarkdownChunk<'a>> {
        self.iter(text, counter).collect()
    }

    /// Cuts `text` as [`chunks`](Self::chunks) does, lazily, one section at a time.
    pub fn iter<'c, 'a>(
        &'c self,
        text: &'a str,
        counter: &'c dyn TokenCounter,
    ) -> MarkdownChunks<'c, 'a> {
        self.iter_headings(text, self.headings(text), counter)
    }

    /// Cuts a text that is not Markdown, such as LaTeX, as [`iter`](Self::iter) does, at the headings
    /// of its `outline`.
    ///
    /// ```
    /// use sectile_chunk::{Heuristic, MarkdownChunker};
    /// use sectile_core::{Heading, Span};
    ///
    /// let text = "Guide\n=====\n\n# no heading\n\nUse\n---\n\nCall it.\n";
    /// let heading = |level, title: &str, start, end| Heading {
    ///     level,
    ///     title: title.into(),
    ///     span: Span::new(start, end),
    /// };
    /// let outline = [heading(1, "Guide", 0, 12), heading(2, "Use", 27, 35)];
    /// let chunker = MarkdownChunker::default();
    /// let chunks: Vec<_> = chunker.iter_along(text, &outline, &Heuristic).collect();
    /// assert_eq!(chunks[1].chunk.text, "Use\n---\n\nCall it.\n");
    /// assert_eq!(chunks[1].metadata.section_header.as_deref(), Some("## Use"));
    /// ```
    pub fn iter_along<'c, 'a>(
        &'c self,
        text: &'a str,
        outline: &[Heading],
        counter: &'c dyn TokenCounter,
    ) -> MarkdownChunks<'c, 'a> {
        let outline = headings::apart(text, outline);
        let headings = Headings::new(outline, 0, |level| self.cuts_at(level));
        self.iter_headings(text, headings, counter)
    }

    fn iter_headings<'c, 'a>(
        &'c self,
        text: &'a str,
        headings: Headings,
        counter: &'c dyn TokenCounter,
    ) -> MarkdownChunks<'c, 'a> {
        let is_sectioned = headings.len() >= self.config.min_headers_threshold.max(1);
        MarkdownChunks::new(self, text, counter, headings, is_sectioned)
    }

    /// Cuts a text that arrives in parts.
    ///
    /// It keeps one section in memory, because each chunk has the number of chunks of its section,
    /// and the last part. It keeps the whole text until it has enough headings to cut at, and
    /// everything after a vertical tab or form feed.
    pub fn stream<'s>(&self, counter: &'s dyn TokenCounter) -> MarkdownStream<'s> {
        MarkdownStream::new(self.clone().with_source_code(false), counter)
    }

    fn headings(&self, text: &str) -> Headings {
        let outline = if self.is_source {
            Vec::new()
        } else {
            markdown_outline(text)
        };
        self.headings_to_cut_at(outline, 0)
    }

    fn headings_to_cut_at(&self, outline: Vec<Heading>, above: usize) -> Headings {
        Headings::new(outline, above, |level| self.cuts_at(level))
    }

    fn cuts_at(&self, level: u8) -> bool {
        self.levels[usize::from(level) - 1].is_some()
    }

    fn cutter<'c, 'a>(&self, text: &'a str, counter: &'c dyn TokenCounter) -> Cutter<'c, 'a> {
        Cutter {
            text,
            counter,
            max_tokens: self.config.max_chunk_size,
            is_source: self.is_source,
        }
    }
}

/// Reads the markers to cut at.
fn levels(headers: &[(String, String)]) -> Result<[Option<String>; 6], Error> {
    let mut levels = [const { None }; 6];
    for (marker, name) in headers {
        let is_marker = !marker.is_empty() && marker.bytes().all(|byte| byte == b'#');
        let level = levels
            .get_mut(marker.len().wrapping_sub(1))
            .filter(|_| is_marker);
        let Some(level) = level else {
            let reason = format!("must have markers of one to six #, not `{marker}`");
            return Err(Error::config("headers_to_split_on", reason));
        };
        if level.replace(name.clone()).is_some() {
            let reason = format!("must have each marker once, not `{marker}` twice");
            return Err(Error::config("headers_to_split_on", reason));
        }
    }
    Ok(levels)
}
