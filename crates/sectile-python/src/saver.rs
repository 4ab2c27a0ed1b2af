//! What savers keep of a checkpoint: a channel for each value, one for the rest, one for the parent.

use std::collections::BTreeMap;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sectile::checkpoint::{
    At, Channels, Checkpoint, CheckpointOrder, CheckpointQuery, Content, Error, Key, PendingWrite,
    Records, RecordsExt as _, Result, StoredState, TypedValue,
};
use serde_json::{Map, Value};

use crate::error;
use crate::operation::{Operation, check_process};

/// The channel that has a checkpoint without its values, and what the name of the one with its parent's
/// id is.
const REST: &str = "checkpoint";
pub(crate) const PARENT: &str = "parent";

/// What the names of the other channels begin with.
pub(crate) const VALUE: &str = "value:";

/// A value: its kind and its bytes.
pub(crate) type Typed = (String, Vec<u8>);

/// The value of a channel. A list is given by its entries where it grows: each is stored once.
#[derive(FromPyObject)]
pub(crate) enum Given {
    Value(Typed),
    List(Vec<Typed>),
}

/// The checkpoints of a database, for this process.
pub(crate) struct Saver {
    pub(crate) records: Arc<dyn Records>,
    process: u32,
}

/// A checkpoint as it was found.
pub(crate) struct Found {
    key: Key,
    id: Option<String>,
    parent: Option<String>,
    rest: Typed,
    values: Vec<(String, Content)>,
    metadata: String,
    writes: Vec<PendingWrite>,
}

/// Returns the work of a saver; `into` makes of what comes of it what Python is given.
pub(crate) fn answer<T: Send + 'static, W: Future<Output = Result<T>> + Send + 'static>(
    saver: &Arc<Saver>,
    work: impl FnOnce(Arc<Saver>) -> W,
    into: impl FnOnce(Python<'_>, T) -> PyResult<Py<PyAny>> + Send + 'static,
) -> PyResult<Operation> {
    check_process(saver.process)?;
    let work = work(Arc::clone(saver));
    Ok(Operation::new(async move {
        let done = work.await;
        Box::new(move |py: Python<'_>| match done {
            Ok(found) => into(py, found),
            Err(error) => Err(error::of_checkpoints(py, &error)),
        }) as _
    })
    .until_done())
}

/// A checkpoint that is to be saved.
pub(crate) struct New {
    pub(crate) key: Key,
    pub(crate) id: String,
    pub(crate) parent: Option<String>,
    pub(crate) run: Option<String>,
    pub(crate) rest: Typed,
    pub(crate) values: Vec<(String, String, Given)>,
    pub(crate) metadata: String,
}

impl Saver {
    pub(crate) fn new(records: Arc<dyn Records>) -> Self {
        let process = std::process::id();
        Self { records, process }
    }

    pub(crate) async fn save(&self, new: New) -> Result<()> {
        let mut channels = Channels::new().with(REST, "", typed(new.rest));
        if let Some(parent) = &new.parent {
            channels = channels.with(PARENT, "", TypedValue::new("text", parent.as_bytes()));
        }
        for (name, version, value) in new.values {
            let content = match value {
                Given::Value(value) => Content::Value(typed(value)),
                Given::List(entries) => Content::List(entries.into_iter().map(typed).collect()),
            };
            channels = channels.with(&format!("{VALUE}{name}"), &version, content);
        }
        let mut checkpoint = Checkpoint::new(&*new.key.thread_id, channels)
            .in_namespace(&*new.key.namespace)
            .with_id(&*new.id);
        checkpoint.run_id = new.run;
        checkpoint.metadata = object(&new.metadata)?;
        self.records.save_stored(checkpoint).await.map(drop)
    }

    pub(crate) async fn load(&self, key: Key, id: Option<String>) -> Result<Option<Found>> {
        let checkpoint = match id {
            Some(id) => self.records.load_stored(&key, &At::Id(id)).await?,
            None => self.newest(&key).await?,
        };
        let Some(checkpoint) = checkpoint else {
            return Ok(None);
        };
        let at = named(&checkpoint);
        let writes = self.records.pending_writes(&key, &at).await?;
        Found::new(checkpoint, writes).map(Some)
    }

