//! Histories whose states have much in common.

use super::{Tested, load, long};
use crate::{
    At, Channels, Checkpoint, Checkpointer as _, Content, Prune, RecordsExt as _, StoredState,
    Threads as _,
};

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
