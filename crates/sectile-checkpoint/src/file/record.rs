//! The lines of checkpoints, each after those of the pieces that it adds.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::layout::Placed;
use super::seal::sealed;
use super::typed::Typed;
use crate::{Channel, Channels, Checkpoint, Content, Error, Key, Pending, Result, StoredState};

/// A checkpoint as it is written. What lines are chosen by comes first.
#[derive(Serialize)]
struct Record<'a> {
    seq: u64,
    #[serde(skip_serializing_if = "is_zero")]
    last_piece: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    created_at: u64,
    step: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent_seq: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<&'a str>,
    queue: &'a [Pending],
    metadata: &'a Map<String, Value>,
    #[serde(flatten)]
    state: WrittenState<'a>,
}

/// A state as it is written.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum WrittenState<'a> {
    State(&'a RawValue),
    /// JSON text that cannot stand in a line as it is: in a string.
    Json(&'a str),
    Value(Typed),
    Channels(BTreeMap<&'a str, WrittenChannel>),
    /// Where the parts of a state in pieces are.
    Layout(&'a Placed),
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A state as the line of its checkpoint has it.
#[derive(Debug)]
pub(super) enum Kept {
    /// All of it.
    Whole(StoredState),
    /// Where its pieces are.
    InPieces(Placed),
}

/// A channel as it is written.
#[derive(Debug, Serialize, Deserialize)]
struct WrittenChannel {
    version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Typed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    list: Option<Vec<Typed>>,
}

impl WrittenChannel {
    fn of(channel: &Channel) -> Self {
        let (value, list) = match &channel.content {
            Content::Value(value) => (Some(Typed::of(value)), None),
            Content::List(values) => (None, Some(values.iter().map(Typed::of).collect())),
            Content::Same | Content::Appended(_) => (None, None),
        };
        Self {
            version: channel.version.clone(),
            value,
            list,
        }
    }

    fn into_channel(self) -> Option<Channel> {
        let content = match (self.value, self.list) {
            (Some(value), None) => Content::Value(value.into_value()?),
            (None, Some(list)) => {
                let values = list.into_iter().map(Typed::into_value);
                Content::List(values.collect::<Option<_>>()?)
            }
            _ => return None,
        };
        let version = self.version;
        Some(Channel { version, content })
    }
}

/// Writes a checkpoint as a line. `last_piece` is the number of the last piece before it, or 0.
pub(super) fn line<S>(
    checkpoint: &Checkpoint<S>,
    state: &Kept,
    last_piece: u64,
) -> Result<Vec<u8>> {
    let refused = |error: serde_json::Error| Error::Unencodable {
        thread_id: checkpoint.thread_id.clone(),
        path: "state".into(),
        reason: error.to_string(),
    };
    let record = Record {
        seq: checkpoint.seq,
        last_piece,
        id: checkpoint.id.as_deref(),
        created_at: checkpoint.created_at,
        step: checkpoint.step,
        parent_seq: checkpoint.parent_seq,
        run_id: checkpoint.run_id.as_deref(),
        node: checkpoint.node.as_deref(),
        queue: &checkpoint.queue,
        metadata: &checkpoint.metadata,
        state: match state {
            Kept::Whole(state) => WrittenState::of(state).map_err(refused)?,
            Kept::InPieces(placed) => WrittenState::Layout(placed),
        },
    };
    serde_json::to_vec(&record).map(sealed).map_err(refused)
}

impl<'a> WrittenState<'a> {
    fn of(state: &'a StoredState) -> serde_json::Result<Self> {
        Ok(match state {
            StoredState::Json(json) => {
                let state: &RawValue = serde_json::from_str(json)?;
                // A line has no newline within, and what stands around a value is not read.
                let is_as_it_was = state.get() == json && !json.contains('\n');
                if is_as_it_was {
                    Self::State(state)
                } else {
                    Self::Json(json)
                }
            }
            StoredState::Value(value) => Self::Value(Typed::of(value)),
            StoredState::Channels(Channels(channels)) => {
                let written = channels.iter();
                let written = written.map(|(name, channel)| (&**name, WrittenChannel::of(channel)));
                Self::Channels(written.collect())
            }
        })
    }
}

/// The criteria that select lines.
#[derive(Debug, Deserialize)]
pub(super) struct Head {
    pub(super) seq: u64,
    pub(super) id: Option<String>,
    pub(super) run_id: Option<String>,
    pub(super) created_at: u64,
    /// Where the parts of a state in pieces are.
    pub(super) layout: Option<Placed>,
}

impl Head {
    /// Reads the rest of a line only to see that it is JSON.
    pub(super) fn read(line: &[u8]) -> serde_json::Result<Self> {
        serde_json::from_slice(line)
    }
}

/// The metadata of a checkpoint, alone.
#[derive(Deserialize)]
struct OnlyMetadata<'a> {
    #[serde(borrow)]
    metadata: &'a RawValue,
}

/// Reads the metadata of a line, which need not be as it was written otherwise.
pub(super) fn metadata(line: &[u8]) -> serde_json::Result<Map<String, Value>> {
    let only: OnlyMetadata<'_> = serde_json::from_slice(line)?;
    serde_json::from_str(only.metadata.get())
}

/// A checkpoint as it is read.
#[derive(Debug, Deserialize)]
pub(super) struct Stored<'a> {
    seq: u64,
    id: Option<String>,
    created_at: u64,
    step: u64,
    parent_seq: Option<u64>,
    run_id: Option<String>,
    node: Option<String>,
    queue: Vec<Pending>,
    /// It may be nested as deep as can be read, so that it must not stand in another object then.
    #[serde(borrow)]
    metadata: &'a RawValue,
    #[serde(borrow, default, deserialize_with = "some")]
    state: Option<&'a RawValue>,
    json: Option<String>,
    value: Option<Typed>,
    channels: Option<BTreeMap<String, WrittenChannel>>,
    layout: Option<Placed>,
}

impl<'a> Stored<'a> {
    /// Reads a line.
    pub(super) fn read(line: &'a [u8]) -> serde_json::Result<Self> {
        serde_json::from_slice(line)
    }

    /// Reads the metadata.
    pub(super) fn metadata(&self) -> serde_json::Result<Map<String, Value>> {
        serde_json::from_str(self.metadata.get())
    }

    /// Returns the checkpoint and its state; nothing for a state that no release has written.
    pub(super) fn into_checkpoint(
        self,
        key: Key,
        metadata: Map<String, Value>,
    ) -> Option<(Checkpoint<()>, Kept)> {
        let state = match (
            self.state,
            self.json,
            self.value,
            self.channels,
            self.layout,
        ) {
            (Some(json), None, None, None, None) => Kept::Whole(StoredState::json(json.get())),
            (None, Some(json), None, None, None) => Kept::Whole(StoredState::Json(json)),
            (None, None, Some(value), None, None) => Kept::Whole(value.into_value()?.into()),
            (None, None, None, Some(channels), None) => {
                let channel = |(name, channel): (String, WrittenChannel)| {
                    Some((name, channel.into_channel()?))
                };
                let channels = channels.into_iter().map(channel);
                Kept::Whole(Channels(channels.collect::<Option<_>>()?).into())
            }
            (None, None, None, None, Some(placed)) => Kept::InPieces(placed),
            _ => return None,
        };
        let checkpoint = Checkpoint {
            thread_id: key.thread_id,
            namespace: key.namespace,
            run_id: self.run_id,
            seq: self.seq,
            id: self.id,
            parent_seq: self.parent_seq,
            step: self.step,
            node: self.node,
            state: (),
            queue: self.queue,
            metadata,
            created_at: self.created_at,
        };
        Some((checkpoint, state))
    }
}

/// Reads a value that is there, null included.
fn some<'de: 'a, 'a, D: Deserializer<'de>>(from: D) -> Result<Option<&'a RawValue>, D::Error> {
    Deserialize::deserialize(from).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::beginning::Place;
    use crate::file::seal::is_sealed;

    fn checkpoint(state: &str) -> Checkpoint<StoredState> {
        let mut checkpoint = Checkpoint::new("thread", StoredState::json(state));
        checkpoint.seq = 7;
        checkpoint
    }

    /// Writes a checkpoint with its state whole.
    fn line(checkpoint: &Checkpoint<StoredState>) -> Result<Vec<u8>> {
        super::line(checkpoint, &Kept::Whole(checkpoint.state.clone()), 0)
    }

    #[test]
    fn a_line_begins_with_what_it_is_chosen_by() {
        let checkpoint = checkpoint("{}").with_id("a\nb").with_created_at(5);
        let text = String::from_utf8(line(&checkpoint).unwrap()).unwrap();
        assert!(text.starts_with(r#"{"seq":7,"id":"a\nb","created_at":5,"#));
        let place = Place {
            seq: 7,
            piece: 0,
            is_piece: false,
        };
        assert_eq!(Place::read(text.as_bytes()), Some(place));
        let head = Head::read(text.as_bytes()).unwrap();
        assert_eq!(
            (head.seq, head.id.as_deref(), head.created_at),
            (7, Some("a\nb"), 5)
        );
    }

    /// Reads the state of a line.
    fn state(line: &[u8]) -> StoredState {
        assert!(is_sealed(line));
        let stored = Stored::read(line).unwrap();
        let found = stored.into_checkpoint("thread".into(), Map::new());
        match found.unwrap().1 {
            Kept::Whole(state) => state,
            Kept::InPieces(placed) => panic!("{placed:?}"),
        }
    }

    #[test]
    fn text_of_any_spaces_is_a_line_and_reads_as_it_was() {
        for text in [
            "\n{\n\"a\\n\":\r\n[1,\n2]\n}\n",
            " 1",
            "1\t",
            "[1,\r2]",
            "[ 1 ]",
            "null",
        ] {
            let line = line(&checkpoint(text)).unwrap();
            let newline = line.iter().position(|byte| *byte == b'\n');
            assert_eq!(newline, Some(line.len() - 1));
            assert_eq!(state(&line), StoredState::json(text));
        }
        let plain = line(&checkpoint("[ 1,\t2 ]")).unwrap();
        let plain = String::from_utf8(plain).unwrap();
        assert!(plain.contains(",\"state\":[ 1,\t2 ],"), "{plain}");
    }

    #[test]
    fn a_line_with_spaces_for_newlines_is_read() {
        let line = sealed(
            br#"{"seq":1,"created_at":1,"step":0,"queue":[],"metadata":{},"state":{ "a": [1, 2] }}"#.to_vec(),
        );
        assert_eq!(state(&line), StoredState::json(r#"{ "a": [1, 2] }"#));
    }

    #[test]
    fn text_that_is_no_json_is_not_written() {
        for text in ["", "{", "1}", "1,\"seq\":2", "nul"] {
            let refused = line(&checkpoint(text));
            assert!(matches!(refused, Err(Error::Unencodable { .. })), "{text}");
        }
    }
}
