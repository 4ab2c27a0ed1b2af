//! Gives the same number of jobs that do nothing to Sectile's table of jobs and to `graphile_worker`, on one Postgres, and
//! prints how many jobs a second are claimed and done.
//!
//! ```text
//! jobs-peer URL [ROUNDS]
//! ```
//!
//! A worker has one job at a time and connections of its own, as a loader does. The time ends when the last job is done;
//! with `graphile_worker`, when it runs, and not when that is recorded. Both are given their jobs before the time begins.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow};
use graphile_worker::{
    IntoTaskHandlerResult, JobSpec, RawJobSpec, TaskHandler, WorkerContext, WorkerOptions,
};
use sectile_store::{Claim, Job, Jobs as _, OpenJobs};
use sectile_store_postgres::PostgresStore;
use serde::{Deserialize, Serialize};

/// How many jobs there are: as many as a cluster makes parts, and many.
const JOBS: [usize; 2] = [64, 1_000];
const WORKERS: [usize; 2] = [1, 4];

/// How long a claim lasts that is not renewed.
const LEASE: Duration = Duration::from_secs(20);

/// How often the other looks whether there is a job, and we whether it has done all.
const PERIOD: Duration = Duration::from_millis(2);

/// A job of the other.
#[derive(Deserialize, Serialize)]
struct Nothing {
    number: usize,
}

/// How many jobs the other has run.
#[derive(Clone, Debug, Default)]
struct Done(Arc<AtomicUsize>);

impl TaskHandler for Nothing {
    const IDENTIFIER: &'static str = "nothing";

    async fn run(self, context: WorkerContext) -> impl IntoTaskHandlerResult {
        if let Some(done) = context.get_ext::<Done>() {
            done.0.fetch_add(1, Ordering::Relaxed);
        }
        Ok::<(), String>(())
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let url = arguments.next().context("name a database")?;
    let rounds: usize = match arguments.next() {
        Some(rounds) => rounds.parse()?,
        None => 5,
    };
    println!(
        "| jobs | workers | Sectile, jobs a second | graphile_worker, jobs a second |\n|---:|---:|---:|---:|"
    );
    for jobs in JOBS {
        for workers in WORKERS {
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            for round in 0..rounds {
                let queue = format!("{jobs} by {workers}, {round}");
                ours.push(sectile(&url, &queue, jobs, workers).await?);
                theirs.push(other(&url, jobs, workers).await?);
            }
            let [ours, theirs] = [ours, theirs].map(|times| jobs as f64 / median(times));
            println!("| {jobs} | {workers} | {ours:.0} | {theirs:.0} |");
        }
    }
    Ok(())
}

/// Returns the middle one of seconds.
fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds.get(seconds.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Returns how many seconds Sectile's table of jobs takes.
async fn sectile(url: &str, queue: &str, count: usize, workers: usize) -> anyhow::Result<f64> {
    let jobs = (0..count).map(|number| Job {
        name: format!("part-{number:05}"),
        version: "1".into(),
    });
    let jobs: Arc<Vec<Job>> = Arc::new(jobs.collect());
    let mut stores = Vec::new();
    for _ in 0..workers {
        stores.push(PostgresStore::open(url).await?);
    }
    stores[0].offer(queue, &jobs, false).await?;
    let began = Instant::now();
    let mut running = Vec::new();
    for store in stores {
        let (queue, jobs) = (queue.to_owned(), Arc::clone(&jobs));
        running.push(tokio::spawn(async move {
            let (mut open, mut done) = (OpenJobs::new(&jobs), 0);
            // Those that others have at the end are theirs.
            while let Claim::Job(job) = open.claim(&store, &queue, LEASE).await? {
                done += usize::from(store.finish(&job).await?);
            }
            Ok::<usize, sectile_store::Error>(done)
        }));
    }
    let mut done = 0;
    for worker in running {
        done += worker.await??;
    }
    let seconds = began.elapsed().as_secs_f64();
    anyhow::ensure!(done == count, "{done} of {count} jobs were done");
    Ok(seconds)
}

/// Returns how many seconds the other takes.
async fn other(url: &str, count: usize, workers: usize) -> anyhow::Result<f64> {
    let done = Done::default();
    let mut running = Vec::new();
    for _ in 0..workers {
        let worker = WorkerOptions::default()
            .database_url(url)
            .schema("graphile_worker")
            .concurrency(1)
            .poll_interval(PERIOD)
            .listen_os_shutdown_signals(false)
            .add_extension(done.clone())
            .define_job::<Nothing>()
            .init();
        running.push(Arc::new(told(worker.await)?));
    }
    let jobs = (0..count).map(|number| RawJobSpec {
        identifier: Nothing::IDENTIFIER.to_owned(),
        payload: serde_json::json!({ "number": number }),
        spec: JobSpec::default(),
    });
    let jobs: Vec<RawJobSpec> = jobs.collect();
    told(running[0].create_utils().add_raw_jobs(&jobs).await)?;
    let began = Instant::now();
    let tasks = running.iter().map(|worker| {
        let worker = Arc::clone(worker);
        tokio::spawn(async move { told(worker.run().await) })
    });
    let tasks: Vec<_> = tasks.collect();
    while done.0.load(Ordering::Relaxed) < count {
        tokio::time::sleep(PERIOD).await;
    }
    let seconds = began.elapsed().as_secs_f64();
    for (worker, task) in running.iter().zip(tasks) {
        worker.request_shutdown();
        task.await??;
    }
    Ok(seconds)
}

fn told<T, E: Debug>(result: Result<T, E>) -> anyhow::Result<T> {
    result.map_err(|error| anyhow!("{error:?}"))
}
