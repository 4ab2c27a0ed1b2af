//! The errors of a store.

use sectile_core::EmbeddingModel;

use crate::SearchMode;

/// The error of every store operation.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The query contains no word to search for.
    #[error(
        "the query `{query}` holds no word to search for; punctuation and signs alone are not searched, so add a word or a number"
    )]
    EmptyQuery {
        /// The query as typed, shortened.
        query: String,
    },
    /// No store can store a document.
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
    /// The analyzer does not know a language.
    #[error(
        "the language `{language}` is not known; write one of {known}, or an English name such as `german`"
    )]
    UnknownLanguage {
        /// The language as given.
        language: String,
        /// The codes of all known languages, separated by commas.
        known: String,
    },
    /// A vector cannot be used.
    #[error("the vector cannot be used: {reason}")]
    InvalidVector {
        /// What is wrong with it.
        reason: String,
    },
    /// A search that compares vectors has no query vector.
    #[error("searching by {mode} needs an embedding model; name one")]
    NoQueryVector {
        /// How the search ranks.
        mode: SearchMode,
    },
    /// The database of the store has no partitions.
    #[error("this store has no partitions; use one in Postgres")]
    NoPartitions,
    /// No chunk in the scope of a search has a vector.
    #[error("no document that is searched has vectors; ingest with an embedding model first")]
    NoVectors,
    /// The vectors of a collection are from another model.
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
    /// The vectors of a collection have another encoding; only new vectors can have the requested
    /// one.
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
    /// A store alone cannot answer a search in this mode.
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
    /// Another process locks the store, or it cannot be reached; a retry may help.
    #[error("the store is busy or out of reach; try again")]
    Unavailable {
        /// What the database said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The server cancelled a statement, because of its `statement_timeout` or on request: retry, or raise the timeout.
    #[error(
        "the server ended a statement before it was done; raise `statement_timeout` for this role, or write \
         `options=-cstatement_timeout%3D60s` into the store's address, and try again"
    )]
    TimedOut {
        /// What the server says.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The server or the role has no connection left: retry, or raise the limit.
    #[error(
        "the server has no connection left for this role; end other programs, or raise `max_connections` of the server or \
         `CONNECTION LIMIT` of the role, and try again"
    )]
    TooManyConnections {
        /// What the server says.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The tables would be made in one schema of Postgres, but a later schema of the search path has them.
    #[error(
        "the schema `{current}` is the first of the search path and has no store, but the later schema `{found}` has one; \
         for that store, write `options=-csearch_path%3D{found}` into the address, and for a new one in `{current}`, \
         write `options=-csearch_path%3D{current}` the first time"
    )]
    LaterSchema {
        /// The schema in which tables are made.
        current: String,
        /// The later schema that has the tables.
        found: String,
    },
    /// The store's file was deleted, moved or replaced while it was open, so writes to it would be
    /// lost.
    #[error(
        "`{}` was deleted, moved or replaced while it was open; end all processes that use it, and put it back, or put \
         the new file there without the `-wal` and `-shm` files of the old one",
        path.display()
    )]
    FileReplaced {
        /// The file.
        path: std::path::PathBuf,
    },
    /// A copy of the store's file cannot be written.
    #[error("the copy `{}` cannot be written: {reason}", path.display())]
    Copy {
        /// The file that was to be written.
        path: std::path::PathBuf,
        /// Why, and what to do.
        reason: String,
    },
    /// The store's file or its folder is read-only.
    #[error(
        "`{}` is read-only here: it can be searched, but not changed; get write permission for the file and its folder, \
         or name another store",
        path.display()
    )]
    ReadOnly {
        /// The file.
        path: std::path::PathBuf,
    },
    /// The disk is full, and this write changed nothing. Earlier writes, such as the first
    /// documents of an ingest, stay.
    #[error("the disk is full; what was stored before stays; free some space and try again")]
    Full {
        /// What the database said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The database reports that its file is damaged.
    #[error("the store is damaged; keep a copy, then ingest into a new one")]
    Damaged {
        /// What the database said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The prepared statements of a connection are gone: a pooler in transaction mode is in
    /// between, and does not keep them.
    #[error(
        "a pooler in transaction mode lost the prepared statements of a connection; set \
         `max_prepared_statements` in PgBouncer 1.21 or newer, use its session mode, or connect to the server itself"
    )]
    PreparedStatements {
        /// What the server says.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Stored data is not what a store of this version writes.
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
    /// Returns the error for a collection whose vectors are from another model, or that has none.
    /// Models of the same name are distinguished by their vectors.
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

    /// Returns the error for a value that no store of this version writes.
    pub fn corrupt(what: impl std::fmt::Display) -> Self {
        Self::Corrupt {
            what: what.to_string(),
        }
    }

    /// Returns whether a retry of the same call may succeed.
    pub const fn is_retryable(&self) -> bool {
        matches!(
            self,
            Self::Unavailable { .. } | Self::TimedOut { .. } | Self::TooManyConnections { .. }
        )
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
