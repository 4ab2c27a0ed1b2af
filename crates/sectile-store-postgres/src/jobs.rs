//! Jobs that processes share.

use std::time::Duration;

use async_trait::async_trait;
use sectile_postgres::in_a_task;
use sectile_store::{Claim, ClaimedJob, Error, Job, JobRecord, JobState, Jobs, Result};
use sqlx::postgres::{PgArguments, PgRow, Postgres};
use sqlx::query::Query;
use uuid::Uuid;

use crate::PostgresStore;
use crate::columns::{column, number};
use crate::error::{backend, unusable};
use crate::sql::{jobs as sql, query};

impl PostgresStore {
    /// Runs one statement to its end, even if the caller goes away.
    async fn run(
        &self,
        doing: &'static str,
        query: Query<'static, Postgres, PgArguments>,
    ) -> Result<Vec<PgRow>> {
        let pool = self.pool.clone();
        let rows = in_a_task(async move {
            let mut lease = pool.acquire_alive().await.map_err(unusable)?;
            let rows = query.fetch_all(lease.connection()).await;
            let rows = rows.map_err(backend(doing))?;
            lease.keep();
            Ok(rows)
        });
        rows.await.map_err(unusable)?
    }

    /// Changes a job that is held, and says whether it still was.
    async fn change(
        &self,
        doing: &'static str,
        query: Query<'static, Postgres, PgArguments>,
        job: &ClaimedJob,
    ) -> Result<bool> {
        let query = query
            .bind(job.queue.clone())
            .bind(job.name.clone())
            .bind(job.holder);
        let rows = self.run(doing, query).await?;
        Ok(!rows.is_empty())
    }
}

#[async_trait]
impl Jobs for PostgresStore {
    async fn offer(&self, queue: &str, jobs: &[Job], again: bool) -> Result<usize> {
        let (names, versions) = columns_of(jobs);
        let of_jobs = |statement| {
            query(&self.tables, statement)
                .bind(queue.to_owned())
                .bind(names.clone())
                .bind(versions.clone())
        };
        self.run("offer jobs", of_jobs(sql::OFFER_JOBS)).await?;
        if again {
            let offer = of_jobs(sql::OFFER_DONE_JOBS);
            self.run("offer jobs", offer).await?;
        }
        let rows = self
            .run("count jobs", of_jobs(sql::COUNT_DONE_JOBS))
            .await?;
        rows.first().map_or(Ok(0), |row| number(row, "count"))
    }

    async fn claim(&self, queue: &str, jobs: &[Job], time: Duration) -> Result<Claim> {
        let (names, versions) = columns_of(jobs);
        let claim = query(&self.tables, sql::CLAIM_JOB)
            .bind(queue.to_owned())
            .bind(names.clone())
            .bind(versions.clone())
            .bind(milliseconds(time))
            .bind(Uuid::new_v4());
        let rows = self.run("claim a job", claim).await?;
        if let Some(row) = rows.first() {
            return Ok(Claim::Job(ClaimedJob {
                queue: queue.to_owned(),
                name: column(row, "name")?,
                attempt: attempts(row)?,
                holder: column(row, "holder")?,
            }));
        }
        let next = query(&self.tables, sql::NEXT_JOB)
            .bind(queue.to_owned())
            .bind(names)
            .bind(versions);
        let rows = self.run("look for a job", next).await?;
        let next: Option<i64> = rows.first().map_or(Ok(None), |row| column(row, "next"))?;
        Ok(match next {
            None => Claim::Nothing,
            Some(next) => Claim::Later(Duration::from_millis(next.max(0).cast_unsigned())),
        })
    }

    async fn renew(&self, job: &ClaimedJob, time: Duration) -> Result<bool> {
        let renew = query(&self.tables, sql::RENEW_JOB).bind(milliseconds(time));
        self.change("renew a job", renew, job).await
    }

    async fn finish(&self, job: &ClaimedJob) -> Result<bool> {
        let finish = query(&self.tables, sql::END_JOB)
            .bind("done")
            .bind(None::<String>)
            .bind(0_i64);
        self.change("finish a job", finish, job).await
    }

    async fn give_back(
        &self,
        job: &ClaimedJob,
        error: &str,
        retry_after: Option<Duration>,
    ) -> Result<bool> {
        let state = if retry_after.is_some() {
            "waiting"
        } else {
            "failed"
        };
        let end = query(&self.tables, sql::END_JOB)
            .bind(state)
            // The one character that no text of this database may have.
            .bind(Some(error.replace('\0', "\u{fffd}")))
            .bind(milliseconds(retry_after.unwrap_or_default()));
        self.change("give a job back", end, job).await
    }

    async fn records(&self, queue: Option<&str>) -> Result<Vec<JobRecord>> {
        let jobs = query(&self.tables, sql::JOBS).bind(queue.map(str::to_owned));
        let rows = self.run("read the jobs", jobs).await?;
        rows.iter().map(record).collect()
    }
}

/// Returns the names and the versions of jobs.
fn columns_of(jobs: &[Job]) -> (Vec<String>, Vec<String>) {
    let columns = jobs
        .iter()
        .map(|job| (job.name.clone(), job.version.clone()));
    columns.unzip()
}

fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

fn attempts(row: &PgRow) -> Result<u32> {
    let attempts: i32 = column(row, "attempts")?;
    Ok(attempts.cast_unsigned())
}

fn record(row: &PgRow) -> Result<JobRecord> {
    let state: &str = column(row, "state")?;
    let state = match state {
        "waiting" => JobState::Waiting,
        "claimed" => JobState::Claimed,
        "done" => JobState::Done,
        "failed" => JobState::Failed,
        other => return Err(Error::corrupt(format!("a job is `{other}`"))),
    };
    Ok(JobRecord {
        queue: column(row, "queue")?,
        name: column(row, "name")?,
        version: column(row, "version")?,
        state,
        attempts: attempts(row)?,
        error: column(row, "error")?,
    })
}
