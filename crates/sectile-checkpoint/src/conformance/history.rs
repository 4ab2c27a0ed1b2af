//! Histories whose states have much in common.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::support::{all, conversation, load, long, save_in};
use super::tested::Tested;
use crate::{
    At, Channels, Checkpoint, CheckpointHistory as _, CheckpointQuery, Checkpointer as _, Content,
    Prune, RecordsExt as _, StoredState, Threads as _,
};

/// Saves states as a thread, and checks that each of them loads.
async fn assert_history(tested: &Tested, thread_id: &str, states: &[Value]) {
    for state in states {
        tested
            .save(&Checkpoint::new(thread_id, state.clone()))
            .await
            .unwrap();
    }
    for (seq, state) in (1..).zip(states) {
        let found: Option<Checkpoint<Value>> = tested.load_at(thread_id, seq).await.unwrap();
        assert_eq!(found.unwrap().state, *state, "{seq}");
    }
    let listed = tested
        .list_as::<Value>(thread_id, &CheckpointQuery::default())
        .await
        .unwrap();
    let listed: Vec<_> = listed.into_iter().rev().map(|found| found.state).collect();
    assert_eq!(listed, states);
}

pub async fn long_lists_grow_shrink_and_change(tested: Tested) {
    let mut messages: Vec<u64> = Vec::new();
    let states: Vec<Value> = (0..120)
        .map(|step| {
            match step % 10 {
                7 => drop(messages.drain(..messages.len() / 3)),
                8 => messages.insert(messages.len() / 2, 10_000 + step),
                9 => drop(messages.pop()),
                _ => messages.extend([step, step]),
            }
            conversation(&messages, step)
        })
        .collect();
    assert_history(&tested, "t", &states).await;
}

pub async fn long_states_change_everywhere(tested: Tested) {
    let text = |number: usize| "x".repeat(number * 131 % 4_000);
    let states: Vec<Value> = (0..60)
        .map(|number| match number % 6 {
            0 => json!(text(number)),
            1 => json!((0..number * 50).collect::<Vec<_>>()),
            2 => json!([[text(number)], {"a": {"b": {"c": vec![text(number); 20]}}}]),
            3 => json!({"\"]": vec![json!({"k": text(number)}); number], "": text(9)}),
            4 => json!(vec![vec![text(40); 3]; 30]),
            _ => json!({"same": text(20), "number": number, "list": vec!["é\u{0}\n"; 2_000]}),
        })
        .collect();
    assert_history(&tested, "t", &states).await;
    let spaced = format!(
        "{{ \"a\" : [ {} 1 ] , \"b\":\t\"{}\" }}",
        "{ \"x\" : 1 } , ".repeat(900),
        "y".repeat(3_000)
    );
    let raw: Box<RawValue> = RawValue::from_string(spaced.clone()).unwrap();
    tested.save(&Checkpoint::new("t", raw)).await.unwrap();
    let loaded = load(&tested, "t").await.unwrap().state;
    assert_eq!(loaded, serde_json::from_str::<Value>(&spaced).unwrap());
}

pub async fn long_states_stay_readable_while_others_go(tested: Tested) {
    let states: Vec<Value> = (0..40_u64)
        .map(|step| conversation(&(step / 3..step * 2).collect::<Vec<_>>(), step))
        .collect();
    for (step, state) in (0..).zip(&states) {
        let checkpoint = Checkpoint::new("t", state.clone()).of_run(format!("run-{}", step % 4));
        tested
            .save(&checkpoint.with_created_at(1_000 + step))
            .await
            .unwrap();
    }
    let check = async |expected: Vec<u64>| {
        assert_eq!(all(&tested, "t").await, expected);
        for seq in expected {
            let found: Option<Checkpoint<Value>> = tested.load_at("t", seq).await.unwrap();
            assert_eq!(found.unwrap().state, states[seq as usize - 1], "{seq}");
        }
    };
    assert_eq!(tested.delete_runs(&["run-1".into()]).await.unwrap(), 10);
    check((1..=40).rev().filter(|seq| (seq - 1) % 4 != 1).collect()).await;
    assert_eq!(tested.prune(&Prune::older_than(1_020)).await.unwrap(), 15);
    check((21..=40).rev().filter(|seq| (seq - 1) % 4 != 1).collect()).await;
    assert_eq!(
        tested
            .delete_runs(&["run-3".into(), "run-0".into()])
            .await
            .unwrap(),
        10
    );
    check(vec![39, 35, 31, 27, 23]).await;
    tested.prune(&Prune::keep_latest(2)).await.unwrap();
    check(vec![39, 35]).await;
    let next = conversation(&[1, 2, 3], 41);
    assert_eq!(save_in(&tested, &"t".into(), next.clone()).await, 41);
    assert_eq!(load(&tested, "t").await.unwrap().state, next);
    let found: Option<Checkpoint<Value>> = tested.load_at("t", 35).await.unwrap();
    assert_eq!(found.unwrap().state, states[34]);
}

