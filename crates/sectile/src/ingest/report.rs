//! The events and the report of an ingest.

use serde::Serialize;

use crate::TruncatedChunks;

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
        /// The outcome.
        outcome: FileOutcome,
    },
    /// Other documents were indexed again, because an earlier version had indexed them, or because they were not in
    /// the language that is set for their collection.
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
    /// All vectors are made, and these chunks were longer than the model reads.
    Truncated(TruncatedChunks),
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
    /// The files and pages that could not be read, and the documents of which a model refused texts, with the reason.
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
    /// The chunks among them whose ends are not in their vectors, for each time that vectors were
    /// made and there were any.
    pub truncated: Vec<TruncatedChunks>,
    /// The number of other documents that were indexed again, because an earlier version had indexed
    /// them, or because they were not in the language that is set for their collection.
    pub renewed: usize,
    /// The number of updated documents whose sources did not change, and that were read again
    /// because their loaders have improved.
    pub reread: usize,
}

/// The name in `failed` of work on the index that failed after all documents were stored.
pub(super) const THE_STORE: &str = "the store";

impl IngestReport {
    /// Returns how many documents could not be read, or have texts that a model refused. `failed` also names work on the
    /// index that failed after all documents were stored.
    pub fn failed_documents(&self) -> usize {
        let is_document = |(name, _): &&(String, String)| name != THE_STORE;
        self.failed.iter().filter(is_document).count()
    }

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
        self.truncated.extend(other.truncated);
        self.renewed += other.renewed;
        self.reread += other.reread;
    }

    pub(super) fn count(&mut self, name: &str, outcome: &FileOutcome) {
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
