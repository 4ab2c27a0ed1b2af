//! Pieces that are compressed, beside pieces that are not.

use sectile_checkpoint::{
    At, Checkpoint, Checkpointer as _, Prune, Records as _, RecordsExt as _, Threads as _,
};

use crate::engine::{Engine, fresh};

/// Returns a long message of text, which LZ4 makes smaller.
fn text(number: u64) -> String {
    format!("{number}: {}", "some words ".repeat(220))
}

/// Returns a long message that looks random (splitmix64), which nothing makes smaller.
fn noise(number: u64) -> String {
    let mut state = number;
    let letter = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        char::from(b'?' + (mixed >> 59) as u8)
    };
    std::iter::repeat_with(letter).take(2_400).collect()
}

/// Checks that the checkpoints of a thread are states in their order, the last of which has a number.
async fn assert_states(checkpointer: &Engine, thread_id: &str, last: u64, states: &[Vec<String>]) {
    for (seq, state) in (1..=last).rev().zip(states.iter().rev()) {
        let found = checkpointer.load_at_as::<Vec<String>>(thread_id, At::Seq(seq));
        let found = found.await.unwrap().unwrap();
        assert_eq!(found.state, *state, "{thread_id} {seq}");
    }
    assert_eq!(checkpointer.verify().await.unwrap(), [], "{thread_id}");
}

/// Copies and prunes a conversation whose pieces become smaller, or do not.
async fn copied_pruned_and_verified(message: fn(u64) -> String, is_smaller: bool) {
    let (_database, checkpointer) = fresh().await;
    // A window over a conversation, which becomes longer.
    let states: Vec<Vec<String>> = (1..=6)
        .map(|step| (step..step * 5).map(message).collect())
        .collect();
    for state in &states {
        let checkpoint = Checkpoint::new("t", state.clone());
        checkpointer.save(&checkpoint).await.unwrap();
    }
    let first = checkpointer.sharing(&"t".into(), &At::Seq(1)).await;
    let first = first.unwrap().unwrap();
    assert_eq!(first.pieces, 4, "{first:?}");
    assert_eq!(
        first.added_bytes * 4 < first.whole_bytes,
        is_smaller,
        "{first:?}"
    );
    assert_eq!(checkpointer.fork("t", 4, "fork").await.unwrap(), 4);
    assert_eq!(checkpointer.copy_thread("t", "copy").await.unwrap(), 6);
    assert_states(&checkpointer, "t", 6, &states).await;
    assert_eq!(checkpointer.delete_thread("t").await.unwrap(), 6);
    assert_states(&checkpointer, "copy", 6, &states).await;
    assert_states(&checkpointer, "fork", 4, &states[..4]).await;
    let pruned = checkpointer.prune(&Prune::keep_latest(2)).await;
    assert_eq!(pruned.unwrap(), 2 + 4);
    assert_states(&checkpointer, "copy", 6, &states[4..]).await;
    assert_states(&checkpointer, "fork", 4, &states[2..4]).await;
    // What is saved next shares pieces of a copy.
    let next = Checkpoint::new("fork", states[5].clone());
    assert_eq!(checkpointer.save(&next).await.unwrap().seq, 5);
    assert_states(&checkpointer, "fork", 5, &states[5..]).await;
}

#[tokio::test]
async fn pieces_that_are_compressed_are_copied_pruned_and_verified() {
    copied_pruned_and_verified(text, true).await;
}

#[tokio::test]
async fn pieces_that_do_not_become_smaller_are_copied_pruned_and_verified() {
    copied_pruned_and_verified(noise, false).await;
}
