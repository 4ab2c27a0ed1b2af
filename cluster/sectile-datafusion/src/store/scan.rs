//! The plan that reads listed documents, on whichever machine.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, LargeStringArray, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::common::cast::as_string_array;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, Result, plan_datafusion_err, plan_err};
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties as _, Partitioning,
    PlanProperties,
};
use futures_util::{StreamExt as _, stream};
use sectile::store::DocumentRecord;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::opened::{OpenedStore, failed};

/// Which column has the texts.
const TEXT: usize = 4;

/// Returns the columns of a table of documents.
pub(super) fn schema() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new("collection", DataType::Utf8, false),
        Field::new("uri", DataType::Utf8, false),
        Field::new("title", DataType::Utf8, true),
        Field::new("format", DataType::Utf8, false),
        Field::new("text", DataType::LargeUtf8, false),
    ]))
}

/// What the store has of documents, as JSON, in so many shares.
///
/// # Errors
///
/// Those of Arrow.
pub(super) fn listing(
    documents: &[DocumentRecord],
    shares: usize,
) -> Result<Arc<dyn ExecutionPlan>> {
    let record = Field::new("record", DataType::Utf8, false);
    let schema = Arc::new(Schema::new(vec![record]));
    let share = |at: usize| -> Result<Vec<RecordBatch>> {
        let records = documents.iter().skip(at).step_by(shares);
        let records = records.map(|record| serde_json::to_string(record).map(Some));
        let records: serde_json::Result<StringArray> = records.collect();
        let records: ArrayRef = Arc::new(records.map_err(|error| told(&error))?);
        Ok(vec![RecordBatch::try_new(
            Arc::clone(&schema),
            vec![records],
        )?])
    };
    let shares: Vec<_> = (0..shares).map(share).collect::<Result<_>>()?;
    Ok(MemorySourceConfig::try_new_exec(&shares, schema, None)?)
}

/// Writes what is sent of a table or a plan.
pub(super) fn to_bytes(sent: &impl Serialize) -> Result<Vec<u8>> {
    serde_json::to_vec(sent).map_err(|error| told(&error))
}

/// Reads what [`to_bytes`] wrote.
pub(super) fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    serde_json::from_slice(bytes).map_err(|error| told(&error))
}

fn told(error: &serde_json::Error) -> DataFusionError {
    plan_datafusion_err!("a plan of documents cannot be sent: {error}")
}

/// The plan of a [`StoreTable`](crate::StoreTable): it reads the documents that its input lists. The list was made where the
/// plan was, and an engine that sends a part of the list sends what it reads.
#[derive(Debug)]
pub struct StoreScan {
    listing: Arc<dyn ExecutionPlan>,
    store: Arc<OpenedStore>,
    projection: Option<Vec<usize>>,
    properties: Arc<PlanProperties>,
}

impl StoreScan {
    pub(super) fn new(
        listing: Arc<dyn ExecutionPlan>,
        store: Arc<OpenedStore>,
        projection: Option<Vec<usize>>,
    ) -> Result<Self> {
        let schema = match &projection {
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
            listing,
            store,
            projection,
            properties: Arc::new(properties),
        })
    }

    /// Writes the plan without its input, for [`StoreScan::from_bytes`] of the same version.
    ///
    /// # Errors
    ///
    /// Those of [`StoreTable::to_bytes`](crate::StoreTable::to_bytes).
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        to_bytes(&(self.store.address_to_send()?, &self.projection))
    }

    /// Reads a plan that [`StoreScan::to_bytes`] wrote, with its input. The store is opened when it is read.
    ///
    /// # Errors
    ///
    /// For other bytes, and without one input.
    pub fn from_bytes(bytes: &[u8], inputs: &[Arc<dyn ExecutionPlan>]) -> Result<Self> {
        let (address, projection): (String, Option<Vec<usize>>) = from_bytes(bytes)?;
        let store = Arc::new(OpenedStore::at(&address));
        Self::new(only(inputs)?, store, projection)
    }
}

fn only(inputs: &[Arc<dyn ExecutionPlan>]) -> Result<Arc<dyn ExecutionPlan>> {
    match inputs {
        [listing] => Ok(Arc::clone(listing)),
        _ => plan_err!("a plan of documents has one input, not {}", inputs.len()),
    }
}

impl DisplayAs for StoreScan {
    fn fmt_as(
        &self,
        _format: DisplayFormatType,
        formatter: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        write!(formatter, "StoreScan: store={}", self.store.shown())
    }
}

impl ExecutionPlan for StoreScan {
    fn name(&self) -> &'static str {
        "StoreScan"
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
        let store = Arc::clone(&self.store);
        let new = Self::new(only(&children)?, store, self.projection.clone())?;
        Ok(Arc::new(new))
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let (store, projection) = (Arc::clone(&self.store), self.projection.clone());
        let listed = self.listing.execute(partition, context)?;
        let records = listed.flat_map(|batch| stream::iter(records(batch)));
        let batches = records.then(move |record| {
            let (store, projection) = (Arc::clone(&store), projection.clone());
            async move { read(&store, &record?, projection.as_deref()).await }
        });
        let schema = Arc::clone(self.properties.equivalence_properties().schema());
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, batches)))
    }
}

fn records(batch: Result<RecordBatch>) -> Vec<Result<DocumentRecord>> {
    let read = batch.and_then(|batch| {
        let records = as_string_array(batch.column(0))?;
        let records = records.iter().flatten();
        Ok(records
            .map(|record| from_bytes(record.as_bytes()))
            .collect())
    });
    read.unwrap_or_else(|error| vec![Err(error)])
}

/// Reads a document into a batch of its own, so that no more than one is in memory.
async fn read(
    store: &OpenedStore,
    document: &DocumentRecord,
    projection: Option<&[usize]>,
) -> Result<RecordBatch> {
    let mut text = String::new();
    if projection.is_none_or(|columns| columns.contains(&TEXT)) {
        let read = store.library().await?.read(document).await;
        text = read.map_err(|error| failed(&error))?.text;
    }
    let columns: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from(vec![document.collection.as_str()])),
        Arc::new(StringArray::from(vec![document.uri.as_str()])),
        Arc::new(StringArray::from(vec![document.metadata.title.as_deref()])),
        Arc::new(StringArray::from(vec![document.format.to_string()])),
        Arc::new(LargeStringArray::from(vec![text])),
    ];
    let batch = RecordBatch::try_new(schema(), columns)?;
    match projection {
        Some(columns) => Ok(batch.project(columns)?),
        None => Ok(batch),
    }
}
