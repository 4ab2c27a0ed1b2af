//! Checkpoints, as LangGraph's savers know them: by thread, namespace and id, with values that a serializer
//! has made bytes of.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sectile::checkpoint::{
    At, Channels, Checkpoint, Content, Error, Key, PendingWrite, Records, RecordsExt as _, Result,
    StoredState, TaskWrites, TypedValue,
};
use sectile::{CheckpointOptions, Checkpoints as Places};
use serde_json::{Map, Value};

use crate::error;
use crate::listing::{List, Listing};
use crate::operation::{Operation, check_process, wait_for};

/// The channel that has a checkpoint without its values, and what the name of the one with its parent's
/// id is.
const REST: &str = "checkpoint";
pub(crate) const PARENT: &str = "parent";

/// What the names of the other channels begin with.
pub(crate) const VALUE: &str = "value:";

/// A value: its kind and its bytes.
type Typed = (String, Vec<u8>);

/// The value of a channel. A list is given by its entries where it grows: each is stored once.
#[derive(FromPyObject)]
enum Given {
    Value(Typed),
    List(Vec<Typed>),
}

/// Where the checkpoints of a database are.
#[pyclass(frozen, module = "sectile._sectile")]
pub(crate) struct Checkpoints {
    places: Arc<Places>,
    saver: Arc<Saver>,
}

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

#[pymethods]
impl Checkpoints {
    /// Connects to a database: `sqlite:PATH` or `postgres://…`.
    #[staticmethod]
    #[pyo3(signature = (url, *, schema=None, table_prefix="", pgbouncer=false))]
    fn connect(
        py: Python<'_>,
        url: &str,
        schema: Option<String>,
        table_prefix: &str,
        pgbouncer: bool,
    ) -> PyResult<Self> {
        let options = CheckpointOptions {
            schema,
            table_prefix: table_prefix.to_owned(),
            create: true,
            enable_projections: false,
            is_behind_pgbouncer: pgbouncer,
        };
        let places = wait_for(py, Places::connect(url, &options))?;
        let places = places.map_err(|error| error::of_checkpoints(py, &error))?;
        let saver = Saver {
            records: places.records(),
            process: std::process::id(),
        };
        Ok(Self {
            places: Arc::new(places),
            saver: Arc::new(saver),
        })
    }

    /// Makes the tables, or brings them up to date.
    fn migrate(&self) -> PyResult<Operation> {
        let places = Arc::clone(&self.places);
        self.answer(
            |_| async move { places.migrate().await },
            |py, done| Ok(done.into_pyobject(py)?.to_owned().into_any().unbind()),
        )
    }

    /// Saves a checkpoint of a thread and namespace, named by its id, its parent's and its run's, with its
    /// values by channel and version.
    fn save(
        &self,
        key: (String, String),
        names: (String, Option<String>, Option<String>),
        rest: Typed,
        values: Vec<(String, String, Given)>,
        metadata: String,
    ) -> PyResult<Operation> {
        let (id, parent, run) = names;
        let new = New {
            key: Key::new(key.0, key.1),
            id,
            parent,
            run,
            rest,
            values,
            metadata,
        };
        self.answer(
            |saver| async move { saver.save(new).await },
            |py, ()| Ok(py.None()),
        )
    }

    /// Loads a checkpoint, the newest if no id is given.
    #[pyo3(signature = (key, id=None))]
    fn load(&self, key: (String, String), id: Option<String>) -> PyResult<Operation> {
        let key = Key::new(key.0, key.1);
        let load = |saver: Arc<Saver>| async move { saver.load(key, id).await };
        self.answer(load, |py, found| match found {
            Some(found) => Ok(found.into_py(py)?),
            None => Ok(py.None()),
        })
    }

