//! Things that are done at random, to a checkpointer and to the model: what comes of them is the same.

#![expect(
    clippy::print_stdout,
    reason = "a test that fails shows what it printed"
)]

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::model::{Model, Result};
use super::support::{conversation, long, stored, writes};
use super::tested::Tested;
use crate::{
    At, Channels, Checkpoint, CheckpointOrder, CheckpointQuery, Content, Key, NamespaceSummary,
    Newest, PendingWrite, Prune, Records, RecordsExt as _, Saved, StoredState, TaskWrites,
    ThreadOrder, ThreadQuery, ThreadSummary, TypedValue,
};

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

/// Something to be done.
#[derive(Clone, Debug)]
enum Action {
    Save(Box<Checkpoint<StoredState>>),
    PutWrites(Key, At, TaskWrites),
    Copy(String, String),
    Fork(String, u64, String),
    DeleteThread(String),
    DeleteNamespace(Key),
    DeleteRuns(Vec<String>),
    Prune(Prune),
    Load(Key, At),
    List(Key, CheckpointQuery),
    Writes(Key, At),
    WritesOf(Key, Vec<At>),
    CountWrites(Key, Vec<u64>),
    Threads(ThreadQuery),
    Namespaces(String),
}

/// What came of it.
#[derive(Debug, PartialEq)]
enum Outcome {
    Saved(Saved),
    Done,
    Count(u64),
    Checkpoints(Vec<Checkpoint<StoredState>>),
    Writes(Vec<PendingWrite>),
    WritesOf(Vec<Vec<PendingWrite>>),
    Counts(Vec<u64>),
    Threads(Vec<ThreadSummary>),
    Namespaces(Vec<NamespaceSummary>),
}

impl Action {
    /// Returns what a checkpointer of the child namespace has to do for the same, which then names no
    /// namespace; nothing for what concerns another namespace or whole threads.
    fn within_child(&self) -> Option<Self> {
        let mut action = self.clone();
        let namespace = match &mut action {
            Self::Save(checkpoint) => &mut checkpoint.namespace,
            Self::PutWrites(key, ..)
            | Self::Load(key, _)
            | Self::List(key, _)
            | Self::Writes(key, _)
            | Self::WritesOf(key, _)
            | Self::CountWrites(key, _) => &mut key.namespace,
            _ => return None,
        };
        (std::mem::take(namespace) == CHILD).then_some(action)
    }

    /// Does it to a checkpointer.
    async fn perform(&self, place: &dyn Records) -> Result<Outcome> {
        let outcome = match self {
            Self::Save(checkpoint) => {
                let saved = place.save_stored((**checkpoint).clone()).await;
                saved.map(Outcome::Saved)
            }
            Self::PutWrites(key, at, writes) => {
                let put = place.put_writes(key, at, writes).await;
                put.map(|()| Outcome::Done)
            }
            Self::Copy(from, to) => place.copy_thread(from, to).await.map(Outcome::Count),
            Self::Fork(from, seq, to) => place.fork(from, *seq, to).await.map(Outcome::Count),
            Self::DeleteThread(thread_id) => {
                let deleted = place.delete_thread(thread_id).await;
                deleted.map(Outcome::Count)
            }
            Self::DeleteNamespace(key) => place.delete_namespace(key).await.map(Outcome::Count),
            Self::DeleteRuns(run_ids) => place.delete_runs(run_ids).await.map(Outcome::Count),
            Self::Prune(prune) => place.prune(prune).await.map(Outcome::Count),
            Self::Load(key, at) => {
                let found = place.load_stored(key, at).await;
                found.map(|found| Outcome::Checkpoints(found.into_iter().collect()))
            }
            Self::List(key, query) => place.select(key, query).await.map(Outcome::Checkpoints),
            Self::Writes(key, at) => place.pending_writes(key, at).await.map(Outcome::Writes),
            Self::WritesOf(key, all) => {
                let found = place.pending_writes_of(key, all).await;
                found.map(Outcome::WritesOf)
            }
            Self::CountWrites(key, seqs) => {
                let counts = place.count_writes(key, seqs).await;
                counts.map(Outcome::Counts)
            }
            Self::Threads(query) => place.threads(query).await.map(Outcome::Threads),
            Self::Namespaces(thread_id) => {
                let found = place.namespaces(thread_id).await;
                found.map(Outcome::Namespaces)
            }
        };
        outcome.map_err(|error| error.kind())
    }

