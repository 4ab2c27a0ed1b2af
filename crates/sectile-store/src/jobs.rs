//! Work that several processes share.

use std::fmt::Debug;
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::Result;

/// A piece of work, known by its name in its queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The name.
    pub name: String,
    /// The version of what is worked on. A job with another version is a new one.
    pub version: String,
}

/// A job that this process holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedJob {
    /// The queue it is from.
    pub queue: String,
    /// The name of the job.
    pub name: String,
    /// How often it was claimed, this time included.
    pub attempt: u32,
    /// The claim. Once the job is claimed anew, this one is worth nothing.
    pub holder: Uuid,
}

/// What a queue has for a process that asks for work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// This job.
    Job(ClaimedJob),
    /// Nothing yet: others hold what is left, or it waits to be tried again. The next job is due after this
    /// time, if its holder does not finish it.
    Later(Duration),
    /// Nothing any more: every job is done, has failed, or is there in another version.
    Nothing,
}

/// How far a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// It waits for a process, for the first time or to be tried again.
    Waiting,
    /// A process holds it.
    Claimed,
    /// It is done.
    Done,
    /// It was tried as often as it may be.
    Failed,
}

/// What is known of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JobRecord {
    /// The queue it is in.
    pub queue: String,
    /// The name of the job.
    pub name: String,
    /// The version of what is worked on.
    pub version: String,
    /// How far it is.
    pub state: JobState,
    /// How often it was claimed.
    pub attempts: u32,
    /// What went wrong the last time, unless nothing did.
    pub error: Option<String>,
}

/// Queues of jobs in a database, for processes on any number of machines.
///
/// A claim lasts as long as it is renewed. A process that dies leaves its job to the others once the time of its
/// claim is over, so a job may be begun more than once, and what it does has to come to the same then.
#[async_trait]
pub trait Jobs: Debug + Send + Sync {
    /// Puts jobs into a queue and returns how many of them were done before. One that is there with the same
    /// version stays as it is, unless it has failed, or is done and `again` is set. One with another version takes
    /// the place of the one that is there; if a process holds that, its claim ends, and the new job is due once that
    /// claim would have been over, when the process has noticed.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn offer(&self, queue: &str, jobs: &[Job], again: bool) -> Result<usize>;

    /// Claims one of these jobs, in these versions, the one that has waited longest, for some time.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn claim(&self, queue: &str, jobs: &[Job], time: Duration) -> Result<Claim>;

    /// Makes a claim last for some time from now, and says whether it still did.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn renew(&self, job: &ClaimedJob, time: Duration) -> Result<bool>;

    /// Notes that a job is done, and says whether the claim still lasted.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn finish(&self, job: &ClaimedJob) -> Result<bool>;

    /// Gives a job back that went wrong, to be tried again after some time, or without one never, and says
    /// whether the claim still lasted.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn give_back(
        &self,
        job: &ClaimedJob,
        error: &str,
        retry_after: Option<Duration>,
    ) -> Result<bool>;

    /// Returns the jobs of a queue, or of all, ordered by queue and name.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn records(&self, queue: Option<&str>) -> Result<Vec<JobRecord>>;
}
