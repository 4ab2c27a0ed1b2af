//! A library on a store of its own.

use std::path::PathBuf;

use sectile::Library;
use tempfile::TempDir;

pub(crate) struct Place {
    pub(crate) library: Library,
    folder: TempDir,
}

impl Place {
    pub(crate) async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(&url(&folder)).await.unwrap();
        Self { library, folder }
    }

    /// Returns the address of the store.
    pub(crate) fn url(&self) -> String {
        url(&self.folder)
    }

    /// Writes a file, and returns its path.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// Changes the store as the library would not, and returns how many rows have changed.
    pub(crate) fn execute(&self, sql: &str, values: impl rusqlite::Params) -> usize {
        let file = rusqlite::Connection::open(self.folder.path().join("store.db"));
        file.unwrap().execute(sql, values).unwrap()
    }

    /// Writes a file and ingests it with a library on this store.
    pub(crate) async fn ingest(&self, library: &Library, text: &str) -> sectile::Result<()> {
        let path = self.write("a.md", text);
        let report = library.ingest("docs", &[path], &|_| ()).await;
        report.map(drop)
    }
}

fn url(folder: &TempDir) -> String {
    format!("sqlite:{}", folder.path().join("store.db").display())
}
