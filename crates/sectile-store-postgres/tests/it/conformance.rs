//! What every store does.

use sectile_store_postgres::PostgresStore;

async fn fresh() -> ((), PostgresStore) {
    let url = sectile_test_postgres::database().await.unwrap();
    ((), PostgresStore::open(&url).await.unwrap())
}

sectile_store::conformance_tests!(fresh);
