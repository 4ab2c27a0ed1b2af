//! Character and line numbers of spans, without a search.

use std::ops::Range;

use sectile_core::{Lines, Span};

/// A place in a text with the characters and newlines before it.
#[derive(Clone, Debug)]
struct Cursor<'a> {
    text: &'a str,
    byte: usize,
    chars: usize,
    newlines: usize,
}

impl<'a> Cursor<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            byte: 0,
            chars: 0,
            newlines: 0,
        }
    }

    /// Moves to `byte`, at the cost of the bytes in between.
    fn seek(&mut self, byte: usize) {
        if byte >= self.byte {
            let (chars, newlines) = self.measure(self.byte..byte);
            self.chars += chars;
            self.newlines += newlines;
        } else {
            let (chars, newlines) = self.measure(byte..self.byte);
            self.chars -= chars;
            self.newlines -= newlines;
        }
        self.byte = byte;
    }

    fn measure(&self, range: Range<usize>) -> (usize, usize) {
        let passed = &self.text[range];
        let newlines = memchr::memchr_iter(b'\n', passed.as_bytes()).count();
        (passed.chars().count(), newlines)
    }
}

/// Numbers the characters and lines of spans that come in the order of the text.
///
/// Starts and ends are followed apart, because both only move forward when spans overlap: the
/// whole walk costs two passes over the text, however large the overlap is.
#[derive(Clone, Debug)]
pub(crate) struct Positions<'a> {
    start: Cursor<'a>,
    end: Cursor<'a>,
}

impl<'a> Positions<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            start: Cursor::new(text),
            end: Cursor::new(text),
        }
    }

    /// Returns the characters of `span` and the lines that it touches.
    pub(crate) fn of(&mut self, span: Span) -> (Span, Lines) {
        self.start.seek(span.start);
        self.end.seek(span.end);
        let chars = Span::new(self.start.chars, self.end.chars);
        // The newline that ends a span belongs to the line that it ends.
        let ends_line = span.of(self.start.text).ends_with('\n');
        let first = self.start.newlines + 1;
        let last = self.end.newlines + 1 - usize::from(ends_line);
        (chars, Lines { first, last })
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
        let mut positions = Positions::new(text);
        for &start in cuts.iter().rev() {
            for &end in cuts.iter().filter(|&&end| end >= start) {
                let span = Span::new(start, end);
                let (chars, lines) = positions.of(span);
                assert_eq!(lines, index.lines(span), "{span:?}");
                assert_eq!(chars.start, text[..start].chars().count());
                assert_eq!(chars.len(), span.of(text).chars().count());
            }
        }
    }
}
