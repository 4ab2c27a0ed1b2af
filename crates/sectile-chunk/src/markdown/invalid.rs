//! Errors of sections and metadata that come from outside.

/// The error of an invalid [`MarkdownSection`](super::MarkdownSection) or invalid
/// [`MarkdownChunkMetadata`](super::MarkdownChunkMetadata).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidMarkdown {
    /// The level of a section is not 1 to 6.
    #[error("Invalid header level: {level}")]
    SectionLevel {
        /// The level.
        level: i64,
    },
    /// The header is not as many `#` as the level, white space, and the text that the content
    /// begins with.
    #[error("Header format mismatch")]
    HeaderFormat,
    /// The section has no content, where at least the header is expected.
    #[error("Section content cannot be empty")]
    EmptyContent,
    /// The section begins before the first line.
    #[error("Invalid start line")]
    StartLine,
    /// The section has no line.
    #[error("End line must be after start line")]
    EndLine,
    /// The level in the metadata of a chunk is not 1 to 6.
    #[error("Invalid header level")]
    ChunkLevel,
    /// The index of a chunk is negative.
    #[error("Chunk index must be non-negative")]
    ChunkIndex,
    /// The section of a chunk has no chunks.
    #[error("Total chunks must be positive")]
    TotalChunks,
    /// The index of a chunk is not among those of its section.
    #[error("Chunk index exceeds total")]
    ChunkIndexExceedsTotal,
}
