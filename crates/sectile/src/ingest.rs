//! From paths to a store: what changed is loaded and cut in parallel and written in batches.

pub(crate) mod claims;
pub(crate) mod files;
#[cfg(feature = "site")]
pub(crate) mod full_text;
mod keys;
mod left_behind;
pub(crate) mod loaders;
mod part_vectors;
pub(crate) mod parts;
pub(crate) mod reading;
pub(crate) mod reindex;
pub(crate) mod shares;
#[cfg(feature = "site")]
pub(crate) mod site;
mod vanished;
mod worker;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sectile_core::{ContentHash, DocumentId};
use sectile_load::LoadOptions;
use sectile_store::{DocumentRecord, FailedDocument, IndexedDocument, Scope, Status, Store};
use serde::Serialize;
use tokio::sync::mpsc;
use tracing::{Instrument as _, debug_span};

use crate::Result;
use crate::blocking::run_blocking;
use crate::fields::{NAMED_APART, NAMED_BY_LINK};
use crate::index::Indexer;
use files::{Sources, Subset};
use keys::Keys;
use left_behind::left_behind;
use loaders::is_of_older_loader;
use reading::{Reading, is_loaded_as};
use vanished::{Vanished, absent};
pub(crate) use worker::now;
use worker::{Maker, Outcome, Worked};

/// How much text is gathered for one transaction, in bytes of sections.
const BATCH_BYTES: usize = 8 << 20;

/// How long finished documents wait for others to be written with, at the most.
const BATCH_TIME: Duration = Duration::from_secs(1);

/// The index version of what could not be in its collection. It is no matter of this file alone, so the next
/// ingest tries it again.
const UNFIT: &str = "";

/// What is known of a document that the store already has.
#[derive(Clone)]
pub(crate) struct Known {
    id: DocumentId,
    content_hash: ContentHash,
    /// Whether it is as it would be made now.
    is_current: bool,
    /// Whether an earlier version of its loader read it.
    is_of_older_loader: bool,
    /// The index version of its text, if the store has any.
    text_version: Option<String>,
    /// How it is to be read, where the loader has other options.
    options: Option<LoadOptions>,
    error: Option<String>,
    /// What the user named to have it, where a walk of the folder above leaves that out.
    apart: Option<String>,
    /// The link that the user named to have it.
    link: Option<String>,
}

/// The outcome for one file or page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", tag = "outcome", content = "reason")]
pub enum FileOutcome {
    /// It is new in the store.
    Added,
    /// The store had another version of it.
    Updated,
    /// It did not change.
    Unchanged,
    /// It was removed, because its source is gone; the text says how this is known.
    Removed(String),
    /// It was not found this time, but stays in the store; the text gives the reason.
    Kept(String),
    /// It is not a document; the text says what it is instead.
    Skipped(String),
    /// It could not be read, for this reason. An earlier version stays in the store.
    Failed(String),
}

impl FileOutcome {
    /// Returns the outcome as one word.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
            Self::Removed(_) => "removed",
            Self::Kept(_) => "kept",
            Self::Skipped(_) => "skipped",
            Self::Failed(_) => "failed",
        }
    }
}

/// Something that happened during an ingest.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum IngestEvent {
    /// The paths were walked, or the site was requested. This is the number of files or pages; a
    /// site may turn out to have more.
    Walked {
        /// The number of files or pages.
        files: usize,
    },
    /// One file or page is done, and its outcome is in the store.
    File {
        /// The file's path, or the page's URL.
        name: String,
        /// What became of it.
        outcome: FileOutcome,
    },
    /// Documents that an earlier version indexed were indexed again.
    Renewed {
        /// How many so far.
        documents: usize,
    },
    /// Vectors are being made. This event comes before the first vector and after each batch.
    Embedded {
        /// For how many chunks there are vectors so far, of those that lacked them.
        chunks: usize,
        /// How many lacked them at the beginning.
        of: usize,
    },
}

/// The result of an ingest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct IngestReport {
    /// The number of new documents.
    pub added: usize,
    /// The number of changed documents.
    pub updated: usize,
    /// The number of unchanged documents.
    pub unchanged: usize,
    /// The number of documents whose files or pages are gone.
    pub removed: usize,
    /// The removed documents, by path or URL, with the reason.
    pub removals: Vec<(String, String)>,
    /// The documents that were not found this time but stay in the store, with the reason.
    pub kept: Vec<(String, String)>,
    /// The files (by path) and pages (by URL) that are not documents, and items that are neither
    /// files nor folders, such as links in a folder, with the reason.
    pub skipped: Vec<(String, String)>,
    /// The files and pages that could not be read, with the reason.
    pub failed: Vec<(String, String)>,
    /// The written documents whose text lacks something that a reader sees, with a description,
    /// such as pages of pictures or letters that cannot be read.
    pub incomplete: Vec<(String, String)>,
    /// The written documents without text, such as empty files.
    pub without_text: Vec<String>,
    /// The size of the written text, in bytes.
    pub bytes_written: u64,
    /// The number of vectors that were made.
    pub embedded: usize,
    /// The number of other documents that were indexed by an earlier version, and were indexed
    /// again.
    pub renewed: usize,
    /// The number of updated documents whose sources did not change, and that were read again
    /// because their loaders have improved.
    pub reread: usize,
}

