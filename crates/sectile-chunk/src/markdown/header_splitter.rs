//! `LangChain`'s splitter at Markdown headings.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::recursive::is_python_space;

/// A part of a Markdown text, with the headings above it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeaderPart {
    /// The lines, without white space at their ends and without blank ones.
    pub text: String,
    /// The headings above it, by the names of their markers.
    pub headers: Vec<(String, String)>,
}

/// Splits Markdown at headings, into parts with the headings above them.
///
/// This is the class of this name in `langchain-text-splitters` 1.1.3. It only looks at single
/// lines: a marker and a space make a heading, and three backticks or tildes fence code. Lines lose
/// their indentation and unprintable characters, also in code, and paragraphs are joined with two
/// spaces and a line break. For chunks that are spans of the text, use
/// [`MarkdownChunker`](crate::MarkdownChunker).
///
/// ```
/// use sectile_chunk::MarkdownHeaderTextSplitter;
///
/// let splitter = MarkdownHeaderTextSplitter::new([("#", "Chapter"), ("##", "Section")]);
/// let parts = splitter.split("# Guide\n\nRead me.\n\n## Start\n\nRun it.\n\nWait.\n");
/// assert_eq!(parts[1].text, "Run it.  \nWait.");
/// assert_eq!(parts[1].headers[1], ("Section".into(), "Start".into()));
/// ```
#[derive(Clone, Debug)]
pub struct MarkdownHeaderTextSplitter {
    /// Longest marker first.
    markers: Vec<Marker>,
    takes_each_line: bool,
    strips_headers: bool,
}

#[derive(Clone, Debug)]
struct Marker {
    text: String,
    /// The name in [`HeaderPart::headers`]; `None` if the heading only ends the part before.
    name: Option<String>,
    level: usize,
    /// Whether a line between two of it is a heading, too.
    is_around: bool,
}

impl MarkdownHeaderTextSplitter {
    /// Makes a splitter at headings with these markers, which have these names in the parts.
    pub fn new<M: Into<String>, N: Into<String>>(
        headers: impl IntoIterator<Item = (M, N)>,
    ) -> Self {
        let headers = headers.into_iter();
        Self::with_names(headers.map(|(marker, name)| (marker, Some(name))))
    }

    /// Makes a splitter at headings with these markers; those without a name only end the previous
    /// part.
    pub fn with_names<M: Into<String>, N: Into<String>>(
        headers: impl IntoIterator<Item = (M, Option<N>)>,
    ) -> Self {
        let markers = headers.into_iter().map(|(marker, name)| {
            let text: String = marker.into();
            Marker {
                level: text.matches('#').count(),
                name: name.map(Into::into),
                is_around: false,
                text,
            }
        });
        let mut markers: Vec<Marker> = markers.collect();
        markers.sort_by_key(|marker| std::cmp::Reverse(marker.text.chars().count()));
        Self {
            markers,
            takes_each_line: false,
            strips_headers: true,
        }
    }

    /// Makes a line between two of a marker a heading of a level, `**` and 1 for example. The
    /// marker must be one of those of [`new`](Self::new).
    #[must_use]
    pub fn with_custom_pattern(mut self, marker: &str, level: usize) -> Self {
        let known = self.markers.iter_mut();
        for marker in known.filter(|known| known.text == marker) {
            marker.level = level;
            marker.is_around = true;
        }
        self
    }

    /// Makes one part per paragraph, instead of one for all text up to the next heading.
    #[must_use]
    pub const fn with_each_line(mut self, each: bool) -> Self {
        self.takes_each_line = each;
        self
    }

    /// Sets whether headings are left out of the text, as they are by default.
    #[must_use]
    pub const fn with_strip_headers(mut self, strip: bool) -> Self {
        self.strips_headers = strip;
        self
    }

    /// Splits a text.
    pub fn split(&self, text: &str) -> Vec<HeaderPart> {
        let mut parts = Paragraphs::default();
        for line in text.split('\n') {
            let line = printable(line);
            if parts.is_in_code(&line) {
                parts.lines.push(line);
                continue;
            }
            match self.markers.iter().find(|marker| marker.begins(&line)) {
                Some(marker) => {
                    parts.end_paragraph();
                    parts.enter(marker, &line);
                    if !self.strips_headers {
                        parts.lines.push(line);
                    }
                }
                None if line.is_empty() => parts.end_paragraph(),
                None => parts.lines.push(line),
            }
            parts.current.clone_from(&parts.headers);
        }
        parts.end_paragraph();
        if self.takes_each_line {
            parts.done
        } else {
            self.joined(parts.done)
        }
    }

    /// Joins neighbours under the same headings, and headings that are kept with what they are above of.
    fn joined(&self, paragraphs: Vec<HeaderPart>) -> Vec<HeaderPart> {
        let mut parts: Vec<HeaderPart> = Vec::new();
        for paragraph in paragraphs {
            let last = parts.last_mut().filter(|last| {
                is_same(&last.headers, &paragraph.headers)
                    || (!self.strips_headers
                        && last.headers.len() < paragraph.headers.len()
                        && last_line(&last.text).starts_with('#'))
            });
            match last {
                Some(last) => {
                    last.text.push_str("  \n");
                    last.text.push_str(&paragraph.text);
                    last.headers = paragraph.headers;
                }
                None => parts.push(paragraph),
            }
        }
        parts
    }
}

impl Marker {
    fn begins(&self, line: &str) -> bool {
        let rest = line.strip_prefix(&self.text);
        let is_before = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
        is_before || self.is_around(line)
    }

