//! Many processes at once.

use sectile::checkpoint::ThreadQuery;

use crate::engine::{Engine, worker};
use crate::on_both_engines;

on_both_engines!(
    eight_processes_save_to_one_thread,
    eight_processes_save_to_threads_of_their_own,
);

const PROCESSES: u64 = 8;
const SAVES: u64 = 250;

/// Lets processes save and returns the numbers that they were told.
async fn save(engine: &Engine, thread_id: fn(u64) -> String) -> Vec<u64> {
    let saves = SAVES.to_string();
    let start = |process| worker(&["save", &engine.url, &thread_id(process), &saves]);
    let running: Vec<_> = (0..PROCESSES).map(start).collect();
    let mut acknowledged = Vec::new();
    for process in running {
        let output = process.wait_with_output().await.unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        let lines = String::from_utf8(output.stdout).unwrap();
        let seq = |line: &str| line.split(' ').nth(1).unwrap().parse::<u64>().unwrap();
        acknowledged.extend(lines.lines().map(seq));
    }
    acknowledged.sort_unstable();
    acknowledged
}

async fn eight_processes_save_to_one_thread(engine: Engine) {
    engine.open().await;
    let acknowledged = save(&engine, |_| "thread".into()).await;
    assert!(acknowledged.into_iter().eq(1..=PROCESSES * SAVES));
    let stored = engine.check(&engine.open().await, "thread").await;
    assert_eq!(stored.len() as u64, PROCESSES * SAVES);
}

async fn eight_processes_save_to_threads_of_their_own(engine: Engine) {
    // None of them finds the tables made.
    save(&engine, |process| format!("thread {process}")).await;
    let records = engine.open().await;
    let threads = records.threads(&ThreadQuery::default()).await.unwrap();
    assert_eq!(threads.len() as u64, PROCESSES);
    for thread in threads {
        assert_eq!((thread.latest_seq, thread.checkpoints), (SAVES, SAVES));
        engine.check(&records, &thread.thread_id).await;
    }
}
