//! Work that several processes share.

use std::collections::VecDeque;
use std::fmt::Debug;
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::Result;

/// How many jobs a process asks for at a time. A claim costs what it asks for, so asking for all of many would make the
/// cost of all grow with their square.
const AT_A_TIME: usize = 32;

/// A job, identified by its name in its queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The name.
    pub name: String,
    /// The version of the input. A job with another version is a new job.
    pub version: String,
}

/// A job that this process holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedJob {
    /// The queue of the job.
    pub queue: String,
    /// The name of the job.
    pub name: String,
    /// The number of claims, including this one.
    pub attempt: u32,
    /// The claim. Once the job is claimed again, this claim is invalid.
    pub holder: Uuid,
}

/// The answer of a queue to a process that asks for work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// This job.
    Job(ClaimedJob),
    /// No job yet: other processes hold the remaining jobs, or these wait for a retry. The next job
    /// is due after this time, if its holder does not finish it.
    Later(Duration),
    /// No more jobs: every job is done, has failed, or exists in another version.
    Nothing,
}

/// The state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// It waits for a process, for the first time or for a retry.
    Waiting,
    /// A process holds it.
    Claimed,
    /// It is done.
    Done,
    /// It used up its attempts.
    Failed,
}

/// The record of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JobRecord {
    /// The queue of the job.
    pub queue: String,
    /// The name of the job.
    pub name: String,
    /// The version of the input.
    pub version: String,
    /// The state.
    pub state: JobState,
    /// The number of claims.
    pub attempts: u32,
    /// The last error, if there was one.
    pub error: Option<String>,
}

/// Queues of jobs in a database, for processes on any number of machines.
///
/// A claim lasts as long as it is renewed. If a process dies, others can take its job once the
/// claim expires. So a job may start more than once, and must be idempotent.
#[async_trait]
pub trait Jobs: Debug + Send + Sync {
    /// Puts jobs into a queue, and returns how many of them were done before. A job that exists
    /// with the same version stays unchanged, unless it has failed, or is done and `again` is set.
    /// A job with another version replaces the existing one. If a process holds that one, its claim
    /// ends, and the new job is due when that claim would have expired, so that the process has
    /// noticed.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn offer(&self, queue: &str, jobs: &[Job], again: bool) -> Result<usize>;

    /// Claims the one of these jobs, in these versions, that has waited longest, for some time.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn claim(&self, queue: &str, jobs: &[Job], time: Duration) -> Result<Claim>;

    /// Extends a claim for some time from now, and returns whether it was still valid.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn renew(&self, job: &ClaimedJob, time: Duration) -> Result<bool>;

    /// Records that a job is done, and returns whether the claim was still valid.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn finish(&self, job: &ClaimedJob) -> Result<bool>;

    /// Returns a failed job to the queue, for a retry after some time, or without a time for none.
    /// Returns whether the claim was still valid.
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

    /// Returns the jobs of a queue, or of all queues, ordered by queue and name.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    async fn records(&self, queue: Option<&str>) -> Result<Vec<JobRecord>>;
}

/// The offered jobs that this process may still have to do. It asks for a few at a time, so that a claim costs the same
/// among any number of jobs.
#[derive(Debug)]
pub struct OpenJobs<'j> {
    groups: VecDeque<&'j [Job]>,
}

impl<'j> OpenJobs<'j> {
    /// Takes the jobs that were offered.
    pub fn new(jobs: &'j [Job]) -> Self {
        Self {
            groups: jobs.chunks(AT_A_TIME).collect(),
        }
    }

    /// Claims one of the jobs for some time, as [`Jobs::claim`] does: those that others hold, or that wait for a retry,
    /// after the rest.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    pub async fn claim(&mut self, jobs: &dyn Jobs, queue: &str, time: Duration) -> Result<Claim> {
        let mut soonest: Option<Duration> = None;
        for _ in 0..self.groups.len() {
            let Some(group) = self.groups.front().copied() else {
                break;
            };
            match jobs.claim(queue, group, time).await? {
                Claim::Job(job) => return Ok(Claim::Job(job)),
                Claim::Later(next) => {
                    soonest = Some(soonest.map_or(next, |soonest| soonest.min(next)));
                    self.groups.rotate_left(1);
                }
                Claim::Nothing => drop(self.groups.pop_front()),
            }
        }
        Ok(soonest.map_or(Claim::Nothing, Claim::Later))
    }
}
