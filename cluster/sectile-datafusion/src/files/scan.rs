//! The plan that reads listed files, on whichever machine.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::{
    Array as _, ArrayRef, LargeBinaryArray, RecordBatch, StringArray, TimestampMillisecondArray,
    UInt64Array,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use datafusion::common::cast::as_string_array;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, plan_datafusion_err, plan_err};
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties as _, Partitioning,
    PlanProperties,
};
use futures_util::{StreamExt as _, stream};
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt as _};
use serde::{Deserialize, Serialize};

/// Which column of a table has the bytes.
const BYTES: usize = 5;

/// Which columns of a listing have the path and the error.
const PATH: usize = 0;
const ERROR: usize = 4;

/// Returns the columns of a table of files.
pub(super) fn schema() -> SchemaRef {
    let [path, size, modified, etag, error] = listing_fields();
    let name = Field::new("name", DataType::Utf8, false);
    let bytes = Field::new("bytes", DataType::LargeBinary, true);
    Arc::new(Schema::new(vec![
        path, name, size, modified, etag, bytes, error,
    ]))
}

fn listing_fields() -> [Field; 5] {
    let modified = DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()));
    [
        Field::new("path", DataType::Utf8, false),
        Field::new("size", DataType::UInt64, true),
        Field::new("modified", modified, true),
        Field::new("etag", DataType::Utf8, true),
        Field::new("error", DataType::Utf8, true),
    ]
}

/// What a store says of files, in so many shares; what cannot be listed is a row with the path of the folder.
///
/// # Errors
///
/// Those of Arrow.
pub(super) fn listing(
    mut files: Vec<object_store::Result<ObjectMeta>>,
    folder: &Path,
    shares: usize,
) -> Result<Arc<dyn ExecutionPlan>> {
    files.sort_by(|one, other| {
        let path =
            |of: &object_store::Result<ObjectMeta>| of.as_ref().ok().map(|of| of.location.clone());
        path(one).cmp(&path(other))
    });
    let schema = Arc::new(Schema::new(listing_fields().to_vec()));
    let share = |at: usize| {
        let files = files.iter().skip(at).step_by(shares);
        listed(files, folder, Arc::clone(&schema)).map(|batch| vec![batch])
    };
    let shares: Vec<_> = (0..shares).map(share).collect::<Result<_>>()?;
    Ok(MemorySourceConfig::try_new_exec(&shares, schema, None)?)
}

fn listed<'f>(
    files: impl Iterator<Item = &'f object_store::Result<ObjectMeta>> + Clone,
    folder: &Path,
    schema: SchemaRef,
) -> Result<RecordBatch> {
    let known = || files.clone().map(|file| file.as_ref().ok());
    let path = |of: Option<&ObjectMeta>| of.map_or(folder, |of| &of.location).to_string();
    let paths: StringArray = known().map(path).map(Some).collect();
    let sizes: UInt64Array = known().map(|of| of.map(|of| of.size)).collect();
    let modified = known().map(|of| of.map(|of| of.last_modified.timestamp_millis()));
    let modified: TimestampMillisecondArray = modified.collect();
    let etags: StringArray = known()
        .map(|of| of.and_then(|of| of.e_tag.as_deref()))
        .collect();
    let errors = files.clone().map(|file| file.as_ref().err());
    let errors: StringArray = errors.map(|of| of.map(ToString::to_string)).collect();
    let columns: Vec<ArrayRef> = vec![
        Arc::new(paths),
        Arc::new(sizes),
        Arc::new(modified.with_timezone("UTC")),
        Arc::new(etags),
        Arc::new(errors),
    ];
    Ok(RecordBatch::try_new(schema, columns)?)
}

/// What is sent of a plan beside its input.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Scan {
    /// The address of the store.
    store: String,
    /// Which columns; all, if that is not said.
    projection: Option<Vec<usize>>,
}

/// The plan of a [`FilesTable`](crate::FilesTable): it reads the files that its input lists. The list was made where the
/// plan was, and an engine that sends a part of the list sends what it reads.
#[derive(Debug)]
pub struct FilesScan {
    listing: Arc<dyn ExecutionPlan>,
    scan: Scan,
    store: ObjectStoreUrl,
    properties: Arc<PlanProperties>,
}

