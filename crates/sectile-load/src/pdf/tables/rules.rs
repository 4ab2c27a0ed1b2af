//! The drawn lines of a page, put together of the pieces in which they are drawn.

use kurbo::Affine;

use super::SNAP;
use crate::pdf::drawn::Rule;

/// How far apart pieces of one line are that are drawn beside each other, as double lines are not.
const SAME: f64 = 1.5;

/// A line along one side of the page: where it is on the other side, and from where to where it goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edge {
    pub(super) at: f64,
    pub(super) start: f64,
    pub(super) end: f64,
    /// Whether it consists of edges of filled areas alone.
    pub(super) is_shade: bool,
}

impl Edge {
    /// Returns whether it goes past a place.
    pub(super) fn passes(&self, place: f64) -> bool {
        self.start - SNAP <= place && place <= self.end + SNAP
    }
}

/// Returns between which edges a place is.
pub(super) fn slot(edges: &[f64], place: f64) -> usize {
    let before = edges.partition_point(|edge| *edge <= place);
    before.saturating_sub(1).min(edges.len().saturating_sub(2))
}

/// Returns the lines across the page and those down it, as text of this direction sees them.
pub(super) fn joined(rules: &[Rule], turn: i32) -> (Vec<Edge>, Vec<Edge>) {
    let turned = Affine::rotate(-f64::from(turn).to_radians());
    let (mut across, mut down) = (Vec::new(), Vec::new());
    for rule in rules {
        let (start, end) = (turned * rule.start, turned * rule.end);
        let edge = |at, one: f64, other: f64| Edge {
            at,
            start: one.min(other),
            end: one.max(other),
            is_shade: rule.is_shade,
        };
        if (start.x - end.x).abs() > (start.y - end.y).abs() {
            across.push(edge(f64::midpoint(start.y, end.y), start.x, end.x));
        } else {
            down.push(edge(f64::midpoint(start.x, end.x), start.y, end.y));
        }
    }
    (join(across), join(down))
}

/// Joins pieces that lie on one line and touch.
fn join(mut pieces: Vec<Edge>) -> Vec<Edge> {
    pieces.sort_by(|one, other| one.at.total_cmp(&other.at));
    let mut joined = Vec::new();
    let mut start = 0;
    for end in 1..=pieces.len() {
        let goes_on = pieces.get(end).is_some_and(|next| {
            next.at - pieces[end - 1].at <= SAME && next.at - pieces[start].at <= SNAP
        });
        if !goes_on {
            join_line(&mut pieces[start..end], &mut joined);
            start = end;
        }
    }
    joined
}

fn join_line(pieces: &mut [Edge], joined: &mut Vec<Edge>) {
    let at = pieces.iter().map(|piece| piece.at).sum::<f64>() / pieces.len() as f64;
    pieces.sort_by(|one, other| one.start.total_cmp(&other.start));
    let mut open: Option<Edge> = None;
    for piece in pieces.iter() {
        match &mut open {
            Some(line) if piece.start <= line.end + SNAP => {
                line.end = line.end.max(piece.end);
                line.is_shade &= piece.is_shade;
            }
            _ => joined.extend(open.replace(Edge { at, ..*piece })),
        }
    }
    joined.extend(open);
}
