//! The store on a real server, beside the one in SQLite.

#![expect(
    clippy::print_stderr,
    reason = "a test says why it has nothing to compare"
)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "it/batches.rs"]
mod batches;
#[path = "it/conformance.rs"]
mod conformance;
#[path = "it/databases.rs"]
mod databases;
#[path = "it/jobs.rs"]
mod jobs;
#[path = "it/limits.rs"]
mod limits;
#[path = "it/parity.rs"]
mod parity;
#[path = "it/partitions.rs"]
mod partitions;
#[path = "it/search_path.rs"]
mod search_path;
#[path = "it/vectors.rs"]
mod vectors;
