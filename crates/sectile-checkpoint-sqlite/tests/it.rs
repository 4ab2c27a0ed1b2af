//! Checkpoints in SQLite.

mod it {
    mod conformance;
    mod failure;
}
