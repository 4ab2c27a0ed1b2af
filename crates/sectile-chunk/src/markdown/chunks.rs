//! The chunks of a text, made one section at a time.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use sectile_core::{Chunk, Span};

use super::headings::{Headings, Part};
use super::packer::{Cut, Packer};
use super::pieces::Cutter;
use super::{MarkdownChunk, MarkdownChunkMetadata, MarkdownChunker, section};
use crate::TokenCounter;
use crate::position::{Positions, position};
use crate::source::Source;

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
    pub(super) headings: Headings,
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
    pub(super) fn new(
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
    pub(super) fn of_what_is_certain(mut self) -> Self {
        self.uncertain = self.parts.next_back();
        self
    }

    /// Returns where what was left out begins, of a text with headings.
    pub(super) fn uncertain_from(&self) -> usize {
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

impl fmt::Debug for MarkdownChunks<'_, '_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("MarkdownChunks");
        debug.field("count", &self.count).finish_non_exhaustive()
    }
}
