//! What a server may refuse, and what the caller is told.

use sectile_checkpoint::ErrorKind;
use sectile_checkpoint_postgres::PostgresCheckpointer;

#[tokio::test]
async fn a_role_that_is_not_let_in_is_told_so() {
    let url = sectile_test_postgres::database().await.unwrap();
    for wrong in ["postgres:wrong@", "nobody:postgres@"] {
        let url = url.replace("postgres:postgres@", wrong);
        let refused = PostgresCheckpointer::builder(&url).connect().await;
        let refused = refused.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Unauthenticated, "{refused:?}");
        assert!(!refused.is_retryable());
    }
}

#[tokio::test]
async fn a_database_that_is_missing_is_told_so() {
    let url = sectile_test_postgres::database().await.unwrap();
    let refused = PostgresCheckpointer::builder(&format!("{url}_none")).connect();
    let refused = refused.await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::DatabaseNotFound, "{refused:?}");
}
