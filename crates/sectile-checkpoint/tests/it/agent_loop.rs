//! The example of a runtime, killed again and again.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

fn example() -> Command {
    let test = std::env::current_exe().unwrap();
    let built: PathBuf = test.ancestors().nth(2).unwrap().join("examples/agent_loop");
    Command::new(built)
}

/// Runs the example in a folder, kills it after some time, and returns whether it came to its end.
fn run(folder: &std::path::Path, kill_after: Option<Duration>) -> bool {
    let mut command = example();
    let mut process = command
        .arg(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    if let Some(time) = kill_after {
        std::thread::sleep(time);
        process.kill().unwrap();
    }
    process.wait().unwrap().success()
}

#[test]
fn no_finished_tool_call_is_done_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut kills = 0;
    while !run(
        folder.path(),
        Some(Duration::from_micros(2_000 + 700 * (kills % 13))),
    ) && kills < 60
    {
        kills += 1;
    }
    assert!(run(folder.path(), None));
    let log = fs::read_to_string(folder.path().join("calls.log")).unwrap();
    let mut calls = BTreeMap::new();
    for line in log.lines() {
        *calls.entry(line).or_insert(0_u64) += 1;
    }
    assert_eq!(calls.len(), 20);
    // At most the one that was under way when the process was killed is done again.
    let again: u64 = calls.values().map(|count| count - 1).sum();
    assert!(
        again <= kills,
        "{again} calls again for {kills} kills: {log}"
    );
    assert!(kills > 0, "it was never killed");
}
