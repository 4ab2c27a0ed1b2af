//! Folders of files as tables.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::{
    ArrayRef, LargeBinaryArray, RecordBatch, StringArray, TimestampMillisecondArray, UInt64Array,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{Result, exec_err, plan_datafusion_err, plan_err};
use datafusion::datasource::TableType;
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};
use futures_util::{StreamExt as _, stream};
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt as _};
use url::Url;

/// Which column has the bytes.
const BYTES: usize = 5;

/// The files below an address of an object store: a folder, or a bucket that was registered with the session.
///
/// | column | type | |
/// |---|---|---|
/// | `path` | `Utf8` | the path in the store |
/// | `name` | `Utf8` | the last part of it |
/// | `size` | `UInt64` or null | how many bytes there are |
/// | `modified` | `Timestamp` or null | when it was last changed |
/// | `etag` | `Utf8` or null | what changes with its content |
/// | `bytes` | `LargeBinary` or null | what it holds; read only where it is asked for, a file at a time |
/// | `error` | `Utf8` or null | why it could not be listed or read |
///
/// What cannot be listed is a row with the path of the folder.
#[derive(Debug)]
pub struct FilesTable {
    url: ListingTableUrl,
    schema: SchemaRef,
}

impl FilesTable {
    /// Makes the table of a folder's files: a path, or an address such as `s3://bucket/folder/`. Either is taken
    /// literally: `*`, `?` and `[` stand for themselves.
    ///
    /// # Errors
    ///
    /// For what is no address, or no folder.
    pub fn new(folder: &str) -> Result<Self> {
        let modified = DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()));
        let fields = vec![
            Field::new("path", DataType::Utf8, false),
            Field::new("name", DataType::Utf8, false),
            Field::new("size", DataType::UInt64, true),
            Field::new("modified", modified, true),
            Field::new("etag", DataType::Utf8, true),
            Field::new("bytes", DataType::LargeBinary, true),
            Field::new("error", DataType::Utf8, true),
        ];
        Ok(Self {
            url: ListingTableUrl::try_new(address(folder)?, None)?,
            schema: Arc::new(Schema::new(fields)),
        })
    }
}

/// Returns the address of a folder that is named by it, or by its path.
fn address(folder: &str) -> Result<Url> {
    let path = Path::new(folder);
    if let Some(url) = Url::parse(folder).ok().filter(|_| !path.is_absolute()) {
        return Ok(url);
    }
    if !path.is_dir() {
        return plan_err!("there is no folder `{folder}`");
    }
    Url::from_directory_path(path.canonicalize()?)
        .map_err(|()| plan_datafusion_err!("the path `{folder}` cannot be an address"))
}

#[async_trait]
impl TableProvider for FilesTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        session: &dyn Session,
        projection: Option<&Vec<usize>>,
        _filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let store_url = self.url.object_store();
        let store = session.runtime_env().object_store(&store_url)?;
        let listed: Vec<_> = store.list(Some(self.url.prefix())).collect().await;
        if let [Err(error)] = &*listed {
            return exec_err!("`{}` cannot be listed: {error}", self.url);
        }
        let listed = listed
            .into_iter()
            .map(|file| file.map_err(|error| (self.url.prefix().to_string(), error.to_string())));
        let mut files: Vec<Listed> = listed.collect();
        files.sort_by(|one, other| path(one).cmp(path(other)));
        let partitions = session
            .config()
            .target_partitions()
            .clamp(1, files.len().max(1));
        let mut shares = vec![Vec::new(); partitions];
        for (at, file) in files.into_iter().enumerate() {
            shares[at % partitions].push(file);
        }
        let reads = projection.is_none_or(|columns| columns.contains(&BYTES));
        let partitions = shares.into_iter().map(|files| {
            Arc::new(Files {
                store_url: store_url.clone(),
                listed: files,
                reads,
                schema: Arc::clone(&self.schema),
            }) as Arc<dyn PartitionStream>
        });
        let plan = StreamingTableExec::try_new(
            Arc::clone(&self.schema),
            partitions.collect(),
            projection,
            [],
            false,
            limit,
        )?;
        Ok(Arc::new(plan))
    }
}

/// A file, or a path with the reason why nothing more is known.
type Listed = std::result::Result<ObjectMeta, (String, String)>;

fn path(file: &Listed) -> &str {
    match file {
        Ok(file) => file.location.as_ref(),
        Err((path, _)) => path,
    }
}

/// The files of a partition.
#[derive(Debug)]
struct Files {
    store_url: ObjectStoreUrl,
    listed: Vec<Listed>,
    reads: bool,
    schema: SchemaRef,
}

impl PartitionStream for Files {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, context: Arc<TaskContext>) -> SendableRecordBatchStream {
        let store = context.runtime_env().object_store(&self.store_url);
        let (schema, reads) = (Arc::clone(&self.schema), self.reads);
        let batches = stream::iter(self.listed.clone()).then(move |file| {
            let store = store.as_ref().map(Arc::clone).map_err(ToString::to_string);
            let schema = Arc::clone(&schema);
            async move {
                let store = store.or_else(|error| exec_err!("{error}"))?;
                batch(&*store, &file, reads, schema).await
            }
        });
        Box::pin(RecordBatchStreamAdapter::new(
            Arc::clone(&self.schema),
            batches,
        ))
    }
}

/// Reads a file into a batch of its own, so that no more than one is in memory.
async fn batch(
    store: &dyn ObjectStore,
    file: &Listed,
    reads: bool,
    schema: SchemaRef,
) -> Result<RecordBatch> {
    let mut error = file.as_ref().err().map(|(_, error)| error.clone());
    let metadata = file.as_ref().ok();
    let mut bytes = None;
    if let Some(metadata) = metadata.filter(|_| reads) {
        let read = async { store.get(&metadata.location).await?.bytes().await };
        match read.await {
            Ok(read) => bytes = Some(read),
            Err(unread) => error = Some(unread.to_string()),
        }
    }
    let modified = metadata.map(|file| file.last_modified.timestamp_millis());
    let modified = TimestampMillisecondArray::from(vec![modified]);
    let path = path(file);
    let name = path.rsplit('/').next().unwrap_or_default();
    let etag = metadata.and_then(|file| file.e_tag.as_deref());
    let columns: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from(vec![path])),
        Arc::new(StringArray::from(vec![name])),
        Arc::new(UInt64Array::from(vec![metadata.map(|file| file.size)])),
        Arc::new(modified.with_timezone("UTC")),
        Arc::new(StringArray::from(vec![etag])),
        Arc::new(LargeBinaryArray::from(vec![bytes.as_deref()])),
        Arc::new(StringArray::from(vec![error.as_deref()])),
    ];
    Ok(RecordBatch::try_new(schema, columns)?)
}
