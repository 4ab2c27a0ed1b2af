//! What the loaders of markup share that keep the source as it is: lines with their places,
//! headings, and the names of files that a document includes.

mod fields;

use sectile_core::{Heading, Span};

pub(crate) use crate::not_followed::NotFollowed;
pub(crate) use fields::{Fields, preamble, title_in};

/// The longest title, in characters: heading paths of many sections below a long one stay small.
const MAX_TITLE: usize = 1_000;

/// The longest source of a title that is read, in bytes.
const MAX_SOURCE: usize = 1_500;

/// A line of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// The line without white space at its end.
    pub(crate) text: &'a str,
    /// The line with its end.
    pub(crate) span: Span,
}

impl Line<'_> {
    pub(crate) fn is_blank(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns whether the line begins with white space and holds something.
    pub(crate) fn is_indented(&self) -> bool {
        self.text.starts_with([' ', '\t', '\x0b', '\x0c'])
    }

    /// Returns the number of spaces that the line begins with; a tab counts as eight.
    #[cfg(feature = "rst")]
    pub(crate) fn indent(&self) -> usize {
        let spaces = self.text.bytes().take_while(u8::is_ascii_whitespace);
        spaces.map(|byte| if byte == b'\t' { 8 } else { 1 }).sum()
    }
}

/// Returns the lines of a text, which end with a line feed, a carriage return or both.
pub(crate) fn lines(text: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for at in memchr::memchr2_iter(b'\n', b'\r', text.as_bytes()) {
        let is_pair = text.as_bytes()[at] == b'\r' && text.as_bytes().get(at + 1) == Some(&b'\n');
        if !is_pair {
            lines.push(line(text, Span::new(start, at + 1)));
            start = at + 1;
        }
    }
    if start < text.len() {
        lines.push(line(text, Span::new(start, text.len())));
    }
    lines
}

fn line(text: &str, span: Span) -> Line<'_> {
    let whole = span.of(text);
    let whole = if span.start == 0 {
        whole.strip_prefix('\u{feff}').unwrap_or(whole)
    } else {
        whole
    };
    Line {
        text: whole.trim_end(),
        span,
    }
}

/// Returns the beginning of a title's source, as far as it can be of use. So the cost of reading a
/// title is bounded.
pub(crate) fn clipped(source: &str) -> &str {
    let source = source.trim();
    &source[..source.floor_char_boundary(MAX_SOURCE)]
}

/// Makes a heading; levels below the sixth are of the sixth.
pub(crate) fn heading(level: usize, title: &str, span: Span) -> Heading {
    Heading {
        level: level.clamp(1, 6) as u8,
        title: short(title),
        span,
    }
}

/// Returns the heading of level 1 if there is one alone: of several, none names the document.
pub(crate) fn only_title(outline: &[Heading]) -> Option<String> {
    let is_title = |heading: &&Heading| heading.level == 1 && !heading.title.is_empty();
    let mut titles = outline.iter().filter(is_title);
    let first = titles.next()?;
    titles.next().is_none().then(|| first.title.clone())
}

/// Puts a title on one line, and ends it where it is too long.
pub(crate) fn short(title: &str) -> String {
    let words: Vec<&str> = title.split_whitespace().take(MAX_TITLE).collect();
    let mut title = words.join(" ");
    if let Some((end, _)) = title.char_indices().nth(MAX_TITLE) {
        title.truncate(end);
    }
    title
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_they_do_anywhere() {
        let text = "\u{feff}a \n\r\nb\rc";
        let found: Vec<_> = lines(text)
            .iter()
            .map(|line| (line.text, line.span.of(text)))
            .collect();
        let expected = [
            ("a", "\u{feff}a \n"),
            ("", "\r\n"),
            ("b", "b\r"),
            ("c", "c"),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_title_is_one_line_and_not_too_long() {
        assert_eq!(short(" a\n b "), "a b");
        assert_eq!(short(&"ä".repeat(2_000)).chars().count(), MAX_TITLE);
    }
}
