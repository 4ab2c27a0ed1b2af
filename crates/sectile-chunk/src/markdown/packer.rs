//! Pieces packed into chunks.

use sectile_core::Span;

use super::pieces::{Cutter, Header, Kind, Piece};

/// A chunk in progress: a span of the text, and the text before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) span: Span,
    /// The size of the span and of the table header.
    pub(super) tokens: usize,
    /// The header of the table that the span continues.
    pub(super) table_header: Option<Span>,
}

/// Packs pieces into chunks of up to `limit` tokens, in the order of the text.
pub(super) struct Packer<'c, 'a> {
    cutter: Cutter<'c, 'a>,
    /// The largest chunk in tokens.
    limit: usize,
    /// The largest overlap in tokens.
    overlap: usize,
    /// The pieces of the chunk to come, those of the one before first.
    pieces: Vec<Piece>,
    /// How many of `pieces` are the end of the chunk before.
    repeated: usize,
    /// The header that is repeated before `pieces`.
    table_header: Option<Header>,
    /// The size of `pieces` and of the repeated header.
    tokens: usize,
    cuts: Vec<Cut>,
}

impl<'c, 'a> Packer<'c, 'a> {
    pub(super) fn new(cutter: Cutter<'c, 'a>, limit: usize, overlap: usize) -> Self {
        Self {
            cutter,
            limit,
            overlap,
            pieces: Vec::new(),
            repeated: 0,
            table_header: None,
            tokens: 0,
            cuts: Vec::new(),
        }
    }

    /// Adds a piece, or if it does not fit the finer ones that it can be cut into.
    pub(super) fn add(&mut self, piece: Piece) {
        let finer = if self.fits(piece) {
            Vec::new()
        } else {
            self.cutter.refine(piece)
        };
        if finer.is_empty() {
            return self.add_as_it_is(piece);
        }
        for piece in finer {
            self.add_as_it_is(piece);
        }
    }

    pub(super) fn finish(mut self) -> Vec<Cut> {
        self.emit(self.pieces.len());
        self.cuts
    }

    fn fits(&self, piece: Piece) -> bool {
        self.tokens + piece.tokens <= self.limit
    }

    fn add_as_it_is(&mut self, piece: Piece) {
        if !self.pieces.is_empty() && !self.fits(piece) {
            self.begin_chunk(piece);
        }
        self.push(piece);
    }

    fn push(&mut self, piece: Piece) {
        self.tokens += piece.tokens;
        self.pieces.push(piece);
    }

    /// Makes a chunk of the pieces so far, and begins the next one, for `next`.
    fn begin_chunk(&mut self, next: Piece) {
        let leads = self.trailing_leads(next);
        let last = self.pieces.len() - leads;
        // Without its leads it may have nothing that the chunk before has not.
        if last > self.repeated {
            self.emit(last);
        }
        let led = self.pieces.split_off(last);
        let taken = led.iter().map(|lead| lead.tokens).sum::<usize>() + next.tokens;
        let emitted = std::mem::take(&mut self.pieces);
        let room = self.limit.saturating_sub(taken).min(self.overlap);
        self.pieces = self.tail(&emitted, room);
        self.repeated = self.pieces.len();
        self.pieces.extend(led);
        self.table_header = match next.kind {
            Kind::Row(header) if self.pieces.is_empty() => Some(header),
            _ => None,
        };
        let header = self.table_header.map_or(0, |header| header.tokens);
        self.tokens = header + self.pieces.iter().map(|piece| piece.tokens).sum::<usize>();
    }

    /// Returns the number of pieces at the end, without the first one, that belong to `next`; 0 if
    /// they do not fit into a chunk with it.
    fn trailing_leads(&self, next: Piece) -> usize {
        let leads = self
            .pieces
            .iter()
            .rev()
            .take_while(|piece| piece.kind == Kind::Lead);
        let (count, tokens) = leads.fold((0, next.tokens), |(count, tokens), lead| {
            (count + 1, tokens + lead.tokens)
        });
        if count == self.pieces.len() || tokens > self.limit {
            0
        } else {
            count
        }
    }

    /// Returns the last pieces of a chunk that fit into `room`, and splits pieces if necessary.
    fn tail(&self, chunk: &[Piece], mut room: usize) -> Vec<Piece> {
        let mut tail = Vec::new();
        for (at, &piece) in chunk.iter().enumerate().rev() {
            let is_row = matches!(piece.kind, Kind::Row(_));
            if room == 0 || is_row {
                break;
            }
            if at > 0 && piece.tokens <= room {
                room -= piece.tokens;
                tail.push(piece);
                continue;
            }
            let finer = self.cutter.refine(piece);
            // The chunk's first piece is not repeated, so that no chunk begins where another did.
            for &piece in finer.iter().skip(1).rev() {
                if piece.tokens > room || matches!(piece.kind, Kind::Row(_)) {
                    break;
                }
                room -= piece.tokens;
                tail.push(piece);
            }
            break;
        }
        tail.reverse();
        let is_blank = |piece: &Piece| piece.span.of(self.cutter.text).trim().is_empty();
        let blank = tail.iter().take_while(|piece| is_blank(piece)).count();
        tail.split_off(blank)
    }

    /// Makes a chunk of the first `count` pieces.
    fn emit(&mut self, count: usize) {
        let pieces = &self.pieces[..count];
        let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else {
            return;
        };
        let held: usize = self.pieces[count..].iter().map(|piece| piece.tokens).sum();
        self.cuts.push(Cut {
            span: Span::new(first.span.start, last.span.end),
            tokens: self.tokens - held,
            table_header: self.table_header.map(|header| header.span),
        });
    }
}
