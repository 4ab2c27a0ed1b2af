//! Threads that load, cut and analyse files while another one writes.

use std::collections::HashMap;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use sectile_core::{ContentHash, Document, DocumentId, Metadata, Span as TextSpan};
use sectile_load::{Error as LoadError, FileLoader};
use sectile_store::{FailedDocument, IndexedDocument};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tracing::{Span, debug_span};
use uuid::Uuid;

use super::files::Found;
use super::loaders::{failed_hash, note_loader};
use super::vanished::Vanished;
use super::{FileOutcome, Known};
use crate::error_chain;
use crate::fields::{NAMED_APART, NAMED_BY_LINK};
use crate::index::Indexer;
#[cfg(feature = "site")]
use crate::uri::document_path;

/// How many finished documents may wait to be written: what bounds memory when the disk is slow.
const WAITING: usize = 32;

/// A file or page that a worker is done with.
pub(super) struct Worked {
    /// The file's path, or the page's URL.
    pub(super) name: String,
    pub(super) outcome: Outcome,
}

/// The outcome for one file.
pub(super) enum Outcome {
    Unchanged,
    /// It is not a document.
    Skipped(String),
    /// The store has it, and it is not a document any more.
    NoDocument(Vanished),
    /// Its bytes could not be read.
    Unreadable(String),
    /// Its bytes are not a readable document.
    Failed(FailedDocument),
    Indexed {
        document: Box<IndexedDocument>,
        /// The outcome after it is written.
        outcome: FileOutcome,
        /// Whether its bytes are as they were, and its loader is not.
        is_reread: bool,
    },
}

/// Makes documents from bytes.
pub(super) struct Maker {
    pub(super) loader: FileLoader,
    pub(super) indexer: Arc<Indexer>,
    pub(super) collection: String,
    pub(super) known: Arc<HashMap<String, Known>>,
}

/// The origin of bytes.
pub(super) struct Source<'a> {
    pub(super) uri: &'a str,
    /// The name in errors, which also determines the format if the bytes do not.
    pub(super) name: &'a Path,
    /// Whether the user named them, and not only what they are in.
    pub(super) is_named: bool,
}

/// Everything that the workers share.
struct Shared {
    maker: Maker,
    files: Vec<Found>,
    next: AtomicUsize,
}

/// Threads that make documents.
pub(super) struct Threads(Vec<JoinHandle<()>>);

impl Threads {
    /// Waits until they have ended. A panic of one is the caller's: what it had in hand was not sent.
    pub(super) async fn join(self) {
        for thread in self.0 {
            if let Err(error) = thread.await {
                resume_unwind(error.into_panic());
            }
        }
    }
}

/// Runs work on as many threads as there are processors, but at most `most`. The channel for results is bounded.
pub(super) fn on_threads(
    most: usize,
    work: impl Fn(&mpsc::Sender<Worked>) + Send + Sync + 'static,
) -> (mpsc::Receiver<Worked>, Threads) {
    let (sender, receiver) = mpsc::channel(WAITING);
    let span = Span::current();
    let count = std::thread::available_parallelism().map_or(1, NonZero::get);
    let work = Arc::new(work);
    let threads = (0..count.min(most)).map(|_| {
        let (work, sender, span) = (Arc::clone(&work), sender.clone(), span.clone());
        tokio::task::spawn_blocking(move || span.in_scope(|| work(&sender)))
    });
    (receiver, Threads(threads.collect()))
}

/// Starts the workers; they end when every file is done or the receiver is dropped.
pub(super) fn start(maker: Maker, files: Vec<Found>) -> (mpsc::Receiver<Worked>, Threads) {
    let shared = Shared {
        maker,
        files,
        next: AtomicUsize::new(0),
    };
    on_threads(shared.files.len(), move |sender| shared.run(sender))
}

impl Shared {
    fn run(&self, sender: &mpsc::Sender<Worked>) {
        while let Some(found) = self.files.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            let outcome = self.work(found);
            let worked = Worked {
                name: found.path.display().to_string(),
                outcome,
            };
            if sender.blocking_send(worked).is_err() {
                return;
            }
        }
    }

    fn work(&self, found: &Found) -> Outcome {
        let bytes = match self.maker.loader.read(&found.path) {
            Ok(bytes) => bytes,
            Err(error) => return self.maker.unreadable(&found.uri, not_read(error)),
        };
        let source = Source {
            uri: &found.uri,
            // The reason is reported next to the whole path.
            name: Path::new(found.path.file_name().unwrap_or_default()),
            is_named: found.is_named,
        };
        let known = self.maker.known.get(&found.uri);
        let noted = known.and_then(|known| known.apart.as_ref());
        let apart = found.apart.as_ref().or(noted);
        // A file that is also named directly is independent of the link.
        let link = found.link.as_ref();
        let link = link.filter(|_| known.is_none_or(|known| known.link.is_some()));
        let describe = |metadata: &mut Metadata| {
            for (name, value) in [(NAMED_APART, apart), (NAMED_BY_LINK, link)] {
                if let Some(value) = value {
                    metadata.extra.insert(name.to_owned(), value.clone().into());
                }
            }
        };
        let made = self.maker.make(&source, &bytes, describe);
        match (made, known) {
            // The bytes are the same, and how they were named is not.
            (Outcome::Unchanged, Some(known)) if noted != apart || known.link.as_ref() != link => {
                let (hash, outcome) = (known.content_hash, FileOutcome::Unchanged);
                self.maker.load(&source, &bytes, hash, outcome, describe)
            }
            (Outcome::Skipped(reason), Some(known)) => Outcome::NoDocument(Vanished {
                id: known.id,
                uri: found.uri.clone(),
                name: found.path.display().to_string(),
                reason: format!("it is no longer a document: {reason}"),
            }),
            (made, _) => made,
        }
    }
}

