//! Stop words in headings that say which of several things is asked for: `When not to use it`.

use super::{headings, introductions};
use crate::{FoundChunk, Query};

/// What a section gains whose heading has all words of the question and all such stop words, as a part of its score, where
/// it is compared with others: with some of these it gains less.
const GAIN: f64 = 1.0 / 3.0;

/// Returns what a chunk scores among others for a question with such stop words, by how many of them its own heading has
/// beside all words that rank.
pub(super) fn with_gain(
    score: f64,
    chunk: &FoundChunk,
    qualifiers: &[String],
    query: &Query,
) -> f64 {
    let Some(heading) = chunk.heading_path.last().filter(|_| !qualifiers.is_empty()) else {
        return score;
    };
    let heading = headings::words(heading);
    let words = qualifiers
        .iter()
        .filter(|of| heading.split(' ').any(|word| word == of.as_str()));
    let has = words.count();
    if has == 0 || !introductions::is_headed(chunk, query) {
        return score;
    }
    score * (1.0 + GAIN * has as f64 / qualifiers.len() as f64)
}
