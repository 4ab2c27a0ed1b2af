//! Models that are functions in Python.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use pyo3::prelude::*;
use sectile::core::EmbeddingModel;
use sectile::models::{ChatModel, ChatRequest, Embedder, Error, Purpose, Reranker, Result};

use crate::operation::ENDED;

/// Calls Python in a thread where it may take its time.
async fn call<T: Send + 'static>(
    model: &str,
    function: impl FnOnce(Python<'_>) -> PyResult<T> + Send + 'static,
) -> Result<T> {
    let called = tokio::task::spawn_blocking(|| Python::try_attach(function)).await;
    let failed = |source: Box<dyn std::error::Error + Send + Sync>| Error::Failed {
        model: model.to_owned(),
        source,
    };
    match called {
        Ok(Some(returned)) => returned.map_err(|error| failed(error.into())),
        Ok(None) => Err(failed(ENDED.into())),
        Err(error) => Err(failed(error.into())),
    }
}

/// Returns the vectors that a function made, in a list, an array or a generator.
fn vectors_of(returned: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<f32>>> {
    let mut vectors = Vec::new();
    for vector in returned.try_iter()? {
        vectors.push(vector?.extract::<Vec<f32>>()?);
    }
    Ok(vectors)
}

/// An embedding model of the caller's own.
pub(crate) struct PythonEmbedder {
    model: EmbeddingModel,
    /// Makes the vectors of documents, and of questions.
    embed: Arc<Py<PyAny>>,
    embed_query: Arc<Py<PyAny>>,
}

impl PythonEmbedder {
    /// Takes an object with `name`, `embed` and `embed_query`; asks it for one vector to see how long they are.
    pub(crate) fn new(model: &Bound<'_, PyAny>) -> PyResult<Self> {
        let embed = model.getattr("embed")?;
        let probe = vectors_of(&embed.call1((["length"],))?).inspect_err(|error| {
            let note = "the function of an embedder makes a vector, a list of numbers, of each of a list of texts";
            // Without the note, the exception still says what is wrong.
            let _ = error.value(model.py()).call_method1("add_note", (note,));
        })?;
        let probe = probe.first().map(Vec::as_slice).unwrap_or_default();
        let length: f32 = probe.iter().map(|number| number * number).sum();
        Ok(Self {
            model: EmbeddingModel {
                name: model.getattr("name")?.extract()?,
                dimensions: probe.len(),
                is_normalized: (length - 1.0).abs() < 1e-3,
            },
            embed: Arc::new(embed.unbind()),
            embed_query: Arc::new(model.getattr("embed_query")?.unbind()),
        })
    }
}

impl fmt::Debug for PythonEmbedder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("PythonEmbedder")
            .field(&self.model)
            .finish()
    }
}

#[async_trait]
impl Embedder for PythonEmbedder {
    fn model(&self) -> &EmbeddingModel {
        &self.model
    }

    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        let function = Arc::clone(match purpose {
            Purpose::Document => &self.embed,
            Purpose::Query => &self.embed_query,
        });
        let texts = texts.to_vec();
        call(&self.model.name, move |py| {
            vectors_of(function.call1(py, (texts,))?.bind(py))
        })
        .await
    }
}

/// A chat model of the caller's own.
pub(crate) struct PythonChatModel {
    name: String,
    complete: Arc<Py<PyAny>>,
}

impl PythonChatModel {
    /// Takes an object with `name` and `complete`.
    pub(crate) fn new(model: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self {
            name: model.getattr("name")?.extract()?,
            complete: Arc::new(model.getattr("complete")?.unbind()),
        })
    }
}

impl fmt::Debug for PythonChatModel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("PythonChatModel")
            .field(&self.name)
            .finish()
    }
}

#[async_trait]
impl ChatModel for PythonChatModel {
    fn name(&self) -> &str {
        &self.name
    }

    async fn complete(&self, request: &ChatRequest) -> Result<String> {
        let function = Arc::clone(&self.complete);
        let request = request.clone();
        call(&self.name, move |py| {
            let arguments = (request.system, request.user, request.max_tokens);
            function.call1(py, arguments)?.extract(py)
        })
        .await
    }
}

/// A reranking model of the caller's own.
pub(crate) struct PythonReranker {
    name: String,
    rerank: Arc<Py<PyAny>>,
}

impl PythonReranker {
    /// Takes an object with `name` and `rerank`.
    pub(crate) fn new(model: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self {
            name: model.getattr("name")?.extract()?,
            rerank: Arc::new(model.getattr("rerank")?.unbind()),
        })
    }
}

impl fmt::Debug for PythonReranker {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("PythonReranker")
            .field(&self.name)
            .finish()
    }
}

#[async_trait]
impl Reranker for PythonReranker {
    fn name(&self) -> &str {
        &self.name
    }

    async fn rerank(&self, question: &str, texts: &[String]) -> Result<Vec<f32>> {
        let function = Arc::clone(&self.rerank);
        let (question, texts) = (question.to_owned(), texts.to_vec());
        call(&self.name, move |py| {
            function.call1(py, (question, texts))?.extract(py)
        })
        .await
    }
}
