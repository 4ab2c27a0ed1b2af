//! BM25, with the parameters of SQLite's FTS5
//! (<https://www.sqlite.org/fts5.html#the_bm25_function>).

use rustc_hash::{FxHashMap, FxHashSet};

/// How much a term of the heading path counts, where one of the text counts 1.
const PATH_WEIGHT: f64 = 5.0;

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// What a term scores at least that is in more than half of the chunks.
const LEAST_IDF: f64 = 1e-6;

/// A chunk: the place of its collection in a list, its document, its number.
pub(super) type Key = (u32, u64, u64);

/// How often a chunk holds a sequence of terms, and how long it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match {
    pub(super) chunk: Key,
    pub(super) in_path: u64,
    pub(super) in_text: u64,
    pub(super) length: u64,
}

/// What is known of a sequence of terms.
#[derive(Clone, Debug, Default)]
pub(super) struct Matches {
    /// How many chunks of the store hold it.
    pub(super) chunks: u64,
    /// Those in the scope of the search.
    pub(super) found: Vec<Match>,
}

/// How much the store holds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Size {
    pub(super) chunks: u64,
    pub(super) terms: u64,
}

/// What is searched for.
#[derive(Debug, Default)]
pub(super) struct Parts<'m> {
    /// A chunk must hold one of these.
    pub(super) any: Vec<&'m Matches>,
    /// And all of these, which count once more.
    pub(super) required: Vec<&'m Matches>,
    /// And none of these.
    pub(super) excluded: Vec<&'m Matches>,
}

/// Returns the chunks that match, each with its score, in no order.
pub(super) fn rank(parts: &Parts<'_>, size: Size) -> Vec<(Key, f64)> {
    let mut scores: FxHashMap<Key, f64> = parts
        .any
        .iter()
        .flat_map(|matches| &matches.found)
        .map(|found| (found.chunk, 0.0))
        .collect();
    for matches in &parts.required {
        let held = chunks(matches);
        scores.retain(|chunk, _| held.contains(chunk));
    }
    for chunk in parts.excluded.iter().flat_map(|matches| &matches.found) {
        scores.remove(&chunk.chunk);
    }
    let average = size.terms as f64 / size.chunks as f64;
    for matches in parts.any.iter().chain(&parts.required) {
        let idf = idf(matches.chunks, size.chunks);
        for found in &matches.found {
            if let Some(score) = scores.get_mut(&found.chunk) {
                *score += idf * saturation(found, average);
            }
        }
    }
    scores.into_iter().collect()
}

fn chunks(matches: &Matches) -> FxHashSet<Key> {
    matches.found.iter().map(|found| found.chunk).collect()
}

fn idf(chunks: u64, all: u64) -> f64 {
    let (chunks, all) = (chunks as f64, all as f64);
    let idf = ((all - chunks + 0.5) / (chunks + 0.5)).ln();
    if idf <= 0.0 { LEAST_IDF } else { idf }
}

fn saturation(found: &Match, average: f64) -> f64 {
    let frequency = found.in_path as f64 * PATH_WEIGHT + found.in_text as f64;
    let length = found.length as f64;
    (frequency * (K1 + 1.0)) / (frequency + K1 * (1.0 - B + B * length / average))
}
