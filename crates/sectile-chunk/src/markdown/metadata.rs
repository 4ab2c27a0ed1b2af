//! The metadata of a chunk.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::InvalidMarkdown;

/// The metadata of a Markdown chunk on its document and its section.
///
/// As JSON it is one object with the fields, without unset ones. Metadata that is read with `serde`
/// is [validated](Self::validate).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Raw")]
pub struct MarkdownChunkMetadata {
    /// The id of the document, if the caller sets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_id: Option<String>,
    /// The name of the document's file, if the caller sets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_name: Option<String>,
    /// The type or extension of the document's file, if the caller sets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_type: Option<String>,
    /// The header of the section with its markers, `## Methods` for example, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section_header: Option<String>,
    /// The level of that header, 1 to 6.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header_level: Option<u8>,
    /// The headers around the section and its own as plain text, by the names of their levels:
    /// `{"h1": "Guide", "h2": "Methods"}`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub header_hierarchy: BTreeMap<String, String>,
    /// Whether the chunk is a whole section, not a part that was cut at sentences.
    pub is_header_split: bool,
    /// The position of the chunk in its section, from 0.
    pub chunk_index: usize,
    /// The number of chunks of the section.
    pub total_section_chunks: usize,
}

impl MarkdownChunkMetadata {
    /// Checks metadata that was made or changed by hand.
    ///
    /// # Errors
    ///
    /// The first rule that does not hold: the level is 1 to 6, a section has at least one chunk,
    /// the index is below their number.
    pub fn validate(&self) -> Result<(), InvalidMarkdown> {
        if self
            .header_level
            .is_some_and(|level| !(1..=6).contains(&level))
        {
            return Err(InvalidMarkdown::ChunkLevel);
        }
        if self.total_section_chunks == 0 {
            return Err(InvalidMarkdown::TotalChunks);
        }
        if self.chunk_index >= self.total_section_chunks {
            return Err(InvalidMarkdown::ChunkIndexExceedsTotal);
        }
        Ok(())
    }
}

/// Metadata as it is written down, before its rules are checked; chunks that were stored without
/// the fields of Markdown are parts of a text without sections.
#[derive(Deserialize)]
struct Raw {
    source_id: Option<String>,
    file_name: Option<String>,
    file_type: Option<String>,
    section_header: Option<String>,
    header_level: Option<i64>,
    #[serde(default)]
    header_hierarchy: BTreeMap<String, String>,
    #[serde(default)]
    is_header_split: bool,
    #[serde(default)]
    chunk_index: i64,
    #[serde(default = "one")]
    total_section_chunks: i64,
}

fn one() -> i64 {
    1
}

impl TryFrom<Raw> for MarkdownChunkMetadata {
    type Error = InvalidMarkdown;

    fn try_from(raw: Raw) -> Result<Self, InvalidMarkdown> {
        let level = raw.header_level.map(u8::try_from).transpose();
        let total = usize::try_from(raw.total_section_chunks);
        let metadata = Self {
            header_level: level.map_err(|_| InvalidMarkdown::ChunkLevel)?,
            chunk_index: usize::try_from(raw.chunk_index)
                .map_err(|_| InvalidMarkdown::ChunkIndex)?,
            total_section_chunks: total.map_err(|_| InvalidMarkdown::TotalChunks)?,
            source_id: raw.source_id,
            file_name: raw.file_name,
            file_type: raw.file_type,
            section_header: raw.section_header,
            header_hierarchy: raw.header_hierarchy,
            is_header_split: raw.is_header_split,
        };
        metadata.validate().map(|()| metadata)
    }
}
