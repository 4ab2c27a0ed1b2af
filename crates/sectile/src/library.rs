//! The type that composes the crates.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use sectile_chunk::TokenCounter;
use sectile_core::{ContentHash, Document, DocumentId, SectionId, subtree};
use sectile_load::FileLoader;
use sectile_store::{DocumentRecord, Hit, Scope, SearchRequest, SectionRecord, Store, Totals};

use crate::index::{Indexer, default_counter};
use crate::ingest::{self, IngestEvent, IngestReport};
use crate::read::{self, Part, Passage};
use crate::{Error, Result};

/// The collection that files go to unless another one is named.
pub const DEFAULT_COLLECTION: &str = "default";

/// Documents in a store, and the ways in and out.
///
/// Cloning is cheap; clones share the store.
#[derive(Clone)]
pub struct Library {
    store: Arc<dyn Store>,
    loader: FileLoader,
    indexer: Arc<Indexer>,
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
        let indexer = Arc::new(Indexer::new(default_counter()));
        Self {
            store,
            loader: FileLoader::default(),
            indexer,
        }
    }

    /// Sets what loads the files of an ingest: with limits of its own, or in worker processes,
    /// without which a hostile PDF can take this process with it.
    #[must_use]
    pub fn with_loader(mut self, loader: FileLoader) -> Self {
        self.loader = loader;
        self
    }

    /// Opens the store at `url`, `sqlite:PATH` or `postgres://…`, making it where it is missing.
    ///
    /// # Errors
    ///
    /// [`Error::StoreUrl`] for an address that this build cannot open, [`Error::Store`] when the
    /// store cannot be opened.
    pub async fn open(url: &str) -> Result<Self> {
        let refuse = |reason: &str| Error::StoreUrl {
            url: url.to_owned(),
            reason: reason.to_owned(),
        };
        match url.split_once(':') {
            #[cfg(feature = "sqlite")]
            Some(("sqlite", path)) => {
                let path = path.strip_prefix("//").unwrap_or(path);
                let store = sectile_store_sqlite::SqliteStore::open(path).await?;
                Ok(Self::new(Arc::new(store)))
            }
            #[cfg(feature = "postgres")]
            Some(("postgres" | "postgresql", _)) => {
                let store = sectile_store_postgres::PostgresStore::open(url).await?;
                Ok(Self::new(Arc::new(store)))
            }
            #[cfg(not(feature = "postgres"))]
            Some(("postgres" | "postgresql", _)) => Err(refuse("this build has no Postgres")),
            _ => Err(refuse("write it as sqlite:PATH or postgres://…")),
        }
    }

    /// Returns the store.
    pub fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// Returns the counter that chunks and budgets are measured with.
    pub fn counter(&self) -> &dyn TokenCounter {
        self.indexer.counter()
    }

    /// Brings what the store has of `paths` up to date: new and changed files are written, files
    /// that are gone are removed, a file that cannot be read is reported and the rest goes on.
    ///
    /// `on_event` is called as the work goes on, for a progress bar for example.
    ///
    /// # Errors
    ///
    /// [`Error::Path`] when one of the paths does not exist, before anything is written, or
    /// [`Error::Store`]; what was reported as done by then is in the store.
    pub async fn ingest(
        &self,
        collection: &str,
        paths: &[PathBuf],
        on_event: &(dyn Fn(IngestEvent) + Send + Sync),
    ) -> Result<IngestReport> {
        let Self {
            store,
            loader,
            indexer,
        } = self;
        ingest::ingest(&**store, loader, indexer, collection, paths, on_event).await
    }

    /// Writes documents that are not files, each with the URI to know it by.
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

    /// Returns the scope of the files under `paths`, for searching.
    ///
    /// # Errors
    ///
    /// [`Error::Path`] when a path does not exist.
    pub fn scope(&self, collection: &str, paths: &[PathBuf]) -> Result<Scope> {
        ingest::scope_of_paths(collection, paths)
    }

    /// Answers a question, best hit first.
    ///
    /// # Errors
    ///
    /// [`Error::Store`], also for a question without a word in it.
    pub async fn search(&self, request: &SearchRequest) -> Result<Vec<Hit>> {
        Ok(self.store.search(request).await?)
    }

    /// Lists the documents in `scope`.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn documents(&self, scope: &Scope) -> Result<Vec<DocumentRecord>> {
        Ok(self.store.documents(scope).await?)
    }

    /// Finds one document.
    ///
    /// # Errors
    ///
    /// [`Error::NotIngested`] when it is not in the store, [`Error::AmbiguousDocument`] when several
    /// collections hold it and none is named.
    pub async fn document(&self, collection: Option<&str>, uri: &str) -> Result<DocumentRecord> {
        let scope = collection
            .map_or_else(Scope::all, Scope::collection)
            .with_uri(uri);
        let mut found = self.store.documents(&scope).await?;
        match found.len() {
            0 => Err(Error::NotIngested {
                uri: uri.to_owned(),
            }),
            1 => Ok(found.remove(0)),
            _ => Err(Error::AmbiguousDocument {
                uri: uri.to_owned(),
                collections: found.into_iter().map(|record| record.collection).collect(),
            }),
        }
    }

    /// Returns the sections of a document in order, which is its table of contents.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn toc(&self, document: DocumentId) -> Result<Vec<SectionRecord>> {
        Ok(self.store.sections(document).await?)
    }

    /// Reads a part of a document, from `cursor` on and no more than `max_tokens`.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchHeading`], [`Error::AmbiguousHeading`] and [`Error::NoSuchSection`] when the
    /// part cannot be found, [`Error::InvalidCursor`], or [`Error::Store`].
    pub async fn get(
        &self,
        document: &DocumentRecord,
        part: &Part,
        cursor: usize,
        max_tokens: Option<usize>,
    ) -> Result<Passage> {
        let sections = self.store.sections(document.id).await?;
        let root = match part {
            Part::Whole => None,
            Part::Heading(heading) => Some(read::find_heading(&sections, &document.uri, heading)?),
            Part::Section(id) => Some(
                sections
                    .iter()
                    .position(|section| section.id == *id)
                    .ok_or(Error::NoSuchSection { id: *id })?,
            ),
        };
        let positions = root.map_or(0..sections.len(), |root| {
            subtree(&sections, root, |section| section.parent)
        });
        let text = self.store.content(document.id, positions).await?.concat();
        let path = root.map_or_else(Vec::new, |root| sections[root].heading_path.clone());
        read::passage(document, path, &text, cursor, max_tokens, self.counter())
    }

    /// Finds the document that holds a section.
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
        let mut found = self.store.find_section(section, &scope).await?;
        match found.len() {
            0 => Err(Error::NoSuchSection { id: section }),
            1 => Ok(found.remove(0).0),
            _ => Err(Error::AmbiguousDocument {
                uri: found[0].0.uri.clone(),
                collections: found
                    .into_iter()
                    .map(|(record, _)| record.collection)
                    .collect(),
            }),
        }
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

    /// Returns how much the store holds.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn totals(&self) -> Result<Totals> {
        Ok(self.store.totals().await?)
    }
}
