//! Checkpoints in memory and in files.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![expect(clippy::unused_async, reason = "the cases wait for what they run on")]

mod it {
    #[cfg(unix)]
    mod agent_loop;
    #[cfg(all(feature = "aes-gcm", feature = "zstd"))]
    mod codec;
    mod file;
    mod memory;
    mod model;
}
