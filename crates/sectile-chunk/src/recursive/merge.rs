//! Pieces merged into chunks.

use std::borrow::Cow;
use std::collections::VecDeque;

use sectile_core::{Chunk, Span};

use super::split::Glue;
use crate::position::Positions;

/// What the chunks are to be like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// The largest length.
    pub(super) size: usize,
    /// The largest length of the overlap.
    pub(super) overlap: usize,
    /// Whether white space at the ends goes.
    pub(super) trim: bool,
    /// Whether lengths are tokens, not code points.
    pub(super) in_tokens: bool,
}

/// A piece of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) span: Span,
    /// The length of the piece alone.
    pub(super) length: usize,
    /// The length of what a chunk has between the piece before this one and this one.
    pub(super) gap: usize,
}

impl Piece {
    pub(super) fn new(span: Span, length: usize) -> Self {
        Self {
            span,
            length,
            gap: 0,
        }
    }
}

/// Merges pieces into chunks, in the order of the text.
pub(super) struct Merger<'s, 'a> {
    text: &'a str,
    shape: Shape,
    positions: Positions<'a>,
    glue: Glue<'s>,
    /// The pieces of the chunk to come, overlap first.
    pieces: VecDeque<Piece>,
    /// The length of `pieces` and of what stands between them.
    total: usize,
    chunks: Vec<Chunk<'a>>,
}

impl<'s, 'a> Merger<'s, 'a> {
    pub(super) fn new(text: &'a str, shape: Shape) -> Self {
        Self {
            text,
            shape,
            positions: Positions::new(text),
            glue: Glue::Nothing,
            pieces: VecDeque::new(),
            total: 0,
            chunks: Vec::new(),
        }
    }

    /// Returns what the text has between the last piece and `span`.
    pub(super) fn gap_before(&self, span: Span) -> &'a str {
        let end = self.pieces.back().map_or(span.start, |last| last.span.end);
        &self.text[end..span.start]
    }

    /// Adds a piece that has `glue` between it and the one before.
    #[inline]
    pub(super) fn add(&mut self, piece: Piece, glue: Glue<'s>) {
        self.glue = glue;
        if !self.pieces.is_empty() && self.is_full(piece) {
            self.emit();
            self.keep_overlap(piece);
        }
        self.total += self.cost(piece);
        self.pieces.push_back(piece);
    }

    /// Ends the chunk to come; the next one does not overlap it.
    pub(super) fn flush(&mut self) {
        self.emit();
        self.pieces.clear();
        self.total = 0;
    }

    /// Makes a chunk of a piece as it is.
    pub(super) fn add_untrimmed(&mut self, piece: Piece) {
        let text = Cow::Borrowed(piece.span.of(self.text));
        self.push(text, piece.span, piece.length);
    }

    pub(super) fn finish(mut self) -> Vec<Chunk<'a>> {
        self.flush();
        self.chunks
    }

    /// Returns by how much `piece` would make the chunk to come longer.
    fn cost(&self, piece: Piece) -> usize {
        let gap = if self.pieces.is_empty() { 0 } else { piece.gap };
        piece.length + gap
    }

    fn is_full(&self, next: Piece) -> bool {
        self.total + self.cost(next) > self.shape.size
    }

    /// Drops pieces from the front until the rest is an overlap that leaves room for `next`.
    fn keep_overlap(&mut self, next: Piece) {
        while self.total > self.shape.overlap || (self.total > 0 && self.is_full(next)) {
            let Some(dropped) = self.pieces.pop_front() else {
                break;
            };
            let gap = self.pieces.front().map_or(0, |first| first.gap);
            self.total -= dropped.length + gap;
        }
    }

    fn emit(&mut self) {
        let (Some(first), Some(last)) = (self.pieces.front(), self.pieces.back()) else {
            return;
        };
        let span = Span::new(first.span.start, last.span.end);
        let text = self.join(span);
        if !self.shape.trim {
            self.push(text, span, self.total);
        } else if let Some(span) = trimmed_span(self.text, span) {
            self.push(trimmed(text), span, self.total);
        }
    }

    /// Returns the text of the pieces, which stand in `span`.
    fn join(&self, span: Span) -> Cow<'a, str> {
        let source = span.of(self.text);
        let Glue::Separator(separator) = self.glue else {
            return Cow::Borrowed(source);
        };
        let follows = self.pieces.iter().zip(self.pieces.iter().skip(1));
        let mut gaps = follows.map(|(piece, next)| next.span.start - piece.span.end);
        if gaps.all(|gap| gap == separator.len()) {
            return Cow::Borrowed(source);
        }
        let texts = self.pieces.iter().map(|piece| piece.span.of(self.text));
        Cow::Owned(texts.collect::<Vec<_>>().join(separator))
    }

    fn push(&mut self, text: Cow<'a, str>, span: Span, length: usize) {
        let (chars, lines) = self.positions.of(span);
        self.chunks.push(Chunk {
            index: self.chunks.len(),
            text,
            span,
            chars,
            lines,
            tokens: self.shape.in_tokens.then_some(length),
            heading_path: None,
        });
    }
}

/// Says whether Python's `str.strip` takes the character away.
fn is_python_space(char: char) -> bool {
    char.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&char)
}

fn trimmed(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim_matches(is_python_space)),
        Cow::Owned(text) => Cow::Owned(text.trim_matches(is_python_space).into()),
    }
}

/// Returns `span` without white space at its ends, or nothing if it is all white space.
fn trimmed_span(text: &str, span: Span) -> Option<Span> {
    let source = span.of(text);
    let before = source.len() - source.trim_start_matches(is_python_space).len();
    let length = source.trim_matches(is_python_space).len();
    let start = span.start + before;
    (length > 0).then(|| Span::new(start, start + length))
}
