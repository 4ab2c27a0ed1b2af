//! The files that a reStructuredText includes.

use crate::markup::{Line, NotFollowed};

/// Directives that include the file that they name.
const INCLUDES: [&str; 2] = ["include", "literalinclude"];

/// Directives whose content is in a file if an option names one.
const OF_FILES: [&str; 2] = ["csv-table", "raw"];

/// Options that name such a file.
const FILE_OPTIONS: [&str; 2] = [":file:", ":url:"];

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

/// Finds the files that directives include. The documents that a table of contents lists stand beside the text,
/// not in it.
pub(super) fn find(lines: &[Line<'_>]) -> NotFollowed {
    let mut found = NotFollowed::default();
    let mut inside = Inside::Text;
    for line in lines {
        if line.is_blank() {
            // The content begins behind a blank line.
            if let Inside::Options(below) = inside {
                inside = Inside::Literal(below);
            }
            continue;
        }
        let indent = line.indent();
        match inside {
            // A title may go on here, before the options.
            Inside::Options(below) if indent > below => {
                let option = line.text.trim_start();
                let mut names = FILE_OPTIONS.iter();
                if let Some(file) = names.find_map(|name| option.strip_prefix(name)) {
                    found.add(file);
                }
                continue;
            }
            Inside::Literal(below) if indent > below => continue,
            _ => inside = Inside::Text,
        }
        let Some(markup) = line.text.trim_start().strip_prefix(".. ") else {
            if line.text.ends_with("::") {
                inside = Inside::Literal(indent);
            }
            continue;
        };
        inside = match markup.split_once("::") {
            Some((name, argument)) if INCLUDES.contains(&name) => {
                found.add(argument);
                Inside::Literal(indent)
            }
            Some((name, _)) if OF_FILES.contains(&name) => Inside::Options(indent),
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
    /// The options of a directive, before its content.
    Options(usize),
}
