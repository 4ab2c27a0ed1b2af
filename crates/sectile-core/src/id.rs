//! Identifiers of documents and sections, and hashes of content.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::{Builder, Uuid};

/// The name space of the ids of documents that are known by their text, drawn once at random.
const TEXTS: Uuid = Uuid::from_u128(0x3b9e_71c0_d2a4_5c6f_8e15_a7f0_49d3_62b8);

/// The name space of section ids, drawn once at random.
const SECTIONS: Uuid = Uuid::from_u128(0x8d27_39b4_5f1c_5d0a_9d64_2f0e_6a5c_7b31);

/// The id of a document. It is a UUID of version 7, so ids sort by creation time, or of version 5
/// if the text identifies the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DocumentId(pub Uuid);

impl DocumentId {
    /// Creates an id from a Unix time in milliseconds and ten random bytes (RFC 9562, 5.7).
    pub fn new(unix_millis: u64, random: [u8; 10]) -> Self {
        Self(Builder::from_unix_timestamp_millis(unix_millis, &random).into_uuid())
    }

    /// Derives the id of a document that its text identifies. The same text in a collection has the
    /// same id everywhere (RFC 9562, 5.5).
    pub fn derive(collection: &str, text: &str) -> Self {
        let length = (collection.len() as u64).to_le_bytes();
        let name = [&length, collection.as_bytes(), text.as_bytes()].concat();
        Self(Uuid::new_v5(&TEXTS, &name))
    }
}

/// The id of a section, derived from the place of its heading in the document.
///
/// The same document key, heading path and occurrence give the same id in every store and at every
/// ingest. So an edit elsewhere in the document does not change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SectionId(pub Uuid);

impl SectionId {
    /// Derives the id of the `occurrence`-th section, from 0, with this heading path.
    ///
    /// `document` is the document's natural key, its URI for example. The id is a UUID of
    /// version 5 (RFC 9562, 5.5) over the parts, each preceded by its length, so that different
    /// paths never have the same encoding.
    pub fn derive<S: AsRef<str>>(document: &str, path: &[S], occurrence: usize) -> Self {
        let mut name = Vec::with_capacity(document.len() + 64);
        let mut push = |part: &str| {
            name.extend_from_slice(&(part.len() as u64).to_le_bytes());
            name.extend_from_slice(part.as_bytes());
        };
        push(document);
        for heading in path {
            push(heading.as_ref());
        }
        name.extend_from_slice(&(occurrence as u64).to_le_bytes());
        Self(Uuid::new_v5(&SECTIONS, &name))
    }
}

/// A text that is not an id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseIdError {
    text: String,
}

impl fmt::Display for ParseIdError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}` is not an id (a UUID)", self.text)
    }
}

impl std::error::Error for ParseIdError {}

macro_rules! as_uuid_text {
    ($id:ident) => {
        impl fmt::Display for $id {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(formatter)
            }
        }

        impl FromStr for $id {
            type Err = ParseIdError;

            fn from_str(text: &str) -> Result<Self, ParseIdError> {
                let text = text.trim();
                Uuid::parse_str(text)
                    .map(Self)
                    .map_err(|_| ParseIdError { text: text.into() })
            }
        }
    };
}

as_uuid_text!(DocumentId);
as_uuid_text!(SectionId);

/// A BLAKE3 hash of some content, written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// Hashes `content`.
    pub fn of(content: &[u8]) -> Self {
        Self(*blake3::hash(content).as_bytes())
    }

    /// Returns the hash with these bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the 32 bytes of the hash.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(blake3::Hash::from(self.0).to_hex().as_str())
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl From<ContentHash> for String {
    fn from(hash: ContentHash) -> Self {
        hash.to_string()
    }
}

impl TryFrom<String> for ContentHash {
    type Error = blake3::HexError;

    fn try_from(text: String) -> Result<Self, blake3::HexError> {
        blake3::Hash::from_hex(text).map(|hash| Self(*hash.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_join_alike_have_different_ids() {
        let ids = [
            SectionId::derive("doc", &["a", "b"], 0),
            SectionId::derive("doc", &["ab"], 0),
            SectionId::derive("doca", &["b"], 0),
            SectionId::derive("doc", &["a > b"], 0),
        ];
        let distinct: std::collections::HashSet<_> = ids.iter().collect();
        assert_eq!(distinct.len(), ids.len());
    }

    #[test]
    fn section_ids_do_not_change_between_releases() {
        let id = SectionId::derive("docs/guide.md", &["Guide", "Install"], 1);
        assert_eq!(id.to_string(), "9eef476c-8cf7-5e3a-a1b0-434faef0cbcf");
        assert_eq!(id.to_string().parse(), Ok(id));
    }

    #[test]
    fn document_ids_sort_by_time() {
        let earlier = DocumentId::new(1_700_000_000_000, [255; 10]);
        let later = DocumentId::new(1_700_000_000_001, [0; 10]);
        assert!(earlier < later);
        assert_eq!(earlier.0.get_version_num(), 7);
    }

    #[test]
    fn hashes_survive_their_text_form() {
        let hash = ContentHash::of(b"text");
        assert_eq!(ContentHash::try_from(hash.to_string()).ok(), Some(hash));
        assert!(ContentHash::try_from("xyz".to_owned()).is_err());
    }

    #[test]
    fn what_is_no_id_is_named_in_the_error() {
        let error = "intro".parse::<SectionId>().unwrap_err();
        assert_eq!(error.to_string(), "`intro` is not an id (a UUID)");
    }
}
