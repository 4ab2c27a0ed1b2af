//! Sentences packed into chunks.

use std::collections::VecDeque;

use sectile_core::Span;

use crate::position::Place;
use crate::source::Source;
use crate::stream::Cut;

/// A sentence, or a part of a long one, with its size.
#[derive(Clone, Copy, Debug)]
struct Piece {
    start: Place,
    tokens: usize,
}

/// Packs pieces into chunks, in the order of the text.
pub(super) struct Packer {
    max_tokens: usize,
    /// The largest overlap in tokens.
    overlap: usize,
    /// The pieces of the chunk to come, overlap first; each ends where the next one begins.
    pieces: VecDeque<Piece>,
    /// The tokens of `pieces`.
    tokens: usize,
    /// Where the last piece ends.
    end: Place,
}

impl Packer {
    pub(super) fn new(max_tokens: usize, overlap: usize) -> Self {
        Self {
            max_tokens,
            overlap,
            pieces: VecDeque::new(),
            tokens: 0,
            end: Place::default(),
        }
    }

    /// Adds the piece at `span`, which follows the last one. If it does not fit, returns the chunk
    /// that it would have been in.
    pub(super) fn add(&mut self, span: Span, tokens: usize, source: Source<'_>) -> Option<Cut> {
        let mut cut = None;
        if !self.pieces.is_empty() && self.tokens + tokens > self.max_tokens {
            cut = self.cut();
            self.keep_overlap(tokens);
        }
        let start = self.end;
        self.tokens += tokens;
        self.pieces.push_back(Piece { start, tokens });
        self.end = start.moved_to(span.end, source);
        cut
    }

    /// Returns the chunk to come, the last one.
    pub(super) fn finish(&mut self) -> Option<Cut> {
        let cut = self.cut();
        self.pieces.clear();
        cut
    }

    /// Returns the first byte that is looked at again.
    pub(super) fn needed_from(&self) -> usize {
        self.pieces
            .front()
            .map_or(self.end, |first| first.start)
            .byte
    }

    /// Drops pieces from the front until they are an overlap that leaves room for `next` tokens.
    ///
    /// At least one piece goes, so no chunk is the beginning of the next one.
    fn keep_overlap(&mut self, next: usize) {
        let room = self.max_tokens.saturating_sub(next);
        while let Some(dropped) = self.pieces.pop_front() {
            self.tokens -= dropped.tokens;
            if self.tokens <= self.overlap.min(room) {
                break;
            }
        }
    }

    fn cut(&self) -> Option<Cut> {
        let first = self.pieces.front()?;
        Some(Cut {
            start: first.start,
            end: self.end,
            tokens: Some(self.tokens),
            joined: None,
        })
    }
}
