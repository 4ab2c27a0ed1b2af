//! What every store does.

use sectile_store_sqlite::SqliteStore;
use tempfile::TempDir;

async fn fresh() -> (TempDir, SqliteStore) {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("store.db"))
        .await
        .unwrap();
    (folder, store)
}

sectile_store::conformance_tests!(fresh);

mod in_memory {
    use super::SqliteStore;

    async fn fresh() -> ((), SqliteStore) {
        ((), SqliteStore::in_memory().await.unwrap())
    }

    sectile_store::conformance_tests!(fresh);
}
