//! Chunkers.

use std::path::Path;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use sectile::chunk::{Bpe, Language, Tokenizer, markdown_outline, mdx_outline};
use sectile::core::{Format, Heading, Lines, Span};
use sectile::{ChunkSettings, CutChunk, Cutter, Strategy, StrategyOptions, Unit};
use sectile_arrow::ChunkBuilder;

use crate::batch::{self, ChunkBatches, Texts};
use crate::error;
use crate::number::{count, optional_count};
use crate::options::{KEEP, LONG, from_name, language_of, name_of};

/// A chunk of a text. What it says is made when it is looked at.
///
/// ```text
/// >>> from sectile import Chunker
/// >>> text = "# Guide\n\nRead me.\n"
/// >>> [chunk] = Chunker().chunks(text)
/// >>> chunk.headings, chunk.first_line
/// (('Guide',), 1)
/// >>> text[chunk.start:chunk.end] == chunk.text
/// True
///
/// ```
#[pyclass(frozen, module = "sectile")]
pub(crate) struct Chunk {
    text: Text,
    index: usize,
    span: Span,
    chars: Span,
    lines: Lines,
    /// What its tokens are, where sizes are in tokens.
    unit: Option<Unit>,
    headings: Option<Arc<[String]>>,
}

/// The text of a chunk.
enum Text {
    /// What stands at its span.
    Source(Py<PyString>),
    Own(String),
}

/// The first and the last, or the start and the end.
type Pair = (usize, usize);

#[pymethods]
impl Chunk {
    /// Makes a chunk of what another one says, as pickle does.
    #[new]
    fn make(
        text: String,
        index: usize,
        chars: Pair,
        bytes: Pair,
        lines: Pair,
        headings: Vec<String>,
        unit: Option<&str>,
    ) -> PyResult<Self> {
        Ok(Self {
            text: Text::Own(text),
            index,
            span: Span::new(bytes.0, bytes.1),
            chars: Span::new(chars.0, chars.1),
            lines: Lines {
                first: lines.0,
                last: lines.1,
            },
            unit: unit.map(unit_of).transpose()?,
            headings: Some(headings.into()),
        })
    }

    /// Returns what `make` takes.
    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let given = (
            self.text(py)?,
            self.index,
            (self.chars.start, self.chars.end),
            (self.span.start, self.span.end),
            (self.lines.first, self.lines.last),
            self.headings(py)?,
            self.unit.map(Unit::name),
        );
        given.into_pyobject(py)
    }

    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        Ok(PyString::new(py, self.borrowed(py)?))
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
    fn tokens(&self, py: Python<'_>) -> PyResult<Option<usize>> {
        let count = |unit: Unit| -> PyResult<usize> {
            let text = self.borrowed(py)?;
            Ok(unit.counter().count(text))
        };
        self.unit.map(count).transpose()
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
    /// Makes an object of each chunk of a text, whose tokens are counted in a unit; other threads run in between.
    pub(crate) fn all<'t>(
        source: &Bound<'_, PyString>,
        unit: Option<Unit>,
        chunks: impl ExactSizeIterator<Item = sectile::core::Chunk<'t>>,
    ) -> PyResult<Vec<Self>> {
        let mut made = Vec::with_capacity(chunks.len());
        for chunk in chunks {
            made.push(Self::new(source, unit, chunk)?);
            if made.len() % TURN == 0 {
                source.py().detach(|| ());
            }
        }
        Ok(made)
    }

    fn new(
        source: &Bound<'_, PyString>,
        unit: Option<Unit>,
        chunk: sectile::core::Chunk<'_>,
    ) -> PyResult<Self> {
        let text = if chunk.text == chunk.span.of(source.to_str()?) {
            Text::Source(source.clone().unbind())
        } else {
            Text::Own(chunk.text.into_owned())
        };
        Ok(Self {
            text,
            index: chunk.index,
            span: chunk.span,
            chars: chunk.chars,
            lines: chunk.lines,
            unit,
            headings: chunk.heading_path,
        })
    }

    fn borrowed<'t>(&'t self, py: Python<'t>) -> PyResult<&'t str> {
        match &self.text {
            Text::Own(text) => Ok(text),
            Text::Source(source) => Ok(self.span.of(source.bind(py).to_str()?)),
        }
    }
}

