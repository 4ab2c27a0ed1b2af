//! Checkpoints in a real Postgres.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../../sectile-checkpoint-sql/tests/engines/codecs.rs"]
mod codecs;
#[path = "it/conformance.rs"]
mod conformance;
#[path = "it/copies.rs"]
mod copies;
#[path = "../../sectile-checkpoint-sql/tests/engines/damage.rs"]
mod damage;
#[path = "it/engine.rs"]
mod engine;
#[path = "it/failure.rs"]
mod failure;
#[path = "../../sectile-checkpoint-sql/tests/engines/groups.rs"]
mod groups;
#[path = "it/listings.rs"]
mod listings;
#[path = "../../sectile-checkpoint-sql/tests/engines/packed.rs"]
mod packed;
#[path = "it/settings.rs"]
mod settings;
#[path = "../../sectile-checkpoint-sql/tests/engines/sizes.rs"]
mod sizes;
#[path = "../../sectile-checkpoint-sql/tests/engines/verify.rs"]
mod verify;
#[path = "it/waiting.rs"]
mod waiting;
#[path = "it/writes.rs"]
mod writes;
