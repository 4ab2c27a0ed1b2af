//! Stores in the schemas of a search path.

use sectile_store::Error;
use sectile_store_postgres::PostgresStore;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};

async fn execute(url: &str, sql: String) {
    let mut connection = PgConnection::connect(url).await.unwrap();
    let done = sqlx::raw_sql(AssertSqlSafe(sql));
    done.execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// Returns which schemas have a store.
async fn schemas(url: &str) -> Vec<String> {
    let mut connection = PgConnection::connect(url).await.unwrap();
    let sql = "SELECT schemaname::text FROM pg_tables WHERE tablename = 'documents' ORDER BY 1";
    let found = sqlx::query_scalar(sql).fetch_all(&mut connection).await;
    connection.close().await.unwrap();
    found.unwrap()
}

async fn open(url: &str, path: &str) -> Result<(), Error> {
    let url = format!("{url}?options=-csearch_path%3D{path}");
    PostgresStore::open(&url).await?.close().await;
    Ok(())
}

#[tokio::test]
async fn a_store_in_a_later_schema_of_the_path_is_refused() {
    let url = sectile_test_postgres::database().await.unwrap();
    open(&url, "public").await.unwrap();
    execute(&url, "CREATE SCHEMA two".into()).await;
    let refused = open(&url, "two,public").await.unwrap_err();
    let Error::LaterSchema { current, found } = &refused else {
        panic!("{refused:?}");
    };
    assert_eq!((current.as_str(), found.as_str()), ("two", "public"));
    assert_eq!(schemas(&url).await, ["public"]);
    let message = refused.to_string();
    for way_out in ["public", "two"] {
        assert!(
            message.contains(&format!("search_path%3D{way_out}`")),
            "{message}"
        );
        open(&url, way_out).await.unwrap();
    }
    open(&url, "two,public").await.unwrap();
    assert_eq!(schemas(&url).await, ["public", "two"]);
}

#[tokio::test]
async fn a_store_that_the_role_cannot_read_is_none_of_its_path() {
    let url = sectile_test_postgres::database().await.unwrap();
    open(&url, "public").await.unwrap();
    // Roles belong to the server, which other tests use.
    let role = format!("of_{}", url.rsplit('/').next().unwrap());
    let sql = format!(
        "CREATE ROLE {role} LOGIN PASSWORD 'own'; CREATE SCHEMA two AUTHORIZATION {role};
         CREATE SCHEMA three AUTHORIZATION {role}"
    );
    execute(&url, sql).await;
    let of_role = url.replace("postgres:postgres@", &format!("{role}:own@"));
    open(&of_role, "two,public").await.unwrap();
    execute(&url, "REVOKE USAGE ON SCHEMA public FROM PUBLIC".into()).await;
    open(&of_role, "three,public").await.unwrap();
    assert_eq!(schemas(&url).await, ["public", "three", "two"]);
}
