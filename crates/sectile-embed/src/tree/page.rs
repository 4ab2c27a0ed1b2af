//! The part of the trees that one prompt shows.

use std::collections::HashMap;

use super::forest::{Forest, Label, Shape};

/// An entry that is shown with what is below it, down to some level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// The entry that it is shown in, if not for itself.
    container: Option<usize>,
    index: usize,
    /// How many levels are shown, with its own.
    levels: usize,
}

/// A part of the trees as JSON, and what can be chosen of it.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) json: String,
    /// What can be chosen, with whether what is below it is hidden.
    pub(super) choices: HashMap<Label, (usize, bool)>,
}

/// Plans what is shown of `opened`, on as few pages of at most `room` tokens as will do.
///
/// On one page stand as many levels as fit, and at least `least`. If those do not, what is directly
/// below is shown on several, or all that is below where that is little.
pub(super) fn plan(
    forest: &Forest<'_>,
    opened: &[usize],
    least: usize,
    room: usize,
) -> Vec<Vec<Piece>> {
    let levels = levels_that_fit(forest, opened, room);
    let alone = |index: usize, levels| Piece {
        container: None,
        index,
        levels,
    };
    if levels >= least {
        return vec![opened.iter().map(|index| alone(*index, levels)).collect()];
    }
    if least == 1 {
        let pieces = opened.iter().map(|index| alone(*index, 1));
        return packed(forest, pieces, room);
    }
    let pieces = opened.iter().flat_map(|index| below(forest, *index, room));
    packed(forest, pieces, room)
}

/// Returns how many levels of all entries together fit into `room`; if all do, more than there are.
fn levels_that_fit(forest: &Forest<'_>, opened: &[usize], room: usize) -> usize {
    let mut costs: Vec<usize> = Vec::new();
    for &root in opened {
        let top = &forest.entries[root];
        for entry in &forest.entries[root..top.end] {
            let level = entry.depth - top.depth;
            costs.resize(costs.len().max(level + 1), 0);
            costs[level] += entry.cost;
        }
    }
    let mut sum = 0;
    let fitting = costs.iter().take_while(|cost| {
        sum += **cost;
        sum <= room
    });
    match fitting.count() {
        all if all == costs.len() => usize::MAX,
        some => some,
    }
}

fn below(forest: &Forest<'_>, index: usize, room: usize) -> Vec<Piece> {
    if tokens(forest, index) <= room {
        return vec![Piece {
            container: None,
            index,
            levels: usize::MAX,
        }];
    }
    let children = forest.children(index);
    children
        .map(|child| Piece {
            container: Some(index),
            index: child,
            levels: 1,
        })
        .collect()
}

fn tokens(forest: &Forest<'_>, index: usize) -> usize {
    let subtree = &forest.entries[index..forest.entries[index].end];
    subtree.iter().map(|entry| entry.cost).sum()
}

/// Fills page after page, in order.
fn packed(
    forest: &Forest<'_>,
    pieces: impl Iterator<Item = Piece>,
    room: usize,
) -> Vec<Vec<Piece>> {
    let mut pages: Vec<Vec<Piece>> = Vec::new();
    let mut left = 0;
    let mut container = None;
    for piece in pieces {
        let (own, outer) = (piece.tokens(forest), piece.outer_tokens(forest));
        let is_inside = piece.container == container;
        let added = own + if is_inside { 0 } else { outer };
        if let Some(page) = pages.last_mut().filter(|_| added <= left) {
            page.push(piece);
            left -= added;
        } else {
            pages.push(vec![piece]);
            left = room.saturating_sub(own + outer);
        }
        container = piece.container;
    }
    pages
}

impl Piece {
    fn tokens(&self, forest: &Forest<'_>) -> usize {
        match self.levels {
            1 => forest.entries[self.index].cost,
            _ => tokens(forest, self.index),
        }
    }

    fn outer_tokens(&self, forest: &Forest<'_>) -> usize {
        self.container.map_or(0, |index| forest.entries[index].cost)
    }
}

impl Page {
    pub(super) fn new(forest: &Forest<'_>, pieces: &[Piece]) -> Self {
        let mut page = Self::default();
        page.json.push('[');
        for group in pieces.chunk_by(|a, b| a.container.is_some() && a.container == b.container) {
            let container = group[0].container;
            if let Some(index) = container {
                page.write(forest, index, Shape::Open);
            }
            for piece in group {
                page.write_piece(forest, *piece);
            }
            if container.is_some() {
                page.json.push_str("]}");
            }
        }
        page.json.push(']');
        page
    }

    fn write_piece(&mut self, forest: &Forest<'_>, piece: Piece) {
        let top = &forest.entries[piece.index];
        let mut open: Vec<usize> = Vec::new();
        let mut index = piece.index;
        while index < top.end {
            while open.pop_if(|end| *end == index).is_some() {
                self.json.push_str("]}");
            }
            let entry = &forest.entries[index];
            let shape = forest.shape(index, piece.levels - (entry.depth - top.depth));
            self.write(forest, index, shape);
            index = match shape {
                Shape::Closed => entry.end,
                Shape::Leaf | Shape::Open => index + 1,
            };
            if shape == Shape::Open {
                open.push(entry.end);
            }
        }
        for _ in open {
            self.json.push_str("]}");
        }
    }

    fn write(&mut self, forest: &Forest<'_>, index: usize, shape: Shape) {
        if self.json.ends_with('}') {
            self.json.push(',');
        }
        forest.write_entry(index, shape, &mut self.json);
        let entry = &forest.entries[index];
        if entry.section.is_some() || shape == Shape::Closed {
            let choice = (index, shape == Shape::Closed);
            self.choices.insert(entry.label, choice);
        }
    }
}
