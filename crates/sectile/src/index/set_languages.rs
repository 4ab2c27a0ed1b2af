//! The languages that are set for documents, whatever they state.

use std::collections::BTreeMap;
use std::sync::Arc;

use sectile_store::{DocumentRecord, Language};

/// The languages that are set for documents, whatever they state.
#[derive(Clone, Debug, Default)]
pub(crate) struct SetLanguages {
    /// The language of all documents that are read from now on.
    all: Option<Language>,
    /// The languages of collections, by their names.
    collections: Arc<BTreeMap<String, Language>>,
}

impl SetLanguages {
    /// Sets the language of all documents, which goes before those of collections.
    pub(crate) fn with_all(self, all: Option<Language>) -> Self {
        Self { all, ..self }
    }

    /// Sets the languages of collections.
    pub(crate) fn with_collections(self, collections: BTreeMap<String, Language>) -> Self {
        let collections = Arc::new(collections);
        Self {
            collections,
            ..self
        }
    }

    /// Returns the languages of collections.
    pub(crate) fn collections(&self) -> &BTreeMap<String, Language> {
        &self.collections
    }

    /// Returns the language that is set for a document that is read into a collection.
    pub(crate) fn of(&self, collection: &str) -> Option<Language> {
        self.all
            .or_else(|| self.collections.get(collection).copied())
    }

    /// Returns the collections whose stored documents are to be in a language. The language of all documents is only for
    /// those that are read.
    pub(crate) fn of_stored(&self) -> impl Iterator<Item = (&str, Language)> {
        let collections = self.collections.iter();
        collections
            .filter(|_| self.all.is_none())
            .map(|(name, language)| (&**name, *language))
    }

    /// Returns the language in which a stored document is indexed again.
    pub(crate) fn of_record(&self, record: &DocumentRecord) -> Option<Language> {
        let of_collection = self.collections.get(&record.collection).copied();
        let of_collection = of_collection.filter(|_| self.all.is_none());
        of_collection.or_else(|| record.language.parse().ok())
    }
}

/// Returns whether a stored document is in a language, if one is set. A document without text is in any.
pub(super) fn is_in(record: &DocumentRecord, set: Option<Language>) -> bool {
    record.sections == 0 || set.is_none_or(|set| set.code() == record.language)
}
