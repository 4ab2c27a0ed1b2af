//! Every case through codecs, before the places in memory and in files.

use sectile_checkpoint::{
    Aes256Gcm, At, Checkpoint, Coded, FileCheckpointer, MemoryCheckpointer, Records,
    RecordsExt as _, StoredState, TypedValue, Zstd,
};

fn through_codecs<R: Records>(records: R) -> Coded<R, (Zstd, Aes256Gcm)> {
    let encrypting = Aes256Gcm::new("key-1", &[7; 32]).unwrap();
    Coded::new(records, (Zstd::default(), encrypting))
}

mod in_memory {
    use super::*;

    async fn fresh() -> ((), Coded<MemoryCheckpointer, (Zstd, Aes256Gcm)>) {
        ((), through_codecs(MemoryCheckpointer::new()))
    }

    sectile_checkpoint::conformance_tests!(fresh);
}

mod in_files {
    use super::*;

    async fn fresh() -> (
        tempfile::TempDir,
        Coded<FileCheckpointer, (Zstd, Aes256Gcm)>,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let checkpointer = FileCheckpointer::new(folder.path()).unwrap();
        (folder, through_codecs(checkpointer))
    }

    sectile_checkpoint::conformance_tests!(fresh);
}

async fn assert_comes_back(records: &impl Records, state: StoredState) {
    let checkpoint = Checkpoint::new("t", state.clone());
    records.save_stored(checkpoint).await.unwrap();
    let found = records.load_stored(&"t".into(), &At::Latest).await.unwrap();
    assert_eq!(found.map(|found| found.state), Some(state));
}

#[tokio::test]
async fn a_value_that_is_called_like_a_state_is_none() {
    let one = through_codecs(MemoryCheckpointer::new());
    // What the outer one leaves as it is, the inner one does not take for its own.
    let both = Coded::new(through_codecs(MemoryCheckpointer::new()), Zstd::default());
    for kind in [
        "json state",
        "not a json state:",
        "not a json state:json state",
    ] {
        for bytes in [&b"{}"[..], b"\xff"] {
            let value = TypedValue::new(kind, bytes);
            assert_comes_back(&one, value.clone().into()).await;
            assert_comes_back(&both, value.into()).await;
        }
    }
    for json in ["[1]".to_owned(), format!("[\"{}\"]", "x".repeat(1_000))] {
        assert_comes_back(&one, StoredState::Json(json.clone())).await;
        assert_comes_back(&both, StoredState::Json(json)).await;
    }
}
