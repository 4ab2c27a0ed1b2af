//! Stores of Sectile as tables.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::Result;
use datafusion::datasource::TableType;
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::ExecutionPlan;
use sectile::{Library, Scope};

use crate::scan::{self, Columns, ListedScan, Source};

pub(crate) use opened::OpenedStore;

mod listing;
mod opened;

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
    store: Arc<OpenedStore>,
    scope: Scope,
    schema: SchemaRef,
}

impl StoreTable {
    /// Makes the table of a library's documents in a scope. It cannot be sent to other processes.
    pub fn new(library: Arc<Library>, scope: Scope) -> Self {
        Self::of(OpenedStore::of(library), scope)
    }

    /// Makes the table of the documents of the store at an address, or of a collection of it. The store is opened when it
    /// is read.
    pub fn at(address: &str, collection: Option<&str>) -> Self {
        let scope = collection.map_or_else(Scope::all, Scope::collection);
        Self::of(OpenedStore::at(address), scope)
    }

    fn of(store: OpenedStore, scope: Scope) -> Self {
        Self {
            store: Arc::new(store),
            scope,
            schema: listing::schema(),
        }
    }

    /// Writes what [`StoreTable::from_bytes`] makes the same table of, in another process.
    ///
    /// # Errors
    ///
    /// For the table of a library, and for an address that holds a secret, such as a password: it would travel with each
    /// plan.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let address = self.store.address_to_send()?;
        scan::to_bytes(&(address, self.scope.collection_name()))
    }

    /// Makes the table that [`StoreTable::to_bytes`] of the same version wrote.
    ///
    /// # Errors
    ///
    /// For other bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let (address, collection): (String, Option<String>) = scan::from_bytes(bytes)?;
        Ok(Self::at(&address, collection.as_deref()))
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
        _limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let library = self.store.library().await?;
        let documents = library.documents(&self.scope).await;
        let documents = documents.map_err(|error| opened::failed(&error))?;
        let shares = session.config().target_partitions();
        let listed = scan::listing(&documents, shares, listing::listed)?;
        let columns = Columns::new(projection, self.schema.fields().len(), listing::TEXT);
        let store = Arc::clone(&self.store) as Arc<dyn Source>;
        let scan = ListedScan::new(listed, store, columns);
        Ok(Arc::new(scan?))
    }
}
