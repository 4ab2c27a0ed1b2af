//! The records that a store is given, and those that it returns.

mod checked;
mod found;

use std::collections::BTreeMap;
use std::fmt;

use sectile_core::{
    ContentHash, DocumentId, EmbeddingModel, Format, Lines, Metadata, Pages, Section, SectionId,
    Span,
};
use serde::{Deserialize, Serialize};

use checked::Checked;
pub use checked::current_checksum;
pub use found::{Faults, FoundDocument};

use crate::index::{self, length};
use crate::{Error, Result, WordCounts};

/// A document ready to write: cut, counted and analyzed.
#[derive(Clone, Debug)]
pub struct IndexedDocument {
    /// The id if the store does not have the document yet. A document keeps its first id.
    pub id: DocumentId,
    /// The collection.
    pub collection: String,
    /// The URI, unique in the collection.
    pub uri: String,
    /// The format.
    pub format: Format,
    /// The hash of the source's bytes.
    pub content_hash: ContentHash,
    /// The version of the settings that cut and analyzed it. Content with another version is
    /// indexed again.
    pub index_version: String,
    /// The metadata of the document.
    pub metadata: Metadata,
    /// The sections in document order.
    pub sections: Vec<IndexedSection>,
    /// Its words as written, in lower case and plain letters, followed by their accents. Typing
    /// errors are compared with these.
    pub words: WordCounts,
    /// The code of its language, of two letters, such as `en`.
    pub language: String,
    /// The time of writing, in milliseconds of the Unix epoch.
    pub now: u64,
}

/// A section ready to write.
#[derive(Clone, Debug)]
pub struct IndexedSection {
    /// The section in the tree.
    pub section: Section,
    /// The headings from the root to the section.
    pub heading_path: Vec<String>,
    /// The section's own text.
    pub content: String,
    /// The pages it stands on.
    pub pages: Option<Pages>,
    /// The number of tokens of `content`.
    pub tokens: usize,
    /// The terms of the document title and the heading path, for a separate weighted field.
    pub path_terms: String,
    /// The chunks in order.
    pub chunks: Vec<IndexedChunk>,
}

/// A chunk ready to write.
#[derive(Clone, Debug)]
pub struct IndexedChunk {
    /// Where it stands in the section's content.
    pub span: Span,
    /// Where the head of the table that it continues stands there: the row with the names of the columns.
    pub table_head: Option<Span>,
    /// The pages it stands on.
    pub pages: Option<Pages>,
    /// The number of tokens.
    pub tokens: usize,
    /// The terms of its text and of the table's head: [`Analyzer::chunk_terms`](crate::Analyzer::chunk_terms).
    pub terms: String,
    /// The hash of the input of an embedding model for it. A chunk that replaces one with the same
    /// hash takes over its vector.
    pub text_hash: ContentHash,
}

/// The separator in an index version ([`IndexedDocument::index_version`]) between the settings and
/// the hash of the chunks, if the chunks came with the document instead of being cut with the
/// settings.
pub const GIVEN: &str = " given ";

/// The beginning of the index version of a document whose index entries are being repaired.
pub const REPAIRING: &str = "repairing";

/// A chunk of a store, without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkRecord {
    /// The chunk.
    pub chunk: index::Chunk,
    /// The position of its section in the document, from 0.
    pub section: usize,
    /// Where it stands in the section's content.
    pub span: Span,
    /// Where the head of the table that it continues stands there.
    pub table_head: Option<Span>,
}

/// A chunk that has no vector yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingChunk {
    /// The chunk.
    pub chunk: index::Chunk,
    /// The URI of its document.
    pub uri: String,
    /// The title of its document.
    pub title: Option<String>,
    /// The headings from the root to its section.
    pub heading_path: Vec<String>,
    /// The head of the table that it continues.
    pub table_head: Option<String>,
    /// Its text.
    pub text: String,
}

/// A chunk with its vector.
#[derive(Clone, Debug, PartialEq)]
pub struct ChunkVector {
    /// The chunk.
    pub chunk: index::Chunk,
    /// The vector, of any length.
    pub vector: Vec<f32>,
}

/// The summary of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The section.
    pub section: SectionId,
    /// The hash of the summarized section: [`SectionRecord::content_hash`].
    pub content_hash: ContentHash,
    /// The summary.
    pub text: String,
}

impl IndexedChunk {
    /// Returns the stored part of the hash of its text. Half of the hash is enough to distinguish
    /// all texts.
    pub fn text_hash_prefix(&self) -> [u8; 16] {
        let mut half = [0; 16];
        half.copy_from_slice(&self.text_hash.as_bytes()[..16]);
        half
    }
}

impl IndexedDocument {
    /// Returns the number of tokens of all sections.
    pub fn token_count(&self) -> usize {
        self.sections.iter().map(|section| section.tokens).sum()
    }