pub async fn copies_of_long_states_live_on_their_own(tested: Tested) {
    let states: Vec<Value> = (0..20_u64)
        .map(|step| conversation(&(0..step * 2).collect::<Vec<_>>(), step))
        .collect();
    assert_history(&tested, "t", &states).await;
    assert_eq!(tested.fork("t", 12, "fork").await.unwrap(), 12);
    assert_eq!(tested.copy_thread("t", "copy").await.unwrap(), 20);
    assert_eq!(tested.delete_thread("t").await.unwrap(), 20);
    for (thread_id, count) in [("fork", 12), ("copy", 20)] {
        for (seq, state) in (1..=count).zip(&states) {
            let found: Option<Checkpoint<Value>> = tested.load_at(thread_id, seq).await.unwrap();
            assert_eq!(found.unwrap().state, *state, "{thread_id} {seq}");
        }
        let next = conversation(&(0..50).collect::<Vec<_>>(), 50);
        assert_eq!(
            save_in(&tested, &thread_id.into(), next.clone()).await,
            count + 1
        );
        assert_eq!(load(&tested, thread_id).await.unwrap().state, next);
    }
}

pub async fn a_state_of_null_is_kept(tested: Tested) {
    let none: Option<u8> = None;
    tested.save(&Checkpoint::new("t", none)).await.unwrap();
    assert!(load(&tested, "t").await.unwrap().state.is_null());
    let found = tested.load_as::<Option<u8>>("t").await.unwrap().unwrap();
    assert_eq!(found.state, none);
}

/// What a step changes: a list and a value, while another value stays.
fn step(number: u64) -> Channels {
    let version = number.to_string();
    let (list, same) = match number {
        1 => (
            Content::List((100..140).map(long).collect()),
            Content::Value(long(0)),
        ),
        _ => (Content::Appended(vec![long(number)]), Content::Same),
    };
    Channels::new()
        .with("list", &version, list)
        .with("note", &version, long(1_000 + number))
        .with("same", "1", same)
}

/// Says what a step follows from: mostly the one before, and now and then an earlier one.
fn parent_of(number: u64) -> u64 {
    if number.is_multiple_of(20) {
        number / 2
    } else {
        number - 1
    }
}

pub async fn lists_beside_values_that_change_are_kept(tested: Tested) {
    let mut states: Vec<StoredState> = Vec::new();
    for number in 1..=120 {
        let mut checkpoint = Checkpoint::new("t", step(number)).of_run((number % 5).to_string());
        checkpoint.parent_seq = Some(parent_of(number)).filter(|seq| *seq > 0);
        let parent = checkpoint.parent_seq.map(|seq| &states[seq as usize - 1]);
        let state = StoredState::from(step(number)).resolved(parent).unwrap();
        states.push(state);
        tested.save_stored(checkpoint).await.unwrap();
    }
    let check = async |thread_id: &str, is_kept: &dyn Fn(u64) -> bool| {
        for (seq, state) in (1..).zip(&states) {
            let key = thread_id.into();
            let found = tested.load_stored(&key, &At::Seq(seq)).await.unwrap();
            let found = found.map(|found| found.state);
            let expected = is_kept(seq).then_some(state);
            assert!(found.as_ref() == expected, "{thread_id} {seq}");
        }
    };
    check("t", &|_| true).await;
    let is_left = |seq: u64| seq % 5 != 2;
    assert_eq!(tested.delete_runs(&["2".to_owned()]).await.unwrap(), 24);
    check("t", &is_left).await;
    assert_eq!(tested.fork("t", 50, "fork").await.unwrap(), 40);
    check("fork", &|seq| seq <= 50 && is_left(seq)).await;
    let prune = Prune::keep_latest(10).of_thread("t");
    assert_eq!(tested.prune(&prune).await.unwrap(), 86);
    check("t", &|seq| seq > 108 && is_left(seq)).await;
    check("fork", &|seq| seq <= 50 && is_left(seq)).await;
    // What follows from a checkpoint of those that stayed.
    let next = Checkpoint::new("t", step(121)).with_parent(113);
    let expected = StoredState::from(step(121)).resolved(Some(&states[112]));
    tested.save_stored(next).await.unwrap();
    let key = "t".into();
    let found = tested.load_stored(&key, &At::Latest).await.unwrap();
    assert!(found.unwrap().state == expected.unwrap());
}
