//! Files, loaded to text.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sectile::core::Document;
use sectile::load::{FileLoader, Limits, LoadOptions, OcrOptions, omissions};
use sectile::store::Language;
use serde::Serialize;

use crate::error;
use crate::operation::Operation;

/// How files are loaded, as it is named in Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub(crate) struct Options {
    comments: bool,
    whole_page: bool,
    ocr: Option<String>,
    password: Option<String>,
    /// None for all.
    pages: Vec<u32>,
    keep_running_lines: bool,
    guess_headings: bool,
    headers_and_footers: bool,
    limits: LimitOptions,
}

impl TryFrom<Options> for LoadOptions {
    type Error = PyErr;

    fn try_from(given: Options) -> PyResult<Self> {
        let mut options = Self::default();
        options.html.main_only = !given.whole_page;
        options.docx.comments = given.comments;
        options.docx.headers_and_footers = given.headers_and_footers;
        options.pdf.comments = given.comments;
        options.pdf.password = given.password;
        options.pdf.pages = given.pages.into_iter().map(|page| page..=page).collect();
        options.pdf.drop_running_lines = !given.keep_running_lines;
        options.pdf.guess_headings = given.guess_headings;
        options.pdf.ocr = given.ocr.map(recognition).transpose()?;
        options.limits = given.limits.try_into()?;
        Ok(options)
    }
}

/// Returns what recognizes text in these languages.
fn recognition(languages: String) -> PyResult<OcrOptions> {
    let missing = "ocr needs the program tesseract on the path";
    OcrOptions::find(languages).ok_or_else(|| PyValueError::new_err(missing))
}

/// How large and slow files may be, as it is named in Python. None is the default.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct LimitOptions {
    /// In seconds.
    timeout: Option<f64>,
    max_file_size: Option<u64>,
    max_memory: Option<u64>,
}

impl TryFrom<LimitOptions> for Limits {
    type Error = PyErr;

    fn try_from(given: LimitOptions) -> PyResult<Self> {
        let mut limits = Self::default();
        if let Some(seconds) = given.timeout {
            let time = Duration::try_from_secs_f64(seconds);
            let invalid = |error| PyValueError::new_err(format!("timeout: {error}"));
            limits.time = time.map_err(invalid)?;
        }
        if let Some(bytes) = given.max_file_size {
            limits = limits.with_file_bytes(bytes);
        }
        limits.memory = given.max_memory.unwrap_or(limits.memory);
        Ok(limits)
    }
}

/// How an ingest reads files, as it is named in Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct IngestOptions {
    language: Option<String>,
    whole_page: bool,
    ocr: Option<String>,
    password: Option<String>,
    limits: LimitOptions,
    keep_options: bool,
}

impl IngestOptions {
    /// Returns a library that reads files so.
    pub(crate) fn set(
        self,
        py: Python<'_>,
        library: sectile::Library,
    ) -> PyResult<sectile::Library> {
        let mut options = LoadOptions::default();
        options.html.main_only = !self.whole_page;
        options.pdf.password = self.password;
        options.pdf.ocr = self.ocr.map(recognition).transpose()?;
        options.limits = self.limits.try_into()?;
        let loader = FileLoader::new(options).with_workers(sectile_cli::workers()?);
        let language = self.language.map(|code| code.parse::<Language>());
        let invalid = |error| error::of_library(py, &sectile::Error::Store(error));
        Ok(library
            .with_loader(loader)
            .with_language(language.transpose().map_err(invalid)?)
            .with_options_kept(self.keep_options))
    }
}

/// A document, and what its text lacks.
#[derive(Serialize)]
struct Loaded<'d> {
    #[serde(flatten)]
    document: &'d Document,
    omissions: Vec<String>,
}

impl<'d> Loaded<'d> {
    fn new(document: &'d Document) -> Self {
        Self {
            document,
            omissions: omissions(&document.metadata),
        }
    }
}

/// Loads files, those that may be hostile in processes of their own.
#[pyclass(frozen, module = "sectile._sectile")]
pub(crate) struct Loader(Arc<FileLoader>);

#[pymethods]
impl Loader {
    #[new]
    fn new(options: Options) -> PyResult<Self> {
        let loader = FileLoader::new(options.try_into()?).with_workers(sectile_cli::workers()?);
        Ok(Self(Arc::new(loader)))
    }

    /// Loads a file, or bytes of which `path` is the name. The document is handed over as JSON, with what its text lacks.
    #[pyo3(signature = (path, data=None))]
    fn load(&self, path: PathBuf, data: Option<Vec<u8>>) -> Operation {
        let loader = Arc::clone(&self.0);
        Operation::new(async move {
            let work = tokio::task::spawn_blocking(move || {
                let document = match &data {
                    Some(data) => loader.load_bytes(data, &path),
                    None => loader.load_file(&path),
                };
                document.map(|document| serde_json::to_string(&Loaded::new(&document)))
            });
            let done = work.await;
            Box::new(move |py: Python<'_>| {
                let done = done.map_err(|error| PyValueError::new_err(error.to_string()))?;
                let document = done.map_err(|error| error::of_loading(py, &error))?;
                let document =
                    document.map_err(|error| PyValueError::new_err(error.to_string()))?;
                Ok(document.into_pyobject(py)?.into_any().unbind())
            }) as _
        })
    }
}
