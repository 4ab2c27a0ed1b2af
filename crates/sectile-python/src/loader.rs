//! Files, loaded to text.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sectile::load::{FileLoader, LoadOptions, OcrOptions};

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
        if let Some(languages) = given.ocr {
            let found = OcrOptions::find(languages);
            let missing = "ocr needs the program tesseract on the path";
            options.pdf.ocr = Some(found.ok_or_else(|| PyValueError::new_err(missing))?);
        }
        Ok(options)
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

    /// Loads a file, or bytes of which `path` is the name. The document is handed over as JSON.
    #[pyo3(signature = (path, data=None))]
    fn load(&self, path: PathBuf, data: Option<Vec<u8>>) -> Operation {
        let loader = Arc::clone(&self.0);
        Operation::new(async move {
            let work = tokio::task::spawn_blocking(move || {
                let document = match &data {
                    Some(data) => loader.load_bytes(data, &path),
                    None => loader.load_file(&path),
                };
                document.map(|document| serde_json::to_string(&document))
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
