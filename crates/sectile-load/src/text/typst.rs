//! The headings of Typst, and the files that it includes.

use super::Structure;
use crate::markup::{Line, clipped, heading};

/// How many backticks begin code of several lines.
const FENCE: usize = 3;

/// Reads lines of Typst. What stands in code between backticks, in comments and in formulas is no heading.
pub(super) fn read(lines: &[Line]) -> Structure {
    let mut found = Structure::default();
    let mut place = Place::default();
    for line in lines {
        if place.is_text() {
            if let Some((level, title)) = title(line.text) {
                let title = plain(clipped(title));
                if !title.trim().is_empty() {
                    found.outline.push(heading(level, &title, line.span));
                }
            }
            if let Some(name) = included(line.text) {
                found.not_followed.add(name);
            }
        }
        place.pass(line.text);
    }
    found
}

/// Where a line stands.
#[derive(Debug, Default)]
struct Place {
    /// How many backticks the code around begins with.
    fence: usize,
    /// How many comments are open.
    comments: usize,
    is_in_formula: bool,
}

impl Place {
    fn is_text(&self) -> bool {
        self.fence == 0 && self.comments == 0 && !self.is_in_formula
    }

    /// Goes to the end of a line. A formula ends at a blank line, as a dollar sign in a string begins none.
    fn pass(&mut self, line: &str) {
        self.is_in_formula &= !line.trim().is_empty();
        let bytes = line.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let rest = &bytes[at..];
            let ticks = rest.iter().take_while(|byte| **byte == b'`').count();
            let begins = at == 0 || bytes[at - 1].is_ascii_whitespace();
            at += match rest {
                _ if self.fence > 0 => {
                    if ticks >= self.fence {
                        self.fence = 0;
                    }
                    ticks.max(1)
                }
                [b'*', b'/', ..] if self.comments > 0 => {
                    self.comments -= 1;
                    2
                }
                [b'/', b'*', ..] if self.comments > 0 || begins => {
                    self.comments += 1;
                    2
                }
                _ if self.comments > 0 => 1,
                // An address has slashes, too.
                [b'/', b'/', ..] if at == 0 || bytes[at - 1] != b':' => break,
                [b'\\', ..] => 2,
                [b'$', ..] => {
                    self.is_in_formula = !self.is_in_formula;
                    1
                }
                [b'`', ..] => {
                    self.fence = if ticks == 2 { 0 } else { ticks };
                    ticks
                }
                _ => 1,
            };
        }
        if self.fence < FENCE {
            self.fence = 0;
        }
    }
}

/// Returns the level and the title of a heading, without its label and a comment behind it.
fn title(line: &str) -> Option<(usize, &str)> {
    let line = line.trim_start();
    let title = line.trim_start_matches('=');
    let level = line.len() - title.len();
    if level == 0 || !title.starts_with([' ', '\t']) {
        return None;
    }
    let title = title.split_once(" //").map_or(title, |(title, _)| title);
    Some((level, without_label(title.trim())))
}

fn without_label(title: &str) -> &str {
    let label = title
        .strip_suffix('>')
        .and_then(|title| title.rsplit_once('<'));
    let is_sign = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '-' | ':' | '.');
    match label {
        Some((title, label)) if !label.is_empty() && label.chars().all(is_sign) => title.trim_end(),
        _ => title,
    }
}

/// Returns the name of the file that a line includes.
fn included(line: &str) -> Option<&str> {
    let file = line.trim_start().strip_prefix("#include")?;
    let (name, _) = file.trim_start().strip_prefix('"')?.split_once('"')?;
    Some(name)
}

/// Returns a title without marks of emphasis, and escaped signs as themselves.
fn plain(title: &str) -> String {
    let mut text = String::with_capacity(title.len());
    let mut letters = title.chars().peekable();
    let mut before = ' ';
    while let Some(letter) = letters.next() {
        let is_within_word =
            before.is_alphanumeric() && letters.peek().is_some_and(|next| next.is_alphanumeric());
        match letter {
            '\\' => text.extend(letters.next()),
            '`' => {}
            '*' | '_' if !is_within_word => {}
            '~' => text.push(' '),
            _ => text.push(letter),
        }
        before = letter;
    }
    text
}
