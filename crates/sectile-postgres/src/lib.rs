//! Connections to Postgres as the crates of Sectile use them: kept open, and used again only after
//! success.

mod address;
mod pool;
mod task;

pub use address::{InvalidAddress, connect_options, is_out_of_reach};
pub use pool::{Lease, Pool};
pub use task::in_a_task;

type Result<T, E = Error> = std::result::Result<T, E>;

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The pool was closed, or the runtime has ended.
    #[error("the connections were closed")]
    Closed,
    /// All were in use, for as long as a call waits.
    #[error("no connection was free in time")]
    TimedOut,
    /// The server cannot be reached, or does not let the role in.
    #[error(transparent)]
    Connect(#[from] sqlx::Error),
}

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
