//! BM25 with Lucene's IDF, which no term makes negative:
//! <https://lucene.apache.org/core/10_0_0/core/org/apache/lucene/search/similarities/BM25Similarity.html>.

use super::postings::{Occurrence, read_entry};
use super::terms::{IndexedSegment, Matches};
use crate::Result;

/// How much a term of the heading path counts, where one of the text counts 1.
const PATH_WEIGHT: f64 = 5.0;

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// Adding and subtracting it rounds to a multiple of 2⁻³⁰.
const ROUNDING: f64 = 1.5 * (1 << 22) as f64;

/// The candidates are thinned out when there are so many times as many as are wanted, or so many.
const THINNED: (usize, usize) = (4, 4_096);

/// A chunk: the place of its collection in a list, its document, its number.
pub(super) type Key = (u32, u64, u64);

/// How much the collections in scope hold.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Size {
    pub(super) chunks: u64,
    pub(super) terms: u64,
}

/// What is searched for.
#[derive(Debug, Default)]
pub(super) struct Parts<'m> {
    /// Each with its weight and its variants, those with theirs.
    pub(super) scored: Vec<(f64, Vec<(f64, &'m Matches)>)>,
    /// A chunk must hold one of each of these.
    pub(super) required: Vec<Vec<&'m Matches>>,
    /// And none of these.
    pub(super) excluded: Vec<&'m Matches>,
}

/// The scores of all chunks that match.
#[derive(Debug)]
pub(super) struct Scores<'s> {
    segments: &'s [IndexedSegment],
    /// For each chunk of each segment, negative where it does not match. A segment without matches may
    /// have none.
    scores: Vec<Vec<f64>>,
}

/// Scores all chunks that match.
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
        let mut scored = parts.scored.iter().flat_map(|(_, variants)| variants);
        let can_match = scored.any(|(_, matches)| is_held(matches));
        let mut required = parts.required.iter();
        if !can_match || !required.all(|variants| variants.iter().any(is_held)) {
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
    let mut scores = vec![-1.0_f64; norms.len()];
    for (weight, variants) in &parts.scored {
        let mut best = vec![-1.0_f64; norms.len()];
        for (of_variant, matches) in variants {
            let weight = weight * of_variant * idf(matches.chunks, size.chunks);
            read_entry(&matches.entries[at], |found| {
                if let Some((best, norm)) = at_ordinal(&mut best, norms, found) {
                    *best = best.max(rounded(weight * saturation(found, *norm)));
                }
            })?;
        }
        for (score, best) in scores.iter_mut().zip(best) {
            if best >= 0.0 {
                *score = score.max(0.0) + best;
            }
        }
    }
    for variants in &parts.required {
        let held = held(variants, at, norms.len())?;
        for (score, is_held) in scores.iter_mut().zip(held) {
            *score = if is_held { *score } else { -1.0 };
        }
    }
    let excluded = held(&parts.excluded, at, norms.len())?;
    for (score, is_held) in scores.iter_mut().zip(excluded) {
        *score = if is_held { -1.0 } else { *score };
    }
    Ok(scores)
}

/// Says of each chunk whether it holds one of some variants.
fn held(variants: &[&Matches], at: usize, chunks: usize) -> Result<Vec<bool>> {
    let mut held = vec![false; chunks];
    for matches in variants {
        read_entry(&matches.entries[at], |found| {
            if let Some(held) = held.get_mut(found.ordinal) {
                *held = true;
            }
        })?;
    }
    Ok(held)
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
        let (mut best, mut least) = (Vec::new(), 0.0);
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
        return 0.0;
    };
    let best_first = |left: &(Key, f64), right: &(Key, f64)| right.1.total_cmp(&left.1);
    let (_, &mut (_, last), _) = ranked.select_nth_unstable_by(before, best_first);
    ranked.retain(|(_, score)| *score >= last);
    last
}

/// How much it says that a chunk holds what so many of all hold.
fn idf(chunks: u64, all: u64) -> f64 {
    let (chunks, all) = (chunks as f64, all as f64);
    ((all - chunks + 0.5) / (chunks + 0.5)).ln_1p()
}

/// Rounds what a clause brings to a multiple of 2⁻³⁰, so that sums are exact: whatever the order in
/// which they are added up, they are the same to the last digit.
fn rounded(score: f64) -> f64 {
    (score + ROUNDING) - ROUNDING
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
    fn rarer_terms_count_more_and_none_counts_nothing() {
        assert!(idf(1, 10) > idf(4, 10) && idf(4, 10) > idf(10, 10));
        assert!((idf(10, 10) - (0.5_f64 / 10.5).ln_1p()).abs() < 1e-12);
        let found = Occurrence {
            ordinal: 0,
            in_path: 1,
            in_text: 2,
        };
        // Seven times, in a chunk of average length.
        assert!((saturation(found, norm(10, 10.0)) - 7.0 * 2.2 / 8.2).abs() < 1e-12);
    }

    #[test]
    fn what_is_rounded_adds_up_to_the_same_in_any_order() {
        let scores = [0.1, 7.3, 1e-9, 12_345.678, 3.7, 0.2].map(rounded);
        let sum: f64 = scores.iter().sum();
        assert_eq!(sum.to_bits(), scores.iter().rev().sum::<f64>().to_bits());
        assert!((rounded(7.3) - 7.3).abs() < 1e-9);
    }
}
