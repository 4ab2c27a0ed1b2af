//! Documents that were loaded elsewhere, in parts that processes share.

use std::collections::{HashMap, HashSet};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::{Either, select};
use sectile_core::{ContentHash, Document};
use sectile_load::FileLoader;
use sectile_store::{Claim, ClaimedJob, Job, JobState, Jobs, Scope, Store};
use serde::Serialize;
use tokio::sync::mpsc;

use super::vanished::Vanished;
use super::worker::{Maker, Outcome, Worked, on_threads};
use super::{FileOutcome, Ingest, IngestReport, Known, tidy};
use crate::aside::aside;
use crate::index::Indexer;
use crate::{Error, Result, error_chain};

/// The longest time between two looks at whether others are done or have given something back.
const LOOK: Duration = Duration::from_millis(500);

/// The longest time before a part is tried again.
const LONGEST_DELAY: Duration = Duration::from_mins(10);

/// Why a part was not loaded that another load has offered as well.
const SUPERSEDED: &str = "another load has offered another version of it; give all processes the same files, or load \
                          each folder into a collection of its own, and start again";

/// Why a document is removed.
const IN_NO_PART: &str = "none of the parts has it";

/// How many documents are removed at a time.
const REMOVED: usize = 1_000;

/// Why a part cannot be read.
pub type PartError = Box<dyn std::error::Error + Send + Sync>;

/// Documents with their URIs, some at a time; in place of a document there may be the reason why it could not be loaded.
pub type DocumentBatches =
    Box<dyn Iterator<Item = Result<Vec<(String, Loaded)>, PartError>> + Send>;

/// A document, or why it could not be loaded.
type Loaded = Result<Document, String>;

/// A file of documents that are loaded already.
pub trait DocumentPart: std::fmt::Debug + Send + Sync {
    /// Returns its name, by which all processes that have it know it.
    fn name(&self) -> &str;

    /// Returns what is another once the part has changed and the same wherever a copy of it is, such as a hash.
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
}

/// How parts are loaded.
#[derive(Clone, Debug)]
pub struct PartsOptions {
    /// Whether parts that were loaded before are loaded again. Off by default.
    pub again: bool,
    /// Whether documents of the collection are removed that none of the parts has, once all parts are loaded. Off by
    /// default.
    pub prune: bool,
    /// How often a part is tried that fails, or whose processes die; five times by default.
    pub attempts: u32,
    /// How long after a process was last heard of another one takes its part: a minute by default.
    pub lease: Duration,
    /// How long a part that failed waits before it is tried again, and twice as long each further time: two seconds
    /// by default.
    pub retry_after: Duration,
}

impl Default for PartsOptions {
    fn default() -> Self {
        Self {
            again: false,
            prune: false,
            attempts: 5,
            lease: Duration::from_mins(1),
            retry_after: Duration::from_secs(2),
        }
    }
}

/// Something that happened to a part.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum PartEvent {
    /// The documents of a part are in the store.
    Loaded {
        /// The part.
        name: String,
        /// What became of its documents.
        report: IngestReport,
    },
    /// A part went wrong, and is tried again.
    Retried {
        /// The part.
        name: String,
        /// What went wrong.
        error: String,
    },
    /// A part went wrong, and is not tried any more.
    Failed {
        /// The part.
        name: String,
        /// What went wrong.
        error: String,
    },
    /// This process was not heard of for so long that another one has taken the part.
    Lost {
        /// The part.
        name: String,
    },
}

/// What a load did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PartsReport {
    /// The number of parts that this process loaded.
    pub parts: usize,
    /// The number of parts that had been loaded before.
    pub before: usize,
    /// The parts that failed, here or in another process, or that another load has offered in another version, with
    /// the reason.
    pub failed: Vec<(String, String)>,
    /// The number of documents that the collection has beside those of the parts, where these are all loaded.
    pub others: usize,
    /// What became of the documents of the parts that this process loaded.
    pub documents: IngestReport,
}

/// A load under way.
pub(crate) struct Loading<'a> {
    pub(crate) store: &'a dyn Store,
    pub(crate) indexer: &'a Arc<Indexer>,
    pub(crate) loader: &'a FileLoader,
    pub(crate) collection: &'a str,
    pub(crate) options: &'a PartsOptions,
    pub(crate) on_event: &'a (dyn Fn(PartEvent) + Send + Sync),
}

