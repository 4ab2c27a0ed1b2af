//! Checkpoints in memory and in files.

mod it {
    mod memory;
}
