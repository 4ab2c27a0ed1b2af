//! A store to be thrown away.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use sectile::Library;
use tempfile::TempDir;

/// A library on a new SQLite file in a folder that goes away with it.
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
