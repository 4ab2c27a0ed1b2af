//! Where checkpoints are kept.

use std::path::Path;

use sectile_checkpoint_sqlite::SqliteCheckpointer;

/// Opens a file with checkpoints of Sectile.
pub(crate) async fn sqlite(path: &Path) -> SqliteCheckpointer {
    let url = format!("sqlite:{}", path.display());
    let checkpointer = SqliteCheckpointer::builder(&url).connect().await.unwrap();
    checkpointer.migrate().await.unwrap();
    checkpointer
}

#[cfg(feature = "postgres")]
pub(crate) use with_a_server::{fresh_database, postgres};

#[cfg(feature = "postgres")]
mod with_a_server {
    use sectile_checkpoint_postgres::PostgresCheckpointer;

    /// Makes an empty database and returns its address.
    pub(crate) async fn fresh_database() -> String {
        sectile_test_postgres::database().await.unwrap()
    }

    /// Opens a database with checkpoints of Sectile, in a schema of their own.
    pub(crate) async fn postgres(url: &str) -> PostgresCheckpointer {
        let builder = PostgresCheckpointer::builder(url).schema("sectile");
        let checkpointer = builder.connect().await.unwrap();
        checkpointer.migrate().await.unwrap();
        checkpointer
    }
}
