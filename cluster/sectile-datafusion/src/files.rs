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
use object_store::ObjectMeta;
use object_store::path::Path as ObjectPath;
use sectile::shown_url;
use url::Url;

use crate::scan::{self, Columns, ListedScan};

pub(crate) use listing::Files;

mod listing;

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
    /// For what is no address, or no folder, and for an address with a user or a password: plans carry and show it.
    pub fn new(folder: &str) -> Result<Self> {
        Ok(Self {
            url: ListingTableUrl::try_new(address(folder)?, None)?,
            schema: listing::schema(),
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
        if !url.username().is_empty() || url.password().is_some() {
            return plan_err!(
                "the address of the folder `{}` holds a user or a password; leave it out, and register the object \
                 store with the session",
                shown_url(folder)
            );
        }
        return Ok(url);
    }
    if !path.is_dir() {
        return plan_err!("there is no folder `{}`", shown_url(folder));
    }
    Url::from_directory_path(path.canonicalize()?)
        .map_err(|()| plan_datafusion_err!("the path `{folder}` cannot be an address"))
}

/// Returns the path of a file that could be listed.
fn path(file: &object_store::Result<ObjectMeta>) -> Option<&ObjectPath> {
    file.as_ref().ok().map(|file| &file.location)
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
        let prefix = self.url.prefix();
        let mut files: Vec<_> = store.list(Some(prefix)).collect().await;
        if let [Err(error)] = &*files {
            return exec_err!("`{}` cannot be listed: {error}", self.url);
        }
        files.sort_by(|one, other| path(one).cmp(&path(other)));
        let shares = session.config().target_partitions();
        let listed = scan::listing(&files, shares, |files| listing::listed(files, prefix))?;
        let columns = Columns::new(projection, self.schema.fields().len(), listing::BYTES);
        let scan = ListedScan::new(listed, Arc::new(Files::of(store_url)), columns);
        Ok(Arc::new(scan?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_with_secrets_are_refused_and_not_shown() {
        for folder in [
            "s3://ada:s3cret@bucket/docs/",
            "s3://s3cret@bucket/docs/",
            "https://ada:s3cret@files.example:port/docs/",
        ] {
            let refused = FilesTable::new(folder).expect_err("it is refused");
            assert!(!refused.to_string().contains("s3cret"), "{refused}");
        }
        assert!(FilesTable::new("s3://bucket/docs/").is_ok());
    }
}
