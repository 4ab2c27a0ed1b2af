//! The plan that reads the files of a table, on whichever machine.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, LargeBinaryArray, RecordBatch, StringArray, TimestampMillisecondArray, UInt64Array,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, exec_err, plan_datafusion_err};
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use futures_util::{StreamExt as _, stream};
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt as _};
use serde::{Deserialize, Serialize};

/// Which column has the bytes.
const BYTES: usize = 5;

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

/// Which files are read, and what of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Scan {
    /// The address of the store.
    pub(super) store: String,
    /// The files of each partition.
    pub(super) shares: Vec<Vec<Listed>>,
    /// Which columns; all, if that is not said.
    pub(super) projection: Option<Vec<usize>>,
    /// How many rows of a partition are enough.
    pub(super) limit: Option<usize>,
}

/// A file, or a path with the reason why nothing more is known.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Listed {
    File {
        path: String,
        size: u64,
        /// Milliseconds since 1970.
        modified: i64,
        etag: Option<String>,
    },
    Unlisted {
        path: String,
        error: String,
    },
}

impl Listed {
    /// Keeps what a store says of a file below a folder.
    pub(super) fn of(file: object_store::Result<ObjectMeta>, folder: &Path) -> Self {
        match file {
            Ok(file) => Self::File {
                path: file.location.to_string(),
                size: file.size,
                modified: file.last_modified.timestamp_millis(),
                etag: file.e_tag,
            },
            Err(error) => Self::Unlisted {
                path: folder.to_string(),
                error: error.to_string(),
            },
        }
    }

    pub(super) fn path(&self) -> &str {
        match self {
            Self::File { path, .. } | Self::Unlisted { path, .. } => path,
        }
    }
}

/// The plan of a [`FilesTable`](crate::FilesTable). It was made where the files were listed, and can be sent to where they
/// are read.
#[derive(Debug)]
pub struct FilesScan {
    scan: Scan,
    plan: StreamingTableExec,
}

impl FilesScan {
    pub(super) fn new(scan: Scan) -> Result<Self> {
        let store = ObjectStoreUrl::parse(&scan.store)?;
        let schema = schema();
        let columns = scan.projection.as_ref();
        let reads = columns.is_none_or(|columns| columns.contains(&BYTES));
        let partitions = scan.shares.iter().map(|files| {
            Arc::new(Files {
                store: store.clone(),
                listed: files.clone(),
                reads,
                schema: Arc::clone(&schema),
            }) as Arc<dyn PartitionStream>
        });
        let partitions = partitions.collect();
        let plan = StreamingTableExec::try_new(
            Arc::clone(&schema),
            partitions,
            columns,
            [],
            false,
            scan.limit,
        )?;
        Ok(Self { scan, plan })
    }

    /// Writes the plan, for [`FilesScan::from_bytes`] of the same version.
    ///
    /// # Errors
    ///
    /// Where it cannot be written.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(&self.scan).map_err(|error| told(&error))
    }

    /// Reads a plan that [`FilesScan::to_bytes`] wrote.
    ///
    /// # Errors
    ///
    /// For other bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Self::new(serde_json::from_slice(bytes).map_err(|error| told(&error))?)
    }
}

fn told(error: &serde_json::Error) -> datafusion::common::DataFusionError {
    plan_datafusion_err!("a plan of files cannot be sent: {error}")
}

impl DisplayAs for FilesScan {
    fn fmt_as(
        &self,
        _format: DisplayFormatType,
        formatter: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let files: usize = self.scan.shares.iter().map(Vec::len).sum();
        let partitions = self.scan.shares.len();
        write!(
            formatter,
            "FilesScan: files={files}, partitions={partitions}"
        )
    }
}

impl ExecutionPlan for FilesScan {
    fn name(&self) -> &'static str {
        "FilesScan"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.plan.properties()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _visit: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(
        self: Arc<Self>,
        _children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        self.plan.execute(partition, context)
    }
}

/// The files of a partition.
#[derive(Debug)]
struct Files {
    store: ObjectStoreUrl,
    listed: Vec<Listed>,
    reads: bool,
    schema: SchemaRef,
}

impl PartitionStream for Files {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, context: Arc<TaskContext>) -> SendableRecordBatchStream {
        let store = context.runtime_env().object_store(&self.store);
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
    let (mut bytes, mut error, mut columns) = (None, None, (None, None, None));
    match file {
        Listed::Unlisted { error: why, .. } => error = Some(why.clone()),
        Listed::File {
            path,
            size,
            modified,
            etag,
        } => {
            columns = (Some(*size), Some(*modified), etag.as_deref());
            let read = async { store.get(&Path::parse(path)?).await?.bytes().await };
            if reads {
                match read.await {
                    Ok(read) => bytes = Some(read),
                    Err(unread) => error = Some(unread.to_string()),
                }
            }
        }
    }
    let (size, modified, etag) = columns;
    let modified = TimestampMillisecondArray::from(vec![modified]);
    let path = file.path();
    let name = path.rsplit('/').next().unwrap_or_default();
    let columns: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from(vec![path])),
        Arc::new(StringArray::from(vec![name])),
        Arc::new(UInt64Array::from(vec![size])),
        Arc::new(modified.with_timezone("UTC")),
        Arc::new(StringArray::from(vec![etag])),
        Arc::new(LargeBinaryArray::from(vec![bytes.as_deref()])),
        Arc::new(StringArray::from(vec![error.as_deref()])),
    ];
    Ok(RecordBatch::try_new(schema, columns)?)
}
