//! Threads are listed.

use serde_json::{Value, json};

use super::support::{save_numbers, thread_ids, threads_by};
use super::tested::Tested;
use crate::{Checkpoint, Checkpointer as _, Prune, ThreadOrder, ThreadQuery, Threads as _};

pub async fn threads_are_listed_in_the_order_of_their_ids(tested: Tested) {
    assert!(thread_ids(&tested, None, None).await.is_empty());
    for (thread_id, count) in [("é", 1), ("b", 3), ("B", 2), ("a_%", 1), ("z", 1)] {
        save_numbers(&tested, thread_id, count).await;
    }
    assert_eq!(
        thread_ids(&tested, None, None).await,
        ["B", "a_%", "b", "z", "é"]
    );
    assert_eq!(thread_ids(&tested, Some(2), None).await, ["B", "a_%"]);
    assert_eq!(thread_ids(&tested, Some(2), Some("a_%")).await, ["b", "z"]);
    assert_eq!(thread_ids(&tested, None, Some("c")).await, ["z", "é"]);

    tested
        .prune(&Prune::keep_latest(2).of_thread("b"))
        .await
        .unwrap();
    let found = tested.threads(&ThreadQuery::default()).await.unwrap();
    let b = found.iter().find(|thread| thread.thread_id == "b").unwrap();
    assert_eq!((b.latest_seq, b.checkpoints, b.updated_at), (3, 2, 3_000));
}

/// Threads, namespaces and when they are used: at times of one slot and of others, with ties, and with a
/// namespace that is older than its thread.
const USED: [(&str, &str, u64); 7] = [
    ("a", "", 5_000_000),
    ("b", "", 9),
    ("c", "", 5_000_000),
    ("d", "", 7),
    ("b", "child", 6_000_000),
    ("e", "", 5_000_001),
    ("c", "x", 1),
];

/// Saves a checkpoint at each of the times, with metadata that one thread lacks.
async fn save_used(tested: &Tested) {
    for (thread_id, name, time) in USED {
        let checkpoint = Checkpoint::new(thread_id, 1)
            .in_namespace(name)
            .with_metadata("odd", thread_id != "c")
            .with_created_at(time);
        tested.save(&checkpoint).await.unwrap();
    }
}

pub async fn threads_are_listed_by_last_use(tested: Tested) {
    save_used(&tested).await;
    let by_last_use = ThreadQuery {
        order: ThreadOrder::ByLastUse,
        ..ThreadQuery::default()
    };
    let everything = ["b", "e", "a", "c", "d"];
    assert_eq!(threads_by(&tested, by_last_use.clone()).await, everything);
    let mut paged = Vec::new();
    let mut after = None;
    loop {
        let page = ThreadQuery {
            limit: Some(2),
            after: after.clone(),
            ..by_last_use.clone()
        };
        let found = threads_by(&tested, page).await;
        let Some(last) = found.last() else {
            break;
        };
        after = Some(last.clone());
        paged.extend(found);
    }
    assert_eq!(paged, everything);
    let old = ThreadQuery {
        used_before: Some(5_000_001),
        ..by_last_use.clone()
    };
    assert_eq!(threads_by(&tested, old).await, ["a", "c", "d"]);
    let old = ThreadQuery {
        used_before: Some(5_000_000),
        ..ThreadQuery::default()
    };
    assert_eq!(threads_by(&tested, old).await, ["d"]);
    let gone = ThreadQuery {
        after: Some("nobody".into()),
        ..by_last_use.clone()
    };
    assert!(threads_by(&tested, gone).await.is_empty());
    tested.save(&Checkpoint::new("d", 2)).await.unwrap();
    assert_eq!(threads_by(&tested, by_last_use).await[0], "d");
}

