//! From the ranks and scores of several legs or chunks to those of one.

use std::collections::HashMap;
use std::hash::Hash;

/// One leg of a fused search: its results, best first, and its weight.
#[derive(Clone, Debug)]
pub struct Ranking<T> {
    /// The weight; 1 is usual.
    pub weight: f64,
    /// The results, best first, each once.
    pub items: Vec<T>,
}

/// Fuses rankings: an item scores the sum of `weight / (k + rank)` over the rankings that contain
/// it, with ranks from 1.
///
/// Returns the items best first. Ties are in the order in which the rankings first list them. The
/// formula is that of Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet
/// and individual Rank Learning Methods" (SIGIR 2009), where `k` is 60.
///
/// ```
/// use sectile_store::{Ranking, reciprocal_rank_fusion};
///
/// let text = Ranking { weight: 2.0, items: vec!["a", "b"] };
/// let vector = Ranking { weight: 1.0, items: vec!["b", "c"] };
/// let fused = reciprocal_rank_fusion(&[text, vector], 60.0);
/// assert_eq!(fused[0], ("b", 2.0 / 62.0 + 1.0 / 61.0));
/// ```
pub fn reciprocal_rank_fusion<T: Clone + Eq + Hash>(
    rankings: &[Ranking<T>],
    k: f64,
) -> Vec<(T, f64)> {
    let mut places: HashMap<&T, usize> = HashMap::new();
    let mut fused: Vec<(T, f64)> = Vec::new();
    for ranking in rankings {
        for (rank, item) in ranking.items.iter().enumerate() {
            let place = *places.entry(item).or_insert_with(|| {
                fused.push((item.clone(), 0.0));
                fused.len() - 1
            });
            fused[place].1 += ranking.weight / (k + rank as f64 + 1.0);
        }
    }
    fused.sort_by(|left, right| right.1.total_cmp(&left.1));
    fused
}

/// Scores a node by the scores of its `N` retrieved chunks: their sum divided by `√(N + 1)`.
///
/// So several matching chunks count more than one, but each further chunk counts less, and large
/// nodes do not rank first only for their size. The formula is PageIndex's for tree search by
/// value.
///
/// ```
/// assert_eq!(sectile_store::node_score(&[0.6, 0.3, 0.3]), 0.6);
/// ```
pub fn node_score(chunk_scores: &[f64]) -> f64 {
    let count = chunk_scores.len() as f64;
    chunk_scores.iter().sum::<f64>() / (count + 1.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fuse(rankings: &[(f64, &[char])]) -> Vec<char> {
        let rankings: Vec<_> = rankings
            .iter()
            .map(|&(weight, items)| Ranking {
                weight,
                items: items.to_vec(),
            })
            .collect();
        let fused = reciprocal_rank_fusion(&rankings, 60.0);
        fused.into_iter().map(|(item, _)| item).collect()
    }

    #[test]
    fn what_both_legs_found_comes_first() {
        assert_eq!(
            fuse(&[(1.0, &['a', 'b']), (1.0, &['c', 'b'])]),
            ['b', 'a', 'c']
        );
    }

    #[test]
    fn weight_decides_between_equal_ranks() {
        assert_eq!(fuse(&[(1.0, &['a']), (2.0, &['b'])]), ['b', 'a']);
    }

    #[test]
    fn the_fusion_of_a_search_is_as_recorded() {
        let legs = [(2.0, &['a', 'b', 'c', 'd'][..]), (1.0, &['c', 'e', 'a'])];
        let rankings = legs.map(|(weight, items)| Ranking {
            weight,
            items: items.to_vec(),
        });
        let fused = reciprocal_rank_fusion(&rankings, 60.0);
        let lines = fused
            .iter()
            .map(|(item, score)| format!("{item} {score:.6}\n"));
        insta::assert_snapshot!(lines.collect::<String>(), @r"
        a 0.048660
        c 0.048139
        b 0.032258
        d 0.031250
        e 0.016129
        ");
    }

    #[test]
    fn a_node_with_more_that_answers_scores_more_up_to_a_point() {
        let scores = |count: usize| node_score(&vec![0.5; count]);
        assert!(scores(2) > scores(1) && scores(3) - scores(2) < scores(2) - scores(1));
        assert!(node_score(&[0.9]) > node_score(&[0.3; 3]));
        assert!(node_score(&[]).abs() < f64::EPSILON);
    }

    #[test]
    fn one_leg_keeps_its_order() {
        assert_eq!(
            fuse(&[(1.0, &['x', 'y', 'z']), (1.0, &[])]),
            ['x', 'y', 'z']
        );
    }
}
