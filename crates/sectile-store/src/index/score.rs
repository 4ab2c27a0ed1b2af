//! BM25 with Lucene's IDF, which no term makes negative:
//! <https://lucene.apache.org/core/10_0_0/core/org/apache/lucene/search/similarities/BM25Similarity.html>.

use super::head::Impact;
use super::postings::{Occurrence, Run};

/// How much a term of the heading path counts, where one of the text counts 1.
const PATH_WEIGHT: f64 = 5.0;

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// Adding and subtracting it rounds to a multiple of [`STEP`].
const ROUNDING: f64 = 1.5 * (1 << 22) as f64;

/// What scores are multiples of: 2⁻³⁰.
const STEP: f64 = 1.0 / (1 << 30) as f64;

/// A chunk: the place of its collection in a list, its document, its number.
pub(super) type Key = (u32, u64, u64);

/// How much the collections in scope hold.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Size {
    pub(super) chunks: u64,
    pub(super) terms: u64,
}

/// What frequencies and lengths come to, among chunks of an average length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Saturation {
    /// What each term of a chunk adds below.
    slope: f64,
}

/// Counts how often a chunk holds something, in its path and in its text.
#[inline]
pub(super) fn frequency(in_path: u32, in_text: u32) -> f64 {
    f64::from(in_path) * PATH_WEIGHT + f64::from(in_text)
}

impl Size {
    /// How much it says that a chunk holds what so many of all hold.
    pub(super) fn idf(&self, chunks: u64) -> f64 {
        let (chunks, all) = (chunks as f64, self.chunks as f64);
        ((all - chunks + 0.5) / (chunks + 0.5)).ln_1p()
    }

    pub(super) fn saturation(&self) -> Saturation {
        let slope = K1 * B * self.chunks as f64 / self.terms as f64;
        Saturation {
            slope: if slope.is_finite() { slope } else { 0.0 },
        }
    }
}

impl Saturation {
    /// Returns what a variant of a weight, its IDF included, brings to a chunk of a length.
    ///
    /// It is rounded to a multiple of [`STEP`], so that sums are exact: whatever the order in which they
    /// are added up, they are the same to the last digit.
    #[inline]
    pub(super) fn score(self, weight: f64, found: Occurrence, length: u32) -> f64 {
        let frequency = frequency(found.in_path, found.in_text);
        self.score_of(weight, frequency, length.into())
    }

    /// Returns what a variant brings to each of some chunks, in place of their lengths.
    pub(super) fn score_each(self, weight: f64, run: Run<'_>, lengths: &mut [f64]) {
        let counts = run.in_path.iter().zip(run.in_text);
        for (to, (&in_path, &in_text)) in lengths.iter_mut().zip(counts) {
            *to = self.score_of(weight, frequency(in_path, in_text), *to);
        }
    }

    #[inline]
    fn score_of(self, weight: f64, frequency: f64, length: f64) -> f64 {
        let norm = K1 * (1.0 - B) + self.slope * length;
        rounded(weight * (frequency * (K1 + 1.0) / (frequency + norm)))
    }

    /// Returns what a variant brings at most to a chunk of a block that has some impacts.
    pub(super) fn bound(self, weight: f64, impacts: &[Impact]) -> f64 {
        let impacts = impacts.iter().map(
            |&Impact {
                 in_path,
                 in_text,
                 length,
             }| {
                let found = Occurrence {
                    ordinal: 0,
                    in_path,
                    in_text,
                };
                self.score(weight, found, length)
            },
        );
        // Arithmetic may be wrong in the last digit.
        let most = impacts.reduce(f64::max);
        most.unwrap_or_else(|| rounded(weight * (K1 + 1.0))) + STEP
    }
}

fn rounded(score: f64) -> f64 {
    (score + ROUNDING) - ROUNDING
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rarer_terms_count_more_and_none_counts_nothing() {
        let size = Size {
            chunks: 10,
            terms: 100,
        };
        assert!(size.idf(1) > size.idf(4) && size.idf(4) > size.idf(10));
        assert!((size.idf(10) - (0.5_f64 / 10.5).ln_1p()).abs() < 1e-12);
        let found = Occurrence {
            ordinal: 0,
            in_path: 1,
            in_text: 2,
        };
        // Seven times, in a chunk of average length.
        let score = size.saturation().score(1.0, found, 10);
        assert!((score - 7.0 * 2.2 / 8.2).abs() < 1e-8);
    }

    #[test]
    fn scores_add_up_to_the_same_in_any_order() {
        let saturation = Size {
            chunks: 7,
            terms: 300,
        };
        let score = |in_text| {
            let found = Occurrence {
                ordinal: 0,
                in_path: 0,
                in_text,
            };
            saturation
                .saturation()
                .score(1.0 / f64::from(in_text), found, 17)
        };
        let scores: Vec<f64> = (1..50).map(score).collect();
        let sum: f64 = scores.iter().sum();
        assert_eq!(sum.to_bits(), scores.iter().rev().sum::<f64>().to_bits());
    }
}
