//! Errors: one class of exceptions a kind, which `sectile/_errors.py` has.

use pyo3::prelude::*;
use sectile::checkpoint;
use sectile::error_chain;

/// Returns the exception of a kind, with the message of an error and of what caused it.
fn raised(
    py: Python<'_>,
    kind: &str,
    error: &(dyn std::error::Error + 'static),
    again: bool,
) -> PyErr {
    let exception = || {
        let classes = py.import("sectile._errors")?;
        let class = classes.getattr("of_kind")?.call1((kind,))?;
        class.call1((error_chain(error), again))
    };
    exception().map_or_else(|failed| failed, PyErr::from_value)
}

pub(crate) fn of_checkpoints(py: Python<'_>, error: &checkpoint::Error) -> PyErr {
    let kind = format!("{:?}", error.kind());
    raised(py, &kind, error, error.is_retryable())
}

pub(crate) fn of_library(py: Python<'_>, error: &sectile::Error) -> PyErr {
    match error {
        sectile::Error::Settings(_) => raised(py, "InvalidArgument", error, false),
        _ => raised(py, "Other", error, false),
    }
}

pub(crate) fn of_chunking(py: Python<'_>, error: &sectile::chunk::Error) -> PyErr {
    raised(py, "InvalidArgument", error, false)
}

pub(crate) fn of_loading(py: Python<'_>, error: &sectile::load::Error) -> PyErr {
    raised(py, "InvalidArgument", error, false)
}
