//! What the tests share.

use std::path::{Path, PathBuf};

use sectile_core::Document;
use sectile_load::{Error, load_bytes, load_file};

/// Returns the path of a fixture.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
}

/// Loads a fixture.
pub(crate) fn load(name: &str) -> Document {
    load_file(fixture(name)).unwrap()
}

/// Loads bytes under a name, and expects an error that names it.
pub(crate) fn load_error(bytes: &[u8], name: &str) -> Error {
    let error = load_bytes(bytes, Path::new(name)).unwrap_err();
    assert_eq!(error.path(), Some(Path::new(name)));
    assert!(error.to_string().contains(name), "{error}");
    error
}

/// Returns the outline as levels, titles and the text of the spans.
pub(crate) fn outline(document: &Document) -> Vec<(u8, &str, &str)> {
    let headings = document.outline.iter();
    headings
        .map(|heading| {
            (
                heading.level,
                heading.title.as_str(),
                heading.span.of(&document.text),
            )
        })
        .collect()
}
