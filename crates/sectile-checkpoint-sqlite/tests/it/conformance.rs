//! Every case, in a file with and without projections and through codecs, and in memory.

use sectile_checkpoint::{Aes256Gcm, Coded, Zstd};
use sectile_checkpoint_sqlite::{SqliteCheckpointer, SqliteCheckpointerBuilder};

async fn open(builder: SqliteCheckpointerBuilder) -> SqliteCheckpointer {
    let checkpointer = builder.connect().await.unwrap();
    checkpointer.migrate().await.unwrap();
    checkpointer
}

fn builder(folder: &tempfile::TempDir) -> SqliteCheckpointerBuilder {
    let path = folder.path().join("checkpoints.db");
    SqliteCheckpointer::builder(&format!("sqlite:{}", path.display()))
}

mod in_a_file {
    use super::*;

    async fn fresh() -> (tempfile::TempDir, SqliteCheckpointer) {
        let folder = tempfile::tempdir().unwrap();
        let checkpointer = open(builder(&folder)).await;
        (folder, checkpointer)
    }

    sectile_checkpoint::conformance_tests!(fresh);
}

mod with_projections_and_a_prefix {
    use super::*;

    async fn fresh() -> (tempfile::TempDir, SqliteCheckpointer) {
        let folder = tempfile::tempdir().unwrap();
        let builder = builder(&folder).enable_projections(true);
        let checkpointer = open(builder.table_prefix("app_")).await;
        (folder, checkpointer)
    }

    sectile_checkpoint::conformance_tests!(fresh);
}

mod in_memory {
    use super::*;

    async fn fresh() -> ((), SqliteCheckpointer) {
        (
            (),
            open(SqliteCheckpointer::builder("sqlite::memory:")).await,
        )
    }

    sectile_checkpoint::conformance_tests!(fresh);
}

mod through_codecs {
    use super::*;

    async fn fresh() -> (
        tempfile::TempDir,
        Coded<SqliteCheckpointer, (Zstd, Aes256Gcm)>,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let checkpointer = open(builder(&folder)).await;
        let encrypting = Aes256Gcm::new("key-1", &[7; 32]).unwrap();
        let codec = (Zstd::default(), encrypting);
        (folder, Coded::new(checkpointer, codec))
    }

    sectile_checkpoint::conformance_tests!(fresh);
}
