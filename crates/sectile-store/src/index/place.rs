//! How the index names chunks, and where they stand.

/// The identity of a chunk in the index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Chunk {
    /// The collection.
    pub collection: String,
    /// The number of the document in the database.
    pub document: u64,
    /// The number of the chunk, unique in its document.
    pub chunk: u64,
}

/// The position of a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkPlace {
    /// The URI of the document; `None` if reading it needs another join. The search then asks
    /// [`IndexReader::uris`](super::IndexReader::uris) for those that decide between equal scores.
    pub uri: Option<String>,
    /// The position of the section.
    pub position: usize,
    /// The index in the section.
    pub index: usize,
}
