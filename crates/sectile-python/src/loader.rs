//! Files, loaded to text.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sectile::load::{FileLoader, LoadOptions, OcrOptions};

use crate::error;
use crate::operation::Operation;

/// Loads files, those that may be hostile in processes of their own.
#[pyclass(frozen, module = "sectile._sectile")]
pub(crate) struct Loader(Arc<FileLoader>);

#[pymethods]
impl Loader {
    #[new]
    fn new(
        comments: bool,
        whole_page: bool,
        ocr: Option<String>,
        password: Option<String>,
    ) -> PyResult<Self> {
        let mut options = LoadOptions::default();
        options.html.main_only = !whole_page;
        options.docx.comments = comments;
        options.pdf.comments = comments;
        options.pdf.password = password;
        if let Some(languages) = ocr {
            let found = OcrOptions::find(languages);
            let missing = "ocr needs the program tesseract on the path";
            options.pdf.ocr = Some(found.ok_or_else(|| PyValueError::new_err(missing))?);
        }
        let loader = FileLoader::new(options).with_workers(sectile_cli::workers()?);
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
