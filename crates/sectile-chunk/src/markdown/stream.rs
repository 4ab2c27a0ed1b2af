//! Chunks of Markdown that comes in parts.

use std::convert::Infallible;
use std::fmt;

use sectile_core::{Chunk, Heading, Lines, Span};

use super::{MarkdownChunk, MarkdownChunker, MarkdownChunks};
use crate::TokenCounter;
use crate::outline::{LinkDefinitions, OutlineParts};
use crate::position::Place;

/// How many bytes are worth a try to cut them.
const WORTH_A_TRY: usize = 1 << 16;

/// The chunks of a Markdown text that arrives in parts; see [`MarkdownChunker::stream`].
///
/// They are the same as for the whole text, regardless of the boundaries of the parts.
///
/// ```
/// use sectile_chunk::{Heuristic, MarkdownChunker};
///
/// let mut stream = MarkdownChunker::default().stream(&Heuristic);
/// let mut chunks = Vec::new();
/// for part in ["# Gui", "de\n\nRead me.\n\n## In", "stall\n\nRun it.\n"] {
///     chunks.extend(stream.push(part));
/// }
/// chunks.extend(stream.finish());
/// assert_eq!(chunks[1].chunk.text, "## Install\n\nRun it.\n");
/// assert_eq!(chunks[1].metadata.header_hierarchy["h1"], "Guide");
/// ```
pub struct MarkdownStream<'s> {
    chunker: MarkdownChunker,
    counter: &'s dyn TokenCounter,
    outline: OutlineParts<'s>,
    /// The text that arrived and is not cut yet.
    text: String,
    /// Where `text` begins in the whole text.
    start: Place,
    /// The headings around the beginning of `text`.
    above: Vec<Heading>,
    /// The headings in `text`.
    headings: Vec<Heading>,
    is_sectioned: bool,
    /// The number of chunks so far.
    count: usize,
    /// How long `text` has to be to be cut again.
    cut_from: usize,
    worth_a_try: usize,
}

impl<'s> MarkdownStream<'s> {
    pub(super) fn new(chunker: MarkdownChunker, counter: &'s dyn TokenCounter) -> Self {
        Self {
            chunker,
            counter,
            outline: OutlineParts::default(),
            text: String::new(),
            start: Place::default(),
            above: Vec::new(),
            headings: Vec::new(),
            is_sectioned: false,
            count: 0,
            cut_from: WORTH_A_TRY,
            worth_a_try: WORTH_A_TRY,
        }
    }

    /// Sets a function that finds the link definitions of the whole text. It is called at the first
    /// heading with a reference, and passes the text through [`LinkDefinitions`]. Without it,
    /// references in headings stay as written.
    #[must_use]
    pub fn with_definitions(mut self, find: impl FnOnce() -> LinkDefinitions + Send + 's) -> Self {
        self.outline.set_definitions(Box::new(find));
        self
    }

    /// Adds `part` to the text and returns the chunks that are complete now.
    pub fn push(&mut self, part: &str) -> Vec<MarkdownChunk<'static>> {
        let mut chunks = Vec::new();
        let Ok(()) = self.try_push(part, collect(&mut chunks));
        chunks
    }

    /// Ends the text and returns the remaining chunks.
    pub fn finish(self) -> Vec<MarkdownChunk<'static>> {
        let mut chunks = Vec::new();
        let Ok(()) = self.try_finish(collect(&mut chunks));
        chunks
    }

    /// Adds `part` to the text and passes on the chunks that are complete now, with borrowed texts.
    /// It stops at the first error; the text cannot continue after it.
    ///
    /// # Errors
    ///
    /// That of `take`.
    pub fn try_push<E>(
        &mut self,
        part: &str,
        take: impl FnMut(MarkdownChunk<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.text.push_str(part);
        if self.text.len() < self.cut_from {
            return Ok(());
        }
        self.cut_from = self.text.len() * 2;
        self.find_headings(false);
        if !self.is_sectioned {
            return Ok(());
        }
        self.cut(false, take)?;
        self.cut_from = (self.text.len() * 2).max(self.worth_a_try);
        Ok(())
    }

    /// Ends the text and passes on the remaining chunks.
    ///
    /// # Errors
    ///
    /// That of `take`.
    pub fn try_finish<E>(
        mut self,
        take: impl FnMut(MarkdownChunk<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.find_headings(true);
        self.cut(true, take)
    }

    fn find_headings(&mut self, is_complete: bool) {
        let found = self.outline.advance(&self.text, is_complete);
        self.headings.extend(found);
        let is_wanted = |heading: &&Heading| self.chunker.cuts_at(heading.level);
        let wanted = self.headings.iter().filter(is_wanted).count();
        self.is_sectioned |= wanted >= self.chunker.config.min_headers_threshold.max(1);
    }

    fn cut<E>(
        &mut self,
        is_complete: bool,
        mut take: impl FnMut(MarkdownChunk<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let around = self.above.iter().chain(&self.headings).cloned().collect();
        let headings = self.chunker.headings_to_cut_at(around, self.above.len());
        let (chunker, text, is_sectioned) = (&self.chunker, &self.text, self.is_sectioned);
        let mut cut = MarkdownChunks::new(chunker, text, self.counter, headings, is_sectioned);
        if is_complete {
            return cut.try_for_each(|chunk| take(self.moved(chunk)));
        }
        cut = cut.of_what_is_certain();
        let mut count = 0;
        for chunk in cut.by_ref() {
            count += 1;
            take(self.moved(chunk))?;
        }
        let done = cut.uncertain_from();
        let above = cut.headings.around(done);
        self.count += count;
        self.above = above;
        self.forget(done);
        Ok(())
    }

    /// Moves a chunk of the buffered text to its position in the whole text.
    fn moved<'c>(&self, mut chunk: MarkdownChunk<'c>) -> MarkdownChunk<'c> {
        let Chunk {
            span, chars, lines, ..
        } = chunk.chunk;
        chunk.chunk.index += self.count;
        chunk.chunk.span = span.shifted(self.start.byte);
        chunk.chunk.chars = chars.shifted(self.start.chars);
        chunk.chunk.lines = Lines {
            first: lines.first + self.start.newlines,
            last: lines.last + self.start.newlines,
        };
        chunk
    }

    fn forget(&mut self, done: usize) {
        self.start = self.start.after(&self.text[..done]);
        self.text.drain(..done);
        self.outline.forget(done);
        self.headings.retain(|heading| heading.span.start >= done);
        for heading in &mut self.headings {
            let span = heading.span;
            heading.span = Span::new(span.start - done, span.end - done);
        }
    }
}