    /// Returns the number of terms of all chunks, including those of their paths.
    pub fn term_count(&self) -> u64 {
        let chunks = |section: &IndexedSection| -> u64 {
            let terms = |chunk: &IndexedChunk| length(&section.path_terms, &chunk.terms);
            section.chunks.iter().map(terms).sum()
        };
        self.sections.iter().map(chunks).sum()
    }

    /// Returns the number of chunks of all sections.
    pub fn chunk_count(&self) -> usize {
        self.sections
            .iter()
            .map(|section| section.chunks.len())
            .sum()
    }

    /// Hashes everything that determines a section's content, chunks and index entries, including
    /// the pages of its chunks.
    pub fn index_hash(&self, section: &IndexedSection) -> ContentHash {
        let parts = [
            &self.index_version,
            &self.language,
            &section.path_terms,
            &section.content,
        ];
        let mut hashed = Vec::with_capacity(section.content.len() + 256);
        for part in parts {
            hashed.extend_from_slice(&(part.len() as u64).to_le_bytes());
            hashed.extend_from_slice(part.as_bytes());
        }
        for pages in section.chunks.iter().filter_map(|chunk| chunk.pages) {
            hashed.extend_from_slice(&pages.first.to_le_bytes());
            hashed.extend_from_slice(&pages.last.to_le_bytes());
        }
        ContentHash::of(&hashed)
    }

    /// Returns the checksum of the document for stores: [`DocumentRecord::checksum_with`] of the
    /// written data.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] for metadata that cannot be written as JSON and read again.
    pub fn checksum(&self) -> Result<ContentHash> {
        let sections = self.sections.iter().enumerate();
        // Metadata is compared as it is read again.
        let metadata = serde_json::to_string(&self.metadata)
            .and_then(|written| serde_json::from_str::<Metadata>(&written))
            .map_err(Error::corrupt)?;
        Checked {
            collection: &self.collection,
            uri: &self.uri,
            format: self.format,
            content_hash: self.content_hash,
            index_version: &self.index_version,
            language: &self.language,
            metadata: &metadata,
            chunks: self.chunk_count(),
            tokens: self.token_count(),
            section_count: self.sections.len(),
            sections: sections
                .map(|(position, section)| self.section_record(position, section))
                .collect(),
        }
        .hash()
    }

    fn section_record(&self, position: usize, section: &IndexedSection) -> SectionRecord {
        let tree = &section.section;
        SectionRecord {
            id: tree.id,
            position,
            parent: tree.parent,
            level: tree.level,
            heading_path: section.heading_path.clone(),
            lines: tree.lines,
            pages: section.pages,
            tokens: section.tokens,
            summary: None,
            content_hash: self.index_hash(section),
        }
    }

    /// Checks the requirements of all stores.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidDocument`] when a text contains U+0000, which Postgres cannot store and all
    /// stores therefore refuse, or when a chunk is outside its section.
    pub fn validate(&self) -> Result<()> {
        let invalid = |reason: String| Error::InvalidDocument {
            uri: self.uri.clone(),
            reason,
        };
        for (position, section) in self.sections.iter().enumerate() {
            let line = section.section.lines.first;
            if section.content.contains('\0') {
                return Err(invalid(format!("the section at line {line} holds U+0000")));
            }
            if section
                .section
                .parent
                .is_some_and(|parent| parent >= position)
            {
                return Err(invalid(format!(
                    "the section at line {line} precedes its parent"
                )));
            }
            let is_outside = |span: Span| section.content.get(span.start..span.end).is_none();
            let has_outside = |chunk: &IndexedChunk| {
                is_outside(chunk.span) || chunk.table_head.is_some_and(is_outside)
            };
            if section.chunks.iter().any(has_outside) {
                return Err(invalid(format!(
                    "a chunk leaves the section at line {line}"
                )));
            }
        }
        Ok(())
    }
}

/// A document that could not be read, with the reason.
#[derive(Clone, Debug)]
pub struct FailedDocument {
    /// The id it gets if the store does not have it yet.
    pub id: DocumentId,
    /// The collection.
    pub collection: String,
    /// The URI.
    pub uri: String,
    /// The identity of the unreadable bytes: their hash, or a hash of it and of the loader that
    /// could not read them.
    pub content_hash: ContentHash,
    /// The settings with which it failed, or those of its earlier version if the store has one.
    pub index_version: String,
    /// The reason.
    pub error: String,
    /// The time of writing, in milliseconds of the Unix epoch.
    pub now: u64,
}

/// The status of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Status {
    /// Its content can be searched, and some of its chunks wait for their vectors.
    Processing,
    /// Its content can be searched.
    Completed,
    /// Its newest version could not be read. An earlier one may still be stored.
    Failed,
}

