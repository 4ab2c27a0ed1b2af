//! Many tasks save, load and prune at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::{Either, select};
use serde_json::{Value, json};

use super::support::{all, conversation, load, numbers, pending, seqs, writes};
use super::tested::Tested;
use crate::{
    At, Checkpoint, CheckpointHistory as _, CheckpointQuery, Checkpointer as _, Error, Prune,
    RecordsExt as _, Threads as _,
};

/// Saves from many tasks, each `saves` times to the thread that `thread_id` names for it.
async fn save_from_tasks(
    tested: &Tested,
    tasks: usize,
    saves: u64,
    thread_id: fn(usize) -> String,
) -> Vec<u64> {
    let save = |task| {
        let tested = tested.clone();
        async move {
            let mut seqs = Vec::new();
            for save in 0..saves {
                let state = json!({"task": task, "save": save});
                let done = tested.save(&Checkpoint::new(thread_id(task), state)).await;
                seqs.push(done.unwrap().seq);
            }
            assert!(seqs.is_sorted());
            seqs
        }
    };
    tested.run((0..tasks).map(save)).await.concat()
}

pub async fn many_tasks_save_to_one_thread_without_a_gap(tested: Tested) {
    let mut acknowledged = save_from_tasks(&tested, 64, 50, |_| "thread".into()).await;
    acknowledged.sort_unstable();
    let expected: Vec<u64> = (1..=3_200).collect();
    assert!(acknowledged == expected);
    let mut stored = all(&tested, "thread").await;
    stored.reverse();
    assert!(stored == expected);
}

pub async fn many_tasks_save_to_different_threads(tested: Tested) {
    save_from_tasks(&tested, 64, 50, |task| format!("thread {task}")).await;
    for task in 0..64 {
        let expected: Vec<u64> = (1..=50).rev().collect();
        assert_eq!(all(&tested, &format!("thread {task}")).await, expected);
    }
}

pub async fn a_dropped_save_is_there_whole_or_not_at_all(tested: Tested) {
    let text = "x".repeat(20_000);
    let mut acknowledged = Vec::new();
    for (number, wait) in numbers(300).enumerate() {
        let state = json!({"number": number, "text": text});
        let checkpoint = Checkpoint::new("thread", state).with_id(format!("save {number}"));
        let save = tested.save(&checkpoint);
        let wait = Duration::from_micros(wait % 2_000);
        let late = blocking::unblock(move || std::thread::sleep(wait));
        if let Either::Left((done, _)) = select(save, late).await {
            acknowledged.push((number, done.unwrap().seq));
        }
    }
    // What was dropped may still be under way, and come later or not at all.
    let stored: Vec<Checkpoint<Value>> = tested
        .list("thread", &CheckpointQuery::default())
        .await
        .unwrap();
    let newest = stored.len() as u64;
    assert!(seqs(&stored).into_iter().rev().eq(1..=newest));
    for checkpoint in &stored {
        assert_eq!(checkpoint.state["text"], text);
    }
    for (number, seq) in acknowledged {
        let found = &stored[(newest - seq) as usize];
        assert_eq!(found.state["number"], number);
    }
}

/// Returns the state of a number, which shares most of its messages with the one before.
fn sliding(number: u64) -> Value {
    conversation(&(number..number + 12).collect::<Vec<_>>(), number)
}

async fn save_and_prune(tested: &Tested, done: &AtomicBool) {
    for number in 0..150 {
        let checkpoint = Checkpoint::new("t", sliding(number));
        tested.save(&checkpoint).await.unwrap();
        tested.prune(&Prune::keep_latest(1)).await.unwrap();
    }
    done.store(true, Ordering::Release);
}

async fn load_until(tested: &Tested, done: &AtomicBool) {
    loop {
        let is_last = done.load(Ordering::Acquire);
        let latest = load(tested, "t").await;
        assert!(latest.is_some() || !is_last);
        let query = CheckpointQuery::default();
        let listed = tested.list_as("t", &query).await.unwrap();
        for found in latest.into_iter().chain(listed) {
            let number = found.state["step"].as_u64().unwrap();
            assert_eq!(found.state, sliding(number), "{}", found.seq);
        }
        if is_last {
            return;
        }
    }
}

pub async fn what_is_loaded_while_others_prune_is_whole(tested: Tested) {
    let done = Arc::new(AtomicBool::new(false));
    let tasks = (0..3).map(|task| {
        let (tested, done) = (tested.clone(), Arc::clone(&done));
        async move {
            match task {
                0 => save_and_prune(&tested, &done).await,
                _ => load_until(&tested, &done).await,
            }
        }
    });
    tested.run(tasks).await;
}

/// The run of [`a_run_is_deleted_while_it_is_written`] that stays, and the one that goes.
const RUNS: [&str; 2] = ["kept", "gone"];

/// How many checkpoints each of them has.
const SAVES: u64 = 60;

/// Saves checkpoints of a run, and writes beside each of them.
async fn write_run(tested: &Tested, run: &str) {
    for number in 0..SAVES {
        let checkpoint = Checkpoint::new("t", sliding(number)).of_run(run);
        let at = At::Seq(tested.save(&checkpoint).await.unwrap().seq);
        let task = writes(run, number).of_run(run);
        match tested.put_writes(&"t".into(), &at, &task).await {
            // The checkpoint may be gone again.
            Err(Error::NotFound { .. }) => assert_eq!(run, "gone"),
            put => put.unwrap(),
        }
    }
}

/// Deletes the run that goes, until no task writes any more.
async fn delete_until(tested: &Tested, left: &AtomicUsize) {
    loop {
        let is_last = left.load(Ordering::Acquire) == 0;
        tested.delete_runs(&["gone".into()]).await.unwrap();
        if is_last {
            return;
        }
        // A checkpointer that never waits would keep the others from running.
        blocking::unblock(|| std::thread::sleep(Duration::from_micros(200))).await;
    }
}

pub async fn a_run_is_deleted_while_it_is_written(tested: Tested) {
    let left = Arc::new(AtomicUsize::new(RUNS.len()));
    let tasks = (0..4_usize).map(|task| {
        let (tested, left) = (tested.clone(), Arc::clone(&left));
        async move {
            if let Some(run) = RUNS.get(task) {
                write_run(&tested, run).await;
                left.fetch_sub(1, Ordering::AcqRel);
            } else {
                delete_until(&tested, &left).await;
            }
        }
    });
    tested.run(tasks).await;
    let query = CheckpointQuery::default();
    let found: Vec<Checkpoint<Value>> = tested.list_as("t", &query).await.unwrap();
    assert_eq!(found.len() as u64, SAVES);
    for (number, found) in (0..SAVES).rev().zip(found) {
        assert_eq!(found.run_id.as_deref(), Some("kept"));
        assert_eq!(found.state, sliding(number), "{}", found.seq);
        let expected: Vec<_> = writes("kept", number).of_run("kept").pending().collect();
        let beside = pending(&tested, &"t".into(), At::Seq(found.seq)).await;
        assert_eq!(beside, expected, "{}", found.seq);
    }
}
