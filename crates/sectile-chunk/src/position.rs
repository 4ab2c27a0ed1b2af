//! Character and line numbers, counted once on the way through a text.

use std::cmp::Ordering;

use sectile_core::{Lines, Span};

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

/// Counts the characters and the newlines of `text`.
#[inline]
fn measure(text: &str) -> (usize, usize) {
    let (mut chars, mut newlines) = (0, 0);
    // Counts that fit into a byte let the compiler count many bytes at once.
    for bytes in text.as_bytes().chunks(224) {
        let (mut few_chars, mut few_newlines) = (0_u8, 0_u8);
        for &byte in bytes {
            let continues = byte & 0b1100_0000 == 0b1000_0000;
            few_chars += u8::from(!continues);
            few_newlines += u8::from(byte == b'\n');
        }
        chars += usize::from(few_chars);
        newlines += usize::from(few_newlines);
    }
    (chars, newlines)
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
