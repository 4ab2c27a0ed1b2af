//! The natural keys of a collection, so that one file that does not fit does not stop the others.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use sectile_core::ContentHash;
use sectile_store::{
    Error, FailedDocument, IndexedDocument, Result, Scope, Status, Store, natural_key,
};

use crate::uri::document_path;

/// The content hash of a document that its collection cannot hold: that of no content. The reason may be another document,
/// so the next ingest tries again.
const UNFIT: ContentHash = ContentHash::from_bytes([0; 32]);

/// The keys that documents have, each with the URI of its document.
pub(super) struct Keys {
    fields: Vec<String>,
    uris: HashMap<String, String>,
    /// The key of each document, by its URI.
    of_uris: HashMap<String, String>,
    /// The index version of each document's text, by its URI.
    versions: HashMap<String, String>,
}

/// Returns the files whose documents could not be stored, for no reason of their own: of the collections that have
/// keys, those that wait for the key of another.
pub(super) async fn waiting(store: &dyn Store, collection: &str) -> Result<BTreeSet<PathBuf>> {
    if store.key_fields(collection).await?.is_empty() {
        return Ok(BTreeSet::new());
    }
    let documents = store.documents(&Scope::collection(collection)).await?;
    let waiting = documents
        .iter()
        .filter(|document| document.status == Status::Failed && document.content_hash == UNFIT);
    Ok(waiting
        .filter_map(|document| document_path(&document.uri))
        .collect())
}

impl Keys {
    pub(super) async fn of(store: &dyn Store, collection: &str) -> Result<Self> {
        let mut keys = Self {
            fields: store.key_fields(collection).await?,
            uris: HashMap::new(),
            of_uris: HashMap::new(),
            versions: HashMap::new(),
        };
        if !keys.fields.is_empty() {
            for document in store.documents(&Scope::collection(collection)).await? {
                if document.sections > 0 {
                    let version = document.index_version;
                    keys.versions.insert(document.uri.clone(), version);
                }
                // A document that could never be read has no key.
                let key = natural_key(&document.uri, &document.metadata, &keys.fields);
                if let Ok(key) = key {
                    keys.put(key, document.uri);
                }
            }
        }
        Ok(keys)
    }

    /// Takes the key of a document for it, if no other has it.
    pub(super) fn take(&mut self, document: &IndexedDocument) -> Result<()> {
        if self.fields.is_empty() {
            return Ok(());
        }
        let uri = &document.uri;
        let key = natural_key(uri, &document.metadata, &self.fields)?;
        if let Some(other) = self.uris.get(&key).filter(|other| *other != uri) {
            return Err(self.duplicate(document, other, &key));
        }
        self.free(uri);
        self.put(key, uri.clone());
        Ok(())
    }

    /// Takes the keys of documents that are written together, each another one. They may exchange theirs. Returns for each
    /// whether it has its new key; otherwise it keeps the one that it had.
    pub(super) fn take_all(&mut self, documents: &[&IndexedDocument]) -> Vec<Result<()>> {
        let of_uris = documents.iter().enumerate();
        let of_uris: HashMap<&str, usize> = of_uris.map(|(at, of)| (&*of.uri, at)).collect();
        let old = documents.iter().map(|document| self.free(&document.uri));
        let old: Vec<Option<String>> = old.collect();
        let taken = documents.iter().map(|document| self.take(document));
        let mut taken: Vec<Result<()>> = taken.collect();
        let mut refused: Vec<usize> = (0..taken.len()).filter(|&at| taken[at].is_err()).collect();
        while let Some(at) = refused.pop() {
            let Some(key) = &old[at] else { continue };
            let uri = &documents[at].uri;
            // Only one of these documents can have a key that was free.
            let other = self.uris.get(key).and_then(|other| of_uris.get(&**other));
            if let Some(&other) = other {
                self.free(&documents[other].uri);
                taken[other] = Err(self.duplicate(documents[other], uri, key));
                refused.push(other);
            }
            self.put(key.clone(), uri.clone());
        }
        taken
    }

    /// Returns what is written of a document that its collection cannot hold. The text that it had stays.
    pub(super) fn unfit(&self, document: IndexedDocument, error: &Error) -> FailedDocument {
        let version = self.versions.get(&document.uri).cloned();
        FailedDocument {
            id: document.id,
            collection: document.collection,
            uri: document.uri,
            content_hash: UNFIT,
            index_version: version.unwrap_or(document.index_version),
            error: error.to_string(),
            now: document.now,
        }
    }

    /// Makes the error of a document whose key another one has.
    fn duplicate(&self, document: &IndexedDocument, other: &str, key: &str) -> Error {
        Error::DuplicateKey {
            collection: document.collection.clone(),
            uri: document.uri.clone(),
            other: other.to_owned(),
            key: format!("{} = {key}", self.fields.join(", ")),
        }
    }

    /// Lets others have the key of a document, and returns it.
    pub(super) fn free(&mut self, uri: &str) -> Option<String> {
        let key = self.of_uris.remove(uri)?;
        let is_its_own = self.uris.get(&key).is_some_and(|of| of == uri);
        is_its_own.then(|| {
            self.uris.remove(&key);
            key
        })
    }

    fn put(&mut self, key: String, uri: String) {
        self.of_uris.insert(uri.clone(), key.clone());
        self.uris.insert(key, uri);
    }
}