impl Status {
    /// Returns the stored name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Processing => "processing",
            Self::Completed => "completed",
            Self::Failed => "failed",
        }
    }

    /// Returns the status with this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Processing, Self::Completed, Self::Failed]
            .into_iter()
            .find(|status| status.name() == name)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A document of a store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DocumentRecord {
    /// The id.
    pub id: DocumentId,
    /// The collection.
    pub collection: String,
    /// The URI, unique in the collection.
    pub uri: String,
    /// The format.
    pub format: Format,
    /// The hash of the source's bytes; [`FailedDocument::content_hash`] if they could not be read.
    pub content_hash: ContentHash,
    /// The version of the settings that cut and analyzed it.
    pub index_version: String,
    /// The code of the language whose rules made its terms, such as `en`; empty if an earlier
    /// version made them.
    pub language: String,
    /// Its status.
    pub status: Status,
    /// Why its newest version could not be read, or its vectors could not be made.
    pub error: Option<String>,
    /// Its metadata.
    pub metadata: Metadata,
    /// The number of sections.
    pub sections: usize,
    /// The number of chunks.
    pub chunks: usize,
    /// The number of chunks that have a vector.
    pub vectors: usize,
    /// The number of tokens.
    pub tokens: usize,
    /// When it was first written, in milliseconds of the Unix epoch.
    pub created_at: u64,
    /// When it was last written, in milliseconds of the Unix epoch.
    pub updated_at: u64,
    /// The checksum that was written with it ([`IndexedDocument::checksum`]). `None` if an earlier
    /// release wrote the document without a checksum or with one of other data, or if its newest
    /// version could not be read.
    #[serde(skip)]
    pub checksum: Option<ContentHash>,
}

impl DocumentRecord {
    /// Hashes the stored metadata of the document and its sections, except document ids, times,
    /// states, vectors and summaries, which change independently of the document.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] for metadata that cannot be written as JSON.
    pub fn checksum_with(&self, sections: &[SectionRecord]) -> Result<ContentHash> {
        let without_summary = |section: &SectionRecord| SectionRecord {
            summary: None,
            ..section.clone()
        };
        Checked {
            collection: &self.collection,
            uri: &self.uri,
            format: self.format,
            content_hash: self.content_hash,
            index_version: &self.index_version,
            language: &self.language,
            metadata: &self.metadata,
            chunks: self.chunks,
            tokens: self.tokens,
            section_count: self.sections,
            sections: sections.iter().map(without_summary).collect(),
        }
        .hash()
    }
}

/// A section of a store, without its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionRecord {
    /// The id.
    pub id: SectionId,
    /// The position in the document, from 0.
    pub position: usize,
    /// The position of the parent.
    pub parent: Option<usize>,
    /// The level, 0 for text before the first heading.
    pub level: u8,
    /// The headings from the root to the section, its own included.
    pub heading_path: Vec<String>,
    /// The lines of the section's own text.
    pub lines: Lines,
    /// The pages of the section's own text.
    pub pages: Option<Pages>,
    /// The number of tokens of the section's own text.
    pub tokens: usize,
    /// The summary of the section, if it was requested.
    pub summary: Option<String>,
    /// The hash of all data that the section's index entries are made from, starting with its own
    /// text.
    pub content_hash: ContentHash,
}

/// The engine of a store, and its state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Health {
    /// The database engine with its version, such as `SQLite 3.51.3`.
    pub engine: String,
    /// The extension for vectors, if the engine needs one and has it, such as `pgvector 0.8.0`.
    pub extension: Option<String>,
    /// The version of the store's tables, which counts migrations.
    pub schema: u32,
    /// Whether it is read-only here.
    pub is_read_only: bool,
    /// The damage that the engine found, in its words; empty if the store is intact.
    pub damage: Vec<String>,
}

/// The totals of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// The number of documents by collection.
    pub collections: BTreeMap<String, usize>,
    /// The number of documents.
    pub documents: usize,
    /// The number of documents whose newest version could not be read.
    pub failed: usize,
    /// The number of sections.
    pub sections: usize,
    /// The number of chunks.
    pub chunks: usize,
    /// The number of chunks that have a vector.
    pub vectors: usize,
    /// The size of their vectors in bytes.
    pub vector_bytes: u64,
    /// The number of tokens.
    pub tokens: usize,
    /// The size of the store in bytes.
    pub bytes: u64,
    /// The model of the vectors of each collection that has vectors.
    pub models: BTreeMap<String, EmbeddingModel>,
}

/// The number of chunks of a collection, and of those with a vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct VectorCoverage {
    /// The number of chunks.
    pub chunks: usize,
    /// The number of those that have a vector.
    pub vectors: usize,
}

/// The result of checking the vectors of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VectorCheck {
    /// The number of vectors from the model of its collection.
    pub vectors: usize,
    /// The number of those with another size than the model's, or with a length other than 1.
    pub damaged: usize,
}
