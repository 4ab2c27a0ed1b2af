//! Channels as bytes: all in one, or as a template with pieces.

use std::sync::Arc;

use sectile_checkpoint::{Channel, Channels, Content, TypedValue};

use super::code::{Reader, Writer};

/// What stands before a channel's value: whether it is a list.
const VALUE: u64 = 0;
const LIST: u64 = 1;

/// Writes channels as one; those that follow from a parent are left out.
pub(crate) fn encode(channels: &Channels) -> Vec<u8> {
    let mut to = Writer::default();
    to.number(channels.0.len() as u64);
    for (name, channel) in &channels.0 {
        to.bytes(name.as_bytes());
        to.bytes(channel.version.as_bytes());
        match &channel.content {
            Content::Value(value) => {
                to.number(VALUE);
                to.bytes(&encode_entry(value));
            }
            Content::List(values) => {
                to.number(LIST);
                to.number(values.len() as u64);
                for value in values {
                    to.bytes(&encode_entry(value));
                }
            }
            Content::Same | Content::Appended(_) => unreachable!("channels are whole here"),
        }
    }
    to.0
}

/// Reads channels that were written as one; nothing for what no release has written.
pub(crate) fn decode(bytes: &[u8]) -> Option<Channels> {
    let mut from = Reader(bytes);
    let count = from.number()?;
    let mut channels = Channels::new();
    let mut kind = None;
    for _ in 0..count {
        let name = text(from.bytes()?)?;
        let version = text(from.bytes()?)?;
        let content = match from.number()? {
            VALUE => Content::Value(decode_entry(&mut kind, from.bytes()?)?),
            LIST => {
                let mut values = Vec::new();
                for _ in 0..from.number()? {
                    values.push(decode_entry(&mut kind, from.bytes()?)?);
                }
                Content::List(values)
            }
            _ => return None,
        };
        drop(channels.0.insert(name, Channel { version, content }));
    }
    from.is_at_end().then_some(channels)
}

/// Writes an entry of a list as a piece.
pub(crate) fn encode_entry(value: &TypedValue) -> Vec<u8> {
    let mut to = Writer::default();
    to.bytes(value.kind.as_bytes());
    to.0.extend_from_slice(&value.bytes);
    to.0
}

/// The kind of the value before, which those that follow mostly have, too, and then share.
pub(crate) type Kind = Option<Arc<str>>;

/// Returns the kind and the bytes of an entry of a list.
pub(crate) fn split_entry(piece: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut from = Reader(piece);
    Some((from.bytes()?, from.rest()))
}

/// Reads an entry of a list.
pub(crate) fn decode_entry(kind: &mut Kind, piece: &[u8]) -> Option<TypedValue> {
    let (name, bytes) = split_entry(piece)?;
    let kind = match kind {
        Some(kind) if kind.as_bytes() == name => Arc::clone(kind),
        other => Arc::clone(other.insert(Arc::from(std::str::from_utf8(name).ok()?))),
    };
    let bytes = Arc::from(bytes);
    Some(TypedValue { kind, bytes })
}

/// Writes the value of a channel, with its version, as a piece.
pub(crate) fn encode_value(version: &str, value: &TypedValue) -> Vec<u8> {
    let mut to = Writer::default();
    to.bytes(version.as_bytes());
    to.0.extend_from_slice(&encode_entry(value));
    to.0
}

/// Returns the version of a channel's value, and the value as an entry.
pub(crate) fn split_value(piece: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut from = Reader(piece);
    Some((from.bytes()?, from.rest()))
}

/// Reads the value of a channel, with its version.
pub(crate) fn decode_value(kind: &mut Kind, piece: &[u8]) -> Option<(String, TypedValue)> {
    let (version, entry) = split_value(piece)?;
    Some((text(version)?, decode_entry(kind, entry)?))
}

/// A channel of a template: its name, and whether it is a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    /// The channel's name.
    pub(crate) name: String,
    /// Whether it is a list.
    pub(crate) is_list: bool,
}

/// Writes the names of channels as a template.
pub(crate) fn encode_template(slots: &[Slot]) -> Vec<u8> {
    let mut to = Writer::default();
    for slot in slots {
        to.bytes(slot.name.as_bytes());
        to.number(if slot.is_list { LIST } else { VALUE });
    }
    to.0
}

/// Reads a template of channels.
pub(crate) fn decode_template(bytes: &[u8]) -> Option<Vec<Slot>> {
    let slots = split_template(bytes)?.into_iter();
    let owned = slots.map(|(name, is_list)| Slot {
        name: name.to_owned(),
        is_list,
    });
    Some(owned.collect())
}

/// Returns the channels of a template: their names, and whether they are lists.
pub(crate) fn split_template(bytes: &[u8]) -> Option<Vec<(&str, bool)>> {
    let mut from = Reader(bytes);
    let mut slots = Vec::new();
    while !from.is_at_end() {
        let name = std::str::from_utf8(from.bytes()?).ok()?;
        let is_list = match from.number()? {
            VALUE => false,
            LIST => true,
            _ => return None,
        };
        slots.push((name, is_list));
    }
    Some(slots)
}

fn text(bytes: &[u8]) -> Option<String> {
    String::from_utf8(bytes.to_vec()).ok()
}
