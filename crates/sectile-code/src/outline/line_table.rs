//! The lines of a text, which are found once: where a line is long, to look for its ends takes as long.

use sectile_core::Span;

/// The lines of a text.
#[derive(Debug)]
pub(super) struct LineTable {
    lines: Vec<Line>,
}

#[derive(Clone, Copy, Debug)]
struct Line {
    /// The line without its end.
    span: Span,
    /// Where its indentation ends.
    indented: usize,
}

impl LineTable {
    pub(super) fn new(text: &str) -> Self {
        let mut start = 0;
        let lines = text.split('\n').map(|line| {
            let span = Span::new(start, start + line.len());
            start = span.end + 1;
            Line {
                span,
                indented: span.end - line.trim_start().len(),
            }
        });
        Self {
            lines: lines.collect(),
        }
    }

    fn at(&self, place: usize) -> Line {
        let begun = self.lines.partition_point(|line| line.span.start <= place);
        // The first line begins at 0.
        self.lines[begun.saturating_sub(1)]
    }

    /// Returns the span of the line that `place` is on, without its end.
    pub(super) fn span(&self, place: usize) -> Span {
        self.at(place).span
    }

    /// Returns whether only white space is before `place` on its line.
    pub(super) fn is_first(&self, place: usize) -> bool {
        place <= self.at(place).indented
    }

    /// Returns how far the line is indented that `place` is on.
    pub(super) fn indent(&self, place: usize) -> usize {
        let line = self.at(place);
        line.indented - line.span.start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_is_on_a_line() {
        for text in ["", "a", "a\n", "\n\na", " é\r\n\t b c\n  \n", "  a\n b"] {
            let table = LineTable::new(text);
            for place in (0..=text.len()).filter(|place| text.is_char_boundary(*place)) {
                let start = text[..place].rfind('\n').map_or(0, |at| at + 1);
                let end = text[place..].find('\n').map_or(text.len(), |at| place + at);
                assert_eq!(table.span(place), Span::new(start, end), "{text:?} {place}");
                let line = &text[start..end];
                let indent = line.len() - line.trim_start().len();
                assert_eq!(table.indent(place), indent, "{text:?} {place}");
                let is_first = text[start..place].trim().is_empty();
                assert_eq!(table.is_first(place), is_first, "{text:?} {place}");
            }
        }
    }
}
