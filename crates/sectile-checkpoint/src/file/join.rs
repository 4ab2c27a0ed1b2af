//! States put together from their pieces.

use std::collections::HashMap;

use super::layout::{Layout, Template};
use super::piece::Piece;
use crate::pieces::Runs;
use crate::{Channel, Channels, Content, StoredState, TypedValue};

/// What fills the holes of a state.
#[derive(Debug, Default)]
pub(super) struct Filled {
    /// The numbers of the pieces of each hole.
    pub(super) holes: Vec<Runs>,
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
        for (at, position) in hole.positions().enumerate() {
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
        let positions = filled.holes.get(at)?.positions();
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
