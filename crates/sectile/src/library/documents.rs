//! The documents of a store: lists, parts, trees and removal.

use std::path::PathBuf;

use sectile_core::{Chunk, DocumentId, DocumentTree, SectionId};
use sectile_store::{DocumentRecord, Scope, SectionRecord, Status};

use super::{DEFAULT_COLLECTION, Library};
use crate::ingest::files::Sources;
use crate::read::{self, Part, Passage};
use crate::{Error, Result, StoredDocument, tree};

impl Library {
    /// Returns the scope of the files under `paths`, in one collection or in all, for searching. Without
    /// paths it has no document.
    ///
    /// # Errors
    ///
    /// [`Error::Path`] when a path does not exist.
    pub fn scope(&self, collection: Option<&str>, paths: &[PathBuf]) -> Result<Scope> {
        let scope = collection.map_or_else(Scope::all, Scope::collection);
        Ok(Sources::of(paths)?.within(scope))
    }

    /// Returns the collection of the files under `paths`. If several collections contain some of
    /// them, it is the default collection if that is one of these, or else the one with the most
    /// files. If no collection contains any, it is the default one.
    ///
    /// # Errors
    ///
    /// [`Error::Path`] when a path does not exist, and [`Error::Store`].
    pub async fn collection_of(&self, paths: &[PathBuf]) -> Result<String> {
        let sources = Sources::of(paths)?;
        let mut others = self.collections().await?;
        others.retain(|name| name != DEFAULT_COLLECTION);
        let mut most = (0, DEFAULT_COLLECTION.to_owned());
        if others.is_empty() || self.count(&sources, DEFAULT_COLLECTION).await? > 0 {
            return Ok(most.1);
        }
        for name in others {
            let count = self.count(&sources, &name).await?;
            if count > most.0 {
                most = (count, name);
            }
        }
        Ok(most.1)
    }

    /// Counts the documents of sources that a collection has.
    async fn count(&self, sources: &Sources, collection: &str) -> Result<usize> {
        let scope = sources.within(Scope::collection(collection));
        Ok(self.store.documents(&scope).await?.len())
    }

