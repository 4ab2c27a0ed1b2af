//! The type that composes the crates.

mod documents;
mod emptiness;
mod held_elsewhere;
mod ingest;
mod search;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use sectile_chunk::TokenCounter;
use sectile_embed::{ChatModel, Embedder};
use sectile_load::FileLoader;
use sectile_store::{
    DocumentRecord, JobRecord, Language, SearchMode, Store, Totals, VectorCoverage, VectorEncoding,
};

use crate::index::{Indexer, SetLanguages};
use crate::rerank::Reranking;
use crate::store_url::Engine;
#[cfg(feature = "sqlite")]
use crate::store_url::{sqlite_file, sqlite_path};
use crate::traced::Traced;
use crate::{ChunkSettings, Result};
pub(crate) use documents::retain_readable;
pub use emptiness::Emptiness;
pub use held_elsewhere::HeldElsewhere;

/// The default collection for files.
pub const DEFAULT_COLLECTION: &str = "default";

/// Documents in a store, with the operations to add, search, read and remove them.
///
/// Cloning is cheap; clones share the store.
#[derive(Clone)]
pub struct Library {
    store: Arc<dyn Store>,
    loader: FileLoader,
    keeps_options: bool,
    pub(crate) indexer: Arc<Indexer>,
    pub(crate) embedder: Option<Arc<dyn Embedder>>,
    encoding: VectorEncoding,
    chat_model: Option<Arc<dyn ChatModel>>,
    pub(crate) reranking: Option<Reranking>,
}

impl fmt::Debug for Library {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Library")
            .field("store", &self.store)
            .finish_non_exhaustive()
    }
}

impl Library {
    /// Makes a library on a store.
    pub fn new(store: Arc<dyn Store>) -> Self {
        let indexer = Arc::new(Indexer::usual());
        Self {
            store,
            loader: FileLoader::default(),
            keeps_options: false,
            indexer,
            embedder: None,
            encoding: VectorEncoding::default(),
            chat_model: None,
            reranking: None,
        }
    }

    /// Sets the model that makes vectors of questions, of documents that are ingested from now on,
    /// and of documents in the same collection that still lack them.
    #[must_use]
    pub fn with_embedder(mut self, embedder: Arc<dyn Embedder>) -> Self {
        self.embedder = Some(Arc::new(Traced(embedder)));
        self
    }

    /// Sets how to store the vectors of collections that have none yet. Postgres ignores it, and
    /// stores all vectors unchanged.
    #[must_use]
    pub fn with_vector_encoding(mut self, encoding: VectorEncoding) -> Self {
        self.encoding = encoding;
        self
    }

    /// Sets the model that writes summaries and searches trees.
    #[must_use]
    pub fn with_chat_model(mut self, model: Arc<dyn ChatModel>) -> Self {
        self.chat_model = Some(Arc::new(Traced(model)));
        self
    }

    /// Sets the loader for the files of an ingest, for example with other limits or with worker
    /// processes. Without worker processes, a hostile PDF can crash this process.
    #[must_use]
    pub fn with_loader(mut self, loader: FileLoader) -> Self {
        self.loader = loader;
        self
    }

    /// Sets whether to read a stored document again with its earlier options, regardless of the
    /// loader's options: a web page as a whole, and a PDF with text recognition. This is for a
    /// refresh, where nobody names options. Passwords are never stored. Off by default.
    #[must_use]
    pub fn with_options_kept(mut self, keeps_options: bool) -> Self {
        self.keeps_options = keeps_options;
        self
    }

    /// Sets the language of documents that are ingested or remembered from now on. By default, each
    /// document has the language that is set for its collection, or else that it declares, or that is
    /// detected from its text.
    #[must_use]
    pub fn with_language(self, language: Option<Language>) -> Self {
        let languages = self.indexer.languages().clone().with_all(language);
        self.with_languages(languages)
    }