impl IngestReport {
    /// Returns the number of documents of the paths that are in the store now.
    pub fn documents(&self) -> usize {
        self.added + self.updated + self.unchanged
    }

    /// Adds the result of another ingest.
    pub fn extend(&mut self, other: Self) {
        self.added += other.added;
        self.updated += other.updated;
        self.unchanged += other.unchanged;
        self.removed += other.removed;
        self.removals.extend(other.removals);
        self.kept.extend(other.kept);
        self.skipped.extend(other.skipped);
        self.failed.extend(other.failed);
        self.incomplete.extend(other.incomplete);
        self.without_text.extend(other.without_text);
        self.bytes_written += other.bytes_written;
        self.embedded += other.embedded;
        self.renewed += other.renewed;
        self.reread += other.reread;
    }

    fn count(&mut self, name: &str, outcome: &FileOutcome) {
        match outcome {
            FileOutcome::Added => self.added += 1,
            FileOutcome::Updated => self.updated += 1,
            FileOutcome::Unchanged => self.unchanged += 1,
            FileOutcome::Removed(reason) => {
                self.removed += 1;
                self.removals.push((name.to_owned(), reason.clone()));
            }
            FileOutcome::Kept(reason) => self.kept.push((name.to_owned(), reason.clone())),
            FileOutcome::Skipped(reason) => self.skipped.push((name.to_owned(), reason.clone())),
            FileOutcome::Failed(reason) => self.failed.push((name.to_owned(), reason.clone())),
        }
    }
}

/// An ingest under way.
pub(crate) struct Ingest<'a> {
    store: &'a dyn Store,
    keys: Keys,
    late: Vec<Ready>,
    on_event: &'a (dyn Fn(IngestEvent) + Send + Sync),
    report: IngestReport,
}

/// A document that can be written.
struct Ready {
    name: String,
    document: IndexedDocument,
    outcome: FileOutcome,
}

/// Returns whether a document holds no text.
fn is_blank(document: &IndexedDocument) -> bool {
    let mut sections = document.sections.iter();
    sections.all(|section| section.content.trim().is_empty())
}

/// Brings what the store has of `sources` up to date.
pub(crate) async fn ingest(
    store: &dyn Store,
    reading: &Reading,
    indexer: &Arc<Indexer>,
    collection: &str,
    sources: Sources,
    on_event: &(dyn Fn(IngestEvent) + Send + Sync),
) -> Result<IngestReport> {
    let all = sources.clone();
    let is_subset = sources.subset.paths().is_some();
    let work = |sources| bring(store, reading, indexer, collection, sources, on_event);
    let mut report = work(sources).await?;
    // What became free may be the key that a document waits for whose file did not change.
    if is_subset && report.removed + report.updated > 0 {
        let subset = Subset::below(keys::waiting(store, collection).await?);
        report.extend(work(Sources { subset, ..all }).await?);
    }
    tidy(store, &mut report).await;
    Ok(report)
}

async fn bring(
    store: &dyn Store,
    reading: &Reading,
    indexer: &Arc<Indexer>,
    collection: &str,
    sources: Sources,
    on_event: &(dyn Fn(IngestEvent) + Send + Sync),
) -> Result<IngestReport> {
    if sources.is_empty() {
        return Ok(IngestReport::default());
    }
    let left_behind = left_behind(store, collection, &sources).await?;
    let scope = sources.within(Scope::collection(collection));
    let mut known = known(store, indexer, reading, &scope).await?;
    known.retain(|uri, _| sources.has(uri));
    let known = Arc::new(known);
    let of_walk = Arc::clone(&known);
    let walk = move || {
        let mut walked = files::walk(&sources);
        let mut absent = absent(&of_walk, &sources.roots, &mut walked);
        if sources.subset.has_all_gone() {
            absent.keep_emptied(&sources.roots);
        }
        (walked, absent)
    };
    let (walked, mut absent) = run_blocking(walk).await;
    for left in left_behind {
        left.settle(&walked, &mut absent);
    }
    on_event(IngestEvent::Walked {
        files: walked.files.len(),
    });
    let mut ingest = Ingest::into(store, collection, on_event).await?;
    for (path, reason) in walked.unreadable {
        ingest.finish(path.display().to_string(), FileOutcome::Failed(reason));
    }
    for (path, reason) in walked.skipped {
        ingest.finish(path.display().to_string(), FileOutcome::Skipped(reason));
    }
    for (name, reason) in absent.kept {
        ingest.finish(name, FileOutcome::Kept(reason));
    }
    // A file that was renamed has the key of the one that is gone.
    ingest.remove(absent.vanished).await?;
    let maker = Maker {
        loader: reading.loader.clone(),
        indexer: Arc::clone(indexer),
        collection: collection.to_owned(),
        known,
    };
    let (receiver, threads) = worker::start(maker, walked.files);
    ingest.write(receiver).await?;
    threads.join().await;
    ingest.write_late().await?;
    Ok(ingest.report)
}

