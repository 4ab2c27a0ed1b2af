//! Stores of Sectile as tables.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::{ArrayRef, LargeStringArray, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{Result, exec_datafusion_err};
use datafusion::datasource::TableType;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};
use futures_util::{StreamExt as _, stream};
use sectile::store::DocumentRecord;
use sectile::{Library, Scope};

/// Which column has the texts.
const TEXT: usize = 4;

/// The documents of a store, or of a collection of it.
///
/// | column | type | |
/// |---|---|---|
/// | `collection` | `Utf8` | the collection |
/// | `uri` | `Utf8` | where it came from |
/// | `title` | `Utf8` or null | its title |
/// | `format` | `Utf8` | the format it was loaded from |
/// | `text` | `LargeUtf8` | the text; read only where it is asked for, a document at a time |
#[derive(Debug)]
pub struct StoreTable {
    library: Arc<Library>,
    scope: Scope,
    schema: SchemaRef,
}

impl StoreTable {
    /// Makes the table of a library's documents in a scope.
    pub fn new(library: Arc<Library>, scope: Scope) -> Self {
        let fields = vec![
            Field::new("collection", DataType::Utf8, false),
            Field::new("uri", DataType::Utf8, false),
            Field::new("title", DataType::Utf8, true),
            Field::new("format", DataType::Utf8, false),
            Field::new("text", DataType::LargeUtf8, false),
        ];
        Self {
            library,
            scope,
            schema: Arc::new(Schema::new(fields)),
        }
    }
}

#[async_trait]
impl TableProvider for StoreTable {
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
        let documents = self
            .library
            .documents(&self.scope)
            .await
            .map_err(|error| failed(&error))?;
        let partitions = session
            .config()
            .target_partitions()
            .clamp(1, documents.len().max(1));
        let mut shares = vec![Vec::new(); partitions];
        for (at, document) in documents.into_iter().enumerate() {
            shares[at % partitions].push(document);
        }
        let reads = projection.is_none_or(|columns| columns.contains(&TEXT));
        let partitions = shares.into_iter().map(|documents| {
            Arc::new(Documents {
                library: Arc::clone(&self.library),
                records: documents,
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

/// The documents of a partition.
#[derive(Debug)]
struct Documents {
    library: Arc<Library>,
    records: Vec<DocumentRecord>,
    reads: bool,
    schema: SchemaRef,
}

impl PartitionStream for Documents {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _context: Arc<TaskContext>) -> SendableRecordBatchStream {
        let (library, schema, reads) = (
            Arc::clone(&self.library),
            Arc::clone(&self.schema),
            self.reads,
        );
        let batches = stream::iter(self.records.clone()).then(move |document| {
            let (library, schema) = (Arc::clone(&library), Arc::clone(&schema));
            async move { batch(&library, &document, reads, schema).await }
        });
        Box::pin(RecordBatchStreamAdapter::new(
            Arc::clone(&self.schema),
            batches,
        ))
    }
}

async fn batch(
    library: &Library,
    document: &DocumentRecord,
    reads: bool,
    schema: SchemaRef,
) -> Result<RecordBatch> {
    let text = if reads {
        library
            .read(document)
            .await
            .map_err(|error| failed(&error))?
            .text
    } else {
        String::new()
    };
    let columns: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from(vec![document.collection.as_str()])),
        Arc::new(StringArray::from(vec![document.uri.as_str()])),
        Arc::new(StringArray::from(vec![document.metadata.title.as_deref()])),
        Arc::new(StringArray::from(vec![document.format.to_string()])),
        Arc::new(LargeStringArray::from(vec![text])),
    ];
    Ok(RecordBatch::try_new(schema, columns)?)
}

fn failed(error: &sectile::Error) -> datafusion::common::DataFusionError {
    exec_datafusion_err!("{}", sectile::error_chain(error))
}