    /// Lists the documents in `scope`. If it asks for headings or levels, these are the documents
    /// with such a section.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn documents(&self, scope: &Scope) -> Result<Vec<DocumentRecord>> {
        if !scope.asks_of_sections() {
            return Ok(self.store.documents(scope).await?);
        }
        let sections = self.store.sections_in(scope).await?;
        let mut documents: Vec<DocumentRecord> =
            sections.into_iter().map(|(document, _)| document).collect();
        documents.dedup_by_key(|document| document.id);
        Ok(documents)
    }

    /// Lists the sections in `scope` with their documents.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn sections_in(&self, scope: &Scope) -> Result<Vec<(DocumentRecord, SectionRecord)>> {
        Ok(self.store.sections_in(scope).await?)
    }

    /// Finds one document. A web page is found with or without the `/` at the end of its address.
    ///
    /// # Errors
    ///
    /// [`Error::NotIngested`] when it is not in the store, [`Error::AmbiguousDocument`] when
    /// several collections contain it and none is named.
    pub async fn document(&self, collection: Option<&str>, uri: &str) -> Result<DocumentRecord> {
        let scope = collection.map_or_else(Scope::all, Scope::collection);
        let mut found = self.store.documents(&scope.clone().with_uri(uri)).await?;
        if let (true, Some(other)) = (found.is_empty(), crate::uri::other_name(uri)) {
            found = self.store.documents(&scope.with_uri(&other)).await?;
        }
        let missing = || Error::NotIngested {
            uri: uri.to_owned(),
        };
        only(found)?.ok_or_else(missing)
    }

    /// Finds the document that contains a section.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSection`], [`Error::AmbiguousDocument`] when several collections hold it, or
    /// [`Error::Store`].
    pub async fn document_of_section(
        &self,
        collection: Option<&str>,
        section: SectionId,
    ) -> Result<DocumentRecord> {
        let scope = collection.map_or_else(Scope::all, Scope::collection);
        let found = self.store.find_section(section, &scope).await?;
        let found = found.into_iter().map(|(record, _)| record).collect();
        only(found)?.ok_or(Error::NoSuchSection { id: section })
    }

    /// Returns the table of contents of a document: its sections in order.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn toc(&self, document: DocumentId) -> Result<Vec<SectionRecord>> {
        Ok(self.store.sections(document).await?)
    }

    /// Makes the tree of a document, in its full form.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn tree(&self, document: &DocumentRecord) -> Result<DocumentTree> {
        tree::tree(&*self.store, document).await
    }

    /// Has the chat model summarize the sections of a document, and returns the number of new
    /// summaries. Unchanged sections keep their summaries. A short section is its own summary.
    ///
    /// # Errors
    ///
    /// [`Error::NoChatModel`], [`Error::Model`] or [`Error::Store`]; summaries that were written by
    /// then stay.
    pub async fn summarize(&self, document: &DocumentRecord) -> Result<usize> {
        let model = self.chat_model.as_deref().ok_or(Error::NoChatModel)?;
        tree::summarize(&*self.store, model, self.counter(), document).await
    }

    /// Reads a whole document: its text and its sections, in one version.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn read(&self, document: &DocumentRecord) -> Result<StoredDocument> {
        StoredDocument::read(&*self.store, document).await
    }

    /// Cuts a document into the chunks that an ingest makes and a search finds.
    pub fn indexed_chunks<'a>(&self, document: &'a StoredDocument) -> Vec<Chunk<'a>> {
        document.indexed_chunks(&self.indexer)
    }

    /// Reads a part of a document, from `cursor` on, and at most `max_tokens`.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchHeading`], [`Error::AmbiguousHeading`], [`Error::NoSuchSection`],
    /// [`Error::NoSuchLines`] and [`Error::NoSuchPages`] when the part cannot be found,
    /// [`Error::InvalidCursor`], or [`Error::Store`].
    pub async fn get(
        &self,
        document: &DocumentRecord,
        part: &Part,
        cursor: usize,
        max_tokens: Option<usize>,
    ) -> Result<Passage> {
        let (place, text) = self.part(document, part).await?;
        place.passage(&document.uri, &text, cursor, max_tokens, self.counter())
    }

    /// Reads a part of a document, from `cursor` on, as [`get`](Self::get) does, but without
    /// counting tokens. For a single call, the count would take most of the time.
    ///
    /// # Errors
    ///
    /// Those of [`get`](Self::get).
    pub async fn text(
        &self,
        document: &DocumentRecord,
        part: &Part,
        cursor: usize,
    ) -> Result<String> {
        let (place, text) = self.part(document, part).await?;
        Ok(place.rest(&text, cursor)?.to_owned())
    }

    /// Finds a part of a document, and the text of the sections that contain it.
    async fn part(&self, document: &DocumentRecord, part: &Part) -> Result<(read::Place, String)> {
        let sections = self.store.sections(document.id).await?;
        let place = read::place(&sections, &document.uri, document.format, part)?;
        let positions = place.positions.clone();
        let text = self.store.content(document.id, positions).await?.concat();
        Ok((place, text))
    }

    /// Removes the documents in `scope` and returns them. If it asks for headings or levels, these are
    /// the documents with such a section.
    ///
    /// # Errors
    ///
    /// [`Error::Store`]; then nothing is removed.
    pub async fn remove(&self, scope: &Scope) -> Result<Vec<DocumentRecord>> {
        let documents = self.documents(scope).await?;
        let ids: Vec<DocumentId> = documents.iter().map(|document| document.id).collect();
        self.store.remove(&ids).await?;
        Ok(documents)
    }
}

/// Leaves out what could not be read and has no text, if there is something else.
pub(crate) fn retain_readable(documents: &mut Vec<DocumentRecord>) {
    let is_readable = |of: &DocumentRecord| of.status != Status::Failed || of.sections > 0;
    if documents.iter().any(is_readable) {
        documents.retain(is_readable);
    }
}

/// Returns the document of a name, if there is one; several of that name are in as many collections.
fn only(mut found: Vec<DocumentRecord>) -> Result<Option<DocumentRecord>> {
    retain_readable(&mut found);
    if found.len() < 2 {
        return Ok(found.pop());
    }
    Err(Error::AmbiguousDocument {
        uri: found[0].uri.clone(),
        collections: found.into_iter().map(|record| record.collection).collect(),
    })
}
