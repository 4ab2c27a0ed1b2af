//! States put together from their pieces.

use std::collections::HashMap;

use super::layout::{Layout, Template};
use super::piece::Piece;
use crate::pieces::Runs;
use crate::{Channel, Channels, Content, StoredState, TypedValue};

/// The pieces that fill a hole.
#[derive(Debug, Default)]
pub(super) struct FilledHole {
    /// Their numbers, in order.
    pub(super) runs: Runs,
    /// The pieces by which the first of them are named, in order: the number of each, and how many are
    /// named up to it.
    pub(super) named_by: Vec<(u64, usize)>,
}

impl FilledHole {
    /// Returns the last piece that names no others than some numbers begin with, and how many it and those
    /// before it name.
    pub(super) fn shared_with(&self, numbers: &Runs) -> (Option<u64>, usize) {
        let both = self.runs.positions().zip(numbers.positions());
        let shared = both.take_while(|(one, other)| one == other).count();
        let mut named_by = self.named_by.iter().rev();
        match named_by.find(|(_, count)| *count <= shared) {
            Some((number, count)) => (Some(*number), *count),
            None => (None, 0),
        }
    }
}

/// The values that fill the holes of a state.
#[derive(Debug, Default)]
pub(super) struct Filled {
    /// The pieces of each hole.
    pub(super) holes: Vec<FilledHole>,
    /// The pieces by their numbers.
    pub(super) pieces: HashMap<u64, Piece>,
}

/// Returns a state; nothing if the pieces do not fit.
pub(super) fn state(layout: &Layout, filled: &Filled) -> Option<StoredState> {
    match &layout.template {
        Template::Json(around) => json(around, filled).map(StoredState::Json),
        Template::Channels(slots) => channels(slots, layout, filled).map(StoredState::Channels),
    }
}

fn json(around: &[String], filled: &Filled) -> Option<String> {
    let (last, before) = around.split_last()?;
    if before.len() != filled.holes.len() {
        return None;
    }
    let mut text = String::new();
    for (before, hole) in before.iter().zip(&filled.holes) {
        text.push_str(before);
        for (at, position) in hole.runs.positions().enumerate() {
            if at > 0 {
                text.push(',');
            }
            match filled.pieces.get(&position)? {
                Piece::Json(json) => text.push_str(json),
                _ => return None,
            }
        }
    }
    text.push_str(last);
    Some(text)
}

fn channels(slots: &[(String, bool)], layout: &Layout, filled: &Filled) -> Option<Channels> {
    let mut channels = Channels::new();
    for (at, (name, is_list)) in slots.iter().enumerate() {
        let version = layout.holes.get(at)?.version.clone();
        let positions = filled.holes.get(at)?.runs.positions();
        let values = positions.map(|position| value(filled, position));
        let mut values = values.collect::<Option<Vec<_>>>()?;
        let content = if *is_list {
            Content::List(values)
        } else {
            Content::Value(values.pop()?)
        };
        drop(
            channels
                .0
                .insert(name.clone(), Channel { version, content }),
        );
    }
    Some(channels)
}

fn value(filled: &Filled, position: u64) -> Option<TypedValue> {
    match filled.pieces.get(&position)? {
        Piece::Value(value) => Some(value.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_share_the_pieces_that_name_their_beginning() {
        let runs = |numbers: &[u64]| {
            let mut runs = Runs::default();
            for number in numbers {
                runs.push_position(*number);
            }
            runs
        };
        let filling = FilledHole {
            runs: runs(&[1, 2, 5, 7, 9]),
            named_by: vec![(20, 2), (30, 4)],
        };
        for (numbers, expected) in [
            (&[1, 2, 5, 7, 9, 11][..], (Some(30), 4)),
            (&[1, 2, 5, 7][..], (Some(30), 4)),
            (&[1, 2, 5, 8, 9][..], (Some(20), 2)),
            (&[1, 3][..], (None, 0)),
            (&[][..], (None, 0)),
        ] {
            assert_eq!(filling.shared_with(&runs(numbers)), expected);
        }
    }
}