/// What one attempt at a part comes to, where the store does not fail: what became of its documents, or why it
/// cannot be read.
type Attempt = Result<IngestReport, String>;

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
        let uris: Result<Vec<Vec<String>>, PartError> = aside(read).await;
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

    /// Returns the version of a job: of the part, and of what is made of it.
    fn version(&self, part: &dyn DocumentPart) -> String {
        let language = self.indexer.language().map_or("any", |set| set.code());
        let made = self.indexer.version();
        format!("{} {made} {language}", part.version())
    }

    async fn alone(&self, parts: &[Arc<dyn DocumentPart>], report: &mut PartsReport) -> Result<()> {
        for part in parts {
            let name = part.name().to_owned();
            match self.load(part).await? {
                Ok(documents) => self.loaded(name, documents, report),
                Err(error) => {
                    report.failed.push((name.clone(), error.clone()));
                    (self.on_event)(PartEvent::Failed { name, error });
                }
            }
        }
        Ok(())
    }

    fn loaded(&self, name: String, documents: IngestReport, report: &mut PartsReport) {
        report.parts += 1;
        report.documents.extend(documents.clone());
        (self.on_event)(PartEvent::Loaded {
            name,
            report: documents,
        });
    }

    /// Claims parts until all are loaded, by whomever.
    async fn shared(
        &self,
        jobs: &dyn Jobs,
        parts: &[Arc<dyn DocumentPart>],
        report: &mut PartsReport,
    ) -> Result<()> {
        let queue = format!("load {}", self.collection);
        let offered = parts.iter().map(|part| Job {
            name: part.name().to_owned(),
            version: self.version(&**part),
        });
        let offered: Vec<Job> = offered.collect();
        report.before = jobs.offer(&queue, &offered, self.options.again).await?;
        let by_name: HashMap<&str, _> = parts.iter().map(|part| (part.name(), part)).collect();
        loop {
            match jobs.claim(&queue, &offered, self.options.lease).await? {
                Claim::Job(job) => {
                    let part = by_name[&*job.name];
                    self.attempt(jobs, &job, part, report).await?;
                }
                Claim::Later(time) => {
                    tokio::time::sleep(time.clamp(Duration::from_millis(20), LOOK)).await;
                }
                Claim::Nothing => break,
            }
        }
        let versions = offered.iter().map(|job| (&*job.name, &*job.version));
        let versions: HashMap<&str, &str> = versions.collect();
        for record in jobs.records(Some(&queue)).await? {
            let Some(&version) = versions.get(&*record.name) else {
                continue;
            };
            if record.version != version {
                report.failed.push((record.name, SUPERSEDED.to_owned()));
            } else if record.state == JobState::Failed {
                let error = record.error.unwrap_or_default();
                report.failed.push((record.name, error));
            }
        }
        Ok(())
    }

    async fn attempt(
        &self,
        jobs: &dyn Jobs,
        job: &ClaimedJob,
        part: &Arc<dyn DocumentPart>,
        report: &mut PartsReport,
    ) -> Result<()> {
        let name = job.name.clone();
        if job.attempt > self.options.attempts {
            let error = format!(
                "it was begun {} times, and each time its process died or was not heard of",
                self.options.attempts
            );
            jobs.give_back(job, &error, None).await?;
            (self.on_event)(PartEvent::Failed { name, error });
            return Ok(());
        }
        let Some(attempt) = self.load_while_held(jobs, job, part).await else {
            (self.on_event)(PartEvent::Lost { name });
            return Ok(());
        };
        let error = match attempt {
            Ok(Ok(documents)) => {
                if jobs.finish(job).await? {
                    self.loaded(name, documents, report);
                } else {
                    (self.on_event)(PartEvent::Lost { name });
                }
                return Ok(());
            }
            Ok(Err(error)) => error,
            Err(error) => error_chain(&error),
        };
        let is_last = job.attempt == self.options.attempts;
        let retry_after = (!is_last).then(|| self.delay(job.attempt));
        jobs.give_back(job, &error, retry_after).await?;
        (self.on_event)(if is_last {
            PartEvent::Failed { name, error }
        } else {
            PartEvent::Retried { name, error }
        });
        Ok(())
    }

    fn delay(&self, attempt: u32) -> Duration {
        let factor = 1_u32.checked_shl(attempt - 1).unwrap_or(u32::MAX);
        self.options
            .retry_after
            .saturating_mul(factor)
            .min(LONGEST_DELAY)
    }

    /// Loads a part while this process is heard of. Nothing once another process has taken it.
    async fn load_while_held(
        &self,
        jobs: &dyn Jobs,
        job: &ClaimedJob,
        part: &Arc<dyn DocumentPart>,
    ) -> Option<Result<Attempt>> {
        let mut load = pin!(self.load(part));
        loop {
            let tick = pin!(tokio::time::sleep(self.options.lease / 3));
            load = match select(load, tick).await {
                Either::Left((attempt, _)) => return Some(attempt),
                Either::Right(((), load)) => load,
            };
            // Where the server cannot be reached just now, the load itself fails or goes on.
            if let Ok(false) = jobs.renew(job, self.options.lease).await {
                return None;
            }
        }
    }

    async fn load(&self, part: &Arc<dyn DocumentPart>) -> Result<Attempt> {
        let known = match self.known(part).await? {
            Ok(known) => known,
            Err(error) => return Ok(Err(error)),
        };
        let reader = Arc::clone(part);
        let documents = match aside(move || reader.documents()).await {
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
        Ok(error.map_or(Ok(ingest.report), Err))
    }

    /// Returns what the store has of the documents of a part.
    async fn known(
        &self,
        part: &Arc<dyn DocumentPart>,
    ) -> Result<Result<HashMap<String, Known>, String>> {
        let reader = Arc::clone(part);
        let uris = match aside(move || reader.uris()).await {
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

    /// Returns the next documents, until there are no more or they cannot be read; in place of those that the store
    /// cannot keep beside the others, why.
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
                Some("its URI stands twice in the part; the first document is kept")
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
            Ok(document) => {
                let outcome = known.map_or(FileOutcome::Added, |_| FileOutcome::Updated);
                self.maker.index(uri, &document, hash, outcome)
            }
            Err(error) => Outcome::Failed(self.maker.failure(uri, hash, error)),
        }
    }
}

/// Hashes all of a document, as the bytes of its file are not known.
fn content_hash(document: &Loaded) -> ContentHash {
    let bytes = match document {
        Ok(document) => {
            serde_json::to_vec(document).unwrap_or_else(|_| document.text.clone().into())
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
            let first = std::iter::once(Ok(vec![("a".to_owned(), Ok(document))]));
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
