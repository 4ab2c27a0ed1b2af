//! Checkpoints are listed.

use serde_json::{Value, json};

use super::support::{all, list, save_numbers, threads_by};
use super::tested::Tested;
use crate::{Checkpoint, CheckpointQuery, Checkpointer as _, ThreadQuery, Threads as _};

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