    /// Lists checkpoints of a thread, or of all, newest first.
    #[pyo3(signature = (thread, namespace, *, before=None, limit=None, metadata="{}"))]
    fn list(
        &self,
        thread: Option<String>,
        namespace: Option<String>,
        before: Option<String>,
        limit: Option<usize>,
        metadata: &str,
    ) -> PyResult<Listing> {
        let list = List {
            thread,
            namespace,
            before,
            limit,
            metadata: object(metadata)
                .map_err(|error| Python::attach(|py| error::of_checkpoints(py, &error)))?,
        };
        Ok(Listing::new(Arc::clone(&self.saver), list))
    }

    /// Keeps what a task of a run wrote beside a checkpoint: channels and values.
    fn write(
        &self,
        key: (String, String),
        id: String,
        task: (String, String),
        run: Option<String>,
        writes: Vec<(String, Typed)>,
    ) -> PyResult<Operation> {
        let key = Key::new(key.0, key.1);
        let mut of_task = TaskWrites::new(task.0).at_path(task.1);
        of_task.run_id = run;
        for (channel, value) in writes {
            of_task = of_task.write(channel, typed(value));
        }
        let write = |saver: Arc<Saver>| async move {
            saver.records.put_writes(&key, &At::Id(id), &of_task).await
        };
        self.answer(write, |py, ()| Ok(py.None()))
    }

    fn delete_thread(&self, thread: String) -> PyResult<Operation> {
        self.count(|saver| async move { saver.records.delete_thread(&thread).await })
    }

    fn delete_runs(&self, runs: Vec<String>) -> PyResult<Operation> {
        self.count(|saver| async move { saver.delete_runs(&runs).await })
    }

    fn copy_thread(&self, thread: String, new_thread: String) -> PyResult<Operation> {
        self.count(|saver| async move { saver.records.copy_thread(&thread, &new_thread).await })
    }

    /// Deletes all but the newest checkpoint of each namespace of a thread, and what those need.
    fn prune(&self, thread: String) -> PyResult<Operation> {
        self.count(|saver| async move { saver.prune(&thread).await })
    }
}

impl Checkpoints {
    fn count<W: Future<Output = Result<u64>> + Send + 'static>(
        &self,
        work: impl FnOnce(Arc<Saver>) -> W,
    ) -> PyResult<Operation> {
        self.answer(work, |py, count| {
            Ok(count.into_pyobject(py)?.into_any().unbind())
        })
    }

    fn answer<T: Send + 'static, W: Future<Output = Result<T>> + Send + 'static>(
        &self,
        work: impl FnOnce(Arc<Saver>) -> W,
        into: impl FnOnce(Python<'_>, T) -> PyResult<Py<PyAny>> + Send + 'static,
    ) -> PyResult<Operation> {
        answer(&self.saver, work, into)
    }
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
    }))
}

struct New {
    key: Key,
    id: String,
    parent: Option<String>,
    run: Option<String>,
    rest: Typed,
    values: Vec<(String, String, Given)>,
    metadata: String,
}

impl Saver {
    async fn save(&self, new: New) -> Result<()> {
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

    async fn load(&self, key: Key, id: Option<String>) -> Result<Option<Found>> {
        let at = id.map_or(At::Latest, At::Id);
        match self.records.load_stored(&key, &at).await? {
            Some(checkpoint) => self.found(checkpoint).await.map(Some),
            None => Ok(None),
        }
    }

    pub(crate) async fn found(&self, checkpoint: Checkpoint<StoredState>) -> Result<Found> {
        let key = checkpoint.key();
        let at = At::Seq(checkpoint.seq);
        let writes = self.records.pending_writes(&key, &at).await?;
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
        Ok(Found {
            id: checkpoint.id,
            parent,
            rest,
            values,
            metadata: Value::Object(checkpoint.metadata).to_string(),
            writes,
            key,
        })
    }
}

impl Found {
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

fn typed((kind, bytes): Typed) -> TypedValue {
    TypedValue::new(&kind, bytes)
}

fn untyped(value: &TypedValue) -> Typed {
    (value.kind.to_string(), value.bytes.to_vec())
}

fn object(json: &str) -> Result<Map<String, Value>> {
    serde_json::from_str(json).map_err(|error| Error::InvalidArgument {
        argument: "metadata",
        reason: format!("must be a JSON object: {error}"),
    })
}
