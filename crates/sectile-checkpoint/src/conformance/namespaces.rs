//! Namespaces of threads.

use std::sync::Arc;

use serde_json::json;

use super::support::{HARD_NAMES, all, load_in, pending, save_in, stored, writes};
use super::tested::Tested;
use crate::{
    At, Checkpoint, Checkpointer as _, Error, Key, Prune, RecordsExt as _, ThreadQuery,
    Threads as _,
};

pub async fn namespaces_are_kept_apart(tested: Tested) {
    let keys = ["", "child", "child|grandchild", "Child", "child "].map(|name| Key::new("t", name));
    for key in &keys {
        let state = json!({ "of": key.namespace });
        assert_eq!(save_in(&tested, key, state).await, 1, "{key}");
    }
    assert_eq!(save_in(&tested, &keys[1], json!(2)).await, 2);
    for key in &keys {
        let latest = tested.load_stored(key, &At::Latest).await.unwrap().unwrap();
        assert_eq!(
            (latest.thread_id.as_str(), &latest.namespace),
            ("t", &key.namespace)
        );
        let expected = if key == &keys[1] {
            json!(2)
        } else {
            json!({ "of": key.namespace })
        };
        assert_eq!(latest.state, stored(&expected), "{key}");
    }
    let none = load_in(&tested, &Key::new("t", "grandchild")).await;
    assert_eq!(none, None);
    assert_eq!(all(&tested, "t").await, [1]);
    let with_id = |name: &str| Checkpoint::new("t", 1).in_namespace(name).with_id("id");
    for name in ["", "child"] {
        assert!(tested.save(&with_id(name)).await.unwrap().is_new);
        assert!(!tested.save(&with_id(name)).await.unwrap().is_new);
    }
    for name in ["a\0b", &"x".repeat(2_560)] {
        let refused = tested.save(&with_id(name)).await;
        assert!(
            matches!(refused, Err(Error::InvalidArgument { .. })),
            "{refused:?}"
        );
    }
    let longest = Key::new("t", "x".repeat(2_559));
    save_in(&tested, &longest, json!("longest")).await;
    tested.copy_thread("t", "u").await.unwrap();
    let copied = load_in(&tested, &Key::new("u", &*longest.namespace)).await;
    assert_eq!(copied, load_in(&tested, &longest).await);
    // With the id of the copy the namespace would be too long.
    let refused = tested.copy_thread("t", "uu").await;
    assert!(
        matches!(refused, Err(Error::InvalidArgument { .. })),
        "{refused:?}"
    );
}

pub async fn namespaces_of_any_text_are_kept(tested: Tested) {
    let long = "\u{1d11e}".repeat(600);
    let names: Vec<&str> = HARD_NAMES.into_iter().chain([&*long]).collect();
    for (number, name) in (1..).zip(names.iter().copied()) {
        let key = Key::new("t", name);
        assert_eq!(save_in(&tested, &key, json!(number)).await, 1, "{name:?}");
        let task = writes("task", number);
        let put = tested.put_writes(&key, &At::Latest, &task).await;
        put.unwrap();
    }
    let mut sorted = names.clone();
    sorted.sort_unstable();
    let listed = tested.namespaces("t").await.unwrap();
    let listed: Vec<_> = listed.iter().map(|found| &*found.namespace).collect();
    assert_eq!(listed, sorted);
    let copied = tested.copy_thread("t", "u").await.unwrap();
    assert_eq!(copied, names.len() as u64);
    for (number, name) in (1..).zip(names.iter().copied()) {
        let deleted = tested.delete_namespace(&Key::new("t", name)).await;
        assert_eq!(deleted.unwrap(), 1, "{name:?}");
        let copy = Key::new("u", name);
        assert_eq!(load_in(&tested, &copy).await, Some(stored(&json!(number))));
        let expected: Vec<_> = writes("task", number).pending().collect();
        assert_eq!(pending(&tested, &copy, At::Seq(1)).await, expected);
    }
    assert!(tested.namespaces("t").await.unwrap().is_empty());
}

