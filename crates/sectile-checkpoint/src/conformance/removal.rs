//! Threads, runs and old checkpoints are deleted.

use serde_json::json;

use super::support::{all, all_keys, load, pending, save_in, save_numbers, thread_ids, writes};
use super::tested::Tested;
use crate::{
    At, Checkpoint, CheckpointQuery, Checkpointer as _, Key, Prune, RecordsExt as _, Threads as _,
};

pub async fn a_deleted_thread_leaves_nothing(tested: Tested) {
    tested
        .save(&Checkpoint::new("gone", 0).with_id("id"))
        .await
        .unwrap();
    save_numbers(&tested, "gone", 3).await;
    save_numbers(&tested, "kept", 2).await;
    assert_eq!(tested.delete_thread("gone").await.unwrap(), 4);
    assert_eq!(tested.delete_thread("gone").await.unwrap(), 0);
    assert_eq!(load(&tested, "gone").await, None);
    assert_eq!(thread_ids(&tested, None, None).await, ["kept"]);
    assert_eq!(all(&tested, "kept").await, [2, 1]);
    // A new thread of that name begins anew.
    let done = tested
        .save(&Checkpoint::new("gone", 5).with_id("id"))
        .await
        .unwrap();
    assert_eq!((done.seq, done.is_new), (1, true));
}

pub async fn pruning_keeps_the_latest(tested: Tested) {
    save_numbers(&tested, "one", 5).await;
    save_numbers(&tested, "other", 2).await;
    assert_eq!(tested.prune(&Prune::keep_latest(9)).await.unwrap(), 0);
    assert_eq!(tested.prune(&Prune::keep_latest(2)).await.unwrap(), 3);
    assert_eq!(all(&tested, "one").await, [5, 4]);
    assert_eq!(all(&tested, "other").await, [2, 1]);
    assert_eq!(tested.prune(&Prune::keep_latest(0)).await.unwrap(), 2);
    assert_eq!(all(&tested, "one").await, [5]);
    assert_eq!(all(&tested, "other").await, [2]);
    assert_eq!(tested.prune(&Prune::keep_latest(1)).await.unwrap(), 0);
}

pub async fn pruning_keeps_the_young(tested: Tested) {
    save_numbers(&tested, "thread", 6).await;
    // Checkpoint n was saved at n seconds.
    assert_eq!(tested.prune(&Prune::older_than(3_000)).await.unwrap(), 2);
    assert_eq!(all(&tested, "thread").await, [6, 5, 4, 3]);
    let both = Prune {
        older_than: Some(5_000),
        ..Prune::keep_latest(3)
    };
    assert_eq!(tested.prune(&both).await.unwrap(), 1);
    assert_eq!(all(&tested, "thread").await, [6, 5, 4]);
    assert_eq!(
        tested
            .prune(&Prune::older_than(i64::MAX as u64))
            .await
            .unwrap(),
        2
    );
    assert_eq!(all(&tested, "thread").await, [6]);
}

pub async fn pruning_by_id_keeps_the_greatest(tested: Tested) {
    for thread_id in ["one", "other"] {
        for id in ["b", "d", "c", "a"] {
            let checkpoint = Checkpoint::new(thread_id, vec![id.repeat(3_000); 9]).with_id(id);
            tested.save(&checkpoint).await.unwrap();
        }
        let at = At::Id("a".into());
        let task = writes("task", 1);
        tested
            .put_writes(&thread_id.into(), &at, &task)
            .await
            .unwrap();
    }
    tested.save(&Checkpoint::new("one", 0)).await.unwrap();
    let prune = Prune::keep_latest(2).by_id();
    assert_eq!(tested.prune(&prune).await.unwrap(), 4);
    assert_eq!(all_keys(&tested, "one").await, [5, 3, 2]);
    assert_eq!(all_keys(&tested, "other").await, [3, 2]);
    let a = At::Id("a".into());
    assert!(pending(&tested, &"other".into(), a).await.is_empty());
    let prune = Prune::keep_latest(1).by_id();
    assert_eq!(tested.prune(&prune).await.unwrap(), 2);
    assert_eq!(all_keys(&tested, "one").await, [5, 2]);
    let newest = tested.load_as::<Vec<String>>("other").await.unwrap();
    let newest = newest.unwrap();
    assert_eq!((newest.seq, newest.id.as_deref()), (2, Some("d")));
    assert_eq!(newest.state, vec!["d".repeat(3_000); 9]);
    assert_eq!(tested.prune(&prune).await.unwrap(), 0);
    // The numbers of those that went are not given again.
    assert_eq!(save_in(&tested, &"other".into(), json!(1)).await, 5);
}

