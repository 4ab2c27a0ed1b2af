//! The link definitions of Markdown.

use std::collections::HashSet;

use pulldown_cmark::Parser;

use crate::line_run::{DIALECT, Kind, LineRun, LineRuns};

/// Returns those of `labels` that the text from `body` on defines.
pub(super) fn definitions(text: &str, body: usize, labels: &HashSet<String>) -> HashSet<String> {
    let mut defined = HashSet::new();
    if !has_definitions(&text[body..]) {
        return defined;
    }
    for run in LineRuns::new(text, body) {
        add_definitions(text, run, &mut defined);
    }
    defined.retain(|label| labels.contains(label));
    defined
}

/// Adds the labels that a run defines.
pub(super) fn add_definitions(text: &str, run: LineRun, defined: &mut HashSet<String>) {
    let part = run.span.of(text);
    if run.kind != Kind::Fence && has_definitions(part) {
        let parser = Parser::new_ext(part, DIALECT);
        let found = parser.reference_definitions().iter();
        defined.extend(found.map(|(label, _)| normalized(label)));
    }
}

/// Returns whether a text has the sign of a link definition.
fn has_definitions(part: &str) -> bool {
    memchr::memmem::find(part.as_bytes(), b"]:").is_some()
}

/// Writes a label as all labels are written that match it.
pub(super) fn normalized(label: &str) -> String {
    let words: Vec<_> = label.split_whitespace().collect();
    words.join(" ").to_lowercase()
}
