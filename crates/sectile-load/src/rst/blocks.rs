//! The blocks of reStructuredText, as far as section titles need them told apart.
//!
//! The rules are those of docutils' state machine: what is indented belongs to the block above, and
//! a title is the first line of a text block with a line of one punctuation mark below.

use std::collections::HashMap;

use sectile_core::{Heading, Span};

use super::inline::{plain, substitutions};
use crate::markup::{Line, clipped, heading};

/// The shortest line that is a title's whatever the title's length.
const SURE_LENGTH: usize = 4;

/// Finds the section titles.
pub(super) fn outline(lines: &[Line<'_>]) -> Vec<Heading> {
    let mut reader = Reader {
        lines,
        at: 0,
        styles: Vec::new(),
        outline: Vec::new(),
        substitutions: substitutions(lines),
    };
    while reader.at < lines.len() {
        reader.block();
    }
    reader.outline
}

struct Reader<'l, 'a> {
    lines: &'l [Line<'a>],
    at: usize,
    /// The styles of titles so far, in the order of their levels: the mark, and whether it stands
    /// above the title, too.
    styles: Vec<(u8, bool)>,
    outline: Vec<Heading>,
    substitutions: HashMap<&'a str, &'a str>,
}

impl<'a> Reader<'_, 'a> {
    fn block(&mut self) {
        let line = self.lines[self.at];
        let text = line.text;
        if line.is_blank() || line.is_indented() || is_item(text) {
            self.at += 1;
        } else if starts_item(text, ">>>") {
            self.skip_while(|line| !line.is_blank());
        } else if is_grid_border(text) {
            self.skip_while(|line| line.text.starts_with(['+', '|']));
        } else if is_simple_border(text) {
            self.skip_simple_table();
        } else if is_run(text) {
            self.overline(text);
        } else {
            self.text(text);
        }
    }

    fn line(&self, after: usize) -> Option<&'a str> {
        self.lines.get(self.at + after).map(|line| line.text)
    }

    fn skip_while(&mut self, is_part: impl Fn(&Line<'_>) -> bool) {
        self.at += 1;
        while self.lines.get(self.at).is_some_and(&is_part) {
            self.at += 1;
        }
    }

    /// Skips a table without drawn columns: up to its second border, or one before a blank line.
    fn skip_simple_table(&mut self) {
        let top = self.lines[self.at].text.len();
        let mut borders = 0;
        let mut after_first = None;
        self.at += 1;
        while let Some(text) = self.line(0) {
            let is_before_blank = self.line(1).is_none_or(str::is_empty);
            self.at += 1;
            if text.starts_with('=') && text.bytes().all(|byte| matches!(byte, b'=' | b' ')) {
                borders += 1;
                if borders == 2 || is_before_blank || text.len() != top {
                    return;
                }
                after_first = Some(self.at);
            }
        }
        self.at = after_first.unwrap_or(self.at);
    }

    /// Reads what begins with a line of one mark: a title between two, or a transition.
    fn overline(&mut self, overline: &'a str) {
        let is_short = overline.len() < SURE_LENGTH;
        let title = self.line(1).unwrap_or_default();
        let length = match (title.is_empty(), self.line(2)) {
            (true, _) => 1,
            (false, _) if is_run(title) => 2,
            (false, None) => 2,
            (false, Some(underline)) if underline == overline => {
                if !(is_short && width(title) > overline.len()) {
                    self.title(title, (overline.as_bytes()[0], true), 3);
                    return;
                }
                3
            }
            (false, Some(_)) => 3,
        };
        if is_short {
            self.text(overline);
        } else {
            self.at += length;
        }
    }

    /// Reads a text block: a title with a line below, a term or a paragraph.
    fn text(&mut self, text: &'a str) {
        let below = self.line(1).unwrap_or_default();
        let is_long = below.len() >= SURE_LENGTH || width(text) <= below.len();
        if is_run(below) && is_long {
            self.title(text, (below.as_bytes()[0], false), 2);
            return;
        }
        self.skip_while(|line| !line.is_blank() && !line.is_indented());
        let last = self.lines[self.at - 1].text;
        let backslashes = last.trim_end_matches("::").bytes().rev();
        let escapes = backslashes.take_while(|&byte| byte == b'\\').count();
        if last.ends_with("::") && escapes % 2 == 0 {
            self.skip_quoted_literal();
        }
    }

    /// Skips a literal block of lines that all begin with one mark, if one follows.
    fn skip_quoted_literal(&mut self) {
        while self.line(0).is_some_and(str::is_empty) {
            self.at += 1;
        }
        let mark = self.line(0).and_then(|line| line.bytes().next());
        if let Some(mark) = mark.filter(u8::is_ascii_punctuation) {
            self.skip_while(|line| line.text.as_bytes().first() == Some(&mark));
        }
    }

    /// Adds the title that stands on the next `count` lines.
    fn title(&mut self, title: &str, style: (u8, bool), count: usize) {
        let known = self.styles.iter().position(|known| *known == style);
        let level = known.unwrap_or_else(|| {
            self.styles.push(style);
            self.styles.len() - 1
        });
        let start = self.lines[self.at].span.start;
        self.at += count;
        let span = Span::new(start, self.lines[self.at - 1].span.end);
        let title = plain(clipped(title), &self.substitutions);
        self.outline.push(heading(level + 1, &title, span));
    }
}

