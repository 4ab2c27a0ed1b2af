//! What only vectors in Postgres can get wrong.

use sectile_core::EmbeddingModel;
use sectile_store::{
    ChunkVector, Error, QueryVector, Scope, SearchMode, SearchRequest, Store, VectorEncoding,
};
use sectile_store_postgres::PostgresStore;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection, Row as _};

use crate::parity::document;

const COLLECTION: &str = "tests";

/// How many vectors are enough for an index.
const MANY: usize = 5_000;

fn model(dimensions: usize) -> EmbeddingModel {
    EmbeddingModel {
        name: "angles".into(),
        dimensions,
        is_normalized: true,
    }
}

async fn fresh() -> (PostgresStore, PgConnection) {
    let url = sectile_test_postgres::database().await.unwrap();
    let store = PostgresStore::open(&url).await.unwrap();
    (store, PgConnection::connect(&url).await.unwrap())
}

async fn set_model(store: &PostgresStore, dimensions: usize) {
    let model = model(dimensions);
    let set = store.set_model(COLLECTION, &model, VectorEncoding::Float32);
    set.await.unwrap();
}

/// Gives all chunks vectors that point to the first axis.
async fn embed(store: &PostgresStore, dimensions: usize) {
    let pending = store.pending(COLLECTION, None, 1_000).await.unwrap();
    let mut axis = vec![0.0; dimensions];
    axis[0] = 1.0;
    let vectors = pending.into_iter().map(|pending| ChunkVector {
        chunk: pending.chunk,
        vector: axis.clone(),
    });
    let vectors = vectors.collect();
    store
        .put_vectors(COLLECTION, &model(dimensions), vectors)
        .await
        .unwrap();
}

fn request(vector: Vec<f32>) -> SearchRequest {
    let vector = QueryVector {
        model: model(vector.len()),
        vector,
    };
    SearchRequest::new("word")
        .with_mode(SearchMode::Vector)
        .with_vector(vector)
}

fn sections(count: usize) -> Vec<(String, String)> {
    (0..count)
        .map(|number| (format!("S{number}"), format!("word {number}")))
        .collect()
}

