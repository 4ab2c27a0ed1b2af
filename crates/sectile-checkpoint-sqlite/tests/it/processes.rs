//! Processes that write to one file at the same time.

use std::env;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use sectile_checkpoint::{Checkpoint, CheckpointHistory as _, CheckpointQuery, Checkpointer as _};
use sectile_checkpoint_sqlite::SqliteCheckpointer;

/// Tells the test below what to do in a process of its own.
const FILE: &str = "SECTILE_TEST_FILE";

const PROCESSES: u64 = 8;
const SAVES: u64 = 250;

/// How many saves of others, in most processes, may at most come before a save that has begun: a
/// quarter of all that the others make.
const AT_MOST: u64 = (PROCESSES - 1) * SAVES / 4;

/// What a line begins with that tells how many saves of others came before one that had begun.
const OVERTAKEN: &str = "overtaken by ";

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

/// Waits for the end of a process and returns how many saves of others came at most before one of its
/// own that had begun.
fn most_overtaken(mut child: Child) -> u64 {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let told: Vec<u64> = lines
        .filter_map(|line| line.unwrap().strip_prefix(OVERTAKEN)?.parse().ok())
        .collect();
    assert!(child.wait().unwrap().success());
    told[0]
}

/// What the other test runs in processes of their own; by itself it does nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn child_process() {
    let Some(file) = env::var_os(FILE) else {
        return;
    };
    let checkpointer = open(Path::new(&file)).await;
    let mut most = 0;
    for save in 0..SAVES {
        let latest: Option<Checkpoint<u64>> = checkpointer.load("t").await.unwrap();
        let before = latest.map_or(0, |latest| latest.seq);
        let checkpoint = Checkpoint::new("t", save);
        let saved = checkpointer.save(&checkpoint).await.unwrap();
        most = most.max(saved.seq - before - 1);
    }
    println!("\n{OVERTAKEN}{most}");
}

#[tokio::test]
async fn processes_that_write_at_once_take_turns() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoints.db");
    let checkpointer = open(&path).await;
    let children: Vec<Child> = (0..PROCESSES).map(|_| start(&path)).collect();
    let mut overtaken: Vec<u64> = children.into_iter().map(most_overtaken).collect();

    let query = CheckpointQuery::default();
    let stored: Vec<Checkpoint<u64>> = checkpointer.list("t", &query).await.unwrap();
    let seqs = stored.iter().rev().map(|checkpoint| checkpoint.seq);
    assert!(seqs.eq(1..=PROCESSES * SAVES));
    // With SQLite's own way to wait one process after the other writes all it has, so that a save of
    // the middle one waits for half of all. A process that the system stops for a while is overtaken
    // however it waits, so the worst of all says less.
    overtaken.sort_unstable();
    assert!(overtaken[overtaken.len() / 2] <= AT_MOST, "{overtaken:?}");
}
