//! A store to be thrown away.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context as _;
use sectile::Library;
use sectile::models::Embedder;
use sectile::store_postgres::PostgresStore;
use tempfile::TempDir;

/// A library on a new SQLite file in a folder that goes away with it, or in Postgres.
#[derive(Debug)]
pub struct Scratch {
    library: Library,
    folder: TempDir,
}

impl Scratch {
    /// Makes an empty store.
    ///
    /// # Errors
    ///
    /// When the folder or the store cannot be made.
    pub async fn new() -> anyhow::Result<Self> {
        let folder = tempfile::tempdir().context("cannot make a folder for the store")?;
        let url = format!("sqlite:{}", folder.path().join("store.db").display());
        Ok(Self {
            library: Library::open(&url).await?,
            folder,
        })
    }

    /// Makes an empty store in the Postgres database at `url`, in a database schema of its own, which
    /// stays there.
    ///
    /// # Errors
    ///
    /// When the store cannot be made.
    pub async fn in_postgres(url: &str) -> anyhow::Result<Self> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis();
        let store = PostgresStore::open_in(url, Some(&format!("scratch_{now}"))).await?;
        Ok(Self {
            library: Library::new(Arc::new(store)),
            folder: tempfile::tempdir().context("cannot make a folder")?,
        })
    }

    /// Makes vectors with a model.
    #[must_use]
    pub fn with_embedder(mut self, embedder: Arc<dyn Embedder>) -> Self {
        self.library = self.library.with_embedder(embedder);
        self
    }

    /// Returns the library.
    pub const fn library(&self) -> &Library {
        &self.library
    }

    /// Ingests the files under `folder`.
    ///
    /// # Errors
    ///
    /// When the library cannot, or a file cannot be read.
    pub async fn ingest(&self, folder: &Path) -> anyhow::Result<()> {
        let paths = [folder.to_owned()];
        let report = self
            .library
            .ingest(sectile::DEFAULT_COLLECTION, &paths, &|_| ())
            .await?;
        anyhow::ensure!(
            report.failed.is_empty(),
            "not ingested: {:?}",
            report.failed
        );
        Ok(())
    }

    /// Returns the size of all files of the store in bytes.
    ///
    /// # Errors
    ///
    /// When the folder cannot be read.
    pub fn bytes(&self) -> anyhow::Result<u64> {
        let mut bytes = 0;
        for entry in fs::read_dir(self.folder.path())? {
            bytes += entry?.metadata()?.len();
        }
        Ok(bytes)
    }
}
