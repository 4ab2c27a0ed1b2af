//! Many texts, cut on all cores into Arrow record batches.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, GenericStringArray, NullArray, OffsetSizeTrait, StructArray, UInt64Array,
};
use arrow_schema::{DataType, Field, Fields};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyString};
use pyo3_arrow::error::PyArrowResult;
use pyo3_arrow::input::AnyArray;
use sectile::Result;
use sectile_arrow::{ChunkBuilder, chunk_fields};

use crate::stream;

/// How many bytes of text are cut into one record batch; the last text of one may have more.
const BATCH_BYTES: usize = 1 << 20;

/// Chunks of many texts. Whatever reads Arrow streams takes it: `pyarrow.table(batches)`, for example.
///
/// ```text
/// >>> from sectile import Chunker
/// >>> chunker = Chunker("recursive", size=8, overlap=0, unit="chars")
/// >>> len(chunker.batch(["One. Two.", "Three."]))
/// 3
///
/// ```
#[pyclass(frozen, module = "sectile")]
pub(crate) struct ChunkBatches {
    batches: Vec<StructArray>,
}

#[pymethods]
impl ChunkBatches {
    fn __len__(&self) -> usize {
        self.batches.iter().map(Array::len).sum()
    }

    #[expect(clippy::unused_self, reason = "all have the same")]
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyArrowResult<Bound<'py, PyCapsule>> {
        stream::schema(py, fields())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyCapsule>> {
        stream::of(py, fields(), self.batches.clone(), requested_schema)
    }

    fn __repr__(&self) -> String {
        format!("ChunkBatches({} chunks)", self.__len__())
    }
}

/// Texts from Python. They last as long as what they are borrowed from.
pub(crate) enum Texts<'py> {
    Python(Vec<Bound<'py, PyString>>),
    Arrow(Vec<ArrayRef>),
}

impl<'py> Texts<'py> {
    pub(crate) fn new(given: &Bound<'py, PyAny>) -> PyResult<Self> {
        if given.is_instance_of::<PyString>() {
            let reason =
                "batch takes many texts, and this is one: give a list of it, or call chunks";
            return Err(PyTypeError::new_err(reason));
        }
        let is_arrow =
            given.hasattr("__arrow_c_array__")? || given.hasattr("__arrow_c_stream__")?;
        if !is_arrow {
            let texts = given.try_iter()?;
            let texts = texts.map(|text| Ok(text?.cast_into::<PyString>()?));
            return texts.collect::<PyResult<_>>().map(Self::Python);
        }
        let given_arrays = given.extract::<AnyArray>()?;
        let has_nulls_only = is_null(given_arrays.field()?.data_type());
        let arrays = given_arrays.into_reader()?.collect::<Result<Vec<_>, _>>();
        match arrays {
            Ok(arrays) => Ok(Self::Arrow(arrays)),
            // Polars gives a column of nulls a buffer, which it has not by the rules of Arrow.
            Err(_) if has_nulls_only => {
                let nulls: ArrayRef = Arc::new(NullArray::new(given.len()?));
                Ok(Self::Arrow(vec![nulls]))
            }
            Err(error) => Err(PyTypeError::new_err(error.to_string())),
        }
    }

    /// Returns the texts in order; nothing for nulls. What Arrow hands over as strings may be any bytes: those of
    /// an old Parquet file, for example.
    pub(crate) fn borrowed(&self) -> PyResult<Vec<Option<&str>>> {
        match self {
            Self::Python(texts) => texts.iter().map(|text| text.to_str().map(Some)).collect(),
            Self::Arrow(arrays) => {
                let mut texts = Vec::new();
                for array in arrays {
                    extend(&mut texts, array)?;
                }
                let rows = texts.into_iter().enumerate();
                rows.map(|(row, text)| text.map(|text| utf8(row, text)).transpose())
                    .collect()
            }
        }
    }
}

/// Returns whether a column, or the only one of a table, has no type, so that all of it is null.
fn is_null(data_type: &DataType) -> bool {
    match data_type {
        DataType::Null => true,
        DataType::Struct(columns) => columns.len() == 1 && is_null(columns[0].data_type()),
        _ => false,
    }
}

/// Returns the text of a row.
fn utf8(row: usize, text: &[u8]) -> PyResult<&str> {
    std::str::from_utf8(text).map_err(|error| {
        PyValueError::new_err(format!(
            "row {row} is not valid UTF-8 from byte {} of its text on: repair the text, or set it to null",
            error.valid_up_to()
        ))
    })
}

