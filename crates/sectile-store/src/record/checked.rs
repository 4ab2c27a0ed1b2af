//! The data that the checksum of a document covers.

use sectile_core::{ContentHash, Format, Metadata};
use serde::Serialize;

use super::SectionRecord;
use crate::{Error, Result};

/// The version of [`Checked`], with which checksums begin. It has to grow with every change of what is hashed, and of how
/// that is written: otherwise `verify` calls every document damaged that an earlier release wrote.
const VERSION: u8 = 1;

/// Returns a checksum that was read, unless another release made it of something else: then it says nothing here.
pub fn current_checksum(stored: ContentHash) -> Option<ContentHash> {
    (stored.as_bytes()[0] == VERSION).then_some(stored)
}

/// The data that the checksum of a document covers.
#[derive(Serialize)]
pub(super) struct Checked<'a> {
    pub(super) collection: &'a str,
    pub(super) uri: &'a str,
    pub(super) format: Format,
    pub(super) content_hash: ContentHash,
    pub(super) index_version: &'a str,
    pub(super) language: &'a str,
    pub(super) metadata: &'a Metadata,
    pub(super) chunks: usize,
    pub(super) tokens: usize,
    pub(super) section_count: usize,
    pub(super) sections: Vec<SectionRecord>,
}

impl Checked<'_> {
    pub(super) fn hash(&self) -> Result<ContentHash> {
        let written = serde_json::to_vec(self).map_err(Error::corrupt)?;
        let mut bytes = *ContentHash::of(&written).as_bytes();
        bytes[0] = VERSION;
        Ok(ContentHash::from_bytes(bytes))
    }
}

#[cfg(test)]
mod tests {
    use sectile_core::{DocumentId, Lines, Pages};

    use super::*;
    use crate::{DocumentRecord, Status};

    fn document() -> DocumentRecord {
        let mut metadata = Metadata {
            title: Some("Guide".to_owned()),
            size: Some(6),
            ..Metadata::default()
        };
        metadata.extra.insert("draft".to_owned(), true.into());
        DocumentRecord {
            id: DocumentId::new(0, [0; 10]),
            collection: "handbook".to_owned(),
            uri: "file:///guide.md".to_owned(),
            format: Format::Markdown,
            content_hash: ContentHash::of(b"source"),
            index_version: "7".to_owned(),
            language: "en".to_owned(),
            status: Status::Completed,
            error: None,
            metadata,
            sections: 1,
            chunks: 1,
            vectors: 0,
            tokens: 2,
            created_at: 0,
            updated_at: 0,
            checksum: None,
        }
    }

    fn section() -> SectionRecord {
        SectionRecord {
            id: "00000000-0000-5000-8000-000000000001".parse().unwrap(),
            position: 0,
            parent: None,
            level: 1,
            heading_path: vec!["Guide".to_owned()],
            lines: Lines { first: 1, last: 3 },
            pages: Some(Pages { first: 1, last: 2 }),
            tokens: 2,
            summary: Some("It guides.".to_owned()),
            content_hash: ContentHash::of(b"section"),
        }
    }

    /// Stores keep checksums, and `verify` compares them with what is made now. If this fails, a field was added, renamed or
    /// written in another way: raise `VERSION`, and only then write the new checksum here.
    #[test]
    fn checksums_of_one_version_do_not_change_between_releases() {
        let checksum = document().checksum_with(&[section()]).unwrap();
        assert_eq!(
            checksum.to_string(),
            "01c4a1b224727521f56ca8d7986505190e892427fbeebc7d0bd622e0f459658d"
        );
        assert_eq!(current_checksum(checksum), Some(checksum));
    }

    #[test]
    fn a_checksum_of_another_version_says_nothing() {
        let mut other = *ContentHash::of(b"other").as_bytes();
        other[0] = VERSION + 1;
        assert_eq!(current_checksum(ContentHash::from_bytes(other)), None);
    }
}
