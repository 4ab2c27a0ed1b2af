//! The library: what is ingested, searched and read. Answers are handed over as JSON.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sectile::load::{FileLoader, LoadOptions};
use sectile::{IngestEvent, Part, Result, Scope, SearchMode, SearchRequest};
use serde::Serialize;
use serde_json::{Value, json};

use crate::error;
use crate::operation::{Operation, check_process, runtime};

/// Documents in a store, with what finds them.
#[pyclass(frozen, module = "sectile._sectile")]
pub(crate) struct Library {
    library: Arc<sectile::Library>,
    process: u32,
}

#[pymethods]
impl Library {
    /// Opens a store: `sqlite:PATH` or `postgres://…`.
    #[staticmethod]
    fn open(py: Python<'_>, url: &str) -> PyResult<Self> {
        let runtime = runtime()?;
        let library = py.detach(|| runtime.block_on(sectile::Library::open(url)));
        let library = library.map_err(|error| error::of_library(py, &error))?;
        let loader = FileLoader::new(LoadOptions::default()).with_workers(sectile_cli::workers()?);
        let library = library.with_loader(loader).with_options_kept(true);
        Ok(Self {
            library: Arc::new(library),
            process: std::process::id(),
        })
    }

    /// Brings what the store has of files and folders up to date. `on_event` is called as it goes on.
    #[pyo3(signature = (paths, collection, on_event=None))]
    fn ingest(
        &self,
        paths: Vec<PathBuf>,
        collection: String,
        on_event: Option<Py<PyAny>>,
    ) -> PyResult<Operation> {
        let raised = Arc::new(Mutex::new(None));
        let kept = Arc::clone(&raised);
        let tell = move |event: IngestEvent| {
            let Some(on_event) = &on_event else {
                return;
            };
            let done = Python::try_attach(|py| on_event.call1(py, (event_json(&event),)).map(drop));
            if let Some(Err(error)) = done {
                let mut raised = raised.lock().unwrap_or_else(PoisonError::into_inner);
                raised.get_or_insert(error);
            }
        };
        let work = |library: Arc<sectile::Library>| async move {
            library.ingest(&collection, &paths, &tell).await
        };
        self.answer_or_raise(work, kept)
    }

    /// Answers a question.
    #[pyo3(signature = (query, *, mode, limit, collection=None, paths=None, explain=false))]
    fn search(
        &self,
        query: String,
        mode: &str,
        limit: usize,
        collection: Option<String>,
        paths: Option<Vec<PathBuf>>,
        explain: bool,
    ) -> PyResult<Operation> {
        let known = serde_json::from_value::<SearchMode>(mode.into());
        let mode =
            known.map_err(|_| PyValueError::new_err(format!("there is no mode {mode:?}")))?;
        self.answer(|library| async move {
            let scope = match (&collection, paths) {
                (_, Some(paths)) => library.scope(
                    collection.as_deref().unwrap_or(sectile::DEFAULT_COLLECTION),
                    &paths,
                )?,
                (Some(collection), None) => Scope::collection(collection),
                (None, None) => Scope::all(),
            };
            let mut request = SearchRequest::new(query).with_scope(scope);
            request = request.with_mode(mode).with_limit(limit);
            request.explain = explain;
            library.search(&request).await
        })
    }

    /// Lists documents.
    #[pyo3(signature = (collection=None))]
    fn documents(&self, collection: Option<String>) -> PyResult<Operation> {
        self.answer(|library| async move {
            let scope = collection.map_or_else(Scope::all, Scope::collection);
            library.documents(&scope).await
        })
    }

    /// Returns the sections of a document.
    #[pyo3(signature = (uri, collection=None))]
    fn toc(&self, uri: String, collection: Option<String>) -> PyResult<Operation> {
        self.answer(|library| async move {
            let document = library.document(collection.as_deref(), &uri).await?;
            library.toc(document.id).await
        })
    }

    /// Reads a part of a document.
    #[pyo3(signature = (uri, *, collection=None, heading=None, lines=None, cursor=0, max_tokens=None))]
    fn get(
        &self,
        uri: String,
        collection: Option<String>,
        heading: Option<String>,
        lines: Option<(usize, usize)>,
        cursor: usize,
        max_tokens: Option<usize>,
    ) -> PyResult<Operation> {
        let part = match (heading, lines) {
            (Some(heading), None) => Part::Heading(heading),
            (None, Some((first, last))) => Part::Lines(first..=last),
            (None, None) => Part::Whole,
            (Some(_), Some(_)) => {
                return Err(PyValueError::new_err("name a heading or lines, not both"));
            }
        };
        self.answer(|library| async move {
            let document = library.document(collection.as_deref(), &uri).await?;
            library.get(&document, &part, cursor, max_tokens).await
        })
    }

    /// Removes a document, and returns it.
    #[pyo3(signature = (uri, collection=None))]
    fn remove(&self, uri: String, collection: Option<String>) -> PyResult<Operation> {
        self.answer(|library| async move {
            let document = library.document(collection.as_deref(), &uri).await?;
            let scope = Scope::collection(document.collection.as_str()).with_uri(&document.uri);
            library.remove(&scope).await.map(drop)?;
            Ok(document)
        })
    }
}

impl Library {
    fn answer<T: Serialize, W: Future<Output = Result<T>> + Send + 'static>(
        &self,
        work: impl FnOnce(Arc<sectile::Library>) -> W,
    ) -> PyResult<Operation> {
        self.answer_or_raise(work, Arc::default())
    }

    fn answer_or_raise<T: Serialize, W: Future<Output = Result<T>> + Send + 'static>(
        &self,
        work: impl FnOnce(Arc<sectile::Library>) -> W,
        raised: Arc<Mutex<Option<PyErr>>>,
    ) -> PyResult<Operation> {
        check_process(self.process)?;
        let work = work(Arc::clone(&self.library));
        Ok(Operation::new(async move {
            let found = work.await.map(|found| serde_json::to_string(&found));
            Box::new(move |py: Python<'_>| {
                if let Some(error) = raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
                    return Err(error);
                }
                let found = found.map_err(|error| error::of_library(py, &error))?;
                let found = found.map_err(|error| PyValueError::new_err(error.to_string()))?;
                Ok(found.into_pyobject(py)?.into_any().unbind())
            }) as _
        }))
    }
}

fn event_json(event: &IngestEvent) -> String {
    let event = match event {
        IngestEvent::Walked { files } => json!({ "event": "walked", "files": files }),
        IngestEvent::File { name, outcome } => {
            let mut file = json!(outcome);
            file["event"] = "file".into();
            file["name"] = name.as_str().into();
            file
        }
        IngestEvent::Renewed { documents } => json!({ "event": "renewed", "documents": documents }),
        IngestEvent::Embedded { chunks } => json!({ "event": "embedded", "chunks": chunks }),
        _ => Value::Null,
    };
    event.to_string()
}
