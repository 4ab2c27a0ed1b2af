//! Measures of a ranking against judgements, each from 0 to 1.
//!
//! `gains` holds what each hit is worth, best hit first. `judged` holds what every answer of the question
//! is worth, found or not, in any order. A gain of 0 or less is worth nothing.

/// Returns the normalised discounted cumulative gain of the first `k` hits.
///
/// The gain at rank `r` is divided by `log2(r + 1)`, and the sum by that of the ideal ranking, which has
/// all answers in the order of their gains. It is 0 where no answer is worth anything. This is the
/// `ndcg_cut` of `trec_eval`, after Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR
/// techniques" (TOIS 2002).
///
/// ```
/// use sectile_eval::metrics::ndcg;
///
/// assert_eq!(ndcg(10, &[3.0, 2.0], &[2.0, 3.0]), 1.0);
/// assert_eq!(ndcg(1, &[2.0, 3.0], &[2.0, 3.0]), 2.0 / 3.0);
/// ```
pub fn ndcg(k: usize, gains: &[f64], judged: &[f64]) -> f64 {
    let mut ideal = judged.to_vec();
    ideal.sort_by(|left, right| right.total_cmp(left));
    ratio(discounted(k, gains), discounted(k, &ideal))
}

/// Returns which part of the answers the first `k` hits hold. `found` holds how many answers each hit
/// is the first to hold.
pub fn recall(k: usize, found: &[usize], judged: &[f64]) -> f64 {
    let relevant = judged.iter().filter(|gain| **gain > 0.0).count();
    let found: usize = found.iter().take(k).sum();
    ratio(found as f64, relevant as f64)
}

/// Returns one over the rank of the first of the first `k` hits that is worth something, or 0.
pub fn reciprocal_rank(k: usize, gains: &[f64]) -> f64 {
    let first = gains.iter().take(k).position(|gain| *gain > 0.0);
    first.map_or(0.0, |index| 1.0 / (index + 1) as f64)
}

/// Returns 1 where one of the first `k` hits is worth something, or 0.
pub fn hit(k: usize, gains: &[f64]) -> f64 {
    f64::from(gains.iter().take(k).any(|gain| *gain > 0.0))
}

/// Returns the average, or 0 of nothing.
pub fn mean(values: &[f64]) -> f64 {
    ratio(values.iter().sum(), values.len() as f64)
}

fn discounted(k: usize, gains: &[f64]) -> f64 {
    let ranked = gains.iter().take(k).zip(2_u32..);
    ranked
        .map(|(gain, rank)| gain.max(0.0) / f64::from(rank).log2())
        .sum()
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JUDGED: [f64; 4] = [1.0, 3.0, 0.0, 2.0];

    fn check(actual: f64, expected: f64) {
        assert!(
            (actual - expected).abs() < 1e-9,
            "{actual} is not {expected}"
        );
    }

    #[test]
    fn ndcg_divides_by_the_logarithm_of_the_rank() {
        // (2/log2 2 + 3/log2 4) / (3/log2 2 + 2/log2 3 + 1/log2 4)
        check(
            ndcg(10, &[2.0, 0.0, 3.0], &JUDGED),
            3.5 / 4.761_859_507_142_915,
        );
        check(ndcg(10, &[3.0, 2.0, 1.0], &JUDGED), 1.0);
        check(ndcg(10, &[0.0, 0.0], &JUDGED), 0.0);
        check(ndcg(10, &[], &[]), 0.0);
    }

    #[test]
    fn ndcg_looks_at_the_first_k_and_at_the_ideal_first_k() {
        // (2/log2 2) / (3/log2 2)
        check(ndcg(1, &[2.0, 3.0], &JUDGED), 2.0 / 3.0);
        // (0 + 3/log2 3) / (3 + 2/log2 3)
        check(
            ndcg(2, &[0.0, 3.0, 2.0], &JUDGED),
            1.892_789_260_714_371_7 / 4.261_859_507_142_915,
        );
    }

    /// What `trec_eval` (through `pytrec-eval-terrier` 0.5.11) says of three small topics, to four digits.
    #[test]
    fn the_figures_are_those_of_trec_eval() {
        struct Topic {
            gains: &'static [f64],
            judged: &'static [f64],
            ndcg_at_5: f64,
            recall_at_5: f64,
            reciprocal_rank: f64,
        }
        let topics = [
            Topic {
                gains: &[0.0, 1.0, 0.0, 0.0, 1.0],
                judged: &[1.0, 1.0, 1.0],
                ndcg_at_5: 0.4776,
                recall_at_5: 0.6667,
                reciprocal_rank: 0.5,
            },
            Topic {
                gains: &[1.0, 0.0, 2.0, 0.0, 0.0],
                judged: &[2.0, 1.0, 2.0, 0.0],
                ndcg_at_5: 0.5317,
                recall_at_5: 0.6667,
                reciprocal_rank: 1.0,
            },
            Topic {
                gains: &[0.0, 0.0, 0.0, 4.0, 1.0],
                judged: &[4.0, 1.0, -1.0],
                ndcg_at_5: 0.4555,
                recall_at_5: 1.0,
                reciprocal_rank: 0.25,
            },
        ];
        for topic in topics {
            let printed = |value: f64| (value * 10_000.0).round() / 10_000.0;
            let found: Vec<usize> = topic
                .gains
                .iter()
                .map(|gain| usize::from(*gain > 0.0))
                .collect();
            check(printed(ndcg(5, topic.gains, topic.judged)), topic.ndcg_at_5);
            check(printed(recall(5, &found, topic.judged)), topic.recall_at_5);
            check(reciprocal_rank(5, topic.gains), topic.reciprocal_rank);
        }
    }

    #[test]
    fn recall_counts_the_answers_that_hits_hold() {
        check(recall(100, &[0, 1, 0, 1], &JUDGED), 2.0 / 3.0);
        check(recall(2, &[0, 1, 0, 1], &JUDGED), 1.0 / 3.0);
        check(recall(1, &[3], &JUDGED), 1.0);
        check(recall(2, &[0], &[0.0]), 0.0);
    }

    #[test]
    fn the_reciprocal_rank_is_that_of_the_first_hit_that_answers() {
        check(reciprocal_rank(10, &[0.0, 0.0, 1.0, 3.0]), 1.0 / 3.0);
        check(reciprocal_rank(2, &[0.0, 0.0, 1.0]), 0.0);
        check(hit(1, &[0.0, 1.0]), 0.0);
        check(hit(2, &[0.0, 1.0]), 1.0);
    }

    #[test]
    fn the_mean_of_nothing_is_0() {
        check(mean(&[1.0, 0.5]), 0.75);
        check(mean(&[]), 0.0);
    }
}
