//! Measures of a ranking against judgements, each from 0 to 1.

use std::collections::BTreeMap;

/// What each judged document is worth to a question; one that is not listed is worth nothing.
pub type Gains = BTreeMap<String, f64>;

/// Returns the normalised discounted cumulative gain of the first `k` of `ranking`.
///
/// The gain at rank `r` is divided by `log2(r + 1)`; the ideal ranking is made of all judged
/// documents, found or not.
pub fn ndcg_at(k: usize, ranking: &[String], gains: &Gains) -> f64 {
    let found = ranking
        .iter()
        .map(|name| gains.get(name).copied().unwrap_or_default());
    let mut best: Vec<f64> = gains.values().copied().collect();
    best.sort_by(|a, b| b.total_cmp(a));
    ratio(
        discounted(found.take(k)),
        discounted(best.into_iter().take(k)),
    )
}

/// Returns which part of the relevant documents is among the first `k` of `ranking`.
pub fn recall_at(k: usize, ranking: &[String], gains: &Gains) -> f64 {
    let found = ranking
        .iter()
        .take(k)
        .filter(|name| is_relevant(name, gains));
    let relevant = gains.values().filter(|gain| **gain > 0.0);
    ratio(found.count() as f64, relevant.count() as f64)
}

/// Returns one over the rank of the first relevant document, or 0 if there is none.
pub fn reciprocal_rank(ranking: &[String], gains: &Gains) -> f64 {
    let first = ranking.iter().position(|name| is_relevant(name, gains));
    first.map_or(0.0, |index| 1.0 / (index + 1) as f64)
}

/// Returns the average of `values`, or 0 if there is none.
pub fn mean(values: &[f64]) -> f64 {
    ratio(values.iter().sum(), values.len() as f64)
}

fn is_relevant(name: &str, gains: &Gains) -> bool {
    gains.get(name).is_some_and(|gain| *gain > 0.0)
}

fn discounted(gains: impl Iterator<Item = f64>) -> f64 {
    let terms = gains
        .enumerate()
        .map(|(index, gain)| gain / ((index + 2) as f64).log2());
    terms.sum()
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranking(names: &str) -> Vec<String> {
        names.split_whitespace().map(str::to_owned).collect()
    }

    fn gains() -> Gains {
        Gains::from([
            ("a".into(), 3.0),
            ("b".into(), 2.0),
            ("c".into(), 1.0),
            ("d".into(), 0.0),
        ])
    }

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
            ndcg_at(10, &ranking("b x a"), &gains()),
            3.5 / 4.761_859_507_142_915,
        );
        check(ndcg_at(10, &ranking("a b c"), &gains()), 1.0);
        check(ndcg_at(10, &ranking("x y"), &gains()), 0.0);
    }

    #[test]
    fn ndcg_looks_at_the_first_k_and_at_the_ideal_first_k() {
        // (2/log2 2) / (3/log2 2)
        check(ndcg_at(1, &ranking("b a"), &gains()), 2.0 / 3.0);
        // (0 + 3/log2 3) / (3 + 2/log2 3)
        check(
            ndcg_at(2, &ranking("x a b"), &gains()),
            1.892_789_260_714_371_7 / 4.261_859_507_142_915,
        );
    }

    #[test]
    fn recall_counts_what_has_a_gain() {
        check(recall_at(100, &ranking("d c x a"), &gains()), 2.0 / 3.0);
        check(recall_at(2, &ranking("d c x a"), &gains()), 1.0 / 3.0);
        check(recall_at(2, &ranking("a"), &Gains::new()), 0.0);
    }

    #[test]
    fn the_reciprocal_rank_is_that_of_the_first_relevant_one() {
        check(reciprocal_rank(&ranking("x d c a"), &gains()), 1.0 / 3.0);
        check(reciprocal_rank(&ranking("x d"), &gains()), 0.0);
    }

    #[test]
    fn the_mean_of_nothing_is_0() {
        check(mean(&[1.0, 0.5]), 0.75);
        check(mean(&[]), 0.0);
    }
}
