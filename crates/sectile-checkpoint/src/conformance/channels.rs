//! States as channels.

use serde_json::{Value, json};

use super::support::{all_keys, load, long, save_numbers, thread_ids};
use super::tested::Tested;
use crate::{
    At, Channels, Checkpoint, CheckpointQuery, Content, Error, Prune, RecordsExt as _, StoredState,
    Threads as _, TypedValue,
};

fn channels(tested: &[(&str, u64)]) -> Channels {
    tested
        .iter()
        .fold(Channels::new(), |channels, (name, number)| {
            channels.with(name, &number.to_string(), long(*number))
        })
}

async fn save_channels(tested: &Tested, checkpoint: Checkpoint<Channels>) -> u64 {
    tested.save_stored(checkpoint).await.unwrap().seq
}

async fn channels_at(tested: &Tested, thread_id: &str, seq: u64) -> Channels {
    let found = tested
        .load_stored(&thread_id.into(), &At::Seq(seq))
        .await
        .unwrap();
    match found.unwrap().state {
        StoredState::Channels(channels) => channels,
        other => panic!("{other:?}"),
    }
}

pub async fn channels_are_kept_by_name(tested: Tested) {
    let list = vec![TypedValue::new("a", *b"\0\xff"), TypedValue::new("b", *b"")];
    let state = channels(&[("one", 1), ("two", 2)])
        .with("", "", Content::List(Vec::new()))
        .with("list", "3.0001", list)
        .with("small", "", TypedValue::new("c", *b"c"));
    let refused = tested
        .save_stored(Checkpoint::new("t", state.clone()))
        .await;
    assert!(
        matches!(refused, Err(Error::InvalidArgument { .. })),
        "{refused:?}"
    );
    let mut state = state;
    let empty = state.0.remove("").unwrap();
    drop(state.0.insert("empty".into(), empty));
    for times in [1, 2, 3] {
        let checkpoint = Checkpoint::new("t", state.clone());
        assert_eq!(save_channels(&tested, checkpoint).await, times);
    }
    for seq in [1, 2, 3] {
        assert_eq!(channels_at(&tested, "t", seq).await, state);
    }
    let listed = tested
        .select(&"t".into(), &CheckpointQuery::default())
        .await
        .unwrap();
    assert!(
        listed
            .iter()
            .all(|found| found.state == StoredState::Channels(state.clone()))
    );
    save_channels(&tested, Checkpoint::new("t", Channels::new())).await;
    assert_eq!(channels_at(&tested, "t", 4).await, Channels::new());
}

pub async fn channels_follow_from_the_parent(tested: Tested) {
    let list = |numbers: std::ops::Range<u64>| -> Vec<TypedValue> { numbers.map(long).collect() };
    let first = channels(&[("kept", 1), ("changed", 1), ("gone", 1)]).with("list", "1", list(0..2));
    save_channels(&tested, Checkpoint::new("t", first)).await;
    for seq in 2..40 {
        let next = channels(&[("changed", seq)])
            .with("kept", "1", Content::Same)
            .with(
                "list",
                &seq.to_string(),
                Content::Appended(list(seq..seq + 1)),
            );
        let checkpoint = Checkpoint::new("t", next).with_parent(seq - 1);
        assert_eq!(save_channels(&tested, checkpoint).await, seq);
    }
    for seq in 2..40 {
        let version = seq.to_string();
        let expected = channels(&[("changed", seq), ("kept", 1)]);
        let expected = expected.with("list", &version, list(0..seq + 1));
        assert_eq!(channels_at(&tested, "t", seq).await, expected);
    }
}

