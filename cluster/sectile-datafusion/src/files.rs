//! Folders of files as tables.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{Result, exec_err, plan_datafusion_err, plan_err};
use datafusion::datasource::TableType;
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::ExecutionPlan;
use futures_util::StreamExt as _;
use url::Url;

pub use scan::FilesScan;

mod scan;

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
        Ok(Self {
            url: ListingTableUrl::try_new(address(folder)?, None)?,
            schema: scan::schema(),
        })
    }

    /// Returns the address of the folder, of which [`FilesTable::new`] makes the same table elsewhere.
    pub fn address(&self) -> &str {
        self.url.as_str()
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
        _limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let store_url = self.url.object_store();
        let store = session.runtime_env().object_store(&store_url)?;
        let folder = self.url.get_url();
        // A store says nothing of a folder that is not on this machine.
        if folder.scheme() == "file" && !folder.to_file_path().is_ok_and(|path| path.is_dir()) {
            return exec_err!("`{}` cannot be listed: there is no such folder", self.url);
        }
        let listed: Vec<_> = store.list(Some(self.url.prefix())).collect().await;
        if let [Err(error)] = &*listed {
            return exec_err!("`{}` cannot be listed: {error}", self.url);
        }
        let most = session.config().target_partitions();
        let shares = most.clamp(1, listed.len().max(1));
        let listing = scan::listing(listed, self.url.prefix(), shares)?;
        let scan = FilesScan::new(listing, &store_url, projection.cloned());
        Ok(Arc::new(scan?))
    }
}
