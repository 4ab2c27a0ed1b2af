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
    use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
    use uuid::Uuid;

    /// Makes an empty database on the server that the environment names, and returns its address.
    pub(crate) async fn fresh_database() -> String {
        let server = std::env::var("SECTILE_TEST_POSTGRES")
            .expect("SECTILE_TEST_POSTGRES is the address of a server");
        let name = format!("wesichain_{}", Uuid::new_v4().simple());
        let mut connection = PgConnection::connect(&server).await.unwrap();
        let create = format!("CREATE DATABASE {name}");
        let created = sqlx::raw_sql(AssertSqlSafe(create)).execute(&mut connection);
        created.await.unwrap();
        let (server, _) = server.rsplit_once('/').unwrap();
        format!("{server}/{name}")
    }

    /// Opens a database with checkpoints of Sectile, in a schema of their own.
    pub(crate) async fn postgres(url: &str) -> PostgresCheckpointer {
        let builder = PostgresCheckpointer::builder(url).schema("sectile");
        let checkpointer = builder.connect().await.unwrap();
        checkpointer.migrate().await.unwrap();
        checkpointer
    }
}
