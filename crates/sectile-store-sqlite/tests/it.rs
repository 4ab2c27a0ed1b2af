//! The store on real files.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "it/backup.rs"]
mod backup;
#[path = "it/conformance.rs"]
mod conformance;
#[path = "it/file.rs"]
mod file;
#[path = "it/reading.rs"]
mod reading;
