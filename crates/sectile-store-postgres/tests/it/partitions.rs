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

/// Waits until something waits for a table, and ends its connection.
async fn break_off_at(connection: &mut PgConnection, table: &str) {
    let sql = format!(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_locks
         WHERE relation = '{table}'::regclass AND NOT granted"
    );
    for _ in 0..6_000 {
        if count(connection, &sql).await > 0 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("nothing waits for {table}");
}

#[tokio::test]
async fn a_move_that_is_broken_off_goes_on_and_each_document_is_there_once() {
    let url = sectile_test_postgres::database().await.unwrap();
    let stores = Stores::on(&url).await;
    let mut connection = PgConnection::connect(&url).await.unwrap();
    let mut other = PgConnection::connect(&url).await.unwrap();
    assert!(stores.postgres.partition("c").await.unwrap());
    stores.put(&batch()).await;
    // It has copied all documents, sections and chunks when it waits for the words, and all that there is when it waits
    // for who reads documents.
    for (lock, table) in [
        ("LOCK TABLE words_rest", "words_rest"),
        (
            "LOCK TABLE ONLY documents IN ACCESS SHARE MODE",
            "documents",
        ),
    ] {
        let blocking = AssertSqlSafe(format!("BEGIN; {lock}"));
        sqlx::raw_sql(blocking).execute(&mut other).await.unwrap();
        let (moved, ()) = tokio::join!(
            stores.postgres.partition("d"),
            break_off_at(&mut connection, table)
        );
        assert!(moved.is_err());
        sqlx::raw_sql("ROLLBACK").execute(&mut other).await.unwrap();
        let copied = "SELECT count(*) FROM moving_chunks WHERE collection = 'd'";
        assert!(count(&mut connection, copied).await > 0);
        assert_eq!(partition_of(&mut connection, "d").await, "documents_rest");
        compare(&stores).await;
        for documents in [changed(), batch()] {
            stores.put(&documents).await;
            compare(&stores).await;
        }
    }
    // Who moves another collection ends this move first.
    assert!(stores.postgres.partition("e").await.unwrap());
    assert!(!stores.postgres.partition("d").await.unwrap());
    assert_ne!(partition_of(&mut connection, "d").await, "documents_rest");
    let left = "SELECT (SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal)
        + (SELECT count(*) FROM pg_class WHERE relname LIKE '%moving%')";
    assert_eq!(count(&mut connection, left).await, 0);
    for documents in [changed(), batch()] {
        compare(&stores).await;
        stores.put(&documents).await;
    }
    compare(&stores).await;
}

#[tokio::test]
async fn who_reads_and_writes_during_a_move_finds_each_document_once() {
    let stores = Stores::fresh().await;
    stores.put(&batch()).await;
    let store = &stores.postgres;
    let all = sectile_store::Scope::all();
    let is_over = std::cell::Cell::new(false);
    let moves = async {
        for collection in ["d", "c", "e"] {
            assert!(store.partition(collection).await.unwrap());
        }
        is_over.set(true);
    };
    let reads = async {
        while !is_over.get() {
            assert_eq!(store.documents(&all).await.unwrap().len(), 6);
        }
    };
    let writes = async {
        while !is_over.get() {
            for documents in [changed(), batch()] {
                store.put(documents).await.unwrap();
            }
        }
    };
    tokio::join!(moves, reads, writes);
    compare(&stores).await;
}
