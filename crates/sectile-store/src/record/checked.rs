//! What the checksum of a document is of.

use sectile_core::{ContentHash, Format, Metadata};
use serde::Serialize;

use super::SectionRecord;
use crate::{Error, Result};

/// What the checksum of a document is of.
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
        Ok(ContentHash::of(&written))
    }
}
