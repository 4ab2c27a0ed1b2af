//! Character and line numbers, counted once on the way through a text.

use std::cmp::Ordering;

use sectile_core::{Lines, Span};
use wide::u8x16;

use crate::source::{LANES, Source};

/// A place in a text with the characters and line ends before it. A carriage return is one where no
/// newline follows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    pub(crate) byte: usize,
    pub(crate) chars: usize,
    pub(crate) newlines: usize,
}

impl Place {
    /// Returns the position after `text`, which begins here and does not end within a line end.
    pub(crate) fn after(self, text: &str) -> Self {
        let (chars, newlines) = count_of(text, None);
        Self {
            byte: self.byte + text.len(),
            chars: self.chars + chars,
            newlines: self.newlines + newlines,
        }
    }

    /// Returns the place at `byte`, at the cost of the bytes in between.
    #[inline]
    pub(crate) fn moved_to(self, byte: usize, source: Source<'_>) -> Self {
        match byte.cmp(&self.byte) {
            Ordering::Equal => self,
            Ordering::Greater => {
                let (chars, newlines) = count(source, Span::new(self.byte, byte));
                Self {
                    byte,
                    chars: self.chars + chars,
                    newlines: self.newlines + newlines,
                }
            }
            Ordering::Less => {
                let (chars, newlines) = count(source, Span::new(byte, self.byte));
                Self {
                    byte,
                    chars: self.chars - chars,
                    newlines: self.newlines - newlines,
                }
            }
        }
    }
}

/// Counts the characters of `text`.
#[inline]
pub(crate) fn characters(text: &str) -> usize {
    measure(text).chars
}

/// Counts the characters and the line ends of a part of a text.
#[inline]
fn count(source: Source<'_>, span: Span) -> (usize, usize) {
    if let Some(block) = source.block_at(span.start).filter(|_| span.len() <= LANES) {
        let mut tally = Tally::default();
        tally.add(beginning_of(block, span.len()));
        if tally.returns == u8x16::ZERO {
            return (span.len() - sum(tally.continuing), sum(tally.newlines));
        }
    }
    count_of(source.of(span), source.byte_at(span.end))
}

/// Counts the characters and the line ends of `text`, which `next` follows.
#[inline]
fn count_of(text: &str, next: Option<u8>) -> (usize, usize) {
    let found = measure(text);
    if !found.has_returns {
        return (found.chars, found.newlines);
    }
    let returns = lone_returns(text.as_bytes(), next);
    (found.chars, found.newlines + returns)
}

/// Counts the carriage returns that no newline follows; `next` follows the bytes.
fn lone_returns(bytes: &[u8], next: Option<u8>) -> usize {
    let follows = |at: usize| bytes.get(at + 1).copied().or(next);
    let returns = memchr::memchr_iter(b'\r', bytes);
    returns.filter(|&at| follows(at) != Some(b'\n')).count()
}

/// The counts of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Found {
    chars: usize,
    newlines: usize,
    /// Whether there are carriage returns.
    has_returns: bool,
}

/// Counts the characters and the newlines of `text`.
///
/// This is most of the time that a split by characters takes, hence the vectors.
#[inline]
fn measure(text: &str) -> Found {
    let bytes = text.as_bytes();
    let Some(last) = bytes.last_chunk() else {
        return measure_short(bytes);
    };
    let (blocks, rest) = bytes.as_chunks::<LANES>();
    let mut tally = Tally::default();
    tally.add(end_of(*last, rest.len()));
    let (mut continuing, mut newlines) = (0, 0);
    let mut returns = tally.returns;
    // With fourteen blocks more, the sum over all lanes still fits into a byte.
    for few in blocks.chunks(14) {
        for block in few {
            tally.add(u8x16::new(*block));
        }
        returns |= tally.returns;
        continuing += sum(tally.continuing);
        newlines += sum(tally.newlines);
        tally = Tally::default();
    }
    Found {
        chars: bytes.len() - continuing,
        newlines,
        has_returns: returns != u8x16::ZERO,
    }
}

/// Counts the characters and the newlines of fewer than `LANES` bytes.
fn measure_short(bytes: &[u8]) -> Found {
    let (mut chars, mut newlines, mut has_returns) = (0_u8, 0_u8, false);
    for &byte in bytes {
        chars += u8::from(byte & 0b1100_0000 != 0b1000_0000);
        newlines += u8::from(byte == b'\n');
        has_returns |= byte == b'\r';
    }
    Found {
        chars: chars.into(),
        newlines: newlines.into(),
        has_returns,
    }
}

/// Bytes that are kept, between bytes that are not.
const MASKS: [u8; 3 * LANES] = {
    let mut masks = [0; 3 * LANES];
    let (_, kept) = masks.split_at_mut(LANES);
    kept.split_at_mut(LANES)
        .0
        .copy_from_slice(&[u8::MAX; LANES]);
    masks
};

/// Returns `block` with all but its last `kept` bytes replaced by NUL.
#[inline]
fn end_of(block: [u8; LANES], kept: usize) -> u8x16 {
    masked(block, kept)
}