pub async fn a_channel_that_the_parent_lacks_is_refused(tested: Tested) {
    save_channels(&tested, Checkpoint::new("t", channels(&[("a", 1)]))).await;
    save_numbers(&tested, "json", 1).await;
    let same = |name: &str| Channels::new().with(name, "1", Content::Same);
    let appended = Channels::new().with("a", "2", Content::Appended(vec![long(1)]));
    for checkpoint in [
        Checkpoint::new("t", same("a")),
        Checkpoint::new("t", same("b")).with_parent(1),
        Checkpoint::new("t", appended).with_parent(1),
        Checkpoint::new("t", same("a")).with_parent(2),
        Checkpoint::new("json", same("number")).with_parent(1),
        Checkpoint::new("new", same("a")),
    ] {
        let refused = tested.save_stored(checkpoint).await;
        assert!(
            matches!(refused, Err(Error::InvalidArgument { .. })),
            "{refused:?}"
        );
    }
    assert_eq!(thread_ids(&tested, None, None).await, ["json", "t"]);
    save_channels(&tested, Checkpoint::new("t", same("a")).with_parent(1)).await;
    tested.prune(&Prune::keep_latest(1)).await.unwrap();
    let pruned = tested
        .save_stored(Checkpoint::new("t", same("a")).with_parent(1))
        .await;
    assert!(
        matches!(pruned, Err(Error::InvalidArgument { .. })),
        "{pruned:?}"
    );
    assert_eq!(channels_at(&tested, "t", 2).await, channels(&[("a", 1)]));
}

pub async fn channels_of_json_load_as_a_type(tested: Tested) {
    let message = |number: u64| {
        TypedValue::json(&json!({ "content": "x".repeat(300), "number": number })).unwrap()
    };
    let state = Channels::new()
        .with("count", "1", TypedValue::json(&1).unwrap())
        .with("messages", "1", vec![message(0)]);
    save_channels(&tested, Checkpoint::new("t", state)).await;
    for seq in 2..20 {
        let next = Channels::new()
            .with("count", "1", TypedValue::json(&seq).unwrap())
            .with("messages", "1", Content::Appended(vec![message(seq - 1)]));
        save_channels(&tested, Checkpoint::new("t", next).with_parent(seq - 1)).await;
    }
    let loaded = load(&tested, "t").await.unwrap().state;
    assert_eq!(loaded["count"], json!(19));
    let messages = loaded["messages"].as_array().unwrap();
    let numbers: Vec<_> = messages
        .iter()
        .map(|message| message["number"].as_u64())
        .collect();
    assert_eq!(numbers, (0..19).map(Some).collect::<Vec<_>>());
    let mixed = channels(&[("a", 1)]).with("b", "1", TypedValue::json(&1).unwrap());
    save_channels(&tested, Checkpoint::new("t", mixed)).await;
    let typed = tested.load_as::<Value>("t").await;
    assert!(matches!(typed, Err(Error::Undecodable { .. })), "{typed:?}");
}

pub async fn a_channel_keeps_its_value_while_others_change(tested: Tested) {
    let name = |at: u64| format!("channel-{at:03}");
    let whole = (0..60).fold(Channels::new(), |all, at| {
        all.with(&name(at), "0", long(at))
    });
    save_channels(&tested, Checkpoint::new("t", whole.clone())).await;
    let (mut expected, mut history) = (whole, Vec::new());
    for seq in 2..150 {
        let changed = name(seq * 7 % 60);
        let next = (0..60).fold(Channels::new(), |all, at| {
            all.with(&name(at), "0", Content::Same)
        });
        let version = seq.to_string();
        let next = next.with(&changed, &version, long(1_000 + seq));
        expected = expected.with(&changed, &version, long(1_000 + seq));
        // A runtime that names no version of what stayed hands it over as it was.
        let next = next.0.into_iter().map(|(name, mut channel)| {
            if matches!(channel.content, Content::Same) {
                channel.version.clone_from(&expected.0[&name].version);
            }
            (name, channel)
        });
        let next = Checkpoint::new("t", Channels(next.collect())).with_parent(seq - 1);
        save_channels(&tested, next).await;
        history.push((seq, expected.clone()));
    }
    for (seq, expected) in history {
        assert_eq!(channels_at(&tested, "t", seq).await, expected, "{seq}");
    }
}

