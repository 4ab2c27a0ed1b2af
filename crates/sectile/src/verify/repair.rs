//! Repairs what does not fit together, as far as the store still has what it takes.

use std::collections::BTreeSet;

use sectile_core::{ContentHash, DocumentId};
use sectile_store::{
    DocumentRecord, Error as StoreError, FailedDocument, IndexedDocument, REPAIRING, WordCounts,
    natural_key,
};
use uuid::Uuid;

use super::{Fault, Misfit};
use crate::ingest::reindex::{self, Renewed};
use crate::{Error, KNOWLEDGE, Library, MEMORIES, Result};

/// How many tokens of documents are indexed together.
const BATCH_TOKENS: usize = 1 << 20;

/// The repairs of documents with faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// The number of documents that were indexed again.
    pub indexed: usize,
    /// The number of documents that were marked, so that the next ingest reads their sources again.
    pub marked: usize,
    /// The number of documents that were left unchanged, because they cannot be repaired.
    pub left: usize,
}

/// Returns whether the repair of a document was not finished, so that a search may not find it.
pub fn is_being_repaired(document: &DocumentRecord) -> bool {
    document.index_version.starts_with(REPAIRING)
}

/// The result of a repair.
enum Repair {
    Indexed,
    Marked,
    Left,
}

impl Library {
    /// Drops the indexes that cannot be read, and indexes all documents of their collections again.
    /// Indexes other documents again whose text is intact, and marks the others, so that the next ingest
    /// reads their sources again. Until then these stay unchanged. A text that cannot be read at
    /// all is removed, unless it is a memory, which has no source. Documents that lack their
    /// collection's key, and those whose id or collection cannot be read, or that are on a damaged part
    /// of the file, stay unchanged. Vectors
    /// of unchanged texts stay, unless they are damaged. The next ingest with their model makes
    /// damaged ones again.
    ///
    /// A document that has changed since the comparison is compared again first. A removed document
    /// is not restored.
    ///
    /// # Errors
    ///
    /// [`Error::Store`]; repairs that were made by then stay. Indexes that were dropped by then are not whole: searches do
    /// not find the documents that were not yet indexed again. The next comparison finds a fault in each of these, and
    /// another repair indexes them.
    pub async fn repair(&self, misfits: &[Misfit]) -> Result<Repairs> {
        let is_of_collection = |misfit: &&Misfit| matches!(misfit.fault, Fault::Collection(_));
        let damaged = misfits.iter().filter(is_of_collection);
        let damaged: BTreeSet<&str> = damaged.map(|of| of.document.collection.as_str()).collect();
        let mut repairs = Repairs::default();
        if !damaged.is_empty() {
            repairs.indexed += self.rebuild(&damaged).await?;
        }
        for misfit in misfits.iter().filter(|misfit| !is_of_collection(misfit)) {
            let Some(misfit) = self.still(misfit).await? else {
                continue;
            };
            let count = match self.repair_one(&misfit).await {
                Ok(Repair::Indexed) => &mut repairs.indexed,
                Ok(Repair::Marked) => &mut repairs.marked,
                Ok(Repair::Left) => &mut repairs.left,
                Err(Error::Store(error)) if is_of_document(&error) => &mut repairs.left,
                Err(error) => return Err(error),
            };
            *count += 1;
        }
        if repairs.indexed > 0 {
            self.store().optimize().await?;
        }
        Ok(repairs)
    }

    /// Drops the indexes of collections, indexes those of their documents again that can be read, and returns how many.
    async fn rebuild(&self, collections: &BTreeSet<&str>) -> Result<usize> {
        for collection in collections {
            self.store().drop_index(collection).await?;
        }
        let (mut batch, mut tokens, mut count) = (Vec::new(), 0, 0);
        for found in self.store().found_documents().await? {
            let document = found.record;
            let is_damaged = collections.contains(document.collection.as_str());
            if !is_damaged || found.faults.first().is_some() {
                continue;
            }
            tokens += document.tokens;
            batch.push(document);
            if tokens >= BATCH_TOKENS {
                count += self.index_batch(&batch).await?;
                (batch, tokens) = (Vec::new(), 0);
            }
        }
        Ok(count + self.index_batch(&batch).await?)
    }

    /// Indexes documents again, one by one if they cannot be written together. Documents that cannot be read or written
    /// are skipped.
    async fn index_batch(&self, documents: &[DocumentRecord]) -> Result<usize> {
        match self.index_once(documents).await {
            Err(Error::Store(error)) if is_of_document(&error) => {}
            done => return done,
        }
        let mut count = 0;
        for document in documents {
            match self.index_once(std::slice::from_ref(document)).await {
                Err(Error::Store(error)) if is_of_document(&error) => {}
                done => count += done?,
            }
        }
        Ok(count)
    }

    /// Writes documents again whose sections are stored with the hashes of other texts.
    async fn index_once(&self, documents: &[DocumentRecord]) -> Result<usize> {
        let mut batch = Vec::new();
        for document in documents {
            batch.push(self.made_again(document).await?);
        }
        reindex::write(self.store(), batch).await
    }

    /// Returns what does not fit in a document now.
    async fn still(&self, misfit: &Misfit) -> Result<Option<Misfit>> {
        if misfit.fault.is_final() {
            return Ok(Some(misfit.clone()));
        }
        match self.store().found_document(misfit.document.id).await? {
            None => Ok(None),
            Some(now) if now.record == misfit.document => Ok(Some(misfit.clone())),
            Some(now) => Ok(self.misfits_of(vec![now], &|_, _| ()).await?.pop()),
        }
    }

