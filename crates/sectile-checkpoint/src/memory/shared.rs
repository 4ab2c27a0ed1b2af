//! States in memory, which share their long parts with those before.

use std::collections::HashMap;
use std::sync::Arc;

use crate::pieces::{Filling, MAX_WHOLE_BYTES, Split};
use crate::{Channels, Content, StoredState, TypedValue};

/// Pieces are shared in blocks of so many, and blocks in blocks.
const BLOCK: usize = 16;

/// A sequence that is shared as a whole.
type Block<T> = Arc<[Arc<T>]>;

/// A block of pieces of JSON text.
type Pieces = Block<str>;

/// A state that shares its long parts with the one before it.
#[derive(Clone, Debug)]
pub(super) enum Shared {
    /// Long JSON text.
    Json(Json),
    /// Any other state. The values of channels share their bytes.
    Whole(StoredState),
}

impl Shared {
    /// Takes from another state what is in both.
    pub(super) fn of(state: StoredState, before: Option<&Self>) -> Self {
        match (state, before) {
            (StoredState::Json(json), before) if json.len() > MAX_WHOLE_BYTES => {
                let none = Json::default();
                let before = match before {
                    Some(Self::Json(before)) => before,
                    Some(Self::Whole(_)) | None => &none,
                };
                Self::Json(Json::of(&json, before))
            }
            (
                StoredState::Channels(mut channels),
                Some(Self::Whole(StoredState::Channels(before))),
            ) => {
                share(&mut channels, before);
                Self::Whole(channels.into())
            }
            (whole, _) => Self::Whole(whole),
        }
    }

    /// Returns the state.
    pub(super) fn whole(&self) -> StoredState {
        match self {
            Self::Json(json) => StoredState::Json(json.text()),
            Self::Whole(state) => state.clone(),
        }
    }

    /// Returns the state, unless it is long JSON text.
    pub(super) const fn as_whole(&self) -> Option<&StoredState> {
        match self {
            Self::Json(_) => None,
            Self::Whole(state) => Some(state),
        }
    }
}

/// JSON text in pieces.
#[derive(Clone, Debug, Default)]
pub(super) struct Json {
    /// The text before, between and after the holes.
    around: Vec<Arc<str>>,
    /// The content of the holes, with commas between the pieces.
    holes: Vec<Vec<Block<[Arc<str>]>>>,
}

impl Json {
    fn of(json: &str, before: &Self) -> Self {
        let known = Known::new(before);
        let split = Split::new(json);
        let holes = split.holes.iter().enumerate().map(|(at, filling)| {
            let before = before.holes.get(at).map_or(&[][..], Vec::as_slice);
            let blocks_before: Vec<Pieces> = flat(before).cloned().collect();
            blocks(&blocks(&known.pieces(filling), &blocks_before), before)
        });
        let holes = holes.collect();
        let around = split.around.iter().map(|part| known.part(part)).collect();
        Self { around, holes }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (at, before) in self.around.iter().enumerate() {
            text.push_str(before);
            let hole = self.holes.get(at).map_or(&[][..], Vec::as_slice);
            for (at, piece) in pieces(hole).enumerate() {
                if at > 0 {
                    text.push(',');
                }
                text.push_str(piece);
            }
        }
        text
    }

    fn parts(&self) -> impl Iterator<Item = &Arc<str>> {
        let pieces = self.holes.iter().flat_map(|hole| pieces(hole));
        self.around.iter().chain(pieces)
    }
}

/// Returns the pieces of a hole.
fn pieces(hole: &[Block<[Arc<str>]>]) -> impl Iterator<Item = &Arc<str>> {
    flat(hole).flat_map(|block| block.iter())
}

/// Returns what stands in blocks.
fn flat<T: ?Sized>(blocks: &[Block<T>]) -> impl Iterator<Item = &Arc<T>> {
    blocks.iter().flat_map(|block| block.iter())
}

/// The parts of the state before, by their text.
struct Known<'k>(HashMap<&'k str, &'k Arc<str>>);

impl<'k> Known<'k> {
    fn new(before: &'k Json) -> Self {
        Self(before.parts().map(|part| (&**part, part)).collect())
    }

    fn part(&self, text: &str) -> Arc<str> {
        match self.0.get(text) {
            Some(known) => Arc::clone(known),
            None => text.into(),
        }
    }

    fn pieces(&self, filling: &Filling<'_>) -> Vec<Arc<str>> {
        filling.pieces().map(|piece| self.part(piece)).collect()
    }
}

