//! The Sectile store in Postgres.
//!
//! ```no_run
//! # use sectile_store::Store as _;
//! # async fn run() -> sectile_store::Result<()> {
//! let store = sectile_store_postgres::PostgresStore::open("postgres://localhost/library").await?;
//! println!("{} documents", store.totals().await?.documents);
//! # Ok(()) }
//! ```
//!
//! Any number of processes may read and write at once. A call that writes runs to its end even if
//! its future is dropped.
//!
//! Full-text search is BM25 over the terms of `sectile-store`'s analyser, with the formula, the
//! order of additions and so the scores of the store in SQLite: the same documents give the same
//! hits in the same order. `ts_rank` is not used; it ranks far worse than BM25.

mod columns;
mod copy;
mod document;
mod error;
mod index;
mod jobs;
mod key;
mod new_rows;
mod partition;
mod read;
mod sql;
mod store;
mod vectors;
mod write;

pub use store::PostgresStore;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
