//! The trait that every database implements.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::ops::Range;

use async_trait::async_trait;
use sectile_core::{DocumentId, EmbeddingModel, SectionId};

use crate::{
    Answer, ChunkRecord, ChunkVector, DocumentRecord, Error, FailedDocument, FoundDocument, Health,
    IndexedDocument, Jobs, Language, Note, PendingChunk, Result, Scope, SearchRequest,
    SectionRecord, Summary, Totals, VectorCheck, VectorCoverage, VectorEncoding, index,
};

/// A store of documents, with their sections and chunks, and the search over them.
///
/// # Contract
///
/// - A document is stored in its old version or in its new one, never in part, even if the process
///   is killed or the future of a call is dropped.
/// - An unchanged section keeps its rows, so that data attached to its chunks stays.
/// - A chunk keeps its vector as long as its text in the document does not change.
/// - The same documents give the same hits in the same order in every implementation.
#[async_trait]
pub trait Store: Debug + Send + Sync {
    /// Writes documents in one transaction. Each replaces its earlier version. They may exchange the
    /// values of their collection's key.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidDocument`](crate::Error::InvalidDocument) for a document that no store can
    /// store or that lacks a field of its collection's key,
    /// [`Error::DuplicateKey`](crate::Error::DuplicateKey) for one with the key of another, or
    /// errors of the database; then nothing is written.
    async fn put(&self, documents: Vec<IndexedDocument>) -> Result<()>;

    /// Records that documents could not be read. Their earlier versions stay.
    ///
    /// # Errors
    ///
    /// Errors of the database; then nothing is written.
    async fn put_failed(&self, documents: Vec<FailedDocument>) -> Result<()>;

    /// Removes documents with all their data, and returns the number of removed ones.
    ///
    /// # Errors
    ///
    /// Errors of the database; then nothing is removed.
    async fn remove(&self, documents: &[DocumentId]) -> Result<usize>;

    /// Returns the documents in `scope`, ordered by collection and URI. Its headings and levels do not
    /// narrow this; [`sections_in`](Self::sections_in) returns the sections that match them.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn documents(&self, scope: &Scope) -> Result<Vec<DocumentRecord>>;

    /// Returns all documents as [`documents`](Self::documents) does, also from a damaged store. A
    /// document that cannot be read completely has its readable parts.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn found_documents(&self) -> Result<Vec<FoundDocument>>;

    /// Returns a document by its id as [`found_documents`](Self::found_documents) does, if the store has it.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn found_document(&self, document: DocumentId) -> Result<Option<FoundDocument>>;

    /// Declares that some metadata fields, such as `ticker, fiscal_year, doc_type`, identify the
    /// documents of a collection. No two of them may have the same values. Without fields, only the
    /// URI identifies them.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidDocument`](crate::Error::InvalidDocument) or
    /// [`Error::DuplicateKey`](crate::Error::DuplicateKey) when existing documents conflict with
    /// it, or errors of the database; then nothing is declared.
    async fn declare_key(&self, collection: &str, fields: &[String]) -> Result<()>;

    /// Returns the declared key fields of a collection, in order.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn key_fields(&self, collection: &str) -> Result<Vec<String>>;

    /// Returns the sections in `scope` with their documents, ordered by collection, URI and position.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn sections_in(&self, scope: &Scope) -> Result<Vec<(DocumentRecord, SectionRecord)>>;

    /// Returns the sections of a document in order, without their content; none if there is no
    /// such document.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn sections(&self, document: DocumentId) -> Result<Vec<SectionRecord>>;

    /// Returns the content of the sections at `positions` of a document, in order. All positions
    /// together give the loaded text, byte for byte.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn content(&self, document: DocumentId, positions: Range<usize>) -> Result<Vec<String>>;