/// Puts parts into blocks, of which those are taken from before that are there.
fn blocks<T: ?Sized>(parts: &[Arc<T>], before: &[Block<T>]) -> Vec<Block<T>> {
    let mut before = before.iter();
    let block = |parts: &[Arc<T>]| -> Block<T> {
        let is_same = |before: &&Block<T>| {
            let mut pairs = before.iter().zip(parts);
            before.len() == parts.len() && pairs.all(|(one, other)| Arc::ptr_eq(one, other))
        };
        match before.next().filter(is_same) {
            Some(same) => Arc::clone(same),
            None => parts.into(),
        }
    };
    parts.chunks(BLOCK).map(block).collect()
}

/// Takes the values of channels from those before where they are the same.
fn share(channels: &mut Channels, before: &Channels) {
    for (name, channel) in &mut channels.0 {
        let known = before.0.get(name).map(|before| &before.content);
        match (&mut channel.content, known) {
            (Content::Value(value), Some(Content::Value(known))) => share_value(value, known),
            (Content::List(values), Some(Content::List(known))) => {
                for (value, known) in values.iter_mut().zip(known) {
                    share_value(value, known);
                }
            }
            _ => {}
        }
    }
}

fn share_value(value: &mut TypedValue, known: &TypedValue) {
    if *value == *known {
        value.clone_from(known);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn messages(count: usize) -> Vec<String> {
        let text = "word ".repeat(100);
        let message = |number| format!(r#"{{"content":"{number} {text}"}}"#);
        (0..count).map(message).collect()
    }

    fn json(count: usize) -> StoredState {
        let messages = messages(count).join(",");
        StoredState::json(format!(r#"{{"step":{count},"messages":[{messages}]}}"#))
    }

    fn channels(count: usize) -> StoredState {
        let values = messages(count);
        let values = values
            .iter()
            .map(|text| TypedValue::new("json", text.as_bytes()));
        let list: Vec<TypedValue> = values.collect();
        Channels::new().with("messages", "1", list).into()
    }

    fn bytes_of_hole(hole: &[Block<[Arc<str>]>], add: &mut impl FnMut(*const u8, usize)) {
        add(hole.as_ptr().cast(), size_of_val(hole));
        for block in hole {
            add(block.as_ptr().cast(), size_of_val(&**block));
        }
        for pieces in flat(hole) {
            add(pieces.as_ptr().cast(), size_of_val(&**pieces));
        }
    }

    /// Returns how many bytes states take together, what they share counted once.
    fn bytes(states: &[Shared]) -> usize {
        let mut seen = HashSet::new();
        let mut bytes = 0;
        let mut add = |part: *const u8, size: usize| {
            if seen.insert(part) {
                bytes += size;
            }
        };
        for state in states {
            match state {
                Shared::Json(json) => {
                    for part in json.parts() {
                        add(part.as_ptr(), part.len());
                    }
                    for hole in &json.holes {
                        bytes_of_hole(hole, &mut add);
                    }
                }
                Shared::Whole(StoredState::Channels(channels)) => {
                    let Content::List(values) = &channels.0["messages"].content else {
                        panic!("{channels:?}");
                    };
                    for value in values {
                        add(value.bytes.as_ptr(), value.bytes.len());
                    }
                }
                Shared::Whole(whole) => add(std::ptr::from_ref(whole).cast(), whole.size()),
            }
        }
        bytes
    }

    #[test]
    fn a_conversation_takes_what_changed() {
        let states: [fn(usize) -> StoredState; 2] = [json, channels];
        for state in states {
            let mut states: Vec<Shared> = Vec::new();
            for count in 1..=500 {
                states.push(Shared::of(state(count), states.last()));
            }
            for (count, shared) in (1..).zip(&states) {
                assert!(shared.whole() == state(count), "{count}");
            }
            let (all, last) = (bytes(&states), state(500).size());
            assert!(all <= 2 * last, "{all} for {last}");
        }
    }

    #[test]
    fn a_state_that_changes_is_put_together_as_it_was() {
        let text = |number: usize| format!("\"{}\"", "x".repeat(number));
        let mut before: Option<Shared> = None;
        for number in [1, 300, 5, 900, 899, 2, 2_000] {
            let list = vec![text(number); 40].join(" ,");
            let json = format!("[ {list} , {} ]", text(9_000 + number));
            let state = StoredState::json(json);
            let shared = Shared::of(state.clone(), before.as_ref());
            assert!(shared.whole() == state, "{number}");
            before = Some(shared);
        }
    }
}