    /// Loads the newest checkpoint of a namespace, which in LangGraph is the one with the greatest id, whenever
    /// it was saved.
    pub(crate) async fn newest(&self, key: &Key) -> Result<Option<Checkpoint<StoredState>>> {
        let query = CheckpointQuery {
            limit: Some(1),
            order: CheckpointOrder::ById { before: None },
            ..CheckpointQuery::default()
        };
        key.validate()?;
        Ok(self.records.select(key, &query).await?.pop())
    }

    /// Loads the writes beside checkpoints: those of each namespace at once.
    pub(crate) async fn found(
        &self,
        checkpoints: Vec<Checkpoint<StoredState>>,
    ) -> Result<Vec<Found>> {
        let mut places: BTreeMap<Key, Vec<(usize, At)>> = BTreeMap::new();
        for (place, checkpoint) in checkpoints.iter().enumerate() {
            let of_key = places.entry(checkpoint.key()).or_default();
            of_key.push((place, named(checkpoint)));
        }
        let mut writes = vec![Vec::new(); checkpoints.len()];
        for (key, of_key) in places {
            let (places, all): (Vec<usize>, Vec<At>) = of_key.into_iter().unzip();
            let found = self.records.pending_writes_of(&key, &all).await?;
            for (place, found) in places.into_iter().zip(found) {
                writes[place] = found;
            }
        }
        let found = checkpoints.into_iter().zip(writes);
        found
            .map(|(checkpoint, writes)| Found::new(checkpoint, writes))
            .collect()
    }
}

/// Returns how a checkpoint is named: by its id, by which its writes are stored, if it has one.
fn named(checkpoint: &Checkpoint<StoredState>) -> At {
    match &checkpoint.id {
        Some(id) => At::Id(id.clone()),
        None => At::Seq(checkpoint.seq),
    }
}

impl Found {
    fn new(checkpoint: Checkpoint<StoredState>, writes: Vec<PendingWrite>) -> Result<Self> {
        let key = checkpoint.key();
        let (mut rest, mut parent, mut values) = (None, None, Vec::new());
        if let StoredState::Channels(Channels(channels)) = checkpoint.state {
            for (name, channel) in channels {
                match (name.strip_prefix(VALUE), channel.content) {
                    (Some(name), content) => values.push((name.to_owned(), content)),
                    (None, Content::Value(value)) if *name == *REST => rest = Some(untyped(&value)),
                    (None, Content::Value(value)) => {
                        parent = String::from_utf8(value.bytes.to_vec()).ok();
                    }
                    (None, _) => {}
                }
            }
        }
        let rest = rest.ok_or_else(|| Error::Undecodable {
            thread_id: key.to_string(),
            seq: checkpoint.seq,
            path: ".".into(),
            reason: "no saver of LangGraph has saved it".into(),
        })?;
        Ok(Self {
            id: checkpoint.id,
            parent,
            rest,
            values,
            metadata: Value::Object(checkpoint.metadata).to_string(),
            writes,
            key,
        })
    }

    pub(crate) fn into_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let value = |value: &TypedValue| (value.kind.to_string(), PyBytes::new(py, &value.bytes));
        let mut values = Vec::new();
        for (name, content) in &self.values {
            let found = match content {
                Content::List(entries) => {
                    let entries: Vec<_> = entries.iter().map(value).collect();
                    entries.into_pyobject(py)?.into_any()
                }
                Content::Value(one) => value(one).into_pyobject(py)?.into_any(),
                Content::Same | Content::Appended(_) => continue,
            };
            values.push((name, found));
        }
        let writes = self.writes.iter().map(|pending| {
            let write = &pending.write;
            (
                &pending.task_id,
                &write.channel,
                value(&write.value),
                &pending.task_path,
            )
        });
        let writes: Vec<_> = writes.collect();
        let key = (&self.key.thread_id, &self.key.namespace);
        let rest = (&self.rest.0, PyBytes::new(py, &self.rest.1));
        let found = (
            key,
            &self.id,
            &self.parent,
            rest,
            values,
            &self.metadata,
            writes,
        );
        Ok(found.into_pyobject(py)?.into_any().unbind())
    }
}

pub(crate) fn typed((kind, bytes): Typed) -> TypedValue {
    TypedValue::new(&kind, bytes)
}

fn untyped(value: &TypedValue) -> Typed {
    (value.kind.to_string(), value.bytes.to_vec())
}

pub(crate) fn object(json: &str) -> Result<Map<String, Value>> {
    serde_json::from_str(json).map_err(|error| Error::InvalidArgument {
        argument: "metadata",
        reason: format!("must be a JSON object: {error}"),
    })
}