pub async fn namespaces_are_listed_and_go_with_their_thread(tested: Tested) {
    for (thread_id, name, count) in [("t", "", 2), ("t", "b", 1), ("t", "a", 3), ("u", "c", 1)] {
        for number in 1..=count {
            let checkpoint = Checkpoint::new(thread_id, number).in_namespace(name);
            let checkpoint = checkpoint.with_created_at(1_000 * number);
            tested.save(&checkpoint).await.unwrap();
        }
    }
    let listed = tested.namespaces("t").await.unwrap();
    let listed: Vec<_> = listed
        .iter()
        .map(|found| {
            (
                &*found.namespace,
                found.latest_seq,
                found.checkpoints,
                found.updated_at,
            )
        })
        .collect();
    assert_eq!(
        listed,
        [("", 2, 2, 2_000), ("a", 3, 3, 3_000), ("b", 1, 1, 1_000)]
    );
    assert!(tested.namespaces("nobody").await.unwrap().is_empty());
    let threads = tested.threads(&ThreadQuery::default()).await.unwrap();
    let threads: Vec<_> = threads
        .iter()
        .map(|found| {
            (
                &*found.thread_id,
                found.latest_seq,
                found.checkpoints,
                found.updated_at,
            )
        })
        .collect();
    assert_eq!(threads, [("t", 2, 6, 3_000), ("u", 0, 1, 1_000)]);

    assert_eq!(tested.copy_thread("t", "copy").await.unwrap(), 6);
    assert_eq!(tested.namespaces("copy").await.unwrap().len(), 3);
    assert_eq!(
        tested
            .prune(&Prune::keep_latest(1).of_thread("t"))
            .await
            .unwrap(),
        3
    );
    assert_eq!(tested.delete_thread("t").await.unwrap(), 3);
    assert!(tested.namespaces("t").await.unwrap().is_empty());
    assert_eq!(load_in(&tested, &Key::new("t", "a")).await, None);
    assert_eq!(tested.namespaces("copy").await.unwrap().len(), 3);
    // A thread may have no root.
    assert_eq!(tested.copy_thread("u", "v").await.unwrap(), 1);
    let refused = tested.copy_thread("copy", "v").await;
    assert!(
        matches!(refused, Err(Error::ThreadExists { .. })),
        "{refused:?}"
    );
}

pub async fn a_fork_has_of_other_namespaces_what_was_saved_by_then(tested: Tested) {
    for (name, time) in [
        ("", 10),
        ("child", 11),
        ("", 20),
        ("child", 21),
        ("late", 25),
        ("", 30),
    ] {
        let checkpoint = Checkpoint::new("t", time).in_namespace(name);
        tested
            .save(&checkpoint.with_created_at(time))
            .await
            .unwrap();
    }
    assert_eq!(tested.fork("t", 2, "fork").await.unwrap(), 3);
    let listed = tested.namespaces("fork").await.unwrap();
    let listed: Vec<_> = listed
        .iter()
        .map(|found| (&*found.namespace, found.latest_seq))
        .collect();
    assert_eq!(listed, [("", 2), ("child", 1)]);
    assert_eq!(
        save_in(&tested, &Key::new("fork", "child"), json!(1)).await,
        2
    );
}

pub async fn a_namespace_is_deleted_alone(tested: Tested) {
    let keys = [
        Key::from("t"),
        Key::new("t", "child"),
        Key::new("t", "other"),
    ];
    for key in &keys {
        save_in(&tested, key, json!(1)).await;
    }
    assert_eq!(tested.delete_namespace(&keys[1]).await.unwrap(), 1);
    assert_eq!(tested.delete_namespace(&keys[1]).await.unwrap(), 0);
    assert_eq!(load_in(&tested, &keys[1]).await, None);
    assert_eq!(tested.namespaces("t").await.unwrap().len(), 2);
    assert_eq!(save_in(&tested, &keys[1], json!(2)).await, 1);
}

pub async fn a_checkpointer_of_a_namespace_means_that_one(tested: Tested) {
    let child = Arc::clone(&tested).in_namespace("child");
    child.save(&Checkpoint::new("t", 1)).await.unwrap();
    tested.save(&Checkpoint::new("t", 2)).await.unwrap();
    let found = child.load_as::<u8>("t").await.unwrap().unwrap();
    assert_eq!((found.state, found.namespace.as_str()), (1, "child"));
    let found = tested.load_as::<u8>("t").await.unwrap().unwrap();
    assert_eq!((found.state, found.namespace.as_str()), (2, ""));
    child
        .put_writes(&"t".into(), &At::Seq(1), &writes("task", 1))
        .await
        .unwrap();
    assert_eq!(
        child
            .pending_writes(&"t".into(), &At::Latest)
            .await
            .unwrap()
            .len(),
        1
    );
    assert!(
        tested
            .pending_writes(&"t".into(), &At::Latest)
            .await
            .unwrap()
            .is_empty()
    );
    for name in ["a\0b", &"x".repeat(2_560)] {
        let child = Arc::clone(&tested).in_namespace(name);
        let at = At::Id("id".into());
        let refused = [
            child.save(&Checkpoint::new("t", 1)).await.map(drop),
            child.put_writes(&"t".into(), &at, &writes("task", 1)).await,
        ];
        for refused in refused {
            assert!(
                matches!(refused, Err(Error::InvalidArgument { .. })),
                "{refused:?}"
            );
        }
        assert_eq!(child.load_as::<u8>("t").await.unwrap(), None);
        let found = child.pending_writes(&"t".into(), &at).await.unwrap();
        assert!(found.is_empty());
    }
}