    /// Sets the languages of collections, by their names, in place of those that were set before.
    /// Documents that are ingested, added or remembered in one of these collections have its
    /// language, whatever they declare. The next ingest, whatever its paths, reindexes the documents
    /// of these collections that are in another language. A language of
    /// [`with_language`](Self::with_language) overrides these for the documents that are read with
    /// it. Programs that ingest into one store should set the same languages; otherwise each reindexes
    /// what the other one did.
    #[must_use]
    pub fn with_collection_languages(self, languages: BTreeMap<String, Language>) -> Self {
        let languages = self.indexer.languages().clone().with_collections(languages);
        self.with_languages(languages)
    }

    fn with_languages(mut self, languages: SetLanguages) -> Self {
        self.indexer = Arc::new(Indexer::clone(&self.indexer).with_languages(languages));
        self
    }

    /// Sets how to cut sections into the chunks that are searched. Sizes count tokens unless the
    /// settings name a unit. The next ingest indexes documents again that were cut with other
    /// settings. By default, sections are cut at the ends of sentences, into at most 400 tokens
    /// with an overlap of 60.
    ///
    /// # Errors
    ///
    /// [`Error::Settings`](crate::Error::Settings) for a size or an overlap that the strategy cannot
    /// use, or would ignore.
    pub fn with_chunks(mut self, settings: &ChunkSettings) -> Result<Self> {
        let languages = self.indexer.languages().clone();
        self.indexer = Arc::new(Indexer::new(settings)?.with_languages(languages));
        Ok(self)
    }

    /// Opens the store at `url` for reading. A SQLite file that is missing, is empty or has only
    /// checkpoints is an empty store, and is not changed.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open).
    pub async fn open_to_read(url: &str) -> Result<Self> {
        #[cfg(feature = "sqlite")]
        if let Some(path) = sqlite_file(url) {
            let store = sectile_store_sqlite::SqliteStore::open_to_read(path).await?;
            return Ok(Self::new(Arc::new(store)));
        }
        Self::open(url).await
    }

    /// Opens the store at `url` as [`open`](Self::open) does, but creates a SQLite file and its
    /// tables only when something is written to it.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open).
    pub async fn open_lazily(url: &str) -> Result<Self> {
        #[cfg(feature = "sqlite")]
        if let Some(path) = sqlite_file(url) {
            let store = sectile_store_sqlite::SqliteStore::open_lazily(path).await?;
            return Ok(Self::new(Arc::new(store)));
        }
        Self::open(url).await
    }

    /// Opens the store at `url`, `sqlite:PATH` or `postgres://…`, and creates it if it is missing.
    /// A SQLite file that cannot be written is opened for reading; changes to it are
    /// [`sectile_store::Error::ReadOnly`].
    ///
    /// # Errors
    ///
    /// [`Error::StoreUrl`](crate::Error::StoreUrl) for an address that this build cannot open,
    /// [`Error::Store`](crate::Error::Store) when the store cannot be opened.
    pub async fn open(url: &str) -> Result<Self> {
        match Engine::of(url)? {
            #[cfg(feature = "sqlite")]
            Engine::Sqlite => {
                let path = sqlite_path(url).unwrap_or_default();
                let store = sectile_store_sqlite::SqliteStore::open(path).await?;
                Ok(Self::new(Arc::new(store)))
            }
            #[cfg(feature = "postgres")]
            Engine::Postgres => {
                let store = sectile_store_postgres::PostgresStore::open(url).await?;
                Ok(Self::new(Arc::new(store)))
            }
        }
    }

    /// Returns the store.
    pub fn store(&self) -> &dyn Store {
        &*self.store
    }

    pub(crate) fn indexer(&self) -> &Arc<Indexer> {
        &self.indexer
    }

    /// Returns the model that makes vectors, if there is one.
    pub fn embedder(&self) -> Option<&dyn Embedder> {
        self.embedder.as_deref()
    }

    /// Returns the model that writes summaries and searches trees, if there is one.
    pub fn chat_model(&self) -> Option<&dyn ChatModel> {
        self.chat_model.as_deref()
    }

    /// Returns the languages that are set for collections, by their names.
    pub fn collection_languages(&self) -> &BTreeMap<String, Language> {
        self.indexer.languages().collections()
    }

