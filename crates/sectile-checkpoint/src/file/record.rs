//! The lines of a file: which thread it is, then its checkpoints.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use twox_hash::XxHash3_64;

use crate::{
    Channel, Channels, Checkpoint, Content, Error, Key, Pending, Result, StoredState, TypedValue,
};

/// The version of what is written here.
pub(super) const VERSION: u32 = 2;

/// The version from which on every line ends in its hash.
pub(super) const SEALED: u32 = 2;

/// With what each file begins.
const START: &[u8] = br#"{"sectile_checkpoints":"#;

/// With what each checkpoint begins; its number follows.
const START_OF_RECORD: &[u8] = br#"{"seq":"#;

/// So many bytes of a line say its number: the start, twenty digits and a comma.
pub(super) const NUMBER_BYTES: u64 = START_OF_RECORD.len() as u64 + 21;

/// The most bytes of a first line: an id of 2,048 bytes and a namespace of 512, each escaped with
/// six, and the rest.
pub(super) const MAX_HEADER_BYTES: u64 = 16 * 1024;

/// The first line of a file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Header {
    /// The version of the format.
    pub(super) sectile_checkpoints: u32,
    /// The thread.
    pub(super) thread_id: String,
    /// The namespace, empty for the root.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) namespace: String,
    /// A number that no other file of this thread ever had: nanoseconds since 1970-01-01 UTC.
    pub(super) generation: u64,
    /// How many checkpoints up to the newest at the time of writing were not there any more.
    pub(super) removed: u64,
    /// The number of the newest that there ever was, at the time of writing.
    #[serde(default)]
    pub(super) last_seq: u64,
}

impl Header {
    /// Returns the thread and the namespace.
    pub(super) fn key(&self) -> Key {
        Key::new(&*self.thread_id, &*self.namespace)
    }

    /// Says whether every line ends in its hash.
    pub(super) const fn is_sealed(&self) -> bool {
        self.sectile_checkpoints >= SEALED
    }
}

/// Reads the version out of a first line of any version.
#[derive(Deserialize)]
struct Version {
    sectile_checkpoints: u32,
}

/// What the beginning of a file is.
#[derive(Debug)]
pub(super) enum Beginning {
    /// A first line.
    Header(Header),
    /// A first line that was not written to its end: nothing was saved yet.
    Torn,
    /// A first line of a later release.
    Newer(u32),
    /// A first line that is not as it was written.
    Damaged,
    /// Anything else.
    Foreign,
}

impl Beginning {
    /// Reads up to the first newline, or as far as a first line can go.
    pub(super) fn read(line: &[u8]) -> Self {
        if !line.ends_with(b"\n") {
            let is_torn = line.starts_with(START) || START.starts_with(line);
            let is_short = (line.len() as u64) < MAX_HEADER_BYTES;
            return if is_torn && is_short {
                Self::Torn
            } else {
                Self::Foreign
            };
        }
        match serde_json::from_slice(line) {
            Ok(Version {
                sectile_checkpoints: version,
            }) if version > VERSION => Self::Newer(version),
            Ok(Version {
                sectile_checkpoints: version,
            }) if version >= SEALED && !is_sealed(line) => Self::Damaged,
            Ok(_) => serde_json::from_slice(line).map_or(Self::Foreign, Self::Header),
            Err(_) => Self::Foreign,
        }
    }
}

/// Writes a first line.
pub(super) fn header_line(header: &Header) -> serde_json::Result<Vec<u8>> {
    serde_json::to_vec(header).map(sealed)
}

/// With what the hash at the end of a line begins.
const SEAL: &[u8] = br#","hash":""#;

/// How many bytes the hash takes with the end of the line: sixteen digits, `"}` and the newline.
const SEAL_BYTES: usize = SEAL.len() + 16 + 3;

