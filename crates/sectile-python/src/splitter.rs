//! LangChain's splitters of texts into chunks.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use sectile::chunk::{
    CharacterTextSplitter, KeepSeparator, Language, RecursiveCharacterTextSplitter, TokenChunker,
    TokenCounter, Tokenizer,
};

use crate::chunk::{Chunk, tokenizer_of};
use crate::document::DocumentMaker;
use crate::error;

/// A length that a function in Python says. What it raises is kept, and raised when the text is cut.
struct Measured {
    function: Py<PyAny>,
    raised: Mutex<Option<PyErr>>,
}

impl TokenCounter for Measured {
    fn count(&self, text: &str) -> usize {
        let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
        if raised.is_some() {
            return 0;
        }
        let length = Python::attach(|py| self.function.call1(py, (text,))?.extract(py));
        length.unwrap_or_else(|error| {
            *raised = Some(error);
            0
        })
    }

    fn name(&self) -> &'static str {
        "a function in Python"
    }
}

enum Strategy {
    Recursive(RecursiveCharacterTextSplitter),
    Single(CharacterTextSplitter),
    Tokens(TokenChunker, Arc<dyn Tokenizer>),
}

/// Splits as one of LangChain's classes does.
#[pyclass(frozen, module = "sectile._sectile")]
pub(crate) struct Splitter {
    strategy: Strategy,
    measured: Option<Arc<Measured>>,
}

#[pymethods]
impl Splitter {
    /// Makes a `RecursiveCharacterTextSplitter`. `length` is nothing for characters, the name of a unit, or a function.
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "they are LangChain's")]
    #[pyo3(signature = (size, overlap, separators, *, regex, keep, trim, length=None))]
    fn recursive(
        py: Python<'_>,
        size: usize,
        overlap: usize,
        separators: Vec<String>,
        regex: bool,
        keep: &str,
        trim: bool,
        length: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let invalid = |error| error::of_chunking(py, &error);
        let splitter = RecursiveCharacterTextSplitter::langchain(size, overlap).map_err(invalid)?;
        let splitter = if regex {
            let with = splitter.with_regex_separators(separators);
            with.map_err(invalid)?
        } else {
            splitter.with_separators(separators)
        };
        let splitter = splitter.with_keep_separator(keep_of(keep)?);
        let (counter, measured) = counter_of(length)?;
        let splitter = splitter.with_trim(trim).with_length(counter);
        Ok(Self {
            strategy: Strategy::Recursive(splitter),
            measured,
        })
    }

    /// Makes a `CharacterTextSplitter`.
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "they are LangChain's")]
    #[pyo3(signature = (size, overlap, separator, *, regex, keep, trim, length=None))]
    fn character(
        py: Python<'_>,
        size: usize,
        overlap: usize,
        separator: &str,
        regex: bool,
        keep: &str,
        trim: bool,
        length: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let splitter = if regex {
            CharacterTextSplitter::with_regex(separator, size, overlap)
        } else {
            CharacterTextSplitter::new(separator, size, overlap)
        };
        let splitter = splitter.map_err(|error| error::of_chunking(py, &error))?;
        let splitter = splitter.with_keep_separator(keep_of(keep)?);
        let (counter, measured) = counter_of(length)?;
        Ok(Self {
            strategy: Strategy::Single(splitter.with_trim(trim).with_length(counter)),
            measured,
        })
    }

    /// Makes a `TokenTextSplitter` for an encoding, whose windows may begin and end inside characters unless
    /// `whole_characters` are asked for.
    #[staticmethod]
    fn tokens(
        py: Python<'_>,
        size: usize,
        overlap: usize,
        encoding: &str,
        whole_characters: bool,
    ) -> PyResult<Self> {
        let chunker = if whole_characters {
            TokenChunker::new(size, overlap).map(|chunker| chunker.with_min_tokens(1))
        } else {
            TokenChunker::langchain(size, overlap)
        };
        let chunker = chunker.map_err(|error| error::of_chunking(py, &error))?;
        Ok(Self {
            strategy: Strategy::Tokens(chunker, tokenizer_of(encoding)?),
            measured: None,
        })
    }

    /// Splits a text, and returns the texts of the chunks.
    fn split<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Vec<Bound<'py, PyString>>> {
        let chunks = py.detach(|| self.cut(text));
        self.raise()?;
        Ok(chunks
            .iter()
            .map(|chunk| PyString::new(py, &chunk.text))
            .collect())
    }

    /// Splits a text, and returns the chunks.
    fn chunks(&self, text: &Bound<'_, PyString>) -> PyResult<Vec<Chunk>> {
        let source = text.to_str()?;
        let chunks = text.py().detach(|| self.cut(source));
        self.raise()?;
        Chunk::all(text, chunks.into_iter())
    }

    /// Splits texts into documents, each with a copy of the metadata of its text, which has nothing in it that would
    /// have to be copied as well. With `starts` the place of the chunk is in it.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "arguments from Python are values"
    )]
    fn documents<'py>(
        &self,
        maker: &Bound<'py, DocumentMaker>,
        texts: Vec<Bound<'py, PyString>>,
        metadatas: Vec<Bound<'py, PyDict>>,
        starts: bool,
    ) -> PyResult<Bound<'py, PyList>> {
        let py = maker.py();
        let sources: Vec<&str> = texts
            .iter()
            .map(|text| text.to_str())
            .collect::<PyResult<_>>()?;
        let cut: Vec<_> = py.detach(|| sources.iter().map(|text| self.cut(text)).collect());
        self.raise()?;
        maker.get().documents(py, &cut, &metadatas, starts)
    }
}

impl Splitter {
    fn cut<'t>(&self, text: &'t str) -> Vec<sectile::core::Chunk<'t>> {
        match &self.strategy {
            Strategy::Recursive(splitter) => splitter.chunks(text),
            Strategy::Single(splitter) => splitter.chunks(text),
            Strategy::Tokens(chunker, tokenizer) => chunker.chunks(text, &**tokenizer),
        }
    }

    fn raise(&self) -> PyResult<()> {
        let Some(measured) = &self.measured else {
            return Ok(());
        };
        let mut raised = measured
            .raised
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        raised.take().map_or(Ok(()), Err)
    }
}

fn keep_of(name: &str) -> PyResult<KeepSeparator> {
    match name {
        "start" => Ok(KeepSeparator::Start),
        "end" => Ok(KeepSeparator::End),
        "none" => Ok(KeepSeparator::None),
        other => Err(PyValueError::new_err(format!(
            "keep is start, end or none, not {other:?}"
        ))),
    }
}

type Counter = (Arc<dyn TokenCounter>, Option<Arc<Measured>>);

fn counter_of(length: Option<&Bound<'_, PyAny>>) -> PyResult<Counter> {
    let Some(length) = length else {
        return Ok((Arc::new(sectile::chunk::Characters), None));
    };
    if let Ok(name) = length.extract::<String>() {
        return Ok((Arc::new(tokenizer_of(&name)?), None));
    }
    let measured = Arc::new(Measured {
        function: length.clone().unbind(),
        raised: Mutex::new(None),
    });
    Ok((Arc::clone(&measured) as _, Some(measured)))
}

/// Returns LangChain's separators for a language, by LangChain's name of it.
#[pyfunction]
pub(crate) fn separators_for_language(name: &str) -> PyResult<Vec<&'static str>> {
    let language = Language::from_name(name);
    let language = language
        .ok_or_else(|| PyValueError::new_err(format!("Language {name} is not supported!")))?;
    Ok(language.separators().to_vec())
}
