//! The files of an object store, listed and read.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::{
    Array as _, ArrayRef, LargeBinaryArray, RecordBatch, StringArray, TimestampMillisecondArray,
    UInt64Array, new_null_array,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use datafusion::common::Result;
use datafusion::common::cast::as_string_array;
use datafusion::execution::TaskContext;
use datafusion::execution::object_store::ObjectStoreUrl;
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStoreExt as _};

use crate::scan::{Sent, Source};

/// Which columns of a table have the path, the bytes and the error.
const PATH: usize = 0;
pub(super) const BYTES: usize = 5;
const ERROR: usize = 6;

/// Returns the columns of a table of files.
pub(super) fn schema() -> SchemaRef {
    let modified = DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()));
    Arc::new(Schema::new(vec![
        Field::new("path", DataType::Utf8, false),
        Field::new("name", DataType::Utf8, false),
        Field::new("size", DataType::UInt64, true),
        Field::new("modified", modified, true),
        Field::new("etag", DataType::Utf8, true),
        Field::new("bytes", DataType::LargeBinary, true),
        Field::new("error", DataType::Utf8, true),
    ]))
}

/// Returns a row for each file, without its bytes; what cannot be listed is a row with the path of the folder.
///
/// # Errors
///
/// Those of Arrow.
pub(super) fn listed(
    files: &[&object_store::Result<ObjectMeta>],
    folder: &Path,
) -> Result<RecordBatch> {
    let known = || files.iter().map(|&file| file.as_ref().ok());
    let paths: Vec<&str> = known()
        .map(|of| of.map_or(folder, |of| &of.location).as_ref())
        .collect();
    let names = paths.iter().map(|path| path.rsplit('/').next());
    let names: StringArray = names.collect();
    let sizes: UInt64Array = known().map(|of| of.map(|of| of.size)).collect();
    let modified = known().map(|of| of.map(|of| of.last_modified.timestamp_millis()));
    let modified: TimestampMillisecondArray = modified.collect();
    let etags: StringArray = known()
        .map(|of| of.and_then(|of| of.e_tag.as_deref()))
        .collect();
    let errors = files.iter().map(|&file| file.as_ref().err());
    let errors: StringArray = errors.map(|of| of.map(ToString::to_string)).collect();
    let columns: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from(paths)),
        Arc::new(names),
        Arc::new(sizes),
        Arc::new(modified.with_timezone("UTC")),
        Arc::new(etags),
        new_null_array(&DataType::LargeBinary, files.len()),
        Arc::new(errors),
    ];
    Ok(RecordBatch::try_new(schema(), columns)?)
}

/// The files of an object store.
#[derive(Debug)]
pub(crate) struct Files(ObjectStoreUrl);

impl Files {
    pub(super) fn of(store: ObjectStoreUrl) -> Self {
        Self(store)
    }

    /// Makes those of the store at an address.
    pub(crate) fn at(address: &str) -> Result<Self> {
        ObjectStoreUrl::parse(address).map(Self)
    }
}

impl fmt::Display for Files {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "files of {}", self.0)
    }
}

#[async_trait]
impl Source for Files {
    fn sent(&self) -> Result<Sent> {
        Ok(Sent::Files(self.0.as_str().to_owned()))
    }

    /// Reads the bytes of a file, or why they cannot be read.
    async fn read(&self, row: &RecordBatch, context: &TaskContext) -> Result<RecordBatch> {
        if row.column(ERROR).is_valid(0) {
            return Ok(row.clone());
        }
        let store = context.runtime_env().object_store(&self.0)?;
        let path = as_string_array(row.column(PATH))?.value(0);
        let file = async { store.get(&Path::parse(path)?).await?.bytes().await };
        let mut columns = row.columns().to_vec();
        match file.await {
            Ok(bytes) => columns[BYTES] = Arc::new(LargeBinaryArray::from(vec![Some(&*bytes)])),
            Err(error) => columns[ERROR] = Arc::new(StringArray::from(vec![error.to_string()])),
        }
        Ok(RecordBatch::try_new(row.schema(), columns)?)
    }
}
