//! LangChain's splitters of texts into chunks.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use sectile::chunk::{
    CharacterTextSplitter, RecursiveCharacterTextSplitter, TokenChunker, TokenCounter, Tokenizer,
    langchain_start_indices,
};

use crate::chunk::{Chunk, tokenizer_of};
use crate::document::{DocumentMaker, Starts};
use crate::error;
use crate::operation::ENDED;
use crate::options::{KEEP, from_name, language_of};
use sectile::core::Chunk as CoreChunk;

/// How many parts of one a length by a function in Python is counted in: it may be a fraction.
const PARTS: f64 = 1_048_576.0;

/// The largest length by a function in Python. In parts, the sum of two is a number still.
const LARGEST: f64 = 4_398_046_511_104.0;

/// A function in Python that measures the texts of one call. After it has raised it is not called again.
struct Measured {
    function: Py<PyAny>,
    raised: OnceLock<PyErr>,
}

impl TokenCounter for Measured {
    fn count(&self, text: &str) -> usize {
        if self.raised.get().is_some() {
            return 0;
        }
        // No lock is held: the function may wait for a thread that splits, or split itself.
        let length = Python::try_attach(|py| parts(self.function.call1(py, (text,))?.extract(py)?));
        let length = length.unwrap_or_else(|| Err(PyRuntimeError::new_err(ENDED)));
        length.unwrap_or_else(|error| {
            let _ = self.raised.set(error);
            0
        })
    }

    fn name(&self) -> &'static str {
        "a function in Python"
    }
}

#[derive(Clone)]
enum Strategy {
    Recursive(RecursiveCharacterTextSplitter),
    Single(CharacterTextSplitter),
    Tokens(TokenChunker, Arc<dyn Tokenizer>),
}

/// Splits as one of LangChain's classes does.
#[pyclass(frozen, module = "sectile._sectile")]
pub(crate) struct Splitter {
    strategy: Strategy,
    /// What measures in Python.
    function: Option<Py<PyAny>>,
    /// The size of chunks, as it was given.
    size: f64,
}

/// Where LangChain logs.
const LOGGER: &str = "langchain_text_splitters.base";

/// What LangChain logs of a chunk that is too long.
const TOO_LONG: &str = "Created a chunk of size %d, which is longer than the specified %d";

/// The lengths of chunks that are too long.
type Lengths = Arc<Mutex<Vec<usize>>>;

