//! The pieces of one text at one separator.

use std::ops::Range;

use sectile_core::Span;

use super::KeepSeparator;
use super::separator::Separator;

/// A text that is being split at a separator, and the finer separators that are left.
pub(super) struct Frame<'s> {
    separator: &'s Separator,
    /// The separators for pieces that are too long.
    pub(super) finer: &'s [Separator],
    keep: KeepSeparator,
    /// The text that is split.
    span: Span,
    /// Where the next piece begins; nothing when all pieces are out.
    start: Option<usize>,
    /// The next match of the separator, counted from the beginning of the text that is split.
    found: Option<Range<usize>>,
}

/// What stands between the pieces of a chunk.
#[derive(Clone, Copy, Debug)]
pub(super) enum Glue<'s> {
    /// Nothing: every separator is part of a piece.
    Nothing,
    /// One separator, however many the text has there.
    Separator(&'s str),
    /// What the text has there.
    Source,
}

impl<'s> Frame<'s> {
    /// Splits `span` at the first of `separators` that occurs in it.
    ///
    /// The empty one occurs everywhere and has none after it. If none occurs, `span` is one piece.
    pub(super) fn new(
        text: &str,
        span: Span,
        separators: &'s [Separator],
        keep: KeepSeparator,
    ) -> Self {
        let piece = span.of(text);
        let mut frame = Self {
            separator: &Separator::Empty,
            finer: &[],
            keep,
            span,
            start: Some(span.start),
            found: None,
        };
        for (at, separator) in separators.iter().enumerate() {
            frame.separator = separator;
            frame.found = separator.find(piece, 0);
            if frame.found.is_some() {
                frame.finer = &separators[at + 1..];
            }
            if frame.found.is_some() || matches!(separator, Separator::Empty) {
                break;
            }
        }
        frame
    }

    /// Returns what stands between pieces that are merged.
    pub(super) fn glue(&self) -> Glue<'s> {
        match self.separator {
            _ if self.keep != KeepSeparator::None => Glue::Nothing,
            Separator::Empty => Glue::Nothing,
            Separator::Literal(text, _) => Glue::Separator(text),
            Separator::Pattern(_) => Glue::Source,
        }
    }

    /// Returns the next piece that is not empty.
    #[inline]
    pub(super) fn next_piece(&mut self, text: &str) -> Option<Span> {
        loop {
            let start = self.start?;
            let end = self.advance(start, text);
            if end > start {
                return Some(Span::new(start, end));
            }
        }
    }

    /// Returns the end of the piece that begins at `start` and goes on to the next one.
    #[inline]
    fn advance(&mut self, start: usize, text: &str) -> usize {
        if let Separator::Empty = self.separator {
            return self.advance_character(start, text);
        }
        let Some(found) = self.found.take() else {
            self.start = None;
            return self.span.end;
        };
        self.found = self.find_after(&found, self.span.of(text));
        let (before, after) = (self.span.start + found.start, self.span.start + found.end);
        let (end, next) = match self.keep {
            KeepSeparator::Start => (before, before),
            KeepSeparator::End => (after, after),
            KeepSeparator::None => (before, after),
        };
        self.start = Some(next);
        end
    }

    fn advance_character(&mut self, start: usize, text: &str) -> usize {
        let rest = &text[start..self.span.end];
        let end = start + rest.chars().next().map_or(0, char::len_utf8);
        self.start = Some(end).filter(|_| !rest.is_empty());
        end
    }

    /// Finds the match after `found`; an empty match is not found twice.
    fn find_after(&self, found: &Range<usize>, piece: &str) -> Option<Range<usize>> {
        let from = if found.is_empty() {
            found.end + piece[found.end..].chars().next()?.len_utf8()
        } else {
            found.end
        };
        self.separator.find(piece, from)
    }
}