async fn known(
    store: &dyn Store,
    indexer: &Indexer,
    reading: &Reading,
    scope: &Scope,
) -> Result<HashMap<String, Known>> {
    let records = store.documents(scope).await?;
    let known = |record: DocumentRecord| (record.uri.clone(), Known::of(&record, indexer, reading));
    Ok(records.into_iter().map(known).collect())
}

impl Known {
    fn of(record: &DocumentRecord, indexer: &Indexer, reading: &Reading) -> Self {
        let known = Self::as_indexed(record, indexer);
        let is_of_older_loader = is_of_older_loader(record);
        let is_current = known.is_current && !is_of_older_loader;
        let options = reading.kept(record, is_current);
        let wanted = options.as_ref().unwrap_or(reading.loader.options());
        Self {
            is_current: is_current && is_loaded_as(record, wanted),
            is_of_older_loader,
            options,
            ..known
        }
    }

    /// Returns what is known of a document, however it was loaded.
    fn as_indexed(record: &DocumentRecord, indexer: &Indexer) -> Self {
        let is_failed = record.status == Status::Failed;
        let field = |name| Some(record.metadata.extra.get(name)?.as_str()?.to_owned());
        Self {
            id: record.id,
            content_hash: record.content_hash,
            is_current: indexer.is_current(&record.index_version, &record.language),
            is_of_older_loader: false,
            text_version: (record.sections > 0).then(|| record.index_version.clone()),
            options: None,
            error: record.error.clone().filter(|_| is_failed),
            apart: field(NAMED_APART),
            link: field(NAMED_BY_LINK),
        }
    }
}

impl<'a> Ingest<'a> {
    /// Begins to write into a collection.
    async fn into(
        store: &'a dyn Store,
        collection: &str,
        on_event: &'a (dyn Fn(IngestEvent) + Send + Sync),
    ) -> Result<Self> {
        Ok(Self {
            store,
            keys: Keys::of(store, collection).await?,
            late: Vec::new(),
            on_event,
            report: IngestReport::default(),
        })
    }

    /// Writes one document after all others.
    #[cfg(feature = "site")]
    async fn write_last(&mut self, worked: Worked) -> Result<()> {
        let mut batch = Batch::default();
        self.take(worked, &mut batch);
        self.flush(&mut batch).await?;
        self.write_late().await
    }

    /// Writes what the workers hand over, several documents in one transaction.
    async fn write(&mut self, mut receiver: mpsc::Receiver<Worked>) -> Result<()> {
        let mut batch = Batch::default();
        let mut flushed = Instant::now();
        while let Some(worked) = receiver.recv().await {
            self.take(worked, &mut batch);
            if batch.bytes >= BATCH_BYTES || flushed.elapsed() >= BATCH_TIME {
                self.flush(&mut batch).await?;
                flushed = Instant::now();
            }
        }
        self.flush(&mut batch).await
    }

    /// Writes what had to wait for the keys of others. These are free by now, or never will be: all else is
    /// written, and what is gone is removed.
    async fn write_late(&mut self) -> Result<()> {
        let mut batch = Batch::default();
        for late in std::mem::take(&mut self.late) {
            match self.keys.take(&late.document) {
                Ok(()) => batch.push(late),
                Err(error) => batch.push_failure(late.name, failure(late.document, &error)),
            }
        }
        self.flush(&mut batch).await
    }

    /// Lets a document be written, unless another one has its key: then it waits until all others
    /// are written.
    fn place(&mut self, ready: Ready, batch: &mut Batch) {
        match self.keys.take(&ready.document) {
            Ok(()) => batch.push(ready),
            Err(sectile_store::Error::DuplicateKey { .. }) => self.late.push(ready),
            Err(error) => batch.push_failure(ready.name, failure(ready.document, &error)),
        }
    }