/// Returns the bytes of strings; nothing for nulls.
fn bytes_of<O: OffsetSizeTrait>(
    strings: &GenericStringArray<O>,
) -> impl Iterator<Item = Option<&[u8]>> {
    let (bytes, ends) = (strings.value_data(), strings.value_offsets());
    let ranges = ends.windows(2).enumerate();
    ranges.map(move |(row, ends)| {
        let range = ends[0].as_usize()..ends[1].as_usize();
        strings.is_valid(row).then(|| &bytes[range])
    })
}

/// Adds the texts of a column, whose bytes are not checked.
fn extend<'a>(texts: &mut Vec<Option<&'a [u8]>>, array: &'a dyn Array) -> PyResult<()> {
    match array.data_type() {
        DataType::Utf8 => texts.extend(bytes_of(array.as_string::<i32>())),
        DataType::LargeUtf8 => texts.extend(bytes_of(array.as_string::<i64>())),
        DataType::Utf8View => {
            let views = array.as_string_view().iter();
            texts.extend(views.map(|text| text.map(str::as_bytes)));
        }
        DataType::Null => texts.extend(std::iter::repeat_n(None, array.len())),
        // A column of categories: each text stands once, and rows say which.
        DataType::Dictionary(..) => {
            let column = array.as_any_dictionary();
            let (mut known, keys) = (Vec::new(), column.keys());
            extend(&mut known, &**column.values())?;
            if known.is_empty() {
                texts.extend(std::iter::repeat_n(None, keys.len()));
                return Ok(());
            }
            let rows = column.normalized_keys().into_iter().enumerate();
            texts.extend(rows.map(|(row, key)| keys.is_valid(row).then(|| known[key]).flatten()));
        }
        // A table, which has rows of columns.
        DataType::Struct(columns) if columns.len() == 1 => {
            let (mut column, table) = (Vec::new(), array.as_struct());
            extend(&mut column, &**table.column(0))?;
            let rows = column.into_iter().enumerate();
            texts.extend(rows.map(|(row, text)| text.filter(|_| table.is_valid(row))));
        }
        DataType::Struct(columns) => {
            let count = columns.len();
            let reason = format!("texts are one column, and this table has {count}: select it");
            return Err(PyTypeError::new_err(reason));
        }
        other => {
            let reason = format!("texts must be a column of strings, not of {other}");
            return Err(PyTypeError::new_err(reason));
        }
    }
    Ok(())
}

/// Cuts texts on all cores.
pub(crate) fn cut(
    texts: &[Option<&str>],
    cut: impl Fn(&str, &mut ChunkBuilder) -> Result<()> + Sync,
) -> Result<ChunkBatches> {
    let groups = groups(texts);
    let batches = Mutex::new(Vec::with_capacity(groups.len()));
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(&(first, end)) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
            let batch = cut_group(first, &texts[first..end], &cut);
            let mut batches = batches.lock().unwrap_or_else(PoisonError::into_inner);
            batches.push((first, batch));
        }
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 1..cores.min(groups.len()) {
            scope.spawn(work);
        }
        work();
    });
    let mut batches = batches.into_inner().unwrap_or_else(PoisonError::into_inner);
    batches.sort_by_key(|&(first, _)| first);
    let batches = batches.into_iter().map(|(_, batch)| batch);
    Ok(ChunkBatches {
        batches: batches.collect::<Result<_>>()?,
    })
}

/// Returns the first text and the one after the last of each batch.
fn groups(texts: &[Option<&str>]) -> Vec<(usize, usize)> {
    let (mut groups, mut first, mut bytes) = (Vec::new(), 0, 0);
    for (at, text) in texts.iter().enumerate() {
        bytes += text.map_or(0, str::len);
        if bytes >= BATCH_BYTES || at + 1 == texts.len() {
            groups.push((first, at + 1));
            (first, bytes) = (at + 1, 0);
        }
    }
    groups
}

fn cut_group(
    first: usize,
    texts: &[Option<&str>],
    cut: impl Fn(&str, &mut ChunkBuilder) -> Result<()>,
) -> Result<StructArray> {
    let bytes = texts.iter().flatten().map(|text| text.len()).sum();
    let mut chunks = ChunkBuilder::with_capacity(bytes / 512, bytes);
    let mut rows = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        if let Some(text) = text {
            cut(text, &mut chunks)?;
        }
        rows.resize(chunks.len(), (first + at) as u64);
    }
    let (_, mut columns, _) = chunks.finish().into_parts();
    columns.insert(0, Arc::new(UInt64Array::from(rows)));
    Ok(StructArray::new(fields(), columns, None))
}

/// The number of the text that a chunk is of, from 0, and the chunk.
fn fields() -> Fields {
    let row = Arc::new(Field::new("row", DataType::UInt64, false));
    std::iter::once(row)
        .chain(chunk_fields().iter().cloned())
        .collect()
}
