//! Checkpoints are listed.

use serde_json::{Value, json};

use super::support::{all, list, save_numbers, threads_by};
use super::tested::Tested;
use crate::{
    Checkpoint, CheckpointHistory as _, CheckpointOrder, CheckpointQuery, Checkpointer as _,
    ThreadQuery, Threads as _,
};

pub async fn checkpoints_are_listed_newest_first(tested: Tested) {
    save_numbers(&tested, "thread", 12).await;
    let newest_first: Vec<u64> = (1..=12).rev().collect();
    assert_eq!(all(&tested, "thread").await, newest_first);
}

pub async fn a_list_is_limited_and_begins_before_a_number(tested: Tested) {
    save_numbers(&tested, "thread", 12).await;
    let query = |limit, before| CheckpointQuery {
        limit,
        before,
        ..CheckpointQuery::default()
    };
    let cases: [(CheckpointQuery, &[u64]); 7] = [
        (query(Some(2), None), &[12, 11]),
        (query(Some(0), None), &[]),
        (query(None, Some(4)), &[3, 2, 1]),
        (query(Some(2), Some(11)), &[10, 9]),
        (query(None, Some(1)), &[]),
        (query(Some(1), Some(u64::MAX)), &[12]),
        (query(Some(usize::MAX), Some(3)), &[2, 1]),
    ];
    for (query, expected) in cases {
        assert_eq!(list(&tested, "thread", &query).await, expected, "{query:?}");
    }
}

pub async fn a_list_is_filtered_by_metadata(tested: Tested) {
    save_numbers(&tested, "thread", 12).await;
    let odd = json!({"it's": {"100%": [1, "x"]}, "number": 13});
    let mut checkpoint = Checkpoint::new("thread", 13);
    checkpoint.metadata = odd.as_object().unwrap().clone();
    tested.save(&checkpoint).await.unwrap();
    let query = |metadata: Value| CheckpointQuery {
        metadata: metadata.as_object().unwrap().clone(),
        ..CheckpointQuery::default()
    };
    let cases: [(Value, &[u64]); 6] = [
        (json!({"even": true}), &[12, 10, 8, 6, 4, 2]),
        (json!({"number": 5}), &[5]),
        (json!({"number": 5, "even": false}), &[5]),
        (json!({"number": 5, "even": true}), &[]),
        (json!({"missing": null}), &[]),
        (json!({"it's": {"100%": [1, "x"]}}), &[13]),
    ];
    for (metadata, expected) in cases {
        let query = query(metadata);
        assert_eq!(list(&tested, "thread", &query).await, expected, "{query:?}");
    }
    let page = CheckpointQuery {
        limit: Some(2),
        before: Some(10),
        ..query(json!({"even": true}))
    };
    assert_eq!(list(&tested, "thread", &page).await, [8, 6]);
}

pub async fn a_filter_tells_zeros_apart(tested: Tested) {
    for (thread_id, zero) in [
        ("plus", json!(0.0)),
        ("minus", json!(-0.0)),
        ("whole", json!(0)),
    ] {
        let checkpoint = Checkpoint::new(thread_id, 1).with_metadata("zero", json!({"of": zero}));
        tested.save(&checkpoint).await.unwrap();
    }
    for (expected, zero) in [
        ("plus", json!(0.0)),
        ("minus", json!(-0.0)),
        ("whole", json!(0)),
    ] {
        let metadata = json!({"zero": {"of": zero}}).as_object().unwrap().clone();
        let query = ThreadQuery {
            metadata: metadata.clone(),
            ..ThreadQuery::default()
        };
        assert_eq!(threads_by(&tested, query).await, [expected]);
        let query = CheckpointQuery {
            metadata,
            ..CheckpointQuery::default()
        };
        for thread_id in ["plus", "minus", "whole"] {
            let found = list(&tested, thread_id, &query).await;
            assert_eq!(
                found.len(),
                usize::from(thread_id == expected),
                "{thread_id} {expected}"
            );
        }
    }
}

/// Saves checkpoints with these ids, each with its first letter in its metadata.
async fn save_ids(tested: &Tested, ids: &[&str]) {
    for id in ids {
        let checkpoint = Checkpoint::new("thread", long_state(id)).with_id(*id);
        let letter = id.chars().next().map(String::from);
        let checkpoint = checkpoint.with_metadata("letter", letter);
        tested.save(&checkpoint).await.unwrap();
    }
}

/// A state that is kept in pieces.
fn long_state(id: &str) -> Value {
    json!({ "id": id, "text": vec!["word ".repeat(200); 20] })
}

fn by_id(before: Option<&str>, limit: Option<usize>) -> CheckpointQuery {
    let before = before.map(str::to_owned);
    CheckpointQuery {
        limit,
        order: CheckpointOrder::ById { before },
        ..CheckpointQuery::default()
    }
}

async fn ids(tested: &Tested, query: &CheckpointQuery) -> Vec<String> {
    let found: Vec<Checkpoint<Value>> = tested.list("thread", query).await.unwrap();
    let id = |found: Checkpoint<Value>| {
        let id = found.id.unwrap();
        assert_eq!(found.state, long_state(&id));
        id
    };
    found.into_iter().map(id).collect()
}

