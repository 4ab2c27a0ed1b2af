//! The plan of a table over a list of things, such as files: it reads what is listed, on whichever machine.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::RecordBatch;
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
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// What a table reads from. It is shown as anyone may see it.
#[async_trait]
pub(crate) trait Source: fmt::Display + fmt::Debug + Send + Sync {
    /// Returns what another process opens.
    ///
    /// # Errors
    ///
    /// For what no other process can open, or should be told.
    fn sent(&self) -> Result<Sent>;

    /// Returns a listed row with its content.
    ///
    /// # Errors
    ///
    /// Why it cannot be read, unless that is in the row.
    async fn read(&self, row: &RecordBatch, context: &TaskContext) -> Result<RecordBatch>;
}

/// A [`Source`], as plans carry it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Sent {
    /// The files of the object store at an address.
    Files(String),
    /// The documents of the store at an address.
    Documents(String),
}

/// Which columns a plan returns, by their positions in the listing, and which one of the listing has the content.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Columns {
    returned: Vec<usize>,
    content: usize,
}

impl Columns {
    /// Chooses columns among `count`, or all.
    pub(crate) fn new(projection: Option<&Vec<usize>>, count: usize, content: usize) -> Self {
        let returned = projection.cloned();
        let returned = returned.unwrap_or_else(|| (0..count).collect());
        Self { returned, content }
    }

    fn has_content(&self) -> bool {
        self.returned.contains(&self.content)
    }
}

/// Makes the input of a plan: a list in so many shares, each a batch with the columns of the table, but without the
/// contents.
///
/// # Errors
///
/// Those of Arrow.
pub(crate) fn listing<T>(
    items: &[T],
    shares: usize,
    batch: impl Fn(&[&T]) -> Result<RecordBatch>,
) -> Result<Arc<dyn ExecutionPlan>> {
    let shares = shares.clamp(1, items.len().max(1));
    let share = |at: usize| {
        let items: Vec<&T> = items.iter().skip(at).step_by(shares).collect();
        batch(&items).map(|batch| vec![batch])
    };
    let shares: Vec<Vec<RecordBatch>> = (0..shares).map(share).collect::<Result<_>>()?;
    let schema = shares[0][0].schema();
    Ok(MemorySourceConfig::try_new_exec(&shares, schema, None)?)
}

/// The plan of a [`FilesTable`](crate::FilesTable) or a [`StoreTable`](crate::StoreTable): it reads the files or the
/// documents that its input lists. The list was made where the plan was, and an engine that sends a part of the list
/// sends what it reads. [`ListedScan::to_bytes`] sends the plan without its input.
#[derive(Debug)]
pub struct ListedScan {
    listing: Arc<dyn ExecutionPlan>,
    source: Arc<dyn Source>,
    columns: Columns,
    properties: Arc<PlanProperties>,
}

impl ListedScan {
    pub(crate) fn new(
        listing: Arc<dyn ExecutionPlan>,
        source: Arc<dyn Source>,
        columns: Columns,
    ) -> Result<Self> {
        let schema = Arc::new(listing.schema().project(&columns.returned)?);
        let partitions = listing.output_partitioning().partition_count();
        let properties = PlanProperties::new(
            EquivalenceProperties::new(schema),
            Partitioning::UnknownPartitioning(partitions),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        Ok(Self {
            listing,
            source,
            columns,
            properties: Arc::new(properties),
        })
    }

    /// Writes the plan without its input, for [`ListedScan::from_bytes`] of the same version.
    ///
    /// # Errors
    ///
    /// For the documents of a library that was opened here, and for a store whose address holds a secret, such as a
    /// password: it would travel with each plan.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        to_bytes(&(self.source.sent()?, &self.columns))
    }
}

/// Returns the only input of a plan.
pub(crate) fn only(inputs: &[Arc<dyn ExecutionPlan>]) -> Result<Arc<dyn ExecutionPlan>> {
    match inputs {
        [listing] => Ok(Arc::clone(listing)),
        _ => plan_err!("a plan of a list has one input, not {}", inputs.len()),
    }
}

/// Writes what is sent of a table or a plan.
pub(crate) fn to_bytes(sent: &impl Serialize) -> Result<Vec<u8>> {
    serde_json::to_vec(sent).map_err(|error| told(&error))
}

/// Reads what [`to_bytes`] wrote.
pub(crate) fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    serde_json::from_slice(bytes).map_err(|error| told(&error))
}

fn told(error: &serde_json::Error) -> DataFusionError {
    plan_datafusion_err!("a table or its plan cannot be sent: {error}")
}

impl DisplayAs for ListedScan {
    fn fmt_as(
        &self,
        _format: DisplayFormatType,
        formatter: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        write!(formatter, "ListedScan: {}", self.source)
    }
}

impl ExecutionPlan for ListedScan {
    fn name(&self) -> &'static str {
        "ListedScan"
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
        let (source, columns) = (Arc::clone(&self.source), self.columns.clone());
        Ok(Arc::new(Self::new(only(&children)?, source, columns)?))
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let (source, columns) = (Arc::clone(&self.source), self.columns.clone());
        let listed = self.listing.execute(partition, Arc::clone(&context))?;
        let reads = columns.has_content();
        let listed = listed.flat_map(move |batch| stream::iter(rows(batch, reads)));
        let batches = listed.then(move |listed| {
            let (source, columns) = (Arc::clone(&source), columns.clone());
            let context = Arc::clone(&context);
            async move { read(&*source, listed?, &columns, &context).await }
        });
        let schema = Arc::clone(self.properties.equivalence_properties().schema());
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, batches)))
    }
}

/// Returns the rows of a listing, each a batch of its own if they are read, so that no more than one content is in
/// memory.
fn rows(batch: Result<RecordBatch>, reads: bool) -> Vec<Result<RecordBatch>> {
    match batch {
        Ok(batch) if reads => (0..batch.num_rows())
            .map(|row| Ok(batch.slice(row, 1)))
            .collect(),
        batch => vec![batch],
    }
}

/// Returns the columns of what is listed, with the content if that is one of them.
async fn read(
    source: &dyn Source,
    listed: RecordBatch,
    columns: &Columns,
    context: &TaskContext,
) -> Result<RecordBatch> {
    let read = if columns.has_content() {
        source.read(&listed, context).await?
    } else {
        listed
    };
    Ok(read.project(&columns.returned)?)
}
