//! The headings of the manual of R: files of a page each, in the markup of R's documentation.

use sectile_core::Span;

use super::{Structure, split_name};
use crate::markup::{Line, heading};

/// The sections that pages have, and how R shows their names.
const SECTIONS: [(&str, &str); 12] = [
    ("arguments", "Arguments"),
    ("author", "Author(s)"),
    ("description", "Description"),
    ("details", "Details"),
    ("examples", "Examples"),
    ("format", "Format"),
    ("note", "Note"),
    ("references", "References"),
    ("seealso", "See Also"),
    ("source", "Source"),
    ("usage", "Usage"),
    ("value", "Value"),
];

/// Commands that hold titles, by the levels of these.
const TITLES: [(&str, usize); 3] = [("title", 1), ("section", 2), ("subsection", 3)];

/// The longest source of a title that is read, in bytes.
const LONGEST: usize = 1_500;

/// Reads the lines of a text, if it names a page.
pub(super) fn read(text: &str, lines: &[Line]) -> Option<Structure> {
    let mut found = Structure::default();
    let mut is_page = false;
    let mut end = 0;
    for (at, line) in lines.iter().enumerate() {
        let Some(command) = command(line.text).filter(|_| line.span.start >= end) else {
            continue;
        };
        is_page |= command == "name";
        let titled = TITLES.iter().find(|(name, _)| *name == command);
        let named = SECTIONS.iter().find(|(name, _)| *name == command);
        if let Some((_, level)) = titled {
            // The command stands between a backslash and a brace.
            let start = line.span.start + command.len() + 2;
            let argument = argument(&text[start..]);
            let behind = start + argument.len();
            let last = lines[at..].iter().find(|line| line.span.end > behind);
            end = last.map_or(text.len(), |line| line.span.end);
            let title = plain(argument);
            if !title.trim().is_empty() {
                let span = Span::new(line.span.start, end);
                found.outline.push(heading(*level, &title, span));
            }
        } else if let Some((_, title)) = named {
            found.outline.push(heading(2, title, line.span));
        }
    }
    is_page.then_some(found)
}

/// Returns the command that a line begins with.
fn command(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('\\')?;
    let end = rest.find(|letter: char| !letter.is_ascii_alphabetic())?;
    let (name, rest) = rest.split_at(end);
    rest.starts_with('{').then_some(name)
}

/// Returns what stands before the brace that closes an argument, which may have several lines.
fn argument(rest: &str) -> &str {
    let rest = &rest[..rest.floor_char_boundary(LONGEST)];
    let mut depth = 1_usize;
    let mut letters = rest.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => {
                letters.next();
            }
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &rest[..at];
        }
    }
    rest
}

/// Returns a title without commands: what they mark stays, and so do signs that are written with one.
fn plain(title: &str) -> String {
    let mut text = String::with_capacity(title.len());
    let mut rest = title;
    while let Some(at) = rest.find(['\\', '{', '}', '%']) {
        let (before, behind) = rest.split_at(at);
        text.push_str(before);
        let is_command = behind.starts_with('\\');
        if behind.starts_with('%') {
            rest = behind.find('\n').map_or("", |end| &behind[end..]);
            continue;
        }
        rest = &behind[1..];
        if !is_command {
            continue;
        }
        let (name, behind) = split_name(rest);
        rest = behind;
        match name {
            "dots" | "ldots" => text.push('…'),
            "R" => text.push('R'),
            "" => {
                let mut signs = behind.chars();
                text.extend(signs.next());
                rest = signs.as_str();
            }
            // `\link[package]{name}`
            _ => rest = without_option(behind),
        }
    }
    text.push_str(rest);
    text
}

fn without_option(text: &str) -> &str {
    let option = text.strip_prefix('[').and_then(|text| text.split_once(']'));
    option.map_or(text, |(_, rest)| rest)
}