    /// Returns whether a line is a text between two of this marker.
    fn is_around(&self, line: &str) -> bool {
        let marker = self.text.as_str();
        let inner = line
            .strip_prefix(marker)
            .and_then(|rest| rest.strip_suffix(marker));
        let Some(inner) = inner.filter(|inner| self.is_around && !inner.is_empty()) else {
            return false;
        };
        let has_one_each = !line[marker.len()..].starts_with(marker)
            && !line[..marker.len() + inner.len()].ends_with(marker);
        let content = inner.trim_matches(is_python_space);
        has_one_each
            && content
                .chars()
                .any(|char| char != ' ' && !marker.contains(char))
    }

    fn heading<'l>(&self, line: &'l str) -> &'l str {
        let rest = &line[self.text.len()..];
        let rest = if self.is_around(line) {
            &rest[..rest.len() - self.text.len()]
        } else {
            rest
        };
        rest.trim_matches(is_python_space)
    }
}

/// The paragraphs of a text, as its lines come.
#[derive(Default)]
struct Paragraphs<'m> {
    done: Vec<HeaderPart>,
    /// The lines of the paragraph to come.
    lines: Vec<String>,
    /// The headings of that paragraph.
    current: Vec<(String, String)>,
    /// The headings of what follows.
    headers: Vec<(String, String)>,
    open: Vec<&'m Marker>,
    fence: Option<&'static str>,
}

impl<'m> Paragraphs<'m> {
    /// Returns whether a line is in a block of code or begins one. The line that ends one is not.
    fn is_in_code(&mut self, line: &str) -> bool {
        self.fence = match self.fence {
            Some(fence) if line.starts_with(fence) => None,
            Some(fence) => Some(fence),
            // A line with two is a span of code.
            None if line.starts_with("```") && line.matches("```").count() == 1 => Some("```"),
            None if line.starts_with("~~~") => Some("~~~"),
            None => None,
        };
        self.fence.is_some()
    }

    fn enter(&mut self, marker: &'m Marker, line: &str) {
        let Some(name) = &marker.name else {
            return;
        };
        while let Some(ended) = self.open.pop_if(|open| open.level >= marker.level) {
            self.headers
                .retain(|(known, _)| Some(known) != ended.name.as_ref());
        }
        self.open.push(marker);
        let heading = marker.heading(line).to_owned();
        match self.headers.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = heading,
            None => self.headers.push((name.clone(), heading)),
        }
    }

    fn end_paragraph(&mut self) {
        if !self.lines.is_empty() {
            self.done.push(HeaderPart {
                text: self.lines.join("\n"),
                headers: self.current.clone(),
            });
            self.lines.clear();
        }
    }
}

/// Returns whether headers are the same, in any order.
fn is_same(some: &[(String, String)], others: &[(String, String)]) -> bool {
    some.len() == others.len() && some.iter().all(|header| others.contains(header))
}

fn last_line(text: &str) -> &str {
    text.rsplit('\n').next().unwrap_or_default()
}

/// Returns a line without white space at its ends and without what Python's `str.isprintable` calls not printable.
fn printable(line: &str) -> String {
    let line = line.trim_matches(is_python_space);
    line.chars().filter(|&char| is_printable(char)).collect()
}

fn is_printable(char: char) -> bool {
    if char.is_ascii() {
        return !char.is_ascii_control();
    }
    let hidden = [GeneralCategoryGroup::Other, GeneralCategoryGroup::Separator];
    !hidden.contains(&char.general_category_group())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(splitter: &MarkdownHeaderTextSplitter, text: &str) -> Vec<(String, String)> {
        let parts = splitter.split(text).into_iter();
        parts
            .map(|part| {
                let headers = part.headers.iter();
                let path: Vec<_> = headers
                    .map(|(name, text)| format!("{name}={text}"))
                    .collect();
                (part.text, path.join(" "))
            })
            .collect()
    }

    fn check(splitter: &MarkdownHeaderTextSplitter, text: &str, expected: &[(&str, &str)]) {
        let found = parts(splitter, text);
        let found: Vec<_> = found
            .iter()
            .map(|(text, path)| (&**text, &**path))
            .collect();
        assert_eq!(found, expected, "{text:?}");
    }

    fn levels() -> MarkdownHeaderTextSplitter {
        MarkdownHeaderTextSplitter::new([("#", "1"), ("##", "2")])
    }

    #[test]
    fn a_heading_ends_those_of_its_level() {
        check(
            &levels(),
            "# A\n## B\nx\n# C\ny\n",
            &[("x", "1=A 2=B"), ("y", "1=C")],
        );
    }

    #[test]
    fn code_has_no_headings_and_loses_its_indentation() {
        check(
            &levels(),
            "# A\n```sh\n# no\n\n  x\n```\nz",
            &[("```sh\n# no\n\nx\n```\nz", "1=A")],
        );
        check(
            &levels(),
            "```a``` b\n# C\nd",
            &[("```a``` b", ""), ("d", "1=C")],
        );
    }

    #[test]
    fn headings_stay_on_request_and_go_with_what_is_below() {
        let keeping = levels().with_strip_headers(false);
        check(&keeping, "# A\n## B\nx", &[("# A  \n## B\nx", "1=A 2=B")]);
        // What is code at the end of a text that is empty there is no heading.
        check(&keeping, "```\n\n", &[("```\n\n", "")]);
    }

    #[test]
    fn a_pattern_around_a_line_is_a_heading() {
        let splitter = MarkdownHeaderTextSplitter::new([("**", "1")]).with_custom_pattern("**", 1);
        check(
            &splitter,
            "**A**\nx\n***B***\n****",
            &[("x", "1=A"), ("****", "1=*B*")],
        );
    }

    #[test]
    fn what_does_not_print_is_left_out() {
        check(
            &levels(),
            "\u{feff}# A\u{200b}\n\u{a0}x\u{ad}y",
            &[("xy", "1=A")],
        );
    }
}
