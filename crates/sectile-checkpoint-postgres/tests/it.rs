//! Checkpoints in a real Postgres.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "it/conformance.rs"]
mod conformance;
#[path = "it/copies.rs"]
mod copies;
#[path = "it/failure.rs"]
mod failure;
#[path = "it/listings.rs"]
mod listings;
#[path = "it/settings.rs"]
mod settings;
#[path = "it/sizes.rs"]
mod sizes;
#[path = "it/verify.rs"]
mod verify;
#[path = "it/waiting.rs"]
mod waiting;
#[path = "it/writes.rs"]
mod writes;