#[pymethods]
impl Splitter {
    /// Makes a `RecursiveCharacterTextSplitter`. `length` is nothing for characters, the name of a unit, or a function.
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "they are LangChain's")]
    #[pyo3(signature = (size, overlap, separators, *, regex, keep, trim, length=None))]
    fn recursive(
        py: Python<'_>,
        size: f64,
        overlap: f64,
        separators: Vec<String>,
        regex: bool,
        keep: &str,
        trim: bool,
        length: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let invalid = |error| error::of_chunking(py, &error);
        let length = Length::of(length)?;
        let (given, size, overlap) = (size, length.size(size)?, length.size(overlap)?);
        let splitter = RecursiveCharacterTextSplitter::langchain(size, overlap).map_err(invalid)?;
        let splitter = if regex {
            let with = splitter.with_regex_separators(separators);
            with.map_err(invalid)?
        } else {
            splitter.with_separators(separators)
        };
        let splitter = splitter.with_keep_separator(from_name("keep", KEEP, keep)?);
        let strategy = Strategy::Recursive(splitter.with_trim(trim));
        Ok(Self::new(strategy, length, given))
    }

    /// Makes a `CharacterTextSplitter`.
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "they are LangChain's")]
    #[pyo3(signature = (size, overlap, separator, *, regex, keep, trim, length=None))]
    fn character(
        py: Python<'_>,
        size: f64,
        overlap: f64,
        separator: &str,
        regex: bool,
        keep: &str,
        trim: bool,
        length: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let length = Length::of(length)?;
        let (given, size, overlap) = (size, length.size(size)?, length.size(overlap)?);
        let splitter = if regex {
            CharacterTextSplitter::with_regex(separator, size, overlap)
        } else {
            CharacterTextSplitter::new(separator, size, overlap)
        };
        let splitter = splitter.map_err(|error| error::of_chunking(py, &error))?;
        let splitter = splitter.with_keep_separator(from_name("keep", KEEP, keep)?);
        let strategy = Strategy::Single(splitter.with_trim(trim));
        Ok(Self::new(strategy, length, given))
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
            function: None,
            size: size as f64,
        })
    }

    /// Splits a text, and returns the texts of the chunks.
    fn split<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Vec<Bound<'py, PyString>>> {
        let cut = self.cut(py, &[text])?;
        let chunks = cut.iter().flatten();
        Ok(chunks.map(|chunk| PyString::new(py, &chunk.text)).collect())
    }

    /// Splits a text, and returns the chunks.
    fn chunks(&self, text: &Bound<'_, PyString>) -> PyResult<Vec<Chunk>> {
        let mut cut = self.cut(text.py(), &[text.to_str()?])?;
        Chunk::all(text, None, cut.pop().unwrap_or_default().into_iter())
    }

    /// Splits texts into documents, each with a copy of the metadata of its text, which `copy` makes where something in
    /// it has to be copied as well. With `starts` the place of the chunk is in it: the true one, or with an `overlap`
    /// the one that LangChain finds.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "arguments from Python are values"
    )]
    #[pyo3(signature = (maker, texts, metadatas, *, copy=None, starts=false, overlap=None))]
    fn documents<'py>(
        &self,
        maker: &Bound<'py, DocumentMaker>,
        texts: Vec<Bound<'py, PyString>>,
        metadatas: Vec<Bound<'py, PyDict>>,
        copy: Option<&Bound<'py, PyAny>>,
        starts: bool,
        overlap: Option<usize>,
    ) -> PyResult<Bound<'py, PyList>> {
        let py = maker.py();
        let sources: Vec<&str> = texts
            .iter()
            .map(|text| text.to_str())
            .collect::<PyResult<_>>()?;
        let cut = self.cut(py, &sources)?;
        let starts = match overlap.filter(|_| starts) {
            Some(overlap) => Starts::LangChain(py.detach(|| {
                let texts = sources.iter().zip(&cut);
                texts
                    .map(|(text, chunks)| langchain_start_indices(text, chunks, overlap))
                    .collect()
            })),
            None if starts => Starts::True,
            None => Starts::None,
        };
        maker.get().documents(py, &cut, &metadatas, copy, &starts)
    }
}

impl Splitter {
    fn new(strategy: Strategy, length: Length, size: f64) -> Self {
        match length {
            Length::Native(counter) => Self {
                strategy: strategy.with_length(counter),
                function: None,
                size,
            },
            Length::Function(function) => Self {
                strategy,
                function: Some(function),
                size,
            },
        }
    }

