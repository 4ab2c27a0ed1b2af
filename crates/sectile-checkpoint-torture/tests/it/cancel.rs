//! Futures dropped at random moments.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use sectile::checkpoint::{
    At, Checkpoint, CheckpointHistory as _, CheckpointQuery, Checkpointer as _, Key, Records,
    RecordsExt as _,
};
use sectile_checkpoint_torture::{numbered, writes};
use serde_json::Value;
use tokio::time::timeout;

use crate::engine::Engine;
use crate::kill::numbers;
use crate::on_both_engines;

on_both_engines!(nothing_that_was_acknowledged_is_lost_by_dropped_futures);

const ROUNDS: u64 = 2_000;

/// Begins one of the things that a checkpointer does, each with another way through its pool, and
/// drops it after some time.
async fn drop_something(records: &dyn Records, round: u64, after: Duration) {
    let dropped = format!("dropped {}", round % 10);
    let target = format!("copy {round}");
    let checkpoint = numbered(&dropped, round);
    let task = writes(&format!("task {round}"), round);
    let _ = match round % 6 {
        0 | 1 => timeout(after, records.save(&checkpoint)).await.map(drop),
        2 => {
            let load = records.load(&dropped);
            let load: Result<_, _> = timeout(after, load).await;
            load.map(|found: sectile::checkpoint::Result<Option<Checkpoint<Value>>>| drop(found))
        }
        3 => timeout(after, records.copy_thread(&dropped, &target))
            .await
            .map(drop),
        4 => {
            let key = Key::from(&*dropped);
            let put = records.put_writes(&key, &At::Latest, &task);
            timeout(after, put).await.map(drop)
        }
        _ => timeout(after, records.delete_thread(&dropped))
            .await
            .map(drop),
    };
}

/// Checks that of each call that wrote beside a checkpoint both values are there.
async fn assert_writes_are_whole(records: &dyn Records, checkpoint: &Checkpoint<Value>) {
    let (key, at) = (checkpoint.key(), At::Seq(checkpoint.seq));
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for pending in records.pending_writes(&key, &at).await.unwrap() {
        *counts.entry(pending.task_id).or_default() += 1;
    }
    assert!(counts.values().all(|count| *count == 2), "{counts:?}");
}

async fn nothing_that_was_acknowledged_is_lost_by_dropped_futures(engine: Engine) {
    let records = engine.open().await;
    let dropping = Arc::clone(&records);
    let dropper = tokio::spawn(async move {
        for (round, number) in (1..=ROUNDS).zip(numbers()) {
            drop_something(&*dropping, round, Duration::from_micros(number % 2_000)).await;
        }
    });
    let mut acknowledged = Vec::new();
    let mut number = 0;
    while !dropper.is_finished() {
        number += 1;
        let saved = records.save(&numbered("kept", number)).await.unwrap();
        acknowledged.push((saved.seq, number));
    }
    dropper.await.unwrap();

    // Looked at through other connections, which see only what was committed.
    let records = engine.open().await;
    let stored = engine.check(&records, "kept").await;
    assert_eq!(stored.len(), acknowledged.len());
    for (seq, number) in acknowledged {
        assert_eq!(
            stored[seq as usize - 1].state["number"].as_u64(),
            Some(number)
        );
    }
    for thread in 0..10 {
        let thread_id = format!("dropped {thread}");
        let query = CheckpointQuery::default();
        let stored: Vec<Checkpoint<Value>> = records.list(&thread_id, &query).await.unwrap();
        for checkpoint in stored {
            let number = checkpoint.state["number"].as_u64().unwrap();
            assert_eq!(checkpoint.state, numbered(&thread_id, number).state);
            assert_writes_are_whole(&*records, &checkpoint).await;
        }
    }
}
