//! Writes the documents that the workers hand over, many in one transaction.

use std::time::{Duration, Instant};

use sectile_core::DocumentId;
use sectile_store::{FailedDocument, IndexedDocument, Store};
use tokio::sync::mpsc;
use tracing::{Instrument as _, debug_span};

use super::keys::Keys;
use super::report::{FileOutcome, IngestEvent, IngestReport};
use super::vanished::{Absent, Vanished};
use super::worker::{Outcome, Worked};
use crate::Result;

/// How much text is gathered for one transaction, in bytes of sections.
pub(super) const BATCH_BYTES: usize = 8 << 20;

/// How long finished documents wait for others to be written with, at the most.
const BATCH_TIME: Duration = Duration::from_secs(1);

/// An ingest under way.
pub(super) struct Ingest<'a> {
    store: &'a dyn Store,
    keys: Keys,
    late: Vec<Ready>,
    on_event: &'a (dyn Fn(IngestEvent) + Send + Sync),
    pub(super) report: IngestReport,
}

/// A document that can be written.
struct Ready {
    name: String,
    document: IndexedDocument,
    outcome: FileOutcome,
}

/// Returns whether a document has no text.
fn is_blank(document: &IndexedDocument) -> bool {
    let mut sections = document.sections.iter();
    sections.all(|section| section.content.trim().is_empty())
}

impl<'a> Ingest<'a> {
    /// Begins to write into a collection.
    pub(super) async fn into(
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
    pub(super) async fn write_last(&mut self, worked: Worked) -> Result<()> {
        let mut batch = Batch::default();
        self.take(worked, &mut batch);
        self.flush(&mut batch).await?;
        self.write_late().await
    }

    /// Writes what the workers hand over, several documents in one transaction.
    pub(super) async fn write(&mut self, mut receiver: mpsc::Receiver<Worked>) -> Result<()> {
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

    /// Writes documents that waited for keys, together. Everything else is written and removed by now, so a key is free, stays
    /// taken, or is that of another of them.
    pub(super) async fn write_late(&mut self) -> Result<()> {
        let mut batch = Batch::default();
        let late = std::mem::take(&mut self.late);
        let documents: Vec<&IndexedDocument> = late.iter().map(|late| &late.document).collect();
        let taken = self.keys.take_all(&documents);
        for (late, taken) in late.into_iter().zip(taken) {
            match taken {
                Ok(()) => batch.push(late),
                Err(error) => batch.push_failure(late.name, self.keys.unfit(late.document, &error)),
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
            Err(error) => batch.push_failure(ready.name, self.keys.unfit(ready.document, &error)),
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

    /// Reports the documents that stay though they were not found, and removes those that are gone.
    pub(super) async fn settle(&mut self, absent: Absent) -> Result<()> {
        for (name, reason) in absent.kept {
            self.finish(name, FileOutcome::Kept(reason));
        }
        self.remove(absent.vanished).await
    }

    /// Removes documents, whose keys are then free.
    pub(super) async fn remove(&mut self, vanished: Vec<Vanished>) -> Result<()> {
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

    pub(super) fn finish(&mut self, name: String, outcome: FileOutcome) {
        self.report.count(&name, &outcome);
        (self.on_event)(IngestEvent::File { name, outcome });
    }
}

/// The documents of one transaction.
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
