//! Sections that introduce what a question asks for: their subsections have their headings above them, and often its
//! words more often.

use std::collections::BTreeSet;

use crate::{Analyzer, FoundChunk, Query};

/// What a section scores at least, where a subsection that it comes before scores 1.
pub(super) const NEARLY_EQUAL: f64 = 0.85;

/// Returns whether a chunk is of a section somewhere below that of another.
pub(super) fn is_below(chunk: &FoundChunk, section: &FoundChunk) -> bool {
    let (path, above) = (&chunk.heading_path, &section.heading_path);
    chunk.document.id == section.document.id && path.len() > above.len() && path.starts_with(above)
}

/// Returns whether the heading of a chunk has all words of a question that rank.
pub(super) fn is_headed(chunk: &FoundChunk, query: &Query) -> bool {
    let Some(heading) = chunk.heading_path.last() else {
        return false;
    };
    let mut terms = BTreeSet::new();
    Analyzer::for_language(chunk.language).for_each(heading, |term, _| {
        terms.insert(term.to_owned());
    });
    query.is_held_by(&terms, chunk.language)
}
