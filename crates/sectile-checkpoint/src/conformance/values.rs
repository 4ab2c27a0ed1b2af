//! Texts, numbers and states of any kind and size are kept.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::support::{HARD_NAMES, all, list, load, load_in, numbers, save_numbers, thread_ids};
use super::tested::Tested;
use crate::{
    At, Checkpoint, CheckpointHistory as _, CheckpointOrder, CheckpointQuery, Checkpointer as _,
    Error, Key, Prune, RecordsExt as _, Result, StoredState, Threads as _, TypedValue,
};

pub async fn ids_of_any_text_are_kept(tested: Tested) {
    let long = "\u{1d11e}".repeat(512);
    let ids: Vec<&str> = HARD_NAMES.into_iter().chain([&*long]).collect();
    for (number, id) in ids.iter().enumerate() {
        let checkpoint =
            Checkpoint::new(*id, number).with_id(id.chars().take(9).collect::<String>());
        let done = tested.save(&checkpoint.at_step(1, *id)).await.unwrap();
        assert_eq!(done.seq, 1, "{id:?}");
    }
    for (number, id) in ids.iter().enumerate() {
        let found = load(&tested, id).await.unwrap();
        assert_eq!(found.state, json!(number));
        assert_eq!(
            (found.thread_id.as_str(), found.node.as_deref()),
            (*id, Some(*id))
        );
    }
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    assert_eq!(thread_ids(&tested, None, None).await, sorted);
    for id in ids {
        assert_eq!(tested.delete_thread(id).await.unwrap(), 1, "{id:?}");
    }
}

pub async fn ids_that_no_database_holds_are_refused(tested: Tested) {
    let long = "a".repeat(10_000);
    for (thread_id, id, node) in [
        ("", "id", "node"),
        ("a\0b", "id", "node"),
        (long.as_str(), "id", "node"),
        ("thread", "", "node"),
        ("thread", "a\0b", "node"),
        ("thread", &long, "node"),
        ("thread", "id", "a\0b"),
    ] {
        let checkpoint = Checkpoint::new(thread_id, 1).with_id(id).at_step(1, node);
        let refused = tested.save(&checkpoint).await;
        assert!(
            matches!(refused, Err(Error::InvalidArgument { .. })),
            "{refused:?}"
        );
    }
    let refused: Result<Option<Checkpoint<Value>>> = tested.load(&long).await;
    assert!(
        matches!(refused, Err(Error::InvalidArgument { .. })),
        "{refused:?}"
    );
    save_numbers(&tested, "thread", 1).await;
    let refused = tested.copy_thread("thread", "a\0b").await;
    assert!(
        matches!(refused, Err(Error::InvalidArgument { .. })),
        "{refused:?}"
    );
    assert_eq!(thread_ids(&tested, None, None).await, ["thread"]);
}

pub async fn ids_that_no_database_holds_are_nowhere(tested: Tested) {
    let bad = "a\0b";
    for id in ["a", "b"] {
        tested
            .save(&Checkpoint::new("t", 1).with_id(id))
            .await
            .unwrap();
    }
    for thread_id in ["a", "a\u{1}", "b"] {
        save_numbers(&tested, thread_id, 1).await;
    }
    for key in [Key::from(bad), Key::new("t", bad)] {
        assert_eq!(tested.fetch(&key, &At::Latest).await.unwrap(), None);
        assert_eq!(tested.fetch(&key, &At::Seq(1)).await.unwrap(), None);
        assert_eq!(tested.delete_namespace(&key).await.unwrap(), 0);
        assert_eq!(tested.count_writes(&key, &[1]).await.unwrap(), [0]);
        let query = CheckpointQuery::default();
        assert!(tested.select(&key, &query).await.unwrap().is_empty());
    }
    let (t, at) = (Key::from("t"), At::Id(bad.into()));
    assert_eq!(tested.fetch(&t, &at).await.unwrap(), None);
    assert!(tested.pending_writes(&t, &at).await.unwrap().is_empty());
    let all = [at, At::Id("a".into())];
    let found = tested.pending_writes_of(&t, &all).await.unwrap();
    assert_eq!(found, [Vec::new(), Vec::new()]);
    assert!(tested.namespaces(bad).await.unwrap().is_empty());
    assert_eq!(tested.delete_thread(bad).await.unwrap(), 0);
    assert_eq!(tested.delete_runs(&[bad.into()]).await.unwrap(), 0);
    let prune = Prune::keep_latest(1).of_thread(bad);
    assert_eq!(tested.prune(&prune).await.unwrap(), 0);
    for copied in [
        tested.copy_thread(bad, "copy").await,
        tested.fork(bad, 1, "copy").await,
    ] {
        assert!(matches!(copied, Err(Error::NotFound { .. })), "{copied:?}");
    }
    // Texts with U+0000 have a place among the others all the same.
    assert_eq!(
        thread_ids(&tested, None, Some(bad)).await,
        ["a\u{1}", "b", "t"]
    );
    let query = CheckpointQuery {
        order: CheckpointOrder::ById {
            before: Some(bad.into()),
        },
        ..CheckpointQuery::default()
    };
    assert_eq!(list(&tested, "t", &query).await, [1]);
}

