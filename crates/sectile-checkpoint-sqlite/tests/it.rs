//! Checkpoints in a real SQLite file.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "it/codecs.rs"]
mod codecs;
#[path = "it/conformance.rs"]
mod conformance;
#[path = "it/failure.rs"]
mod failure;
#[path = "it/garbage.rs"]
mod garbage;
#[path = "it/processes.rs"]
mod processes;
#[path = "it/replaced.rs"]
mod replaced;
#[path = "it/sharing.rs"]
mod sharing;
#[path = "it/sizes.rs"]
mod sizes;
#[path = "it/verify.rs"]
mod verify;
#[path = "it/waiting.rs"]
mod waiting;
#[path = "it/writes.rs"]
mod writes;
