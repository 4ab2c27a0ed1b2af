//! The natural keys of a collection, so that one file that does not fit does not stop the others.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use sectile_store::{Error, IndexedDocument, Result, Scope, Status, Store, natural_key};

use crate::uri::document_path;

/// The index version of a document that its collection cannot hold. The reason may be another document, so the next
/// ingest tries again.
pub(super) const UNFIT: &str = "";

/// The keys that documents have, each with the URI of its document.
pub(super) struct Keys {
    fields: Vec<String>,
    uris: HashMap<String, String>,
    /// The key of each document, by its URI.
    of_uris: HashMap<String, String>,
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
        .filter(|document| document.status == Status::Failed && document.index_version == UNFIT);
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
        };
        if !keys.fields.is_empty() {
            for document in store.documents(&Scope::collection(collection)).await? {
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
            return Err(Error::DuplicateKey {
                collection: document.collection.clone(),
                uri: uri.clone(),
                other: other.clone(),
                key: format!("{} = {key}", self.fields.join(", ")),
            });
        }
        self.free(uri);
        self.put(key, uri.clone());
        Ok(())
    }

    /// Lets others have the key of a document.
    pub(super) fn free(&mut self, uri: &str) {
        let key = self.of_uris.remove(uri);
        if let Some(key) = key.filter(|key| self.uris.get(key).is_some_and(|of| of == uri)) {
            self.uris.remove(&key);
        }
    }

    fn put(&mut self, key: String, uri: String) {
        self.of_uris.insert(uri.clone(), key.clone());
        self.uris.insert(key, uri);
    }
}
