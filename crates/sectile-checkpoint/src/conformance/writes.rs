//! What tasks write beside checkpoints.

use serde_json::json;

use super::support::{all, load, long, pending, save_in, save_numbers, thread_ids, writes};
use super::tested::Tested;
use crate::{
    At, Checkpoint, Checkpointer as _, Error, Key, PendingWrite, Prune, RecordsExt as _,
    TaskWrites, Threads as _, TypedValue, Write,
};

pub async fn writes_are_kept_beside_a_checkpoint(tested: Tested) {
    let key = Key::from("t");
    save_numbers(&tested, "t", 2).await;
    let one = TaskWrites::new("task-b")
        .at_path("~__pregel_pull, agent")
        .of_run("run")
        .write("messages", TypedValue::new("msgpack", *b"\x00\xff"))
        .write("messages", TypedValue::json(&[1, 2]).unwrap())
        .write("count", TypedValue::new("null", *b""));
    tested.put_writes(&key, &At::Seq(2), &one).await.unwrap();
    tested
        .put_writes(&key, &At::Latest, &writes("task-a", 1))
        .await
        .unwrap();
    let found = pending(&tested, &key, At::Seq(2)).await;
    // A task without a path comes first.
    let expected: Vec<_> = writes("task-a", 1).pending().chain(one.pending()).collect();
    assert_eq!(found, expected);
    assert_eq!(pending(&tested, &key, At::Latest).await, expected);
    assert!(pending(&tested, &key, At::Seq(1)).await.is_empty());
    assert!(
        pending(&tested, &"nobody".into(), At::Latest)
            .await
            .is_empty()
    );
    // The next step begins without any.
    save_numbers(&tested, "t", 1).await;
    assert!(pending(&tested, &key, At::Latest).await.is_empty());
    assert_eq!(pending(&tested, &key, At::Seq(2)).await, expected);
}

pub async fn writes_are_in_the_order_of_their_tasks_paths(tested: Tested) {
    let key = Key::from("t");
    save_numbers(&tested, "t", 1).await;
    // Sorted by bytes: a language would put `b` before `Z`, and `~` before letters.
    let in_order = [
        ("", "z"),
        ("Z", "m"),
        ("b", "a"),
        ("b", "c"),
        ("~__pregel_pull, n1", "b"),
        ("é", "a2"),
    ];
    for at in [3, 0, 5, 2, 4, 1] {
        let (path, task) = in_order[at];
        let of_task = writes(task, 1).write("more", long(2)).at_path(path);
        let put = tested.put_writes(&key, &At::Seq(1), &of_task).await;
        put.unwrap();
    }
    let found = pending(&tested, &key, At::Latest).await;
    let found: Vec<_> = found.iter().map(PendingWrite::order).collect();
    let expected: Vec<_> = in_order
        .iter()
        .flat_map(|(path, task)| [(*path, *task, 0), (*path, *task, 1)])
        .collect();
    assert_eq!(found, expected);
}

pub async fn writes_are_kept_once_and_special_ones_replaced(tested: Tested) {
    let key = Key::from("t");
    save_numbers(&tested, "t", 1).await;
    let put =
        async |writes: TaskWrites| tested.put_writes(&key, &At::Seq(1), &writes).await.unwrap();
    put(writes("task", 1).write("__interrupt__", long(2))).await;
    put(writes("task", 3)
        .write("__interrupt__", long(4))
        .write("more", long(5)))
    .await;
    put(TaskWrites::new("task")
        .write("__resume__", long(6))
        .write("__error__", long(7)))
    .await;
    put(TaskWrites::new("task")
        .write("__resume__", long(8))
        .write("__scheduled__", long(9)))
    .await;
    let found = pending(&tested, &key, At::Seq(1)).await;
    let found: Vec<_> = found
        .iter()
        .map(|found| {
            (
                found.write.index,
                &*found.write.channel,
                found.write.value.clone(),
            )
        })
        .collect();
    let expected = [
        (-4, "__resume__", long(8)),
        (-3, "__interrupt__", long(4)),
        (-2, "__scheduled__", long(9)),
        (-1, "__error__", long(7)),
        (0, "messages", long(1)),
        (2, "more", long(5)),
    ];
    assert_eq!(found, expected);
}

