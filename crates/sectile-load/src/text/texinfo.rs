//! The headings of Texinfo, and the files that it includes.

use super::{Structure, split_name};
use crate::markup::{Line, clipped, heading, short};

/// Commands that begin a part of a document, by how deep it is.
const PARTS: [&[&str]; 4] = [
    &[
        "appendix",
        "chapheading",
        "chapter",
        "majorheading",
        "part",
        "top",
        "unnumbered",
    ],
    &[
        "appendixsec",
        "appendixsection",
        "heading",
        "section",
        "unnumberedsec",
    ],
    &[
        "appendixsubsec",
        "subheading",
        "subsection",
        "unnumberedsubsec",
    ],
    &[
        "appendixsubsubsec",
        "subsubheading",
        "subsubsection",
        "unnumberedsubsubsec",
    ],
];

/// What holds no text of the document, up to its `@end`.
const OTHER: [&str; 9] = [
    "docbook", "html", "ignore", "latex", "macro", "rmacro", "tex", "verbatim", "xml",
];

/// Reads lines of Texinfo.
pub(super) fn read(lines: &[Line]) -> Structure {
    let mut found = Structure::default();
    let mut within: Option<&str> = None;
    for line in lines {
        let Some((command, rest)) = command(line.text) else {
            continue;
        };
        if let Some(other) = within {
            let is_end = command == "end" && rest.split_whitespace().next() == Some(other);
            within = (!is_end).then_some(other);
            continue;
        }
        match command {
            "bye" => break,
            "include" => found.not_followed.add(rest),
            "settitle" => found.title = Some(short(&plain(clipped(rest)))),
            _ if OTHER.contains(&command) => within = Some(command),
            _ => {}
        }
        let level = PARTS.iter().position(|names| names.contains(&command));
        if let Some(level) = level {
            let title = plain(clipped(rest));
            if !title.trim().is_empty() {
                found.outline.push(heading(level + 1, &title, line.span));
            }
        }
    }
    found.title = found.title.filter(|title| !title.is_empty());
    found
}

/// Returns the command that a line begins with, and what stands behind it.
fn command(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start().strip_prefix('@')?;
    let (command, rest) = split_name(line);
    let is_one = !command.is_empty() && !rest.starts_with('{');
    is_one.then(|| (command, rest.trim()))
}

/// Returns a title without commands: what they mark stays, and so do signs that are written with one.
fn plain(title: &str) -> String {
    let mut text = String::with_capacity(title.len());
    let mut rest = title;
    while let Some(at) = rest.find(['@', '{', '}']) {
        text.push_str(&rest[..at]);
        let is_command = rest[at..].starts_with('@');
        rest = &rest[at + 1..];
        if !is_command {
            continue;
        }
        let (name, behind) = split_name(rest);
        rest = behind;
        match name {
            "c" | "comment" => return text,
            "dots" | "enddots" => text.push('…'),
            "LaTeX" | "TeX" => text.push_str(name),
            "" => {
                let mut signs = behind.chars();
                text.extend(signs.next().filter(|sign| "@{} ".contains(*sign)));
                rest = signs.as_str();
            }
            _ => {}
        }
    }
    text.push_str(rest);
    text
}
