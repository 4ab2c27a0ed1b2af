//! Threads with a `DeltaChannel` of LangGraph. Their checkpoints lack its value, but now and then: it is made of that of
//! an ancestor and of all that was written since, which has to stay as long as the checkpoint.

use std::collections::{BTreeMap, HashSet};

use sectile::checkpoint::{
    At, Channels, Checkpoint, CheckpointQuery, Content, Error, Key, Prune, RecordsExt as _, Result,
    StoredState, ThreadQuery, Threads as _,
};
use serde_json::{Map, Value};

use crate::listing::PAGE;
use crate::saver::{PARENT, Saver, VALUE};

/// The metadata that says how often each of these channels was written since its value was saved, and how many steps ago
/// that was.
const COUNTERS: &str = "counters_since_delta_snapshot";

impl Saver {
    /// Deletes all but the newest checkpoint of each namespace of a thread, and what those need.
    pub(crate) async fn prune(&self, thread: &str) -> Result<u64> {
        let mut needed: Option<u64> = None;
        for namespace in self.records.namespaces(thread).await? {
            let key = Key::new(thread, namespace.namespace);
            let of_namespace = self.needed_since(&key).await?;
            needed = needed.into_iter().chain(of_namespace).min();
        }
        let mut prune = Prune::keep_latest(1).by_id().of_thread(thread);
        prune.older_than = needed;
        self.records.prune(&prune).await
    }

    /// Returns when the oldest checkpoint was saved that the newest one of a namespace needs beside itself.
    async fn needed_since(&self, key: &Key) -> Result<Option<u64>> {
        let Some(newest) = self.newest(key).await? else {
            return Ok(None);
        };
        let mut channels = writes_of_channels(&newest.metadata);
        let (mut needed, mut oldest, mut next) = (None, None, parent_of(&newest));
        while !channels.is_empty()
            && let Some(id) = next
        {
            let Some(ancestor) = self.records.load_stored(key, &At::Id(id)).await? else {
                break;
            };
            oldest = oldest.into_iter().chain([ancestor.created_at]).min();
            let count = channels.len();
            channels
                .retain(|channel, _| content(&ancestor, &format!("{VALUE}{channel}")).is_none());
            if channels.len() < count {
                needed = oldest;
            }
            next = parent_of(&ancestor);
        }
        // A channel whose value was never saved is made of all writes, if there are any.
        let is_all_needed = channels.values().any(|writes| *writes > 0);
        Ok(if is_all_needed { oldest } else { needed })
    }

    /// Deletes what runs saved and wrote.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidArgument`] if a checkpoint of another run needs what would go.
    pub(crate) async fn delete_runs(&self, runs: &[String]) -> Result<u64> {
        for run in runs {
            let run = ("run_id".to_owned(), run.as_str().into());
            let metadata: Map<_, _> = [run].into_iter().collect();
            let query = ThreadQuery {
                metadata: metadata.clone(),
                ..ThreadQuery::default()
            };
            for thread in self.records.threads(&query).await? {
                for namespace in self.records.namespaces(&thread.thread_id).await? {
                    let key = Key::new(&*thread.thread_id, namespace.namespace);
                    if let Some(oldest) = self.oldest(&key, &metadata).await? {
                        self.check_needless(&key, runs, oldest).await?;
                    }
                }
            }
        }
        self.records.delete_runs(runs).await
    }

    /// Returns the number of the oldest checkpoint with this metadata.
    async fn oldest(&self, key: &Key, metadata: &Map<String, Value>) -> Result<Option<u64>> {
        let mut oldest = None;
        loop {
            let page = self.page(key, oldest, metadata).await?;
            match page.last() {
                Some(last) => oldest = Some(last.seq),
                None => return Ok(oldest),
            }
        }
    }

    /// Makes sure that no checkpoint of a namespace needs one of these runs, of which the oldest is given.
    async fn check_needless(&self, key: &Key, runs: &[String], oldest: u64) -> Result<()> {
        let (mut needed, mut before) = (HashSet::new(), None);
        while before.is_none_or(|before| before > oldest) {
            let page = self.page(key, before, &Map::new()).await?;
            let Some(last) = page.last() else { break };
            before = Some(last.seq);
            for checkpoint in &page {
                let of_run = checkpoint.run_id.as_ref().filter(|run| runs.contains(run));
                match (of_run, &checkpoint.id) {
                    (Some(run), Some(id)) if needed.contains(id) => {
                        return Err(is_needed(key, run));
                    }
                    (None, _) if checkpoint.metadata.contains_key(COUNTERS) => {
                        needed.extend(parent_of(checkpoint));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    async fn page(
        &self,
        key: &Key,
        before: Option<u64>,
        metadata: &Map<String, Value>,
    ) -> Result<Vec<Checkpoint<StoredState>>> {
        let query = CheckpointQuery {
            limit: Some(PAGE),
            before,
            metadata: metadata.clone(),
            ..CheckpointQuery::default()
        };
        self.records.select(key, &query).await
    }
}

fn is_needed(key: &Key, run: &str) -> Error {
    Error::InvalidArgument {
        argument: "run_ids",
        reason: format!(
            "must not name `{run}`: a later run of thread `{key}` has a DeltaChannel whose value is made of what that \
             run wrote; delete the later run too, or the thread"
        ),
    }
}

/// Returns the channels whose values are made of writes, with how many steps wrote to each.
fn writes_of_channels(metadata: &Map<String, Value>) -> BTreeMap<String, u64> {
    let counters = metadata.get(COUNTERS).and_then(Value::as_object);
    let writes = |counts: &Value| counts.get(0).and_then(Value::as_u64).unwrap_or(1);
    let counters = counters.into_iter().flatten();
    counters
        .map(|(channel, counts)| (channel.clone(), writes(counts)))
        .collect()
}

fn content<'c>(checkpoint: &'c Checkpoint<StoredState>, name: &str) -> Option<&'c Content> {
    match &checkpoint.state {
        StoredState::Channels(Channels(channels)) => Some(&channels.get(name)?.content),
        _ => None,
    }
}

fn parent_of(checkpoint: &Checkpoint<StoredState>) -> Option<String> {
    match content(checkpoint, PARENT)? {
        Content::Value(value) => String::from_utf8(value.bytes.to_vec()).ok(),
        _ => None,
    }
}