pub async fn writes_that_were_replaced_do_not_come_back(tested: Tested) {
    let key = Key::from("t");
    save_numbers(&tested, "t", 1).await;
    for (run, number) in [("a", 1), ("b", 2)] {
        let writes = writes("task", number).write("__resume__", long(number));
        let put = tested
            .put_writes(&key, &At::Seq(1), &writes.of_run(run))
            .await;
        put.unwrap();
    }
    let runs = async || {
        let found = pending(&tested, &key, At::Seq(1)).await;
        let runs = found
            .into_iter()
            .map(|found| (found.write.index, found.run_id.unwrap_or_default()));
        runs.collect::<Vec<_>>()
    };
    assert_eq!(runs().await, [(-4, "b".into()), (0, "a".into())]);
    tested.delete_runs(&["b".into()]).await.unwrap();
    assert_eq!(runs().await, [(0, "a".into())]);
    tested.delete_runs(&["a".into()]).await.unwrap();
    assert_eq!(runs().await, []);
}

pub async fn writes_of_one_call_settle_as_those_of_several(tested: Tested) {
    let key = Key::from("t");
    save_numbers(&tested, "t", 1).await;
    let mut twice = TaskWrites::new("task");
    for number in 1..=2 {
        for index in [-3, 0] {
            twice.writes.push(Write {
                index,
                channel: "channel".into(),
                value: long(number),
            });
        }
    }
    for _ in 0..2 {
        tested.put_writes(&key, &At::Seq(1), &twice).await.unwrap();
        let found = pending(&tested, &key, At::Seq(1)).await;
        let found: Vec<_> = found
            .into_iter()
            .map(|found| (found.write.index, found.write.value))
            .collect();
        assert_eq!(found, [(-3, long(2)), (0, long(1))]);
    }
}

/// What a task writes again and again, with something new on a special channel each time.
fn repeated(task: u64, time: u64) -> TaskWrites {
    writes(&format!("task {task:02}"), task)
        .write("more", long(1_000))
        .write("__resume__", long(time))
}

pub async fn writes_of_many_tasks_are_kept_beside_saves(tested: Tested) {
    save_numbers(&tested, "t", 1).await;
    let write = |task| {
        let tested = tested.clone();
        async move {
            for time in 1..=3 {
                let writes = repeated(task, time);
                let put = tested.put_writes(&"t".into(), &At::Seq(1), &writes).await;
                put.unwrap();
                let checkpoint = Checkpoint::new("t", json!({ "task": task }));
                tested.save(&checkpoint).await.unwrap();
            }
        }
    };
    tested.run((0..16).map(write)).await;
    let found = pending(&tested, &"t".into(), At::Seq(1)).await;
    let mut expected: Vec<_> = (0..16)
        .flat_map(|task| repeated(task, 3).pending().collect::<Vec<_>>())
        .collect();
    expected.sort_by(|one, other| one.order().cmp(&other.order()));
    assert_eq!(found, expected);
    let stored: Vec<u64> = (1..=49).rev().collect();
    assert_eq!(all(&tested, "t").await, stored);
}

