//! The way through a text that is cut into windows of tokens.

use std::collections::VecDeque;

use sectile_core::Span;

use super::TokenChunker;
use crate::Tokenizer;
use crate::position::Positions;
use crate::source::Source;
use crate::stream::{Cut, Cutter};

/// How much text is split into tokens at a time, in bytes.
const STRETCH_BYTES: usize = 1 << 16;

/// Lays windows over the tokens of a text.
pub(super) struct TokenCutter<'s> {
    chunker: TokenChunker,
    tokens: Tokens<'s>,
    /// The first token of the next window; `None` after the last one.
    first: Option<usize>,
    /// Where the last window ends.
    end: usize,
    positions: Positions,
}

impl<'s> TokenCutter<'s> {
    pub(super) fn new(chunker: TokenChunker, tokenizer: &'s dyn Tokenizer) -> Self {
        Self {
            chunker,
            tokens: Tokens::new(tokenizer),
            first: Some(0),
            end: 0,
            positions: Positions::default(),
        }
    }

    /// Returns the next window, its first token and the one after its last, and moves to the next
    /// one.
    fn next_window(&mut self, source: Source<'_>) -> Option<(usize, usize)> {
        let TokenChunker {
            max_tokens,
            overlap,
            min_tokens,
            ..
        } = self.chunker;
        let first = self.first?;
        let last = first.saturating_add(max_tokens);
        // One token more than the window says that it is not the last one.
        if !self
            .tokens
            .reach(last.saturating_add(1).max(min_tokens), source)
        {
            return None;
        }
        let count = self.tokens.count();
        let goes_on = last < count && count >= min_tokens;
        self.first = goes_on.then(|| last - overlap);
        if goes_on {
            return Some((first, last));
        }
        let fewest = min_tokens.min(max_tokens);
        let is_worth = count > 0 && count >= min_tokens;
        is_worth.then(|| (first.min(count - fewest), count))
    }
}

impl Cutter for TokenCutter<'_> {
    fn next_cut(&mut self, source: Source<'_>) -> Option<Cut> {
        while let Some((first, last)) = self.next_window(source) {
            let (start, end) = (self.tokens.place(first), self.tokens.place(last));
            let (span, joined) = if self.chunker.splits_characters {
                split(source, start, end)
            } else {
                (on_characters(source, start, end), None)
            };
            // The last window may reach back, but not as far as this one begins.
            self.tokens.forget_before(first);
            // Where a character takes several windows, the first of them has it.
            if span.end > self.end || self.chunker.splits_characters {
                self.end = span.end;
                let (start, end) = self.positions.places(source, span);
                return Some(Cut {
                    start,
                    end,
                    tokens: Some(last - first),
                    joined,
                });
            }
        }
        None
    }

    fn needed_from(&self) -> usize {
        self.tokens.needed_from().min(self.positions.needed_from())
    }
}

/// Moves both ends of a window back to character boundaries. If the window would be empty, moves
/// its end forward to the next boundary.
fn on_characters(source: Source<'_>, start: usize, end: usize) -> Span {
    let start = source.floor_char_boundary(start);
    match source.floor_char_boundary(end) {
        floor if floor > start => Span::new(start, floor),
        _ => Span::new(start, source.ceil_char_boundary(end.max(start + 1))),
    }
}

/// Returns the characters that a window has or has a part of, and its text where it has only a part of one.
fn split(source: Source<'_>, start: usize, end: usize) -> (Span, Option<String>) {
    let span = Span::new(
        source.floor_char_boundary(start),
        source.ceil_char_boundary(end),
    );
    let is_whole = span == Span::new(start, end);
    let bytes = source.bytes(Span::new(start, end));
    let joined = (!is_whole).then(|| String::from_utf8_lossy(bytes).into_owned());
    (span, joined)
}

/// The tokens of a text, made as they are needed and forgotten on demand.
struct Tokens<'s> {
    tokenizer: &'s dyn Tokenizer,
    /// The number of the first token that is not forgotten.
    first: usize,
    /// Where the tokens from `first` on begin, and where the last one ends.
    places: VecDeque<usize>,
    /// How much text is to be there before it is split into tokens.
    stretch: usize,
}

impl<'s> Tokens<'s> {
    fn new(tokenizer: &'s dyn Tokenizer) -> Self {
        Self {
            tokenizer,
            first: 0,
            places: VecDeque::from([0]),
            stretch: STRETCH_BYTES,
        }
    }

    /// Returns the number of tokens that are known, those forgotten included.
    fn count(&self) -> usize {
        self.first + self.places.len() - 1
    }

    /// Returns where token `number` begins, and the one before it ends.
    fn place(&self, number: usize) -> usize {
        self.places[number - self.first]
    }

    /// Returns where the last token that is known ends.
    fn end(&self) -> usize {
        self.place(self.count())
    }

    fn forget_before(&mut self, number: usize) {
        self.places.drain(..number - self.first);
        self.first = number;
    }

    fn needed_from(&self) -> usize {
        self.place(self.first)
    }

    /// Makes tokens until there are `count` or all of a complete text; says whether that came
    /// true, or more text is needed.
    fn reach(&mut self, count: usize, source: Source<'_>) -> bool {
        while self.count() < count && self.end() < source.end() {
            let left = source.end() - self.end();
            let is_last = source.is_complete() && left <= self.stretch;
            if left < self.stretch && !is_last {
                return false;
            }
            self.make(is_last, source);
            if is_last {
                break;
            }
        }
        self.count() >= count || source.is_complete()
    }

    /// Splits the next stretch of the text into tokens, up to where they are certain; if they are
    /// nowhere, the next stretch is longer.
    fn make(&mut self, is_last: bool, source: Source<'_>) {
        let start = self.end();
        let end = source.end().min(start + self.stretch);
        let mut text = source.of(Span::new(start, source.floor_char_boundary(end)));
        if !is_last {
            text = &text[..self.tokenizer.settled(text)];
        }
        if text.is_empty() {
            self.stretch *= 2;
        } else {
            self.stretch = STRETCH_BYTES;
        }
        let ends = self.tokenizer.token_ends(text);
        self.places.extend(ends.into_iter().map(|end| start + end));
    }
}
