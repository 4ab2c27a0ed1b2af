//! Chooses actions by numbers that look random.

use serde_json::{Map, Value, json};

use super::action::Action;
use super::{CHILD, IDS, SAVED_TO, THREADS};
use crate::conformance::model::Model;
use crate::conformance::support::{conversation, long, next_number, stored, writes};
use crate::{
    At, Channels, Checkpoint, CheckpointOrder, CheckpointQuery, Content, Key, Newest, Prune,
    StoredState, TaskWrites, ThreadOrder, ThreadQuery, TypedValue,
};

/// Chooses what is done, by numbers that look random and are the same for a seed.
pub(super) struct Numbers {
    state: u64,
    /// The checkpoints with an id that were to be saved, for some to be saved again.
    named: Vec<Checkpoint<StoredState>>,
}

impl Numbers {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            state: seed,
            named: Vec::new(),
        }
    }

    fn below(&mut self, end: u64) -> u64 {
        next_number(&mut self.state) % end
    }

    /// Says yes once in so many times.
    pub(super) fn once_in(&mut self, times: u64) -> bool {
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

    pub(super) fn action(&mut self, model: &Model, time: u64) -> Action {
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
