//! Chunks of Markdown that know their headings.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;

use sectile_core::{Chunk, Heading, Span};

use crate::position::{Positions, position};
use crate::source::Source;
use crate::{Error, TokenCounter, markdown_outline};

mod header_splitter;
mod headings;
mod invalid;
mod metadata;
mod packer;
mod pieces;
mod section;
mod stream;
mod tables;

pub use header_splitter::{HeaderPart, MarkdownHeaderTextSplitter};
use headings::{Headings, Part};
pub use invalid::InvalidMarkdown;
pub use metadata::MarkdownChunkMetadata;
use packer::{Cut, Packer};
use pieces::Cutter;
pub use section::MarkdownSection;
pub use stream::MarkdownStream;
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

/// A part of a text, cut.
#[derive(Debug)]
struct CutPart {
    part: Part,
    cuts: Vec<Cut>,
    /// The line of headings to put before the chunks, and its size.
    path: Option<(String, usize)>,
}

/// The chunks of a text, made one section at a time; see [`MarkdownChunker::iter`].
pub struct MarkdownChunks<'c, 'a> {
    chunker: &'c MarkdownChunker,
    cutter: Cutter<'c, 'a>,
    headings: Headings,
    /// Whether the text is cut at its headings.
    is_sectioned: bool,
    parts: std::vec::IntoIter<Part>,
    /// A part that was cut to see whether it can be merged with the one before.
    next: Option<CutPart>,
    positions: Positions,
    /// The number of chunks so far.
    count: usize,
    /// The chunks of the part that was cut last.
    ready: VecDeque<MarkdownChunk<'a>>,
    /// The first part of an incomplete text that later text may change.
    uncertain: Option<Part>,
}

impl<'a> Iterator for MarkdownChunks<'_, 'a> {
    type Item = MarkdownChunk<'a>;

    fn next(&mut self) -> Option<MarkdownChunk<'a>> {
        while self.ready.is_empty() {
            let part = self.merged_part()?;
            self.write(&part);
        }
        self.ready.pop_front()
    }
}

impl<'c, 'a> MarkdownChunks<'c, 'a> {
    fn new(
        chunker: &'c MarkdownChunker,
        text: &'a str,
        counter: &'c dyn TokenCounter,
        headings: Headings,
        is_sectioned: bool,
    ) -> Self {
        let parts = match (is_sectioned, chunker.config.include_header_in_chunk) {
            (true, true) => headings.parts(text),
            (true, false) => headings.bodies(text),
            (false, _) if text.is_empty() => Vec::new(),
            (false, _) => vec![Part {
                heading: None,
                span: Span::new(0, text.len()),
            }],
        };
        Self {
            chunker,
            cutter: chunker.cutter(text, counter),
            headings,
            is_sectioned,
            parts: parts.into_iter(),
            next: None,
            positions: Positions::default(),
            count: 0,
            ready: VecDeque::new(),
            uncertain: None,
        }
    }

    /// Leaves out parts that later text may change.
    fn of_what_is_certain(mut self) -> Self {
        self.uncertain = self.parts.next_back();
        self
    }

    /// Returns where what was left out begins, of a text with headings.
    fn uncertain_from(&self) -> usize {
        self.uncertain.map_or(0, |part| match part.heading {
            Some(at) => self.headings.get(at).span.start.min(part.span.start),
            None => part.span.start,
        })
    }

    /// Cuts the next part, and merges it with those after it as the configuration says.
    fn merged_part(&mut self) -> Option<CutPart> {
        let mut part = self.next.take().or_else(|| self.cut_part())?;
        if self.chunker.config.merge_below > 0 {
            while let Some(next) = self.cut_part() {
                if !self.merge(&mut part, &next) {
                    self.next = Some(next);
                    return Some(part);
                }
            }
            if self.uncertain.is_some() {
                self.uncertain = Some(part.part);
                return None;
            }
        }
        Some(part)
    }

    fn cut_part(&mut self) -> Option<CutPart> {
        let part = self.parts.next()?;
        let config = &self.chunker.config;
        let path = part.heading.filter(|_| config.heading_path_in_text);
        let path = path.map(|heading| self.headings.titles(heading).join(" > ") + "\n\n");
        let path = path.map(|path| (self.cutter.counter.count(&path), path));
        // A path that takes more than half a chunk says less than the text that it displaces.
        let path = path.filter(|&(tokens, _)| tokens <= config.max_chunk_size / 2);
        let limit = config.max_chunk_size - path.as_ref().map_or(0, |&(tokens, _)| tokens);
        let cuts = self.short_part(part, limit).unwrap_or_else(|| {
            let mut packer = Packer::new(self.cutter, limit, config.chunk_overlap);
            let headings = self.headings.within(part.span);
            self.cutter
                .each(part.span, headings, &mut |piece| packer.add(piece));
            packer.finish()
        });
        let path = path.map(|(tokens, path)| (path, tokens));
        Some(CutPart { part, cuts, path })
    }

