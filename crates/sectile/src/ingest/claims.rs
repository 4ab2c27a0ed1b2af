//! Work that processes share: each claims a piece at a time, until all are done, by whomever.

use std::collections::HashMap;
use std::pin::pin;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::{Either, select};
use sectile_store::{Claim, ClaimedJob, Job, JobState, Jobs, OpenJobs};
use serde::Serialize;

use super::IngestReport;
use crate::{Result, error_chain};

/// The longest time between two looks at whether others are done or have given something back.
const LOOK: Duration = Duration::from_millis(500);

/// The longest time before a part is tried again.
const LONGEST_DELAY: Duration = Duration::from_mins(10);

/// Options for loading parts.
#[derive(Clone, Debug)]
pub struct PartsOptions {
    /// Whether to load parts again that were loaded before. Off by default.
    pub again: bool,
    /// Whether to remove documents of the collection that are in none of the parts, once all parts
    /// are loaded. Off by default.
    pub prune: bool,
    /// The number of attempts for a part that fails, or whose processes die; five by default.
    pub attempts: u32,
    /// How long a process may be silent before another one takes its part; a minute by default.
    pub lease: Duration,
    /// The delay before the first retry of a failed part, which doubles with each further retry;
    /// two seconds by default.
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

/// An event of a part.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum PartEvent {
    /// The documents of a part are in the store.
    Loaded {
        /// The part.
        name: String,
        /// What became of its documents.
        report: Box<IngestReport>,
    },
    /// A part failed, and is retried.
    Retried {
        /// The part.
        name: String,
        /// What went wrong.
        error: String,
    },
    /// A part failed, and is not retried any more.
    Failed {
        /// The part.
        name: String,
        /// What went wrong.
        error: String,
    },
    /// This process was silent for so long that another one has taken the part.
    Lost {
        /// The part.
        name: String,
    },
}

/// The result of a load.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PartsReport {
    /// The number of parts that this process loaded.
    pub parts: usize,
    /// The number of parts that had been loaded before.
    pub before: usize,
    /// The parts that failed, here or in another process, or that another load offered in another
    /// version, with the reason.
    pub failed: Vec<(String, String)>,
    /// The number of documents of the collection that are in none of the parts, if all parts are
    /// loaded.
    pub others: usize,
    /// The outcome for the documents of the parts that this process loaded.
    pub documents: IngestReport,
}

impl PartsReport {
    /// Adds what became of a part that this process loaded, and tells of it.
    pub(super) fn take(
        &mut self,
        name: String,
        documents: IngestReport,
        on_event: &(dyn Fn(PartEvent) + Send + Sync),
    ) {
        self.parts += 1;
        self.documents.extend(documents.clone());
        on_event(PartEvent::Loaded {
            name,
            report: Box::new(documents),
        });
    }
}

/// The result of one attempt: the outcome of its documents, or the reason why they cannot be read. Errors of the store
/// are separate.
pub(super) type Attempt = Result<IngestReport, String>;

/// A unit of work that one of several processes does. Doing it twice has the same result as doing it once.
#[async_trait]
pub(super) trait Piece: Send + Sync {
    /// Returns the job that it is.
    fn job(&self) -> &Job;

    /// Does the work.
    async fn work(&self) -> Result<Attempt>;
}

/// How this process claims pieces.
pub(super) struct Claims<'a> {
    pub(super) jobs: &'a dyn Jobs,
    pub(super) queue: String,
    pub(super) options: &'a PartsOptions,
    /// Why a piece was not done here that another process has offered in another version.
    pub(super) superseded: &'static str,
    pub(super) on_event: &'a (dyn Fn(PartEvent) + Send + Sync),
}

impl Claims<'_> {
    /// Offers pieces, and does those that others do not do before.
    pub(super) async fn run<P: Piece>(&self, pieces: &[P], report: &mut PartsReport) -> Result<()> {
        let offered: Vec<Job> = pieces.iter().map(|piece| piece.job().clone()).collect();
        let again = self.options.again;
        report.before = self.jobs.offer(&self.queue, &offered, again).await?;
        let by_name = pieces.iter().map(|piece| (&*piece.job().name, piece));
        let by_name: HashMap<&str, &P> = by_name.collect();
        let mut open = OpenJobs::new(&offered);
        loop {
            let claim = open.claim(self.jobs, &self.queue, self.options.lease);
            match claim.await? {
                Claim::Job(job) => self.attempt(&job, by_name[&*job.name], report).await?,
                Claim::Later(time) => {
                    tokio::time::sleep(time.clamp(Duration::from_millis(20), LOOK)).await;
                }
                Claim::Nothing => break,
            }
        }
        self.add_failed(&offered, report).await
    }

    /// Adds the pieces that were not done, here or elsewhere.
    async fn add_failed(&self, offered: &[Job], report: &mut PartsReport) -> Result<()> {
        let versions = offered.iter().map(|job| (&*job.name, &*job.version));
        let versions: HashMap<&str, &str> = versions.collect();
        for record in self.jobs.records(Some(&self.queue)).await? {
            let Some(&version) = versions.get(&*record.name) else {
                continue;
            };
            if record.version != version {
                let superseded = self.superseded.to_owned();
                report.failed.push((record.name, superseded));
            } else if record.state == JobState::Failed {
                let error = record.error.unwrap_or_default();
                report.failed.push((record.name, error));
            }
        }
        Ok(())
    }

    async fn attempt(
        &self,
        job: &ClaimedJob,
        piece: &impl Piece,
        report: &mut PartsReport,
    ) -> Result<()> {
        let name = job.name.clone();
        if job.attempt > self.options.attempts {
            let error = format!(
                "it was begun {} times, and each time its process died or was not heard of",
                self.options.attempts
            );
            self.jobs.give_back(job, &error, None).await?;
            (self.on_event)(PartEvent::Failed { name, error });
            return Ok(());
        }
        let Some(attempt) = self.work_while_held(job, piece).await else {
            (self.on_event)(PartEvent::Lost { name });
            return Ok(());
        };
        let error = match attempt {
            Ok(Ok(documents)) => {
                if self.jobs.finish(job).await? {
                    report.take(name, documents, self.on_event);
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
        self.jobs.give_back(job, &error, retry_after).await?;
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

    /// Works on a piece while this process is heard of. Nothing once another process has taken it.
    async fn work_while_held(
        &self,
        job: &ClaimedJob,
        piece: &impl Piece,
    ) -> Option<Result<Attempt>> {
        let mut work = pin!(piece.work());
        loop {
            let tick = pin!(tokio::time::sleep(self.options.lease / 3));
            work = match select(work, tick).await {
                Either::Left((attempt, _)) => return Some(attempt),
                Either::Right(((), work)) => work,
            };
            // If the server is unreachable at the moment, the work itself either fails or continues.
            if let Ok(false) = self.jobs.renew(job, self.options.lease).await {
                return None;
            }
        }
    }
}
