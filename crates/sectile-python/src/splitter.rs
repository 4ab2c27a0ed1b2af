//! LangChain's splitter.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use sectile::chunk::{KeepSeparator, Language, RecursiveCharacterTextSplitter, TokenCounter};

use crate::chunk::{Chunk, unit_of};
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

/// Splits as LangChain's `RecursiveCharacterTextSplitter` does.
#[pyclass(frozen, module = "sectile._sectile")]
pub(crate) struct Splitter {
    splitter: RecursiveCharacterTextSplitter,
    measured: Option<Arc<Measured>>,
}

#[pymethods]
impl Splitter {
    /// `length` is nothing for characters, the name of a unit, or a function.
    #[new]
    #[expect(clippy::too_many_arguments, reason = "they are LangChain's")]
    #[pyo3(signature = (size, overlap, *, separators=None, regex=false, keep="start", trim=true, length=None))]
    fn new(
        py: Python<'_>,
        size: usize,
        overlap: usize,
        separators: Option<Vec<String>>,
        regex: bool,
        keep: &str,
        trim: bool,
        length: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let invalid = |error| error::of_chunking(py, &error);
        let mut splitter =
            RecursiveCharacterTextSplitter::langchain(size, overlap).map_err(invalid)?;
        if let Some(separators) = separators {
            splitter = if regex {
                let with = splitter.with_regex_separators(separators);
                with.map_err(invalid)?
            } else {
                splitter.with_separators(separators)
            };
        }
        let keep = match keep {
            "start" => KeepSeparator::Start,
            "end" => KeepSeparator::End,
            "none" => KeepSeparator::None,
            other => {
                return Err(PyValueError::new_err(format!(
                    "keep is start, end or none, not {other:?}"
                )));
            }
        };
        let mut splitter = splitter.with_keep_separator(keep).with_trim(trim);
        let mut measured = None;
        if let Some(length) = length {
            if let Ok(name) = length.extract::<String>() {
                splitter = splitter.with_length(Arc::new(unit_of(&name)?.counter()));
            } else {
                let counter = Arc::new(Measured {
                    function: length.clone().unbind(),
                    raised: Mutex::new(None),
                });
                splitter = splitter.with_length(Arc::clone(&counter) as Arc<dyn TokenCounter>);
                measured = Some(counter);
            }
        }
        Ok(Self { splitter, measured })
    }

    /// Splits a text, and returns the texts of the chunks.
    fn split<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Vec<Bound<'py, PyString>>> {
        let chunks = py.detach(|| self.splitter.chunks(text));
        self.raise()?;
        Ok(chunks
            .iter()
            .map(|chunk| PyString::new(py, &chunk.text))
            .collect())
    }

    /// Splits a text, and returns the chunks.
    fn chunks(&self, text: &Bound<'_, PyString>) -> PyResult<Vec<Chunk>> {
        let source = text.to_str()?;
        let chunks = text.py().detach(|| self.splitter.chunks(source));
        self.raise()?;
        chunks
            .into_iter()
            .map(|chunk| Chunk::new(text, chunk))
            .collect()
    }
}

impl Splitter {
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

/// Returns LangChain's separators for a language, by LangChain's name of it.
#[pyfunction]
pub(crate) fn separators_for_language(name: &str) -> PyResult<Vec<&'static str>> {
    let language = Language::from_name(name);
    let language = language
        .ok_or_else(|| PyValueError::new_err(format!("Language {name} is not supported!")))?;
    Ok(language.separators().to_vec())
}
