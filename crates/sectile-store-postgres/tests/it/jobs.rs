//! Jobs that processes share.

use std::collections::BTreeSet;
use std::time::Duration;

use sectile_store::{Claim, ClaimedJob, Job, JobState, Jobs, OpenJobs};
use sectile_store_postgres::PostgresStore;
use sqlx::{Connection as _, PgConnection};

const LONG: Duration = Duration::from_mins(5);

async fn fresh() -> (String, PostgresStore) {
    let url = sectile_test_postgres::database().await.unwrap();
    let store = PostgresStore::open(&url).await.unwrap();
    (url, store)
}

fn jobs(names: &[String], version: &str) -> Vec<Job> {
    let job = |name: &String| Job {
        name: name.clone(),
        version: version.into(),
    };
    names.iter().map(job).collect()
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|at| format!("part-{at:03}")).collect()
}

async fn claim(store: &PostgresStore, jobs: &[Job], time: Duration) -> ClaimedJob {
    match store.claim("q", jobs, time).await.unwrap() {
        Claim::Job(job) => job,
        other => panic!("no job is claimed: {other:?}"),
    }
}

/// Lets the time of a claim be over.
async fn end_claim(url: &str, job: &ClaimedJob) {
    let mut connection = PgConnection::connect(url).await.unwrap();
    let end = sqlx::query("UPDATE jobs SET due = now() WHERE queue = $1 AND name = $2")
        .bind(&job.queue)
        .bind(&job.name);
    let ended = end.execute(&mut connection).await.unwrap();
    assert_eq!(ended.rows_affected(), 1);
    connection.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn each_job_is_had_once_by_many() {
    let (url, store) = fresh().await;
    let jobs = jobs(&names(200), "1");
    store.offer("q", &jobs, false).await.unwrap();
    let mut workers = Vec::new();
    for _ in 0..8 {
        let (store, jobs) = (PostgresStore::open(&url).await.unwrap(), jobs.clone());
        workers.push(tokio::spawn(async move {
            let mut had = Vec::new();
            while let Claim::Job(job) = store.claim("q", &jobs, LONG).await.unwrap() {
                assert!(store.finish(&job).await.unwrap());
                had.push(job.name);
            }
            had
        }));
    }
    let mut all = Vec::new();
    for worker in workers {
        all.extend(worker.await.unwrap());
    }
    assert_eq!(all.len(), 200);
    assert_eq!(all.into_iter().collect::<BTreeSet<_>>().len(), 200);
    assert_eq!(store.claim("q", &jobs, LONG).await.unwrap(), Claim::Nothing);
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_that_are_asked_for_by_group_are_each_had_once() {
    let (url, store) = fresh().await;
    let jobs = jobs(&names(150), "1");
    store.offer("q", &jobs, false).await.unwrap();
    // One that another holds in the first group, and one that waits for a retry in the second, keep no other from being
    // had, and come last.
    let (held, retried) = (&jobs[3..4], &jobs[40..41]);
    let held = claim(&store, held, LONG).await;
    let job = claim(&store, retried, LONG).await;
    let soon = Some(Duration::from_millis(300));
    assert!(store.give_back(&job, "not yet", soon).await.unwrap());
    let mut workers = Vec::new();
    for _ in 0..4 {
        let (store, jobs) = (PostgresStore::open(&url).await.unwrap(), jobs.clone());
        workers.push(tokio::spawn(async move {
            let (mut open, mut had) = (OpenJobs::new(&jobs), Vec::new());
            loop {
                match open.claim(&store, "q", LONG).await.unwrap() {
                    Claim::Job(job) => {
                        assert!(store.finish(&job).await.unwrap());
                        had.push(job.name);
                    }
                    // What is held stays so for longer than a retry waits.
                    Claim::Later(time) if time > Duration::from_mins(1) => break had,
                    Claim::Later(time) => tokio::time::sleep(time).await,
                    Claim::Nothing => panic!("one is still held"),
                }
            }
        }));
    }
    let mut all = Vec::new();
    for worker in workers {
        all.extend(worker.await.unwrap());
    }
    assert_eq!(all.len(), 149);
    let all: BTreeSet<String> = all.into_iter().collect();
    assert!(all.len() == 149 && !all.contains(&held.name) && all.contains(&job.name));
    assert!(store.finish(&held).await.unwrap());
    let end = OpenJobs::new(&jobs).claim(&store, "q", LONG).await;
    assert_eq!(end.unwrap(), Claim::Nothing);
}

#[tokio::test]
async fn a_claim_that_is_over_is_worth_nothing() {
    let (_, store) = fresh().await;
    let jobs = jobs(&names(1), "1");
    store.offer("q", &jobs, false).await.unwrap();
    let dead = claim(&store, &jobs, Duration::ZERO).await;
    let living = claim(&store, &jobs, LONG).await;
    assert_eq!((dead.attempt, living.attempt), (1, 2));
    assert!(!store.renew(&dead, LONG).await.unwrap());
    assert!(!store.finish(&dead).await.unwrap());
    assert!(!store.give_back(&dead, "late", None).await.unwrap());
    assert!(store.renew(&living, LONG).await.unwrap());
    assert!(matches!(
        store.claim("q", &jobs, LONG).await.unwrap(),
        Claim::Later(time) if time > Duration::from_mins(4)
    ));
    assert!(store.finish(&living).await.unwrap());
}

#[tokio::test]
async fn what_went_wrong_is_tried_again_later_or_never() {
    let (_, store) = fresh().await;
    let jobs = jobs(&names(1), "1");
    store.offer("q", &jobs, false).await.unwrap();
    let first = claim(&store, &jobs, LONG).await;
    let back = store.give_back(&first, "not\0now", Some(Duration::ZERO));
    assert!(back.await.unwrap());
    let record = store.records(None).await.unwrap().remove(0);
    assert_eq!(record.error.as_deref(), Some("not\u{fffd}now"));
    assert_eq!((record.state, record.attempts), (JobState::Waiting, 1));
    let second = claim(&store, &jobs, LONG).await;
    assert!(store.give_back(&second, "never", None).await.unwrap());
    assert_eq!(store.claim("q", &jobs, LONG).await.unwrap(), Claim::Nothing);
    assert_eq!(
        store.records(Some("q")).await.unwrap()[0].state,
        JobState::Failed
    );
    assert!(store.records(Some("other")).await.unwrap().is_empty());
}

#[tokio::test]
async fn what_is_done_stays_done_unless_it_changes_or_is_asked_for() {
    let (_, store) = fresh().await;
    let names = names(3);
    let first = jobs(&names, "1");
    store.offer("q", &first, false).await.unwrap();
    for _ in 0..3 {
        let job = claim(&store, &first, LONG).await;
        store.finish(&job).await.unwrap();
    }
    let second = jobs(&names[..1], "2");
    let offer = |jobs: &[Job], again| {
        let (store, jobs) = (store.clone(), jobs.to_vec());
        async move { store.offer("q", &jobs, again).await.unwrap() }
    };
    assert_eq!(offer(&first[..1], false).await, 1);
    assert_eq!(
        store.claim("q", &first, LONG).await.unwrap(),
        Claim::Nothing
    );
    assert_eq!(offer(&second, false).await, 0);
    let job = claim(&store, &second, LONG).await;
    assert_eq!((&*job.name, job.attempt), ("part-000", 1));
    store.finish(&job).await.unwrap();
    assert_eq!(offer(&second, true).await, 0);
    claim(&store, &second, LONG).await;
    // Who has none of the parts that are left has nothing to wait for.
    assert_eq!(
        store.claim("q", &first[1..], LONG).await.unwrap(),
        Claim::Nothing
    );
}

#[tokio::test]
async fn a_job_is_not_had_in_another_version() {
    let (url, store) = fresh().await;
    let (old, new) = (jobs(&names(2), "1"), jobs(&names(2), "2"));
    store.offer("q", &old, false).await.unwrap();
    let held = claim(&store, &old, LONG).await;
    store.offer("q", &new, false).await.unwrap();
    // Who has the old version neither gets the new one nor ends it.
    assert_eq!(store.claim("q", &old, LONG).await.unwrap(), Claim::Nothing);
    assert!(!store.renew(&held, LONG).await.unwrap());
    assert!(!store.finish(&held).await.unwrap());
    // The one that was held is free when its claim would have been over.
    let free = claim(&store, &new, LONG).await;
    assert_ne!(free.name, held.name);
    let later = store.claim("q", &new, LONG).await.unwrap();
    assert!(matches!(later, Claim::Later(_)), "{later:?}");
    end_claim(&url, &held).await;
    assert_eq!(claim(&store, &new, LONG).await.name, held.name);
    let records = store.records(Some("q")).await.unwrap();
    assert!(records.iter().all(|record| record.version == "2"));
}
