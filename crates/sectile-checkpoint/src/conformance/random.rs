//! Things that are done at random, to a checkpointer and to the model: what comes of them is the same.

#![expect(
    clippy::print_stdout,
    reason = "a test that fails shows what it printed"
)]

mod action;
mod numbers;

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::Arc;

use super::model::{Model, Result};
use super::tested::Tested;
use crate::{At, CheckpointQuery, Key, Records, ThreadOrder, ThreadQuery};
use action::{Action, Outcome};
use numbers::Numbers;

/// The environment variable with the seed of a run that is to be repeated.
const SEED: &str = "SECTILE_TEST_SEED";

/// The threads that there may be. The last two come of copies only.
const THREADS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// How many of them are saved to.
const SAVED_TO: u64 = 4;

/// The namespace of a subgraph that each may have.
const CHILD: &str = "child";

/// How many ids the checkpoints of a namespace may have.
const IDS: u64 = 60;

/// The time before the first step, in milliseconds: some steps later begins another of the slots in
/// which databases count times.
const BEGIN: u64 = (16 << 16) - 150;

/// Returns what is looked at to see all that there is.
fn looks(model: &Model) -> Vec<Action> {
    let by_use = ThreadQuery {
        order: ThreadOrder::ByLastUse,
        ..ThreadQuery::default()
    };
    let mut looks = vec![
        Action::Threads(ThreadQuery::default()),
        Action::Threads(by_use),
    ];
    for thread_id in THREADS {
        looks.push(Action::Namespaces(thread_id.into()));
        for namespace in ["", CHILD] {
            let key = Key::new(thread_id, namespace);
            looks.push(Action::List(key.clone(), CheckpointQuery::default()));
            let seqs = model.seqs(&key);
            for seq in &seqs {
                looks.push(Action::Writes(key.clone(), At::Seq(*seq)));
            }
            looks.push(Action::CountWrites(key.clone(), seqs));
            // Writes may be there before their checkpoint is.
            for number in (0..IDS).step_by(7) {
                let at = At::Id(format!("id-{number}"));
                looks.push(Action::Load(key.clone(), at.clone()));
                looks.push(Action::Writes(key.clone(), at));
            }
        }
    }
    looks
}

/// Checks that the outcome is that of the model, and names the first checkpoint that is not.
fn assert_same(found: &Result<Outcome>, expected: &Result<Outcome>, when: &str) {
    if let (Ok(Outcome::Checkpoints(found)), Ok(Outcome::Checkpoints(expected))) = (found, expected)
    {
        for (found, expected) in found.iter().zip(expected) {
            assert_eq!(found, expected, "{when}");
        }
        assert_eq!(found.len(), expected.len(), "{when}");
    }
    assert_eq!(found, expected, "{when}");
}

async fn assert_all_is_same(place: &dyn Records, model: &mut Model, when: &str) {
    for look in looks(model) {
        let (found, expected) = (look.perform(place).await, look.expected(model));
        assert_same(&found, &expected, &format!("{when}, {look:?}"));
    }
}

/// Returns the seed that `SECTILE_TEST_SEED` names, or one that no run had before.
pub fn fresh_seed() -> u64 {
    match std::env::var(SEED) {
        Ok(seed) => seed.parse().unwrap(),
        Err(_) => RandomState::new().build_hasher().finish(),
    }
}

/// Does the same things to a checkpointer, which is opened again and again, and to the model, and
/// compares what comes of each and then all that they have. In the end all threads are deleted.
///
/// The things are chosen by a seed: with the same one they are the same. A test that fails shows it.
pub async fn do_as_the_model(seed: u64, steps: u64, open: impl AsyncFn() -> Arc<dyn Records>) {
    println!("seed {seed}; the environment variable {SEED}={seed} repeats it");
    let mut model = Model::default();
    let mut numbers = Numbers::new(seed);
    let mut place = open().await;
    for step in 1..=steps {
        let action = numbers.action(&model, BEGIN + step);
        let found = if numbers.once_in(2) {
            action.perform_within_child(&*place).await
        } else {
            action.perform(&*place).await
        };
        let when = format!("seed {seed}, step {step}, {action:?}");
        assert_same(&found, &action.expected(&mut model), &when);
        if step % 20 == 0 {
            drop(place);
            place = open().await;
        }
        if step % 60 == 0 {
            assert_all_is_same(&*place, &mut model, &format!("seed {seed}, step {step}")).await;
        }
    }
    for thread_id in THREADS {
        let delete = Action::DeleteThread(thread_id.into());
        let found = delete.perform(&*place).await;
        assert_same(
            &found,
            &delete.expected(&mut model),
            &format!("seed {seed}"),
        );
    }
    let when = format!("seed {seed}, at the end");
    assert_all_is_same(&*place, &mut model, &when).await;
}

pub async fn whatever_is_done_is_as_the_model_says(tested: Tested) {
    for seed in [7, fresh_seed()] {
        do_as_the_model(seed, 300, async || Arc::clone(&tested.records)).await;
    }
}