pub async fn numbers_that_no_database_holds_are_refused(tested: Tested) {
    let largest = i64::MAX as u64;
    let at = |step| {
        Checkpoint::new("thread", u64::MAX)
            .at_step(step, "node")
            .with_pending("n", u64::MAX)
    };
    let refused = tested.save(&at(largest + 1)).await;
    assert!(
        matches!(
            refused,
            Err(Error::InvalidArgument {
                argument: "step",
                ..
            })
        ),
        "{refused:?}"
    );
    tested.save(&at(largest)).await.unwrap();
    let found = load(&tested, "thread").await.unwrap();
    assert_eq!((found.step, found.queue[0].step), (largest, u64::MAX));
    assert_eq!(found.state, json!(u64::MAX));
}

pub async fn text_of_any_kind_is_kept(tested: Tested) {
    let texts = [
        "\0",
        "a\0b",
        "\u{feff}",
        "\u{2028}\n\r\t",
        "'; DROP TABLE checkpoints; --",
        "日本語",
        "\u{10ffff}",
        "\u{fdd0}",
        "$1 ?1 :a {}",
        "\\u0000",
    ];
    let state: BTreeMap<String, Vec<&str>> = texts
        .iter()
        .map(|text| ((*text).to_owned(), vec![*text; 2]))
        .collect();
    let state = json!(state);
    let checkpoint = Checkpoint::new("thread", state.clone())
        .with_metadata("text\0", texts.to_vec())
        .with_pending("a\0b", 1);
    tested.save(&checkpoint).await.unwrap();
    let found = load(&tested, "thread").await.unwrap();
    assert_eq!(found.state, state);
    assert_eq!(
        (found.metadata, found.queue),
        (checkpoint.metadata, checkpoint.queue)
    );

    // An escaped half of a pair is JSON, if no text; whoever keeps JSON as it is gets it back.
    let halves: Box<RawValue> =
        RawValue::from_string(r#"["\ud800", "\udc00\ud800"]"#.into()).unwrap();
    tested
        .save(&Checkpoint::new("halves", halves.clone()))
        .await
        .unwrap();
    let found: Checkpoint<Box<RawValue>> = tested.load("halves").await.unwrap().unwrap();
    assert_eq!(found.state.get(), halves.get());
}

pub async fn json_text_is_kept_with_its_spaces(tested: Tested) {
    let long = format!(
        "\n{{ \"list\" :\r\n[{}\t1 ]\n}}\n\n",
        "{ \"x\" :\n1 } ,\n".repeat(900)
    );
    let texts = [
        " 1",
        "1\n",
        "\n1",
        "{\n\t\"a\\n\":\n[1,\r\n2]}",
        "[ 1, 2 ]",
        &long,
    ];
    for text in texts {
        let checkpoint = Checkpoint::new("thread", StoredState::json(text))
            .with_id(text.get(..9).unwrap_or(text));
        assert!(tested.save_stored(checkpoint.clone()).await.unwrap().is_new);
        assert!(!tested.save_stored(checkpoint).await.unwrap().is_new);
        assert_eq!(
            load_in(&tested, &"thread".into()).await,
            Some(StoredState::json(text))
        );
    }
    tested.copy_thread("thread", "copy").await.unwrap();
    let query = CheckpointQuery::default();
    let found = tested.select(&"copy".into(), &query).await.unwrap();
    for (found, text) in found.iter().rev().zip(texts) {
        assert_eq!(found.state, StoredState::json(text));
    }
}

pub async fn floats_are_kept_bit_by_bit(tested: Tested) {
    let floats: Vec<f64> = numbers(200_000)
        .map(f64::from_bits)
        .filter(|float| float.is_finite())
        .collect();
    assert!(floats.len() > 199_000);
    tested
        .save(&Checkpoint::new("thread", floats.clone()))
        .await
        .unwrap();
    let found: Checkpoint<Vec<f64>> = tested.load("thread").await.unwrap().unwrap();
    let bits = |floats: &[f64]| {
        floats
            .iter()
            .map(|float| float.to_bits())
            .collect::<Vec<_>>()
    };
    assert!(bits(&found.state) == bits(&floats));
}

pub async fn what_json_does_not_hold_is_refused(tested: Tested) {
    for float in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let state = BTreeMap::from([("scores".to_owned(), vec![Some(0.5), Some(float)])]);
        let refused = tested.save(&Checkpoint::new("thread", state)).await;
        let Err(Error::Unencodable {
            thread_id, path, ..
        }) = refused
        else {
            panic!("{refused:?}");
        };
        assert_eq!(
            (thread_id.as_str(), path.as_str()),
            ("thread", "state.scores[1]")
        );
    }
    let state = BTreeMap::from([("given".to_owned(), vec![None, Some(Some(1)), Some(None)])]);
    let refused = tested.save(&Checkpoint::new("thread", state)).await;
    assert!(
        matches!(&refused, Err(Error::Unencodable { path, .. }) if path == "state.given[2]"),
        "{refused:?}"
    );
    assert!(thread_ids(&tested, None, None).await.is_empty());
}

