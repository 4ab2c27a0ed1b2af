//! A library on a store of its own.

use sectile::Library;
use tempfile::TempDir;

pub(crate) struct Place {
    pub(crate) library: Library,
    folder: TempDir,
}

impl Place {
    pub(crate) async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("store.db").display());
        let library = Library::open(&url).await.unwrap();
        Self { library, folder }
    }

    /// Writes a file and ingests it with a library on this store.
    pub(crate) async fn ingest(&self, library: &Library, text: &str) -> sectile::Result<()> {
        let path = self.folder.path().join("a.md");
        std::fs::write(&path, text).unwrap();
        let report = library.ingest("docs", &[path], &|_| ()).await;
        report.map(drop)
    }
}
