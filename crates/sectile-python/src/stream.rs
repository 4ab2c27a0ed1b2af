//! Structures as a stream of Arrow, which is handed over without copies.

use std::sync::Arc;

use arrow_array::{ArrayRef, StructArray};
use arrow_schema::{Field, Fields};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::error::PyArrowResult;
use pyo3_arrow::ffi::{ArrayIterator, to_schema_pycapsule, to_stream_pycapsule};

/// Returns the schema of such a stream, as `__arrow_c_schema__` does.
pub(crate) fn schema(py: Python<'_>, fields: Fields) -> PyArrowResult<Bound<'_, PyCapsule>> {
    to_schema_pycapsule(py, &*field(fields))
}

/// Returns such a stream, as `__arrow_c_stream__` does.
pub(crate) fn of<'py>(
    py: Python<'py>,
    fields: Fields,
    batches: Vec<StructArray>,
    requested_schema: Option<Bound<'py, PyCapsule>>,
) -> PyArrowResult<Bound<'py, PyCapsule>> {
    let arrays = batches.into_iter();
    let arrays = arrays.map(|batch| Ok(Arc::new(batch) as ArrayRef));
    let stream = Box::new(ArrayIterator::new(arrays, field(fields)));
    to_stream_pycapsule(py, stream, requested_schema)
}

fn field(fields: Fields) -> Arc<Field> {
    Arc::new(Field::new_struct("", fields, false))
}