pub async fn threads_are_listed_between_two_times(tested: Tested) {
    save_used(&tested).await;
    let odd = json!({ "odd": true }).as_object().cloned().unwrap();
    for (since, before, by_id, by_use) in [
        (None, None, vec!["a", "b", "c", "d", "e"], "beacd"),
        (
            Some(0),
            Some(u64::MAX),
            vec!["a", "b", "c", "d", "e"],
            "beacd",
        ),
        (Some(5_000_000), None, vec!["a", "b", "c", "e"], "beac"),
        (Some(5_000_001), None, vec!["b", "e"], "be"),
        (None, Some(5_000_000), vec!["d"], "d"),
        (Some(7), Some(5_000_001), vec!["a", "c", "d"], "acd"),
        (Some(8), Some(5_000_001), vec!["a", "c"], "ac"),
        (Some(6_000_000), Some(6_000_000), vec![], ""),
        (Some(6_000_001), None, vec![], ""),
    ] {
        let query = ThreadQuery {
            used_since: since,
            used_before: before,
            ..ThreadQuery::default()
        };
        let name = format!("{since:?} {before:?}");
        assert_eq!(threads_by(&tested, query.clone()).await, by_id, "{name}");
        let recent = ThreadQuery {
            order: ThreadOrder::ByLastUse,
            ..query.clone()
        };
        assert_eq!(paged(&tested, &recent).await.concat(), by_use, "{name}");
        let odd = ThreadQuery {
            metadata: odd.clone(),
            ..query
        };
        let expected: Vec<_> = by_id.into_iter().filter(|id| *id != "c").collect();
        assert_eq!(paged(&tested, &odd).await, expected, "{name}");
        let odd = ThreadQuery {
            order: ThreadOrder::ByLastUse,
            ..odd
        };
        let expected = by_use.replace('c', "");
        assert_eq!(paged(&tested, &odd).await.concat(), expected, "{name}");
    }
}

/// Lists threads one at a time.
async fn paged(tested: &Tested, query: &ThreadQuery) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    loop {
        let page = ThreadQuery {
            limit: Some(1),
            after: all.last().cloned(),
            ..query.clone()
        };
        let found = threads_by(tested, page).await;
        if found.is_empty() {
            return all;
        }
        all.extend(found);
    }
}

pub async fn threads_are_listed_by_metadata(tested: Tested) {
    for (thread_id, user) in [
        ("a", "ada"),
        ("b", "bob"),
        ("c", "ada"),
        ("d", "ada"),
        ("e", ""),
    ] {
        for step in 0..3 {
            let checkpoint = Checkpoint::new(thread_id, step).with_metadata("step", step);
            let checkpoint = if user.is_empty() {
                checkpoint
            } else {
                checkpoint.with_metadata("user_id", user)
            };
            tested
                .save(&checkpoint.with_created_at(1_000 + step))
                .await
                .unwrap();
        }
    }
    let of = |entries: &[(&str, Value)]| ThreadQuery {
        metadata: entries
            .iter()
            .map(|(key, value)| ((*key).into(), value.clone()))
            .collect(),
        ..ThreadQuery::default()
    };
    let ada = of(&[("user_id", json!("ada"))]);
    assert_eq!(threads_by(&tested, ada.clone()).await, ["a", "c", "d"]);
    let page = ThreadQuery {
        limit: Some(1),
        after: Some("a".into()),
        ..ada.clone()
    };
    assert_eq!(threads_by(&tested, page).await, ["c"]);
    let both = of(&[("user_id", json!("ada")), ("step", json!(2))]);
    assert_eq!(threads_by(&tested, both).await, ["a", "c", "d"]);
    assert!(
        threads_by(&tested, of(&[("user_id", json!("eve"))]))
            .await
            .is_empty()
    );
    assert!(
        threads_by(
            &tested,
            of(&[("user_id", json!("ada")), ("step", json!(3))])
        )
        .await
        .is_empty()
    );
    tested
        .save(&Checkpoint::new("c", 9).with_created_at(9_999))
        .await
        .unwrap();
    let recent = ThreadQuery {
        order: ThreadOrder::ByLastUse,
        ..ada.clone()
    };
    assert_eq!(threads_by(&tested, recent.clone()).await, ["c", "a", "d"]);
    let recent = ThreadQuery {
        after: Some("c".into()),
        limit: Some(1),
        ..recent
    };
    assert_eq!(threads_by(&tested, recent).await, ["a"]);
    // What is gone is not found.
    tested.prune(&Prune::keep_latest(1)).await.unwrap();
    assert_eq!(threads_by(&tested, ada.clone()).await, ["a", "d"]);
    tested.delete_thread("a").await.unwrap();
    assert_eq!(threads_by(&tested, ada).await, ["d"]);
}

