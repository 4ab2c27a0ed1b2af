//! The Sectile store in one SQLite file.
//!
//! ```
//! # use sectile_store::Store as _;
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! let store = sectile_store_sqlite::SqliteStore::open(folder.path().join("sectile.db")).await?;
//! assert_eq!(store.totals().await?.documents, 0);
//! # Ok(()) }
//! ```
//!
//! The file is in WAL mode: one connection writes, a pool of them reads, and any number of
//! processes may do both at once. A call that writes runs to its end even if its future is
//! dropped. What was written is safe from the death of the process; after a power failure the
//! last writes may be missing, but the file is whole (`synchronous = NORMAL`).
//!
//! Full-text search is BM25 over the terms of `sectile-store`'s analyser, in an index of its own
//! ([`sectile_store::index`]); a term of the heading path counts up to four times as much as one
//! of the text.

mod backup;
mod columns;
mod connections;
mod error;
mod index;
mod key;
mod packed;
mod read;
mod row;
mod sql;
mod store;
mod vectors;
mod write;

pub use backup::back_up;
pub use store::SqliteStore;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
