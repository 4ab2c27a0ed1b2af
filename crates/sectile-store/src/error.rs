//! What can go wrong in a store.

use sectile_core::EmbeddingModel;

use crate::SearchMode;

/// The error of every store operation.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The query holds no word to search for.
    #[error(
        "the query `{query}` holds no word to search for; punctuation alone is not searched, so add a word or a number"
    )]
    EmptyQuery {
        /// The query as typed, shortened.
        query: String,
    },
    /// A document that no store can hold was given.
    #[error("`{uri}` cannot be stored: {reason}")]
    InvalidDocument {
        /// The document's URI.
        uri: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A condition of a search cannot be read.
    #[error("the filter `{filter}` cannot be used: {reason}")]
    InvalidFilter {
        /// The condition as typed.
        filter: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A language that the analyser does not know was named.
    #[error("the language `{language}` is not known; write a code such as `en`, `de` or `fr`")]
    UnknownLanguage {
        /// The language as given.
        language: String,
    },
    /// A vector cannot be used.
    #[error("the vector cannot be used: {reason}")]
    InvalidVector {
        /// What is wrong with it.
        reason: String,
    },
    /// A search that compares vectors was not given one.
    #[error("searching by {mode} needs an embedding model; name one")]
    NoQueryVector {
        /// How the search ranks.
        mode: SearchMode,
    },
    /// The database of the store has no partitions.
    #[error("this store has no partitions; use one in Postgres")]
    NoPartitions,
    /// Nothing in the scope of a search has a vector.
    #[error("no document that is searched has vectors; ingest with an embedding model first")]
    NoVectors,
    /// The vectors of a collection are of another model.
    #[error(
        "the vectors of the collection `{collection}` are of the model `{stored}`, not of `{asked}`; \
         use that one, or replace the vectors"
    )]
    OtherModel {
        /// The collection.
        collection: String,
        /// The model of its vectors.
        stored: String,
        /// The model that was to be used.
        asked: String,
    },
    /// The vectors of a collection are kept in another way, and only new ones could be kept as asked.
    #[error(
        "the vectors of the collection `{collection}` are not stored with one byte per number; store floats, or \
         replace the vectors"
    )]
    OtherEncoding {
        /// The collection.
        collection: String,
    },
    /// The database cannot hold vectors.
    #[error("the store cannot hold vectors: {reason}")]
    VectorsUnavailable {
        /// Why, and what to do.
        reason: String,
    },
    /// A search that only more than a store can answer.
    #[error("a store alone cannot search by {mode}; ask the library")]
    UnsupportedMode {
        /// How the search ranks.
        mode: SearchMode,
    },
    /// Another document of the collection has the same natural key.
    #[error("`{uri}` has the same key as `{other}` in the collection `{collection}`: {key}")]
    DuplicateKey {
        /// The collection.
        collection: String,
        /// The document's URI.
        uri: String,
        /// The URI of the document that has the key.
        other: String,
        /// The fields of the key with their values.
        key: String,
    },
    /// The store's address cannot be used.
    #[error("`{url}` cannot be used as a store: {reason}")]
    InvalidUrl {
        /// The address as given.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The store was made by a newer release.
    #[error(
        "the store has schema version {found}, this program knows {known}; update the program or \
         use another store"
    )]
    NewerSchema {
        /// The version found in the store.
        found: u32,
        /// The newest version this program knows.
        known: u32,
    },
    /// Another process holds the store, or it could not be reached; trying again may help.
    #[error("the store is busy or out of reach; try again")]
    Unavailable {
        /// What the database said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The store's file was deleted, moved or replaced while it was open, so that what is written to
    /// it is lost.
    #[error(
        "`{}` was deleted, moved or replaced while it was open; put it back, or open the store again",
        path.display()
    )]
    FileReplaced {
        /// The file.
        path: std::path::PathBuf,
    },
    /// The store's file, or its folder, cannot be written; it can be read.
    #[error(
        "`{}` is read-only here: it can be searched, but not changed; get write permission for the file and its folder, \
         or name another store",
        path.display()
    )]
    ReadOnly {
        /// The file.
        path: std::path::PathBuf,
    },
    /// The disk has no room for what was to be written; nothing of it was. What was written before, such as
    /// the first documents of an ingest, stays.
    #[error("the disk is full; what was stored before stays; free some space and try again")]
    Full {
        /// What the database said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The database finds its own file damaged.
    #[error("the store is damaged; keep a copy, then ingest into a new one")]
    Damaged {
        /// What the database said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The statements that a connection had prepared are gone: a pooler that hands out connections for single
    /// transactions stands between, and does not keep them.
    #[error(
        "a pooler in transaction mode lost the prepared statements of a connection; set \
         `max_prepared_statements` in PgBouncer 1.21 or newer, use its session mode, or connect to the server itself"
    )]
    PreparedStatements {
        /// What the server says.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// What was read is not what a store of this version writes.
    #[error("the store holds something unexpected: {what}")]
    Corrupt {
        /// What was found.
        what: String,
    },
    /// The database refused or failed.
    #[error("the store's database failed while it was asked to {doing}")]
    Backend {
        /// What was being done.
        doing: &'static str,
        /// What the database said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl Error {
    /// Reports that the vectors of a collection are of another model, or of none. Models of the same name are told apart
    /// by what they make.
    pub fn other_model(
        collection: &str,
        stored: Option<&EmbeddingModel>,
        asked: &EmbeddingModel,
    ) -> Self {
        let is_same_name = stored.is_some_and(|stored| stored.name == asked.name);
        let name = |model: &EmbeddingModel| match model {
            EmbeddingModel { name, .. } if !is_same_name => name.clone(),
            EmbeddingModel {
                name,
                dimensions,
                is_normalized: true,
            } => format!("{name} ({dimensions} dimensions, normalized)"),
            model => format!("{} ({} dimensions)", model.name, model.dimensions),
        };
        Self::OtherModel {
            collection: collection.to_owned(),
            stored: stored.map_or_else(|| "none".to_owned(), name),
            asked: name(asked),
        }
    }

    /// Reports a value that no store of this version writes.
    pub fn corrupt(what: impl std::fmt::Display) -> Self {
        Self::Corrupt {
            what: what.to_string(),
        }
    }

    /// Returns whether the same call may succeed when tried again.
    pub const fn is_retryable(&self) -> bool {
        matches!(self, Self::Unavailable { .. })
    }
}

/// The result of every store operation.
pub type Result<T, E = Error> = std::result::Result<T, E>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_of_one_name_are_told_apart_by_what_they_make() {
        let model = |name: &str, dimensions| EmbeddingModel {
            name: name.to_owned(),
            dimensions,
            is_normalized: false,
        };
        let check = |stored: Option<EmbeddingModel>, expected: &str| {
            let error = Error::other_model("docs", stored.as_ref(), &model("emb", 8));
            let said = error.to_string();
            assert!(said.contains(expected), "{said}");
            assert!(said.contains("replace the vectors"), "{said}");
        };
        check(Some(model("words", 3)), "model `words`, not of `emb`;");
        check(None, "model `none`, not of `emb`;");
        let expected = "model `emb (3 dimensions)`, not of `emb (8 dimensions)`;";
        check(Some(model("emb", 3)), expected);
    }
}