pub async fn threads_are_found_by_the_metadata_of_any_checkpoint(tested: Tested) {
    let save = async |thread_id: &str, name: &str, time: u64, entries: &[&str]| {
        let mut checkpoint = Checkpoint::new(thread_id, time).in_namespace(name);
        checkpoint.created_at = time;
        for entry in entries {
            checkpoint = checkpoint.with_metadata(*entry, true);
        }
        tested.save(&checkpoint).await.unwrap();
    };
    // The last one of all has it, the first of many, one in a namespace, and none: each has a half.
    save("last", "", 4, &[]).await;
    save("last", "", 9, &["a", "b"]).await;
    save("first", "", 1, &["a", "b"]).await;
    for time in 2..140 {
        save("first", "", time, &["b"]).await;
    }
    save("inner", "", 3, &["a"]).await;
    save("inner", "child", 4, &["a", "b"]).await;
    save("inner", "child", 5, &["b"]).await;
    save("inner", "other", 6, &[]).await;
    save("none", "", 7, &["a"]).await;
    save("none", "", 8, &["b"]).await;
    save("none", "child", 9, &["c"]).await;
    let metadata = json!({ "a": true, "b": true });
    let mut query = ThreadQuery {
        metadata: metadata.as_object().cloned().unwrap(),
        ..ThreadQuery::default()
    };
    let by_id = ["first", "inner", "last"];
    assert_eq!(threads_by(&tested, query.clone()).await, by_id);
    assert_eq!(paged(&tested, &query).await, by_id);
    query.order = ThreadOrder::ByLastUse;
    let by_use = ["first", "last", "inner"];
    assert_eq!(threads_by(&tested, query.clone()).await, by_use);
    assert_eq!(paged(&tested, &query).await, by_use);
}

pub async fn a_list_of_threads_goes_on_behind_one_without_the_metadata(tested: Tested) {
    for (time, thread_id) in (1..).zip(["d", "b", "c", "a", "e"]) {
        let checkpoint = Checkpoint::new(thread_id, time).with_created_at(time);
        let checkpoint = checkpoint.with_metadata("all", 1).of_run(thread_id);
        let checkpoint = match thread_id {
            "c" => checkpoint,
            _ => checkpoint.with_metadata("user", "ada"),
        };
        tested.save(&checkpoint).await.unwrap();
    }
    for (metadata, order, after, expected) in [
        (
            json!({"user": "ada"}),
            ThreadOrder::ByLastUse,
            "c",
            vec!["b", "d"],
        ),
        (
            json!({"user": "ada"}),
            ThreadOrder::ByLastUse,
            "a",
            vec!["b", "d"],
        ),
        (
            json!({"user": "ada"}),
            ThreadOrder::ByLastUse,
            "none",
            vec![],
        ),
        (
            json!({"user": "ada"}),
            ThreadOrder::ById,
            "c",
            vec!["d", "e"],
        ),
        (
            json!({"user": "ada"}),
            ThreadOrder::ById,
            "bb",
            vec!["d", "e"],
        ),
        (
            json!({"all": 1, "user": "ada"}),
            ThreadOrder::ById,
            "a",
            vec!["b", "d", "e"],
        ),
        (
            json!({"all": 1, "user": "bob"}),
            ThreadOrder::ById,
            "",
            vec![],
        ),
    ] {
        let query = ThreadQuery {
            order,
            after: Some(after.to_owned()),
            metadata: metadata.as_object().cloned().unwrap(),
            ..ThreadQuery::default()
        };
        assert_eq!(
            threads_by(&tested, query).await,
            expected,
            "{metadata} {after}"
        );
    }
}
