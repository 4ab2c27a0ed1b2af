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

/// Every question reads the vectors from the file.
mod without_memory {
    use super::{SqliteStore, TempDir};

    async fn fresh() -> (TempDir, SqliteStore) {
        let (folder, store) = super::fresh().await;
        (folder, store.with_vector_memory(0))
    }

    sectile_store::conformance_tests!(fresh;
        vectors_find_what_is_nearest,
        vectors_that_tie_are_ordered_by_name,
        conditions_of_a_question_hold_for_vectors,
        text_that_stays_keeps_its_vector,
        what_is_gone_is_not_found_by_its_vector,
        vectors_outside_the_scope_are_not_compared,
    );
}