impl FilesScan {
    pub(super) fn new(
        listing: Arc<dyn ExecutionPlan>,
        store: &ObjectStoreUrl,
        projection: Option<Vec<usize>>,
    ) -> Result<Self> {
        let store = store.as_str().to_owned();
        Self::of(listing, Scan { store, projection })
    }

    fn of(listing: Arc<dyn ExecutionPlan>, scan: Scan) -> Result<Self> {
        let schema = match &scan.projection {
            Some(columns) => Arc::new(schema().project(columns)?),
            None => schema(),
        };
        let partitions = listing.output_partitioning().partition_count();
        let properties = PlanProperties::new(
            EquivalenceProperties::new(schema),
            Partitioning::UnknownPartitioning(partitions),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        Ok(Self {
            store: ObjectStoreUrl::parse(&scan.store)?,
            listing,
            scan,
            properties: Arc::new(properties),
        })
    }

    /// Writes the plan without its input, for [`FilesScan::from_bytes`] of the same version.
    ///
    /// # Errors
    ///
    /// Where it cannot be written.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(&self.scan).map_err(|error| told(&error))
    }

    /// Reads a plan that [`FilesScan::to_bytes`] wrote, with its input.
    ///
    /// # Errors
    ///
    /// For other bytes, and without one input.
    pub fn from_bytes(bytes: &[u8], inputs: &[Arc<dyn ExecutionPlan>]) -> Result<Self> {
        let [listing] = inputs else {
            return plan_err!("a plan of files has one input, not {}", inputs.len());
        };
        let scan = serde_json::from_slice(bytes).map_err(|error| told(&error))?;
        Self::of(Arc::clone(listing), scan)
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
        write!(formatter, "FilesScan: store={}", self.scan.store)
    }
}

impl ExecutionPlan for FilesScan {
    fn name(&self) -> &'static str {
        "FilesScan"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.listing]
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        // The list is in shares already.
        vec![false]
    }

    fn apply_expressions(
        &self,
        _visit: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let [listing] = &*children else {
            return plan_err!("a plan of files has one input, not {}", children.len());
        };
        let new = Self::of(Arc::clone(listing), self.scan.clone())?;
        Ok(Arc::new(new))
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let store = context.runtime_env().object_store(&self.store)?;
        let projection = self.scan.projection.clone();
        let listed = self.listing.execute(partition, context)?;
        let rows = listed.flat_map(|batch| stream::iter(rows(batch)));
        let batches = rows.then(move |row| {
            let (store, projection) = (Arc::clone(&store), projection.clone());
            async move { read(&*store, &row?, projection.as_deref()).await }
        });
        let schema = Arc::clone(self.properties.equivalence_properties().schema());
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, batches)))
    }
}

fn rows(batch: Result<RecordBatch>) -> Vec<Result<RecordBatch>> {
    match batch {
        Ok(batch) => (0..batch.num_rows())
            .map(|row| Ok(batch.slice(row, 1)))
            .collect(),
        Err(error) => vec![Err(error)],
    }
}

/// Reads the file of a row into a batch of its own, so that no more than one is in memory.
async fn read(
    store: &dyn ObjectStore,
    row: &RecordBatch,
    projection: Option<&[usize]>,
) -> Result<RecordBatch> {
    let path = as_string_array(row.column(PATH))?.value(0);
    let (mut bytes, mut error) = (None, Arc::clone(row.column(ERROR)));
    let asks = projection.is_none_or(|columns| columns.contains(&BYTES));
    if asks && error.is_null(0) {
        let file = async { store.get(&Path::parse(path)?).await?.bytes().await };
        match file.await {
            Ok(file) => bytes = Some(file),
            Err(unread) => error = Arc::new(StringArray::from(vec![unread.to_string()])),
        }
    }
    let name = path.rsplit('/').next().unwrap_or_default();
    let column = |at: usize| Arc::clone(row.column(at));
    let columns: Vec<ArrayRef> = vec![
        column(PATH),
        Arc::new(StringArray::from(vec![name])),
        column(1),
        column(2),
        column(3),
        Arc::new(LargeBinaryArray::from(vec![bytes.as_deref()])),
        error,
    ];
    let batch = RecordBatch::try_new(schema(), columns)?;
    match projection {
        Some(columns) => Ok(batch.project(columns)?),
        None => Ok(batch),
    }
}
