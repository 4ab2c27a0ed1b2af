//! Every case through codecs, before the place in memory.

use sectile_checkpoint::{Aes256Gcm, Coded, MemoryCheckpointer, Zstd};

async fn fresh() -> ((), Coded<MemoryCheckpointer, (Zstd, Aes256Gcm)>) {
    let encrypting = Aes256Gcm::new("key-1", &[7; 32]).unwrap();
    let codec = (Zstd::default(), encrypting);
    ((), Coded::new(MemoryCheckpointer::new(), codec))
}

sectile_checkpoint::conformance_tests!(fresh);
