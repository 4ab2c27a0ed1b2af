//! BM25 with Lucene's IDF, which no term makes negative:
//! <https://lucene.apache.org/core/10_0_0/core/org/apache/lucene/search/similarities/BM25Similarity.html>,
//! over two fields, heading path and text, that are added up before they saturate, each with a length
//! normalization of its own (BM25F: Zaragoza et al., "Microsoft Cambridge at TREC 13", 2004).

use super::head::Impact;
use super::postings::{Occurrence, Run};

/// How much a term of the heading path counts, where one of the text counts 1.
const PATH_WEIGHT: f64 = 4.0;

/// How much it counts in a chunk whose text does not have it: most often it stands above many sections,
/// and says little about each of them.
const INHERITED_WEIGHT: f64 = 2.0;

const K1: f64 = 1.2;

/// How much the length of a chunk takes from the terms of its text, and from those of its path.
const TEXT_B: f64 = 0.75;
const PATH_B: f64 = 0.5;

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
    /// What each term of a chunk adds to its length, where the average is 1.
    per_term: f64,
}

/// Counts how often a chunk holds something, in its path and in its text.
pub(super) fn frequency(in_path: u32, in_text: u32) -> f64 {
    weighted(in_path, in_text) + f64::from(in_text)
}

/// Counts how often the path of a chunk holds something, whose text may hold it, too.
#[inline]
fn weighted(in_path: u32, in_text: u32) -> f64 {
    let weight = if in_text > 0 {
        PATH_WEIGHT
    } else {
        INHERITED_WEIGHT
    };
    f64::from(in_path) * weight
}

impl Size {
    /// How much it says that a chunk holds what so many of all hold.
    pub(super) fn idf(&self, chunks: u64) -> f64 {
        let (chunks, all) = (chunks as f64, self.chunks as f64);
        ((all - chunks + 0.5) / (chunks + 0.5)).ln_1p()
    }

    pub(super) fn saturation(&self) -> Saturation {
        let per_term = self.chunks as f64 / self.terms as f64;
        Saturation {
            per_term: if per_term.is_finite() { per_term } else { 0.0 },
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
        self.score_of(weight, found.in_path, found.in_text, length.into())
    }

    /// Returns what a variant brings to each of some chunks, in place of their lengths.
    pub(super) fn score_each(self, weight: f64, run: Run<'_>, lengths: &mut [f64]) {
        let counts = run.in_path.iter().zip(run.in_text);
        for (to, (&in_path, &in_text)) in lengths.iter_mut().zip(counts) {
            *to = self.score_of(weight, in_path, in_text, *to);
        }
    }

    #[inline]
    fn score_of(self, weight: f64, in_path: u32, in_text: u32, length: f64) -> f64 {
        let length = self.per_term * length;
        let of_path = 1.0 - PATH_B + PATH_B * length;
        let of_text = 1.0 - TEXT_B + TEXT_B * length;
        // Both frequencies, each divided by its norm, times both norms: so there is one division.
        let frequency = weighted(in_path, in_text) * of_text + f64::from(in_text) * of_path;
        rounded(weight * (frequency * (K1 + 1.0) / (frequency + K1 * of_path * of_text)))
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
        // In a chunk of average length.
        let (score, times) = (size.saturation().score(1.0, found, 10), frequency(1, 2));
        assert!((times - PATH_WEIGHT - 2.0).abs() < 1e-12);
        assert!((score - times * 2.2 / (times + 1.2)).abs() < 1e-8);
    }

    #[test]
    fn a_word_above_a_long_section_that_has_it_outweighs_one_above_a_short_section() {
        let size = Size {
            chunks: 10,
            terms: 300,
        };
        let score = |in_text, length| {
            let found = Occurrence {
                ordinal: 0,
                in_path: 1,
                in_text,
            };
            size.saturation().score(1.0, found, length)
        };
        assert!(score(1, 60) > score(0, 30));
        assert!(score(2, 90) > score(0, 25));
        // Of sections that both have it, the shorter one is more about it.
        assert!(score(1, 30) > score(1, 60) && score(0, 30) > score(0, 60));
        assert!((frequency(3, 0) - 3.0 * INHERITED_WEIGHT).abs() < 1e-12);
    }

    #[test]
    fn what_outdoes_another_scores_no_less() {
        let sizes = [(0, 0), (10, 300), (1_000_000, 3)];
        let sizes = sizes.map(|(chunks, terms)| Size { chunks, terms });
        let all = (0..4_u32).flat_map(|in_path| (0..4_u32).map(move |in_text| (in_path, in_text)));
        let impacts = all.flat_map(|(in_path, in_text)| {
            [1, 7, 30, 200, 5_000].map(|length| Impact {
                in_path,
                in_text,
                length,
            })
        });
        let impacts: Vec<Impact> = impacts.collect();
        for size in sizes {
            let bound = |of: &Impact| size.saturation().bound(3.7, &[*of]);
            for one in &impacts {
                let outdone = impacts.iter().filter(|other| one.is_at_least(other));
                for other in outdone {
                    assert!(bound(one) >= bound(other), "{one:?} {other:?}");
                }
            }
        }
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
