//! Threads that load, cut and analyse files while another one writes.

use std::collections::HashMap;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use sectile_core::{ContentHash, DocumentId};
use sectile_load::{Error as LoadError, FileLoader};
use sectile_store::{FailedDocument, IndexedDocument};
use tokio::sync::mpsc;
use uuid::Uuid;

use super::Known;
use super::files::Found;
use crate::error::chain;
use crate::index::Indexer;

/// How many finished documents may wait to be written: what bounds memory when the disk is slow.
const WAITING: usize = 32;

/// A file or page that a worker is done with.
pub(super) struct Worked {
    /// The file's path, or the page's URL.
    pub(super) name: String,
    pub(super) outcome: Outcome,
}

/// What a worker made of a file.
pub(super) enum Outcome {
    Unchanged,
    /// It is no document.
    Skipped(String),
    /// Its bytes could not be read.
    Unreadable(String),
    /// Its bytes are no readable document.
    Failed(FailedDocument),
    Indexed {
        document: Box<IndexedDocument>,
        is_new: bool,
    },
}

/// Everything that the workers share.
struct Shared {
    loader: FileLoader,
    indexer: Arc<Indexer>,
    collection: String,
    files: Vec<Found>,
    known: Arc<HashMap<String, Known>>,
    next: AtomicUsize,
}

/// Starts the workers; they end when every file is done or the receiver is dropped.
pub(super) fn start(
    loader: &FileLoader,
    indexer: &Arc<Indexer>,
    collection: &str,
    files: Vec<Found>,
    known: Arc<HashMap<String, Known>>,
) -> mpsc::Receiver<Worked> {
    let (sender, receiver) = mpsc::channel(WAITING);
    let workers = std::thread::available_parallelism()
        .map_or(1, NonZero::get)
        .min(files.len());
    let shared = Arc::new(Shared {
        loader: loader.clone(),
        indexer: Arc::clone(indexer),
        collection: collection.to_owned(),
        files,
        known,
        next: AtomicUsize::new(0),
    });
    for _ in 0..workers {
        let (shared, sender) = (Arc::clone(&shared), sender.clone());
        tokio::task::spawn_blocking(move || shared.run(&sender));
    }
    receiver
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
        let bytes = match self.loader.read(&found.path) {
            Ok(bytes) => bytes,
            // Who reports the reason names the path beside it.
            Err(LoadError::Read { source, .. }) => return Outcome::Unreadable(source.to_string()),
            Err(LoadError::LimitExceeded { what, limit, .. }) => {
                let reason = format!("it exceeds the limit of {limit} for {what}; split it");
                return Outcome::Unreadable(reason);
            }
            Err(error) => return Outcome::Unreadable(error.to_string()),
        };
        let content_hash = ContentHash::of(&bytes);
        let known = self.known.get(&found.uri);
        match known.filter(|known| known.is_current && known.content_hash == content_hash) {
            Some(Known { error: None, .. }) => Outcome::Unchanged,
            // What failed once fails again as long as neither the file nor the program changes; a
            // file that the user names is tried again.
            Some(Known {
                error: Some(error), ..
            }) if !found.is_named => {
                Outcome::Failed(self.failure(found, content_hash, error.clone()))
            }
            _ => self.load(found, &bytes, content_hash, known.is_none()),
        }
    }

    fn load(&self, found: &Found, bytes: &[u8], hash: ContentHash, is_new: bool) -> Outcome {
        // Who reports the reason names the whole path beside it.
        let name = Path::new(found.path.file_name().unwrap_or_default());
        let document = match self.loader.load_bytes(bytes, name) {
            Ok(document) => document,
            Err(LoadError::UnsupportedFormat { reason, .. }) if !found.is_named => {
                return Outcome::Skipped(reason);
            }
            Err(error) => {
                return Outcome::Failed(self.failure(found, hash, chain(&error)));
            }
        };
        let indexer = &self.indexer;
        let document = indexer.index(&self.collection, &found.uri, &document, hash, now());
        match document.validate() {
            Ok(()) => Outcome::Indexed {
                document: Box::new(document),
                is_new,
            },
            Err(error) => Outcome::Failed(self.failure(found, hash, error.to_string())),
        }
    }

    fn failure(&self, found: &Found, content_hash: ContentHash, error: String) -> FailedDocument {
        FailedDocument {
            id: DocumentId(Uuid::now_v7()),
            collection: self.collection.clone(),
            uri: found.uri.clone(),
            content_hash,
            index_version: self.indexer.version().to_owned(),
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
