//! The files that a reStructuredText includes.

use crate::markup::{Line, NotFollowed};

/// Directives that include the file that they name.
const INCLUDES: [&str; 2] = ["include", "literalinclude"];

/// Directives whose content is text like any other.
const PARSED: [&str; 22] = [
    "admonition",
    "attention",
    "caution",
    "class",
    "compound",
    "container",
    "danger",
    "deprecated",
    "error",
    "hint",
    "ifconfig",
    "important",
    "list-table",
    "note",
    "only",
    "seealso",
    "sidebar",
    "tip",
    "topic",
    "versionadded",
    "versionchanged",
    "warning",
];

/// Finds the files that directives include, and the entries of tables of contents.
pub(super) fn find(lines: &[Line<'_>]) -> NotFollowed {
    let mut found = NotFollowed::default();
    let mut inside = Inside::Text;
    for line in lines.iter().filter(|line| !line.is_blank()) {
        let indent = line.indent();
        match inside {
            Inside::Literal(below) if indent > below => continue,
            Inside::Toctree(below) if indent > below => {
                add_entry(line.text.trim(), &mut found);
                continue;
            }
            _ => inside = Inside::Text,
        }
        let Some(markup) = line.text.trim_start().strip_prefix(".. ") else {
            if line.text.ends_with("::") {
                inside = Inside::Literal(indent);
            }
            continue;
        };
        inside = match markup.split_once("::") {
            Some(("toctree", _)) => Inside::Toctree(indent),
            Some((name, argument)) if INCLUDES.contains(&name) => {
                found.add(argument);
                Inside::Literal(indent)
            }
            Some((name, _)) if PARSED.contains(&name) || name.contains(':') => Inside::Text,
            _ if markup.starts_with('[') => Inside::Text,
            _ => Inside::Literal(indent),
        };
    }
    found
}

/// What the lines that are indented further belong to.
#[derive(Clone, Copy)]
enum Inside {
    Text,
    Literal(usize),
    Toctree(usize),
}

/// Adds the document of an entry: `Title <document>`, or its name alone.
fn add_entry(entry: &str, found: &mut NotFollowed) {
    let target = entry
        .strip_suffix('>')
        .and_then(|rest| rest.rsplit_once('<'));
    if !entry.starts_with([':', '.']) || entry.starts_with("../") {
        found.add(target.map_or(entry, |(_, target)| target));
    }
}
