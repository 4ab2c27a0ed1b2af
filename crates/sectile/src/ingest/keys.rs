//! The natural keys of a collection, so that one file that does not fit does not stop the others.

use std::collections::HashMap;

use sectile_store::{Error, IndexedDocument, Result, Scope, Store, natural_key};

/// The keys that documents have, each with the URI of its document.
pub(super) struct Keys {
    fields: Vec<String>,
    uris: HashMap<String, String>,
}

impl Keys {
    pub(super) async fn of(store: &dyn Store, collection: &str) -> Result<Self> {
        let fields = store.key_fields(collection).await?;
        let mut uris = HashMap::new();
        if !fields.is_empty() {
            for document in store.documents(&Scope::collection(collection)).await? {
                // What could never be read has no key.
                let key = natural_key(&document.uri, &document.metadata, &fields);
                uris.extend(key.ok().map(|key| (key, document.uri)));
            }
        }
        Ok(Self { fields, uris })
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
        self.uris.retain(|_, known| known != uri);
        self.uris.insert(key, uri.clone());
        Ok(())
    }
}