/// Puts a hash of what stands before at the end of an object without newlines (XXH3, 64 bits), and
/// ends the line.
pub(super) fn sealed(mut line: Vec<u8>) -> Vec<u8> {
    let _ = line.pop();
    let hash = XxHash3_64::oneshot(&line);
    line.extend_from_slice(SEAL);
    line.extend_from_slice(format!("{hash:016x}\"}}\n").as_bytes());
    line
}

/// Says whether a line is as it was written.
pub(super) fn is_sealed(line: &[u8]) -> bool {
    let Some(at) = line.len().checked_sub(SEAL_BYTES) else {
        return false;
    };
    let (object, _) = line.split_at(at);
    let mut object = object.to_vec();
    object.push(b'}');
    sealed(object) == line
}

/// A checkpoint as it is written. What lines are chosen by comes first.
#[derive(Serialize)]
struct Record<'a> {
    seq: u64,
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
}

/// A value of any kind: the kind, and the bytes in base64.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Typed(String, String);

impl Typed {
    pub(super) fn of(value: &TypedValue) -> Self {
        Self(value.kind.as_ref().into(), BASE64.encode(&value.bytes))
    }

    pub(super) fn into_value(self) -> Option<TypedValue> {
        let bytes = BASE64.decode(&self.1).ok()?;
        Some(TypedValue::new(&self.0, bytes))
    }
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

/// Writes a checkpoint as a line.
pub(super) fn line(checkpoint: &Checkpoint<StoredState>) -> Result<Vec<u8>> {
    let refused = |error: serde_json::Error| Error::Unencodable {
        thread_id: checkpoint.thread_id.clone(),
        path: "state".into(),
        reason: error.to_string(),
    };
    let record = Record {
        seq: checkpoint.seq,
        id: checkpoint.id.as_deref(),
        created_at: checkpoint.created_at,
        step: checkpoint.step,
        parent_seq: checkpoint.parent_seq,
        run_id: checkpoint.run_id.as_deref(),
        node: checkpoint.node.as_deref(),
        queue: &checkpoint.queue,
        metadata: &checkpoint.metadata,
        state: match &checkpoint.state {
            StoredState::Json(json) => {
                let state: &RawValue = serde_json::from_str(json).map_err(refused)?;
                // A line has no newline within, and what stands around a value is not read.
                let is_as_it_was = state.get() == json && !json.contains('\n');
                if is_as_it_was {
                    WrittenState::State(state)
                } else {
                    WrittenState::Json(json)
                }
            }
            StoredState::Value(value) => WrittenState::Value(Typed::of(value)),
            StoredState::Channels(Channels(channels)) => {
                let written = channels.iter();
                let written = written.map(|(name, channel)| (&**name, WrittenChannel::of(channel)));
                WrittenState::Channels(written.collect())
            }
        },
    };
    serde_json::to_vec(&record).map(sealed).map_err(refused)
}

/// Reads the number of a checkpoint from the beginning of its line.
pub(super) fn number(line: &[u8]) -> Option<u64> {
    let rest = line.strip_prefix(START_OF_RECORD)?;
    let comma = rest.iter().position(|byte| *byte == b',')?;
    std::str::from_utf8(&rest[..comma]).ok()?.parse().ok()
}

/// What lines are chosen by.
#[derive(Debug, Deserialize)]
pub(super) struct Head {
    pub(super) seq: u64,
    pub(super) id: Option<String>,
    pub(super) run_id: Option<String>,
    pub(super) created_at: u64,
}

impl Head {
    /// Reads the rest of a line only to see that it is JSON.
    pub(super) fn read(line: &[u8]) -> serde_json::Result<Self> {
        serde_json::from_slice(line)
    }
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
    #[serde(borrow)]
    state: Option<&'a RawValue>,
    json: Option<String>,
    value: Option<Typed>,
    channels: Option<BTreeMap<String, WrittenChannel>>,
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

