//! Checkpoints in a real SQLite file.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../../sectile-checkpoint-sql/tests/engines/codecs.rs"]
mod codecs;
#[path = "it/conformance.rs"]
mod conformance;
#[path = "../../sectile-checkpoint-sql/tests/engines/damage.rs"]
mod damage;
#[path = "it/engine.rs"]
mod engine;
#[path = "it/failure.rs"]
mod failure;
#[path = "it/garbage.rs"]
mod garbage;
#[path = "../../sectile-checkpoint-sql/tests/engines/groups.rs"]
mod groups;
#[path = "../../sectile-checkpoint-sql/tests/engines/packed.rs"]
mod packed;
#[path = "it/processes.rs"]
mod processes;
#[path = "it/replaced.rs"]
mod replaced;
#[path = "it/sharing.rs"]
mod sharing;
#[path = "../../sectile-checkpoint-sql/tests/engines/sizes.rs"]
mod sizes;
#[path = "../../sectile-checkpoint-sql/tests/engines/verify.rs"]
mod verify;
#[path = "it/waiting.rs"]
mod waiting;
#[path = "it/writes.rs"]
mod writes;
