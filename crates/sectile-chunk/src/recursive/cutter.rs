//! The way through a text that is split recursively.

use sectile_core::Span;

use super::RecursiveCharacterTextSplitter;
use super::merge::{Merger, Piece};
use super::separator::Separator;
use super::split::{Frame, Glue, Step};
use crate::source::Source;
use crate::stream::{Cut, Cutter};

/// Splits pieces that are too long, and merges the others.
pub(super) struct RecursiveCutter<'s> {
    splitter: &'s RecursiveCharacterTextSplitter,
    /// The text and the pieces of it that are being split, each a piece of the one before.
    frames: Vec<Frame<'s>>,
    /// The one merger: it is empty whenever a piece is split further.
    merger: Merger<'s>,
    /// A piece that is too long, to be split next.
    long: Option<Piece>,
    is_started: bool,
    /// How far the text has been searched for its first separator.
    searched: usize,
    /// The length of the empty text, once it was needed.
    nothing: Option<usize>,
}

impl<'s> RecursiveCutter<'s> {
    pub(super) fn new(splitter: &'s RecursiveCharacterTextSplitter) -> Self {
        Self {
            splitter,
            frames: Vec::new(),
            merger: Merger::new(splitter.shape(), splitter.report.as_deref()),
            long: None,
            is_started: false,
            searched: 0,
            nothing: None,
        }
    }

    /// Chooses the separator of the whole text; `None` until it is known which one occurs.
    fn start(&mut self, source: Source<'_>) -> Option<()> {
        let whole = Span::new(0, source.end());
        if source.is_complete() || self.is_first_found(source) {
            let separators = &self.splitter.separators;
            let frame = Frame::new(source, whole, separators, self.splitter.keep);
            self.frames.push(frame);
            self.is_started = true;
        }
        self.is_started.then_some(())
    }

    /// Returns whether the first separator occurs, whatever text follows.
    fn is_first_found(&mut self, source: Source<'_>) -> bool {
        let first = &self.splitter.separators[0];
        let span = Span::new(0, source.end());
        let is_found = match first {
            Separator::Empty => true,
            Separator::Literal(..) => first.find(source, span, self.searched).is_some(),
            // More text may make a match longer.
            _ => false,
        };
        self.searched = first.undecided_from(self.searched, source.end());
        is_found
    }

    /// Takes a piece: to the merger if it is short, else after what the merger has.
    #[inline]
    fn take(&mut self, span: Span, glue: Glue<'s>, source: Source<'_>) -> Option<Cut> {
        let piece = self.piece(span, glue, source);
        if piece.length < self.splitter.size || self.splitter.merges_long {
            return self.merger.add(piece, glue, source);
        }
        self.long = Some(piece);
        self.merger.flush(source)
    }

    /// Counts the piece at `span`, and what stands between it and the piece before.
    #[inline]
    fn piece(&mut self, span: Span, glue: Glue<'s>, source: Source<'_>) -> Piece {
        let before = self.merger.end();
        let between = Span::new(before.byte, span.start);
        let text = source.of(span);
        let start = before.moved_to(between.end, source);
        let end = start.moved_to(span.end, source);
        let length = match &self.splitter.counter {
            Some(counter) => counter.count(text),
            None => end.chars - start.chars,
        };
        let gap = match glue {
            _ if self.merger.is_empty() => 0,
            Glue::Nothing => self.length_of_nothing(),
            Glue::Separator(separator) => self.splitter.length(separator),
            Glue::Source => self.splitter.length(source.of(between)),
        };
        Piece {
            start,
            end,
            length,
            gap,
        }
    }

    /// Returns the length of the empty text. A counter that adds marks around each text counts those.
    #[inline]
    fn length_of_nothing(&mut self) -> usize {
        let splitter = self.splitter;
        *self.nothing.get_or_insert_with(|| splitter.length(""))
    }

    /// Splits a piece that is too long, or makes it a chunk if it cannot be split.
    fn split(&mut self, piece: Piece, source: Source<'_>) -> Option<Cut> {
        let finer = self.frames.last().map_or(&[][..], |frame| frame.finer);
        if finer.is_empty() {
            return Some(self.merger.pass(piece));
        }
        let frame = Frame::new(source, piece.span(), finer, self.splitter.keep);
        self.frames.push(frame);
        None
    }
}

impl Cutter for RecursiveCutter<'_> {
    fn next_cut(&mut self, source: Source<'_>) -> Option<Cut> {
        if !self.is_started {
            self.start(source)?;
        }
        if let Some(whole) = self.frames.first_mut() {
            whole.extend(source);
        }
        loop {
            let cut = if let Some(piece) = self.long.take() {
                self.split(piece, source)
            } else {
                let frame = self.frames.last_mut()?;
                match frame.next_piece(source) {
                    Step::Wait => return None,
                    Step::Piece(span) => {
                        let glue = frame.glue();
                        self.take(span, glue, source)
                    }
                    Step::Done => {
                        self.frames.pop();
                        self.merger.flush(source)
                    }
                }
            };
            if cut.is_some() {
                return cut;
            }
        }
    }

    fn needed_from(&self) -> usize {
        let merger = self.merger.needed_from();
        self.frames
            .first()
            .map_or(merger, |whole| merger.min(whole.needed_from()))
    }
}
