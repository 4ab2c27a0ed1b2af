//! Chunkers.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use sectile::chunk::{Bpe, Tokenizer, markdown_outline};
use sectile::core::{Format, Lines, Span};
use sectile::{ChunkSettings, CutChunk, Cutter, Strategy, Unit};
use sectile_arrow::ChunkBuilder;

use crate::batch::{self, ChunkBatches, Texts};
use crate::error;

/// A chunk of a text. What it says is made when it is looked at.
#[pyclass(frozen, module = "sectile")]
pub(crate) struct Chunk {
    source: Py<PyString>,
    /// Where the text of the chunk is not that of its span.
    own: Option<String>,
    index: usize,
    span: Span,
    chars: Span,
    lines: Lines,
    tokens: Option<usize>,
    headings: Option<Arc<[String]>>,
}

#[pymethods]
impl Chunk {
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        match &self.own {
            Some(text) => Ok(PyString::new(py, text)),
            None => Ok(PyString::new(
                py,
                self.span.of(self.source.bind(py).to_str()?),
            )),
        }
    }

    #[getter]
    const fn index(&self) -> usize {
        self.index
    }

    #[getter]
    const fn start(&self) -> usize {
        self.chars.start
    }

    #[getter]
    const fn end(&self) -> usize {
        self.chars.end
    }

    #[getter]
    const fn start_byte(&self) -> usize {
        self.span.start
    }

    #[getter]
    const fn end_byte(&self) -> usize {
        self.span.end
    }

    #[getter]
    const fn first_line(&self) -> usize {
        self.lines.first
    }

    #[getter]
    const fn last_line(&self) -> usize {
        self.lines.last
    }

    #[getter]
    const fn tokens(&self) -> Option<usize> {
        self.tokens
    }

    #[getter]
    fn headings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.headings.as_deref().unwrap_or_default())
    }

    fn __str__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        self.text(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let text = self.text(py)?.repr()?;
        Ok(format!(
            "Chunk(index={}, start={}, end={}, text={text})",
            self.index, self.chars.start, self.chars.end
        ))
    }
}

/// After how many objects other threads may run.
const TURN: usize = 256;

impl Chunk {
    /// Makes an object of each chunk of a text; other threads run in between.
    pub(crate) fn all<'t>(
        source: &Bound<'_, PyString>,
        chunks: impl ExactSizeIterator<Item = sectile::core::Chunk<'t>>,
    ) -> PyResult<Vec<Self>> {
        let mut made = Vec::with_capacity(chunks.len());
        for chunk in chunks {
            made.push(Self::new(source, chunk)?);
            if made.len() % TURN == 0 {
                source.py().detach(|| ());
            }
        }
        Ok(made)
    }

    fn new(source: &Bound<'_, PyString>, chunk: sectile::core::Chunk<'_>) -> PyResult<Self> {
        let text = source.to_str()?;
        let own = (chunk.text != chunk.span.of(text)).then(|| chunk.text.into_owned());
        Ok(Self {
            source: source.clone().unbind(),
            own,
            index: chunk.index,
            span: chunk.span,
            chars: chunk.chars,
            lines: chunk.lines,
            tokens: chunk.tokens,
            headings: chunk.heading_path,
        })
    }
}

/// Cuts texts by one strategy.
#[pyclass(frozen, module = "sectile")]
pub(crate) struct Chunker {
    cutter: Cutter,
    settings: ChunkSettings,
}

#[pymethods]
impl Chunker {
    #[new]
    #[pyo3(signature = (strategy="markdown", *, size=None, overlap=None, unit=None))]
    fn new(
        py: Python<'_>,
        strategy: &str,
        size: Option<usize>,
        overlap: Option<usize>,
        unit: Option<&str>,
    ) -> PyResult<Self> {
        let strategy = Strategy::from_name(strategy).ok_or_else(|| {
            let known = Strategy::ALL.map(Strategy::name).join(", ");
            PyValueError::new_err(format!("strategy must be one of {known}, not {strategy:?}"))
        })?;
        let settings = ChunkSettings {
            strategy,
            size,
            overlap,
            unit: unit.map(unit_of).transpose()?,
        };
        let cutter = settings
            .cutter()
            .map_err(|error| error::of_library(py, &error))?;
        Ok(Self { cutter, settings })
    }

    /// Cuts a text into chunks.
    #[pyo3(signature = (text, *, name="text.md"))]
    fn chunks(&self, text: &Bound<'_, PyString>, name: &str) -> PyResult<Vec<Chunk>> {
        let py = text.py();
        let source = text.to_str()?;
        let cut = py.detach(|| self.cut(name, source));
        let cut = cut.map_err(|error| error::of_library(py, &error))?;
        let chunks = cut.into_iter();
        Chunk::all(text, chunks.map(|cut| cut.chunk))
    }

    /// Cuts many texts on all cores: strings, or a column of them in Arrow.
    #[pyo3(signature = (texts, *, name="text.md"))]
    fn batch(&self, texts: &Bound<'_, PyAny>, name: &str) -> PyResult<ChunkBatches> {
        let py = texts.py();
        let texts = Texts::new(texts)?;
        let texts = texts.borrowed()?;
        let cut = |text: &str, chunks: &mut ChunkBuilder| {
            for cut in self.cut(name, text)? {
                chunks.append(&cut.chunk);
            }
            Ok(())
        };
        let batches = py.detach(|| batch::cut(&texts, cut));
        batches.map_err(|error| error::of_library(py, &error))
    }

    fn __repr__(&self) -> String {
        format!("Chunker({})", self.settings)
    }
}

impl Chunker {
    pub(crate) const fn settings(&self) -> &ChunkSettings {
        &self.settings
    }

    fn cut<'t>(&self, name: &str, text: &'t str) -> sectile::Result<Vec<CutChunk<'t>>> {
        let outline = match self.settings.strategy {
            Strategy::Markdown | Strategy::Sections => markdown_outline(text),
            _ => Vec::new(),
        };
        self.cutter.chunks(name, text, Format::Markdown, &outline)
    }
}

fn unit_of(name: &str) -> PyResult<Unit> {
    Unit::from_name(name).ok_or_else(|| {
        let known: Vec<_> = Unit::ALL.iter().map(|unit| unit.name()).collect();
        PyValueError::new_err(format!(
            "unit must be one of {}, not {name:?}",
            known.join(", ")
        ))
    })
}

/// Returns what counts in a unit, or in tokens of the encoding that LangChain takes unless told otherwise.
pub(crate) fn tokenizer_of(name: &str) -> PyResult<Arc<dyn Tokenizer>> {
    match name {
        "gpt2" | "r50k_base" => Ok(Arc::new(Bpe::r50k_base())),
        name => Ok(unit_of(name)?.counter()),
    }
}

/// Counts the tokens of a text.
#[pyfunction]
#[pyo3(signature = (text, unit="o200k_base"))]
pub(crate) fn count_tokens(py: Python<'_>, text: &str, unit: &str) -> PyResult<usize> {
    let counter = tokenizer_of(unit)?;
    Ok(py.detach(|| counter.count(text)))
}
