//! Processes killed in the middle of saving.

use std::time::Duration;

use sectile::checkpoint::{At, RecordsExt as _};
use sectile_checkpoint_torture::connect;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, BufReader};

use crate::engine::{Engine, worker};
use crate::{on_both_engines, size};

on_both_engines!(
    nothing_that_was_acknowledged_is_lost_by_a_kill,
    pieces_and_writes_are_whole_after_a_kill,
);

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

/// Lets a process save until it is killed, some time after its first save, and returns what it
/// said: the number in the thread and the number in the state of each checkpoint.
async fn kill_while(doing: &str, url: &str, after: Duration) -> Vec<(u64, u64)> {
    let mut process = worker(&[doing, url, "thread", "1000000"]);
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let mut acknowledged = Vec::new();
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
        let words: Vec<&str> = line.split(' ').collect();
        // The kill may cut a line short.
        if let ["ack", seq, number] = words[..] {
            acknowledged.push((seq.parse().unwrap(), number.parse().unwrap()));
        }
        deadline = deadline.or_else(|| Some(tokio::time::Instant::now() + after));
    }
    acknowledged
}

async fn nothing_that_was_acknowledged_is_lost_by_a_kill(engine: Engine) {
    let records = engine.open().await;
    let mut acknowledged = Vec::new();
    for number in numbers().take(size(5, 100)) {
        let after = Duration::from_micros(number % 60_000);
        let told = kill_while("save", &engine.url, after).await;
        assert!(!told.is_empty(), "the process did not begin to save");
        acknowledged.extend(told);
        let stored = engine.check(&records, "thread").await;
        for &(seq, number) in &acknowledged {
            let found = &stored[seq as usize - 1].state["number"];
            assert_eq!(found.as_u64(), Some(number), "checkpoint {seq}");
        }
        // At most one save was under way when each process was killed.
        assert!(stored.len() >= acknowledged.len());
    }
}

async fn pieces_and_writes_are_whole_after_a_kill(engine: Engine) {
    let checkpoints = connect(&engine.url).await.unwrap();
    checkpoints.migrate().await.unwrap();
    let records = checkpoints.records();
    let begun = worker(&["mix", &engine.url, "thread", "18"]).wait_with_output();
    assert!(begun.await.unwrap().status.success());
    let usage = checkpoints.usage().await.unwrap();
    assert!(usage.iter().any(|usage| usage.pieces > 0), "{usage:?}");
    for number in numbers().take(size(5, 100)) {
        let after = Duration::from_micros(number % 100_000);
        let told = kill_while("mix", &engine.url, after).await;
        let &(seq, number) = told.last().unwrap();
        let latest = loop {
            let latest = records.load_as::<Value>("thread").await.unwrap().unwrap();
            let projected = engine.projected(&latest).await;
            // A save of the process that was killed may be committed between the two looks.
            let again = records.load_as::<Value>("thread").await.unwrap().unwrap();
            if again.seq == latest.seq {
                for (found, expected) in projected {
                    assert_eq!(found, expected);
                }
                break latest;
            }
        };
        assert!(latest.seq >= seq, "{} {seq}", latest.seq);
        assert_eq!(latest.state["number"].as_u64(), Some(latest.seq));
        let kept = records
            .load_at_as::<Value>("thread", At::Seq(seq))
            .await
            .unwrap();
        assert_eq!(kept.unwrap().state["number"].as_u64(), Some(number));
        // Hashes, pieces without a checkpoint, pieces that are missing, counts.
        assert_eq!(checkpoints.verify().await.unwrap(), []);
    }
}