    /// Returns the documents in `scope` that contain the section, with its position.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn find_section(
        &self,
        section: SectionId,
        scope: &Scope,
    ) -> Result<Vec<(DocumentRecord, usize)>>;

    /// Searches, best hit first. Equal scores are ordered by collection, URI and position. Sections
    /// with the same text are one hit, which lists some others and counts the rest.
    ///
    /// # Errors
    ///
    /// [`Error::EmptyQuery`](crate::Error::EmptyQuery) when there is nothing to search for,
    /// [`Error::NoQueryVector`](crate::Error::NoQueryVector),
    /// [`Error::OtherModel`](crate::Error::OtherModel) or [`Error::NoVectors`](crate::Error::NoVectors)
    /// when vectors cannot be compared,
    /// [`Error::UnsupportedMode`](crate::Error::UnsupportedMode) for what needs a chat model, or
    /// errors of the database.
    async fn search(&self, request: &SearchRequest) -> Result<Answer>;

    /// Sets the model of a collection's vectors, if it has none yet.
    ///
    /// # Errors
    ///
    /// [`Error::OtherModel`](crate::Error::OtherModel) if it has another model,
    /// [`Error::OtherEncoding`](crate::Error::OtherEncoding) for bytes if it has floats,
    /// [`Error::VectorsUnavailable`](crate::Error::VectorsUnavailable) if the database cannot store
    /// vectors, or errors of the database.
    async fn set_model(
        &self,
        collection: &str,
        model: &EmbeddingModel,
        encoding: VectorEncoding,
    ) -> Result<()>;

    /// Removes the vectors of a collection, and with them its model.
    ///
    /// # Errors
    ///
    /// Errors of the database; then nothing is removed.
    async fn remove_vectors(&self, collection: &str) -> Result<()>;

    /// Returns at most `limit` chunks of a collection that have no vector, in the order of their
    /// documents and numbers, starting after `after`. A collection without a model has no pending
    /// chunks.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn pending(
        &self,
        collection: &str,
        after: Option<&index::Chunk>,
        limit: usize,
    ) -> Result<Vec<PendingChunk>>;

    /// Adds vectors to chunks of a collection, and skips chunks that are gone. A document whose
    /// chunks all have vectors is [`Completed`](crate::Status::Completed).
    ///
    /// # Errors
    ///
    /// [`Error::OtherModel`](crate::Error::OtherModel) if the collection's model is another one,
    /// [`Error::InvalidVector`](crate::Error::InvalidVector), or errors of the database; then
    /// nothing is written.
    async fn put_vectors(
        &self,
        collection: &str,
        model: &EmbeddingModel,
        vectors: Vec<ChunkVector>,
    ) -> Result<()>;

    /// Returns the collections in which some chunks have no vector: all, or only the named one.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn lacking_vectors(
        &self,
        collection: Option<&str>,
    ) -> Result<BTreeMap<String, VectorCoverage>>;

    /// Checks each vector of a document.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn check_vectors(&self, document: DocumentId) -> Result<VectorCheck>;

    /// Records, in the documents that wait for vectors, why these could not be made.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn put_vector_error(&self, collection: &str, error: &str) -> Result<()>;

    /// Stores summaries of sections, which stay as long as the sections do not change. Summaries of
    /// changed sections are skipped.
    ///
    /// # Errors
    ///
    /// Errors of the database; then nothing is written.
    async fn put_summaries(&self, document: DocumentId, summaries: Vec<Summary>) -> Result<()>;

    /// Returns the users' notes, ordered by collection and prefix: first those on a collection,
    /// then those on its folders, each before the folders in it.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn notes(&self) -> Result<Vec<Note>>;

    /// Stores a note, which replaces that of the same collection and prefix. A note without a text
    /// removes it.
    ///
    /// # Errors
    ///
    /// Errors of the database; then nothing is written.
    async fn put_note(&self, note: &Note) -> Result<()>;

    /// Returns the chunks of a document in the order of the text; none if there is no such
    /// document.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn chunks(&self, document: DocumentId) -> Result<Vec<ChunkRecord>>;

    /// Counts the documents with sections that were indexed with another version than this one
    /// ([`IndexedDocument::index_version`]). For a document whose chunks were
    /// [given](crate::GIVEN), the part before that mark is compared.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn outdated(&self, index_version: &str) -> Result<usize>;

    /// Counts the documents with sections of a collection that were indexed in another
    /// [language](IndexedDocument::language) than this one, of those that [`outdated`](Self::outdated)
    /// does not count.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn in_other_language(
        &self,
        collection: &str,
        language: Language,
        index_version: &str,
    ) -> Result<usize>;

    /// Returns the names of the collections that have documents, in order. The cost depends only on
    /// their number.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn collections(&self) -> Result<Vec<String>>;

    /// Returns the totals of the store. This reads the record of each document.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn totals(&self) -> Result<Totals>;

    /// Returns the engine, and whether the store is intact. SQLite reads the whole file for this.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn health(&self) -> Result<Health>;

    /// Reads the whole index of a collection, and returns what it has for each chunk
    /// ([`index::checksum`]).
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`](crate::Error::Corrupt) if it cannot be read, or errors of the database.
    async fn index_checksums(&self, collection: &str) -> Result<index::Checksums>;

    /// Removes the index of a collection, whether or not it can be read. Its documents keep their
    /// texts, and have an index version that begins with [`REPAIRING`](crate::REPAIRING); searches
    /// find them again once they are put again.
    ///
    /// # Errors
    ///
    /// Errors of the database; then nothing is removed.
    async fn drop_index(&self, collection: &str) -> Result<()>;

    /// Optimizes the index for searches, after large changes.
    ///
    /// # Errors
    ///
    /// Errors of the database; then the store is as before.
    async fn optimize(&self) -> Result<()>;

    /// Moves a collection into its own partitions, and returns whether it had none before. It need
    /// not have documents yet. Reads and writes go on meanwhile. If the move is broken off, the next
    /// call continues it, also one for another collection; until then, its copies and triggers remain.
    /// The copies need as much free space as all collections without partitions have.
    ///
    /// # Errors
    ///
    /// [`Error::NoPartitions`](crate::Error::NoPartitions) if the database has no partitions, or
    /// errors of the database; then the store finds what it found before.
    async fn partition(&self, _collection: &str) -> Result<bool> {
        Err(Error::NoPartitions)
    }

    /// Returns the job queues that processes share, if the database has them.
    fn jobs(&self) -> Option<&dyn Jobs> {
        None
    }
}
