//! Pieces merged into chunks.

use std::collections::VecDeque;

use sectile_core::Span;

use super::split::Glue;
use crate::position::Place;
use crate::source::Source;
use crate::stream::Cut;

/// The settings of the chunks.
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
    pub(super) start: Place,
    pub(super) end: Place,
    /// The length of the piece alone.
    pub(super) length: usize,
    /// The length of what a chunk has between the piece before this one and this one.
    pub(super) gap: usize,
}

impl Piece {
    pub(super) fn span(self) -> Span {
        Span::new(self.start.byte, self.end.byte)
    }
}

/// Merges pieces into chunks, in the order of the text.
pub(super) struct Merger<'s> {
    shape: Shape,
    glue: Glue<'s>,
    /// The pieces of the chunk to come, overlap first.
    pieces: VecDeque<Piece>,
    /// The length of `pieces` with the text between them.
    total: usize,
    /// Where the last piece ended.
    end: Place,
    /// What is told the length of a chunk that is too long.
    report: Option<&'s (dyn Fn(usize) + Send + Sync)>,
}

impl<'s> Merger<'s> {
    pub(super) fn new(shape: Shape, report: Option<&'s (dyn Fn(usize) + Send + Sync)>) -> Self {
        Self {
            shape,
            report,
            glue: Glue::Nothing,
            pieces: VecDeque::with_capacity(64),
            total: 0,
            end: Place::default(),
        }
    }

    /// Returns where the last piece ended.
    pub(super) fn end(&self) -> Place {
        self.end
    }

    /// Returns whether the next piece begins a chunk, so that it has no gap before it.
    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Returns the first byte that is looked at again.
    pub(super) fn needed_from(&self) -> usize {
        self.pieces
            .front()
            .map_or(self.end, |first| first.start)
            .byte
    }

    /// Adds a piece that has `glue` between it and the one before. If it does not fit, returns
    /// the chunk that it would have been in.
    #[inline]
    pub(super) fn add(&mut self, piece: Piece, glue: Glue<'s>, source: Source<'_>) -> Option<Cut> {
        self.glue = glue;
        let mut cut = None;
        if !self.pieces.is_empty() && self.is_full(piece) {
            self.report_if_long();
            cut = self.cut(source);
            self.keep_overlap(piece);
        }
        self.total += self.cost(piece);
        self.end = piece.end;
        self.pieces.push_back(piece);
        cut
    }

    /// Ends the chunk to come and returns it; the next one does not overlap it.
    pub(super) fn flush(&mut self, source: Source<'_>) -> Option<Cut> {
        let cut = self.cut(source);
        self.pieces.clear();
        self.total = 0;
        cut
    }

    /// Makes a chunk of a piece as it is.
    pub(super) fn pass(&mut self, piece: Piece) -> Cut {
        self.end = piece.end;
        self.shape.cut(piece.start, piece.end, piece.length)
    }

    fn report_if_long(&self) {
        if let Some(report) = self.report
            && self.total > self.shape.size
        {
            report(self.total);
        }
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

    /// Makes a chunk of the pieces, unless it would be empty.
    fn cut(&self, source: Source<'_>) -> Option<Cut> {
        let first = self.pieces.front()?;
        let cut = self.shape.cut(first.start, self.end, self.total);
        let joined = self.join(source);
        let cut = Cut { joined, ..cut };
        if self.shape.trim {
            trimmed(cut, source)
        } else {
            Some(cut)
        }
    }

    /// Returns the text of the pieces joined, where it is not the source's.
    fn join(&self, source: Source<'_>) -> Option<String> {
        let Glue::Separator(separator) = self.glue else {
            return None;
        };
        let follows = self.pieces.iter().zip(self.pieces.iter().skip(1));
        let mut gaps = follows.map(|(piece, next)| next.start.byte - piece.end.byte);
        if gaps.all(|gap| gap == separator.len()) {
            return None;
        }
        let texts = self.pieces.iter().map(|piece| source.of(piece.span()));
        Some(texts.collect::<Vec<_>>().join(separator))
    }
}

impl Shape {
    fn cut(self, start: Place, end: Place, length: usize) -> Cut {
        Cut {
            start,
            end,
            tokens: self.in_tokens.then_some(length),
            joined: None,
        }
    }
}

/// Returns whether Python's `str.strip` takes the character away.
pub(crate) fn is_python_space(char: char) -> bool {
    char.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&char)
}

/// Returns `cut` without white space at its ends, or nothing if it is all white space.
fn trimmed(cut: Cut, source: Source<'_>) -> Option<Cut> {
    let text = source.of(Span::new(cut.start.byte, cut.end.byte));
    let tail = text.trim_start_matches(is_python_space);
    let kept = tail.trim_end_matches(is_python_space);
    let joined = cut
        .joined
        .map(|text| text.trim_matches(is_python_space).into());
    (!kept.is_empty()).then(|| Cut {
        start: cut.start.moved_to(cut.end.byte - tail.len(), source),
        end: cut
            .end
            .moved_to(cut.end.byte - tail.len() + kept.len(), source),
        joined,
        ..cut
    })
}