/// Describes why a file was not read. The path is reported next to it.
fn not_read(error: LoadError) -> String {
    match error {
        LoadError::Read { source, .. } => source.to_string(),
        error @ LoadError::LimitExceeded { .. } => error.with_path("it").to_string(),
        error => error.to_string(),
    }
}

impl Maker {
    /// Makes a document from bytes, unless the store has it unchanged. `describe` adds metadata.
    pub(super) fn make(
        &self,
        source: &Source<'_>,
        bytes: &[u8],
        describe: impl FnOnce(&mut Metadata),
    ) -> Outcome {
        let span = debug_span!("document", uri = source.uri, bytes = bytes.len());
        let _entered = span.entered();
        let hash = ContentHash::of(bytes);
        let known = self.known.get(source.uri);
        let has_failed = known.is_some_and(|known| known.error.is_some());
        let known_by = if has_failed {
            failed_hash(hash, bytes, source.name)
        } else {
            hash
        };
        match known.filter(|known| known.is_current && known.content_hash == known_by) {
            Some(Known { error: None, .. }) => Outcome::Unchanged,
            // A failure stays as long as neither the bytes nor the program change. Files that the user names are tried
            // again.
            Some(Known {
                error: Some(error), ..
            }) if !source.is_named => {
                Outcome::Failed(self.failure(source.uri, known_by, error.clone()))
            }
            _ => {
                let outcome = known.map_or(FileOutcome::Added, |_| FileOutcome::Updated);
                self.load(source, bytes, hash, outcome, describe)
            }
        }
    }

    /// Makes a document of bytes, whose content hash may be another one than theirs.
    pub(super) fn load(
        &self,
        source: &Source<'_>,
        bytes: &[u8],
        hash: ContentHash,
        outcome: FileOutcome,
        describe: impl FnOnce(&mut Metadata),
    ) -> Outcome {
        match self.load_as(source, bytes, hash, outcome, describe) {
            Outcome::Failed(failed) => Outcome::Failed(FailedDocument {
                content_hash: failed_hash(hash, bytes, source.name),
                ..failed
            }),
            made => made,
        }
    }

    fn load_as(
        &self,
        source: &Source<'_>,
        bytes: &[u8],
        hash: ContentHash,
        outcome: FileOutcome,
        describe: impl FnOnce(&mut Metadata),
    ) -> Outcome {
        let known = self.known.get(source.uri);
        let kept = known.and_then(|known| known.options.clone());
        let other = kept.map(|options| self.loader.clone().with_options(options));
        let loader = other.as_ref().unwrap_or(&self.loader);
        let read = || loader.load_bytes(bytes, source.name);
        let mut document = match debug_span!("document.load").in_scope(read) {
            Ok(document) => document,
            Err(LoadError::UnsupportedFormat { reason, .. }) if !source.is_named => {
                return Outcome::Skipped(reason);
            }
            Err(error) => {
                let reason = match error {
                    LoadError::UnsupportedFormat { reason, .. } => reason,
                    error => error_chain(&error),
                };
                return Outcome::Failed(self.failure(source.uri, hash, reason));
            }
        };
        #[cfg(feature = "site")]
        if let Some(path) = document_path(source.uri) {
            super::full_text::give_pages(&mut document, &path);
        }
        note_loader(&mut document, source.uri);
        describe(&mut document.metadata);
        self.index(source.uri, &document, None, hash, outcome)
    }

    /// Makes a document of what was loaded, with its chunks where these are given.
    pub(super) fn index(
        &self,
        uri: &str,
        document: &Document,
        chunks: Option<&[TextSpan]>,
        hash: ContentHash,
        outcome: FileOutcome,
    ) -> Outcome {
        let (indexer, collection) = (&self.indexer, &self.collection);
        let build = || match chunks {
            Some(chunks) => indexer.index_given(collection, uri, document, chunks, hash, now()),
            None => indexer.index(collection, uri, document, hash, now()),
        };
        let made = debug_span!("document.index").in_scope(build);
        let is_reread = |known: &Known| known.is_of_older_loader && known.content_hash == hash;
        let is_reread = self.known.get(uri).is_some_and(is_reread);
        match made.validate() {
            Ok(()) => Outcome::Indexed {
                document: Box::new(made),
                outcome,
                is_reread,
            },
            Err(error) => Outcome::Failed(self.failure(uri, hash, error.to_string())),
        }
    }

    /// Reports a file whose bytes could not be read as failed. If the store has an earlier version, the failure is
    /// stored with it, and the next ingest tries the file again.
    fn unreadable(&self, uri: &str, reason: String) -> Outcome {
        if !self.known.contains_key(uri) {
            return Outcome::Unreadable(reason);
        }
        // This hash matches no file, so the next ingest loads the file whatever it contains.
        let hash = ContentHash::of(format!("unreadable: {uri}").as_bytes());
        Outcome::Failed(self.failure(uri, hash, reason))
    }

    /// Creates the failure of a document. The stored version stays with its index version, which may be that of an
    /// earlier release.
    pub(super) fn failure(
        &self,
        uri: &str,
        content_hash: ContentHash,
        error: String,
    ) -> FailedDocument {
        let known = self.known.get(uri);
        let text_version = known.and_then(|known| known.text_version.clone());
        FailedDocument {
            id: DocumentId(Uuid::now_v7()),
            collection: self.collection.clone(),
            uri: uri.to_owned(),
            content_hash,
            index_version: text_version.unwrap_or_else(|| self.indexer.version().to_owned()),
            error,
            now: now(),
        }
    }
}

/// Returns the time in milliseconds of the Unix epoch.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}
