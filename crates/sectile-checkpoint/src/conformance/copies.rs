//! Threads are copied.

use serde_json::{Value, json};

use super::support::{all, load, save_numbers, thread_ids};
use super::tested::Tested;
use crate::{
    Checkpoint, CheckpointHistory as _, CheckpointQuery, Checkpointer as _, Error, Threads as _,
};

pub async fn a_fork_goes_on_from_any_checkpoint(tested: Tested) {
    save_numbers(&tested, "main", 5).await;
    assert_eq!(tested.fork("main", 3, "branch").await.unwrap(), 3);
    let head = load(&tested, "branch").await.unwrap();
    assert_eq!((head.thread_id.as_str(), head.seq), ("branch", 3));
    assert_eq!(
        (head.state, head.created_at),
        (json!({ "number": 3 }), 3_000)
    );

    let done = tested
        .save(&Checkpoint::new("branch", "other").map_state(str::to_owned))
        .await;
    assert_eq!(done.unwrap().seq, 4);
    assert_eq!(all(&tested, "branch").await, [4, 3, 2, 1]);
    assert_eq!(all(&tested, "main").await, [5, 4, 3, 2, 1]);
}

pub async fn a_copy_has_all_checkpoints(tested: Tested) {
    let first = Checkpoint::new("one", 1)
        .with_id("id")
        .with_pending("next", 2);
    tested.save(&first).await.unwrap();
    save_numbers(&tested, "one", 3).await;
    let original: Vec<Checkpoint<Value>> = tested
        .list("one", &CheckpointQuery::default())
        .await
        .unwrap();
    assert_eq!(tested.copy_thread("one", "other").await.unwrap(), 4);

    let copied: Vec<Checkpoint<Value>> = tested
        .list("other", &CheckpointQuery::default())
        .await
        .unwrap();
    let renamed = |mut checkpoint: Checkpoint<Value>| {
        checkpoint.thread_id = "one".into();
        checkpoint
    };
    let copied: Vec<_> = copied.into_iter().map(renamed).collect();
    assert_eq!(copied, original);
    // The source and its copy go their own ways.
    tested.save(&Checkpoint::new("other", 9)).await.unwrap();
    assert_eq!(all(&tested, "one").await, [4, 3, 2, 1]);
    let again = Checkpoint {
        thread_id: "other".into(),
        ..first
    };
    assert!(!tested.save(&again).await.unwrap().is_new);
}

pub async fn what_is_not_there_cannot_be_copied(tested: Tested) {
    save_numbers(&tested, "thread", 2).await;
    for refused in [
        tested.fork("thread", 3, "new").await,
        tested.fork("nobody", 1, "new").await,
        tested.copy_thread("nobody", "new").await,
    ] {
        assert!(
            matches!(refused, Err(Error::NotFound { .. })),
            "{refused:?}"
        );
    }
    assert_eq!(thread_ids(&tested, None, None).await, ["thread"]);
}

pub async fn a_copy_does_not_run_into_another_thread(tested: Tested) {
    save_numbers(&tested, "one", 2).await;
    save_numbers(&tested, "other", 1).await;
    for refused in [
        tested.fork("one", 1, "other").await,
        tested.copy_thread("one", "other").await,
        tested.copy_thread("one", "one").await,
    ] {
        assert!(
            matches!(refused, Err(Error::ThreadExists { .. })),
            "{refused:?}"
        );
    }
    assert_eq!(all(&tested, "other").await, [1]);
}
