//! Checkpoints, as LangGraph's savers know them: by thread, namespace and id, with values that a serializer
//! has made bytes of.

use std::sync::Arc;

use pyo3::prelude::*;
use sectile::checkpoint::{At, Key, RecordsExt as _, Result, TaskWrites};
use sectile::{CheckpointOptions, Checkpoints as Places};

use crate::error;
use crate::listing::{List, Listing};
use crate::operation::{Operation, wait_for};
use crate::saver::{Given, New, Saver, Typed, answer, object, typed};

/// Where the checkpoints of a database are.
#[pyclass(frozen, module = "sectile._sectile")]
pub(crate) struct Checkpoints {
    places: Arc<Places>,
    saver: Arc<Saver>,
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
        let saver = Saver::new(places.records());
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

    /// Closes the connections.
    fn close(&self) -> PyResult<Operation> {
        let places = Arc::clone(&self.places);
        self.answer(
            |_| async move { places.close().await },
            |py, ()| Ok(py.None()),
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

    /// Lists checkpoints of a thread, or of all, newest first; those of one id if it is given.
    #[pyo3(signature = (thread, namespace, *, id=None, before=None, limit=None, metadata="{}"))]
    fn list(
        &self,
        thread: Option<String>,
        namespace: Option<String>,
        id: Option<String>,
        before: Option<String>,
        limit: Option<usize>,
        metadata: &str,
    ) -> PyResult<Listing> {
        let list = List {
            thread,
            namespace,
            id,
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
