//! A store whose tables are divided by collection, as the guide says.

use sectile_store::{SearchRequest, Store as _};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection, Row as _};

use crate::batches::{batch, changed, state};
use crate::parity::Stores;

/// Returns the statements of the guide that divide the tables, and give a collection partitions of its own.
fn statements(collection: &str) -> Vec<String> {
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/postgres.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let blocks = guide.split("```sql\n").skip(1);
    let blocks = blocks.map(|block| block.split("```").next().unwrap());
    let dividing = blocks.filter(|block| block.contains("PARTITION"));
    dividing
        .map(|block| block.replace("reports", collection))
        .collect()
}

#[tokio::test]
async fn divided_tables_hold_the_same_rows() {
    let url = sectile_test_postgres::database().await.unwrap();
    let stores = Stores::on(&url).await;
    let mut connection = PgConnection::connect(&url).await.unwrap();
    let statements = statements("d");
    assert_eq!(statements.len(), 2);
    for statement in statements {
        connection.execute(AssertSqlSafe(statement)).await.unwrap();
    }
    for documents in [batch(), changed(), batch()] {
        stores.put(&documents).await;
        let found = state(&stores.postgres).await;
        assert_eq!(found.len(), 6);
        // Not printed: some are megabytes long.
        assert!(found == state(&stores.sqlite).await);
        let request = SearchRequest::new("a collection of few versions").with_limit(20);
        assert!(stores.compare(&request).await > 0);
    }
    stores.postgres.optimize().await.unwrap();
    assert!(stores.postgres.totals().await.unwrap().bytes > 0);
    let counted = connection.fetch_one("SELECT count(*) FROM documents_d");
    let count: i64 = counted.await.unwrap().get(0);
    assert_eq!(count, 2);
}