    /// Returns the counter that measures chunks and budgets.
    pub fn counter(&self) -> &dyn TokenCounter {
        self.indexer.counter()
    }

    /// Returns the ranking modes that are possible with the library's models.
    pub fn modes(&self) -> Vec<SearchMode> {
        let vectors = [SearchMode::Vector, SearchMode::Hybrid];
        let of_embedder = vectors.into_iter().filter(|_| self.embedder.is_some());
        let of_chat_model = self.chat_model.is_some().then_some(SearchMode::Tree);
        let always = [SearchMode::Text, SearchMode::Value];
        let modes = always.into_iter().chain(of_embedder);
        modes.chain(of_chat_model).collect()
    }

    /// Returns the version of how documents are cut and indexed. [`is_current`](Self::is_current)
    /// says whether a document was indexed with it.
    pub fn index_version(&self) -> &str {
        self.indexer.version()
    }

    /// Returns whether a document was indexed with the current version and settings, and in the
    /// language that is set for its collection. If not, the next ingest indexes it again.
    pub fn is_current(&self, document: &DocumentRecord) -> bool {
        self.indexer.is_as_set(document)
    }

    /// Counts the documents that were indexed by an earlier version, with other settings, or in
    /// another language than the one that is set for their collection. Searches may miss them or
    /// rank them worse. The next ingest indexes all of them again.
    ///
    /// # Errors
    ///
    /// [`Error::Store`](crate::Error::Store).
    pub async fn outdated(&self) -> Result<usize> {
        crate::ingest::reindex::outdated(&*self.store, &self.indexer).await
    }

    /// Returns the collections in which some chunks have no vector.
    ///
    /// # Errors
    ///
    /// [`Error::Store`](crate::Error::Store).
    pub async fn lacking_vectors(&self) -> Result<BTreeMap<String, VectorCoverage>> {
        Ok(self.store.lacking_vectors(None).await?)
    }

    /// Returns the jobs that processes share, with their errors, or none if the store has no jobs.
    ///
    /// # Errors
    ///
    /// [`Error::Store`](crate::Error::Store).
    pub async fn jobs(&self) -> Result<Vec<JobRecord>> {
        match self.store.jobs() {
            Some(jobs) => Ok(jobs.records(None).await?),
            None => Ok(Vec::new()),
        }
    }

    /// Removes the vectors and the model of a collection, so that another model can make them
    /// again.
    ///
    /// # Errors
    ///
    /// [`Error::Store`](crate::Error::Store).
    pub async fn remove_vectors(&self, collection: &str) -> Result<()> {
        Ok(self.store.remove_vectors(collection).await?)
    }

    /// Moves a collection into its own partitions; see [`Store::partition`].
    ///
    /// # Errors
    ///
    /// [`Error::Store`](crate::Error::Store), also when the store has none.
    pub async fn partition(&self, collection: &str) -> Result<bool> {
        Ok(self.store.partition(collection).await?)
    }

    /// Declares that some metadata fields identify the documents of a collection; see
    /// [`Store::declare_key`].
    ///
    /// # Errors
    ///
    /// [`Error::Store`](crate::Error::Store), also when existing documents conflict with the key.
    pub async fn declare_key(&self, collection: &str, fields: &[String]) -> Result<()> {
        Ok(self.store.declare_key(collection, fields).await?)
    }

    /// Checks that the store answers, with a minimal request.
    ///
    /// # Errors
    ///
    /// [`Error::Store`](crate::Error::Store).
    pub async fn ping(&self) -> Result<()> {
        self.store.key_fields(crate::DEFAULT_COLLECTION).await?;
        Ok(())
    }

    /// Returns the names of the collections that have documents, in order.
    ///
    /// # Errors
    ///
    /// [`Error::Store`](crate::Error::Store).
    pub async fn collections(&self) -> Result<Vec<String>> {
        Ok(self.store.collections().await?)
    }

    /// Returns the totals of the store. This reads the record of each document.
    ///
    /// # Errors
    ///
    /// [`Error::Store`](crate::Error::Store).
    pub async fn totals(&self) -> Result<Totals> {
        Ok(self.store.totals().await?)
    }
}