    /// Returns the checkpoint; nothing for a state that no release has written.
    pub(super) fn into_checkpoint(
        self,
        key: Key,
        metadata: Map<String, Value>,
    ) -> Option<Checkpoint<StoredState>> {
        let state = match (self.state, self.json, self.value, self.channels) {
            (Some(json), None, None, None) => StoredState::json(json.get()),
            (None, Some(json), None, None) => StoredState::Json(json),
            (None, None, Some(value), None) => value.into_value()?.into(),
            (None, None, None, Some(channels)) => {
                let channel = |(name, channel): (String, WrittenChannel)| {
                    Some((name, channel.into_channel()?))
                };
                let channels = channels.into_iter().map(channel);
                Channels(channels.collect::<Option<_>>()?).into()
            }
            _ => return None,
        };
        Some(Checkpoint {
            thread_id: key.thread_id,
            namespace: key.namespace,
            run_id: self.run_id,
            seq: self.seq,
            id: self.id,
            parent_seq: self.parent_seq,
            step: self.step,
            node: self.node,
            state,
            queue: self.queue,
            metadata,
            created_at: self.created_at,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint(state: &str) -> Checkpoint<StoredState> {
        let mut checkpoint = Checkpoint::new("thread", StoredState::json(state));
        checkpoint.seq = 7;
        checkpoint
    }

    #[test]
    fn a_line_begins_with_what_it_is_chosen_by() {
        let checkpoint = checkpoint("{}").with_id("a\nb").with_created_at(5);
        let text = String::from_utf8(line(&checkpoint).unwrap()).unwrap();
        assert!(text.starts_with(r#"{"seq":7,"id":"a\nb","created_at":5,"#));
        assert_eq!(number(text.as_bytes()), Some(7));
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
        found.unwrap().state
    }

    #[test]
    fn text_of_any_spaces_is_a_line_and_reads_as_it_was() {
        for text in [
            "\n{\n\"a\\n\":\r\n[1,\n2]\n}\n",
            " 1",
            "1\t",
            "[1,\r2]",
            "[ 1 ]",
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

    #[test]
    fn numbers_are_read_from_the_beginning_only() {
        assert_eq!(number(br#"{"seq":18446744073709551615,"#), Some(u64::MAX));
        assert_eq!(
            NUMBER_BYTES,
            br#"{"seq":18446744073709551615,"#.len() as u64
        );
        for damaged in [
            "",
            "{\"seq\":",
            "{\"seq\":1",
            "{\"seq\":-1,",
            "{\"seq\":18446744073709551616,",
        ] {
            assert_eq!(number(damaged.as_bytes()), None, "{damaged}");
        }
    }

    #[test]
    fn the_longest_id_fits_into_a_first_line() {
        let header = Header {
            sectile_checkpoints: VERSION,
            thread_id: "\u{1}".repeat(2_048),
            namespace: "\u{1}".repeat(512),
            generation: u64::MAX,
            removed: u64::MAX,
            last_seq: u64::MAX,
        };
        let line = header_line(&header).unwrap();
        assert!((line.len() as u64) < MAX_HEADER_BYTES);
        assert!(matches!(Beginning::read(&line), Beginning::Header(_)));
        for end in 0..line.len() {
            let beginning = Beginning::read(&line[..end]);
            assert!(matches!(beginning, Beginning::Torn), "{end}");
        }
    }

    #[test]
    fn a_first_line_of_others_is_told_apart() {
        for foreign in [
            "\n",
            "{}\n",
            "PK",
            "{\"sectile_checkpoints\":1}\n",
            "{\"seq\":1",
        ] {
            let beginning = Beginning::read(foreign.as_bytes());
            assert!(matches!(beginning, Beginning::Foreign), "{foreign}");
        }
        let newer = Beginning::read(b"{\"sectile_checkpoints\":3,\"threads\":[]}\n");
        assert!(matches!(newer, Beginning::Newer(3)));
    }
}
