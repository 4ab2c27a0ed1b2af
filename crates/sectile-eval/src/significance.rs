//! Whether a difference is more than chance: paired tests over the questions.

use fastrand::Rng;
use serde::{Deserialize, Serialize};

use crate::metrics::mean;

/// How many samples are drawn.
pub const DRAWS: usize = 10_000;

/// Where the draws begin: the same values give the same intervals and the same p.
const SEED: u64 = 16;

/// The part of the samples that is left out at each end of an interval of 95 %.
const TAIL: f64 = 0.025;

/// An average, with the interval that holds 95 % of what other questions of the kind would have given.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The average over the questions.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// The average difference between two settings over the same questions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The difference with its interval.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// How often chance alone makes a difference as large, in either direction.
    pub p: f64,
}

/// Estimates the average of `values` by the percentile bootstrap with [`DRAWS`] draws (Efron, "Bootstrap
/// methods", 1979). All is 0 of nothing.
pub fn estimate(values: &[f64]) -> Estimate {
    let mut random = Rng::with_seed(SEED);
    let mut means: Vec<f64> = (0..DRAWS).map(|_| resampled(values, &mut random)).collect();
    means.sort_by(f64::total_cmp);
    #[expect(clippy::cast_sign_loss, reason = "a part of a length is not negative")]
    let at = |part: f64| means[(part * (DRAWS - 1) as f64).round() as usize];
    Estimate {
        mean: mean(values),
        low: at(TAIL),
        high: at(1.0 - TAIL),
    }
}

/// Compares the values of each question under a setting with those under the `first` one.
///
/// The interval is that of [`estimate`] over the differences: a paired bootstrap. `p` is of the paired
/// randomisation test, two-sided: how many of [`DRAWS`] draws, in each of which the two values of each
/// question are swapped by the toss of a coin, give a difference at least as large (Smucker, Allan and
/// Carterette, "A comparison of statistical significance tests for information retrieval evaluation",
/// CIKM 2007). Questions that only one of the two has are left out.
pub fn compare(first: &[f64], other: &[f64]) -> Difference {
    let pairs = first.iter().zip(other);
    let differences: Vec<f64> = pairs.map(|(first, other)| other - first).collect();
    Difference {
        estimate: estimate(&differences),
        p: by_chance(&differences),
    }
}

fn resampled(values: &[f64], random: &mut Rng) -> f64 {
    let drawn = values.iter().map(|_| values[random.usize(..values.len())]);
    drawn.sum::<f64>() / values.len().max(1) as f64
}

fn by_chance(differences: &[f64]) -> f64 {
    let mut random = Rng::with_seed(SEED);
    let observed = differences.iter().sum::<f64>().abs();
    // Sums of the same numbers in another order differ in the last digits.
    let least = observed - 1e-12 * differences.len() as f64;
    let as_large = (0..DRAWS).filter(|_| swapped(differences, &mut random).abs() >= least);
    // What was observed is one of the draws, so p is never 0.
    (as_large.count() + 1) as f64 / (DRAWS + 1) as f64
}

fn swapped(differences: &[f64], random: &mut Rng) -> f64 {
    let mut coins = 0;
    let toss = |(index, difference): (usize, &f64)| {
        if index % 64 == 0 {
            coins = random.u64(..);
        }
        let sign = if coins >> (index % 64) & 1 == 0 {
            1.0
        } else {
            -1.0
        };
        sign * difference
    };
    differences.iter().enumerate().map(toss).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(actual: f64, expected: f64, tolerance: f64) {
        let is_near = (actual - expected).abs() <= tolerance;
        assert!(is_near, "{actual} is not {expected} within {tolerance}");
    }

    #[test]
    fn the_same_values_do_not_differ() {
        let values = [0.1, 0.5, 0.9];
        let Difference { estimate, p } = compare(&values, &values);
        assert_eq!(
            (estimate.mean, estimate.low, estimate.high),
            (0.0, 0.0, 0.0)
        );
        near(p, 1.0, 1e-9);
    }

    /// All eight of eight questions differ by one: of the 256 ways to swap them two are as far apart.
    #[test]
    fn p_is_that_of_all_swaps() {
        let p = compare(&[0.0; 8], &[1.0; 8]).p;
        near(p, 2.0 / 256.0, 0.003);
    }

    /// Differences 1, 2, 3: the sums of the eight ways are 6, 4, 2, 0 and their opposites, of which two
    /// are at least 6 and four at least 4.
    #[test]
    fn p_counts_both_directions() {
        near(compare(&[0.0; 3], &[1.0, 2.0, 3.0]).p, 2.0 / 8.0, 0.02);
        near(compare(&[0.0; 3], &[-1.0, 2.0, 3.0]).p, 4.0 / 8.0, 0.02);
        near(compare(&[0.0; 3], &[1.0, -2.0, -3.0]).p, 4.0 / 8.0, 0.02);
    }

    /// Of 100 zeros and ones, half each, the average has a standard error of .05.
    #[test]
    fn the_interval_is_two_standard_errors_wide() {
        let values: Vec<f64> = (0..100).map(|index| f64::from(index % 2)).collect();
        let estimate = estimate(&values);
        near(estimate.mean, 0.5, 1e-12);
        near(estimate.low, 0.5 - 1.96 * 0.05, 0.01);
        near(estimate.high, 0.5 + 1.96 * 0.05, 0.01);
    }

    #[test]
    fn the_same_values_give_the_same_figures() {
        let (first, other) = ([0.2, 0.4, 0.9, 0.1], [0.3, 0.2, 1.0, 0.7]);
        assert_eq!(compare(&first, &other), compare(&first, &other));
    }

    #[test]
    fn of_nothing_all_is_0_and_nothing_is_certain() {
        let Difference { estimate, p } = compare(&[], &[]);
        assert_eq!(
            (estimate.mean, estimate.low, estimate.high),
            (0.0, 0.0, 0.0)
        );
        near(p, 1.0, 1e-9);
    }
}
