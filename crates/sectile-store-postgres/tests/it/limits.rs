//! What the server's limits mean to a caller.

use sectile_store::{Error, Scope, Store as _};
use sectile_store_postgres::PostgresStore;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};

#[tokio::test]
async fn a_statement_that_the_server_ends_has_timed_out() {
    let url = sectile_test_postgres::database().await.unwrap();
    PostgresStore::open(&url).await.unwrap().close().await;
    let limited = format!("{url}?options=-cstatement_timeout%3D2s");
    let store = PostgresStore::open(&limited).await.unwrap();
    let mut holder = PgConnection::connect(&url).await.unwrap();
    let mut held = holder.begin().await.unwrap();
    let lock = sqlx::raw_sql("LOCK TABLE documents IN ACCESS EXCLUSIVE MODE");
    lock.execute(&mut *held).await.unwrap();
    let refused = store.documents(&Scope::all()).await.unwrap_err();
    held.rollback().await.unwrap();
    assert!(matches!(refused, Error::TimedOut { .. }), "{refused:?}");
    assert!(refused.is_retryable());
    assert!(store.documents(&Scope::all()).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_role_without_a_connection_left_is_told_so() {
    let url = sectile_test_postgres::database().await.unwrap();
    let role = format!("of_{}", url.rsplit('/').next().unwrap());
    let sql = format!("CREATE ROLE {role} LOGIN PASSWORD 'own' CONNECTION LIMIT 0");
    let mut connection = PgConnection::connect(&url).await.unwrap();
    let made = sqlx::raw_sql(AssertSqlSafe(sql));
    made.execute(&mut connection).await.unwrap();
    let of_role = url.replace("postgres:postgres@", &format!("{role}:own@"));
    let refused = PostgresStore::open(&of_role).await.unwrap_err();
    let is_named = matches!(refused, Error::TooManyConnections { .. });
    assert!(is_named && refused.is_retryable(), "{refused:?}");
}