/// Returns whether a line is one punctuation mark, repeated.
fn is_run(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.first().is_some_and(u8::is_ascii_punctuation)
        && bytes.iter().all(|byte| *byte == bytes[0])
}

/// Returns whether a line begins a block whose other lines are indented.
fn is_item(text: &str) -> bool {
    let mut chars = text.chars();
    let is_bullet = chars.next().is_some_and(|char| "-+*•‣⁃".contains(char))
        && chars.next().is_none_or(|char| char == ' ');
    let is_explicit = ["..", "__", "|"].iter().any(|mark| starts_item(text, mark));
    is_bullet || is_explicit || field(text).is_some() || is_option(text)
}

fn starts_item(text: &str, mark: &str) -> bool {
    text.strip_prefix(mark)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// Returns the name and the first line of the value, if a line is a field.
pub(super) fn field(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix(':')?;
    if inner.starts_with([':', ' ']) {
        return None;
    }
    let bytes = inner.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'\\', _) => at += 1,
            (b':', None | Some(b' ')) if at > 0 && bytes[at - 1] != b' ' => {
                return Some((&inner[..at], inner[at + 1..].trim_start()));
            }
            (b':', None | Some(b' ' | b'`')) => return None,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns whether a line describes a command line option: two spaces part them.
fn is_option(text: &str) -> bool {
    let Some((options, description)) = text.split_once("  ") else {
        return false;
    };
    let is_one = |option: &str| {
        let name = option.trim_start_matches(['-', '+', '/']);
        let marks = option.len() - name.len();
        (1..=2).contains(&marks)
            && name.starts_with(|char: char| char.is_ascii_alphanumeric() || char == '?')
            && option.split([' ', '=']).count() <= 2
    };
    !description.trim().is_empty() && options.split(", ").all(is_one)
}

fn is_grid_border(text: &str) -> bool {
    text.len() > 3
        && text.starts_with("+-")
        && text.ends_with("-+")
        && text.bytes().all(|byte| matches!(byte, b'+' | b'-'))
}

fn is_simple_border(text: &str) -> bool {
    text.starts_with('=')
        && text.contains(' ')
        && text.bytes().all(|byte| matches!(byte, b'=' | b' '))
}

/// Returns the number of columns that a text takes; letters of East Asia take two.
fn width(text: &str) -> usize {
    let columns = |char: char| match u32::from(char) {
        0x300..=0x36F => 0,
        0x1100..=0x115F
        | 0x2E80..=0xA4CF
        | 0xAC00..=0xD7A3
        | 0xF900..=0xFAFF
        | 0xFE30..=0xFE6F
        | 0xFF00..=0xFF60
        | 0xFFE0..=0xFFE6
        | 0x1F300..=0x1FAFF
        | 0x20000..=0x3FFFD => 2,
        _ => 1,
    };
    text.chars().map(columns).sum()
}
