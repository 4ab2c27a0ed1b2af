//! Processes that write to one file at the same time.

use std::env;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sectile_checkpoint::{Checkpoint, CheckpointHistory as _, CheckpointQuery, Checkpointer as _};
use sectile_checkpoint_sqlite::SqliteCheckpointer;

/// Tells the test below what to do in a process of its own.
const FILE: &str = "SECTILE_TEST_FILE";

const PROCESSES: u64 = 8;
const SAVES: u64 = 250;

/// What a line begins with that tells how long the slowest save took.
const SLOWEST: &str = "slowest ";

async fn open(path: &Path) -> SqliteCheckpointer {
    let url = format!("sqlite:{}", path.display());
    let checkpointer = SqliteCheckpointer::builder(&url).connect().await.unwrap();
    checkpointer.migrate().await.unwrap();
    checkpointer
}

fn start(path: &Path) -> Child {
    let (_, module) = module_path!().split_once("::").unwrap();
    Command::new(env::current_exe().unwrap())
        .args([
            "--nocapture",
            "--exact",
            &format!("{module}::child_process"),
        ])
        .env(FILE, path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits for the end of a process and returns how long its slowest save took.
fn slowest(mut child: Child) -> Duration {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let told: Vec<u64> = lines
        .filter_map(|line| line.unwrap().strip_prefix(SLOWEST)?.parse().ok())
        .collect();
    assert!(child.wait().unwrap().success());
    Duration::from_millis(told[0])
}

/// What the other test runs in processes of their own; by itself it does nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn child_process() {
    let Some(file) = env::var_os(FILE) else {
        return;
    };
    let checkpointer = open(Path::new(&file)).await;
    let mut slowest = Duration::ZERO;
    for save in 0..SAVES {
        let start = Instant::now();
        let checkpoint = Checkpoint::new("t", save);
        checkpointer.save(&checkpoint).await.unwrap();
        slowest = slowest.max(start.elapsed());
    }
    println!("\n{SLOWEST}{}", slowest.as_millis());
}

#[tokio::test]
async fn processes_that_write_at_once_take_turns() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoints.db");
    let checkpointer = open(&path).await;
    let start = Instant::now();
    let children: Vec<Child> = (0..PROCESSES).map(|_| self::start(&path)).collect();
    let slowest: Vec<Duration> = children.into_iter().map(slowest).collect();
    let run = start.elapsed();

    let query = CheckpointQuery::default();
    let stored: Vec<Checkpoint<u64>> = checkpointer.list("t", &query).await.unwrap();
    let seqs = stored.iter().rev().map(|checkpoint| checkpoint.seq);
    assert!(seqs.eq(1..=PROCESSES * SAVES));
    // With SQLite's own way to wait a save takes up to as long as all the others.
    let longest = Duration::from_secs(1).max(run / 4);
    assert!(
        slowest.iter().all(|slowest| *slowest < longest),
        "{slowest:?} of {run:?}"
    );
}
