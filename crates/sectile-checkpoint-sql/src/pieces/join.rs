//! States put together from their pieces.

use sectile_checkpoint::{Channel, Channels, Content, JSON, StoredState, TypedValue};

use super::found::Pieces;
use crate::layout::{Hole, Whole, channels, json};

/// Returns JSON text; nothing if the pieces do not fit.
pub(super) fn json(whole: &Whole, pieces: &Pieces) -> Option<String> {
    let around = json::decode_template(&whole.template)?;
    if around.len() != whole.holes.len() + 1 {
        return None;
    }
    let bytes: u64 = whole.holes.iter().map(|hole| hole.bytes).sum();
    let mut text = Vec::with_capacity(bytes as usize + bytes as usize / 64 + whole.template.len());
    for (hole, before) in whole.holes.iter().zip(&around) {
        text.extend_from_slice(before.as_bytes());
        for (at, position) in hole.positions().enumerate() {
            if at > 0 {
                text.push(b',');
            }
            text.extend_from_slice(pieces.get(position)?);
        }
    }
    text.extend_from_slice(around.last()?.as_bytes());
    String::from_utf8(text).ok()
}

/// Returns bytes of a kind; nothing if the pieces do not fit.
pub(super) fn value(whole: &Whole, pieces: &Pieces) -> Option<TypedValue> {
    let kind = std::str::from_utf8(&whole.template).ok()?;
    let [hole] = whole.holes.as_slice() else {
        return None;
    };
    let mut bytes = Vec::with_capacity(hole.bytes as usize);
    for position in hole.positions() {
        bytes.extend_from_slice(pieces.get(position)?);
    }
    (bytes.len() as u64 == hole.bytes).then(|| TypedValue::new(kind, bytes))
}

/// Puts channels together; nothing if the pieces do not fit.
pub(super) type JoinChannels = fn(&Whole, &Pieces) -> Option<StoredState>;

/// Returns channels as they are stored.
pub(super) fn stored(whole: &Whole, pieces: &Pieces) -> Option<StoredState> {
    channels(whole, pieces).map(StoredState::Channels)
}

/// Returns channels as the text of a JSON object if all of them are JSON, otherwise as they are stored.
pub(super) fn typed(whole: &Whole, pieces: &Pieces) -> Option<StoredState> {
    match object(whole, pieces) {
        Some(json) => Some(StoredState::Json(json)),
        None => stored(whole, pieces),
    }
}

/// Returns channels as the text of a JSON object; nothing if the pieces do not fit, or one is not JSON.
fn object(whole: &Whole, pieces: &Pieces) -> Option<String> {
    let slots = channels::split_template(&whole.template)?;
    if slots.len() != whole.holes.len() {
        return None;
    }
    let bytes: u64 = whole.holes.iter().map(|hole| hole.bytes).sum();
    let mut text = Vec::with_capacity(bytes as usize + whole.template.len() + 8 * slots.len());
    let mut before = b'{';
    for (&(name, is_list), hole) in slots.iter().zip(&whole.holes) {
        text.push(before);
        before = b',';
        write_name(&mut text, name)?;
        text.push(b':');
        if is_list {
            let mut before = b'[';
            for position in hole.positions() {
                text.push(before);
                before = b',';
                text.extend_from_slice(json_of(pieces.get(position)?)?);
            }
            text.extend_from_slice(if before == b'[' { b"[]" } else { b"]" });
        } else {
            let piece = pieces.get(hole.runs.first_position()?)?;
            let (_, entry) = channels::split_value(piece)?;
            text.extend_from_slice(json_of(entry)?);
        }
    }
    text.extend_from_slice(if before == b'{' { b"{}" } else { b"}" });
    String::from_utf8(text).ok()
}

/// Writes a name as a JSON string; most need no escapes.
fn write_name(text: &mut Vec<u8>, name: &str) -> Option<()> {
    if name
        .bytes()
        .any(|byte| matches!(byte, 0..0x20 | b'"' | b'\\'))
    {
        return serde_json::to_writer(text, name).ok();
    }
    text.push(b'"');
    text.extend_from_slice(name.as_bytes());
    text.push(b'"');
    Some(())
}

/// Returns the JSON of an entry.
fn json_of(entry: &[u8]) -> Option<&[u8]> {
    let (kind, bytes) = channels::split_entry(entry)?;
    (kind == JSON.as_bytes()).then_some(bytes)
}

/// Returns channels; nothing if the pieces do not fit.
fn channels(whole: &Whole, pieces: &Pieces) -> Option<Channels> {
    let slots = channels::split_template(&whole.template)?;
    if slots.len() != whole.holes.len() {
        return None;
    }
    let mut kind = None;
    let mut filled = Vec::with_capacity(slots.len());
    for (&(name, is_list), hole) in slots.iter().zip(&whole.holes) {
        let channel = if is_list {
            list(hole, pieces, &mut kind)?
        } else {
            let piece = pieces.get(hole.runs.first_position()?)?;
            let (version, value) = channels::decode_value(&mut kind, piece)?;
            let content = Content::Value(value);
            Channel { version, content }
        };
        filled.push((name.to_owned(), channel));
    }
    // They are in order, so that the map is made at once.
    Some(Channels(filled.into_iter().collect()))
}

fn list(hole: &Hole, pieces: &Pieces, kind: &mut channels::Kind) -> Option<Channel> {
    let counts = hole.runs.iter().map(|run| run.count);
    let count = counts.fold(0, u64::saturating_add) as usize;
    let mut values: Vec<TypedValue> = Vec::with_capacity(count.min(pieces.len()));
    for position in hole.positions() {
        values.push(channels::decode_entry(kind, pieces.get(position)?)?);
    }
    Some(Channel {
        version: hole.version.clone(),
        content: Content::List(values),
    })
}
