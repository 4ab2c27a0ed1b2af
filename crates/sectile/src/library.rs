//! The type that composes the crates.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use sectile_chunk::TokenCounter;
use sectile_core::{Chunk, ContentHash, Document, DocumentId, DocumentTree, SectionId};
use sectile_embed::{ChatModel, Embedder};
use sectile_load::FileLoader;
use sectile_store::{
    Answer, DocumentRecord, JobRecord, Language, Scope, SearchMode, SearchRequest, SectionRecord,
    Status, Store, Totals, VectorCoverage, VectorEncoding,
};
use tracing::{Instrument as _, info_span};

use crate::fields::field_names;
use crate::index::Indexer;
use crate::ingest::files::Sources;
use crate::ingest::reading::Reading;
use crate::ingest::{self, IngestEvent, IngestReport};
use crate::read::{self, Part, Passage};
use crate::rerank::Reranking;
use crate::store_url::Engine;
#[cfg(feature = "sqlite")]
use crate::store_url::{sqlite_file, sqlite_path};
use crate::traced::{Traced, search_span};
use crate::{
    ChunkSettings, DocumentPart, Error, PartEvent, PartsOptions, PartsReport, Result,
    StoredDocument, embed, tree,
};

/// The default collection for files.
pub const DEFAULT_COLLECTION: &str = "default";

/// How many fields of metadata are named where one is missing.
const FIELDS_NAMED: usize = 10;

/// How many collections that lack vectors a note names.
const NAMED: usize = 5;

/// Documents in a store, with the operations to add, search, read and remove them.
///
/// Cloning is cheap; clones share the store.
#[derive(Clone)]
pub struct Library {
    store: Arc<dyn Store>,
    loader: FileLoader,
    keeps_options: bool,
    pub(crate) indexer: Arc<Indexer>,
    embedder: Option<Arc<dyn Embedder>>,
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

/// The reason why a scope contains no documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Emptiness {
    /// The store has no documents at all.
    Store,
    /// There is no such collection.
    Collection {
        /// The name that was given.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// A filter asks for a field that no document has.
    Field {
        /// The field.
        name: String,
        /// Those that documents have and a filter is likely to ask for.
        known: Vec<String>,
    },
    /// No document matches the scope.
    Scope,
}

impl std::fmt::Display for Emptiness {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Store => formatter.write_str("the store has no documents"),
            Self::Collection { name, known } => write!(
                formatter,
                "there is no collection `{name}`, only `{}`",
                known.join("`, `")
            ),
            Self::Field { name, known } => {
                write!(formatter, "no document has a field `{name}`")?;
                if known.is_empty() {
                    return Ok(());
                }
                let more = if known.len() > FIELDS_NAMED {
                    " and others"
                } else {
                    ""
                };
                let known: Vec<_> = known
                    .iter()
                    .take(FIELDS_NAMED)
                    .map(String::as_str)
                    .collect();
                write!(formatter, "; the fields are `{}`{more}", known.join("`, `"))
            }
            Self::Scope => formatter.write_str("no document matches the filters and paths"),
        }
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
    /// document has the language that it declares, or that is detected from its text.
    #[must_use]
    pub fn with_language(mut self, language: Option<Language>) -> Self {
        self.indexer = Arc::new(Indexer::clone(&self.indexer).with_language(language));
        self
    }

    /// Sets how to cut sections into the chunks that are searched. Sizes count tokens unless the
    /// settings name a unit. The next ingest indexes documents again that were cut with other
    /// settings. By default, sections are cut at the ends of sentences, into at most 400 tokens
    /// with an overlap of 60.
    ///
    /// # Errors
    ///
    /// [`Error::Settings`] for a size or an overlap that the strategy cannot use, or would ignore.
    pub fn with_chunks(mut self, settings: &ChunkSettings) -> Result<Self> {
        let language = self.indexer.language();
        self.indexer = Arc::new(Indexer::new(settings)?.with_language(language));
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
    /// [`Error::StoreUrl`] for an address that this build cannot open, [`Error::Store`] when the
    /// store cannot be opened.
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

    /// Returns whether a document was indexed with the current version and settings. If not, the
    /// next ingest indexes it again.
    pub fn is_current(&self, document: &DocumentRecord) -> bool {
        self.indexer.is_version(&document.index_version)
    }

    /// Counts the documents that were indexed by an earlier version or with other settings.
    /// Searches may miss them or rank them worse. The next ingest indexes all of them again.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn outdated(&self) -> Result<usize> {
        Ok(self.store.outdated(self.indexer.version()).await?)
    }

