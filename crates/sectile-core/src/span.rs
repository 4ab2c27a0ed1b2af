//! Ranges of a text: in bytes, lines and pages.

use std::fmt::{self, Display, Formatter};
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A half-open range of bytes of a text, always on character boundaries of that text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

impl Span {
    /// Makes the span of `start..end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Returns the number of bytes.
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// Returns whether the span is empty.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Cuts the span out of `text`.
    ///
    /// # Panics
    ///
    /// When the span is outside `text` or ends inside one of its characters: it belongs to another
    /// text.
    pub fn of(self, text: &str) -> &str {
        &text[self.start..self.end]
    }

    /// Returns whether the two spans share a byte.
    pub const fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Returns the span moved towards the end of the text by `offset` bytes.
    #[must_use]
    pub const fn shifted(self, offset: usize) -> Self {
        Self::new(self.start + offset, self.end + offset)
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self::new(range.start, range.end)
    }
}

impl From<Span> for Range<usize> {
    fn from(span: Span) -> Self {
        span.start..span.end
    }
}

/// A range of lines, numbered from 1, both ends included. Written as `3` or `3-5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Lines {
    /// The first line.
    pub first: usize,
    /// The last line.
    pub last: usize,
}

/// A range of pages, numbered from 1, both ends included. Written as `3` or `3-5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pages {
    /// The first page.
    pub first: u32,
    /// The last page.
    pub last: u32,
}

impl Display for Lines {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write_range(formatter, self.first, self.last)
    }
}

impl Display for Pages {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write_range(formatter, self.first, self.last)
    }
}

fn write_range<T: Copy + Display + PartialEq>(
    formatter: &mut Formatter<'_>,
    first: T,
    last: T,
) -> fmt::Result {
    if first == last {
        write!(formatter, "{first}")
    } else {
        write!(formatter, "{first}-{last}")
    }
}

/// The line starts of a text, for turning byte spans into line numbers.
///
/// A line ends after `\n`, `\r\n` and a `\r` that no `\n` follows, as in `CommonMark`.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    /// Finds the line starts of `text`.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let ends_line = |&at: &usize| match bytes[at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let ends = (0..bytes.len()).filter(ends_line);
        let starts = std::iter::once(0).chain(ends.map(|at| at + 1));
        Self {
            starts: starts.collect(),
        }
    }

    /// Returns the number, from 1, of the line with the byte at `offset`.
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset)
    }

    /// Returns the lines that `span` touches. An empty span touches the line that it is in.
    pub fn lines(&self, span: Span) -> Lines {
        let last_byte = span.end.saturating_sub(1).max(span.start);
        Lines {
            first: self.line(span.start),
            last: self.line(last_byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_from_one_and_include_both_ends() {
        let index = LineIndex::new("a\nbc\r\n\nd");
        assert_eq!(index.lines(Span::new(0, 1)), Lines { first: 1, last: 1 });
        assert_eq!(index.lines(Span::new(0, 2)), Lines { first: 1, last: 1 });
        assert_eq!(index.lines(Span::new(2, 8)), Lines { first: 2, last: 4 });
        assert_eq!(index.lines(Span::new(6, 6)), Lines { first: 3, last: 3 });
        let index = LineIndex::new("a\rb\r\r\nc");
        assert_eq!(index.lines(Span::new(0, 3)), Lines { first: 1, last: 2 });
        assert_eq!(index.lines(Span::new(4, 7)), Lines { first: 3, last: 4 });
    }

    #[test]
    fn ranges_of_one_are_written_as_one_number() {
        assert_eq!(Lines { first: 3, last: 3 }.to_string(), "3");
        assert_eq!(Pages { first: 3, last: 5 }.to_string(), "3-5");
    }

    #[test]
    fn touching_spans_do_not_overlap() {
        assert!(!Span::new(0, 3).overlaps(Span::new(3, 5)));
        assert!(Span::new(0, 4).overlaps(Span::new(3, 5)));
    }
}
