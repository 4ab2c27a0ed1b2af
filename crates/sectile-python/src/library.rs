//! The library: what is ingested, searched, remembered and read. Answers are handed over as JSON.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sectile::core::{DocumentId, Metadata, SectionId};
use sectile::models::Reranker;
use sectile::store::{DocumentRecord, Language};
use sectile::{IngestEvent, Part, RerankOptions, Result, Scope};
use serde::Serialize;
use serde_json::{Value, json};

use crate::chunk::Chunker;
use crate::error;
use crate::hits::HitBatch;
use crate::loader::IngestOptions;
use crate::model::{PythonChatModel, PythonEmbedder, PythonReranker};
use crate::number::{count, optional_count, optional_range};
use crate::operation::{Operation, call_back, check_process, wait_for};
use crate::scope::{Place, ScopeArguments};
use crate::search::{Arguments, Form};

/// Documents in a store, with what finds them.
#[pyclass(frozen, module = "sectile._sectile")]
pub(crate) struct Library {
    library: Arc<sectile::Library>,
    process: u32,
}

#[pymethods]
impl Library {
    /// Opens a store: `sqlite:PATH` or `postgres://…`. A model is a name, or an object with functions. A reranker reads
    /// so many hits, for at most so many seconds, and those of some collections without being asked. `languages` are those
    /// of collections. Without `create`, a file must be there.
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    #[pyo3(signature = (
        url, *, embedder=None, chat_model=None, chunker=None, reranker=None, languages=None, create=true
    ))]
    fn open(
        py: Python<'_>,
        url: &str,
        embedder: Option<&Bound<'_, PyAny>>,
        chat_model: Option<&Bound<'_, PyAny>>,
        chunker: Option<&Bound<'_, Chunker>>,
        reranker: Option<(Bound<'_, PyAny>, usize, f64, Vec<String>)>,
        languages: Option<BTreeMap<String, String>>,
        create: bool,
    ) -> PyResult<Self> {
        let invalid = |error| error::of_library(py, &error);
        // A file in a folder that this user may not search may exist.
        let is_missing = |file: &Path| matches!(file.try_exists(), Ok(false));
        if !create && sectile::sqlite_file(url).is_some_and(is_missing) {
            return Err(invalid(sectile::Error::StoreUrl {
                url: url.to_owned(),
                reason: "there is no such file; `create` makes it".to_owned(),
            }));
        }
        let language = |(name, code): (String, String)| -> Result<(String, Language)> {
            Ok((name, code.parse()?))
        };
        let languages = languages.into_iter().flatten().map(language);
        let languages = languages.collect::<Result<_>>().map_err(invalid)?;
        let library = wait_for(py, sectile::Library::open(url))?;
        let library = library.map_err(invalid)?;
        let mut library = library.with_collection_languages(languages);
        if let Some(chunker) = chunker {
            let settings = chunker.get().settings_alone()?;
            library = library.with_chunks(settings).map_err(invalid)?;
        }
        if let Some(model) = embedder {
            library = library.with_embedder(match model.extract::<String>() {
                Ok(name) => {
                    let opened = wait_for(py, sectile::open_embedder(&name, None))?;
                    opened.map_err(invalid)?
                }
                Err(_) => Arc::new(PythonEmbedder::new(model)?),
            });
        }
        if let Some(model) = chat_model {
            library = library.with_chat_model(match model.extract::<String>() {
                Ok(name) => sectile::open_chat_model(&name, None).map_err(invalid)?,
                Err(_) => Arc::new(PythonChatModel::new(model)?),
            });
        }
        if let Some((model, depth, seconds, collections)) = reranker {
            let timeout = Duration::try_from_secs_f64(seconds);
            let options = RerankOptions {
                depth,
                timeout: timeout.map_err(|error| PyValueError::new_err(error.to_string()))?,
                collections,
            };
            let model = match model.extract::<String>() {
                Ok(name) => sectile::open_reranker(&name, None).map_err(invalid)?,
                Err(_) => Arc::new(PythonReranker::new(&model)?) as Arc<dyn Reranker>,
            };
            library = library.with_reranker(model, options);
        }
        Ok(Self {
            library: Arc::new(library),
            process: std::process::id(),
        })
    }

    /// Brings what the store has of files and folders up to date. `on_event` is called as it goes on.
    #[pyo3(signature = (paths, collection, options, on_event=None))]
    fn ingest(
        &self,
        py: Python<'_>,
        paths: Vec<PathBuf>,
        collection: String,
        options: IngestOptions,
        on_event: Option<Py<PyAny>>,
    ) -> PyResult<Operation> {
        let library = options.set(py, sectile::Library::clone(&self.library))?;
        let raised = Arc::new(Mutex::new(None));
        let kept = Arc::clone(&raised);
        let tell = move |event: IngestEvent| {
            let Some(on_event) = &on_event else {
                return;
            };
            let done = call_back(|py| on_event.call1(py, (event_json(&event),)).map(drop));
            if let Some(Err(error)) = done {
                let mut raised = raised.lock().unwrap_or_else(PoisonError::into_inner);
                raised.get_or_insert(error);
            }
        };
        let work = |_| async move { library.ingest(&collection, &paths, &tell).await };
        self.answer_or_raise(work, kept)
    }

    /// Makes the vectors that the documents of a collection lack, and reports how many.
    fn embed(&self, collection: String) -> PyResult<Operation> {
        self.answer(|library| async move { library.embed(&collection, &|_| ()).await })
    }

    /// Answers a question. `form` says where and how to search.
    fn search(&self, query: String, form: Arguments) -> PyResult<Operation> {
        let form = Form::try_from(form)?;
        self.answer(|library| async move { form.answer(&library, query).await })
    }

    /// Answers questions, and returns their hits as a batch.
    fn search_batch(&self, queries: Vec<String>, form: Arguments) -> PyResult<Operation> {
        let form = Form::try_from(form)?;
        check_process(self.process)?;
        let library = Arc::clone(&self.library);
        Ok(Operation::new(async move {
            let found = HitBatch::of(&library, queries, &form).await;
            Box::new(move |py: Python<'_>| {
                let found = found.map_err(|failed| {
                    error::of_question(py, &failed.error, failed.question, &failed.query)
                })?;
                Ok(Py::new(py, found)?.into_any())
            }) as _
        }))
    }

    /// Keeps a text that is to be found again. `metadata` here and below is JSON.
    fn remember(&self, text: String, metadata: &str) -> PyResult<Operation> {
        let metadata = metadata_of(metadata)?;
        self.write(|library| async move { library.remember(&text, metadata).await })
    }

    /// Removes a memory.
    fn forget(&self, id: &str) -> PyResult<Operation> {
        let id = id_of(id)?;
        self.write(move |library| async move { library.forget(id).await })
    }

    /// Keeps a piece of knowledge.
    fn learn(&self, text: String, metadata: &str) -> PyResult<Operation> {
        let metadata = metadata_of(metadata)?;
        self.write(|library| async move { library.learn(&text, metadata).await })
    }

    /// Removes a piece of knowledge.
    fn delete_knowledge(&self, id: &str) -> PyResult<Operation> {
        let id = id_of(id)?;
        self.write(move |library| async move { library.delete_knowledge(id).await })
    }

    /// Returns the tree of a document.
    #[pyo3(signature = (uri, collection=None))]
    fn tree(&self, uri: String, collection: Option<String>) -> PyResult<Operation> {
        self.answer(|library| async move {
            let document = document(&library, collection, &uri).await?;
            library.tree(&document).await
        })
    }

    /// Has the chat model write what the sections of a document say, and returns how many.
    #[pyo3(signature = (uri, collection=None))]
    fn summarize(&self, uri: String, collection: Option<String>) -> PyResult<Operation> {
        self.answer(|library| async move {
            let document = document(&library, collection, &uri).await?;
            library.summarize(&document).await
        })
    }

    /// Lists documents.
    fn documents(&self, scope: ScopeArguments) -> PyResult<Operation> {
        let place = Place::try_from(scope)?;
        self.answer(|library| async move { library.documents(&place.scope(&library)?).await })
    }

    /// Returns the metadata of documents by their ids. Those that are gone are left out.
    fn metadata(&self, ids: Vec<String>) -> PyResult<Operation> {
        let ids = ids.into_iter().map(|id| id_of(&id));
        let ids = ids.collect::<PyResult<Vec<DocumentId>>>()?;
        self.answer(|library| async move {
            let mut found: BTreeMap<DocumentId, Metadata> = BTreeMap::new();
            for id in ids {
                if let Some(document) = library.store().found_document(id).await? {
                    let _ = found.insert(id, document.record.metadata);
                }
            }
            Ok(found)
        })
    }

    /// Counts what the store has.
    fn totals(&self) -> PyResult<Operation> {
        self.answer(|library| async move { library.totals().await })
    }

    /// Returns the sections of a document.
    #[pyo3(signature = (uri, collection=None))]
    fn toc(&self, uri: String, collection: Option<String>) -> PyResult<Operation> {
        self.answer(|library| async move {
            let document = document(&library, collection, &uri).await?;
            library.toc(document.id).await
        })
    }

    /// Reads a part of a document.
    #[expect(clippy::too_many_arguments, reason = "they are those of Python")]
    #[pyo3(signature = (
        uri, *, collection=None, heading=None, section=None, lines=None, pages=None, cursor=0, max_tokens=None
    ))]
    fn get(
        &self,
        uri: String,
        collection: Option<String>,
        heading: Option<String>,
        section: Option<&str>,
        #[pyo3(from_py_with = optional_range)] lines: Option<(usize, usize)>,
        #[pyo3(from_py_with = optional_range)] pages: Option<(usize, usize)>,
        #[pyo3(from_py_with = count)] cursor: usize,
        #[pyo3(from_py_with = optional_count)] max_tokens: Option<usize>,
    ) -> PyResult<Operation> {
        let page = |page: usize| u32::try_from(page).unwrap_or(u32::MAX);
        let parts = [
            heading.map(Part::Heading),
            section.map(section_of).transpose()?.map(Part::Section),
            lines.map(|(first, last)| Part::Lines(first..=last)),
            pages.map(|(first, last)| Part::Pages(page(first)..=page(last))),
        ];
        let mut parts = parts.into_iter().flatten();
        let part = parts.next().unwrap_or_default();
        if parts.next().is_some() {
            let reason = "name a heading, a section, lines or pages, and only one of them";
            return Err(PyValueError::new_err(reason));
        }
        self.answer(|library| async move {
            let document = document(&library, collection, &uri).await?;
            library.get(&document, &part, cursor, max_tokens).await
        })
    }

    /// Removes a document, and returns it.
    #[pyo3(signature = (uri, collection=None))]
    fn remove(&self, uri: String, collection: Option<String>) -> PyResult<Operation> {
        self.write(|library| async move {
            let document = document(&library, collection, &uri).await?;
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

    /// Answers, also when nobody waits any more, after one write.
    fn write<T: Serialize, W: Future<Output = Result<T>> + Send + 'static>(
        &self,
        work: impl FnOnce(Arc<sectile::Library>) -> W,
    ) -> PyResult<Operation> {
        self.answer(work).map(Operation::until_done)
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

/// Returns the URI of a file, whose path need not be UTF-8.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments from Python are values"
)]
pub(crate) fn path_uri(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    sectile::path_uri(&path).map_err(|error| error::of_library(py, &error))
}

/// Returns the document that is named by its URI, or by its path as it was ingested.
async fn document(
    library: &sectile::Library,
    collection: Option<String>,
    name: &str,
) -> Result<DocumentRecord> {
    use sectile::Error::NotIngested;
    let collection = collection.as_deref();
    let missing = match library.document(collection, name).await {
        Err(error @ NotIngested { .. }) => error,
        found => return found,
    };
    let Ok(uri) = sectile::document_uri(name) else {
        return Err(missing);
    };
    match library.document(collection, &uri).await {
        Err(NotIngested { .. }) => Err(missing),
        found => found,
    }
}

fn metadata_of(json: &str) -> PyResult<Metadata> {
    let metadata = serde_json::from_str(json);
    metadata.map_err(|error| PyValueError::new_err(format!("metadata: {error}")))
}

fn id_of(id: &str) -> PyResult<DocumentId> {
    let parsed = id.parse();
    parsed.map_err(|_| PyValueError::new_err(format!("{id:?} is not the id of a memory")))
}

fn section_of(id: &str) -> PyResult<SectionId> {
    let parsed = id.parse();
    parsed.map_err(|_| PyValueError::new_err(format!("{id:?} is not the id of a section")))
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
        IngestEvent::Embedded { chunks, of } => {
            json!({ "event": "embedded", "chunks": chunks, "of": of })
        }
        IngestEvent::Truncated(truncated) => {
            let mut event = json!(truncated);
            event["event"] = "truncated".into();
            event
        }
        _ => Value::Null,
    };
    event.to_string()
}