pub async fn a_list_by_id_begins_with_the_greatest(tested: Tested) {
    save_ids(&tested, &["b1", "c", "a", "\u{10ffff}", "B", "b"]).await;
    tested
        .save(&Checkpoint::new("thread", json!("no id")))
        .await
        .unwrap();
    let sorted = ["\u{10ffff}", "c", "b1", "b", "a", "B"];
    assert_eq!(ids(&tested, &by_id(None, None)).await, sorted);
    assert_eq!(ids(&tested, &by_id(None, Some(2))).await, sorted[..2]);
    assert_eq!(ids(&tested, &by_id(Some("b1"), None)).await, sorted[3..]);
    assert_eq!(ids(&tested, &by_id(Some("bZ"), Some(1))).await, ["b1"]);
    assert!(ids(&tested, &by_id(Some("B"), None)).await.is_empty());
    assert!(ids(&tested, &by_id(None, Some(0))).await.is_empty());
    let mut early = by_id(None, None);
    early.before = Some(4);
    assert_eq!(ids(&tested, &early).await, ["c", "b1", "a"]);
    let mut of_b = by_id(None, None);
    of_b.metadata.insert("letter".into(), json!("b"));
    assert_eq!(ids(&tested, &of_b).await, ["b1", "b"]);
    of_b.order = by_id(Some("b1"), None).order;
    assert_eq!(ids(&tested, &of_b).await, ["b"]);
    // By number it is as before.
    assert_eq!(all(&tested, "thread").await, [7, 6, 5, 4, 3, 2, 1]);
}

pub async fn pages_by_id_have_each_checkpoint_once(tested: Tested) {
    // 7 has no divisor with 300, so that the ids come in a mixed order.
    let names: Vec<String> = (0..300).map(|at| format!("{:03}", at * 7 % 300)).collect();
    for (number, name) in names.iter().enumerate() {
        let checkpoint = Checkpoint::new("thread", number).with_id(name);
        let checkpoint = checkpoint.with_metadata("rest", number % 3);
        tested.save(&checkpoint).await.unwrap();
    }
    for rest in [None, Some(1_usize)] {
        let mut query = by_id(None, Some(7));
        let mut expected: Vec<&String> = names.iter().collect();
        if let Some(rest) = rest {
            let _ = query.metadata.insert("rest".into(), rest.into());
            expected = expected.into_iter().skip(rest).step_by(3).collect();
        }
        expected.sort_unstable_by(|one, other| other.cmp(one));
        let mut paged = Vec::new();
        loop {
            let page: Vec<Checkpoint<usize>> = tested.list("thread", &query).await.unwrap();
            paged.extend(page.into_iter().filter_map(|found| found.id));
            let before = paged.last().cloned();
            let order = CheckpointOrder::ById { before };
            if query.order == order {
                break;
            }
            query.order = order;
        }
        assert!(paged.iter().eq(expected), "{rest:?}: {paged:?}");
    }
}

pub async fn a_list_of_an_unknown_thread_is_empty(tested: Tested) {
    save_numbers(&tested, "thread", 1).await;
    assert!(all(&tested, "nobody").await.is_empty());
}

pub async fn a_metadata_filter_finds_the_oldest_of_many(tested: Tested) {
    for number in 1..=300_u64 {
        let checkpoint = Checkpoint::new("t", number).with_metadata("same", "x");
        let checkpoint = match number {
            3 | 150 => checkpoint.with_metadata("rare", json!({"b": 1.5, "a": [null]})),
            _ => checkpoint,
        };
        tested.save(&checkpoint).await.unwrap();
    }
    let of = |entries: Value| CheckpointQuery {
        metadata: entries.as_object().cloned().unwrap_or_default(),
        ..CheckpointQuery::default()
    };
    let rare = of(json!({"rare": {"a": [null], "b": 1.5}}));
    assert_eq!(list(&tested, "t", &rare).await, [150, 3]);
    let earlier = CheckpointQuery {
        before: Some(150),
        ..rare.clone()
    };
    assert_eq!(list(&tested, "t", &earlier).await, [3]);
    let both = of(json!({"same": "x", "rare": {"a": [null], "b": 1.5}}));
    assert_eq!(list(&tested, "t", &both).await, [150, 3]);
    assert!(
        list(&tested, "t", &of(json!({"same": "y"})))
            .await
            .is_empty()
    );
    assert!(
        list(&tested, "t", &of(json!({"same": "x", "never": 1})))
            .await
            .is_empty()
    );
    let newest = CheckpointQuery {
        limit: Some(2),
        ..of(json!({"same": "x"}))
    };
    assert_eq!(list(&tested, "t", &newest).await, [300, 299]);
    assert_eq!(
        list(&tested, "t", &of(json!({"same": "x"}))).await.len(),
        300
    );
    tested.fork("t", 100, "fork").await.unwrap();
    assert_eq!(list(&tested, "fork", &rare).await, [3]);
}
