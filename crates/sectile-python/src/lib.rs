//! The Python package `sectile`: a thin layer over the crates. What it says in Python stands in
//! `python/sectile/_sectile.pyi`.

mod batch;
mod checkpoints;
mod chunk;
mod delta;
mod document;
mod error;
mod filter;
mod headings;
mod hits;
mod library;
mod listing;
mod loader;
mod model;
mod number;
mod operation;
mod options;
mod program;
mod saver;
mod scope;
mod search;
mod splitter;
mod stream;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
fn _sectile(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<chunk::Chunk>()?;
    module.add_class::<chunk::Chunker>()?;
    module.add_class::<batch::ChunkBatches>()?;
    module.add_class::<splitter::Splitter>()?;
    module.add_class::<document::DocumentMaker>()?;
    module.add_class::<headings::MarkdownHeaders>()?;
    module.add_class::<headings::HtmlHeaders>()?;
    module.add_class::<operation::Operation>()?;
    module.add_class::<checkpoints::Checkpoints>()?;
    module.add_class::<listing::Listing>()?;
    module.add_class::<library::Library>()?;
    module.add_class::<hits::HitBatch>()?;
    module.add_class::<loader::Loader>()?;
    module.add_function(wrap_pyfunction!(chunk::count_tokens, module)?)?;
    module.add_function(wrap_pyfunction!(library::path_uri, module)?)?;
    module.add_function(wrap_pyfunction!(splitter::separators_for_language, module)?)?;
    module.add_function(wrap_pyfunction!(program::set_host, module)?)?;
    module.add_function(wrap_pyfunction!(program::main, module)?)
}
