//! Every case through codecs, before the places in memory and in files.

use sectile_checkpoint::{Aes256Gcm, Coded, FileCheckpointer, MemoryCheckpointer, Records, Zstd};

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
