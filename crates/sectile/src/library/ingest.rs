//! Ingests of files, sites and parts, and the vectors that they lack.

use std::path::PathBuf;
use std::sync::Arc;

use sectile_core::{ContentHash, Document, DocumentId};
use tracing::{Instrument as _, info_span};

use super::Library;
use crate::embed::{self, EmbedReport, Embedded};
use crate::ingest::files::Sources;
use crate::ingest::reading::Reading;
use crate::ingest::{self, IngestContext, IngestEvent, IngestReport};
use crate::{DocumentPart, Error, PartEvent, PartsOptions, PartsReport, Result};

impl Library {
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
    /// other processes. If the store has [jobs](sectile_store::Store::jobs), any number of processes on any
    /// machines may be given the same paths. Each claims some files at a time, and each file is
    /// read by one process. If a process dies, another one takes its files. Once all files are
    /// done, the next call starts again. Files that other processes ingest count as unchanged, and those that they
    /// could not read as failed.
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
            context: self.context(&reading, collection),
            sources: Sources::of(paths)?,
            on_event,
        };
        let report = Box::pin(shared.run()).instrument(span).await?;
        self.finished(report, collection, on_event).await
    }

    /// Writes documents into the store that were loaded elsewhere, such as by a cluster, in parts.
    /// If the store has [jobs](sectile_store::Store::jobs), any number of processes on any machines may share the
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

    fn reading(&self) -> Reading {
        Reading {
            loader: self.loader.clone(),
            keeps_options: self.keeps_options,
        }
    }

    fn context<'a>(&'a self, reading: &'a Reading, collection: &'a str) -> IngestContext<'a> {
        IngestContext {
            store: &*self.store,
            reading,
            indexer: &self.indexer,
            collection,
        }
    }

    /// Brings what the store has of some sources up to date, as [`ingest`](Self::ingest) does.
    pub(crate) async fn ingest_sources(
        &self,
        collection: &str,
        sources: Sources,
        on_event: &(dyn Fn(IngestEvent) + Send + Sync),
    ) -> Result<IngestReport> {
        let reading = self.reading();
        let context = self.context(&reading, collection);
        let report = ingest::ingest(context, sources, on_event).await?;
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
        // The query may contain a token.
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
            let made = self.make_vectors(collection, on_event).await?.report;
            report.embedded = made.embedded;
            report.truncated.extend(made.truncated);
            report.failed.extend(made.failed);
        }
        Ok(report)
    }

    /// Makes the missing vectors of a collection. The last event, [`IngestEvent::Truncated`], says which chunks are longer
    /// than the model reads, if there are any. Until then, documents without vectors are found by their text. A text that
    /// the model refuses takes nothing from the others: the report names its document, which records the reason.
    ///
    /// # Errors
    ///
    /// [`Error::NoEmbedder`], [`Error::Model`] when the model fails, or refuses texts of a collection of which it never took
    /// one, and [`Error::Store`], also when the collection has vectors of another model. Vectors that were made by then are
    /// in the store.
    pub async fn embed(
        &self,
        collection: &str,
        on_event: &(dyn Fn(IngestEvent) + Send + Sync),
    ) -> Result<EmbedReport> {
        Ok(self.make_vectors(collection, on_event).await?.report)
    }

    /// Makes the missing vectors of a collection, to which a document was added.
    ///
    /// # Errors
    ///
    /// As for [`embed`](Self::embed), and [`Error::Model`] when the model refuses a text of this document.
    pub async fn embed_document(
        &self,
        collection: &str,
        document: DocumentId,
        on_event: &(dyn Fn(IngestEvent) + Send + Sync),
    ) -> Result<()> {
        let made = self.make_vectors(collection, on_event).await?;
        let Some(refusal) = made.refusal else {
            return Ok(());
        };
        let found = self.store.found_document(document).await?;
        let lacks_vectors = found.is_some_and(|found| found.record.vectors < found.record.chunks);
        if lacks_vectors { Err(refusal) } else { Ok(()) }
    }

    async fn make_vectors(
        &self,
        collection: &str,
        on_event: &(dyn Fn(IngestEvent) + Send + Sync),
    ) -> Result<Embedded> {
        let embedder = self.embedder.as_deref().ok_or(Error::NoEmbedder)?;
        let store = &*self.store;
        let made = embed::embed(store, embedder, collection, self.encoding, on_event).await?;
        let count = made.report.embedded;
        if count > 0 && count * 4 >= store.totals().await?.vectors {
            store.optimize().await?;
        }
        Ok(made)
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
}
