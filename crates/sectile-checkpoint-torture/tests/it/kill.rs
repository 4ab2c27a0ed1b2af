//! Processes killed in the middle of saving.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use sectile::checkpoint::{At, Records, RecordsExt as _};
use sectile_checkpoint_torture::{KEPT, connect, message};
use tokio::io::{AsyncBufReadExt as _, BufReader};

use crate::engine::{Engine, list, worker};
use crate::{on_both_engines, size};

on_both_engines!(
    nothing_that_was_acknowledged_is_lost_by_a_kill,
    pieces_and_writes_are_whole_after_a_kill,
    pieces_are_whole_after_a_kill_while_others_prune,
);

/// The thread that is saved to. What runs save is also in a namespace of it, and in a thread apart.
const THREAD: &str = "thread";

/// Numbers that look random, the same at every run (the generator is splitmix64).
pub(crate) fn numbers() -> impl Iterator<Item = u64> {
    let mut state = 11_u64;
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    })
}

/// Lets a process do something until it is killed, some time after its first line, and returns the
/// lines that it said.
async fn kill_while(doing: &str, url: &str, after: Duration) -> Vec<String> {
    let mut process = worker(&[doing, url, THREAD, "1000000"]);
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let mut said = Vec::new();
    let mut deadline = None;
    loop {
        let end = deadline.unwrap_or_else(|| tokio::time::Instant::now() + Duration::from_mins(1));
        let Ok(line) = tokio::time::timeout_at(end, lines.next_line()).await else {
            if deadline.is_none() {
                break;
            }
            process.kill().await.unwrap();
            deadline = Some(tokio::time::Instant::now() + Duration::from_mins(1));
            continue;
        };
        let Some(line) = line.unwrap() else { break };
        said.push(line);
        deadline = deadline.or_else(|| Some(tokio::time::Instant::now() + after));
    }
    said
}

/// Returns of each checkpoint that was acknowledged its number in the thread and that in its state.
fn acknowledged(lines: &[String]) -> Vec<(u64, u64)> {
    let saves = lines.iter().filter_map(|line| line.strip_prefix("ack "));
    let numbers = saves.map(|save| save.split_once(' ').unwrap());
    numbers
        .map(|(seq, number)| (seq.parse().unwrap(), number.parse().unwrap()))
        .collect()
}

/// What processes said of their writes: each is the number of its checkpoint and its task, which is
/// called like its run if it has one.
#[derive(Default)]
struct Writes {
    /// Those that are kept as long as their checkpoint is.
    kept: BTreeSet<(u64, String)>,
    /// Those of the run that is being deleted.
    going: BTreeSet<(u64, String)>,
    /// Those of runs that were deleted.
    deleted: BTreeSet<(u64, String)>,
}

impl Writes {
    fn hear(&mut self, line: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["wrote", seq, task] => {
                self.kept.insert((seq.parse().unwrap(), task.to_owned()));
            }
            ["deletes", run] => {
                let kept = std::mem::take(&mut self.kept);
                (self.going, self.kept) = kept.into_iter().partition(|(_, task)| task == run);
            }
            ["deleted", _] => self.deleted.append(&mut self.going),
            _ => {}
        }
    }

    /// Checks that those that are kept are there, and those that were deleted are not; and that both
    /// values are there that a task wrote in one call, or none.
    async fn check(&self, records: &Arc<dyn Records>) {
        let mut found: BTreeMap<(u64, String), u32> = BTreeMap::new();
        for checkpoint in list(records, THREAD).await {
            let (key, at) = (checkpoint.key(), At::Seq(checkpoint.seq));
            for pending in records.pending_writes(&key, &at).await.unwrap() {
                assert_eq!(pending.write.value, message(checkpoint.seq));
                let write = (checkpoint.seq, pending.task_id);
                *found.entry(write).or_default() += 1;
            }
        }
        assert!(found.values().all(|count| *count == 2), "{found:?}");
        // What a process did that was killed may be committed while this looks.
        let stored = list(records, THREAD).await;
        let stored: BTreeSet<u64> = stored.iter().map(|stored| stored.seq).collect();
        for write in &self.kept {
            assert!(
                !stored.contains(&write.0) || found.contains_key(write),
                "{write:?}"
            );
        }
        for write in &self.deleted {
            assert!(!found.contains_key(write), "{write:?}");
        }
    }
}

