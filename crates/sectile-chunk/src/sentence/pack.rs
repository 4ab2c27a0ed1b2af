//! Sentences packed into chunks.

use std::collections::VecDeque;

use sectile_core::Span;

use crate::position::Place;
use crate::source::Source;
use crate::stream::Cut;

/// A sentence, or a part of a long one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) span: Span,
    pub(super) tokens: usize,
    /// Whether it is read with what follows, as a heading is, so that it should not be the last one of a chunk.
    pub(super) is_lead: bool,
}

/// A part that is packed; it ends where the next one begins.
#[derive(Clone, Copy, Debug)]
struct Piece {
    start: Place,
    tokens: usize,
    is_lead: bool,
}

/// Packs pieces into chunks, in the order of the text.
pub(super) struct Packer {
    max_tokens: usize,
    /// The largest overlap in tokens.
    overlap: usize,
    /// The pieces of the chunk to come, overlap first.
    pieces: VecDeque<Piece>,
    /// How many of `pieces` are overlap.
    repeated: usize,
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
            repeated: 0,
            tokens: 0,
            end: Place::default(),
        }
    }

    /// Adds a part, which follows the last one. If it does not fit, returns the chunk that it would have been in.
    pub(super) fn add(&mut self, part: Part, source: Source<'_>) -> Option<Cut> {
        let is_full = !self.pieces.is_empty() && self.tokens + part.tokens > self.max_tokens;
        let cut = if is_full {
            self.make_room(part.tokens)
        } else {
            None
        };
        self.push(Piece {
            start: self.end,
            tokens: part.tokens,
            is_lead: part.is_lead,
        });
        self.end = self.end.moved_to(part.span.end, source);
        cut
    }

    /// Returns the chunk to come, the last one.
    pub(super) fn finish(&mut self) -> Option<Cut> {
        let cut = self.cut(self.end);
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

    /// Makes room for `next` tokens, and returns the chunk that is full. The leads that it would end with go into the next
    /// one if they fit there; if it would have nothing else that is new, it only loses its overlap.
    fn make_room(&mut self, next: usize) -> Option<Cut> {
        let leads = self.split_off_leads(next);
        let leading: usize = leads.iter().map(|lead| lead.tokens).sum();
        let end = leads.front().map_or(self.end, |first| first.start);
        let mut cut = None;
        if self.pieces.len() > self.repeated {
            cut = self.cut(end);
            self.keep_overlap(leading + next);
        } else {
            self.pieces.clear();
            self.tokens = 0;
        }
        self.repeated = self.pieces.len();
        for lead in leads {
            self.push(lead);
        }
        cut
    }

    /// Takes out the leads at the end, unless they and `next` tokens do not fit into a chunk.
    fn split_off_leads(&mut self, next: usize) -> VecDeque<Piece> {
        let leads = self.pieces.iter().rev().take_while(|piece| piece.is_lead);
        let (count, tokens) = leads.fold((0, 0), |(count, tokens), lead| {
            (count + 1, tokens + lead.tokens)
        });
        if tokens + next > self.max_tokens {
            return VecDeque::new();
        }
        self.tokens -= tokens;
        self.pieces.split_off(self.pieces.len() - count)
    }

    fn push(&mut self, piece: Piece) {
        self.tokens += piece.tokens;
        self.pieces.push_back(piece);
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

    fn cut(&self, end: Place) -> Option<Cut> {
        let first = self.pieces.front()?;
        Some(Cut {
            start: first.start,
            end,
            tokens: Some(self.tokens),
            joined: None,
        })
    }
}
