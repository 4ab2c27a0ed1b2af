//! BM25, with the parameters of SQLite's FTS5
//! (<https://www.sqlite.org/fts5.html#the_bm25_function>).

use super::postings::{Occurrence, read_entry};
use super::terms::{IndexedSegment, Matches};
use crate::Result;

/// How much a term of the heading path counts, where one of the text counts 1.
const PATH_WEIGHT: f64 = 5.0;

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// What a term scores at least that is in more than half of the chunks.
const LEAST_IDF: f64 = 1e-6;

/// The candidates are thinned out when there are so many times as many as are wanted, or so many.
const THINNED: (usize, usize) = (4, 4_096);

/// A chunk: the place of its collection in a list, its document, its number.
pub(super) type Key = (u32, u64, u64);

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

/// The scores of all chunks that match.
#[derive(Debug)]
pub(super) struct Scores<'s> {
    segments: &'s [IndexedSegment],
    /// For each chunk of each segment, 0 where it does not match. A segment without matches may have
    /// none.
    scores: Vec<Vec<f64>>,
}

/// Scores all chunks that match. What a chunk scores is added up in the order of the parts.
///
/// # Errors
///
/// [`Error::Corrupt`](crate::Error::Corrupt) for an entry that cannot be read.
pub(super) fn rank<'s>(
    parts: &Parts<'_>,
    segments: &'s [IndexedSegment],
    size: Size,
) -> Result<Scores<'s>> {
    let average = size.terms as f64 / size.chunks as f64;
    let each = segments.iter().enumerate().map(|(at, segment)| {
        let is_held = |matches: &&Matches| !matches.entries[at].is_empty();
        if !parts.any.iter().any(is_held) || !parts.required.iter().all(is_held) {
            return Ok(Vec::new());
        }
        let norms = segment.chunks.lengths().iter();
        let norms: Vec<f64> = norms.map(|&length| norm(length, average)).collect();
        score_segment(parts, at, &norms, size)
    });
    Ok(Scores {
        segments,
        scores: each.collect::<Result<_>>()?,
    })
}

fn score_segment(parts: &Parts<'_>, at: usize, norms: &[f64], size: Size) -> Result<Vec<f64>> {
    let mut scores = vec![0.0; norms.len()];
    for matches in &parts.any {
        let idf = idf(matches.chunks, size.chunks);
        read_entry(&matches.entries[at], |found| {
            if let Some((score, norm)) = at_ordinal(&mut scores, norms, found) {
                *score += idf * saturation(found, *norm);
            }
        })?;
    }
    for matches in &parts.required {
        let idf = idf(matches.chunks, size.chunks);
        let mut both = vec![0.0; norms.len()];
        read_entry(&matches.entries[at], |found| {
            if let Some((score, norm)) = at_ordinal(&mut scores, norms, found)
                && *score > 0.0
            {
                both[found.ordinal] = *score + idf * saturation(found, *norm);
            }
        })?;
        scores = both;
    }
    for matches in &parts.excluded {
        read_entry(&matches.entries[at], |found| {
            if let Some(score) = scores.get_mut(found.ordinal) {
                *score = 0.0;
            }
        })?;
    }
    Ok(scores)
}

#[inline]
fn at_ordinal<'s>(
    scores: &'s mut [f64],
    norms: &'s [f64],
    found: Occurrence,
) -> Option<(&'s mut f64, &'s f64)> {
    scores.get_mut(found.ordinal).zip(norms.get(found.ordinal))
}

impl Scores<'_> {
    /// Returns the chunks with the best scores among those that are wanted, so many and those that
    /// tie with the last of them, in no order. Where there are fewer, these are all.
    pub(super) fn best(&self, count: usize, is_wanted: impl Fn(Key) -> bool) -> Vec<(Key, f64)> {
        let (mut best, mut least) = (Vec::new(), f64::MIN_POSITIVE);
        let mut room = count.saturating_mul(THINNED.0).max(THINNED.1);
        for (segment, scores) in self.segments.iter().zip(&self.scores) {
            let mut keys = segment.keys();
            for (ordinal, &score) in scores.iter().enumerate() {
                if score < least {
                    continue;
                }
                let key = keys(ordinal);
                if segment.is_dead(ordinal) || !is_wanted(key) {
                    continue;
                }
                best.push((key, score));
                if best.len() >= room {
                    least = keep_best(&mut best, count);
                    room = room.max(best.len().saturating_mul(2));
                }
            }
        }
        keep_best(&mut best, count);
        best
    }
}

/// Keeps the best so many, and what ties with the last of them, and returns its score.
fn keep_best(ranked: &mut Vec<(Key, f64)>, count: usize) -> f64 {
    let Some(before) = count.checked_sub(1).filter(|before| *before < ranked.len()) else {
        return f64::MIN_POSITIVE;
    };
    let best_first = |left: &(Key, f64), right: &(Key, f64)| right.1.total_cmp(&left.1);
    let (_, &mut (_, last), _) = ranked.select_nth_unstable_by(before, best_first);
    ranked.retain(|(_, score)| *score >= last);
    last
}

fn idf(chunks: u64, all: u64) -> f64 {
    let (chunks, all) = (chunks as f64, all as f64);
    let idf = ((all - chunks + 0.5) / (chunks + 0.5)).ln();
    if idf <= 0.0 { LEAST_IDF } else { idf }
}

/// What the length of a chunk adds below.
fn norm(length: u32, average: f64) -> f64 {
    K1 * (1.0 - B + B * f64::from(length) / average)
}

fn saturation(found: Occurrence, norm: f64) -> f64 {
    let frequency = found.in_path as f64 * PATH_WEIGHT + found.in_text as f64;
    (frequency * (K1 + 1.0)) / (frequency + norm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ties_with_the_last_is_kept() {
        let key = |number: u64| (0, 0, number);
        let scores = [1.0, 3.0, 2.0, 2.0, 5.0, 2.0];
        let all: Vec<_> = (0..).map(key).zip(scores).collect();
        for (count, kept) in [(1, 1), (2, 2), (3, 5), (4, 5), (5, 5), (6, 6), (7, 6)] {
            let mut some = all.clone();
            keep_best(&mut some, count);
            assert_eq!(some.len(), kept, "{count}");
        }
    }

    #[test]
    fn a_term_in_more_than_half_of_the_chunks_counts_a_little() {
        assert!(idf(1, 10) > idf(4, 10));
        assert!(0.0 < idf(6, 10) && idf(6, 10) <= LEAST_IDF);
        let found = Occurrence {
            ordinal: 0,
            in_path: 1,
            in_text: 2,
        };
        // Seven times, in a chunk of average length.
        assert!((saturation(found, norm(10, 10.0)) - 7.0 * 2.2 / 8.2).abs() < 1e-12);
    }
}