    /// Cuts texts, and logs as LangChain does which chunks are too long. Only at one separator there are such.
    fn cut<'t>(&self, py: Python<'_>, texts: &[&'t str]) -> PyResult<Vec<Vec<CoreChunk<'t>>>> {
        let Strategy::Single(splitter) = &self.strategy else {
            return self.cut_by(&self.strategy, py, texts);
        };
        let lengths = Lengths::default();
        let reported = Arc::clone(&lengths);
        let report = move |length| lock(&reported).push(length);
        let splitter = splitter.clone().with_long_chunk_report(Arc::new(report));
        let cut = self.cut_by(&Strategy::Single(splitter), py, texts)?;
        let lengths = std::mem::take(&mut *lock(&lengths));
        for length in lengths {
            self.log(py, length)?;
        }
        Ok(cut)
    }

    fn log(&self, py: Python<'_>, length: usize) -> PyResult<()> {
        let length = length as f64 / self.function.as_ref().map_or(1.0, |_| PARTS);
        let logger = py.import("logging")?.call_method1("getLogger", (LOGGER,))?;
        let arguments = (TOO_LONG, length, self.size);
        logger.call_method1("warning", arguments).map(drop)
    }

    /// Cuts texts while other threads run. What a function in Python raises ends it, and is of this call alone.
    fn cut_by<'t>(
        &self,
        strategy: &Strategy,
        py: Python<'_>,
        texts: &[&'t str],
    ) -> PyResult<Vec<Vec<CoreChunk<'t>>>> {
        let Some(function) = &self.function else {
            return Ok(py.detach(|| texts.iter().map(|text| strategy.cut(text)).collect()));
        };
        let measured = Arc::new(Measured {
            function: function.clone_ref(py),
            raised: OnceLock::new(),
        });
        let strategy = strategy.clone().with_length(Arc::clone(&measured) as _);
        let raised = || measured.raised.get();
        let cut = py.detach(|| {
            let cut = texts.iter().map(|text| strategy.cut(text));
            cut.take_while(|_| raised().is_none()).collect()
        });
        raised().map_or(Ok(cut), |error| Err(error.clone_ref(py)))
    }
}

fn lock(lengths: &Mutex<Vec<usize>>) -> MutexGuard<'_, Vec<usize>> {
    lengths.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Strategy {
    fn with_length(self, counter: Arc<dyn TokenCounter>) -> Self {
        match self {
            Self::Recursive(splitter) => Self::Recursive(splitter.with_length(counter)),
            Self::Single(splitter) => Self::Single(splitter.with_length(counter)),
            Self::Tokens(..) => self,
        }
    }

    fn cut<'t>(&self, text: &'t str) -> Vec<CoreChunk<'t>> {
        match self {
            Self::Recursive(splitter) => splitter.chunks(text),
            Self::Single(splitter) => splitter.chunks(text),
            Self::Tokens(chunker, tokenizer) => chunker.chunks(text, &**tokenizer),
        }
    }
}

/// What lengths are counted in.
enum Length {
    Native(Arc<dyn TokenCounter>),
    /// A function in Python. Sizes are in the same parts as what it returns.
    Function(Py<PyAny>),
}

impl Length {
    fn of(length: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(length) = length else {
            return Ok(Self::Native(Arc::new(sectile::chunk::Characters)));
        };
        match length.extract::<String>() {
            Ok(name) => Ok(Self::Native(Arc::new(tokenizer_of(&name)?))),
            Err(_) => Ok(Self::Function(length.clone().unbind())),
        }
    }

    /// Returns a size as the splitters take it.
    fn size(&self, size: f64) -> PyResult<usize> {
        match self {
            Self::Native(_) if size >= 0.0 && size.fract() == 0.0 => Ok(unsigned(size)),
            Self::Native(_) => Err(PyValueError::new_err(format!(
                "a size is a number from 0, without a fraction, not {size}"
            ))),
            // No text is longer.
            Self::Function(_) if size > LARGEST => parts(LARGEST),
            Self::Function(_) => parts(size),
        }
    }
}

#[expect(
    clippy::cast_sign_loss,
    reason = "the callers know that it is not negative"
)]
const fn unsigned(number: f64) -> usize {
    number as usize
}

/// Returns a length in parts of one.
fn parts(length: f64) -> PyResult<usize> {
    let parts = (length * PARTS).round();
    if (0.0..=LARGEST * PARTS).contains(&parts) {
        return Ok(unsigned(parts));
    }
    let reason = format!("a length is a number from 0 to {LARGEST}, not {length}");
    Err(PyValueError::new_err(reason))
}

/// Returns LangChain's separators for a language, by LangChain's name of it.
#[pyfunction]
pub(crate) fn separators_for_language(name: &str) -> PyResult<Vec<&'static str>> {
    Ok(language_of(name)?.separators().to_vec())
}
