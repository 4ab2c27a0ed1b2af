//! Checkpoints that cannot be read, and what is done beside them.

use std::ops::RangeInclusive;

use sectile_checkpoint::{
    At, Channels, Checkpoint, Checkpointer as _, Error, ErrorKind, Prune, RecordsExt as _, Result,
    Threads as _, TypedValue,
};

use crate::engine::{Database, Engine, REFUSE_DELETES, change, fresh};

/// A state that is kept in pieces, none of which another number has.
fn long(number: u64) -> Vec<String> {
    let entry = |at: u64| format!("{at} of {number}: {}", "word ".repeat(200));
    (0..20).map(entry).collect()
}

/// Saves checkpoints of a thread, each by a run of its own.
async fn fill(checkpointer: &Engine, numbers: RangeInclusive<u64>) {
    for number in numbers {
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

/// What damages where the pieces of checkpoint 3 are, and what says that it has some.
const DAMAGED_LAYOUTS: [&str; 6] = [
    "state = NULL",
    // A layout, of other pieces.
    "state = (SELECT state FROM checkpoints WHERE seq = 4)",
    "form = 0",
    "form = 1",
    "form = 2",
    "form = 7",
];

#[tokio::test]
async fn a_damaged_layout_refuses_no_deletion_and_keeps_what_it_may_need() {
    for damage in DAMAGED_LAYOUTS {
        let (database, checkpointer) = fresh().await;
        fill(&checkpointer, 1..=4).await;
        let before = pieces(&checkpointer).await;
        let sql = format!("UPDATE checkpoints SET {damage} WHERE seq = 3");
        change(&database, &sql).await;
        let deleted = checkpointer.delete_runs(&["1".into()]).await;
        assert_eq!(deleted.unwrap(), 1, "{damage}");
        assert_eq!(readable(&checkpointer, 4).await, [2, 4], "{damage}");
        assert_eq!(pieces(&checkpointer).await, before, "{damage}");
        let damages = checkpointer.verify().await.unwrap();
        let seqs: Vec<_> = damages.iter().map(|damage| damage.seq).collect();
        assert_eq!(seqs, [Some(3)], "{damage}: {damages:?}");
        let deleted = checkpointer.delete_runs(&["3".into()]).await;
        assert_eq!(deleted.unwrap(), 1, "{damage}");
        assert_eq!(readable(&checkpointer, 4).await, [2, 4], "{damage}");
        assert_eq!(pieces(&checkpointer).await, before / 2, "{damage}");
        assert_eq!(checkpointer.verify().await.unwrap(), [], "{damage}");
    }
}

#[tokio::test]
async fn a_damaged_list_of_what_is_read_with_a_row_is_damage() {
    let (database, checkpointer) = fresh().await;
    let value = TypedValue::json(&"word ".repeat(20)).unwrap();
    let state = (0..200).fold(Channels::new(), |state, at| {
        state.with(&format!("channel {at}"), "1", value.clone())
    });
    let checkpoint = Checkpoint::new("t", state);
    checkpointer.save_stored(checkpoint).await.unwrap();
    for kind in [
        "",
        "x",
        "1",
        "1:",
        ":2",
        "1:x",
        "-1:2",
        "1:2,x:3",
        "1:2,",
        "1:99999999999",
        "99999999999999999999:1",
    ] {
        let damage = format!("UPDATE checkpoints SET kind = '{kind}'");
        change(&database, &damage).await;
        let found = checkpointer.load_stored(&"t".into(), &At::Latest).await;
        let found = found.map_err(|error| error.kind());
        assert_eq!(found, Err(ErrorKind::Corrupt), "{kind}");
    }
}

/// What damages checkpoint 6.
const DAMAGES: [&str; 4] = [
    "UPDATE checkpoints SET step = step + 1 WHERE seq = 6",
    "UPDATE checkpoints SET state = NULL WHERE seq = 6",
    "UPDATE checkpoints SET form = 9 WHERE seq = 6",
    "UPDATE checkpoint_pieces SET checksum = checksum + 1 \
     WHERE checksum NOT IN (SELECT checksum FROM kept)",
];

/// Makes a thread whose newest checkpoint, the sixth, is damaged.
async fn with_damaged_newest(damage: &str) -> (Database, Engine) {
    let (database, checkpointer) = fresh().await;
    fill(&checkpointer, 1..=5).await;
    let keep = "CREATE TABLE kept AS SELECT checksum FROM checkpoint_pieces";
    change(&database, keep).await;
    fill(&checkpointer, 6..=6).await;
    change(&database, damage).await;
    (database, checkpointer)
}

#[tokio::test]
async fn the_newest_that_can_be_read_stay_beside_damaged_ones() {
    for damage in DAMAGES {
        let (_database, checkpointer) = with_damaged_newest(damage).await;
        for (prune, removed, left) in [
            (Prune::keep_latest(6), 0, vec![1, 2, 3, 4, 5]),
            (Prune::keep_latest(5), 0, vec![1, 2, 3, 4, 5]),
            (Prune::keep_latest(3), 2, vec![3, 4, 5]),
            (Prune::keep_latest(2), 1, vec![4, 5]),
            (Prune::older_than(i64::MAX as u64), 1, vec![5]),
            (Prune::keep_latest(1), 0, vec![5]),
        ] {
            let pruned = checkpointer.prune(&prune).await;
            assert_eq!(pruned.unwrap(), removed, "{damage}: {prune:?}");
            assert_eq!(readable(&checkpointer, 6).await, left, "{damage}");
        }
        fill(&checkpointer, 7..=7).await;
        let pruned = checkpointer.prune(&Prune::keep_latest(1)).await;
        assert_eq!(pruned.unwrap(), 2, "{damage}");
        assert_eq!(readable(&checkpointer, 7).await, [7], "{damage}");
        assert_eq!(checkpointer.verify().await.unwrap(), [], "{damage}");
    }
}

#[tokio::test]
async fn the_greatest_ids_that_can_be_read_stay_beside_damaged_ones() {
    let (database, checkpointer) = fresh().await;
    for id in ["d", "a", "c", "b"] {
        let checkpoint = Checkpoint::new("t", vec![id.to_owned(); 9]).with_id(id);
        checkpointer.save(&checkpoint).await.unwrap();
    }
    let damage = "UPDATE checkpoints SET step = step + 1 WHERE checkpoint_id = 'd'";
    change(&database, damage).await;
    let prune = Prune::keep_latest(1).by_id();
    assert_eq!(checkpointer.prune(&prune).await.unwrap(), 2);
    for (id, is_there) in [("a", false), ("b", false), ("c", true)] {
        let at = At::Id(id.into());
        let found = checkpointer.load_at_as::<Vec<String>>("t", at).await;
        assert_eq!(found.unwrap().is_some(), is_there, "{id}");
    }
    let damages = checkpointer.verify().await.unwrap();
    assert_eq!(damages.len(), 1, "{damages:?}");
}

#[tokio::test]
async fn nothing_is_pruned_where_nothing_can_be_read() {
    let (database, checkpointer) = fresh().await;
    fill(&checkpointer, 1..=3).await;
    change(&database, "UPDATE checkpoints SET checksum = checksum + 1").await;
    for prune in [Prune::keep_latest(1), Prune::older_than(i64::MAX as u64)] {
        assert_eq!(checkpointer.prune(&prune).await.unwrap(), 0, "{prune:?}");
    }
    change(&database, "UPDATE checkpoints SET checksum = checksum - 1").await;
    assert_eq!(readable(&checkpointer, 3).await, [1, 2, 3]);
}

/// Makes sure that checkpoints were deleted, but not those of the thread `b`.
fn assert_failed_in_b(result: Result<u64>, expected: u64) {
    let Err(Error::Incomplete { done, failures }) = result else {
        panic!("{result:?}");
    };
    assert_eq!((done, failures.0.len()), (expected, 1), "{failures}");
    let failure = &failures.0[0];
    assert_eq!(failure.thread_id.as_deref(), Some("b"));
    assert_eq!(failure.error.kind(), ErrorKind::Backend, "{failure}");
}

#[tokio::test]
async fn a_thread_that_fails_keeps_no_other_from_being_done() {
    let (database, checkpointer) = fresh().await;
    change(&database, REFUSE_DELETES).await;
    for (thread_id, run) in [("a", "other"), ("b", "refused"), ("c", "other")] {
        for number in 1..=3 {
            let checkpoint = Checkpoint::new(thread_id, number).of_run(run);
            checkpointer.save(&checkpoint).await.unwrap();
        }
    }
    let prune = Prune::keep_latest(1);
    assert_failed_in_b(checkpointer.prune(&prune).await, 4);
    let runs = ["refused".to_owned(), "other".to_owned()];
    assert_failed_in_b(checkpointer.delete_runs(&runs).await, 2);
    let [root] = checkpointer
        .namespaces("b")
        .await
        .unwrap()
        .try_into()
        .unwrap();
    assert_eq!(root.checkpoints, 3);
    // Where nothing was done, the error is told as it is.
    let refused = checkpointer.prune(&prune.of_thread("b")).await;
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::Backend);
}

#[tokio::test]
async fn a_fork_does_not_go_by_the_time_of_a_damaged_checkpoint() {
    let (database, checkpointer) = fresh().await;
    fill(&checkpointer, 1..=3).await;
    let child = Checkpoint::new("t", 1)
        .in_namespace("child")
        .with_created_at(1 << 50);
    checkpointer.save(&child).await.unwrap();
    change(
        &database,
        "UPDATE checkpoints SET created_at = 5 WHERE seq = 2",
    )
    .await;
    let refused = checkpointer.fork("t", 2, "fork").await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Corrupt, "{refused:?}");
    let message = refused.to_string();
    assert!(message.contains("checkpoint 2 of thread `t`"), "{message}");
    assert!(checkpointer.namespaces("fork").await.unwrap().is_empty());
    // Before the last one, it is copied as it is.
    assert_eq!(checkpointer.fork("t", 3, "fork").await.unwrap(), 3);
}
