//! The example of a runtime, killed again and again while it calls tools.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use sectile_checkpoint::{FileCheckpointer, RecordsExt as _};
use serde_json::{Value, json};

/// How many calls a run makes, and how many of them are of one step.
const CALLS: usize = 20;
const CALLS_OF_A_STEP: usize = 4;

/// How many runs are killed until they come to their end, and at most how many if too few of the kills hit calls under
/// way: a busy machine kills late.
const RUNS: u64 = 3;
const MOST_RUNS: u64 = 60;

/// In so many of the kills at least some calls of the step must be kept and others not made yet.
const KILLS_WITHIN_A_STEP: usize = 5;

fn start(folder: &Path) -> Child {
    let test = std::env::current_exe().unwrap();
    let built: PathBuf = test.ancestors().nth(2).unwrap().join("examples/agent_loop");
    let mut command = Command::new(built);
    command.arg(folder).stdout(Stdio::null());
    command.spawn().unwrap()
}

/// Returns the lines that say which calls were made and which are kept, in their order.
fn log(folder: &Path) -> Vec<String> {
    let log = fs::read_to_string(folder.join("calls.log")).unwrap_or_default();
    log.lines().map(str::to_owned).collect()
}

/// Starts the example, kills it some time after its next call is kept, and returns its log.
fn kill_while_it_calls(folder: &Path, after: Duration) -> Vec<String> {
    let kept = || {
        let log = log(folder);
        log.iter().filter(|line| line.starts_with("kept ")).count()
    };
    let before = kept();
    let mut process = start(folder);
    while kept() == before && process.try_wait().unwrap().is_none() {
        sleep(Duration::from_micros(200));
    }
    sleep(after);
    process.kill().unwrap();
    process.wait().unwrap();
    log(folder)
}

/// Returns whether the last step has calls that are kept and others that were not made yet.
fn ends_within_a_step(log: &[String]) -> bool {
    let Some((_, step)) = log.last().and_then(|last| last.split_once(" of ")) else {
        return false;
    };
    let of_step = |what: &str| {
        let lines = log.iter().filter(|line| line.ends_with(step));
        let calls: BTreeSet<&String> = lines.filter(|line| line.starts_with(what)).collect();
        calls.len()
    };
    of_step("kept ") > 0 && of_step("made ") < CALLS_OF_A_STEP
}

/// Checks that all calls were made, and none again of which it was said that it is kept.
fn assert_no_call_again(log: &[String]) {
    let (mut made, mut kept) = (BTreeSet::new(), BTreeSet::new());
    for line in log {
        match line.split_once(' ').unwrap() {
            ("made", call) => {
                assert!(!kept.contains(call), "`{call}` again: {log:#?}");
                made.insert(call);
            }
            (_, call) => {
                kept.insert(call);
            }
        }
    }
    assert_eq!(made.len(), CALLS, "{log:#?}");
}

/// Checks that the last state has the result of every call, each once and in order.
async fn assert_all_results(folder: &Path) {
    let checkpointer = FileCheckpointer::new(folder.join("checkpoints")).unwrap();
    let newest = checkpointer.load_as::<Value>("agent").await.unwrap();
    let newest = newest.unwrap();
    let results = (0..CALLS).map(|call| {
        let (step, tool) = (call / CALLS_OF_A_STEP, call % CALLS_OF_A_STEP);
        format!("\"the result of tool-{tool} of step {step}\"")
    });
    let results: Vec<String> = results.collect();
    assert_eq!(newest.state, json!({ "results": results }));
}

#[tokio::test]
async fn no_finished_tool_call_is_done_again() {
    let mut within_a_step = 0;
    for run in 0..MOST_RUNS {
        if run >= RUNS && within_a_step >= KILLS_WITHIN_A_STEP {
            break;
        }
        let folder = tempfile::tempdir().unwrap();
        for kill in 0..CALLS as u64 {
            let after = Duration::from_micros(900 * ((5 * run + kill) % 13));
            let log = kill_while_it_calls(folder.path(), after);
            within_a_step += usize::from(ends_within_a_step(&log));
        }
        assert!(start(folder.path()).wait().unwrap().success());
        assert_no_call_again(&log(folder.path()));
        assert_all_results(folder.path()).await;
    }
    assert!(
        within_a_step >= KILLS_WITHIN_A_STEP,
        "only {within_a_step} kills hit calls under way"
    );
}
