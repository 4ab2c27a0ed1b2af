//! The headings of Gemtext and Djot: lines that begin with `#`.

use sectile_core::Span;

use super::Structure;
use crate::markup::{Line, clipped, heading};

/// How many signs begin code.
const FENCE: usize = 3;

/// The deepest heading of Gemtext.
const DEEPEST: usize = 3;

/// Reads lines of Gemtext. What stands between lines of three backticks is no heading.
pub(super) fn gemtext(lines: &[Line]) -> Structure {
    let mut found = Structure::default();
    let mut is_code = false;
    for line in lines {
        is_code ^= line.text.starts_with("```");
        let signs = signs(line.text, '#');
        if is_code || signs == 0 {
            continue;
        }
        // Further signs are a part of the title.
        let level = signs.min(DEEPEST);
        let title = clipped(&line.text[level..]);
        if !title.is_empty() {
            found.outline.push(heading(level, title, line.span));
        }
    }
    found
}

/// Reads lines of Djot. A heading begins a block, and goes on up to a blank line or a line that begins another block.
pub(super) fn djot(lines: &[Line]) -> Structure {
    let mut found = Structure::default();
    let mut fence: Option<(char, usize)> = None;
    let mut begins = true;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        let of_line = fence_of(line.text);
        if let Some((sign, length)) = fence {
            let closes = of_line.is_some_and(|(own, is_bare)| {
                own == sign && is_bare && signs(line.text.trim_start(), sign) >= length
            });
            if closes {
                fence = None;
                begins = true;
            }
        } else if let Some((sign, _)) = of_line.filter(|_| begins) {
            fence = Some((sign, signs(line.text.trim_start(), sign)));
        } else if let Some(level) = level(line.text).filter(|_| begins) {
            let behind = &lines[at..];
            let goes_on = |line: &&Line| !line.is_blank() && !begins_block(line.text, level);
            let length = behind.iter().take_while(goes_on).count();
            let whole = &lines[at - 1..at + length];
            let title: Vec<&str> = whole.iter().map(|line| title(line.text, level)).collect();
            let title = plain(clipped(&title.join(" ")));
            let span = Span::new(line.span.start, whole[length].span.end);
            if !title.trim().is_empty() {
                found.outline.push(heading(level, &title, span));
            }
            at += length;
        } else {
            begins = line.is_blank() || is_beside_text(line.text);
        }
    }
    found
}

/// Returns how often a text begins with a sign.
fn signs(text: &str, sign: char) -> usize {
    text.chars().take_while(|own| *own == sign).count()
}

/// Returns the sign of a line that begins or ends code, and whether nothing stands behind it.
fn fence_of(line: &str) -> Option<(char, bool)> {
    let line = line.trim_start();
    let sign = line.chars().next().filter(|sign| "`~".contains(*sign))?;
    let rest = line.trim_start_matches(sign);
    let is_fence = line.len() - rest.len() >= FENCE && !rest.contains(sign);
    is_fence.then_some((sign, rest.is_empty()))
}

/// Returns the level of the heading that a line begins, which may be indented.
fn level(line: &str) -> Option<usize> {
    let line = line.trim_start();
    let level = signs(line, '#');
    let is_heading = level > 0 && line[level..].starts_with([' ', '\t']);
    is_heading.then_some(level)
}

/// Returns what a line of a heading says. Its signs may stand in each line.
fn title(line: &str, level: usize) -> &str {
    let line = line.trim();
    let own = line.get(level..);
    let has_signs = signs(line, '#') == level;
    own.filter(|_| has_signs).unwrap_or(line).trim()
}

/// Returns whether a line begins a block behind a heading of a level: another heading, code, a list, a quotation, a table or
/// the border of a division.
fn begins_block(line: &str, of_heading: usize) -> bool {
    let line = line.trim_start();
    let is_other_heading = level(line).is_some_and(|level| level != of_heading);
    let mark = line.split_whitespace().next().unwrap_or_default();
    let number = mark.strip_suffix(['.', ')']).unwrap_or_default();
    let is_number = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    is_other_heading
        || is_number
        || matches!(mark, "-" | "+" | "*" | ":" | ">" | "***" | "---")
        || line.starts_with('|') && line.ends_with('|')
        || fence_of(line).is_some()
        || is_beside_text(line)
}

/// Returns whether a line is no text, as attributes and the borders of a division are, so that a block begins below it.
fn is_beside_text(line: &str) -> bool {
    let line = line.trim();
    is_border(line) || line.starts_with('{') && line.ends_with('}')
}

/// Returns whether a line begins or ends a division.
fn is_border(line: &str) -> bool {
    line.trim_start().starts_with(":::")
}

/// Returns a title without marks of emphasis and code, attributes and addresses, and escaped signs as themselves.
fn plain(title: &str) -> String {
    let mut text = String::with_capacity(title.len());
    let mut rest = title;
    while let Some(letter) = rest.chars().next() {
        let behind = &rest[letter.len_utf8()..];
        let until = |close: char| behind.split_once(close).map(|(_, rest)| rest);
        let is_within_word =
            text.ends_with(char::is_alphanumeric) && behind.starts_with(char::is_alphanumeric);
        rest = match letter {
            '\\' => {
                let mut signs = behind.chars();
                text.extend(signs.next());
                signs.as_str()
            }
            '{' => until('}').unwrap_or(behind),
            ']' if behind.starts_with('(') => until(')').unwrap_or(behind),
            '[' | ']' | '`' => behind,
            '*' | '_' if !is_within_word => behind,
            _ => {
                text.push(letter);
                behind
            }
        };
    }
    text
}
