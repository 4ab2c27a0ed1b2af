//! Collections in partitions of their own.

use sectile_core::EmbeddingModel;
use sectile_store::{ChunkVector, SearchRequest, Store as _, VectorEncoding};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection, Row as _};

use crate::batches::{batch, changed, state};
use crate::parity::Stores;

async fn count(connection: &mut PgConnection, sql: &str) -> i64 {
    let sql = AssertSqlSafe(sql.to_owned());
    connection.fetch_one(sql).await.unwrap().get(0)
}

/// Returns the name of the partition that has the documents of a collection.
async fn partition_of(connection: &mut PgConnection, collection: &str) -> String {
    let sql = format!(
        "SELECT DISTINCT tableoid::regclass::text FROM documents WHERE collection = '{collection}'"
    );
    connection
        .fetch_one(AssertSqlSafe(sql))
        .await
        .unwrap()
        .get(0)
}

async fn compare(stores: &Stores) {
    let found = state(&stores.postgres).await;
    assert_eq!(found.len(), 6);
    // Not printed: some are megabytes long.
    assert!(found == state(&stores.sqlite).await);
    let request = SearchRequest::new("a collection of few versions").with_limit(20);
    assert!(stores.compare(&request).await > 0);
}

#[tokio::test]
async fn divided_tables_hold_the_same_rows() {
    let url = sectile_test_postgres::database().await.unwrap();
    let stores = Stores::on(&url).await;
    let mut connection = PgConnection::connect(&url).await.unwrap();
    // The first has documents when it is moved, the second has none.
    stores.put(&batch()).await;
    for collection in ["d", "it's \\ new"] {
        assert!(stores.postgres.partition(collection).await.unwrap());
        assert!(!stores.postgres.partition(collection).await.unwrap());
        compare(&stores).await;
    }
    let own = partition_of(&mut connection, "d").await;
    assert_ne!(own, "documents_rest");
    let left = "SELECT count(*) FROM documents_rest WHERE collection = 'd'";
    assert_eq!(count(&mut connection, left).await, 0);
    for documents in [changed(), batch()] {
        stores.put(&documents).await;
        compare(&stores).await;
    }
    assert_eq!(partition_of(&mut connection, "d").await, own);
    stores.postgres.optimize().await.unwrap();
    assert!(stores.postgres.totals().await.unwrap().bytes > 0);
}

#[tokio::test]
async fn vectors_stay_with_the_chunks_that_move() {
    let url = sectile_test_postgres::database().await.unwrap();
    let stores = Stores::on(&url).await;
    let mut connection = PgConnection::connect(&url).await.unwrap();
    stores.put(&batch()).await;
    let store = &stores.postgres;
    let model = EmbeddingModel {
        name: "compass".into(),
        dimensions: 2,
        is_normalized: true,
    };
    let encoding = VectorEncoding::Float32;
    store.set_model("d", &model, encoding).await.unwrap();
    let pending = store.pending("d", None, 1_000).await.unwrap();
    let vectors = pending.into_iter().map(|pending| ChunkVector {
        chunk: pending.chunk,
        vector: vec![1.0, 0.0],
    });
    let vectors: Vec<ChunkVector> = vectors.collect();
    let expected = i64::try_from(vectors.len()).unwrap();
    assert!(expected > 1);
    store.put_vectors("d", &model, vectors).await.unwrap();
    assert!(store.partition("d").await.unwrap());
    let all = "SELECT count(*) FROM vectors";
    assert_eq!(count(&mut connection, all).await, expected);
    let unchecked = "SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND NOT convalidated
        AND conparentid = 0 AND conrelid = 'vectors'::regclass";
    assert_eq!(count(&mut connection, unchecked).await, 0);
    // Those of documents that go, go with them.
    let documents = store
        .documents(&sectile_store::Scope::collection("d"))
        .await;
    let ids: Vec<_> = documents.unwrap().iter().map(|of| of.id).collect();
    store.remove(&ids).await.unwrap();
    assert_eq!(count(&mut connection, all).await, 0);
}
