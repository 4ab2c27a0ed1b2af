//! Jupyter notebooks, written as Markdown.

mod cells;
mod outputs;
mod text;
mod unclosed;

use std::path::Path;

use sectile_chunk::markdown_outline;
use sectile_core::{Document, Format, Metadata};
use serde_json::Value;

use crate::loader::with_source;
use crate::markup::only_title;
use crate::omissions::LEFT_OUT;
use crate::text::decode_text;
use crate::{Error, Loader, front_matter};
use cells::Writer;

/// Loads Jupyter notebooks of the formats 2 to 4 and writes them as Markdown.
///
/// Markdown cells are as they are, code cells fences in the language of the kernel, and below them
/// what they put out, as text: streams, results as Markdown, plain text or else HTML (with the feature
/// `html`), and tracebacks without colours. Images and other outputs that are not text are left out: `left_out` in
/// [`Metadata::extra`] counts them by their types, `attachments` names the files inside cells.
///
/// ```
/// use std::path::Path;
/// use sectile_load::{IpynbLoader, Loader};
///
/// let json = br##"{"nbformat": 4, "metadata": {"language_info": {"name": "python"}}, "cells": [
///     {"cell_type": "markdown", "source": ["# Sum\n", "Of two."]},
///     {"cell_type": "code", "source": "1 + 1", "outputs": [
///         {"output_type": "execute_result", "data": {"text/plain": "2"}}]}]}"##;
/// let document = IpynbLoader.load(json, Path::new("sum.ipynb"))?;
/// assert_eq!(document.text, "# Sum\nOf two.\n\n```python\n1 + 1\n```\n\n```text\n2\n```\n");
/// # Ok::<(), sectile_load::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct IpynbLoader;

/// Why JSON is not a notebook.
#[derive(Debug, thiserror::Error)]
#[error("it is JSON, but has no cells, as notebooks of the formats 2 to 4 have")]
struct NoCells;

impl Loader for IpynbLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let mut document = decode_text(bytes, path, Format::Ipynb)?;
        let notebook: Value = serde_json::from_str(document.text.trim_start_matches('\u{feff}'))
            .map_err(|error| Error::parse(path, Format::Ipynb, error))?;
        let cells =
            cells::all(&notebook).ok_or_else(|| Error::parse(path, Format::Ipynb, NoCells))?;
        let language = language(&notebook);
        let mut writer = Writer::new(language);
        for cell in cells {
            writer.cell(cell);
        }
        document.text = writer.text.replace('\0', "\u{fffd}");
        document.outline = markdown_outline(&document.text);
        describe(&notebook, &writer, &mut document.metadata);
        if document.metadata.title.is_none() {
            document.metadata.title = only_title(&document.outline);
        }
        Ok(with_source(document, bytes))
    }
}

/// Returns the programming language that the notebook says its code is in.
fn language(notebook: &Value) -> &str {
    let places = [
        "/metadata/language_info/name",
        "/metadata/kernelspec/language",
    ];
    let names = places
        .iter()
        .filter_map(|place| notebook.pointer(place)?.as_str());
    names.into_iter().next().unwrap_or_default()
}

fn describe(notebook: &Value, writer: &Writer<'_>, metadata: &mut Metadata) {
    for name in ["title", "authors", "date"] {
        if let Some(value) = notebook.pointer(&format!("/metadata/{name}")) {
            front_matter::set(metadata, name.into(), value.clone());
        }
    }
    let mut set = |name: &str, value: Value| {
        metadata.extra.insert(name.into(), value);
    };
    if let Some(kernel) = notebook.pointer("/metadata/kernelspec/display_name") {
        set("kernel", kernel.clone());
    }
    set("cells", writer.cells.into());
    if writer.executed > 0 {
        set("executed_cells", writer.executed.into());
    }
    if !writer.attachments.is_empty() {
        set("attachments", writer.attachments.clone().into());
    }
    if !writer.left_out.is_empty() {
        let counts = writer.left_out.iter();
        let counts = counts.map(|(name, count)| (name.clone(), Value::from(*count)));
        set(LEFT_OUT, Value::Object(counts.collect()));
    }
}
