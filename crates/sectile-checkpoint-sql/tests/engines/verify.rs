//! A database is looked over: while it is in use, and after it was changed past the checkpointer.

use sectile_checkpoint::{
    Checkpoint, Checkpointer as _, ErrorKind, Prune, ThreadOrder, ThreadQuery, Threads as _,
};

use crate::engine::{Database, Engine, change, fresh};

/// A state that is kept in pieces.
fn long(number: usize) -> Vec<String> {
    let entry = |at: usize| format!("{at} of {number}: {}", "word ".repeat(200));
    (number / 2..number / 2 + 20).map(entry).collect()
}

/// Saves, prunes and deletes.
async fn use_it(checkpointer: Engine) {
    for number in 0..400 {
        let thread_id = format!("thread {}", number % 3);
        let checkpoint = Checkpoint::new(thread_id, long(number));
        checkpointer.save(&checkpoint).await.unwrap();
        if number % 4 == 0 {
            checkpointer.prune(&Prune::keep_latest(2)).await.unwrap();
        }
        if number % 50 == 0 {
            checkpointer.delete_thread("thread 1").await.unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_others_do_meanwhile_is_no_damage() {
    let (_database, checkpointer) = fresh().await;
    let user = tokio::spawn(use_it(checkpointer.clone()));
    while !user.is_finished() {
        assert_eq!(checkpointer.verify().await.unwrap(), []);
        let usages = checkpointer.usage().await.unwrap();
        let is_named = usages.iter().all(|usage| !usage.thread_id.is_empty());
        assert!(is_named, "{usages:?}");
    }
    user.await.unwrap();
}

/// Saves a thread whose states are in pieces and have metadata.
async fn fill(checkpointer: &Engine) {
    for number in 0..3 {
        let checkpoint = Checkpoint::new("t", long(number))
            .of_run("r")
            .with_metadata("user", "ada")
            .with_metadata("is_long", true);
        checkpointer.save(&checkpoint).await.unwrap();
    }
}

/// Makes a database with one thread.
async fn filled() -> (Database, Engine) {
    let (database, checkpointer) = fresh().await;
    fill(&checkpointer).await;
    (database, checkpointer)
}

/// What follows from the rest, changed past the checkpointer, and what is said of it.
const DERIVED: [(&str, &str); 9] = [
    (
        "UPDATE checkpoint_threads SET last_seq = 2",
        "the last number is 3, not 2",
    ),
    (
        "UPDATE checkpoint_threads SET last_piece = 1",
        "the last piece is",
    ),
    (
        "UPDATE checkpoint_threads SET updated_at = 5",
        "not at 5 (slot",
    ),
    ("UPDATE checkpoint_threads SET used_slot = 5", "(slot 5)"),
    (
        "UPDATE checkpoint_threads SET checkpoints = 5",
        "it has 3 checkpoints, not 5",
    ),
    (
        "UPDATE checkpoint_threads SET newest_seq = 2",
        "the newest checkpoint is 3, not 2",
    ),
    (
        "DELETE FROM checkpoint_metadata",
        "2 entries of `checkpoint_metadata` are missing",
    ),
    (
        "DROP INDEX checkpoints_by_run",
        "the index `checkpoints_by_run` is missing",
    ),
    (
        "INSERT INTO checkpoint_metadata VALUES (77, 1, 1)",
        "1 rows of `checkpoint_metadata` belong to no thread",
    ),
];

#[tokio::test]
async fn what_follows_from_the_rest_is_compared() {
    for (damage, said) in DERIVED {
        let (database, checkpointer) = filled().await;
        assert_eq!(checkpointer.verify().await.unwrap(), []);
        change(&database, damage).await;
        let damages = checkpointer.verify().await.unwrap();
        assert_eq!(damages.len(), 1, "{damage}: {damages:?}");
        assert!(damages[0].to_string().contains(said), "{damages:?}");
    }
}

#[tokio::test]
async fn a_thread_that_is_missing_leaves_rows() {
    let (database, checkpointer) = filled().await;
    change(&database, "DELETE FROM checkpoint_threads").await;
    let damages = checkpointer.verify().await.unwrap();
    let damages: Vec<String> = damages.iter().map(ToString::to_string).collect();
    assert_eq!(damages.len(), 3, "{damages:?}");
    assert!(
        damages[0].starts_with("3 rows of `checkpoints`"),
        "{damages:?}"
    );
}

#[tokio::test]
async fn a_number_that_is_taken_is_damage_and_a_copy_counts_anew() {
    for damage in [
        "last_seq = 1",
        "last_seq = 1, newest_seq = 1",
        "last_piece = 1",
    ] {
        let (database, checkpointer) = filled().await;
        let sql = format!("UPDATE checkpoint_threads SET {damage}");
        change(&database, &sql).await;
        for lines in [1, 20] {
            let state = long(100)[..lines].to_vec();
            let saved = checkpointer.save(&Checkpoint::new("t", state)).await;
            if damage == "last_piece = 1" && lines == 1 {
                // A small state has no pieces.
                assert_eq!(saved.unwrap().seq, 4);
                continue;
            }
            let error = saved.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Corrupt, "{damage}: {error:?}");
            assert!(error.to_string().contains("copy the thread"), "{error}");
        }
        let copied = checkpointer.copy_thread("t", "copy").await.unwrap();
        let next = Checkpoint::new("copy", long(100));
        let saved = checkpointer.save(&next).await.unwrap();
        assert_eq!(saved.seq, copied + 1, "{damage}");
        checkpointer.delete_thread("t").await.unwrap();
        assert_eq!(checkpointer.verify().await.unwrap(), [], "{damage}");
    }
}

#[tokio::test]
async fn threads_are_listed_without_their_states() {
    let (database, checkpointer) = filled().await;
    change(&database, "UPDATE checkpoint_pieces SET checksum = 0").await;
    let refused: Result<Option<Checkpoint<Vec<String>>>, _> = checkpointer.load("t").await;
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::Corrupt);
    for (user, expected) in [("ada", 1), ("bob", 0)] {
        for order in [ThreadOrder::ById, ThreadOrder::ByLastUse] {
            let mut query = ThreadQuery {
                order,
                ..ThreadQuery::default()
            };
            let _ = query.metadata.insert("user".into(), user.into());
            let found = checkpointer.threads(&query).await.unwrap();
            assert_eq!(found.len(), expected, "{query:?}");
        }
    }
}
