//! The trait that every database implements.

use std::fmt::Debug;
use std::ops::Range;

use async_trait::async_trait;
use sectile_core::{DocumentId, SectionId};

use crate::{
    DocumentRecord, FailedDocument, Hit, IndexedDocument, Result, Scope, SearchRequest,
    SectionRecord, Totals,
};

/// A place that keeps documents, their sections and chunks, and finds them again.
///
/// # Contract
///
/// - A document is there in its old version or in its new one, never in part, whatever happens
///   to the process or to the future of a call.
/// - A section that did not change keeps its rows, so that what is attached to its chunks stays.
/// - The same documents give the same hits in the same order in every implementation.
#[async_trait]
pub trait Store: Debug + Send + Sync {
    /// Writes documents in one transaction, each in place of its earlier version.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidDocument`](crate::Error::InvalidDocument) before anything is written, or
    /// whatever the database reports; then nothing is written.
    async fn put(&self, documents: Vec<IndexedDocument>) -> Result<()>;

    /// Records that documents could not be read. Their earlier versions stay.
    ///
    /// # Errors
    ///
    /// Whatever the database reports; then nothing is written.
    async fn put_failed(&self, documents: Vec<FailedDocument>) -> Result<()>;

    /// Removes documents with all that belongs to them and returns how many were there.
    ///
    /// # Errors
    ///
    /// Whatever the database reports; then nothing is removed.
    async fn remove(&self, documents: &[DocumentId]) -> Result<usize>;

    /// Returns the documents in `scope`, ordered by collection and URI.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn documents(&self, scope: &Scope) -> Result<Vec<DocumentRecord>>;

    /// Returns the sections of a document in order, without their content; none if there is no
    /// such document.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn sections(&self, document: DocumentId) -> Result<Vec<SectionRecord>>;

    /// Returns the content of the sections at `positions` of a document, in order. All positions
    /// together give the loaded text, byte for byte.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn content(&self, document: DocumentId, positions: Range<usize>) -> Result<Vec<String>>;

    /// Returns the documents in `scope` that hold the section, with its position.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn find_section(
        &self,
        section: SectionId,
        scope: &Scope,
    ) -> Result<Vec<(DocumentRecord, usize)>>;

    /// Searches, best hit first. Equal scores are ordered by collection, URI and position.
    ///
    /// # Errors
    ///
    /// [`Error::EmptyQuery`](crate::Error::EmptyQuery) when there is nothing to search for, or
    /// whatever the database reports.
    async fn search(&self, request: &SearchRequest) -> Result<Vec<Hit>>;

    /// Returns how much the store holds.
    ///
    /// # Errors
    ///
    /// Whatever the database reports.
    async fn totals(&self) -> Result<Totals>;

    /// Brings the index into the form that is fastest to search, after much was written.
    ///
    /// # Errors
    ///
    /// Whatever the database reports; the store is as good as before then.
    async fn optimize(&self) -> Result<()>;
}
