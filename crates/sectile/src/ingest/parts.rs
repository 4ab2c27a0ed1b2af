//! Documents that were loaded elsewhere, in parts that processes share.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use sectile_core::{ContentHash, Document, Span};
use sectile_embed::Embedder;
use sectile_load::FileLoader;
use sectile_store::{Job, Jobs, Scope, Store, VectorEncoding};
use tokio::sync::mpsc;

use super::claims::{Attempt, Claims, PartEvent, PartsOptions, PartsReport, Piece};
use super::vanished::Vanished;
use super::worker::{Maker, Outcome, Worked, on_threads};
use super::{FileOutcome, Ingest, Known, tidy};
use crate::blocking::run_blocking;
use crate::index::Indexer;
use crate::{Error, Result, error_chain};

/// Why a part was not loaded that another load has offered as well.
const SUPERSEDED: &str = "another load has offered another version of it; give all processes the same files, or load \
                          each folder into a collection of its own, and start again";

/// Why a document is removed.
const IN_NO_PART: &str = "none of the parts has it";

/// How many documents are removed at a time.
const REMOVED: usize = 1_000;

/// Why a part cannot be read.
pub type PartError = Box<dyn std::error::Error + Send + Sync>;

/// Documents with their URIs, in batches. An error takes the place of a document that could not be
/// loaded.
pub type DocumentBatches =
    Box<dyn Iterator<Item = Result<Vec<(String, Loaded)>, PartError>> + Send>;

/// A document of a part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartDocument {
    /// The document.
    pub document: Document,
    /// The positions of its chunks in its text, in bytes, if the library's settings are not to cut
    /// it. A chunk that reaches into several sections becomes a chunk of each.
    pub chunks: Option<Vec<Span>>,
}

impl From<Document> for PartDocument {
    fn from(document: Document) -> Self {
        Self {
            document,
            chunks: None,
        }
    }
}

impl PartDocument {
    /// Returns whether all chunks that are given are in the text.
    fn has_its_chunks(&self) -> bool {
        let text = &self.document.text;
        let is_within = |chunk: &Span| text.get(chunk.start..chunk.end).is_some();
        self.chunks.iter().flatten().all(is_within)
    }
}

/// A vector of a chunk that comes with its document.
#[derive(Clone, Debug, PartialEq)]
pub struct PartVector {
    /// The position of the chunk in the text of its document, in bytes.
    pub span: Span,
    /// The text from which the vector was made.
    pub text: String,
    /// The vector.
    pub vector: Vec<f32>,
}

/// Vectors with the URIs of their documents, in batches of documents.
pub type VectorBatches =
    Box<dyn Iterator<Item = Result<Vec<(String, Vec<PartVector>)>, PartError>> + Send>;

/// A document, or why it could not be loaded.
type Loaded = Result<PartDocument, String>;

/// A file of documents that were loaded before.
pub trait DocumentPart: std::fmt::Debug + Send + Sync {
    /// Returns its name, which is the same in all processes that have it.
    fn name(&self) -> &str;

    /// Returns its version, such as a hash. The version changes if the part changes, and is the
    /// same for all copies of the part.
    fn version(&self) -> &str;

    /// Reads the URIs of its documents.
    ///
    /// # Errors
    ///
    /// Why they cannot be read.
    fn uris(&self) -> Result<Vec<String>, PartError>;

    /// Reads its documents.
    ///
    /// # Errors
    ///
    /// Why they cannot be read.
    fn documents(&self) -> Result<DocumentBatches, PartError>;

    /// Reads the vectors of the chunks that come with its documents, if there are any.
    ///
    /// # Errors
    ///
    /// Why they cannot be read.
    fn vectors(&self) -> Result<Option<VectorBatches>, PartError> {
        Ok(None)
    }
}

/// A load under way.
pub(crate) struct Loading<'a> {
    pub(crate) store: &'a dyn Store,
    pub(crate) indexer: &'a Arc<Indexer>,
    pub(crate) loader: &'a FileLoader,
    /// The model of the vectors that parts have; without one they are not loaded.
    pub(crate) embedder: Option<&'a dyn Embedder>,
    pub(crate) encoding: VectorEncoding,
    pub(crate) collection: &'a str,
    pub(crate) options: &'a PartsOptions,
    pub(crate) on_event: &'a (dyn Fn(PartEvent) + Send + Sync),
}

