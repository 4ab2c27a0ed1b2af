//! Character and line numbers, counted once on the way through a text.

use std::cmp::Ordering;

use sectile_core::{Lines, Span};
use wide::u8x16;

use crate::stream::Source;

/// A place in a text with the characters and newlines before it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    pub(crate) byte: usize,
    pub(crate) chars: usize,
    pub(crate) newlines: usize,
}

impl Place {
    /// Returns the place behind `text`, which stands here.
    #[inline]
    pub(crate) fn after(self, text: &str) -> Self {
        let (chars, newlines) = measure(text);
        Self {
            byte: self.byte + text.len(),
            chars: self.chars + chars,
            newlines: self.newlines + newlines,
        }
    }

    /// Returns the place before `text`, which ends here.
    #[inline]
    pub(crate) fn before(self, text: &str) -> Self {
        let (chars, newlines) = measure(text);
        Self {
            byte: self.byte - text.len(),
            chars: self.chars - chars,
            newlines: self.newlines - newlines,
        }
    }

    /// Returns the place at `byte`, at the cost of the bytes in between.
    pub(crate) fn moved_to(self, byte: usize, source: Source<'_>) -> Self {
        match byte.cmp(&self.byte) {
            Ordering::Equal => self,
            Ordering::Greater => self.after(source.of(Span::new(self.byte, byte))),
            Ordering::Less => self.before(source.of(Span::new(byte, self.byte))),
        }
    }
}

/// Counts the characters of `text`.
#[inline]
pub(crate) fn characters(text: &str) -> usize {
    measure(text).0
}

/// How many bytes are looked at at once.
const LANES: usize = 16;

/// Counts the characters and the newlines of `text`.
///
/// This is most of the time that a split by characters takes, hence the vectors.
#[inline]
fn measure(text: &str) -> (usize, usize) {
    let bytes = text.as_bytes();
    let Some(last) = bytes.last_chunk() else {
        return measure_short(bytes);
    };
    let (blocks, rest) = bytes.as_chunks::<LANES>();
    let mut tally = Tally::default();
    tally.add(end_of(*last, rest.len()));
    let (mut continuing, mut newlines) = (0, 0);
    // With fourteen blocks more, the sum over all lanes still fits into a byte.
    for few in blocks.chunks(14) {
        for block in few {
            tally.add(u8x16::new(*block));
        }
        continuing += sum(tally.continuing);
        newlines += sum(tally.newlines);
        tally = Tally::default();
    }
    (bytes.len() - continuing, newlines)
}

/// Counts the characters and the newlines of fewer than `LANES` bytes.
fn measure_short(bytes: &[u8]) -> (usize, usize) {
    let (mut chars, mut newlines) = (0_u8, 0_u8);
    for &byte in bytes {
        chars += u8::from(byte & 0b1100_0000 != 0b1000_0000);
        newlines += u8::from(byte == b'\n');
    }
    (chars.into(), newlines.into())
}

/// Returns `block` with all but its last `kept` bytes replaced by NUL.
#[inline]
fn end_of(block: [u8; LANES], kept: usize) -> u8x16 {
    const MASKS: [u8; 2 * LANES] = {
        let mut masks = [0; 2 * LANES];
        masks
            .split_at_mut(LANES)
            .1
            .copy_from_slice(&[u8::MAX; LANES]);
        masks
    };
    let mask = MASKS[kept..].first_chunk().expect("kept is at most LANES");
    u8x16::new(block) & u8x16::new(*mask)
}

/// What was found in each lane.
#[derive(Default)]
struct Tally {
    /// The bytes that continue a character.
    continuing: u8x16,
    newlines: u8x16,
}

impl Tally {
    #[inline]
    fn add(&mut self, block: u8x16) {
        let kind = block & u8x16::splat(0b1100_0000);
        // A lane that is equal becomes -1.
        self.continuing -= kind.simd_eq(u8x16::splat(0b1000_0000));
        self.newlines -= block.simd_eq(u8x16::splat(b'\n'));
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
/// The newline that ends a span belongs to the line that it ends: `ends_line` says if there is one.
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
        let (start, end) = self.places(Source::whole(text), span);
        position(start, end, span.of(text).ends_with('\n')).1
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
        let text = "a\n👩‍🚀é\n\n\u{0}日本語, bc.\r\n".repeat(40);
        for start in (0..40).filter(|&at| text.is_char_boundary(at)) {
            for end in (start..text.len()).filter(|&at| text.is_char_boundary(at)) {
                let part = &text[start..end];
                let newlines = part.matches('\n').count();
                assert_eq!(measure(part), (part.chars().count(), newlines), "{part:?}");
            }
        }
        assert_eq!(measure(&"\n".repeat(1_000)), (1_000, 1_000));
    }

    #[test]
    fn positions_agree_with_the_line_index_in_any_order() {
        let text = "é\n\r\nbc\n\n👩‍🚀d\n";
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