/// Returns what gathers chunks, with texts of their own.
fn collect(
    chunks: &mut Vec<MarkdownChunk<'static>>,
) -> impl FnMut(MarkdownChunk<'_>) -> Result<(), Infallible> {
    |MarkdownChunk { chunk, metadata }| {
        let chunk = chunk.into_owned();
        chunks.push(MarkdownChunk { chunk, metadata });
        Ok(())
    }
}

impl fmt::Debug for MarkdownStream<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("MarkdownStream")
            .field("start", &self.start.byte)
            .field("held", &self.text.len())
            .field("index", &self.count)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Characters, MarkdownChunkerConfig};

    const LINES: [&str; 37] = [
        "",
        "",
        "",
        "# a",
        "## b",
        "### [c] d",
        "## [e]",
        "[c]: /url",
        "[e]: /url",
        "a",
        "===",
        "---",
        "One. Two, three.",
        "- a",
        "  b",
        "    c",
        "```",
        "```",
        "~~~",
        "<div>",
        "</div>",
        "<!--",
        "-->",
        "| a | b |",
        "|---|---|",
        "| c | d |",
        "> # q",
        "# é👩",
        "+++",
        "key: b",
        "1. x",
        "#",
        "\r",
        "a\rb",
        "g\r===",
        "###### f",
        "\u{c}# g",
    ];

    fn texts() -> impl Strategy<Value = String> {
        let line = (0..LINES.len(), 0..8_u8);
        prop::collection::vec(line, 0..40).prop_map(|lines| {
            let end = |at: u8| if at == 0 { "\r\n" } else { "\n" };
            lines
                .iter()
                .map(|&(line, at)| [LINES[line], end(at)].concat())
                .collect()
        })
    }

    fn configs() -> impl Strategy<Value = MarkdownChunkerConfig> {
        let some = (
            5..60_usize,
            0..4_usize,
            any::<bool>(),
            0..40_usize,
            any::<bool>(),
            1..=6_usize,
        );
        some.prop_map(|(size, threshold, header, merge_below, path, levels)| {
            MarkdownChunkerConfig {
                max_chunk_size: size,
                chunk_overlap: size / 4,
                min_headers_threshold: threshold,
                include_header_in_chunk: header,
                merge_below,
                heading_path_in_text: path,
                headers_to_split_on: (1..=levels)
                    .map(|level| ("#".repeat(level), format!("h{level}")))
                    .collect(),
                ..MarkdownChunkerConfig::default()
            }
        })
    }

    fn check(text: &str, config: MarkdownChunkerConfig, cuts: &[usize], worth: usize) {
        let chunker = MarkdownChunker::new(config).unwrap();
        let definitions = || {
            let mut definitions = LinkDefinitions::default();
            for part in parts(text, cuts) {
                definitions.push(part);
            }
            definitions.finish()
        };
        let mut stream = chunker.stream(&Characters).with_definitions(definitions);
        (stream.cut_from, stream.worth_a_try) = (worth, worth);
        let mut chunks = Vec::new();
        for part in parts(text, cuts) {
            chunks.extend(stream.push(part));
        }
        chunks.extend(stream.finish());
        assert_eq!(chunks, chunker.chunks(text, &Characters), "{text:?}");
    }

    fn parts<'t>(mut text: &'t str, sizes: &[usize]) -> Vec<&'t str> {
        let mut parts = Vec::new();
        for size in sizes.iter().cycle() {
            if text.is_empty() {
                break;
            }
            let (part, rest) = text.split_at(text.ceil_char_boundary((*size).min(text.len())));
            parts.push(part);
            text = rest;
        }
        parts
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]

        #[test]
        fn chunks_are_those_of_the_parts_joined(
            text in texts(), config in configs(), cuts in prop::collection::vec(1..50_usize, 1..6),
        ) {
            check(&text, config, &cuts, 1);
        }
    }

    #[test]
    fn what_is_cut_is_let_go() {
        let text = "# a\n\nOne sentence here. Another one.\n\n## b\n\nText.\n\n".repeat(10_000);
        let chunker = MarkdownChunker::default();
        let mut stream = chunker.stream(&Characters);
        for part in parts(&text, &[7]) {
            stream.push(part);
            assert!(stream.text.len() <= 2 * WORTH_A_TRY);
        }
        let config = MarkdownChunkerConfig::default();
        check(&text, config, &[10_007], WORTH_A_TRY);
    }
}
