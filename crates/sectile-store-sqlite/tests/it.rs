//! The store on real files.

#[path = "it/conformance.rs"]
mod conformance;
#[path = "it/file.rs"]
mod file;