    /// Does it through a checkpointer of the child namespace, if that is the one that it concerns.
    async fn perform_within_child(&self, place: &dyn Records) -> Result<Outcome> {
        match self.within_child() {
            Some(within) => within.perform(&place.in_namespace(CHILD)).await,
            None => self.perform(place).await,
        }
    }

    /// Does it to the model.
    fn expected(&self, model: &mut Model) -> Result<Outcome> {
        let outcome = match self {
            Self::Save(checkpoint) => {
                let saved = model.save((**checkpoint).clone());
                return saved.map(Outcome::Saved);
            }
            Self::PutWrites(key, at, writes) => {
                let put = model.put_writes(key, at, writes);
                return put.map(|()| Outcome::Done);
            }
            Self::Copy(from, to) => return model.copy(from, None, to).map(Outcome::Count),
            Self::Fork(from, seq, to) => {
                let copied = model.copy(from, Some(*seq), to);
                return copied.map(Outcome::Count);
            }
            Self::DeleteThread(thread_id) => {
                Outcome::Count(model.delete(|key| key.thread_id == *thread_id))
            }
            Self::DeleteNamespace(key) => Outcome::Count(model.delete(|other| other == key)),
            Self::DeleteRuns(run_ids) => Outcome::Count(model.delete_runs(run_ids)),
            Self::Prune(prune) => Outcome::Count(model.prune(prune)),
            Self::Load(key, at) => {
                Outcome::Checkpoints(model.load(key, at).cloned().into_iter().collect())
            }
            Self::List(key, query) => Outcome::Checkpoints(model.list(key, query)),
            Self::Writes(key, at) => Outcome::Writes(model.pending_writes(key, at)),
            Self::WritesOf(key, all) => Outcome::WritesOf(model.pending_writes_of(key, all)),
            Self::CountWrites(key, seqs) => Outcome::Counts(model.count_writes(key, seqs)),
            Self::Threads(query) => Outcome::Threads(model.threads(query)),
            Self::Namespaces(thread_id) => Outcome::Namespaces(model.namespaces(thread_id)),
        };
        Ok(outcome)
    }
}

/// Chooses what is done, by numbers that look random and are the same for a seed (the generator is
/// splitmix64).
struct Numbers {
    state: u64,
    /// The checkpoints with an id that were to be saved, for some to be saved again.
    named: Vec<Checkpoint<StoredState>>,
}

impl Numbers {
    fn new(seed: u64) -> Self {
        Self {
            state: seed,
            named: Vec::new(),
        }
    }

    fn below(&mut self, end: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }

    /// Says yes once in so many times.
    fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    fn one_of<T: Clone>(&mut self, all: &[T]) -> Option<T> {
        let count = all.len() as u64;
        (count > 0).then(|| all[self.below(count) as usize].clone())
    }

    fn thread(&mut self) -> String {
        THREADS[self.below(THREADS.len() as u64) as usize].to_owned()
    }

    fn key(&mut self) -> Key {
        let thread_id = THREADS[self.below(SAVED_TO) as usize];
        Key::new(thread_id, ["", "", CHILD][self.below(3) as usize])
    }

    fn id(&mut self) -> String {
        format!("id-{}", self.below(IDS))
    }

    fn run(&mut self) -> String {
        format!("run-{}", self.below(6))
    }

    fn at(&mut self) -> At {
        match self.below(4) {
            0 => At::Latest,
            1 => At::Id(self.id()),
            _ => At::Seq(self.below(40)),
        }
    }

    /// Returns the number of a checkpoint that is there, as a rule.
    fn seq(&mut self, model: &Model, key: &Key) -> u64 {
        let found = if self.once_in(3) {
            None
        } else {
            self.one_of(&model.seqs(key))
        };
        found.unwrap_or_else(|| self.below(40))
    }

    fn state(&mut self) -> StoredState {
        let number = self.below(1_000);
        match self.below(6) {
            0 => stored(&json!(number)),
            1 | 2 => {
                let first = self.below(30);
                let messages: Vec<u64> = (first..first + self.below(60)).collect();
                stored(&conversation(&messages, number))
            }
            3 => TypedValue::new("x", vec![number as u8; number as usize * 20]).into(),
            _ => {
                let mut channels = Channels::new().with("changed", "", long(number));
                for name in ["list", "kept", "other"] {
                    let content = match self.below(5) {
                        0 => long(number).into(),
                        1 => Content::List((0..self.below(40)).map(long).collect()),
                        2 => Content::Same,
                        _ => Content::Appended(vec![long(number)]),
                    };
                    channels = channels.with(name, &number.to_string(), content);
                }
                channels.into()
            }
        }
    }