pub async fn writes_that_are_refused_spoil_no_others(tested: Tested) {
    save_numbers(&tested, "t", 1).await;
    let write = |task| {
        let tested = tested.clone();
        async move {
            let at = At::Seq(if task == 7 { 99 } else { 1 });
            let writes = writes(&format!("task {task:02}"), task);
            (task, tested.put_writes(&"t".into(), &at, &writes).await)
        }
    };
    for (task, outcome) in tested.run((0..16).map(write)).await {
        match outcome {
            Err(Error::NotFound { seq, .. }) => assert_eq!((task, seq), (7, Some(99))),
            outcome => assert!(task != 7 && outcome.is_ok(), "{task}: {outcome:?}"),
        }
    }
    let found = pending(&tested, &"t".into(), At::Seq(1)).await;
    let expected: Vec<_> = (0..16)
        .filter(|task| *task != 7)
        .flat_map(|task| {
            let writes = writes(&format!("task {task:02}"), task);
            writes.pending().collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(found, expected);
}

pub async fn writes_may_come_before_a_checkpoint_with_an_id(tested: Tested) {
    let (key, at) = (Key::from("t"), At::Id("id".into()));
    tested
        .put_writes(&key, &at, &writes("task", 1))
        .await
        .unwrap();
    assert!(thread_ids(&tested, None, None).await.is_empty());
    assert_eq!(load(&tested, "t").await, None);
    tested
        .save(&Checkpoint::new("t", 1).with_id("id"))
        .await
        .unwrap();
    for at in [at, At::Latest, At::Seq(1)] {
        assert_eq!(pending(&tested, &key, at).await.len(), 1);
    }
    assert_eq!(all(&tested, "t").await, [1]);
}

pub async fn writes_beside_nothing_are_refused(tested: Tested) {
    save_numbers(&tested, "t", 1).await;
    for (thread_id, at) in [
        ("t", At::Seq(2)),
        ("nobody", At::Latest),
        ("nobody", At::Seq(1)),
    ] {
        let refused = tested
            .put_writes(&thread_id.into(), &at, &writes("task", 1))
            .await;
        assert!(
            matches!(refused, Err(Error::NotFound { .. })),
            "{refused:?}"
        );
    }
    for writes in [
        writes("", 1),
        writes("a\0", 1),
        writes(&"t".repeat(513), 1),
        writes("t", 1).write("", long(1)),
        writes("t", 1).write("a", TypedValue::new("", *b"")),
        writes("t", 1).of_run(""),
    ] {
        let refused = tested.put_writes(&"t".into(), &At::Seq(1), &writes).await;
        assert!(
            matches!(refused, Err(Error::InvalidArgument { .. })),
            "{refused:?}"
        );
    }
    assert_eq!(thread_ids(&tested, None, None).await, ["t"]);
    assert!(pending(&tested, &"t".into(), At::Latest).await.is_empty());
}

pub async fn writes_go_where_their_checkpoint_goes(tested: Tested) {
    let key = Key::from("t");
    for number in 1..=4 {
        let checkpoint = Checkpoint::new("t", number);
        let checkpoint = if number % 2 == 0 {
            checkpoint.with_id(number.to_string())
        } else {
            checkpoint
        };
        tested.save(&checkpoint).await.unwrap();
        tested
            .put_writes(&key, &At::Seq(number), &writes("task", number))
            .await
            .unwrap();
    }
    tested.fork("t", 2, "fork").await.unwrap();
    tested.copy_thread("t", "copy").await.unwrap();
    for (thread_id, seqs) in [("fork", 1..=2), ("copy", 1..=4)] {
        for seq in seqs {
            let expected: Vec<_> = writes("task", seq).pending().collect();
            assert_eq!(
                pending(&tested, &thread_id.into(), At::Seq(seq)).await,
                expected
            );
        }
    }
    assert_eq!(
        tested
            .prune(&Prune::keep_latest(1).of_thread("t"))
            .await
            .unwrap(),
        3
    );
    for at in [At::Seq(1), At::Seq(2), At::Id("2".into()), At::Seq(3)] {
        assert!(pending(&tested, &key, at).await.is_empty());
    }
    assert_eq!(pending(&tested, &key, At::Latest).await.len(), 1);
    tested.delete_thread("t").await.unwrap();
    save_numbers(&tested, "t", 3).await;
    tested
        .save(&Checkpoint::new("t", 4).with_id("4"))
        .await
        .unwrap();
    assert!(pending(&tested, &key, At::Latest).await.is_empty());
    assert_eq!(
        pending(&tested, &"copy".into(), At::Id("4".into()))
            .await
            .len(),
        1
    );
}

pub async fn writes_of_namespaces_are_kept_apart(tested: Tested) {
    let keys = [Key::from("t"), Key::new("t", "child")];
    for (number, key) in (1..).zip(&keys) {
        save_in(&tested, key, json!(1)).await;
        tested
            .put_writes(key, &At::Seq(1), &writes("task", number))
            .await
            .unwrap();
    }
    for (number, key) in (1..).zip(&keys) {
        let expected: Vec<_> = writes("task", number).pending().collect();
        assert_eq!(pending(&tested, key, At::Seq(1)).await, expected);
    }
}

async fn counted(tested: &Tested, key: &Key, seqs: &[u64]) -> Vec<u64> {
    tested.count_writes(key, seqs).await.unwrap()
}

pub async fn writes_are_counted_by_checkpoint(tested: Tested) {
    let (root, child) = (Key::from("t"), Key::new("t", "child"));
    save_numbers(&tested, "t", 2).await;
    let named = Checkpoint::new("t", json!(3)).with_id("three");
    tested.save(&named).await.unwrap();
    save_in(&tested, &child, json!(1)).await;
    let two = writes("task-b", 1).write("more", long(2));
    let failed = TaskWrites::new("task-a").write("__error__", long(1));
    // What is written again, or replaced, counts once.
    for _ in 0..2 {
        for (key, at, of_task) in [
            (&root, At::Seq(1), &failed),
            (&root, At::Id("three".into()), &failed),
            (&root, At::Seq(3), &two),
            (&child, At::Seq(1), &two),
        ] {
            tested.put_writes(key, &at, of_task).await.unwrap();
        }
    }
    let all = [3, 1, 2, 4, u64::MAX];
    assert_eq!(counted(&tested, &root, &all).await, [3, 1, 0, 0, 0]);
    assert_eq!(counted(&tested, &root, &[2]).await, [0]);
    assert!(counted(&tested, &root, &[]).await.is_empty());
    assert_eq!(counted(&tested, &child, &[1]).await, [2]);
    assert_eq!(counted(&tested, &"nobody".into(), &[1]).await, [0]);
}

pub async fn writes_of_many_checkpoints_are_read_together(tested: Tested) {
    // Ids with all that a list of them could take for its own.
    let ids = ["a", "b\"],\\ \u{1}", "é,'%", "#1"];
    for (number, id) in (1..).zip(ids) {
        let checkpoint = Checkpoint::new("t", number).with_id(id);
        tested.save(&checkpoint).await.unwrap();
    }
    save_numbers(&tested, "t", 2).await;
    let key = Key::from("t");
    let early = At::Id("early".into());
    let named = ids.map(|id| At::Id(id.to_owned()));
    let written = [&named[1], &named[2], &named[3], &At::Seq(5), &early];
    for (number, at) in (1..).zip(written) {
        for task in ["b", "a"] {
            let writes = writes(task, number).write("more", long(number + 10));
            tested.put_writes(&key, at, &writes).await.unwrap();
        }
    }
    let mut all = named.to_vec();
    all.extend([At::Seq(2), At::Seq(5), At::Latest, At::Seq(9), early]);
    all.push(At::Id("none".into()));
    let found = tested.pending_writes_of(&key, &all).await.unwrap();
    let counts: Vec<usize> = found.iter().map(Vec::len).collect();
    assert_eq!(counts, [0, 4, 4, 4, 4, 4, 0, 0, 4, 0]);
    for (at, found) in all.into_iter().zip(found) {
        assert_eq!(found, pending(&tested, &key, at).await);
    }
    for other in [Key::from("nobody"), Key::new("t", "child")] {
        let found = tested.pending_writes_of(&other, &named).await.unwrap();
        assert_eq!(found, vec![Vec::new(); 4], "{other}");
    }
    assert!(
        tested
            .pending_writes_of(&key, &[])
            .await
            .unwrap()
            .is_empty()
    );
}
