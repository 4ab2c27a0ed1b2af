//! The first line of a file, which names the thread.

use serde::{Deserialize, Serialize};

use super::seal::{is_sealed, sealed};
use crate::Key;

/// The version of what is written here.
pub(super) const VERSION: u32 = 3;

/// The version from which on every line ends in its hash.
const SEALED: u32 = 2;

/// The version from which on states may be in pieces.
const PIECES: u32 = 3;

/// With what each file begins.
const START: &[u8] = br#"{"sectile_checkpoints":"#;

/// The maximum number of bytes of a first line: an id and a namespace of 2,560 bytes together, each
/// escaped with six, and the rest.
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
    /// The number of the newest so far, at the time of writing.
    #[serde(default)]
    pub(super) last_seq: u64,
}

impl Header {
    /// Returns the thread and the namespace.
    pub(super) fn key(&self) -> Key {
        Key::new(&*self.thread_id, &*self.namespace)
    }

    /// Returns whether every line ends in its hash.
    pub(super) const fn is_sealed(&self) -> bool {
        self.sectile_checkpoints >= SEALED
    }

    /// Returns whether states may be in pieces.
    pub(super) const fn has_pieces(&self) -> bool {
        self.sectile_checkpoints >= PIECES
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
    /// A damaged first line.
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

#[cfg(test)]
mod tests {
    use super::*;

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
        let newer = Beginning::read(b"{\"sectile_checkpoints\":4,\"threads\":[]}\n");
        assert!(matches!(newer, Beginning::Newer(4)));
    }
}