impl Loading<'_> {
    /// Loads the parts, alone or with other processes.
    pub(crate) async fn run(&self, parts: &[Arc<dyn DocumentPart>]) -> Result<PartsReport> {
        let mut report = PartsReport::default();
        match self.store.jobs() {
            Some(jobs) => self.shared(jobs, parts, &mut report).await?,
            None => self.alone(parts, &mut report).await?,
        }
        if report.failed.is_empty() {
            self.compare(parts, &mut report).await?;
        }
        tidy(self.store, &mut report.documents).await;
        Ok(report)
    }

    /// Removes the documents that none of the parts has, or counts them.
    async fn compare(
        &self,
        parts: &[Arc<dyn DocumentPart>],
        report: &mut PartsReport,
    ) -> Result<()> {
        let readers = parts.to_vec();
        let read = move || readers.iter().map(|part| part.uris()).collect();
        let uris: Result<Vec<Vec<String>>, PartError> = run_blocking(read).await;
        let uris: HashSet<String> = match uris {
            Ok(uris) => uris.into_iter().flatten().collect(),
            Err(error) => {
                let error = error_chain(&*error);
                report.failed.push((self.collection.to_owned(), error));
                return Ok(());
            }
        };
        if self.options.prune {
            return self.prune(&uris, report).await;
        }
        let totals = self.store.totals().await?;
        let documents = totals.collections.get(self.collection);
        let documents = documents.copied().unwrap_or_default();
        report.others = documents.saturating_sub(uris.len());
        Ok(())
    }

    async fn prune(&self, uris: &HashSet<String>, report: &mut PartsReport) -> Result<()> {
        let scope = Scope::collection(self.collection);
        let records = self.store.documents(&scope).await?.into_iter();
        let gone = records.filter(|record| !uris.contains(&record.uri));
        let gone = gone.map(|record| Vanished {
            id: record.id,
            name: record.uri.clone(),
            uri: record.uri,
            reason: IN_NO_PART.to_owned(),
        });
        let mut gone: Vec<Vanished> = gone.collect();
        let mut ingest = Ingest::into(self.store, self.collection, &|_| ()).await?;
        while !gone.is_empty() {
            let some = gone.split_off(gone.len().saturating_sub(REMOVED));
            ingest.remove(some).await?;
        }
        report.documents.extend(ingest.report);
        Ok(())
    }

    async fn alone(&self, parts: &[Arc<dyn DocumentPart>], report: &mut PartsReport) -> Result<()> {
        for part in parts {
            let name = part.name().to_owned();
            match self.load(part).await? {
                Ok(documents) => report.take(name, documents, self.on_event),
                Err(error) => {
                    report.failed.push((name.clone(), error.clone()));
                    (self.on_event)(PartEvent::Failed { name, error });
                }
            }
        }
        Ok(())
    }

    /// Claims parts until all are loaded, by whomever.
    async fn shared(
        &self,
        jobs: &dyn Jobs,
        parts: &[Arc<dyn DocumentPart>],
        report: &mut PartsReport,
    ) -> Result<()> {
        let claims = Claims {
            jobs,
            queue: format!("load {}", self.collection),
            options: self.options,
            superseded: SUPERSEDED,
            on_event: self.on_event,
        };
        let pieces = parts.iter().map(|part| SharedPart {
            loading: self,
            job: Job {
                name: part.name().to_owned(),
                version: self.indexer.job_version(self.collection, part.version()),
            },
            part,
        });
        let pieces: Vec<SharedPart<'_>> = pieces.collect();
        claims.run(&pieces, report).await
    }

    async fn load(&self, part: &Arc<dyn DocumentPart>) -> Result<Attempt> {
        let known = match self.known(part).await? {
            Ok(known) => known,
            Err(error) => return Ok(Err(error)),
        };
        let reader = Arc::clone(part);
        let documents = match run_blocking(move || reader.documents()).await {
            Ok(documents) => documents,
            Err(error) => return Ok(Err(error_chain(&*error))),
        };
        let reader = Arc::new(Reader {
            documents: Mutex::new(Documents {
                batches: documents,
                seen: HashSet::new(),
            }),
            error: Mutex::default(),
            maker: Maker {
                loader: self.loader.clone(),
                indexer: Arc::clone(self.indexer),
                collection: self.collection.to_owned(),
                known: Arc::new(known),
            },
        });
        let mut ingest = Ingest::into(self.store, self.collection, &|_| ()).await?;
        let shared = Arc::clone(&reader);
        let (receiver, threads) = on_threads(usize::MAX, move |sender| shared.run(sender));
        ingest.write(receiver).await?;
        threads.join().await;
        ingest.write_late().await?;
        let error = locked(&reader.error).take();
        if let Some(error) = error {
            return Ok(Err(error));
        }
        let added = Box::pin(self.add_vectors(part)).await?;
        Ok(added.map(|()| ingest.report))
    }

    /// Returns what the store has of the documents of a part.
    async fn known(
        &self,
        part: &Arc<dyn DocumentPart>,
    ) -> Result<Result<HashMap<String, Known>, String>> {
        let reader = Arc::clone(part);
        let uris = match run_blocking(move || reader.uris()).await {
            Ok(uris) => uris,
            Err(error) => return Ok(Err(error_chain(&*error))),
        };
        if uris.is_empty() {
            return Ok(Ok(HashMap::new()));
        }
        let scope = Scope::collection(self.collection);
        let scope = uris.iter().fold(scope, |scope, uri| scope.with_uri(uri));
        let records = self.store.documents(&scope).await.map_err(Error::from)?;
        let known = records.into_iter().map(|record| {
            let known = Known::as_indexed(&record, self.indexer);
            (record.uri, known)
        });
        Ok(Ok(known.collect()))
    }
}

