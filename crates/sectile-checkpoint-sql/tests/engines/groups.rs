//! Writes and saves that come at once.

use sectile_checkpoint::{
    At, Checkpoint, Checkpointer as _, Error, RecordsExt as _, Result, TaskWrites, TypedValue,
};
use tokio::task::JoinSet;

use crate::engine::{Engine, fresh};

/// How many tasks write at once.
pub(crate) const TASKS: u64 = 16;

/// Writes what a task says, to the thread `t`.
pub(crate) async fn write(checkpointer: Engine, at: At, task: u64) -> Result<()> {
    let value = TypedValue::json(&task).unwrap();
    let writes = TaskWrites::new(format!("task {task:02}")).write("channel", value);
    checkpointer.put_writes(&"t".into(), &at, &writes).await
}

/// Saves a checkpoint to it.
pub(crate) async fn save(checkpointer: Engine, state: u64) -> Result<()> {
    let saved = checkpointer.save(&Checkpoint::new("t", state)).await;
    saved.map(drop)
}

/// Counts what was written beside its first checkpoint.
pub(crate) async fn written(checkpointer: &Engine) -> u64 {
    let found = checkpointer.pending_writes(&"t".into(), &At::Seq(1)).await;
    found.unwrap().len() as u64
}

#[tokio::test]
async fn a_write_that_is_refused_spoils_none_of_its_group() {
    let (_database, checkpointer) = fresh().await;
    save(checkpointer.clone(), 0).await.unwrap();
    let mut tasks = JoinSet::new();
    for task in 0..TASKS {
        let (checkpointer, seq) = (checkpointer.clone(), 1 + task / (TASKS - 1) * 98);
        tasks.spawn(async move { (seq, write(checkpointer, At::Seq(seq), task).await) });
    }
    for (seq, outcome) in tasks.join_all().await {
        match outcome {
            Err(Error::NotFound { .. }) => assert_eq!(seq, 99),
            outcome => assert!(seq == 1 && outcome.is_ok(), "{seq}: {outcome:?}"),
        }
    }
    assert_eq!(written(&checkpointer).await, TASKS - 1);
}