fn nested(depth: usize) -> Value {
    (1..depth).fold(json!([]), |inner, _| json!([inner]))
}

pub async fn nesting_is_kept_as_deep_as_it_can_be_read(tested: Tested) {
    tested
        .save(&Checkpoint::new("thread", nested(127)))
        .await
        .unwrap();
    for depth in [128, 200] {
        let refused = tested.save(&Checkpoint::new("thread", nested(depth))).await;
        assert!(
            matches!(refused, Err(Error::Unencodable { .. })),
            "{refused:?}"
        );
        let deep = Checkpoint::new("thread", 1).with_metadata("deep", nested(depth));
        let refused = tested.save(&deep).await;
        assert!(
            matches!(refused, Err(Error::Unencodable { .. })),
            "{refused:?}"
        );
    }
    assert_eq!(all(&tested, "thread").await, [1]);
    assert_eq!(load(&tested, "thread").await.unwrap().state, nested(127));
}

pub async fn stored_states_that_never_load_are_refused(tested: Tested) {
    let one = || Checkpoint::new("thread", StoredState::json("1"));
    for depth in [127, 200] {
        let deep = one().with_metadata("deep", nested(depth));
        let refused = tested.save_stored(deep).await;
        assert!(
            matches!(&refused, Err(Error::Unencodable { path, .. }) if path.starts_with("metadata.deep")),
            "{refused:?}"
        );
    }
    let no_json = [
        "", " ", "{", "1}", "1,2", "nul", "\"a\0b\"", "1\0", "\"\n\"",
    ];
    for text in no_json {
        let state = StoredState::json(text);
        let refused = tested.save_stored(one().map_state(|_| state)).await;
        let argument = "state";
        assert!(
            matches!(&refused, Err(Error::InvalidArgument { argument: named, .. }) if *named == argument),
            "{text:?}: {refused:?}"
        );
        let value = TypedValue::new(crate::JSON, text.as_bytes());
        let refused = tested.save_stored(one().map_state(|_| value)).await;
        assert!(
            matches!(refused, Err(Error::InvalidArgument { .. })),
            "{text:?}: {refused:?}"
        );
    }
    assert!(thread_ids(&tested, None, None).await.is_empty());
    let deep = one().with_metadata("deep", nested(126));
    assert_eq!(tested.save_stored(deep.clone()).await.unwrap().seq, 1);
    let found = load(&tested, "thread").await.unwrap();
    assert_eq!(found.metadata, deep.metadata);
}

pub async fn states_of_many_sizes_are_kept(tested: Tested) {
    for size in [0, 1, 100, 4_000, 4_096, 65_536, 1_000_000] {
        let text: String = numbers(size)
            .map(|number| char::from(b'a' + (number % 26) as u8))
            .collect();
        tested
            .save(&Checkpoint::new("thread", text.clone()))
            .await
            .unwrap();
        let found: Checkpoint<String> = tested.load("thread").await.unwrap().unwrap();
        assert!(found.state == text, "{size}");
    }
}

pub async fn a_state_of_64_mebibytes_is_kept(tested: Tested) {
    let text = "a line of sixteen\n".repeat(64 * 1024 * 1024 / 18);
    tested
        .save(&Checkpoint::new("thread", text.clone()))
        .await
        .unwrap();
    tested
        .save(&Checkpoint::new("thread", String::new()))
        .await
        .unwrap();
    let found: Option<Checkpoint<String>> = tested.load_at("thread", 1).await.unwrap();
    assert!(found.unwrap().state == text);
}

pub async fn bytes_of_any_kind_are_kept_as_they_are(tested: Tested) {
    let every_byte: Vec<u8> = (0..=255).collect();
    let large = every_byte.repeat(4_096);
    for (kind, bytes) in [
        ("msgpack", &every_byte),
        ("pickle", &Vec::new()),
        ("x", &large),
    ] {
        let value = TypedValue::new(kind, bytes.as_slice());
        let checkpoint = Checkpoint::new(kind, value.clone()).with_id("id");
        assert!(tested.save_stored(checkpoint.clone()).await.unwrap().is_new);
        assert!(!tested.save_stored(checkpoint).await.unwrap().is_new);
        assert_eq!(
            load_in(&tested, &kind.into()).await,
            Some(StoredState::Value(value))
        );
        let typed = tested.load_as::<Value>(kind).await;
        assert!(matches!(typed, Err(Error::Undecodable { .. })), "{typed:?}");
        let other = Checkpoint::new(kind, TypedValue::new("other", bytes.as_slice())).with_id("id");
        let refused = tested.save_stored(other).await;
        assert!(
            matches!(refused, Err(Error::IdConflict { .. })),
            "{refused:?}"
        );
    }
    for kind in ["", "a\0"] {
        let value = TypedValue::new(kind, *b"1");
        let refused = tested.save_stored(Checkpoint::new("t", value)).await;
        assert!(
            matches!(refused, Err(Error::InvalidArgument { .. })),
            "{refused:?}"
        );
    }
}
