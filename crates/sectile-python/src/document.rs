//! LangChain's documents.

use pyo3::exceptions::PyIndexError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySet, PyString};
use sectile::core::Chunk;

/// Makes documents of texts and metadata that are right, without pydantic looking at each again.
#[pyclass(frozen, module = "sectile._sectile")]
pub(crate) struct DocumentMaker {
    class: Py<PyAny>,
    /// What all documents have alike.
    fields: Py<PyDict>,
    /// `object.__new__` and `object.__setattr__`.
    new: Py<PyAny>,
    set: Py<PyAny>,
}

#[pymethods]
impl DocumentMaker {
    #[new]
    fn make(class: &Bound<'_, PyAny>, kind: Py<PyAny>) -> PyResult<Self> {
        let py = class.py();
        let object = py.import("builtins")?.getattr("object")?;
        let fields = PyDict::new(py);
        fields.set_item("id", py.None())?;
        fields.set_item("metadata", py.None())?;
        fields.set_item("page_content", py.None())?;
        fields.set_item("type", kind)?;
        Ok(Self {
            class: class.clone().unbind(),
            fields: fields.unbind(),
            new: object.getattr("__new__")?.unbind(),
            set: object.getattr("__setattr__")?.unbind(),
        })
    }
}

impl DocumentMaker {
    /// Makes documents of chunks, each with a copy of the metadata of its text, which `copy` makes where a copy of the
    /// dictionary alone would share what is in it.
    pub(crate) fn documents<'py>(
        &self,
        py: Python<'py>,
        texts: &[Vec<Chunk<'_>>],
        metadatas: &[Bound<'py, PyDict>],
        copy: Option<&Bound<'py, PyAny>>,
        starts: &Starts,
    ) -> PyResult<Bound<'py, PyList>> {
        let pause = Pause::begin(py)?;
        let documents = PyList::empty(py);
        for (at, chunks) in texts.iter().enumerate() {
            for (number, chunk) in chunks.iter().enumerate() {
                let metadata = match (metadatas.get(at), copy) {
                    (Some(metadata), None) => metadata.copy()?,
                    (Some(metadata), Some(copy)) => {
                        copy.call1((metadata,))?.cast_into::<PyDict>()?
                    }
                    (None, _) if metadatas.is_empty() => PyDict::new(py),
                    (None, _) => return Err(PyIndexError::new_err("list index out of range")),
                };
                starts.write(&metadata, at, number, chunk)?;
                documents.append(self.document(py, &chunk.text, metadata)?)?;
            }
        }
        drop(pause);
        Ok(documents)
    }

    fn document<'py>(
        &self,
        py: Python<'py>,
        text: &str,
        metadata: Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let fields = self.fields.bind(py).copy()?;
        fields.set_item(intern!(py, "metadata"), metadata)?;
        fields.set_item(intern!(py, "page_content"), PyString::new(py, text))?;
        let given = PySet::new(py, [intern!(py, "metadata"), intern!(py, "page_content")])?;
        let document = self.new.bind(py).call1((&self.class,))?;
        let set = self.set.bind(py);
        set.call1((&document, intern!(py, "__dict__"), fields))?;
        set.call1((&document, intern!(py, "__pydantic_fields_set__"), given))?;
        set.call1((&document, intern!(py, "__pydantic_extra__"), py.None()))?;
        set.call1((&document, intern!(py, "__pydantic_private__"), py.None()))?;
        Ok(document)
    }
}

/// What metadata says of where a chunk begins.
pub(crate) enum Starts {
    /// Nothing.
    None,
    /// Where it stands.
    True,
    /// What LangChain says, for the chunks of each text.
    LangChain(Vec<Vec<Option<usize>>>),
}

impl Starts {
    fn write(
        &self,
        metadata: &Bound<'_, PyDict>,
        text: usize,
        number: usize,
        chunk: &Chunk<'_>,
    ) -> PyResult<()> {
        let name = intern!(metadata.py(), "start_index");
        let found = match self {
            Self::None => return Ok(()),
            Self::True => Some(chunk.chars.start),
            Self::LangChain(starts) => starts[text][number],
        };
        match found {
            Some(start) => metadata.set_item(name, start),
            None => metadata.set_item(name, -1),
        }
    }
}

/// The garbage collector, paused: making many objects, none of them garbage, would have it look at all of them again
/// and again. Without a lock of the interpreter, other threads run meanwhile with the collector paused.
struct Pause<'py>(Option<Bound<'py, PyModule>>);

impl<'py> Pause<'py> {
    fn begin(py: Python<'py>) -> PyResult<Self> {
        let collector = py.import("gc")?;
        let is_on: bool = collector.call_method0("isenabled")?.extract()?;
        if is_on {
            collector.call_method0("disable")?;
        }
        Ok(Self(is_on.then_some(collector)))
    }
}

impl Drop for Pause<'_> {
    fn drop(&mut self) {
        if let Some(collector) = &self.0 {
            // `enable` cannot fail.
            let _ = collector.call_method0("enable");
        }
    }
}
