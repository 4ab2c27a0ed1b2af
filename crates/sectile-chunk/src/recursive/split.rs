//! The pieces of one text at one separator.

use std::ops::Range;

use sectile_core::Span;

use super::KeepSeparator;
use super::separator::Separator;
use crate::source::Source;

/// A text that is being split at a separator, and the finer separators that are left.
pub(super) struct Frame<'s> {
    separator: &'s Separator,
    /// The separators for pieces that are too long.
    pub(super) finer: &'s [Separator],
    keep: KeepSeparator,
    /// The text that is split.
    span: Span,
    /// Whether more of the text may come.
    is_open: bool,
    /// The start of the next piece; `None` after the last one.
    start: Option<usize>,
    /// The next match of the separator, if it is known already.
    found: Option<Range<usize>>,
    /// Where the search for the match after that begins.
    searched: usize,
}

/// The result of [`Frame::next_piece`].
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Piece(Span),
    /// Where the next piece ends is not known before more of the text comes.
    Wait,
    /// All pieces are out.
    Done,
}

/// The text between the pieces of a chunk.
#[derive(Clone, Copy, Debug)]
pub(super) enum Glue<'s> {
    /// Nothing: every separator is part of a piece.
    Nothing,
    /// One separator, however many the text has there.
    Separator(&'s str),
    /// The text of the source.
    Source,
}

impl<'s> Frame<'s> {
    /// Splits `span` at the first of `separators` that occurs in it.
    ///
    /// The empty one occurs everywhere and has none after it. If none occurs, `span` is one piece.
    pub(super) fn new(
        source: Source<'_>,
        span: Span,
        separators: &'s [Separator],
        keep: KeepSeparator,
    ) -> Self {
        let mut frame = Self {
            separator: &Separator::Empty,
            finer: &[],
            keep,
            span,
            is_open: false,
            start: Some(span.start),
            found: None,
            searched: span.start,
        };
        for (at, separator) in separators.iter().enumerate() {
            frame.separator = separator;
            frame.found = separator.find(source, span, span.start);
            if frame.found.is_some() {
                frame.finer = &separators[at + 1..];
            }
            if frame.found.is_some() || matches!(separator, Separator::Empty) {
                break;
            }
        }
        frame
    }

    /// Takes note of how far the text goes, which is split from its beginning to its end.
    pub(super) fn extend(&mut self, source: Source<'_>) {
        self.span.end = source.end();
        self.is_open = !source.is_complete();
    }

    /// Returns the first byte that is looked at again.
    pub(super) fn needed_from(&self) -> usize {
        match self.separator {
            // What a pattern matches may depend on the text before.
            pattern if pattern.is_pattern() => self.span.start,
            _ => self.start.unwrap_or(self.span.end),
        }
    }

    /// Returns the text between merged pieces.
    pub(super) fn glue(&self) -> Glue<'s> {
        match self.separator {
            _ if self.keep != KeepSeparator::None => Glue::Nothing,
            Separator::Empty => Glue::Nothing,
            Separator::Literal(text, _) => Glue::Separator(text),
            _ => Glue::Source,
        }
    }

    /// Finds the next piece that is not empty.
    #[inline]
    pub(super) fn next_piece(&mut self, source: Source<'_>) -> Step {
        while let Some(start) = self.start {
            let Some(end) = self.advance(start, source) else {
                return Step::Wait;
            };
            if end > start {
                return Step::Piece(Span::new(start, end));
            }
        }
        Step::Done
    }

    /// Returns the end of the piece that begins at `start`, and moves to the next piece, unless
    /// that needs more of the text.
    #[inline]
    fn advance(&mut self, start: usize, source: Source<'_>) -> Option<usize> {
        if let Separator::Empty = self.separator {
            return self.advance_character(start, source);
        }
        let Some(found) = self.next_match(source) else {
            self.searched = self.separator.undecided_from(self.searched, self.span.end);
            self.start = self.start.filter(|_| self.is_open);
            return (!self.is_open).then_some(self.span.end);
        };
        let (end, next) = match self.keep {
            KeepSeparator::Start => (found.start, found.start),
            KeepSeparator::End => (found.end, found.end),
            KeepSeparator::None => (found.start, found.end),
        };
        self.start = Some(next);
        Some(end)
    }

    fn advance_character(&mut self, start: usize, source: Source<'_>) -> Option<usize> {
        let rest = source.of(Span::new(start, self.span.end));
        let Some(char) = rest.chars().next() else {
            self.start = self.start.filter(|_| self.is_open);
            return (!self.is_open).then_some(start);
        };
        let end = start + char.len_utf8();
        self.start = Some(end);
        Some(end)
    }

    /// Finds the next match; an empty one is not found twice.
    #[inline]
    fn next_match(&mut self, source: Source<'_>) -> Option<Range<usize>> {
        let found = match self.found.take() {
            Some(found) => found,
            None => self.separator.find(source, self.span, self.searched)?,
        };
        self.searched = found.end;
        if found.is_empty() {
            let rest = source.of(Span::new(found.end, self.span.end));
            // Behind the last character there is nothing left to search.
            self.searched += rest.chars().next().map_or(1, char::len_utf8);
        }
        Some(found)
    }
}
