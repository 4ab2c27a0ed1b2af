//! The trait that every database implements.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::ops::Range;

use async_trait::async_trait;
use sectile_core::{DocumentId, EmbeddingModel, SectionId};

use crate::{
    Answer, ChunkRecord, ChunkVector, DocumentRecord, Error, FailedDocument, FoundDocument, Health,
    IndexedDocument, Jobs, Note, PendingChunk, Result, Scope, SearchRequest, SectionRecord,
    Summary, Totals, VectorCheck, VectorCoverage, VectorEncoding, index,
};

/// A place that keeps documents, their sections and chunks, and finds them again.
///
/// # Contract
///
/// - A document is there in its old version or in its new one, never in part, whatever happens
///   to the process or to the future of a call.
/// - A section that did not change keeps its rows, so that what is attached to its chunks stays.
/// - A chunk keeps its vector for as long as its text stays in its document as it is.
/// - The same documents give the same hits in the same order in every implementation.
#[async_trait]
pub trait Store: Debug + Send + Sync {
    /// Writes documents in one transaction, each in place of its earlier version.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidDocument`](crate::Error::InvalidDocument) for a document that no store can
    /// hold or that lacks a field of its collection's key,
    /// [`Error::DuplicateKey`](crate::Error::DuplicateKey) for one with the key of another, or
    /// errors of the database; then nothing is written.
    async fn put(&self, documents: Vec<IndexedDocument>) -> Result<()>;

    /// Records that documents could not be read. Their earlier versions stay.
    ///
    /// # Errors
    ///
    /// Errors of the database; then nothing is written.
    async fn put_failed(&self, documents: Vec<FailedDocument>) -> Result<()>;

    /// Removes documents with all that belongs to them and returns how many were there.
    ///
    /// # Errors
    ///
    /// Errors of the database; then nothing is removed.
    async fn remove(&self, documents: &[DocumentId]) -> Result<usize>;

    /// Returns the documents in `scope`, ordered by collection and URI.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn documents(&self, scope: &Scope) -> Result<Vec<DocumentRecord>>;

    /// Returns all documents as [`documents`](Self::documents) does, of a damaged store too: of a document that cannot be read
    /// whole there is what can be.
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

    /// Declares that some fields of the metadata, such as `ticker, fiscal_year, doc_type`, tell the
    /// documents of a collection apart: no two of them may have the same values. None of them means
    /// that the URI alone does.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidDocument`](crate::Error::InvalidDocument) or
    /// [`Error::DuplicateKey`](crate::Error::DuplicateKey) when documents that are there already do
    /// not fit, or errors of the database; then nothing is declared.
    async fn declare_key(&self, collection: &str, fields: &[String]) -> Result<()>;

    /// Returns the fields that were declared as the key of a collection, in their order.
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

    /// Returns the documents in `scope` that hold the section, with its position.
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
    /// with the same text are one hit, which names others and counts the rest.
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
    /// [`Error::OtherModel`](crate::Error::OtherModel) for another model than that which it has,
    /// [`Error::OtherEncoding`](crate::Error::OtherEncoding) for bytes where it has floats,
    /// [`Error::VectorsUnavailable`](crate::Error::VectorsUnavailable) where the database cannot hold
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
    /// documents and numbers, and of these only what comes after `after`. A collection without a model
    /// has none that wait.
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

    /// Adds vectors to chunks of a collection; chunks that are gone by now are left out. A document
    /// of which every chunk has its vector is [`Completed`](crate::Status::Completed).
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

    /// Returns the collections of which some chunk has no vector, all or the one that is named.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn lacking_vectors(
        &self,
        collection: Option<&str>,
    ) -> Result<BTreeMap<String, VectorCoverage>>;

    /// Looks at each vector of a document.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn check_vectors(&self, document: DocumentId) -> Result<VectorCheck>;

    /// Records why the vectors of a collection could not be made, with the documents that wait for
    /// them.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn put_vector_error(&self, collection: &str, error: &str) -> Result<()>;

    /// Keeps what sections say in short, as long as they do not change. Sections that have changed
    /// are left out.
    ///
    /// # Errors
    ///
    /// Errors of the database; then nothing is written.
    async fn put_summaries(&self, document: DocumentId, summaries: Vec<Summary>) -> Result<()>;

    /// Returns what users say of their documents, ordered by collection and prefix: of a collection first, then
    /// of its folders, each before those in it.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn notes(&self) -> Result<Vec<Note>>;

    /// Keeps a note in place of that of the same collection and prefix; one without a text removes it.
    ///
    /// # Errors
    ///
    /// Errors of the database; then nothing is written.
    async fn put_note(&self, note: &Note) -> Result<()>;

    /// Returns the chunks of a document in the order of the text; nothing if there is no such document.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn chunks(&self, document: DocumentId) -> Result<Vec<ChunkRecord>>;

    /// Counts the documents with sections that were indexed by another version than this one
    /// ([`IndexedDocument::index_version`]). A document whose chunks were [given](crate::GIVEN) is of the version before that mark.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn outdated(&self, index_version: &str) -> Result<usize>;

    /// Returns the names of the collections that have documents, in order; the work follows their number alone.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn collections(&self) -> Result<Vec<String>>;

    /// Returns how much the store holds, for which it looks at each document.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn totals(&self) -> Result<Totals>;

    /// Asks the engine what it is and whether the store is whole, for which SQLite reads all of it.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn health(&self) -> Result<Health>;

    /// Brings the index into the form that is fastest to search, after much was written.
    ///
    /// # Errors
    ///
    /// Errors of the database; the store is as good as before then.
    async fn optimize(&self) -> Result<()>;

    /// Moves a collection into partitions of its own, tables that only it has, and says whether it had none before. It need not
    /// have documents yet.
    ///
    /// # Errors
    ///
    /// [`Error::NoPartitions`](crate::Error::NoPartitions) where the database has none, or errors
    /// of the database; then nothing is changed.
    async fn partition(&self, _collection: &str) -> Result<bool> {
        Err(Error::NoPartitions)
    }

    /// Returns the queues of the jobs that processes share, where the database has them.
    fn jobs(&self) -> Option<&dyn Jobs> {
        None
    }
}