    /// Makes a part one chunk if it is short enough to be counted whole, and fits.
    ///
    /// Few texts have less than two bytes to a token, so nearly nothing is counted twice.
    fn short_part(&self, part: Part, limit: usize) -> Option<Vec<Cut>> {
        let is_short = part.span.len() / 2 <= limit;
        let tokens = is_short.then(|| self.cutter.count(part.span))?;
        let cut = Cut {
            span: part.span,
            tokens,
            table_header: None,
        };
        (tokens <= limit).then(|| vec![cut])
    }

    /// Takes `next` into `part` if the two are small neighbours under one parent.
    fn merge(&self, part: &mut CutPart, next: &CutPart) -> bool {
        let config = &self.chunker.config;
        let parent = |part: Part| part.heading.map(|at| self.headings.parent(at));
        let ([first], [second]) = (part.cuts.as_mut_slice(), next.cuts.as_slice()) else {
            return false;
        };
        let path = part.path.as_ref().map_or(0, |&(_, tokens)| tokens);
        let tokens = first.tokens + second.tokens;
        let is_small = first.tokens.min(second.tokens) < config.merge_below;
        let fits = tokens + path <= config.max_chunk_size;
        let is_adjacent = first.span.end == second.span.start;
        let are_siblings = part.part.heading.is_some() && parent(part.part) == parent(next.part);
        if !(is_small && fits && is_adjacent && are_siblings) {
            return false;
        }
        first.span.end = second.span.end;
        first.tokens = tokens;
        true
    }

    /// Makes the chunks of a part.
    fn write(&mut self, part: &CutPart) {
        let metadata = self.metadata(part);
        let path = part
            .part
            .heading
            .map(|heading| self.headings.titles(heading));
        // The last chunk takes both without a copy.
        let metadata = std::iter::repeat_n(metadata, part.cuts.len());
        let paths = std::iter::repeat_n(path, part.cuts.len());
        for (index, ((cut, metadata), heading_path)) in
            part.cuts.iter().zip(metadata).zip(paths).enumerate()
        {
            let source = Source::whole(self.cutter.text);
            let (start, end) = self.positions.places(source, cut.span);
            let (chars, lines) = position(start, end, source.ends_line(cut.span));
            let (text, tokens) = self.text(cut, part);
            let chunk = Chunk {
                index: self.count,
                text,
                span: cut.span,
                chars,
                lines,
                tokens: Some(tokens),
                heading_path: heading_path.or_else(|| self.path_over(cut.span)),
            };
            let metadata = MarkdownChunkMetadata {
                chunk_index: index,
                ..metadata
            };
            self.ready.push_back(MarkdownChunk { chunk, metadata });
            self.count += 1;
        }
    }

    /// Returns the headings over the beginning of a chunk, of a text that is not cut at headings.
    fn path_over(&self, span: Span) -> Option<Arc<[String]>> {
        if self.is_sectioned {
            return None;
        }
        let text = span.of(self.cutter.text);
        let blank = text.len() - text.trim_start().len();
        let heading = self.headings.over(span.start + blank)?;
        Some(self.headings.titles(heading))
    }

    /// Returns the text of a chunk and its size.
    fn text(&self, cut: &Cut, part: &CutPart) -> (Cow<'a, str>, usize) {
        let max_tokens = self.chunker.config.max_chunk_size;
        let path = part
            .path
            .as_ref()
            .filter(|(_, tokens)| cut.tokens + tokens <= max_tokens);
        let (path, path_tokens) = path.map_or(("", 0), |(path, tokens)| (path, *tokens));
        let header = cut
            .table_header
            .map_or("", |header| header.of(self.cutter.text));
        let source = cut.span.of(self.cutter.text);
        let text = match (path, header) {
            ("", "") => Cow::Borrowed(source),
            _ => Cow::Owned([path, header, source].concat()),
        };
        (text, cut.tokens + path_tokens)
    }

    /// Returns what the chunks of a part say of their section.
    fn metadata(&self, part: &CutPart) -> MarkdownChunkMetadata {
        let config = &self.chunker.config;
        let short = |header: &str| first_characters(header, config.max_header_length).to_string();
        let name = |level: u8| self.chunker.levels[usize::from(level) - 1].clone();
        let heading = part.part.heading;
        let path = heading.map_or_else(Vec::new, |heading| self.headings.path(heading));
        let own = path.last().copied();
        let hierarchy = path.iter().filter(|_| config.preserve_hierarchy);
        let hierarchy =
            hierarchy.filter_map(|above| Some((name(above.level)?, short(&above.title))));
        MarkdownChunkMetadata {
            section_header: own.map(|own| short(&section::header(self.cutter.text, own))),
            header_level: own.map(|own| own.level),
            header_hierarchy: hierarchy.collect(),
            is_header_split: self.is_sectioned && part.cuts.len() == 1,
            total_section_chunks: part.cuts.len(),
            ..MarkdownChunkMetadata::default()
        }
    }
}

/// Returns the beginning of `text` up to a number of characters.
fn first_characters(text: &str, count: usize) -> &str {
    let end = text.char_indices().nth(count);
    end.map_or(text, |(end, _)| &text[..end])
}

impl std::fmt::Debug for MarkdownChunks<'_, '_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut debug = formatter.debug_struct("MarkdownChunks");
        debug.field("count", &self.count).finish_non_exhaustive()
    }
}
