//! The documents of a store, listed and read.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::{ArrayRef, LargeStringArray, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::common::cast::as_string_array;
use datafusion::common::{Result, exec_datafusion_err};
use datafusion::execution::TaskContext;
use sectile::Scope;
use sectile::store::DocumentRecord;

use super::opened::{OpenedStore, failed};
use crate::scan::{Sent, Source};

/// Which columns of a table have what names a document, and its text.
const COLLECTION: usize = 0;
const URI: usize = 1;
pub(super) const TEXT: usize = 4;

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

/// Returns a row for each document, without its text.
///
/// # Errors
///
/// Those of Arrow.
pub(super) fn listed(documents: &[&DocumentRecord]) -> Result<RecordBatch> {
    let column = |of: fn(&DocumentRecord) -> Option<String>| -> ArrayRef {
        let values = documents.iter().map(|document| of(document));
        Arc::new(values.collect::<StringArray>())
    };
    let columns: Vec<ArrayRef> = vec![
        column(|document| Some(document.collection.clone())),
        column(|document| Some(document.uri.clone())),
        column(|document| document.metadata.title.clone()),
        column(|document| Some(document.format.to_string())),
        Arc::new(LargeStringArray::from(vec![""; documents.len()])),
    ];
    Ok(RecordBatch::try_new(schema(), columns)?)
}

#[async_trait]
impl Source for OpenedStore {
    fn sent(&self) -> Result<Sent> {
        Ok(Sent::Documents(self.address_to_send()?.to_owned()))
    }

    /// Reads the text of a document. One that was removed since it was listed is an error.
    async fn read(&self, row: &RecordBatch, _context: &TaskContext) -> Result<RecordBatch> {
        let collection = as_string_array(row.column(COLLECTION))?.value(0);
        let uri = as_string_array(row.column(URI))?.value(0);
        let library = self.library().await?;
        let scope = Scope::collection(collection).with_uri(uri);
        let found = library.documents(&scope).await;
        let found = found.map_err(|error| failed(&error))?;
        let document = found.first().ok_or_else(|| {
            exec_datafusion_err!(
                "`{uri}` was removed from the collection `{collection}` after the query began; run the query again"
            )
        })?;
        let read = library.read(document).await;
        let text = read.map_err(|error| failed(&error))?.text;
        let mut columns = row.columns().to_vec();
        columns[TEXT] = Arc::new(LargeStringArray::from(vec![text]));
        Ok(RecordBatch::try_new(row.schema(), columns)?)
    }
}
