//! Sections as the Markdown chunker sees them.

use std::borrow::Cow;

use sectile_core::Heading;
use serde::{Deserialize, Serialize};

use super::InvalidMarkdown;
use crate::line_run::is_heading;

/// The part of a Markdown text from a heading to the next one.
///
/// A section that is read with `serde` is [validated](Self::validate).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Raw")]
pub struct MarkdownSection<'a> {
    /// The header with its markers, `## Methods` for example; that of a setext heading is written
    /// in the same way.
    pub header: String,
    /// The header as plain text, `Methods` for example.
    pub header_text: String,
    /// The level of the header, 1 to 6.
    pub level: u8,
    /// The text of the section, including the header's lines.
    pub content: Cow<'a, str>,
    /// The line that the section begins on, from 0.
    pub start_line: usize,
    /// The line after the last one, from 0.
    pub end_line: usize,
    /// The headers of the sections around this one, outermost first, markers included.
    pub parent_headers: Vec<String>,
    /// The size of the content; 0 if it was not counted.
    #[serde(default)]
    pub token_count: usize,
}

impl MarkdownSection<'_> {
    /// Returns the content without the header's lines and without white space at the ends.
    pub fn content_only(&self) -> &str {
        let first_line = self.content.find(LINE_ENDS).unwrap_or(self.content.len());
        let header = self.header_end().unwrap_or(first_line);
        self.content[header..].trim()
    }

    /// Checks a section that was made or changed by hand.
    ///
    /// # Errors
    ///
    /// The first rule that does not hold: the level is 1 to 6, the header is as many `#` and white
    /// space, the content is not empty and begins with the header (or with one in HTML, or is
    /// underlined, as setext headings are), the end line is after the start line.
    pub fn validate(&self) -> Result<(), InvalidMarkdown> {
        if !(1..=6).contains(&self.level) {
            let level = i64::from(self.level);
            return Err(InvalidMarkdown::SectionLevel { level });
        }
        let text = self.header.trim_start_matches('#');
        let markers = self.header.len() - text.len();
        if markers != usize::from(self.level) || !text.starts_with(char::is_whitespace) {
            return Err(InvalidMarkdown::HeaderFormat);
        }
        if self.content.is_empty() {
            return Err(InvalidMarkdown::EmptyContent);
        }
        let content = self.content.trim_start_matches(BLANKS);
        let begins_with_header = content.starts_with(self.header.trim_end_matches(BLANKS));
        if !begins_with_header && self.header_end().is_none() {
            return Err(InvalidMarkdown::HeaderFormat);
        }
        if self.end_line <= self.start_line {
            return Err(InvalidMarkdown::EndLine);
        }
        Ok(())
    }

    /// Returns where a header ends in the content that is not written with `#`.
    fn header_end(&self) -> Option<usize> {
        tags_end(&self.content, self.level).or_else(|| underline_end(&self.content))
    }
}

/// Writes a heading on one line with its markers.
pub(super) fn header(text: &str, heading: &Heading) -> String {
    let source = heading.span.of(text).trim_matches(BLANKS);
    let markers = "#".repeat(usize::from(heading.level));
    if is_atx(source) && source.len() > markers.len() {
        return source.to_string();
    }
    format!("{markers} {}", heading.title)
}

/// The text around the lines of a heading.
const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

/// What ends a line in `CommonMark`.
const LINE_ENDS: [char; 2] = ['\n', '\r'];

/// Returns whether a content begins with an ATX heading, not with the text of a setext heading.
fn is_atx(content: &str) -> bool {
    let first = content.trim_start_matches(BLANKS).split(LINE_ENDS).next();
    first.is_some_and(is_heading)
}

/// Returns where the heading of a content ends, if it is a setext heading, which has an underline.
fn underline_end(content: &str) -> Option<usize> {
    if is_atx(content) {
        return None;
    }
    let mut end = 0;
    let mut lines = content.split_inclusive(LINE_ENDS).map(|line| {
        end += line.len();
        (line.trim(), end)
    });
    let is_run = |line: &str, mark| !line.is_empty() && line.chars().all(|char| char == mark);
    let underline = lines.find(|&(line, _)| is_run(line, '=') || is_run(line, '-'));
    underline.map(|(_, end)| end)
}

/// Returns where the heading of a content ends, if it is one in HTML, to the end of its line.
fn tags_end(content: &str, level: u8) -> Option<usize> {
    if !content.trim_start_matches(BLANKS).starts_with('<') {
        return None;
    }
    let lower = content.to_ascii_lowercase();
    let open = lower.find(&format!("<h{level}"))?;
    let close = open + lower[open..].find(&format!("</h{level}"))?;
    let has_blank_line = lower[..close].trim_start_matches(BLANKS).contains("\n\n");
    let rest = &content[close..];
    let end = close + rest.find(LINE_ENDS).unwrap_or(rest.len());
    (!has_blank_line).then_some(end)
}

/// A section as it is written down, before its rules are checked.
#[derive(Deserialize)]
struct Raw {
    header: String,
    header_text: String,
    level: i64,
    content: String,
    start_line: i64,
    end_line: i64,
    parent_headers: Vec<String>,
    #[serde(default)]
    token_count: usize,
}

impl TryFrom<Raw> for MarkdownSection<'_> {
    type Error = InvalidMarkdown;

    fn try_from(raw: Raw) -> Result<Self, InvalidMarkdown> {
        let level = raw.level;
        let section = Self {
            level: u8::try_from(level).map_err(|_| InvalidMarkdown::SectionLevel { level })?,
            start_line: usize::try_from(raw.start_line).map_err(|_| InvalidMarkdown::StartLine)?,
            end_line: usize::try_from(raw.end_line).map_err(|_| InvalidMarkdown::EndLine)?,
            header: raw.header,
            header_text: raw.header_text,
            content: Cow::Owned(raw.content),
            parent_headers: raw.parent_headers,
            token_count: raw.token_count,
        };
        section.validate().map(|()| section)
    }
}