    /// Updates the documents of `paths` in the store. New and changed files are written, and
    /// documents of deleted files are removed. A file that cannot be read is reported, and the
    /// others are processed.
    ///
    /// `on_event` is called during the work, for example for a progress bar.
    ///
    /// # Errors
    ///
    /// [`Error::Path`] when one of the paths does not exist, before anything is written,
    /// [`Error::Store`], or [`Error::Model`] when vectors cannot be made; everything reported as
    /// done by then is in the store, and the next ingest continues there.
    pub async fn ingest(
        &self,
        collection: &str,
        paths: &[PathBuf],
        on_event: &(dyn Fn(IngestEvent) + Send + Sync),
    ) -> Result<IngestReport> {
        let span = info_span!("ingest", collection, sources = paths.len());
        self.ingest_sources(collection, Sources::of(paths)?, on_event)
            .instrument(span)
            .await
    }

    /// Updates the documents of `paths` as [`ingest`](Self::ingest) does, and shares the work with
    /// other processes. If the store has [jobs](Store::jobs), any number of processes on any
    /// machines may be given the same paths. Each claims some files at a time, and each file is
    /// read by one process. If a process dies, another one takes its files. Once all files are
    /// done, the next call starts again. Files that other processes ingest count as unchanged.
    ///
    /// # Errors
    ///
    /// As for [`ingest`](Self::ingest). The report lists shares of files that no process could
    /// ingest, by the URI of their first file.
    pub async fn ingest_shared(
        &self,
        collection: &str,
        paths: &[PathBuf],
        on_event: &(dyn Fn(IngestEvent) + Send + Sync),
    ) -> Result<IngestReport> {
        let span = info_span!("ingest", collection, sources = paths.len());
        let reading = self.reading();
        let shared = ingest::shares::Shared {
            store: &*self.store,
            reading: &reading,
            indexer: &self.indexer,
            collection,
            sources: Sources::of(paths)?,
            on_event,
        };
        let report = Box::pin(shared.run()).instrument(span).await?;
        self.finished(report, collection, on_event).await
    }

    /// Writes documents into the store that were loaded elsewhere, such as by a cluster, in parts.
    /// If the store has [jobs](Store::jobs), any number of processes on any machines may share the
    /// same parts. One process loads each part. If a process dies, another one takes its part. The
    /// result is the same as with one process.
    ///
    /// Documents with [chunks](crate::PartDocument::chunks) keep these chunks. Their
    /// [vectors](DocumentPart::vectors) are added, if the library has the
    /// [embedder](Self::with_embedder) that made them. A chunk that the end of a section divides
    /// has no vector. [`embed`](Self::embed) makes missing vectors.
    ///
    /// Documents that are in none of the parts stay in the store and are counted, unless
    /// [`prune`](PartsOptions::prune) is set.
    ///
    /// # Errors
    ///
    /// [`Error::Store`]. A part that cannot be read is in the report, and does not affect the
    /// others.
    pub async fn load_parts(
        &self,
        collection: &str,
        parts: &[Arc<dyn DocumentPart>],
        options: &PartsOptions,
        on_event: &(dyn Fn(PartEvent) + Send + Sync),
    ) -> Result<PartsReport> {
        let loading = ingest::parts::Loading {
            store: &*self.store,
            indexer: &self.indexer,
            loader: &self.loader,
            embedder: self.embedder.as_deref(),
            encoding: self.encoding,
            collection,
            options,
            on_event,
        };
        loading.run(parts).await
    }

