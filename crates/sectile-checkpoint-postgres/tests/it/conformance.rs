//! Every case, with and without projections.

use sectile_checkpoint_postgres::{PostgresCheckpointer, PostgresCheckpointerBuilder};

async fn open(builder: PostgresCheckpointerBuilder) -> PostgresCheckpointer {
    let checkpointer = builder.connect().await.unwrap();
    checkpointer.migrate().await.unwrap();
    checkpointer
}

async fn builder() -> PostgresCheckpointerBuilder {
    let url = sectile_test_postgres::database().await.unwrap();
    PostgresCheckpointer::builder(&url)
}

mod plain {
    use super::*;

    async fn fresh() -> ((), PostgresCheckpointer) {
        ((), open(builder().await).await)
    }

    sectile_checkpoint::conformance_tests!(fresh);
}

mod with_projections_in_a_schema {
    use super::*;

    async fn fresh() -> ((), PostgresCheckpointer) {
        let builder = builder().await.enable_projections(true);
        ((), open(builder.schema("runs").table_prefix("app_")).await)
    }

    sectile_checkpoint::conformance_tests!(fresh);
}
