//! Local models: tiny ones made here, and with `SECTILE_MODEL` a real one.

#![cfg(feature = "local")]
#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

#[path = "it/tiny.rs"]
mod tiny;

#[path = "it/damaged.rs"]
mod damaged;
#[path = "it/local.rs"]
mod local;
#[path = "it/minilm.rs"]
mod minilm;
