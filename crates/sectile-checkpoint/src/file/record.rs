//! The lines of a file: which thread it is, then its checkpoints.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::{Checkpoint, Error, Pending, Result, StoredState};

/// The version of what is written here.
pub(super) const VERSION: u32 = 1;

/// With what each file begins.
const START: &[u8] = br#"{"sectile_checkpoints":"#;

/// With what each checkpoint begins; its number follows.
const START_OF_RECORD: &[u8] = br#"{"seq":"#;

/// So many bytes of a line say its number: the start, twenty digits and a comma.
pub(super) const NUMBER_BYTES: u64 = START_OF_RECORD.len() as u64 + 21;

/// The most bytes of a first line: an id of 2,048 bytes, each escaped with six, and the rest.
pub(super) const MAX_HEADER_BYTES: u64 = 16 * 1024;

/// The first line of a file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Header {
    /// The version of the format.
    pub(super) sectile_checkpoints: u32,
    /// The thread.
    pub(super) thread_id: String,
    /// A number that no other file of this thread ever had: nanoseconds since 1970-01-01 UTC.
    pub(super) generation: u64,
    /// How many checkpoints up to the newest at the time of writing were not there any more.
    pub(super) removed: u64,
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
            Ok(_) => serde_json::from_slice(line).map_or(Self::Foreign, Self::Header),
            Err(_) => Self::Foreign,
        }
    }
}

/// Writes a first line.
pub(super) fn header_line(header: &Header) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(header)?;
    line.push(b'\n');
    Ok(line)
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
    node: Option<&'a str>,
    queue: &'a [Pending],
    metadata: &'a Map<String, Value>,
    state: &'a RawValue,
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
        node: checkpoint.node.as_deref(),
        queue: &checkpoint.queue,
        metadata: &checkpoint.metadata,
        state: serde_json::from_str(checkpoint.state.as_json().unwrap_or_default())
            .map_err(refused)?,
    };
    let mut line = serde_json::to_vec(&record).map_err(refused)?;
    // In strings newlines are escaped, so that these stand between the tokens of the state.
    for byte in line.iter_mut().filter(|byte| **byte == b'\n') {
        *byte = b' ';
    }
    line.push(b'\n');
    Ok(line)
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
    node: Option<String>,
    queue: Vec<Pending>,
    /// It may be nested as deep as can be read, so that it must not stand in another object then.
    #[serde(borrow)]
    metadata: &'a RawValue,
    #[serde(borrow)]
    state: &'a RawValue,
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

    /// Returns the checkpoint.
    pub(super) fn into_checkpoint(
        self,
        thread_id: &str,
        metadata: Map<String, Value>,
    ) -> Checkpoint<StoredState> {
        Checkpoint {
            thread_id: thread_id.into(),
            namespace: String::new(),
            run_id: None,
            seq: self.seq,
            id: self.id,
            parent_seq: self.parent_seq,
            step: self.step,
            node: self.node,
            state: StoredState::json(self.state.get()),
            queue: self.queue,
            metadata,
            created_at: self.created_at,
        }
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

    #[test]
    fn newlines_between_tokens_become_spaces() {
        let text = "\n{\n\"a\\n\":\r\n[1,\n2]\n}\n";
        let line = line(&checkpoint(text)).unwrap();
        assert_eq!(
            line.iter().position(|byte| *byte == b'\n'),
            Some(line.len() - 1)
        );
        let stored = Stored::read(&line).unwrap();
        assert_eq!(stored.state.get(), "{ \"a\\n\":\r [1, 2] }");
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
            generation: u64::MAX,
            removed: u64::MAX,
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
        let newer = Beginning::read(b"{\"sectile_checkpoints\":2,\"threads\":[]}\n");
        assert!(matches!(newer, Beginning::Newer(2)));
    }
}
