//! Numbers from Python. Of one that is negative or too large, Python's own conversion says so with `OverflowError`; here it
//! is a wrong value like any other.

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;

pub(crate) fn count(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    given.extract::<usize>().map_err(|error| {
        if !error.is_instance_of::<PyOverflowError>(given.py()) {
            return error;
        }
        let reason = format!("a number must be from 0 to {}, not {given}", usize::MAX);
        PyValueError::new_err(reason)
    })
}

pub(crate) fn optional_count(given: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    if given.is_none() {
        return Ok(None);
    }
    count(given).map(Some)
}

/// Returns the first and the last of a range.
pub(crate) fn optional_range(given: &Bound<'_, PyAny>) -> PyResult<Option<(usize, usize)>> {
    if given.is_none() {
        return Ok(None);
    }
    if given.len()? != 2 {
        let reason = format!("a range has a first and a last number, not {given}");
        return Err(PyValueError::new_err(reason));
    }
    let (first, last) = (given.get_item(0)?, given.get_item(1)?);
    Ok(Some((count(&first)?, count(&last)?)))
}
