//! Sites on this machine, and files from the field.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "it/full.rs"]
mod full;
