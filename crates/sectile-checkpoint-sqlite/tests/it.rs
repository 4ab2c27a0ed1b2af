//! Checkpoints in SQLite.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod it {
    mod conformance;
    mod failure;
}