    fn take(&mut self, worked: Worked, batch: &mut Batch) {
        let Worked { name, outcome } = worked;
        match outcome {
            Outcome::Unchanged => self.finish(name, FileOutcome::Unchanged),
            Outcome::Skipped(reason) => self.finish(name, FileOutcome::Skipped(reason)),
            Outcome::NoDocument(vanished) => batch.removed.push(vanished),
            Outcome::Unreadable(reason) => self.finish(name, FileOutcome::Failed(reason)),
            Outcome::Failed(failure) => batch.push_failure(name, failure),
            Outcome::Indexed {
                document,
                outcome,
                is_reread,
            } => {
                self.report.reread += usize::from(is_reread);
                let omitted = sectile_load::omissions(&document.metadata);
                if !omitted.is_empty() {
                    let omitted = omitted.join("; ");
                    self.report.incomplete.push((name.clone(), omitted));
                }
                if is_blank(&document) {
                    self.report.without_text.push(name.clone());
                }
                let ready = Ready {
                    name,
                    document: *document,
                    outcome,
                };
                self.place(ready, batch);
            }
        }
    }

    async fn flush(&mut self, batch: &mut Batch) -> Result<()> {
        let Batch {
            documents,
            failures,
            removed,
            mut finished,
            added,
            bytes,
        } = std::mem::take(batch);
        self.remove(removed).await?;
        if !documents.is_empty() {
            let span = debug_span!("documents.write", documents = documents.len(), bytes);
            self.store.put(documents).instrument(span).await?;
            self.report.bytes_written += bytes as u64;
            for place in self.of_others(&added).await? {
                finished[place].1 = FileOutcome::Updated;
            }
        }
        if !failures.is_empty() {
            self.store.put_failed(failures).await?;
        }
        for (name, outcome) in finished {
            self.finish(name, outcome);
        }
        Ok(())
    }

    /// Returns the places of documents that another process added first: the store has them with another id.
    async fn of_others(&self, added: &[Added]) -> Result<Vec<usize>> {
        let mut places = Vec::new();
        for added in added {
            // A scope of URIs would be compared with every document of the store.
            if self.store.found_document(added.id).await?.is_none() {
                places.push(added.place);
            }
        }
        Ok(places)
    }

    /// Removes documents, whose keys are then free.
    async fn remove(&mut self, vanished: Vec<Vanished>) -> Result<()> {
        if vanished.is_empty() {
            return Ok(());
        }
        let ids: Vec<DocumentId> = vanished.iter().map(|vanished| vanished.id).collect();
        self.store.remove(&ids).await?;
        for vanished in vanished {
            let Vanished {
                uri, name, reason, ..
            } = vanished;
            self.keys.free(&uri);
            self.finish(name, FileOutcome::Removed(reason));
        }
        Ok(())
    }

    fn finish(&mut self, name: String, outcome: FileOutcome) {
        self.report.count(&name, &outcome);
        (self.on_event)(IngestEvent::File { name, outcome });
    }
}

/// Tidies the index when so much of it is new that the work is worth it. All documents are stored by then, so where
/// that fails, a full disk for example, it is a line of the report.
async fn tidy(store: &dyn Store, report: &mut IngestReport) {
    let changed = report.added + report.updated + report.removed;
    let work = async {
        if changed > 0 && changed * 4 >= store.totals().await?.documents {
            store.optimize().await?;
        }
        Ok::<(), sectile_store::Error>(())
    };
    if let Err(error) = work.await {
        let reason =
            format!("every document is stored, but the index could not be tidied: {error}");
        report.failed.push(("the store".to_owned(), reason));
    }
}

/// Makes a failure of a document that cannot be in its collection.
fn failure(document: IndexedDocument, error: &sectile_store::Error) -> FailedDocument {
    FailedDocument {
        id: document.id,
        collection: document.collection,
        uri: document.uri,
        content_hash: document.content_hash,
        index_version: UNFIT.to_owned(),
        error: error.to_string(),
        now: document.now,
    }
}

/// What is to be written in one transaction.
#[derive(Default)]
struct Batch {
    documents: Vec<IndexedDocument>,
    failures: Vec<FailedDocument>,
    removed: Vec<Vanished>,
    finished: Vec<(String, FileOutcome)>,
    added: Vec<Added>,
    bytes: usize,
}

/// A document that was not in the store when the ingest began.
struct Added {
    id: DocumentId,
    /// Its place among those that are finished.
    place: usize,
}

impl Batch {
    fn push(&mut self, ready: Ready) {
        let Ready {
            name,
            document,
            outcome,
        } = ready;
        if outcome != FileOutcome::Unchanged {
            let sections = document.sections.iter();
            self.bytes += sections.map(|section| section.content.len()).sum::<usize>();
        }
        if outcome == FileOutcome::Added {
            self.added.push(Added {
                id: document.id,
                place: self.finished.len(),
            });
        }
        self.documents.push(document);
        self.finished.push((name, outcome));
    }

    fn push_failure(&mut self, name: String, failure: FailedDocument) {
        self.finished
            .push((name, FileOutcome::Failed(failure.error.clone())));
        self.failures.push(failure);
    }
}
