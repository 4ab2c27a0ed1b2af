//! The blocks of AsciiDoc, as far as section titles need them told apart.
//!
//! The rules are those of Asciidoctor: a title begins a block, and none stands between delimiters.

use sectile_core::{Heading, Metadata, Span};

use super::attributes::{Attributes, entry};
use super::inline::plain;
use crate::markup::{Fields, Line, NotFollowed, clipped, heading};

/// The marks under titles of two lines, from the first level on.
const UNDERLINES: [u8; 5] = *b"=-~^+";

/// Directives of the preprocessor that hold no text.
const CONDITIONS: [&str; 4] = ["ifdef::", "ifndef::", "ifeval::", "endif::"];

/// What was found.
#[derive(Default)]
pub(super) struct Reader<'a> {
    pub(super) outline: Vec<Heading>,
    pub(super) not_followed: NotFollowed,
    attributes: Attributes,
    /// The line that ends the block, if one is open.
    end: Option<&'a str>,
    /// Whether a block begins here; inside a paragraph there are no titles.
    is_start: bool,
    /// Whether the attributes of the next block make it a heading outside the sections.
    is_discrete: bool,
}

impl<'a> Reader<'a> {
    /// Reads all lines, and the header into `metadata`.
    pub(super) fn read(lines: &[Line<'a>], metadata: &mut Metadata) -> Self {
        let mut reader = Self {
            is_start: true,
            ..Self::default()
        };
        let mut at = 0;
        let mut header = Some(Header::new(metadata));
        while at < lines.len() {
            let count = reader.line(&lines[at..], &mut header);
            at += count;
        }
        reader
    }

    /// Reads what begins on the first of `lines`, and returns how many it takes.
    fn line(&mut self, lines: &[Line<'a>], header: &mut Option<Header<'_>>) -> usize {
        let text = lines[0].text;
        if let Some(end) = self.end {
            if text == end {
                (self.end, self.is_start) = (None, true);
            } else if !is_comment_block(end) {
                // The preprocessor knows no blocks, but that of a comment has no text.
                self.includes(text);
            }
            return 1;
        }
        if text.is_empty() {
            self.is_start = true;
            if header.as_ref().is_some_and(|header| header.has_title) {
                *header = None;
            }
            return 1;
        }
        if self.is_preprocessed(text) || is_comment(text) {
            return 1;
        }
        if self.is_start
            && let Some(count) = self.attribute(lines, header)
        {
            return count;
        }
        if let Some(header) = header.as_mut().filter(|header| header.has_title) {
            header.line(text);
            return 1;
        }
        if self.is_start
            && let Some((level, title, count)) = title(lines)
        {
            self.title(level, title, &lines[..count], header);
            return count;
        }
        self.block(text);
        if !self.is_start && !text.starts_with('[') {
            *header = None;
        }
        1
    }

    /// Returns whether a line is the preprocessor's.
    fn is_preprocessed(&mut self, text: &str) -> bool {
        if self.includes(text) {
            self.is_start = true;
            return true;
        }
        text.ends_with(']') && CONDITIONS.iter().any(|name| text.starts_with(name))
    }

    /// Returns whether a line includes a file, and notes its name.
    fn includes(&mut self, text: &str) -> bool {
        let target = text
            .strip_prefix("include::")
            .filter(|_| text.ends_with(']'))
            .and_then(|rest| rest.split_once('['));
        if let Some((target, _)) = target {
            self.not_followed.add(&self.attributes.resolve(target));
        }
        target.is_some()
    }

    /// Sets the attribute that is defined here, on one line or several.
    fn attribute(&mut self, lines: &[Line<'a>], header: &mut Option<Header<'_>>) -> Option<usize> {
        let (name, first) = entry(lines[0].text)?;
        let mut value = first.to_owned();
        let mut count = 1;
        while let Some(start) = value.strip_suffix(" \\") {
            let next = lines.get(count).filter(|line| !line.is_blank());
            let Some(next) = next else { break };
            value.truncate(start.len());
            value.push(' ');
            value.push_str(next.text.trim());
            count += 1;
        }
        if name == "leveloffset" {
            let old: i32 = self.offset();
            let number: i32 = value.parse().unwrap_or_default();
            let is_relative = value.starts_with(['+', '-']);
            let offset = if is_relative {
                old.saturating_add(number)
            } else {
                number
            };
            value = offset.to_string();
        }
        self.attributes.set(name, &value);
        if let Some(header) = header {
            header.attribute(name, self.attributes.get(name).unwrap_or_default());
        }
        Some(count)
    }

    fn offset(&self) -> i32 {
        let offset = self.attributes.get("leveloffset").unwrap_or_default();
        offset.parse().unwrap_or_default()
    }

    fn title(
        &mut self,
        level: usize,
        source: &str,
        lines: &[Line<'_>],
        header: &mut Option<Header<'_>>,
    ) {
        if std::mem::take(&mut self.is_discrete) {
            return;
        }
        let level = i32::try_from(level)
            .unwrap_or(5)
            .saturating_add(self.offset());
        let level = usize::try_from(level.max(0)).unwrap_or_default();
        let source = self.attributes.resolve(clipped(source));
        let span = Span::new(lines[0].span.start, lines[lines.len() - 1].span.end);
        let found = heading(level + 1, &plain(&source), span);
        match header {
            Some(header) if level == 0 => header.title(&found.title),
            _ => *header = None,
        }
        self.outline.push(found);
    }

    /// Reads a line of another block.
    fn block(&mut self, text: &'a str) {
        if let Some(end) = delimiter(text) {
            (self.end, self.is_discrete) = (Some(end), false);
        } else if is_attribute_line(text) {
            self.is_start = true;
            let style = text[1..].split([',', ']', '#', '.', '%']).next();
            self.is_discrete |= matches!(style.map(str::trim), Some("discrete" | "float"));
        } else if self.is_start {
            let is_whole = is_break(text) || is_macro(text);
            let is_block_title = text
                .strip_prefix('.')
                .map(|rest| rest.strip_prefix('.').unwrap_or(rest))
                .is_some_and(|rest| !rest.is_empty() && !rest.starts_with([' ', '\t', '.']));
            self.is_start = is_whole || is_block_title;
            self.is_discrete &= is_block_title;
        }
    }
}

/// The header of a document, while it is read.
struct Header<'m> {
    fields: Fields<'m>,
    has_title: bool,
    /// How many lines below the title were read.
    count: usize,
}

impl<'m> Header<'m> {
    fn new(metadata: &'m mut Metadata) -> Self {
        Self {
            fields: Fields::new(metadata),
            has_title: false,
            count: 0,
        }
    }

    fn title(&mut self, title: &str) {
        self.fields.set("title", title);
        self.has_title = true;
    }

    fn attribute(&mut self, name: &str, value: &str) {
        match name {
            "leveloffset" => {}
            "revdate" => self.fields.set("date", value),
            _ if name.contains('!') => {}
            _ => self.fields.set(name, value),
        }
    }

    /// Reads the line of authors or, below it, the line of the revision.
    fn line(&mut self, text: &str) {
        self.count += 1;
        match self.count {
            1 => {
                let authors: Vec<String> = text.split(';').map(author).collect();
                self.fields.set("author", &authors.join(", "));
            }
            2 => self.revision(text),
            _ => {}
        }
    }

    /// Reads `v1.0, 2026-11-23: remark`, of which parts may be missing.
    fn revision(&mut self, text: &str) {
        let (text, remark) = text.split_once(": ").unwrap_or((text, ""));
        let is_number = |text: &str| text.starts_with('v') && !text.contains(' ');
        let (number, date) = match text.split_once(',') {
            Some((number, date)) if number.contains(|char: char| char.is_ascii_digit()) => {
                (number, date)
            }
            _ if is_number(text) => (text, ""),
            _ => ("", text),
        };
        for (name, value) in [("revnumber", number), ("date", date), ("revremark", remark)] {
            let value = value.trim().trim_start_matches('v');
            if !value.is_empty() {
                self.fields.set(name, value);
            }
        }
    }
}

/// Returns the name of an author without the address.
fn author(text: &str) -> String {
    let name = text.split('<').next().unwrap_or_default();
    name.trim().replace('_', " ")
}

/// Returns the level from 0, the source and the number of lines of the title that begins here.
fn title<'a>(lines: &[Line<'a>]) -> Option<(usize, &'a str, usize)> {
    let text = lines[0].text;
    if let Some((level, title)) = title_of_one_line(text) {
        return Some((level, title, 1));
    }
    let underline = lines.get(1)?.text;
    let mark = *underline.as_bytes().first()?;
    let level = UNDERLINES.iter().position(|&known| known == mark)?;
    let is_run = underline.bytes().all(|byte| byte == mark);
    let is_title =
        !text.starts_with('.') && !is_attribute_line(text) && text.contains(char::is_alphanumeric);
    let is_fit = is_run && text.chars().count().abs_diff(underline.len()) < 2;
    (is_title && is_fit).then_some((level, text, 2))
}

fn title_of_one_line(text: &str) -> Option<(usize, &str)> {
    let mark = text
        .chars()
        .next()
        .filter(|mark| matches!(mark, '=' | '#'))?;
    let rest = text.trim_start_matches(mark);
    let (marks, title) = (text.len() - rest.len(), rest.trim_start());
    if !(1..=6).contains(&marks) || title.is_empty() || title.len() == rest.len() {
        return None;
    }
    let bare = title.strip_suffix(&text[..marks]);
    let bare = bare.filter(|bare| bare.ends_with([' ', '\t']));
    Some((marks - 1, bare.map_or(title, str::trim_end)))
}

fn is_comment(text: &str) -> bool {
    text.starts_with("//") && !text.starts_with("///")
}

/// Returns whether a block that this line ends is a comment.
fn is_comment_block(end: &str) -> bool {
    end.starts_with("////")
}

/// Returns the line that ends the block, if this line opens one.
fn delimiter(text: &str) -> Option<&str> {
    if text == "--" {
        return Some("--");
    }
    if text.starts_with("```") {
        return (!text.starts_with("````")).then_some("```");
    }
    let bytes = text.as_bytes();
    let (first, rest) = bytes.split_first().filter(|_| bytes.len() >= 4)?;
    let tail = match first {
        b'-' | b'.' | b'=' | b'*' | b'_' | b'+' | b'/' => *first,
        b'|' | b',' | b':' | b'!' => b'=',
        _ => return None,
    };
    rest.iter().all(|byte| *byte == tail).then_some(text)
}

fn is_attribute_line(text: &str) -> bool {
    let Some(inner) = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
    else {
        return false;
    };
    let is_start = |char: char| char.is_alphanumeric() || "_.#%{,\"'".contains(char);
    let anchor = inner
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    inner.is_empty() || inner.starts_with(is_start) || anchor.is_some()
}

fn is_break(text: &str) -> bool {
    let marks: String = text.chars().filter(|char| *char != ' ').take(4).collect();
    text.starts_with("'''") || text.starts_with("<<<") || matches!(&*marks, "---" | "***" | "___")
}

/// Returns whether a line is a block macro, such as `image::map.png[]`.
fn is_macro(text: &str) -> bool {
    let name = text.split_once("::").map(|(name, _)| name);
    let is_name = |name: &str| {
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    text.ends_with(']') && text.contains('[') && name.is_some_and(is_name)
}