    /// Returns the collections in which some chunks have no vector.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn lacking_vectors(&self) -> Result<BTreeMap<String, VectorCoverage>> {
        Ok(self.store.lacking_vectors(None).await?)
    }

    /// Returns the jobs that processes share, with their errors, or none if the store has no jobs.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn jobs(&self) -> Result<Vec<JobRecord>> {
        match self.store.jobs() {
            Some(jobs) => Ok(jobs.records(None).await?),
            None => Ok(Vec::new()),
        }
    }

    fn reading(&self) -> Reading {
        Reading {
            loader: self.loader.clone(),
            keeps_options: self.keeps_options,
        }
    }

    /// Brings what the store has of some sources up to date, as [`ingest`](Self::ingest) does.
    pub(crate) async fn ingest_sources(
        &self,
        collection: &str,
        sources: Sources,
        on_event: &(dyn Fn(IngestEvent) + Send + Sync),
    ) -> Result<IngestReport> {
        let Self { store, indexer, .. } = self;
        let reading = self.reading();
        let work = ingest::ingest(&**store, &reading, indexer, collection, sources, on_event);
        let report = work.await?;
        self.finished(report, collection, on_event).await
    }

    /// Updates the pages of a web site in the store: those of its `llms-full.txt`, or else those
    /// that its `llms.txt` lists, or else, if the options say so, those that are found through
    /// links. `url` may also name one file. Without a collection, pages go to the collection of the
    /// [site](crate::site_collection).
    ///
    /// Unchanged pages stay, and pages that are gone are removed. A page that cannot be read at the
    /// moment stays and is reported.
    ///
    /// # Errors
    ///
    /// [`Error::Site`] when the site cannot be read as a whole; nothing has changed then, and
    /// [`is_transient`](sectile_site::Error::is_transient) says whether a later attempt may succeed.
    /// [`Error::Store`] and [`Error::Model`] as for [`ingest`](Self::ingest).
    #[cfg(feature = "site")]
    pub async fn ingest_site(
        &self,
        collection: Option<&str>,
        url: &str,
        options: &sectile_site::SiteOptions,
        on_event: &(dyn Fn(IngestEvent) + Send + Sync),
    ) -> Result<IngestReport> {
        let site = sectile_site::Site::new(url, options)?;
        let collection = match collection {
            Some(collection) => collection.to_owned(),
            None => crate::site_collection(url)?,
        };
        let Self { store, indexer, .. } = self;
        let reading = self.reading();
        let work = ingest::site::ingest(&**store, &reading, indexer, &collection, &site, on_event);
        // The query may hold a token.
        let shown = site.url().as_str().split('?').next();
        let span = info_span!("ingest", collection, site = shown.unwrap_or_default());
        // It is too large to be part of every future that may ingest a site.
        let report = Box::pin(work).instrument(span).await?;
        self.finished(report, &collection, on_event).await
    }

    /// Indexes again what an earlier version indexed, and makes the vectors of what was ingested, if
    /// there is a model for that.
    async fn finished(
        &self,
        mut report: IngestReport,
        collection: &str,
        on_event: &(dyn Fn(IngestEvent) + Send + Sync),
    ) -> Result<IngestReport> {
        report.renewed = ingest::reindex::renew(&*self.store, &self.indexer, on_event).await?;
        if self.embedder.is_some() {
            report.embedded = self.embed(collection, on_event).await?;
        }
        Ok(report)
    }

    /// Makes the missing vectors of a collection, and returns their number. Until then, documents
    /// without vectors are found by their text.
    ///
    /// # Errors
    ///
    /// [`Error::NoEmbedder`], [`Error::Model`] when the model fails, which the pending documents
    /// then record, and [`Error::Store`], also when the collection has vectors of another model.
    /// Vectors that were made by then are in the store.
    pub async fn embed(
        &self,
        collection: &str,
        on_event: &(dyn Fn(IngestEvent) + Send + Sync),
    ) -> Result<usize> {
        let embedder = self.embedder.as_deref().ok_or(Error::NoEmbedder)?;
        let store = &*self.store;
        let count = embed::embed(store, embedder, collection, self.encoding, on_event).await?;
        if count > 0 && count * 4 >= store.totals().await?.vectors {
            store.optimize().await?;
        }
        Ok(count)
    }

    /// Removes the vectors and the model of a collection, so that another model can make them
    /// again.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn remove_vectors(&self, collection: &str) -> Result<()> {
        Ok(self.store.remove_vectors(collection).await?)
    }

    /// Moves a collection into its own partitions; see [`Store::partition`].
    ///
    /// # Errors
    ///
    /// [`Error::Store`], also when the store has none.
    pub async fn partition(&self, collection: &str) -> Result<bool> {
        Ok(self.store.partition(collection).await?)
    }

    /// Declares that some metadata fields identify the documents of a collection; see
    /// [`Store::declare_key`].
    ///
    /// # Errors
    ///
    /// [`Error::Store`], also when existing documents conflict with the key.
    pub async fn declare_key(&self, collection: &str, fields: &[String]) -> Result<()> {
        Ok(self.store.declare_key(collection, fields).await?)
    }

    /// Writes documents that are not files, each with its URI.
    ///
    /// # Errors
    ///
    /// [`Error::Store`]; then nothing is written.
    pub async fn add(&self, collection: &str, documents: &[(String, Document)]) -> Result<()> {
        let now = ingest::now();
        let index = |(uri, document): &(String, Document)| {
            let hash = ContentHash::of(document.text.as_bytes());
            self.indexer.index(collection, uri, document, hash, now)
        };
        Ok(self
            .store
            .put(documents.iter().map(index).collect())
            .await?)
    }

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

    /// Answers a question, best hit first. If the mode compares vectors, the library's embedder
    /// makes the vector of the question unless the request has one. In collections whose [searches
    /// are always reranked](crate::RerankOptions::collections), it does the same as
    /// [`search_reranked`](Self::search_reranked).
    ///
    /// # Errors
    ///
    /// [`Error::Store`], also for a question without a word in it or when vectors cannot be
    /// compared, [`Error::Model`] when a model fails, and [`Error::NoEmbedder`] or
    /// [`Error::NoChatModel`] when a mode needs one that the library does not have.
    pub async fn search(&self, request: &SearchRequest) -> Result<Answer> {
        let span = search_span(request);
        let answer = self.search_as_usual(request).instrument(span.clone());
        let answer = answer.await?;
        span.record("hits", answer.hits.len());
        Ok(answer)
    }

    async fn search_as_usual(&self, request: &SearchRequest) -> Result<Answer> {
        match &self.reranking {
            Some(reranking) if reranking.is_usual_in(&request.scope) => {
                let reranked = self.reranked(reranking, request).await?;
                let mut answer = reranked.answer;
                answer
                    .notes
                    .extend(reranked.problem.map(|problem| problem.to_string()));
                Ok(answer)
            }
            _ => self.search_once(request).await,
        }
    }

    /// Answers a question by the first ranking.
    pub(crate) async fn search_once(&self, request: &SearchRequest) -> Result<Answer> {
        if request.mode == SearchMode::Tree {
            let model = self.chat_model.as_deref().ok_or(Error::NoChatModel)?;
            let counter = self.indexer.shared_counter();
            return tree::search(&*self.store, model, counter, request).await;
        }
        let needs = matches!(request.mode, SearchMode::Vector | SearchMode::Hybrid);
        let takes = needs || request.mode == SearchMode::Value;
        let mut request = request.clone();
        if takes && request.vector.is_none() {
            request.vector = match &self.embedder {
                Some(embedder) => Some(embed::question(&**embedder, &request.query).await?),
                None if needs => return Err(Error::NoEmbedder),
                None => None,
            };
        }
        let mut answer = self.store.search(&request).await?;
        self.prefer_existing(&mut answer.hits).await?;
        if takes && request.vector.is_some() {
            answer.notes.extend(self.note_of_vectors(&request).await?);
        }
        Ok(answer)
    }

    /// Says which of the collections that are searched lack vectors.
    async fn note_of_vectors(&self, request: &SearchRequest) -> Result<Option<String>> {
        let collection = request.scope.collection_name();
        let lacking = self.store.lacking_vectors(collection).await?;
        let of = |(name, coverage): (String, VectorCoverage)| {
            let VectorCoverage { chunks, vectors } = coverage;
            format!("{vectors} of {chunks} chunks of `{name}`")
        };
        let named: Vec<String> = lacking.into_iter().take(NAMED).map(of).collect();
        if named.is_empty() {
            return Ok(None);
        }
        let others = match request.mode {
            SearchMode::Vector => "this mode does not find the others",
            _ => "the others are ranked by their words alone",
        };
        Ok(Some(format!("{} have vectors; {others}", named.join(", "))))
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

    /// Lists the sections in `scope` with their documents.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn sections_in(&self, scope: &Scope) -> Result<Vec<(DocumentRecord, SectionRecord)>> {
        Ok(self.store.sections_in(scope).await?)
    }

    /// Returns why there is no document in `scope`, or `None` if there is one.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn emptiness(&self, scope: &Scope) -> Result<Option<Emptiness>> {
        if !self.documents(scope).await?.is_empty() {
            return Ok(None);
        }
        let known = self.collections().await?;
        Ok(Some(match scope.collection_name() {
            _ if known.is_empty() => Emptiness::Store,
            Some(name) if !known.iter().any(|known| known == name) => Emptiness::Collection {
                name: name.to_owned(),
                known,
            },
            _ => self.missing_field(scope).await?.unwrap_or(Emptiness::Scope),
        }))
    }

    /// Returns the first field that a scope asks for and no document of its collection has.
    async fn missing_field(&self, scope: &Scope) -> Result<Option<Emptiness>> {
        if scope.field_names().next().is_none() {
            return Ok(None);
        }
        let all = scope
            .collection_name()
            .map_or_else(Scope::all, Scope::collection);
        let documents = self.documents(&all).await?;
        let is_known = |name: &&str| {
            let mut metadata = documents.iter().map(|document| &document.metadata);
            // Each document is indexed in a language, whether it states one or not.
            *name == "language" || metadata.any(|metadata| metadata.field(name).is_some())
        };
        let missing = scope.field_names().find(|name| !is_known(name));
        Ok(missing.map(|name| Emptiness::Field {
            name: name.to_owned(),
            known: field_names(documents.iter().map(|document| &document.metadata)),
        }))
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

    /// Returns the table of contents of a document: its sections in order.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn toc(&self, document: DocumentId) -> Result<Vec<SectionRecord>> {
        Ok(self.store.sections(document).await?)
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

    /// Finds a part of a document, and the text of the sections that it stands in.
    async fn part(&self, document: &DocumentRecord, part: &Part) -> Result<(read::Place, String)> {
        let sections = self.store.sections(document.id).await?;
        let place = read::place(&sections, &document.uri, part)?;
        let positions = place.positions.clone();
        let text = self.store.content(document.id, positions).await?.concat();
        Ok((place, text))
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

    /// Removes the documents in `scope` and returns them.
    ///
    /// # Errors
    ///
    /// [`Error::Store`]; then nothing is removed.
    pub async fn remove(&self, scope: &Scope) -> Result<Vec<DocumentRecord>> {
        let documents = self.store.documents(scope).await?;
        let ids: Vec<DocumentId> = documents.iter().map(|document| document.id).collect();
        self.store.remove(&ids).await?;
        Ok(documents)
    }

    /// Checks that the store answers, with a minimal request.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn ping(&self) -> Result<()> {
        self.store.key_fields(crate::DEFAULT_COLLECTION).await?;
        Ok(())
    }

    /// Returns the names of the collections that have documents, in order.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn collections(&self) -> Result<Vec<String>> {
        Ok(self.store.collections().await?)
    }

    /// Returns the totals of the store. This reads the record of each document.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn totals(&self) -> Result<Totals> {
        Ok(self.store.totals().await?)
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
