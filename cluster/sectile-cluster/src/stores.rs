//! The object stores of a process.

use std::path::Path;
use std::sync::Arc;

use datafusion::common::{Result, plan_datafusion_err};
use datafusion::execution::object_store::{DefaultObjectStoreRegistry, ObjectStoreRegistry};
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use object_store::ObjectStore;
use object_store::aws::AmazonS3Builder;
use url::Url;

/// The scheme of addresses in S3-compatible storage.
pub(crate) const S3: &str = "s3";

/// The file system, and the buckets of S3-compatible storage. A bucket is opened when it is first named, as the variables
/// `AWS_…` of the environment say.
#[derive(Debug, Default)]
pub(crate) struct Stores {
    opened: DefaultObjectStoreRegistry,
}

impl Stores {
    /// Makes an environment of the engine with these stores. Its temporary files are in the folder, if one is named.
    pub(crate) fn runtime(self: &Arc<Self>, temporary: Option<&Path>) -> Result<Arc<RuntimeEnv>> {
        let stores = Arc::clone(self) as Arc<dyn ObjectStoreRegistry>;
        let builder = RuntimeEnvBuilder::new().with_object_store_registry(stores);
        match temporary {
            Some(folder) => builder.with_temp_file_path(folder).build_arc(),
            None => builder.build_arc(),
        }
    }
}

impl ObjectStoreRegistry for Stores {
    fn register_store(
        &self,
        url: &Url,
        store: Arc<dyn ObjectStore>,
    ) -> Option<Arc<dyn ObjectStore>> {
        self.opened.register_store(url, store)
    }

    fn deregister_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        self.opened.deregister_store(url)
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        let opened = self.opened.get_store(url);
        if opened.is_ok() || url.scheme() != S3 {
            return opened;
        }
        let bucket = url
            .host_str()
            .ok_or_else(|| plan_datafusion_err!("`{url}` names no bucket"))?;
        let store = AmazonS3Builder::from_env()
            .with_bucket_name(bucket)
            .build()?;
        let store: Arc<dyn ObjectStore> = Arc::new(store);
        self.opened.register_store(url, Arc::clone(&store));
        Ok(store)
    }
}
