//! Folders of files as tables.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::{
    ArrayRef, LargeBinaryArray, RecordBatch, StringArray, TimestampMillisecondArray, UInt64Array,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::Result;
use datafusion::datasource::TableType;
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt as _};

/// Which column has the bytes.
const BYTES: usize = 5;

/// The files below an address of an object store: a folder, or a bucket that was registered with the session.
///
/// | column | type | |
/// |---|---|---|
/// | `path` | `Utf8` | the path in the store |
/// | `name` | `Utf8` | the last part of it |
/// | `size` | `UInt64` | how many bytes there are |
/// | `modified` | `Timestamp` | when it was last changed |
/// | `etag` | `Utf8` or null | what changes with its content |
/// | `bytes` | `LargeBinary` | what it holds; read only where it is asked for, a file at a time |
#[derive(Debug)]
pub struct FilesTable {
    url: ListingTableUrl,
    schema: SchemaRef,
}

impl FilesTable {
    /// Makes the table of a folder's files: a path, or an address such as `s3://bucket/folder/`.
    ///
    /// # Errors
    ///
    /// For what is no address.
    pub fn new(folder: &str) -> Result<Self> {
        let modified = DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()));
        let fields = vec![
            Field::new("path", DataType::Utf8, false),
            Field::new("name", DataType::Utf8, false),
            Field::new("size", DataType::UInt64, false),
            Field::new("modified", modified, false),
            Field::new("etag", DataType::Utf8, true),
            Field::new("bytes", DataType::LargeBinary, false),
        ];
        Ok(Self {
            url: ListingTableUrl::parse(folder)?,
            schema: Arc::new(Schema::new(fields)),
        })
    }
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
        let mut files: Vec<ObjectMeta> = store.list(Some(self.url.prefix())).try_collect().await?;
        files.sort_by(|one, other| one.location.cmp(&other.location));
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
                metadata: files,
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

/// The files of a partition.
#[derive(Debug)]
struct Files {
    store_url: ObjectStoreUrl,
    metadata: Vec<ObjectMeta>,
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
        let batches = stream::iter(self.metadata.clone()).then(move |file| {
            let store = store.as_ref().map(Arc::clone).map_err(ToString::to_string);
            let schema = Arc::clone(&schema);
            async move {
                let store = store.or_else(|error| datafusion::common::exec_err!("{error}"))?;
                batch(&*store, file, reads, schema).await
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
    file: ObjectMeta,
    reads: bool,
    schema: SchemaRef,
) -> Result<RecordBatch> {
    let bytes = if reads {
        Some(store.get(&file.location).await?.bytes().await?)
    } else {
        None
    };
    let modified = TimestampMillisecondArray::from(vec![file.last_modified.timestamp_millis()]);
    let columns: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from(vec![file.location.as_ref()])),
        Arc::new(StringArray::from(vec![
            file.location.filename().unwrap_or_default(),
        ])),
        Arc::new(UInt64Array::from(vec![file.size])),
        Arc::new(modified.with_timezone("UTC")),
        Arc::new(StringArray::from(vec![file.e_tag.as_deref()])),
        Arc::new(LargeBinaryArray::from_vec(vec![
            bytes.as_deref().unwrap_or_default(),
        ])),
    ];
    Ok(RecordBatch::try_new(schema, columns)?)
}