pub async fn what_was_appended_on_two_branches_stays_apart(tested: Tested) {
    let more = |number| Channels::new().with("list", "1", Content::Appended(vec![long(number)]));
    let list = |numbers: &[u64]| -> Channels {
        let values: Vec<_> = numbers.iter().map(|number| long(*number)).collect();
        Channels::new().with("list", "1", values)
    };
    save_channels(&tested, Checkpoint::new("t", list(&[0]))).await;
    for (parent, number) in [(1, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (1, 7)] {
        save_channels(
            &tested,
            Checkpoint::new("t", more(number)).with_parent(parent),
        )
        .await;
    }
    let expected: [&[u64]; 8] = [
        &[0],
        &[0, 1],
        &[0, 2],
        &[0, 1, 3],
        &[0, 2, 4],
        &[0, 1, 3, 5],
        &[0, 2, 4, 6],
        &[0, 7],
    ];
    for (seq, expected) in (1..).zip(expected) {
        assert_eq!(
            channels_at(&tested, "t", seq).await,
            list(expected),
            "{seq}"
        );
    }
}

pub async fn a_repeated_save_of_channels_is_the_same(tested: Tested) {
    save_channels(
        &tested,
        Checkpoint::new("t", channels(&[("a", 1), ("b", 1)])),
    )
    .await;
    let next = channels(&[("a", 2)]).with("b", "1", Content::Same);
    let next = Checkpoint::new("t", next).with_parent(1).with_id("id");
    let done = tested.save_stored(next.clone()).await.unwrap();
    assert_eq!((done.seq, done.is_new), (2, true));
    for again in [
        next.clone(),
        next.clone().map_state(|_| channels(&[("a", 2), ("b", 1)])),
    ] {
        let done = tested.save_stored(again).await.unwrap();
        assert_eq!((done.seq, done.is_new), (2, false));
    }
    let other = next.map_state(|_| channels(&[("a", 2), ("b", 2)]));
    let refused = tested.save_stored(other).await;
    assert!(
        matches!(refused, Err(Error::IdConflict { .. })),
        "{refused:?}"
    );
    assert_eq!(all_keys(&tested, "t").await, [2, 1]);
}

pub async fn a_repeated_save_is_the_same_after_its_parent_went(tested: Tested) {
    let small = |number: u64| TypedValue::json(&number).unwrap();
    for (thread_id, value) in [("small", small as fn(u64) -> TypedValue), ("large", long)] {
        let list = |numbers: &[u64]| Content::List(numbers.iter().copied().map(value).collect());
        let whole = |new| {
            let state = Channels::new().with("kept", "1", value(1));
            let state = state.with("list", "2", list(&[1, 2, 3]));
            state.with("new", "1", value(new))
        };
        let next = |version, appended, new| {
            let more = Content::Appended(vec![value(2), value(appended)]);
            let state = Channels::new().with("kept", "1", Content::Same);
            let state = state.with("list", version, more);
            state.with("new", "1", value(new))
        };
        let first = Channels::new().with("kept", "1", value(1));
        let first = first.with("list", "1", list(&[1]));
        save_channels(&tested, Checkpoint::new(thread_id, first)).await;
        let save = async |state: Channels, parent_seq| {
            let checkpoint = Checkpoint::new(thread_id, state).with_id("id");
            tested.save_stored(checkpoint.with_parent(parent_seq)).await
        };
        assert!(save(next("2", 3, 4), 1).await.unwrap().is_new);
        tested.prune(&Prune::keep_latest(1)).await.unwrap();
        for again in [next("2", 3, 4), whole(4)] {
            let done = save(again, 1).await.unwrap();
            assert_eq!((done.seq, done.is_new), (2, false), "{thread_id}");
        }
        let lacking = next("2", 3, 4).with("more", "1", Content::Same);
        for (other, parent_seq) in [
            (next("2", 3, 5), 1),
            (next("2", 5, 4), 1),
            (next("3", 3, 4), 1),
            (lacking, 1),
            (whole(5), 1),
            (next("2", 3, 4), 2),
            (next("2", 3, 4), 9),
        ] {
            let refused = save(other, parent_seq).await;
            assert!(
                matches!(refused, Err(Error::IdConflict { .. })),
                "{thread_id}: {refused:?}"
            );
        }
    }
}
