//! Checkpoints that cannot be read, and what is done beside them.

use sectile_checkpoint::{
    At, Checkpoint, Checkpointer as _, ErrorKind, RecordsExt as _, Threads as _,
};

use crate::engine::{Engine, change, fresh};

/// A state that is kept in pieces, none of which another number has.
fn long(number: u64) -> Vec<String> {
    let entry = |at: u64| format!("{at} of {number}: {}", "word ".repeat(200));
    (0..20).map(entry).collect()
}

/// Saves checkpoints of a thread, each by a run of its own.
async fn fill(checkpointer: &Engine, count: u64) {
    for number in 1..=count {
        let checkpoint = Checkpoint::new("t", long(number)).of_run(number.to_string());
        checkpointer.save(&checkpoint).await.unwrap();
    }
}

/// Returns which of so many checkpoints are there, and can be read.
async fn readable(checkpointer: &Engine, count: u64) -> Vec<u64> {
    let mut found = Vec::new();
    for seq in 1..=count {
        match checkpointer
            .load_at_as::<Vec<String>>("t", At::Seq(seq))
            .await
        {
            Ok(None) => {}
            Ok(Some(checkpoint)) => {
                assert_eq!(checkpoint.state, long(seq));
                found.push(seq);
            }
            Err(error) => assert_eq!(error.kind(), ErrorKind::Corrupt, "{error:?}"),
        }
    }
    found
}

async fn pieces(checkpointer: &Engine) -> u64 {
    let usages = checkpointer.usage().await.unwrap();
    usages.iter().map(|usage| usage.pieces).sum()
}

#[tokio::test]
async fn a_damaged_layout_refuses_no_deletion_and_keeps_what_it_may_need() {
    let (database, checkpointer) = fresh().await;
    fill(&checkpointer, 4).await;
    let before = pieces(&checkpointer).await;
    change(
        &database,
        "UPDATE checkpoints SET state = NULL WHERE seq = 3",
    )
    .await;
    assert_eq!(checkpointer.delete_runs(&["1".into()]).await.unwrap(), 1);
    assert_eq!(readable(&checkpointer, 4).await, [2, 4]);
    assert_eq!(pieces(&checkpointer).await, before);
    let damages = checkpointer.verify().await.unwrap();
    let seqs: Vec<_> = damages.iter().map(|damage| damage.seq).collect();
    assert_eq!(seqs, [Some(3)], "{damages:?}");
    assert_eq!(checkpointer.delete_runs(&["3".into()]).await.unwrap(), 1);
    assert_eq!(readable(&checkpointer, 4).await, [2, 4]);
    assert_eq!(pieces(&checkpointer).await, before / 2);
    assert_eq!(checkpointer.verify().await.unwrap(), []);
}