async fn rows(connection: &mut PgConnection, table: &str) -> i64 {
    let count = AssertSqlSafe(format!("SELECT count(*) FROM {table}"));
    let row = connection.fetch_one(count).await.unwrap();
    row.get(0)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_left_of_what_was_removed() {
    let (store, mut connection) = fresh().await;
    set_model(&store, 3).await;
    for round in 1..4 {
        store
            .put(vec![document(COLLECTION, "d", &sections(round))])
            .await
            .unwrap();
        embed(&store, 3).await;
    }
    let id = store.documents(&Scope::all()).await.unwrap()[0].id;
    for table in ["documents", "sections", "chunks", "vectors"] {
        assert_ne!(rows(&mut connection, table).await, 0, "{table}");
    }
    store.remove(&[id]).await.unwrap();
    let tables = [
        "documents",
        "sections",
        "chunks",
        "segments",
        "pages",
        "blocks",
        "parts",
        "words",
        "dead_chunks",
        "vectors",
    ];
    for table in tables {
        assert_eq!(rows(&mut connection, table).await, 0, "{table}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_in_a_dropped_index_is_not_listed_as_dead() {
    let (store, mut connection) = fresh().await;
    let documents = ["a", "b"].map(|uri| document(COLLECTION, uri, &sections(2)));
    store.put(documents.to_vec()).await.unwrap();
    store.drop_index(COLLECTION).await.unwrap();
    let empty = document(COLLECTION, "a", &sections(0));
    store.put(vec![empty]).await.unwrap();
    store.remove(&[documents[1].id]).await.unwrap();
    let dead = "SELECT count(*) FROM dead_chunks";
    let row = connection.fetch_one(dead).await.unwrap();
    assert_eq!(row.get::<i64, _>(0), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_vectors_have_an_index_that_filters_do_not_starve() {
    let (store, mut connection) = fresh().await;
    let store = store.with_vector_index_from(MANY);
    set_model(&store, 3).await;
    let documents = ["far", "near"].map(|uri| document(COLLECTION, uri, &sections(20)));
    store.put(documents.to_vec()).await.unwrap();
    // Written by the server, as so many would take long through the store: on a circle, those of the
    // second document in a narrow part of it.
    let fill =
        "INSERT INTO chunks (collection, document, chunk, section_uid, chunk_index, span_start,
            span_end, token_count, text_hash)
        SELECT collection, document, 1000 + number, uid, number, 0, 1, 1, ''
        FROM sections, generate_series(1, 250) AS number WHERE heading_path = '[\"S0\"]'";
    let more =
        "INSERT INTO chunks (collection, document, chunk, section_uid, chunk_index, span_start,
            span_end, token_count, text_hash)
        SELECT collection, document, 10000 + number, uid, number, 0, 1, 1, ''
        FROM sections, generate_series(1, $1) AS number
        WHERE heading_path = '[\"S1\"]' AND document = (SELECT min(document) FROM sections)";
    connection.execute(fill).await.unwrap();
    let count = i32::try_from(MANY).unwrap();
    sqlx::query(more)
        .bind(count)
        .execute(&mut connection)
        .await
        .unwrap();
    let vectors = "INSERT INTO vectors SELECT collection, document, chunk, 3,
            ('[' || cos(angle) || ',' || sin(angle) || ',0]')::vector
        FROM chunks, LATERAL (SELECT CASE WHEN document = (SELECT min(document) FROM chunks)
            THEN 1 + 0.0001 * (chunk % 40000) ELSE -1.5 END AS angle) AS placed";
    connection.execute(vectors).await.unwrap();
    store.optimize().await.unwrap();
    let has_index = "SELECT count(*) FROM pg_indexes WHERE indexname = 'vectors_near_3'";
    let row = connection.fetch_one(has_index).await.unwrap();
    assert_eq!(row.get::<i64, _>(0), 1);
    let hits = store
        .search(&request(vec![1.0, 0.0, 0.0]).with_limit(5))
        .await
        .unwrap()
        .hits;
    assert_eq!(hits[0].document.uri, "far");
    assert!(hits[0].score > 0.5, "{hits:?}");
    // The vectors of the other document are far away from the question.
    let scope = Scope::all().with_uri("near");
    let narrowed = request(vec![1.0, 0.0, 0.0])
        .with_scope(scope)
        .with_limit(10);
    let hits = store.search(&narrowed).await.unwrap().hits;
    assert_eq!(hits.len(), 10);
    assert!(hits.iter().all(|hit| hit.document.uri == "near"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn vectors_too_large_for_a_page_are_kept() {
    let (store, _) = fresh().await;
    set_model(&store, 3_072).await;
    store
        .put(vec![document(COLLECTION, "d", &sections(4))])
        .await
        .unwrap();
    embed(&store, 3_072).await;
    let mut question = vec![0.0; 3_072];
    question[0] = 2.0;
    let hits = store.search(&request(question)).await.unwrap().hits;
    assert_eq!(hits.len(), 4);
    assert!((hits[0].score - 1.0).abs() < 1e-6, "{hits:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_extension_text_is_searched_and_vectors_are_refused() {
    let url = sectile_test_postgres::database().await.unwrap();
    let mut connection = PgConnection::connect(&url).await.unwrap();
    let (_, database) = url.rsplit_once('/').unwrap();
    let role = format!("reader_{}", database.replace('-', "_"));
    let statements = [
        format!("CREATE ROLE {role} LOGIN PASSWORD 'x'"),
        format!("GRANT CREATE, USAGE ON SCHEMA public TO {role}"),
    ];
    for statement in statements {
        connection.execute(AssertSqlSafe(statement)).await.unwrap();
    }
    let (scheme, rest) = url.split_once("://").unwrap();
    let (_, host) = rest.split_once('@').unwrap();
    let store = PostgresStore::open(&format!("{scheme}://{role}:x@{host}"))
        .await
        .unwrap();
    store
        .put(vec![document(COLLECTION, "d", &sections(2))])
        .await
        .unwrap();
    let refused = store
        .set_model(COLLECTION, &model(3), VectorEncoding::Float32)
        .await;
    let Err(Error::VectorsUnavailable { reason }) = refused else {
        panic!("{refused:?}");
    };
    assert!(reason.contains("CREATE EXTENSION vector"), "{reason}");
    let hits = store
        .search(&SearchRequest::new("word"))
        .await
        .unwrap()
        .hits;
    assert_eq!(hits.len(), 2);
    let vectors = store.search(&request(vec![1.0, 0.0, 0.0])).await;
    assert!(matches!(vectors, Err(Error::NoVectors)), "{vectors:?}");
}