    async fn repair_one(&self, misfit: &Misfit) -> Result<Repair> {
        let Misfit { document, fault } = misfit;
        match fault {
            Fault::Index(_) | Fault::Collection(_) => self.index_again(document, |_| ()).await,
            Fault::Vectors(_) => self.index_again(document, without_vectors).await,
            Fault::Text(_) | Fault::Uri(_) => self.mark(document, fault).await,
            Fault::Identity(_) | Fault::Unreadable(_) | Fault::UnreadableIndex(_) => {
                Ok(Repair::Left)
            }
        }
    }

    /// Writes a document twice, the first time as changed by `prepare`, because an unchanged document would not be
    /// indexed again.
    async fn index_again(
        &self,
        document: &DocumentRecord,
        prepare: fn(&mut IndexedDocument),
    ) -> Result<Repair> {
        let store = self.store();
        let mut first = self.made_again(document).await?;
        self.note_repair(&mut first.indexed);
        prepare(&mut first.indexed);
        reindex::write(store, vec![first]).await?;
        let again = self.made_again(document).await?;
        reindex::write(store, vec![again]).await?;
        Ok(Repair::Indexed)
    }

    /// Marks a document so that the next ingest writes it again, with a description of the damage. Without the mark, an
    /// ingest skips documents with an unchanged hash.
    async fn mark(&self, document: &DocumentRecord, fault: &Fault) -> Result<Repair> {
        let made = match self.made_again(document).await {
            Err(Error::Store(StoreError::Corrupt { .. })) => None,
            made => Some(made?),
        };
        if made.is_none() && matches!(&*document.collection, MEMORIES | KNOWLEDGE) {
            return Ok(Repair::Left);
        }
        let uri = made
            .as_ref()
            .map_or(&document.uri, |read| &read.indexed.uri);
        let marked = marked(document, uri, fault.says());
        if matches!(fault, Fault::Uri(_)) {
            self.rename(document, made).await?;
        } else {
            self.rewrite(document, document.id, made).await?;
        }
        self.store().put_failed(vec![marked]).await?;
        Ok(Repair::Marked)
    }

    /// Writes a document whose URI cannot be read under it with the damaged bytes replaced. The new document is written before
    /// the old one is removed, so that no text is lost if this breaks off. In a collection with a key, which no two documents
    /// may share, the old one has to be removed first: if this breaks off there, the source has to be ingested again.
    async fn rename(&self, document: &DocumentRecord, made: Option<Renewed>) -> Result<()> {
        let store = self.store();
        let id = DocumentId(Uuid::now_v7());
        let fields = store.key_fields(&document.collection).await?;
        if fields.is_empty() {
            self.rewrite(document, id, made).await?;
            store.remove(&[document.id]).await?;
        } else {
            // A document without the key could not be written after the removal.
            natural_key(&document.uri, &document.metadata, &fields)?;
            store.remove(&[document.id]).await?;
            self.rewrite(document, id, made).await?;
        }
        Ok(())
    }

    /// Gives a document the version of what is being repaired. That its chunks were given with it stays noted.
    fn note_repair(&self, document: &mut IndexedDocument) {
        let version = &mut document.index_version;
        *version = version.replacen(self.index_version(), REPAIRING, 1);
    }

    /// Writes what could be made of a document, under this id if the store does not have it yet.
    async fn rewrite(
        &self,
        document: &DocumentRecord,
        id: DocumentId,
        made: Option<Renewed>,
    ) -> Result<()> {
        let Some(mut read) = made else {
            return Ok(self.store().put(vec![emptied(document, id)]).await?);
        };
        read.indexed.id = id;
        self.note_repair(&mut read.indexed);
        reindex::write(self.store(), vec![read]).await?;
        Ok(())
    }
}

/// Returns whether an error is about the document that was to be written: others can be.
fn is_of_document(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::InvalidDocument { .. }
            | StoreError::DuplicateKey { .. }
            | StoreError::Corrupt { .. }
            | StoreError::Damaged { .. }
    )
}

/// Makes the chunks of a document those of another text, which do not take over their vectors.
fn without_vectors(document: &mut IndexedDocument) {
    let other = ContentHash::of(REPAIRING.as_bytes());
    let sections = document.sections.iter_mut();
    for chunk in sections.flat_map(|section| &mut section.chunks) {
        chunk.text_hash = other;
    }
}

/// Returns a document without its text.
fn emptied(document: &DocumentRecord, id: DocumentId) -> IndexedDocument {
    IndexedDocument {
        id,
        collection: document.collection.clone(),
        uri: document.uri.clone(),
        format: document.format,
        content_hash: document.content_hash,
        index_version: REPAIRING.to_owned(),
        metadata: document.metadata.clone(),
        sections: Vec::new(),
        words: WordCounts::default(),
        language: document.language.clone(),
        now: document.updated_at,
    }
}

fn marked(document: &DocumentRecord, uri: &str, says: &str) -> FailedDocument {
    FailedDocument {
        id: document.id,
        collection: document.collection.clone(),
        uri: uri.to_owned(),
        content_hash: document.content_hash,
        index_version: String::new(),
        error: format!("damaged in the store: {says}; ingest it again"),
        now: document.updated_at,
    }
}
