//! Which pieces are read together with the row of a checkpoint.
//!
//! A wide state takes three reads otherwise: of its row, of the pieces of its layout, and of those that the
//! layout names. The row says where they are, as far as that is short: `201:203,9805:10011`.

use std::cmp::Reverse;

use sectile_checkpoint::pieces::Run;

use super::ranges::merged;
use crate::layout::Layout;
use crate::row::Form;

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
    Some(names(ranges))
}

/// Returns ranges of pieces as the column `kind` of a row names them.
pub(super) fn names(runs: Vec<Run>) -> String {
    let name = |(first, end)| format!("{first}:{end}");
    let names: Vec<String> = merged(runs).into_iter().map(name).collect();
    names.join(",")
}

/// Returns the ranges of pieces that the columns `form` and `kind` of a row name: the first position of
/// each, and the one after the last.
pub fn named_along(form: i64, kind: Option<&str>) -> impl Iterator<Item = (i64, i64)> {
    let is_in_pieces = Form::of(form).is_some_and(Form::has_pieces);
    let named = kind.filter(|_| is_in_pieces).unwrap_or_default();
    named.split(',').filter_map(|ends| {
        let (first, end) = ends.split_once(':')?;
        Some((first.parse().ok()?, end.parse().ok()?))
    })
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
    fn a_row_in_pieces_names_them() {
        let named = |form: Form, kind| named_along(form.number(), kind).collect::<Vec<_>>();
        let pieces = Some("201:203,9805:10011");
        assert_eq!(
            named(Form::ChannelPieces, pieces),
            [(201, 203), (9805, 10011)]
        );
        assert_eq!(named(Form::Value, pieces), []);
        assert_eq!(named(Form::JsonPieces, Some("1:x,,:")), []);
        assert_eq!(named(Form::JsonPieces, None), []);
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