async fn nothing_that_was_acknowledged_is_lost_by_a_kill(engine: Engine) {
    let records = engine.open().await;
    let mut told = Vec::new();
    for number in numbers().take(size(5, 100)) {
        let after = Duration::from_micros(number % 60_000);
        let lines = kill_while("save", &engine.url, after).await;
        assert!(!lines.is_empty(), "the process did not begin to save");
        told.extend(acknowledged(&lines));
        let stored = engine.check(&records, THREAD).await;
        for &(seq, number) in &told {
            let found = &stored[seq as usize - 1].state["number"];
            assert_eq!(found.as_u64(), Some(number), "checkpoint {seq}");
        }
        // At most one save was under way when each process was killed.
        assert!(stored.len() >= told.len());
    }
}

/// Checks that the newest checkpoints are there, as many as are never pruned, without a gap up to the
/// one that was acknowledged last.
async fn check_newest(records: &Arc<dyn Records>, acknowledged: u64) {
    let stored = list(records, THREAD).await;
    let seqs: Vec<u64> = stored.iter().map(|stored| stored.seq).collect();
    let latest = *seqs.last().unwrap();
    assert!(latest >= acknowledged, "{latest} {acknowledged}");
    assert!(seqs.len() as u64 >= KEPT, "{seqs:?}");
    assert!(seqs.is_sorted_by(|one, next| one + 1 == *next), "{seqs:?}");
    for stored in stored {
        assert_eq!(stored.state["number"].as_u64(), Some(stored.seq));
    }
}

async fn pieces_and_writes_are_whole_after_a_kill(engine: Engine) {
    let checkpoints = connect(&engine.url).await.unwrap();
    checkpoints.migrate().await.unwrap();
    let records = checkpoints.records();
    let begun = worker(&["mix", &engine.url, THREAD, "18"]);
    let begun = begun.wait_with_output().await.unwrap();
    assert!(begun.status.success());
    let mut writes = Writes::default();
    for line in String::from_utf8(begun.stdout).unwrap().lines() {
        writes.hear(line);
    }
    // Runs were deleted, and what is left of others is in pieces.
    assert!(!writes.deleted.is_empty());
    let usage = checkpoints.usage().await.unwrap();
    for thread in [THREAD, "thread apart"] {
        let mut of_thread = usage.iter().filter(|usage| usage.thread_id == thread);
        assert!(of_thread.any(|usage| usage.pieces > 0), "{usage:?}");
    }
    for number in numbers().take(size(5, 100)) {
        let after = Duration::from_micros(number % 100_000);
        let lines = kill_while("mix", &engine.url, after).await;
        for line in &lines {
            writes.hear(line);
        }
        engine.check_projections(&records).await;
        check_newest(&records, acknowledged(&lines).last().unwrap().0).await;
        writes.check(&records).await;
        // Hashes, pieces without a checkpoint, pieces that are missing, counts.
        assert_eq!(checkpoints.verify().await.unwrap(), []);
    }
}

async fn pieces_are_whole_after_a_kill_while_others_prune(engine: Engine) {
    let checkpoints = connect(&engine.url).await.unwrap();
    checkpoints.migrate().await.unwrap();
    let records = checkpoints.records();
    let begun = worker(&["mix", &engine.url, THREAD, "18"]);
    let begun = begun.wait_with_output().await.unwrap();
    assert!(begun.status.success());
    let prune = || worker(&["prune", &engine.url]);
    let mut pruning = prune();
    for number in numbers().take(size(3, 30)) {
        // Two processes prune; then one of them is killed, too, while the other goes on.
        let other = prune();
        let after = Duration::from_micros(number % 100_000);
        let lines = kill_while("mix", &engine.url, after).await;
        assert!(pruning.try_wait().unwrap().is_none(), "it has failed");
        pruning.kill().await.unwrap();
        pruning = other;
        check_newest(&records, acknowledged(&lines).last().unwrap().0).await;
        assert_eq!(checkpoints.verify().await.unwrap(), []);
    }
    pruning.kill().await.unwrap();
}