/// Warns that an overlap of a whole chunk or more is made smaller.
fn warn_of_clamping(py: Python<'_>, settings: &ChunkSettings) -> PyResult<()> {
    let (size, overlap) = (settings.size(), settings.overlap());
    let Some(asked) = settings.overlap.filter(|asked| *asked > overlap) else {
        return Ok(());
    };
    let message =
        format!("an overlap of {asked} does not fit into chunks of {size}; using {overlap}");
    py.import("warnings")?.call_method1("warn", (message,))?;
    Ok(())
}

/// Names the argument of Python where its name is not that of the library.
fn with_argument_named(error: sectile::Error) -> sectile::Error {
    use sectile::chunk::Error::InvalidConfig;
    match error {
        sectile::Error::Settings(InvalidConfig {
            option: "keep_white_space",
            reason,
        }) => sectile::Error::Settings(InvalidConfig {
            option: "trim",
            reason,
        }),
        other => other,
    }
}

/// Cuts texts by one strategy: markdown, sentence, token, recursive or sections.
///
/// ```text
/// >>> from sectile import Chunker
/// >>> text = "One two three. Four."
/// >>> chunks = Chunker("recursive", size=10, overlap=0, unit="chars").chunks(text)
/// >>> [(chunk.start, chunk.text) for chunk in chunks]
/// [(0, 'One two'), (8, 'three.'), (15, 'Four.')]
/// >>> Chunker("recursive", size=10, overlap=0, unit="chars").batch([text, "Five."])
/// ChunkBatches(4 chunks)
///
/// ```
#[pyclass(frozen, module = "sectile")]
pub(crate) struct Chunker {
    cutter: Cutter,
    settings: ChunkSettings,
    options: StrategyOptions,
}