pub async fn pruning_can_be_of_one_thread(tested: Tested) {
    save_numbers(&tested, "one", 3).await;
    save_numbers(&tested, "other", 3).await;
    assert_eq!(
        tested
            .prune(&Prune::keep_latest(1).of_thread("one"))
            .await
            .unwrap(),
        2
    );
    assert_eq!(
        tested
            .prune(&Prune::keep_latest(1).of_thread("nobody"))
            .await
            .unwrap(),
        0
    );
    assert_eq!(all(&tested, "one").await, [3]);
    assert_eq!(all(&tested, "other").await, [3, 2, 1]);
}

pub async fn numbers_go_on_after_pruning(tested: Tested) {
    save_numbers(&tested, "thread", 3).await;
    tested.prune(&Prune::keep_latest(1)).await.unwrap();
    let done = tested.save(&Checkpoint::new("thread", 4)).await.unwrap();
    assert_eq!(done.seq, 4);
    assert_eq!(all(&tested, "thread").await, [4, 3]);
}

pub async fn runs_are_deleted_in_all_threads(tested: Tested) {
    for (thread_id, name, runs) in [
        ("t", "", "aabba"),
        ("t", "child", "ab"),
        ("u", "", "a"),
        ("v", "", "b-"),
    ] {
        for (number, run) in (1_u64..).zip(runs.chars()) {
            let checkpoint = Checkpoint::new(thread_id, number).in_namespace(name);
            let checkpoint = if run == '-' {
                checkpoint
            } else {
                checkpoint.of_run(run)
            };
            tested.save(&checkpoint).await.unwrap();
        }
    }
    let v = Key::from("v");
    tested
        .put_writes(&v, &At::Seq(2), &writes("of-a", 1).of_run("a"))
        .await
        .unwrap();
    tested
        .put_writes(&v, &At::Seq(2), &writes("of-none", 1))
        .await
        .unwrap();
    tested
        .put_writes(&"t".into(), &At::Seq(5), &writes("of-b", 1).of_run("b"))
        .await
        .unwrap();
    assert_eq!(tested.delete_runs(&[]).await.unwrap(), 0);
    assert_eq!(tested.delete_runs(&["nobody".into()]).await.unwrap(), 0);
    assert_eq!(
        tested
            .delete_runs(&["a".into(), "nobody".into()])
            .await
            .unwrap(),
        5
    );
    assert_eq!(all(&tested, "t").await, [4, 3]);
    assert!(all(&tested, "u").await.is_empty());
    let child = tested
        .select(&Key::new("t", "child"), &CheckpointQuery::default())
        .await
        .unwrap();
    assert_eq!(
        child
            .iter()
            .map(|kept| (kept.seq, kept.run_id.as_deref()))
            .collect::<Vec<_>>(),
        [(2, Some("b"))]
    );
    assert_eq!(load(&tested, "t").await.unwrap().seq, 4);
    assert_eq!(thread_ids(&tested, None, None).await, ["t", "v"]);
    let left = pending(&tested, &v, At::Seq(2)).await;
    assert_eq!(
        left.iter().map(|left| &*left.task_id).collect::<Vec<_>>(),
        ["of-none"]
    );
    assert!(pending(&tested, &"t".into(), At::Seq(5)).await.is_empty());
    assert_eq!(tested.delete_runs(&["a".into()]).await.unwrap(), 0);
}

pub async fn numbers_go_on_after_a_run_was_deleted(tested: Tested) {
    for run in ["a", "b"] {
        tested
            .save(&Checkpoint::new("t", 1).of_run(run))
            .await
            .unwrap();
    }
    tested.delete_runs(&["b".into()]).await.unwrap();
    assert_eq!(save_in(&tested, &"t".into(), json!(1)).await, 3);
    assert_eq!(all(&tested, "t").await, [3, 1]);
    tested.delete_runs(&["a".into()]).await.unwrap();
    let next = Checkpoint::new("t", 1).with_parent(1);
    assert_eq!(tested.save(&next).await.unwrap().seq, 4);
}
