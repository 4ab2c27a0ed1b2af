//! Which pieces a server sends together with the row of a checkpoint.
//!
//! A wide state takes three statements otherwise: for its row, for the pieces of its layout, and for those
//! that the layout names. The row says where they are, as far as that is short: `201:203,9805:10011`.

use std::cmp::Reverse;

use sectile_checkpoint::pieces::Run;

use super::ranges::merged;
use crate::layout::Layout;

/// So many pieces that are not needed are sent between two that are.
const MAX_GAP: u64 = 2;

/// At most so many ranges are named, beside the pieces of the layout.
const MAX_RANGES: usize = 4;

/// Returns the ranges of pieces that are sent along; nothing if the layout has no pieces of its own.
pub(super) fn prefetched(layout: &Layout, runs: Vec<Run>) -> Option<String> {
    let own: Vec<Run> = layout.own_pieces().map(Run::one).collect();
    if own.is_empty() {
        return None;
    }
    let mut ranges = joined(runs);
    ranges.sort_unstable_by_key(|range| Reverse(range.count));
    ranges.truncate(MAX_RANGES);
    ranges.extend(own);
    let named = |(first, end)| format!("{first}:{end}");
    let named: Vec<String> = merged(ranges).into_iter().map(named).collect();
    Some(named.join(","))
}

/// Joins runs that are near each other.
fn joined(runs: Vec<Run>) -> Vec<Run> {
    let mut joined: Vec<Run> = Vec::new();
    for run in sectile_checkpoint::pieces::merged(runs) {
        match joined.last_mut() {
            Some(last) if run.first - last.end() <= MAX_GAP => last.count = run.end() - last.first,
            _ => joined.push(run),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{Holes, Template};

    fn layout(template: u64, holes: u64) -> Layout {
        Layout {
            template: Template::At(template),
            holes: Holes::Except(holes, Vec::new()),
        }
    }

    fn runs(runs: &[(u64, u64)]) -> Vec<Run> {
        let run = |&(first, count)| Run { first, count };
        runs.iter().map(run).collect()
    }

    #[test]
    fn near_runs_are_one_range() {
        let of = runs(&[(9_810, 4), (9_800, 8), (500, 1), (9_820, 1)]);
        let ranges = prefetched(&layout(201, 9_815), of);
        assert_eq!(
            ranges.as_deref(),
            Some("201:202,500:501,9800:9814,9815:9816,9820:9821")
        );
    }

    #[test]
    fn few_ranges_are_named_the_longest_first() {
        let of: Vec<Run> = (0..100)
            .map(|at| Run {
                first: 1 + at * 10,
                count: 1 + at % 3,
            })
            .collect();
        let ranges = prefetched(&layout(2_000, 2_001), of).unwrap();
        assert_eq!(ranges.split(',').count(), MAX_RANGES + 1, "{ranges}");
        assert!(ranges.split(',').all(|range| range != "1:2"), "{ranges}");
    }

    #[test]
    fn a_layout_in_its_row_names_none() {
        let layout = Layout {
            template: Template::Here(b"template".to_vec()),
            holes: Holes::All(Vec::new()),
        };
        assert_eq!(prefetched(&layout, runs(&[(1, 10_000)])), None);
    }
}
