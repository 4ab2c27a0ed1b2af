//! Options by their names in Python.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sectile::chunk::{KeepSeparator, Language, LongSentences};

/// Where a separator goes.
pub(crate) const KEEP: &[(&str, KeepSeparator)] = &[
    ("start", KeepSeparator::Start),
    ("end", KeepSeparator::End),
    ("none", KeepSeparator::None),
];

/// What becomes of long sentences.
pub(crate) const LONG: &[(&str, LongSentences)] = &[
    ("split", LongSentences::Split),
    ("keep", LongSentences::Keep),
];

/// Returns the value of an option that has this name.
pub(crate) fn from_name<T: Copy>(option: &str, known: &[(&str, T)], name: &str) -> PyResult<T> {
    let found = known.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<_> = known.iter().map(|(known, _)| *known).collect();
        let known = known.join(", ");
        PyValueError::new_err(format!("{option} must be one of {known}, not {name:?}"))
    })
}

/// Returns the name of a value.
pub(crate) fn name_of<T: PartialEq>(
    known: &[(&'static str, T)],
    value: &T,
) -> Option<&'static str> {
    let found = known.iter().find(|(_, known)| known == value);
    found.map(|(name, _)| *name)
}

/// Returns the language that LangChain gives this name.
pub(crate) fn language_of(name: &str) -> PyResult<Language> {
    Language::from_name(name)
        .ok_or_else(|| PyValueError::new_err(format!("Language {name} is not supported!")))
}