    fn checkpoint(&mut self, model: &Model, time: u64) -> Checkpoint<StoredState> {
        let key = self.key();
        let mut checkpoint = Checkpoint::new(&*key.thread_id, self.state())
            .in_namespace(&*key.namespace)
            .with_created_at(time - self.below(20))
            .with_metadata("user", self.below(3))
            .with_metadata("plan", self.below(2))
            .at_step(self.below(5), "node");
        if !self.once_in(3) {
            checkpoint.parent_seq = Some(self.seq(model, &key));
        }
        if self.once_in(2) {
            checkpoint.run_id = Some(self.run());
        }
        if self.once_in(3) {
            checkpoint.id = Some(self.id());
            self.named.push(checkpoint.clone());
        }
        checkpoint
    }

    fn writes(&mut self) -> TaskWrites {
        let number = self.below(1_000);
        let path = ["", "b", "a"][self.below(3) as usize];
        let task_id = format!("task-{}", self.below(3));
        writes(&task_id, number)
            .of_run(self.run())
            .at_path(path)
            .write("__resume__", long(self.below(1_000)))
    }

    fn prune(&mut self, time: u64) -> Prune {
        Prune {
            thread_id: self.once_in(2).then(|| self.thread()),
            keep_latest: self.below(30),
            newest: if self.once_in(3) {
                Newest::ById
            } else {
                Newest::BySeq
            },
            older_than: self.once_in(2).then(|| time - self.below(150)),
        }
    }

    fn metadata(&mut self) -> Map<String, Value> {
        let mut metadata = Map::new();
        if self.once_in(2) {
            metadata.insert("user".into(), self.below(4).into());
        }
        if self.once_in(3) {
            metadata.insert("plan".into(), self.below(2).into());
        }
        metadata
    }

    fn checkpoint_query(&mut self) -> CheckpointQuery {
        CheckpointQuery {
            limit: self.once_in(2).then(|| 1 + self.below(6) as usize),
            before: self.once_in(2).then(|| self.below(40)),
            order: self.checkpoint_order(),
            metadata: self.metadata(),
        }
    }

    fn checkpoint_order(&mut self) -> CheckpointOrder {
        if self.once_in(2) {
            return CheckpointOrder::BySeq;
        }
        let before = self.once_in(2).then(|| self.id());
        CheckpointOrder::ById { before }
    }

    fn thread_query(&mut self, time: u64) -> ThreadQuery {
        let mut query = ThreadQuery {
            limit: self.once_in(2).then(|| 1 + self.below(3) as usize),
            after: self.once_in(2).then(|| self.thread()),
            metadata: self.metadata(),
            ..ThreadQuery::default()
        };
        if self.once_in(2) {
            query.order = ThreadOrder::ByLastUse;
        }
        if self.once_in(2) {
            query.used_before = Some(time - self.below(40));
        }
        if self.once_in(2) {
            query.used_since = Some(time - self.below(80));
        }
        query
    }

    fn action(&mut self, model: &Model, time: u64) -> Action {
        match self.below(63) {
            0 => Action::Copy(self.thread(), self.thread()),
            1 => {
                let from = self.thread();
                let seq = self.seq(model, &Key::from(&*from));
                Action::Fork(from, seq, self.thread())
            }
            2 => Action::DeleteThread(self.thread()),
            3 => Action::DeleteNamespace(self.key()),
            4 | 5 => Action::DeleteRuns(vec![self.run(), self.run()]),
            6 | 7 => Action::Prune(self.prune(time)),
            8..16 => Action::PutWrites(self.key(), self.at(), self.writes()),
            16..19 => Action::Load(self.key(), self.at()),
            19..22 => Action::List(self.key(), self.checkpoint_query()),
            22 | 23 => Action::Writes(self.key(), self.at()),
            24 | 25 => Action::Threads(self.thread_query(time)),
            26 => Action::Namespaces(self.thread()),
            60 => {
                let (key, count) = (self.key(), self.below(6));
                let seqs = (0..count).map(|_| self.seq(model, &key)).collect();
                Action::CountWrites(key, seqs)
            }
            61 | 62 => {
                let (key, count) = (self.key(), self.below(6));
                Action::WritesOf(key, (0..count).map(|_| self.at()).collect())
            }
            27..30 => {
                let again = self.one_of(&self.named.clone());
                let again = again.unwrap_or_else(|| self.checkpoint(model, time));
                Action::Save(Box::new(again.with_created_at(time)))
            }
            _ => Action::Save(Box::new(self.checkpoint(model, time))),
        }
    }
}

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