#[pymethods]
impl Chunker {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "they are those of Python")]
    #[pyo3(signature = (
        strategy="markdown", *, size=None, overlap=None, unit=None, separators=None, language=None,
        keep_separator=None, trim=true, long_sentences=None, merge_below=0, heading_path_in_text=false
    ))]
    fn new(
        py: Python<'_>,
        strategy: &str,
        #[pyo3(from_py_with = optional_count)] size: Option<usize>,
        #[pyo3(from_py_with = optional_count)] overlap: Option<usize>,
        unit: Option<&str>,
        separators: Option<Vec<String>>,
        language: Option<&str>,
        keep_separator: Option<&str>,
        trim: bool,
        long_sentences: Option<&str>,
        #[pyo3(from_py_with = count)] merge_below: usize,
        heading_path_in_text: bool,
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
        let keep_of = |name| from_name("keep_separator", KEEP, name);
        let long_of = |name| from_name("long_sentences", LONG, name);
        let options = StrategyOptions {
            separators: separators.unwrap_or_default(),
            language: language.map(language_of).transpose()?,
            keep_separator: keep_separator.map(keep_of).transpose()?,
            keep_white_space: !trim,
            long_sentences: long_sentences.map(long_of).transpose()?,
            merge_below,
            heading_path_in_text,
        };
        let cutter = settings
            .cutter_with(&options)
            .map_err(|error| error::of_library(py, &with_argument_named(error)))?;
        warn_of_clamping(py, &settings)?;
        Ok(Self {
            cutter,
            settings,
            options,
        })
    }

    /// Returns what `new` takes.
    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<((&'static str,), Bound<'py, PyDict>)> {
        let ChunkSettings {
            strategy,
            size,
            overlap,
            unit,
        } = self.settings;
        let named = PyDict::new(py);
        named.set_item("size", size)?;
        named.set_item("overlap", overlap)?;
        named.set_item("unit", unit.map(Unit::name))?;
        let StrategyOptions {
            separators,
            language,
            keep_separator,
            keep_white_space,
            long_sentences,
            merge_below,
            heading_path_in_text,
        } = &self.options;
        let keep = keep_separator.as_ref();
        let long = long_sentences.as_ref();
        named.set_item("separators", separators)?;
        named.set_item("language", language.map(Language::name))?;
        named.set_item("keep_separator", keep.and_then(|keep| name_of(KEEP, keep)))?;
        named.set_item("trim", !keep_white_space)?;
        named.set_item("long_sentences", long.and_then(|long| name_of(LONG, long)))?;
        named.set_item("merge_below", *merge_below)?;
        named.set_item("heading_path_in_text", *heading_path_in_text)?;
        Ok(((strategy.name(),), named))
    }

    /// Cuts a text into chunks.
    #[pyo3(signature = (text, *, name="text.md"))]
    fn chunks(&self, text: &Bound<'_, PyString>, name: &str) -> PyResult<Vec<Chunk>> {
        let py = text.py();
        let source = text.to_str()?;
        let cut = py.detach(|| self.cut(name, source));
        let cut = cut.map_err(|error| error::of_library(py, &error))?;
        let chunks = cut.into_iter().map(|cut| cut.chunk);
        Chunk::all(text, self.token_unit(), chunks)
    }

    /// Cuts many texts on all cores: strings, or a column of them in Arrow.
    #[pyo3(signature = (texts, *, name="text.md"))]
    fn batch(&self, texts: &Bound<'_, PyAny>, name: &str) -> PyResult<ChunkBatches> {
        let py = texts.py();
        let texts = Texts::new(texts)?;
        let texts = texts.borrowed()?;
        let is_in_tokens = self.token_unit().is_some();
        let cut = |text: &str, chunks: &mut ChunkBuilder| {
            for CutChunk { mut chunk, .. } in self.cut(name, text)? {
                chunk.tokens = chunk.tokens.filter(|_| is_in_tokens);
                chunks.append(&chunk);
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
    /// Returns the settings, by which a library cuts; it knows no options of one strategy.
    pub(crate) fn settings_alone(&self) -> PyResult<&ChunkSettings> {
        if self.options == StrategyOptions::default() {
            return Ok(&self.settings);
        }
        let reason =
            "a library cuts by strategy, size, overlap and unit; make its chunker of these alone";
        Err(PyValueError::new_err(reason))
    }

    /// Returns what tokens are, where sizes are in tokens.
    fn token_unit(&self) -> Option<Unit> {
        Some(self.settings.unit()).filter(|unit| *unit != Unit::Chars)
    }

    fn cut<'t>(&self, name: &str, text: &'t str) -> sectile::Result<Vec<CutChunk<'t>>> {
        let path = path_of(name);
        let format = format_of(path, text);
        let outline = match self.settings.strategy {
            Strategy::Markdown | Strategy::Sections => outline_of(path, text, format),
            _ => Vec::new(),
        };
        self.cutter.chunks(name, text, format, &outline)
    }
}

/// Returns the path that a name is, or that stands in an address: that of a page where no file is named.
fn path_of(name: &str) -> &Path {
    let Some((_, address)) = name.split_once("://") else {
        return Path::new(name);
    };
    let address = address.split(['?', '#']).next().unwrap_or_default();
    let path = address.split_once('/').map_or("", |(_, path)| path);
    let has_extension = Path::new(path).extension().is_some();
    Path::new(if has_extension { path } else { "index.html" })
}

/// Returns the format of a text: Markdown, which loaders make of other formats, unless its path says something else.
fn format_of(path: &Path, text: &str) -> Format {
    let has_extension = |known: &str| {
        let extension = path.extension();
        extension.is_some_and(|extension| extension.eq_ignore_ascii_case(known))
    };
    if has_extension("md") {
        return Format::Markdown;
    }
    match sectile::load::detect(text.as_bytes(), path) {
        Ok(Format::Text) if has_extension("txt") => Format::Text,
        // A PDF is no text.
        Ok(format) if format.is_outlined() && format != Format::Pdf => format,
        _ => Format::Markdown,
    }
}

/// Returns the headings of a text.
fn outline_of(path: &Path, text: &str, format: Format) -> Vec<Heading> {
    match format {
        Format::Markdown if sectile::load::is_mdx(path) => mdx_outline(text),
        Format::Markdown => markdown_outline(text),
        _ => {
            let document = sectile::load::load_bytes(text.as_bytes(), path).ok();
            // Places in another text would be wrong.
            let same = document.filter(|document| document.text == text);
            same.map_or_else(Vec::new, |document| document.outline)
        }
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
