//! LangChain's splitters at headings.

use std::path::Path;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use sectile::chunk::MarkdownHeaderTextSplitter;
use sectile::load::HtmlHeaderTextSplitter;

use crate::error;

/// Splits as LangChain's `MarkdownHeaderTextSplitter` does.
#[pyclass(frozen, module = "sectile._sectile")]
pub(crate) struct MarkdownHeaders(MarkdownHeaderTextSplitter);

/// A text and the headings above it.
type Part<'py> = (Bound<'py, PyString>, Bound<'py, PyDict>);

#[pymethods]
impl MarkdownHeaders {
    #[new]
    fn new(
        headers: Vec<(String, Option<String>)>,
        each_line: bool,
        strip_headers: bool,
        patterns: Vec<(String, usize)>,
    ) -> Self {
        let mut splitter = MarkdownHeaderTextSplitter::with_names(headers)
            .with_each_line(each_line)
            .with_strip_headers(strip_headers);
        for (marker, level) in patterns {
            splitter = splitter.with_custom_pattern(&marker, level);
        }
        Self(splitter)
    }

    fn split<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Vec<Part<'py>>> {
        let parts = py.detach(|| self.0.split(text));
        let parts = parts.iter().map(|part| {
            let headers = part.headers.iter();
            part_of(py, &part.text, headers.map(|(name, text)| (name, text)))
        });
        parts.collect()
    }
}

/// Splits as LangChain's `HTMLHeaderTextSplitter` does.
#[pyclass(frozen, module = "sectile._sectile")]
pub(crate) struct HtmlHeaders(HtmlHeaderTextSplitter);

#[pymethods]
impl HtmlHeaders {
    #[new]
    fn new(
        py: Python<'_>,
        headers: Vec<(u8, String)>,
        each_element: bool,
        as_langchain: bool,
    ) -> PyResult<Self> {
        let splitter = HtmlHeaderTextSplitter::new(headers);
        let splitter = splitter.map_err(|error| error::of_loading(py, &error))?;
        let splitter = splitter.with_each_element(each_element);
        Ok(Self(splitter.as_langchain(as_langchain)))
    }

    fn split<'py>(&self, py: Python<'py>, page: &[u8]) -> PyResult<Vec<Part<'py>>> {
        let parts = py.detach(|| self.0.split(page, Path::new("text.html")));
        let parts = parts.map_err(|error| error::of_loading(py, &error))?;
        let parts = parts
            .iter()
            .map(|part| part_of(py, &part.text, part.headers.iter()));
        parts.collect()
    }
}

fn part_of<'py, 'p>(
    py: Python<'py>,
    text: &str,
    headers: impl Iterator<Item = (&'p String, &'p String)>,
) -> PyResult<Part<'py>> {
    let metadata = PyDict::new(py);
    for (name, text) in headers {
        metadata.set_item(name, text)?;
    }
    Ok((PyString::new(py, text), metadata))
}