/// A part that one of several processes loads.
struct SharedPart<'a> {
    loading: &'a Loading<'a>,
    job: Job,
    part: &'a Arc<dyn DocumentPart>,
}

#[async_trait]
impl Piece for SharedPart<'_> {
    fn job(&self) -> &Job {
        &self.job
    }

    async fn work(&self) -> Result<Attempt> {
        self.loading.load(self.part).await
    }
}

/// The documents of a part, which several threads index.
struct Reader {
    documents: Mutex<Documents>,
    error: Mutex<Option<String>>,
    maker: Maker,
}

/// Documents that are still to be read, and the URIs of those that were.
struct Documents {
    batches: DocumentBatches,
    seen: HashSet<String>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Reader {
    fn run(&self, sender: &mpsc::Sender<Worked>) {
        while let Some(batch) = self.next() {
            for (uri, document) in batch {
                let outcome = match document {
                    Ok(document) => self.outcome(&uri, document),
                    Err(problem) => Outcome::Unreadable(problem.to_owned()),
                };
                let worked = Worked { name: uri, outcome };
                if sender.blocking_send(worked).is_err() {
                    return;
                }
            }
        }
    }

    /// Returns the next documents, or `None` at the end or after an error. A document that cannot be stored next to the
    /// others is replaced by the reason.
    fn next(&self) -> Option<Vec<(String, Result<Loaded, &'static str>)>> {
        if locked(&self.error).is_some() {
            return None;
        }
        let mut documents = locked(&self.documents);
        let batch = documents.batches.next()?;
        let batch = batch.map_err(|error| *locked(&self.error) = Some(error_chain(&*error)));
        let kept = |(uri, document): (String, Loaded)| {
            let problem = if uri.is_empty() {
                Some("its URI is empty")
            } else if documents.seen.insert(uri.clone()) {
                None
            } else {
                Some("its URI is in the part twice; the first document is kept")
            };
            (uri, problem.map_or(Ok(document), Err))
        };
        Some(batch.ok()?.into_iter().map(kept).collect())
    }

    /// Makes a document, unless the store has it as it is.
    fn outcome(&self, uri: &str, document: Loaded) -> Outcome {
        let hash = content_hash(&document);
        let known = self.maker.known.get(uri);
        let is_same =
            |known: &Known| known.is_current && known.content_hash == hash && known.error.is_none();
        match document {
            Ok(_) if known.is_some_and(is_same) => Outcome::Unchanged,
            Ok(document) if !document.has_its_chunks() => {
                let error = "a chunk of it is not in its text".to_owned();
                Outcome::Failed(self.maker.failure(uri, hash, error))
            }
            Ok(PartDocument { document, chunks }) => {
                let outcome = known.map_or(FileOutcome::Added, |_| FileOutcome::Updated);
                let chunks = chunks.as_deref();
                self.maker.index(uri, &document, chunks, hash, outcome)
            }
            Err(error) => Outcome::Failed(self.maker.failure(uri, hash, error)),
        }
    }
}

/// Hashes all of a document, as the bytes of its file are not known.
fn content_hash(document: &Loaded) -> ContentHash {
    let bytes = match document {
        Ok(PartDocument { document, chunks }) => {
            let bytes = serde_json::to_vec(document);
            let mut bytes = bytes.unwrap_or_else(|_| document.text.clone().into());
            // Without chunks it is another document than with none.
            bytes.extend(chunks.iter().map(|_| b'c'));
            for chunk in chunks.iter().flatten() {
                bytes.extend((chunk.start as u64).to_le_bytes());
                bytes.extend((chunk.end as u64).to_le_bytes());
            }
            bytes
        }
        Err(error) => error.clone().into(),
    };
    ContentHash::of(&bytes)
}

#[cfg(test)]
mod tests {
    use sectile_store_sqlite::SqliteStore;

    use super::*;
    use crate::Library;

    /// A part whose second document cannot be had.
    #[derive(Debug)]
    struct Panicking;

    impl DocumentPart for Panicking {
        fn name(&self) -> &'static str {
            "part"
        }

        fn version(&self) -> &'static str {
            "1"
        }

        fn uris(&self) -> Result<Vec<String>, PartError> {
            Ok(vec!["a".into(), "b".into()])
        }

        fn documents(&self) -> Result<DocumentBatches, PartError> {
            let document = Document {
                text: "pumps".into(),
                ..Document::default()
            };
            let first = std::iter::once(Ok(vec![("a".to_owned(), Ok(document.into()))]));
            let second = std::iter::once_with(|| panic!("there is no second"));
            Ok(Box::new(first.chain(second)))
        }
    }

    #[tokio::test]
    async fn a_part_that_panics_is_not_loaded() {
        let store = SqliteStore::in_memory().await.unwrap();
        let library = Library::new(Arc::new(store));
        let parts: [Arc<dyn DocumentPart>; 1] = [Arc::new(Panicking)];
        let load = tokio::spawn(async move {
            let options = PartsOptions::default();
            library.load_parts("c", &parts, &options, &|_| ()).await
        });
        assert!(load.await.unwrap_err().is_panic());
    }
}