/// Returns `block` with all but its first `kept` bytes replaced by NUL.
#[inline]
fn beginning_of(block: [u8; LANES], kept: usize) -> u8x16 {
    masked(block, 2 * LANES - kept)
}

#[inline]
fn masked(block: [u8; LANES], from: usize) -> u8x16 {
    let mask = MASKS[from..]
        .first_chunk()
        .expect("no more are kept than there are");
    u8x16::new(block) & u8x16::new(*mask)
}

/// The counts of each lane.
#[derive(Default)]
struct Tally {
    /// The bytes that continue a character.
    continuing: u8x16,
    newlines: u8x16,
    /// Not zero where there is a carriage return.
    returns: u8x16,
}

impl Tally {
    #[inline]
    fn add(&mut self, block: u8x16) {
        let kind = block & u8x16::splat(0b1100_0000);
        // A lane that is equal becomes -1.
        self.continuing -= kind.simd_eq(u8x16::splat(0b1000_0000));
        self.newlines -= block.simd_eq(u8x16::splat(b'\n'));
        self.returns |= block.simd_eq(u8x16::splat(b'\r'));
    }
}

/// Returns the sum of all lanes, which must be less than 256.
#[inline]
fn sum(lanes: u8x16) -> usize {
    let lanes = lanes.to_array();
    let halves = lanes.as_chunks().0.iter().copied();
    let both: u64 = halves.map(u64::from_ne_bytes).sum();
    // The highest byte of the product is the sum of all eight bytes.
    both.wrapping_mul(0x0101_0101_0101_0101).to_be_bytes()[0].into()
}

/// Returns the characters between two places and the lines touched there.
///
/// The line end that ends a span belongs to the line that it ends: `ends_line` says if there is one.
pub(crate) fn position(start: Place, end: Place, ends_line: bool) -> (Span, Lines) {
    let chars = Span::new(start.chars, end.chars);
    let first = start.newlines + 1;
    let last = end.newlines + 1 - usize::from(ends_line);
    (chars, Lines { first, last })
}

/// Numbers the characters and lines of spans that come in the order of the text.
///
/// Starts and ends are followed apart, because both only move forward when spans overlap: the
/// whole walk costs two passes over the text, however large the overlap is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Positions {
    start: Place,
    end: Place,
}

impl Positions {
    /// Returns the places where `span` begins and ends.
    pub(crate) fn places(&mut self, source: Source<'_>, span: Span) -> (Place, Place) {
        self.start = self.start.moved_to(span.start, source);
        self.end = self.end.moved_to(span.end, source);
        (self.start, self.end)
    }

    /// Returns the lines that `span` of `text` touches.
    pub(crate) fn lines(&mut self, text: &str, span: Span) -> Lines {
        let source = Source::whole(text);
        let (start, end) = self.places(source, span);
        position(start, end, source.ends_line(span)).1
    }

    /// Returns the first byte that is looked at again for spans that come in order.
    pub(crate) fn needed_from(&self) -> usize {
        self.start.byte
    }
}

#[cfg(test)]
mod tests {
    use sectile_core::LineIndex;

    use super::*;

    #[test]
    fn characters_and_newlines_are_counted_in_texts_of_every_length() {
        let text = "a\n👩‍🚀é\n\n\u{0}日本語, bc.\r\nd\re".repeat(40);
        let source = Source::whole(&text);
        for start in (0..40).filter(|&at| text.is_char_boundary(at)) {
            for end in (start..text.len()).filter(|&at| text.is_char_boundary(at)) {
                let part = &text[start..end];
                let newlines = part.matches('\n').count();
                let both = part.matches("\r\n").count();
                let cut = usize::from(part.ends_with('\r') && text[end..].starts_with('\n'));
                let returns = part.matches('\r').count() - both - cut;
                let found = count(source, Span::new(start, end));
                assert_eq!(
                    found,
                    (part.chars().count(), newlines + returns),
                    "{part:?}"
                );
            }
        }
        let newlines = "\n".repeat(1_000);
        let found = count(Source::whole(&newlines), Span::new(0, 1_000));
        assert_eq!(found, (1_000, 1_000));
    }

    #[test]
    fn positions_agree_with_the_line_index_in_any_order() {
        let text = "é\n\r\nbc\n\r\r\r\n👩‍🚀d\rx\n\r";
        let index = LineIndex::new(text);
        let cuts: Vec<usize> = (0..=text.len())
            .filter(|&at| text.is_char_boundary(at))
            .collect();
        let mut positions = Positions::default();
        for &start in cuts.iter().rev() {
            for &end in cuts.iter().filter(|&&end| end >= start) {
                let span = Span::new(start, end);
                assert_eq!(positions.lines(text, span), index.lines(span), "{span:?}");
                let (first, last) = positions.places(Source::whole(text), span);
                let chars = Span::new(first.chars, last.chars);
                assert_eq!(chars.start, text[..start].chars().count());
                assert_eq!(chars.len(), span.of(text).chars().count());
            }
        }
    }
}
